package confine

import "strings"

// How a refusal that no assessment had predicted is told and kept.
const (
	triedTo    = " tried to "
	unexpected = "; this command was not expected to"
	watched    = "; that is not let, while observing either"
)

// Told says who tried what, where both are texts as people see them.
func Told(program, tried string) string { return program + triedTo + tried }

// Unexpected says the same of what the assessment had not predicted.
func Unexpected(told string) string { return told + unexpected }

// Observed says it of what is refused even to what is only watched.
func Observed(told string) string { return told + watched }

// Observing reports whether a text is one of [Observed].
func Observing(text string) bool { return strings.HasSuffix(text, watched) }

// ReadUnexpected reads back what [Unexpected] made of [Told]: As stays a part of the
// path. It reports false of any other text, as of what a profile or an observer did not
// let.
func ReadUnexpected(text string) (Refusal, bool) {
	told, ok := strings.CutSuffix(text, unexpected)
	program, tried, both := strings.Cut(told, triedTo)
	if !ok || !both {
		return Refusal{}, false
	}
	r := Refusal{Program: program}
	for _, d := range deeds() {
		// The longest: one begins as another one does.
		if path, ok := strings.CutPrefix(tried, string(d)); ok && (path == "" || path[0] == ' ') && len(d) > len(r.Deed) {
			r.Deed, r.Path = d, strings.TrimPrefix(path, " ")
		}
	}
	return r, r.Deed != ""
}

// deeds lists all deeds.
func deeds() []Deed {
	return []Deed{
		Read, Write, Make, Delete, Move, Metadata, Network, Connect, Reach, Hide, LookUp, Socket, Kernel, Execute, Signal, Trace, Mount, Isolate, Machine,
		Keys, Type, Share, Priority,
	}
}
