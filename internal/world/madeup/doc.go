// Package madeup is a machine that is made of statements and held in memory.
//
// In go statements about a system, its accounts, files and git repositories; out
// come a world.World that answers like the machine described, the directory a
// command runs in and its environment. Nothing outside the statements is looked
// at, and the same ones always make the same world, down to inode numbers and
// commit ids.
//
// It serves where heed must judge and no machine is meant: the examples that rules
// are held to, a corpus of commands, a record that is written as a scenario. A
// statement is a list of words, as in the language in which tests describe worlds
// (package fakeworld, whose documentation says what each means; that package turns
// text into statements, and is for tests). Around what is said there is a usual
// machine (defaults.go).
//
// Statements may come from anywhere: what cannot be made is an error, and numbers of
// mounts, commits and generated files are bounded.
package madeup
