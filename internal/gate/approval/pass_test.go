package approval

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestPass(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	s, err := Open(func(name string) string { return map[string]string{"XDG_STATE_HOME": state}[name] })
	if err != nil {
		t.Fatal(err)
	}
	if s.Passed("rm -rf x", "/w") {
		t.Error("there was none")
	}
	for range 2 {
		if err := s.Pass("rm -rf x", "/w"); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		command, dir string
		want         bool
	}{{"rm -rf y", "/w", false}, {"rm -rf x", "/", false}, {"rm -rf x", "/w", true}, {"rm -rf x", "/w", false}} {
		if got := s.Passed(c.command, c.dir); got != c.want {
			t.Errorf("%s in %s: %v", c.command, c.dir, got)
		}
	}
	// It lapses, and is removed when there is another.
	if err := s.Pass("ls", "/w"); err != nil {
		t.Fatal(err)
	}
	s.now = func() time.Time { return time.Now().Add(passes) }
	if s.Passed("ls", "/w") {
		t.Error("it has lapsed")
	}
	if err := s.Pass("pwd", "/w"); err != nil {
		t.Fatal(err)
	}
	if err := s.Pass("id", "/w"); err != nil {
		t.Fatal(err)
	}
	if files, err := os.ReadDir(filepath.Join(state, "heed/passes")); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	// Nobody else's directory counts.
	if err := os.Chmod(filepath.Join(state, "heed/passes"), 0o777); err != nil {
		t.Fatal(err)
	}
	if s.Pass("ls", "/w") == nil || s.Passed("ls", "/w") {
		t.Error("anybody can give a pass")
	}
}
