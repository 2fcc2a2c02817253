// Package shell holds what every shell front end shares: the abstract state
// of a shell session, the invocations that evaluation finds, and the machine
// that evaluation drives.
//
// A front end (package posix) turns command text into calls of [Machine]; the
// machine (package engine) says what each program would do and what it would
// print. Nothing here runs, reads or writes anything itself.
package shell
