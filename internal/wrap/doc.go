// Package wrap runs commands that heed has read: it assesses, and then executes,
// asks or refuses.
//
// In go a program with its words, or a shell's command line; what comes out is
// that program in the place of this process, with its own exit code, streams,
// signals and terminal, or a refusal on standard error and exit code 126. A
// refused command can be approved at a terminal, once, for exactly the world in
// which it was refused (package gate). It assesses through package service, and what
// is done about a command is for package policy.
//
// It fails closed: what is not understood, what cannot be assessed in time and
// every fault of its own is refused. No variable of the environment approves or
// skips anything. It starts no second process: it becomes the program
// (execve(2)), so nothing can come between, and nothing of it stays; but for a command
// that is to be confined (package confine), beside which it stays to say what the kernel
// refused.
package wrap
