package host

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/world"
)

// later is when all that tests make has long been as it is.
func later() time.Time { return time.Now().Add(time.Hour) }

// glanceAt is a new look of a machine, at a moment.
func glanceAt(t *testing.T, h *Host, began time.Time) *glance {
	t.Helper()
	g, ok := h.Look().fs.(*glance)
	if !ok {
		t.Fatal("this machine's files are looked at without a glance")
	}
	g.began = began
	return g
}

func kindOf(t *testing.T, g *glance, name string) world.Kind {
	t.Helper()
	if _, err := g.Lstat(filepath.Dir(name)); err != nil {
		t.Fatal(err)
	}
	info, err := g.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return info.Kind
}

// change does something to a directory until its times tell.
func change(t *testing.T, dir string, do func() error) {
	t.Helper()
	before, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	for range 1000 {
		if err := do(); err != nil {
			t.Fatal(err)
		}
		if after, err := os.Stat(dir); err != nil {
			t.Fatal(err)
		} else if !after.ModTime().Equal(before.ModTime()) {
			return
		}
		time.Sleep(time.Millisecond) // a tick of the file system's clock
	}
	t.Skip("this file system does not stamp directories")
}

// TestWhatAppearsIsSeen: a name that was missing in one look, and there in the
// next, is seen, however it came.
func TestWhatAppearsIsSeen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join(dir, ".claude")
	other := filepath.Join(t.TempDir(), "other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	h := New("", "")
	for range 3 { // the second look answers from the first
		if k := kindOf(t, glanceAt(t, h, later()), name); k != world.Missing {
			t.Fatalf("before it was made: %v", k)
		}
	}
	for how, do := range map[string]func() error{
		"link": func() error { os.Remove(name); return os.Symlink(other, name) },
		"file": func() error { os.Remove(name); return os.WriteFile(name, nil, 0o600) },
		"dir":  func() error { os.Remove(name); return os.Mkdir(name, 0o755) },
		"move": func() error {
			os.Remove(name)
			if err := os.Rename(other, name); err != nil {
				return err
			}
			return os.Mkdir(other, 0o755)
		},
	} {
		change(t, dir, do)
		if k := kindOf(t, glanceAt(t, h, later()), name); k == world.Missing {
			t.Errorf("a %s was made and is not seen", how)
		}
		change(t, dir, func() error { os.Remove(name); return os.WriteFile(filepath.Join(dir, "x"), nil, 0o600) })
		change(t, dir, func() error { return os.Remove(filepath.Join(dir, "x")) })
		if k := kindOf(t, glanceAt(t, h, later()), name); k != world.Missing {
			t.Errorf("after a %s was removed: %v", how, k)
		}
	}
}

// TestAnotherDirectoryOfTheName: what one directory lacks says nothing of another
// that took its place.
func TestAnotherDirectoryOfTheName(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	dir, spare := filepath.Join(root, "project"), filepath.Join(root, "spare")
	for _, d := range []string{dir, spare} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(spare, ".envrc"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := New("", "")
	name := filepath.Join(dir, ".envrc")
	for range 2 {
		if k := kindOf(t, glanceAt(t, h, later()), name); k != world.Missing {
			t.Fatalf("in the first directory: %v", k)
		}
	}
	if err := os.Rename(dir, dir+".old"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(spare, dir); err != nil {
		t.Fatal(err)
	}
	if k := kindOf(t, glanceAt(t, h, later()), name); k != world.Regular {
		t.Errorf("in the second directory: %v", k)
	}
}

// TestFreshDirectoriesAreLookedAt: a directory that changed within the last tick
// of the clock may change again within it; what it lacks is not remembered.
func TestFreshDirectoriesAreLookedAt(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	at := func(ago time.Duration) int64 { return now.Add(-ago).UnixNano() }
	for name, c := range map[string]struct {
		info world.Info
		want bool
	}{
		"old":               {world.Info{Kind: world.Dir, Ino: 1, MTime: at(time.Hour), CTime: at(time.Hour)}, true},
		"just changed":      {world.Info{Kind: world.Dir, Ino: 1, MTime: at(time.Millisecond), CTime: at(time.Millisecond)}, false},
		"mode just changed": {world.Info{Kind: world.Dir, Ino: 1, MTime: at(time.Hour), CTime: at(time.Millisecond)}, false},
		"of tomorrow":       {world.Info{Kind: world.Dir, Ino: 1, MTime: at(-time.Hour), CTime: at(-time.Hour)}, false},
		"a link":            {world.Info{Kind: world.Symlink, Ino: 1, MTime: at(time.Hour), CTime: at(time.Hour)}, false},
		"without inode":     {world.Info{Kind: world.Dir, MTime: at(time.Hour), CTime: at(time.Hour)}, false},
	} {
		if got := quiet(c.info, now); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestAbsencesAreBounded: names past the bounds push out what was known, and no
// more.
func TestAbsencesAreBounded(t *testing.T) {
	t.Parallel()
	var a absences
	dir := world.Info{Kind: world.Dir, Dev: 1, Ino: 1, MTime: 1, CTime: 1}
	for i := range 3 * maxNames {
		a.learn(dir, string(rune('a'+i%26))+time.Duration(i).String())
	}
	for i := range 3 * maxVacancies {
		d := dir
		d.Ino = uint64(i + 2)
		a.learn(d, "x")
		if !a.lacks(d, "x") {
			t.Fatalf("directory %d: forgotten at once", i)
		}
	}
	if len(a.dirs) > maxVacancies {
		t.Errorf("%d directories are kept", len(a.dirs))
	}
	changed := dir
	changed.CTime++
	a.learn(dir, "x")
	if a.lacks(changed, "x") || !a.lacks(dir, "x") || a.lacks(dir, "y") {
		t.Error("what is known of a directory is not what was learnt of it as it is now")
	}
}
