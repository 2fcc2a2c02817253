package wholefile_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/heedsh/heed/internal/wholefile"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, "f")
	no := errors.New("no")
	for i, c := range []struct {
		text  string
		check func() error
		err   error
		want  string
	}{
		{"one", nil, nil, "one"},
		{"two", func() error { return nil }, nil, "two"},
		{"three", func() error { return no }, no, "two"},
	} {
		if err := wholefile.Write(name, []byte(c.text), 0o640, c.check); !errors.Is(err, c.err) {
			t.Errorf("write %d: %v", i, err)
		}
		got, err := os.ReadFile(name)
		if err != nil || string(got) != c.want {
			t.Errorf("write %d: the file holds %q, %v; want %q", i, got, err, c.want)
		}
	}
	if i, err := os.Stat(name); err != nil || i.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", i.Mode(), err)
	}
	if err := wholefile.Write(filepath.Join(dir, "none", "f"), nil, 0o600, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("where there is no directory: %v", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
