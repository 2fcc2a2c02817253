package compile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/housestyle"
	"github.com/heedsh/heed/risk"
)

// TestPhrasesOfSpecs holds what the specs say to the house style (docs/style.md).
func TestPhrasesOfSpecs(t *testing.T) {
	t.Parallel()
	c := catalog.New(nil)
	phrases := 0
	var hold func(of string, command *catalog.Command)
	hold = func(of string, command *catalog.Command) {
		notes := command.Notes()
		for _, p := range slices.Concat(notes.Says, notes.Below) {
			phrases++
			for _, fault := range housestyle.Phrase(p.Text) {
				t.Errorf("%s: %q: %s", of, p.Text, fault)
			}
		}
		for _, p := range notes.Manner {
			for _, fault := range housestyle.Phrase("Shows" + p.Text) {
				t.Errorf("%s: %q: %s", of, p.Text, fault)
			}
		}
		for _, s := range command.Sub {
			hold(of+" "+s.Name, s.Command())
		}
	}
	seen := map[*catalog.Program]bool{}
	for _, name := range c.Names() {
		if p, ok := c.Lookup(name); ok && !seen[p] {
			seen[p] = true
			hold(name, &p.Command)
		}
	}
	t.Logf("%d phrases of %d programs", phrases, len(seen))
	if phrases < 1000 {
		t.Errorf("only %d phrases found: where are the others?", phrases)
	}
}

// TestPhrasesOfKinds holds what the declared kinds say to the same.
func TestPhrasesOfKinds(t *testing.T) {
	t.Parallel()
	phrases := 0
	for _, k := range risk.Kinds() {
		for _, v := range k.Verbs() {
			says := k.Says(v)
			if says == "" {
				continue
			}
			for p := range strings.SplitSeq(says, " | ") {
				phrases++
				for _, fault := range housestyle.Phrase(p) {
					t.Errorf("%s of %s: %q: %s", k, v, p, fault)
				}
			}
		}
	}
	t.Logf("%d phrases of kinds", phrases)
	if phrases < 100 {
		t.Errorf("only %d phrases found: where are the others?", phrases)
	}
}
