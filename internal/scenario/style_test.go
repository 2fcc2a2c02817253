package scenario_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/housestyle"
)

// TestSentences holds what the scenarios are answered to the house style
// (docs/style.md).
func TestSentences(t *testing.T) {
	t.Parallel()
	for _, f := range load(t) {
		for i := range f.Cases {
			c := &f.Cases[i]
			if len(c.Answer) == 0 {
				continue // TestCoverage asks for one
			}
			_, sentence, _ := strings.Cut(c.Answer[0], " ")
			for _, fault := range housestyle.Sentence(sentence) {
				t.Errorf("%s:%d: %q: %s", f.Name, c.Line, sentence, fault)
			}
		}
	}
}
