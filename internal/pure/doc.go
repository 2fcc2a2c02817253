// Package pure computes, in process, what a pure program prints.
//
// In goes one run of a program whose argument vector, standard input,
// directory and environment are known; out come the bytes it would write to
// standard output, its exit status, and which files it would have read. So the
// engine can judge `echo cm0gLXJmIC8K | base64 -d | sh` by what bash gets.
//
// Programs are GNU's (coreutils, sed, grep, gzip, bc, dc), util-linux's, vim's
// xxd, jq and OpenSSL; awk is what gawk, mawk and the one true awk agree on.
// echo, printf, test and pwd are also bash's, dash's, zsh's and mksh's own, with
// the shell's options as they are by default.
//
// The package starts nothing and reads nothing from the machine: files come
// through [Input.ReadFile]. It answers only when the answer is certain. An
// option it does not handle, a construct on which implementations (GNU,
// busybox, mawk, gawk) or locales disagree, a program that writes a file or
// runs another program, or a spent budget all end in "not computed", and the
// caller must treat the output as unknown. Diagnostics on standard error are
// not modelled, the exit status is.
//
// Work is bounded by the input: output is capped at [Input.Limit], files and
// standard input at a fixed size, interpreters (sed, awk, jq, bc, dc) by a step
// budget, and regular expressions run on Go's RE2 engine after a translation
// that refuses what would mean something else there.
package pure
