package explain

import (
	"strings"

	"github.com/heedsh/heed/risk"
)

// says fills the declared phrase of an effect's kind, or returns "" if it has
// none. A slot that nothing fills takes what stands behind its colon; where it
// has nothing there, the phrase behind the bar serves.
func says(e *risk.Effect, slots map[string]string) string {
	for phrase := range strings.SplitSeq(e.Kind.Says(e.Verb), " | ") {
		if text, ok := fill(phrase, slots); ok {
			return text
		}
	}
	return ""
}

// fill replaces the slots of a phrase; ok is false if one stays empty.
func fill(phrase string, slots map[string]string) (text string, ok bool) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(phrase, "{")
		b.WriteString(before)
		if !found {
			return b.String(), true
		}
		slot, after, _ := strings.Cut(rest, "}")
		name, otherwise, _ := strings.Cut(slot, ":")
		with := orElse(slots[name], otherwise)
		if with == "" {
			return "", false
		}
		b.WriteString(with)
		phrase = after
	}
}
