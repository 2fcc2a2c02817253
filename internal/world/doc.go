// Package world is everything heed may know about the machine, behind small
// read-only interfaces.
//
// In go paths and names; out come facts. Nothing here writes, runs a program,
// opens a network connection or asks a clock, and no answer may depend on
// anything but the state that is read. Three implementations exist: osworld
// (this machine), madeup (a machine made of statements) and record (any
// world, with every read kept, and the replay of such a recording). git state
// is read from the repository's files through FS by package gitstate.
package world
