// Package splice marks the parts of a shell text that come from elsewhere and
// are not known: what make, just or a CI service puts into the text before a
// shell reads it.
//
// In go text and values; out comes a text as a shell can read it, with a
// reference in place of each part that is not known, and the parts. A
// reference is the expansion of a positional parameter that nobody has, so it
// stands in every quoting and clashes with nothing. The evaluator of the shell
// gives it the part's value, between single quotes too, where [Value] finds it;
// and whatever prints text asks [Shown] for how its author wrote it. No part is
// ever printed by the number that it has here.
//
// A part is data: it can be split into words, but changes nothing of the
// structure of the text.
package splice
