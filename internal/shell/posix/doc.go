// Package posix evaluates bash, POSIX sh, mksh and zsh without running them.
//
// In go command text, a dialect and a shell.State; out come the calls it makes
// on a shell.Machine (programs that would start, files that redirections
// open, data that flows) and the state afterwards. It walks the syntax tree of
// mvdan.cc/sh as the shell would, over strings that may be only partly known.
// It never runs anything, and it reads the machine only through the state's
// file system. Work is bounded: every node costs a step of the machine's
// budget, and a spent budget is reported, never ignored.
//
// Source of the semantics: POSIX.1-2024 Shell Command Language, the bash 5.2
// reference manual, mksh(1) R59 and zshall(1) 5.9.
package posix
