package intent

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden file, after a training")

// TestGolden holds the embedded model to its exact answers: the same on every
// machine, and changed by a training only.
func TestGolden(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	all := inputs()
	fmt.Fprintf(&b, "model %s\n", Default().Digest())
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r := Default().Score(all[name], nil)
		fmt.Fprintf(&b, "%s: %s %v alarm %v\n", name, r.Intent, r.Probabilities, r.Alarm)
	}
	const file = "testdata/scores.golden"
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := b.String(); got != string(want) {
		t.Errorf("got\n%swant (go test -update after a training)\n%s", got, want)
	}
}
