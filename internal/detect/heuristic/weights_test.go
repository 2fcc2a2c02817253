package heuristic

import (
	"maps"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/attack"
)

// TestWeightsAreDocumented holds the table of docs/layers.md and the weights
// to each other, and both to current techniques.
func TestWeightsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/layers.md")
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]int{}
	row := regexp.MustCompile(`^\| (\d+) \| (T1\d{3}.*) \|$`)
	for line := range strings.Lines(string(page)) {
		m := row.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		points, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range regexp.MustCompile(`T1\d{3}`).FindAllString(m[2], -1) {
			told[id] = points
		}
	}
	if d := cmp.Diff(maps.Clone(weights.Get()), told); d != "" {
		t.Errorf("weights (-) and docs/layers.md (+) differ:\n%s", d)
	}
	for id := range told {
		if now, ok := attack.Current(id); !ok || now != id {
			t.Errorf("%s is no current technique", id)
		}
	}
}
