// Package pattern matches rules for what is never meant, or never in one
// place, against the programs that would start and what they would do.
//
// What comes in is a [detect.Context] and rules: heed's own list ([Builtin]),
// and those that people write in YAML ([Parse]). What goes out are findings.
// Rules see resolved words and effects, never the text of the command, so that
// the order of options, quotes, variables and wrappers do not matter and text
// about danger does not match. Only where code was not inspected does a net of
// literals ([Net]) look at its text. All work is linear in what comes in.
package pattern
