package explain

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/risk"
)

// variants are effects of a kind that differ in what a phrase may ask for.
func variants(k risk.Kind, v risk.Verb) []risk.Effect {
	bare := risk.Effect{Verb: v, Kind: k}
	word := risk.Effect{Verb: v, Kind: k, Target: "x", Program: "prog"}
	noun := risk.Effect{Verb: v, Kind: k, Target: "the build"}
	path := risk.Effect{Verb: v, Kind: k, Target: dir + "/x", Scope: risk.InWorkspace, Reversible: risk.Lost, Named: "*.x"}
	fresh := path
	fresh.Reversible = risk.NothingThere
	copied := path
	copied.Source = risk.From("/etc/shadow")
	return []risk.Effect{bare, word, noun, path, fresh, copied}
}

// TestEveryPhraseIsTold: each declared phrase is the one that is taken for
// some effect, and no sentence shows a slot.
func TestEveryPhraseIsTold(t *testing.T) {
	t.Parallel()
	at := place{dir, "/home/u"}
	phrases := 0
	for _, k := range risk.Kinds() {
		for _, v := range k.Verbs() {
			if k.Says(v) == "" {
				continue
			}
			taken := map[string]bool{}
			for _, e := range variants(k, v) {
				text, as := says(&e, at)
				taken[as] = true
				if strings.ContainsAny(text, "{}|") {
					t.Errorf("%s (%s): %q shows a slot", v, k, text)
				}
			}
			for as := range strings.SplitSeq(k.Says(v), " | ") {
				if phrases++; !taken[as] {
					t.Errorf("%s (%s): nothing is told as %q", v, k, as)
				}
			}
		}
	}
	if phrases < 200 {
		t.Errorf("only %d phrases are declared", phrases)
	}
}

// TestNotInspected: who runs code that nobody has read is told so, or that it is
// the project's own, unless the phrase says what was done with it.
func TestNotInspected(t *testing.T) {
	t.Parallel()
	for _, k := range risk.Kinds() {
		for _, v := range []risk.Verb{risk.ExecProject, risk.ExecUnknown} {
			if !k.With(v) || strings.Contains(k.Says(v), "{end}") {
				continue
			}
			for _, e := range variants(k, v) {
				if got := phrase(&e, place{}); !strings.Contains(got, "not inspected") && (v != risk.ExecProject || !strings.Contains(got, "code of this project")) {
					t.Errorf("%s %s (%s): %q", v, e.Target, k, got)
				}
			}
		}
	}
}

func TestFill(t *testing.T) {
	t.Parallel()
	slots := map[string]string{"target": "./a", "end": tail}
	for in, want := range map[string]string{
		"Formats {target}":                    "Formats ./a",
		"Runs {who:it} on {target}{end}, ok":  "Runs it on ./a" + tail + ", ok",
		"Creates {new}":                       "",
		"Copies {target} to {where:the disk}": "Copies ./a to the disk",
	} {
		if got, ok := fill(in, func(slot string) string { return slots[slot] }); got != want || ok != (want != "") {
			t.Errorf("fill(%q) = %q, %t, want %q", in, got, ok, want)
		}
	}
}
