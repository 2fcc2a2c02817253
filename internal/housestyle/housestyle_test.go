package housestyle_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/housestyle"
)

// TestPhrase: what is well written has no fault, and each fault is named.
func TestPhrase(t *testing.T) {
	t.Parallel()
	for _, good := range []string{
		"Deletes {file}[ and all below]", "Shows the last {n} lines of {file}", "Stops {unit}; what it serves is down until it is started",
		"Shows {manages everything}", "Runs “manages ”", "{Act} the Azure {Thing}",
		"Prints {path} as prettier would format it", "Breaks the lock {lock}, even if somebody else works on it",
	} {
		if faults := housestyle.Phrase(good); len(faults) > 0 {
			t.Errorf("%q: %v", good, faults)
		}
	}
	for bad, want := range map[string]string{
		"Manages packages":                    "category",
		"Destroys remote state through {who}": "category",
		"Deletes {file}; also handles it":     "category",
		"Names its operands":                  "heed's own word",
		"Raises the tier":                     "heed's own word",
		"deletes {file}":                      "small letter",
		"Deletes {file}.":                     "full stop",
		"Deleting {file}":                     "present tense",
		"Deletes what <xargs> reads":          "heed's own word",
		"Deletes {file}; be careful":          "fits everything",
		"":                                    "empty",
		" Deletes":                            "blank",
	} {
		if faults := strings.Join(housestyle.Phrase(bad), "; "); !strings.Contains(faults, want) {
			t.Errorf("%q: %q, want %q", bad, faults, want)
		}
	}
}

// TestSentence adds the length and the full stop.
func TestSentence(t *testing.T) {
	t.Parallel()
	if faults := housestyle.Sentence("Deletes ./build and all in it."); len(faults) > 0 {
		t.Errorf("%v", faults)
	}
	for bad, want := range map[string]string{
		"Deletes ./build": "full stop",
		"Runs code that is not known: “<an expression>” is not known.": "how the evaluation writes",
		"Deletes " + strings.Repeat("é", 140) + ".":                    "more than 140",
	} {
		if faults := strings.Join(housestyle.Sentence(bad), "; "); !strings.Contains(faults, want) {
			t.Errorf("%q: %q, want %q", bad, faults, want)
		}
	}
}
