package witness_test

import (
	"testing"

	"github.com/heedsh/heed/internal/witness"
)

// TestIsRecord holds that a record is what a program keeps for itself, and
// nothing whose name only looks so.
func TestIsRecord(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		kind, path string
		want       bool
	}{
		{"created", "/h/.cache/x/y", true},
		{"made", "/h/.cache", true},
		{"created", "/h/.cached", false},
		{"created", "/elsewhere/.cache/x", false},
		{"written", "/h/.viminfo", true},
		{"deleted", "/h/.bash_history", false},
		{"created", "/h/.npm/_logs/a.log", true},
		{"written", "/h/.npmrc", false},
		{"created", "/h/.subversion/config", true},
		{"written", "/h/.subversion/config", false},
		{"made", "/h/.local/share", true},
		{"created", "/h/.local/bin/x", false},
		{"created", "/h/.vim/plugin/x.vim", false},
		{"created", "/h/.parallel/config", false},
		{"created", "/h/.gnupg/gpg.conf", false},
		{"created", "/h/p/.notes.txt.swp", true},
		{"created", "/h/p/x.swp", false},
		{"written", "/h/p/.git/index", true},
		{"created", "/h/p/.git/hooks/pre-push", false},
		{"created", "/h/p/__pycache__/a.cpython-311.pyc", true},
		{"created", "/h/p/__pycache__/a.py", false},
		{"made", "/run/mount", true},
		{"made", "/run/mounted", false},
		{"created", "/etc/cron.d/x", false},
	} {
		c := witness.Change{Kind: tt.kind, Path: tt.path}
		if got := witness.IsRecord(c, "/h"); got != tt.want {
			t.Errorf("%s: %v, want %v", c, got, tt.want)
		}
	}
}
