package tell

import (
	"fmt"
	"strings"

	"github.com/heedsh/heed/risk"
)

// Format writes an assessment as the answer of a case: tier and level and the
// sentence, then the effects that matter, a line each, and the safer commands.
func Format(a *risk.Assessment) []string {
	lines := []string{fmt.Sprintf("%s/%s %s", a.Tier, a.Level, a.Summary)}
	least := risk.Review
	for i := range a.Effects {
		least = min(least, a.Effects[i].Tier)
	}
	for i := range a.Effects {
		e := &a.Effects[i]
		if e.Tier == risk.Safe && a.Tier > risk.Safe {
			continue
		}
		lines = append(lines, "    "+effectLine(e))
	}
	for _, s := range a.Safer {
		lines = append(lines, "    safer: "+strings.ReplaceAll(s.Command, "\n", "\\n"))
	}
	return lines
}

func effectLine(e *risk.Effect) string {
	words := []string{string(e.Verb)}
	add := func(s string) {
		if s != "" {
			words = append(words, strings.ReplaceAll(s, "\n", "\\n"))
		}
	}
	add(e.Target)
	add(string(e.Scope))
	add(strings.ReplaceAll(string(e.Reversible), " ", "-"))
	for _, f := range []struct {
		on   bool
		word string
	}{{e.Recursive, "recursive"}, {e.Many, "many"}, {e.Forced, "forced"}, {e.Privileged, "privileged"}, {e.Certainty == risk.Possible, "possible"}} {
		if f.on {
			words = append(words, f.word)
		}
	}
	if e.Kind != risk.NoKind {
		add("(" + e.Kind.String() + ")")
	}
	if !e.Source.IsZero() {
		add("<- " + e.Source.String())
	}
	if e.Host != "" {
		add("on " + e.Host)
	}
	return strings.Join(words, " ")
}
