// Package cli is the command line: one file a verb.
//
// In go arguments, standard streams and the environment; out come text, JSON
// and an exit status (exit.go lists them). It wires packages together and
// judges nothing itself. It starts no program and writes no file except what
// `eval --save` and `man` are asked to write.
//
// Manners: answers go to standard output; everything about heed itself goes to
// standard error as "heed: what, where, what next", without capitals or a full
// stop. Text that came from the command, a file or a request is shown through
// [explain.Visible] only.
package cli
