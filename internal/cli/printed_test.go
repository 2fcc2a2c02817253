package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestPrintedInDocs holds what pages show of what heed prints against what the scripts of
// the tests want of it.
func TestPrintedInDocs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ page, begin, script, file string }{
		{"calibration.md", "<!-- printed -->\n", "calibrate.txtar", "ws/want-text"},
		{"gate.md", "<!-- printed by heed calibrate -->\n", "calibrate.txtar", "ws/want-text"},
		{"gate.md", "<!-- printed by heed log -->\n", "log.txtar", "ws/want-log"},
	} {
		name := filepath.Join("..", "..", "docs", c.page)
		doc, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		const end = "<!-- end -->\n"
		before, rest, ok := strings.Cut(string(doc), c.begin)
		_, after, ended := strings.Cut(rest, end)
		if !ok || !ended {
			t.Fatalf("%s has no place for what is printed: %s", name, c.begin)
		}
		want := before + c.begin + "\n" + wanted(t, c.script, c.file) + "\n" + end + after
		if *update {
			if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		} else if want != string(doc) {
			t.Errorf("%s does not show what is printed: run with -update", name)
		}
	}
}

// wanted is what a script wants to be printed, as a page shows it.
func wanted(t *testing.T, script, file string) string {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", "script", script))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, f := range a.Files {
		if f.Name != file {
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			out.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
		}
	}
	if out.Len() == 0 {
		t.Fatalf("%s wants no %s", script, file)
	}
	return out.String()
}
