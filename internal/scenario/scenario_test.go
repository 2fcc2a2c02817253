package scenario_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/scenario"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata/*.heed with what heed says now")

// The least that the scenarios must cover.
const (
	wantCases = 250
	wantPairs = 40
)

func load(t *testing.T) []*scenario.File {
	t.Helper()
	names, err := filepath.Glob("testdata/*.heed")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scenario files: %v", err)
	}
	var files []*scenario.File
	for _, n := range names {
		text, err := os.ReadFile(n)
		if err != nil {
			t.Fatal(err)
		}
		f, err := scenario.Parse(n, string(text))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	assessor := assess.New()
	for _, f := range load(t) {
		t.Run(strings.TrimSuffix(filepath.Base(f.Name), ".heed"), func(t *testing.T) {
			t.Parallel()
			var answers [][]string
			for i := range f.Cases {
				c := &f.Cases[i]
				a, err := c.Assess(assessor)
				if err != nil {
					t.Fatalf("%s:%d: %v", f.Name, c.Line, err)
				}
				got := scenario.Format(&a)
				answers = append(answers, got)
				if diff := cmp.Diff(c.Answer, got); diff != "" && !*update {
					t.Errorf("%s:%d: world %s\n$ %s\n(-want +got)\n%s", f.Name, c.Line, c.World, c.Request.Command, diff)
				}
			}
			if *update {
				if err := os.WriteFile(f.Name, []byte(f.Update(answers)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestCoverage holds the number of scenarios, and of commands that two worlds
// answer differently.
func TestCoverage(t *testing.T) {
	t.Parallel()
	cases, pairs := 0, 0
	answers := map[string]map[string]bool{}
	for _, f := range load(t) {
		for i := range f.Cases {
			c := &f.Cases[i]
			cases++
			if len(c.Answer) == 0 {
				t.Errorf("%s:%d: no answer: run with -update and read it", f.Name, c.Line)
				continue
			}
			tier, _, _ := strings.Cut(c.Answer[0], " ")
			if answers[c.Request.Command] == nil {
				answers[c.Request.Command] = map[string]bool{}
			}
			answers[c.Request.Command][tier] = true
		}
	}
	for _, tiers := range answers {
		if len(tiers) > 1 {
			pairs++
		}
	}
	t.Logf("%d scenarios, %d commands that differ by world", cases, pairs)
	if cases < wantCases || pairs < wantPairs {
		t.Errorf("%d scenarios and %d pairs, want at least %d and %d", cases, pairs, wantCases, wantPairs)
	}
}
