// Package agent speaks the protocols of coding agents: what an agent hands to
// a hook before it runs a command, what it takes as an answer, and where it
// keeps its hooks.
//
// In go bytes that an agent wrote, assessments and what package policy decided;
// out come requests, answers and changed settings, as bytes again. The package
// says a decision in an agent's words ([AnswerTo]) and makes none itself. It
// touches no file, no clock and no process: internal/install and internal/doctor do.
//
// One file an agent. What is known of the protocols, and on which version it
// was seen, stands with each fact; docs/agents.md says it to users.
package agent
