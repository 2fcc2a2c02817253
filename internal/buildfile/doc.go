// Package buildfile evaluates makefiles and justfiles: it works out which commands
// their recipes come to.
//
// In go the text of a file, and a [Site]: the directory, the environment and
// the files that can be looked at. Out come commands, each in pieces that know
// where in the file they come from, with variables, functions and expressions
// replaced; the commands that are run only for what they print; and what could
// not be followed. A part that is not known is a hole of its value that is
// written as the file writes it. Everything that asks what a makefile or a
// justfile does stands on this package: the programs make and just in the
// catalog, which give goals, and the scanner of files, which takes every
// recipe.
//
// The package runs nothing, reads files through its Site only, and judges
// nothing. The languages are read by internal/lang/make and internal/lang/just.
// All work is bounded, on hostile text too.
package buildfile
