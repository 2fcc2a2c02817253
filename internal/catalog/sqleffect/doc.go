// Package sqleffect says what SQL does, in the catalog's terms.
//
// In go a text with holes and the database that it is for; out come effects,
// nested commands and what is not understood, the same whoever hands the
// statements over: a client's options, a script, a pipe, or a program in
// another language through a driver. Package lang/sql reads the text; here is
// what its statements, functions, pragmas and rights mean. The package reads
// nothing but its arguments.
package sqleffect
