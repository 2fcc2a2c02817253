package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestCalibrationPage holds what docs/calibration.md shows against what the script of
// heed calibrate prints.
func TestCalibrationPage(t *testing.T) {
	t.Parallel()
	script, err := txtar.ParseFile(filepath.Join("testdata", "script", "calibrate.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	for _, f := range script.Files {
		if f.Name != "ws/want-text" {
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			printed.WriteString(strings.TrimRight("    "+line, " \n") + "\n")
		}
	}
	name := filepath.Join("..", "..", "docs", "calibration.md")
	doc, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const begin, end = "<!-- printed -->\n", "<!-- end -->\n"
	before, rest, ok := strings.Cut(string(doc), begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("%s has no place for what is printed", name)
	}
	want := before + begin + "\n" + printed.String() + "\n" + end + after
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if want != string(doc) {
		t.Errorf("%s does not show what is printed: run with -update", name)
	}
}
