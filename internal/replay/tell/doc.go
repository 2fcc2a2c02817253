// Package tell writes a record as a scenario, so that a wrong answer somewhere
// becomes a test.
//
// In go a record (package replay) and an answer; out comes text: a world, the
// command and the answer, in the language of scenarios. What that language cannot
// say is told. The statements of the world are made before they are written (package
// madeup), and the command is answered there: an answer that comes out differently
// is told too. The language itself is read by tests alone (packages scenario and
// fakeworld), and their tests hold that what is written here is read as it was meant.
//
// Records are hostile input. Nothing here touches the machine.
package tell
