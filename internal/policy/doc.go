// Package policy decides what is done about a command.
//
// In go an assessment and the front at which somebody waits; out comes a
// decision: allow, ask, deny, or leave it to the rules of whoever asks, with the
// rule that made it so. Everything that heed runs or answers an agent about is
// decided here, by one function over two tables (builtin.go): what nobody can
// mean, and what each band of the scale comes to at each front.
//
// It knows the vocabulary of package risk and nothing else: no command text, no
// agent's protocol, no terminal, no file, no clock. How a decision is said is for
// the fronts.
package policy
