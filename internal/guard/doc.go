// Package guard does with one command what has to be done before it runs: it has it
// assessed and decided (package service), looks for a yes that a person gave, keeps a
// request where one has to be given, and records all of that.
//
// In go a request and the front at which it waits; out comes an Outcome: what is done,
// and what a person is shown. What cannot be recorded is not let run unasked, and what
// cannot be kept for an approval says so. It asks nobody, runs nothing and speaks no
// agent's protocol.
package guard
