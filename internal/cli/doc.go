// Package cli is the command line: one file a verb.
//
// In go arguments, standard streams and the environment; out come text, JSON
// and an exit status (exit.go lists them). It reads flags and prints: package
// service assesses, others scan, look after the agent's settings or run a command,
// and each is asked by one verb. It starts no program itself, and writes no file
// except what `eval --save`, `scan --write-baseline` and `man` are asked to write;
// `check --record`, `rules import` and `install` let others write theirs.
//
// Manners: answers go to standard output; everything about heed itself goes to
// standard error as "heed: what, where, what next", without capitals or a full
// stop. Text that came from the command, a file or a request is shown through
// [explain.Visible] only.
package cli
