// Package caller finds out who runs this process: a person, as far as can be told,
// or a coding agent.
//
// In go the environment and what the system shows of other processes; out comes a
// [Finding]: an agent that started this process, however many processes lie between,
// or that holds the other end of its terminal and can type there; that nobody is at
// the terminal's end; and, apart from that, what could not be looked at. It is for
// the verbs by which a person decides (approve, deny, watch, pin, install …).
//
// It only ever refuses. What it does not find is no proof of a person: one account
// can hide every trace from itself (docs/threat-model.md says how). It starts no
// program, changes nothing, and looks at a bounded number of processes.
package caller
