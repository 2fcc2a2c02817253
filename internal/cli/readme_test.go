package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadme runs the commands that the README shows and compares the badges:
// sentences count what is on the machine.
func TestReadme(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	console, command, shown := false, "", 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "```"):
			console = line == "```console"
		case !console:
		case strings.HasPrefix(line, "$ "):
			command = strings.TrimSuffix(strings.TrimPrefix(line, "$ heed check '"), "'")
		case strings.HasPrefix(line, "["):
			shown++
			var out, errs bytes.Buffer
			s := Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Dir: root, Env: []string{"HOME=" + t.TempDir(), "PATH=/usr/bin:/bin", "USER=u"}}
			if code := Main([]string{"check", "--", command}, s); code != ExitOK {
				t.Errorf("%s: exit code %d: %s", command, code, &errs)
			}
			badge, _, _ := strings.Cut(line, " ")
			if !strings.HasPrefix(out.String(), badge+" ") {
				t.Errorf("%s\nREADME: %s\nheed:   %s", command, line, &out)
			}
		}
	}
	if shown < 4 {
		t.Errorf("only %d answers found in the README", shown)
	}
}
