// Package policy decides what is done about a command.
//
// In go an assessment, the front at which somebody waits and the rules in force;
// out comes a decision: allow, ask, deny, or leave it to the rules of whoever
// asks, with the rule that made it so for each program that would run. Everything
// that heed runs or answers an agent about is decided here.
//
// Rules speak of meaning (program, effect, scope, host, branch, tier …), never of
// text. Each comes from a layer: built in, managed (root's), the user's, the
// workspace's, the session's. A denial wins over everything; a managed rule that
// asks is not overruled; a workspace's rules only tighten. What no rule speaks of
// follows the preset's table over the bands of the scale. A rule file that cannot
// be read is not skipped: nothing is allowed unasked until it is mended.
//
// It knows the vocabulary of package risk and nothing else: no command text, no
// agent's protocol, no terminal, no file, no clock; package policy/rulefile reads
// files. How a decision is said is for the fronts.
package policy
