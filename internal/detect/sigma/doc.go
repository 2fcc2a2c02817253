// Package sigma is an engine for Sigma detection rules, specification 2.1.
//
// In go rules as YAML text ([Parse], or [Check] with the lint's warnings) and
// events; out come the rules that match. [Compile] makes a [Set] of the rules;
// [Set.Match] evaluates all rules of a log source on one event in microseconds,
// because each rule has a guard: a literal that every matching event contains,
// found through the rarest of its 4-grams. [Encode] and [Decode] keep a
// compiled set as bytes, so that a program need not read YAML when it starts.
// A [Session] evaluates the correlation rules of a set over a sequence of events.
//
// [Reference] evaluates a rule a second time, slowly, straight from the parsed
// YAML. It shares no code with the compiler and exists to be compared with it.
//
// The package reads no file and no clock: callers hand bytes and timestamps
// over. Rules, events and cached sets are hostile input. Sizes, counts and depth
// are bounded (limits.go), nothing panics, and matching is linear in the size of
// the event for each rule that is evaluated.
//
// What a rule may contain and what is refused is told in docs/sigma.md. The
// specification is https://github.com/SigmaHQ/sigma-specification, which is in
// the public domain.
package sigma
