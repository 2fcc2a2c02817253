// Package prompt answers people's own shells: what a line would do, before Enter runs
// it, and what the shell does then.
//
// In go requests that a shell writes (a line, where it is, and what of its variables,
// functions and aliases the line names), by way of two FIFOs that a resident helper
// reads, or on standard input; out come answers: run it, wait for a second key, wait for
// more lines, do not run it, with the badge that is shown. [Script] is the set-up of a
// shell that asks (docs/shells.md).
//
// It runs nothing and draws nothing: the shell does. What it cannot read it does not call
// harmless, and a shell that gets no answer says so. The line itself is kept in the log
// where it is CAUTION or REVIEW, or where its badge was hidden; nothing is kept of others.
package prompt
