package fronts_test

import (
	"testing"

	"github.com/heedsh/heed/internal/shell/fronts"
)

// TestUnfinished: what a shell waits for more lines after, and nothing of which runs.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"": false, "ls": false, "ls\n": false, `ls \`: true, `ls \\`: false, "ls &&": true, "ls |": true,
		"for i in 1 2": true, "for i in 1; do": true, "if true; then\nrm -rf x": true, "( ls": true, "{ ls": true, "f() {": true,
		"case x in": true, "echo $(ls": true, "[[ a": true, "echo 'a": true, `echo "a`: true, "for)": false,
		"cat <<EOF": true, "cat <<EOF\nx": true, "cat <<EOF\nx\nEOF": false, "cat <<EOF\nx\nEOF\nls": false, "cat <<A <<B\nx\nA": true,
		// The first line runs before the second is read.
		"rm -rf x\nfor i": false, "rm -rf x\n\\": false, "rm -rf x\ncat <<EOF": false,
	} {
		for _, dialect := range []string{"bash", "zsh"} {
			if got := fronts.All().Unfinished(text, dialect); got != want {
				t.Errorf("%s: %q: unfinished: %v, want %v", dialect, text, got, want)
			}
		}
	}
}
