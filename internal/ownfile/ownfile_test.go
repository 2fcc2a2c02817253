//go:build unix

package ownfile_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
)

func TestState(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ state, home, want string }{
		{"/s", "/h", "/s/heed/x"}, {"", "/h", "/h/.local/state/heed/x"}, {"s", "/h", "/h/.local/state/heed/x"}, {"", "h", ""},
	} {
		got, err := ownfile.State(func(n string) string { return map[string]string{"XDG_STATE_HOME": c.state, "HOME": c.home}[n] }, "x")
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("%+v: %q %v", c, got, err)
		}
	}
}

func TestDir(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		spoil func(dir string) error
		is    func(error) bool
	}{
		"as it should be":    {func(string) error { return nil }, func(err error) bool { return err == nil }},
		"others write":       {func(dir string) error { return os.Chmod(dir, 0o777) }, foreign},
		"others write above": {func(dir string) error { return os.Chmod(filepath.Dir(dir), 0o770) }, foreign},
		"a link":             {func(dir string) error { return errors.Join(os.Rename(dir, dir+"2"), os.Symlink(dir+"2", dir)) }, foreign},
		"a file":             {func(dir string) error { return errors.Join(os.Remove(dir), os.WriteFile(dir, nil, 0o600)) }, foreign},
		"gone":               {os.Remove, func(err error) bool { return errors.Is(err, fs.ErrNotExist) }},
	} {
		dir := filepath.Join(t.TempDir(), "heed", "x")
		root, err := ownfile.Dir(dir, true)
		if err != nil {
			t.Fatal(err)
		}
		_ = root.Close()
		if err := c.spoil(dir); err != nil {
			t.Fatal(err)
		}
		root, err = ownfile.Dir(dir, false)
		if !c.is(err) {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			_ = root.Close()
		}
	}
}

func foreign(err error) bool {
	var f *ownfile.Foreign
	return errors.As(err, &f) && f.Error() != ""
}

func place(t *testing.T) *os.Root {
	t.Helper()
	root, err := ownfile.Dir(filepath.Join(t.TempDir(), "heed", "x"), true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

func TestFiles(t *testing.T) {
	t.Parallel()
	root := place(t)
	at := func(name string) string { return filepath.Join(root.Name(), name) }
	if err := ownfile.Put(root, "a", []byte("text")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink("a", at("link")), syscall.Mkfifo(at("fifo"), 0o600), os.WriteFile(at("b"), nil, 0o600), os.Chmod(at("b"), 0o622), os.Mkdir(at("d"), 0o700)); err != nil {
		t.Fatal(err)
	}
	if text, err := ownfile.Read(root, "a", 4); err != nil || string(text) != "text" {
		t.Errorf("%q %v", text, err)
	}
	if _, err := ownfile.Read(root, "a", 3); !errors.Is(err, ownfile.ErrTooLarge) {
		t.Error(err)
	}
	for _, name := range []string{"link", "fifo", "b", "d"} {
		if _, err := ownfile.Read(root, name, 4); !foreign(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ownfile.Read(root, "none", 4); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if left, err := filepath.Glob(at("new-*")); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	root := place(t)
	f, err := ownfile.Lock(context.Background(), root, "lock", false, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	var busy *ownfile.Busy
	if _, err := ownfile.Lock(context.Background(), root, "lock", true, time.Millisecond); !errors.As(err, &busy) || busy.Err != nil || busy.Error() == "" {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ownfile.Lock(ctx, root, "lock", false, time.Minute); !errors.As(err, &busy) || !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	// Who removes the file has no lock: the next one is on a file of its own, and
	// waits for nobody.
	if err := root.Remove("lock"); err != nil {
		t.Fatal(err)
	}
	g, err := ownfile.Lock(context.Background(), root, "lock", false, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	_ = g.Close()
	for range 2 {
		s, err := ownfile.Lock(context.Background(), root, "lock", true, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
	}
}
