// Package cli is the command line: one file a verb.
//
// In go arguments, standard streams and the environment; out come text, JSON
// and an exit status (exit.go lists them). It wires packages together and
// judges nothing itself. It starts no program, except that `doctor` tries heed's
// own hook, and writes no file except what `check --record`, `eval --save`,
// `scan --write-baseline`, `man` and `install` are asked to write.
//
// Manners: answers go to standard output; everything about heed itself goes to
// standard error as "heed: what, where, what next", without capitals or a full
// stop. Text that came from the command, a file or a request is shown through
// [explain.Visible] only.
package cli
