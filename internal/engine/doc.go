// Package engine walks a command through the stages: it evaluates the shell,
// asks the catalog what each program does, locates what is touched, and goes
// round again for every command inside a command.
//
// In go a request and a world; out comes a [Trace]: invocations, effects with
// resolved targets, flows, unknowns, and what the work cost. It decides no
// tier. All work is counted in steps, never in time, so that the same request
// in the same world always gives the same trace; a spent budget is part of it.
package engine
