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
	one := Pass{"rm -rf x", "/w"}
	if s.UsePass(one) || len(s.Passes("/w")) != 0 {
		t.Error("there was none")
	}
	for range 2 {
		if err := s.Pass(one); err != nil {
			t.Fatal(err)
		}
	}
	if all := s.Passes("/"); len(all) != 0 {
		t.Errorf("elsewhere: %v", all)
	}
	if all := s.Passes("/w"); len(all) != 1 || all[0] != one {
		t.Errorf("%v", all)
	}
	if !s.UsePass(one) || s.UsePass(one) {
		t.Error("it is used once")
	}
	// It lapses, and is removed when there is another.
	for _, command := range []string{"ls", "pwd", "id"} {
		if err := s.Pass(Pass{command, "/w"}); err != nil {
			t.Fatal(err)
		}
		s.now = func() time.Time { return time.Now().Add(passes) }
		if all := s.Passes("/w"); len(all) != 0 {
			t.Errorf("lapsed: %v", all)
		}
	}
	if files, err := os.ReadDir(filepath.Join(state, "heed/passes")); err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
	// Nobody else's directory counts.
	s.now = time.Now
	if err := os.Chmod(filepath.Join(state, "heed/passes"), 0o777); err != nil {
		t.Fatal(err)
	}
	if s.Pass(one) == nil || len(s.Passes("/w")) != 0 {
		t.Error("anybody can give a pass")
	}
}
