package scenario_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/scenario"
)

// FuzzParse: any text is a scenario file or an error; writing the answers back
// that are there changes nothing, and what is written can be read again.
func FuzzParse(f *testing.F) {
	if text, err := os.ReadFile("testdata/design.heed"); err == nil {
		f.Add(string(text))
	}
	for _, s := range []string{
		"", "\n", "world", "world x\n    a\n\n    b\n$ ls\nSAFE/A x\n", "$ ls", "$ {zsh} ls\n> -l\n>\n> x\nA\n    b\n# c\n$ b", "$ {a=b} {dir /x} {from web_content} {workspace /s} x", "$ {", "$ {x} y", "$ {}", "$  ", "x", "# c", "$ {a,b} c", "world\nworld\n$ a\nworld\n", "\xff", "$ \x00",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := scenario.Parse("f", text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") {
				t.Fatalf("the error does not name the line: %v", err)
			}
			return
		}
		answers := make([][]string, len(file.Cases))
		for i := range file.Cases {
			answers[i] = file.Cases[i].Answer
		}
		written := file.Update(answers)
		if want := strings.TrimSuffix(text, "\n") + "\n"; written != want {
			t.Fatalf("the same answers change the file:\n%s", cmp.Diff(want, written))
		}
		again, err := scenario.Parse("f", written)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if len(again.Cases) != len(file.Cases) {
			t.Fatalf("%d cases, were %d", len(again.Cases), len(file.Cases))
		}
		for i := range again.Cases {
			if diff := cmp.Diff(file.Cases[i].Request, again.Cases[i].Request); diff != "" {
				t.Fatalf("case %d is another one:\n%s", i, diff)
			}
		}
	})
}
