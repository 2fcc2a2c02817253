// Package makefile reads makefiles into syntax trees: the language of GNU make
// 4.4, whose manual is the source of every fact here. The package has not the
// name of its directory because that one is Go's own.
//
// In goes the text of a makefile, out comes a [File]: its assignments,
// conditionals, includes, rules, recipe lines and directives as [Node]s in the
// order of the file, and the references and functions inside text as [Part]s.
// All of them say where they stand, in bytes from the beginning of the text.
//
// The package says what is written, not what it comes to: it expands nothing,
// reads no other file, and does not know what a variable holds. Reading never
// fails: a line that GNU make would refuse is what is nearest to it. It imports
// the standard library only, and its work is linear in the text.
package makefile
