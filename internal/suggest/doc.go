// Package suggest proposes rules of policy from what people said yes to.
//
// In go rows of the log, assessments of the commands in them as they are judged now,
// attacks with theirs, and the rules in force; out come rules that allow, each with the
// evidence it rests on and with what else of the log it would have let through. Yes is
// counted once for each target and day, so that ten clicks on one day are one. A rule is
// the narrowest there is: one program and subcommand, the verbs and scopes that were
// approved, one host, and targets that share a place.
//
// No rule is proposed for REVIEW, for what was ever rejected, for what nobody could
// see into, for rights, secrets or what runs later, nor one that speaks of any part of a
// rejected command or of an attack. The package assesses nothing, reads and writes no
// file and asks no clock: whoever calls it does, and decides who may have a rule.
package suggest
