// Package cli is the command line: one file a verb.
//
// In go arguments, standard streams and the environment; out come text, JSON
// and an exit status. It wires packages together and judges nothing itself.
// Exit codes are listed in exit.go and in the help of `heed`.
package cli
