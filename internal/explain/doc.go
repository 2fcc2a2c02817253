// Package explain writes the sentence: one line, present tense, verb first,
// that names the real targets and the real loss.
//
// In go effects that were already judged; out come the summary, the
// consequences and safer alternatives. Every word comes from an effect's
// fields and from this package's own fixed phrases: no text of the command
// appears but quoted, made visible and cut. Nothing is judged here.
package explain
