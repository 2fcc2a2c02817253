// Package awk reads programs of awk into syntax trees: the language of
// POSIX.1-2024 awk with what gawk 5.3 adds to it.
//
// In goes the text of a program; out comes a [Program]: its rules, functions
// and directives as [Node]s that say where they stand. Reading never fails. What
// gawk would refuse is noted in Program.Err, and reading goes on behind it, so
// that every call and every redirection of a broken program is still in the
// tree. A part of the text that is not known is the byte [Mark]; where an operand
// stands it becomes a [Hole].
//
// The package says what is written, not what it does: who evaluates a tree, or
// walks it for what reaches outside the program, decides what it means. It
// imports the standard library only, and its work is linear in the text.
package awk
