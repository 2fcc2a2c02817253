package catalog

import (
	"strings"
	"testing"
)

// TestTellsOfChecks holds the glance at a name's letters against the words that are
// looked for behind it.
func TestTellsOfChecks(t *testing.T) {
	for _, word := range strings.Fields(checkedWords + " insecure plaintext trusted ") {
		for _, name := range []string{word, strings.ToUpper(word), "no-" + word, "allow" + strings.ToUpper(word[:1]) + word[1:]} {
			if !tellsOfChecks(name) {
				t.Errorf("%s is passed over", name)
			}
		}
	}
	if tellsOfChecks("name") {
		t.Error("every name is looked through")
	}
}
