// Package heedrun runs shell commands for Go programs, if they may run.
//
// In goes a command; out comes what it would do and, where that was asked for, what it
// did. A [Wrapper] runs nothing unless it is told to: its zero value says only what it
// would do. It then runs only what the policy in force for this account allows without
// asking, within a time, and keeps what happened in this account's log, as heed run
// does where nobody can be asked. What policy would ask about is not run.
//
//	w := heedrun.Wrapper{Execute: true, Timeout: time.Minute}
//	result, err := w.Run(ctx, "make test")
//
// A command is given to bash, which reads no start-up file and is given no variable
// that it would execute. Between the look at a command and its start somebody else can
// change the files that it is about; a sandbox is no part of this package.
package heedrun
