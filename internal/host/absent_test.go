package host

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
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
	g.last = before(began)
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
		if got := quiet(&c.info, before(now)); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestListingsAreOfNow: a directory that was listed in one look is listed again in
// the next if its names may be others.
func TestListingsAreOfNow(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := New("", "")
	list := func(limit int) string {
		t.Helper()
		entries, err := glanceAt(t, h, later()).ReadDir(dir, limit)
		if err != nil && !errors.Is(err, world.ErrTooLarge) {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name)
		}
		return strings.Join(names, " ")
	}
	for _, step := range []struct {
		do   func() error
		want string
	}{
		{func() error { return os.WriteFile(filepath.Join(dir, "b"), nil, 0o600) }, "b"},
		{func() error { os.Remove(filepath.Join(dir, "a")); return os.Mkdir(filepath.Join(dir, "a"), 0o755) }, "a b"},
		{func() error { os.Remove(filepath.Join(dir, "b")); os.Remove(filepath.Join(dir, "a")); return nil }, ""},
		{func() error {
			os.Remove(filepath.Join(dir, "c"))
			return os.WriteFile(filepath.Join(dir, "c"), nil, 0o600)
		}, "c"},
	} {
		change(t, dir, step.do)
		for range 2 { // the second look answers from the first
			if got := list(10); got != step.want {
				t.Fatalf("holds %q, want %q", got, step.want)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "c"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := glanceAt(t, h, later()).ReadDir(dir, 0); !errors.Is(err, world.ErrTooLarge) {
		t.Errorf("more entries than the limit: %v", err)
	}
}

// TestTextsAreOfOneLook: what was read in one look is what it says to the end of it,
// whoever changes the file or the bytes; the next look reads it again.
func TestTextsAreOfOneLook(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "run.sh")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	h := New("", "")
	g := glanceAt(t, h, later())
	write("one")
	for range 3 {
		text, err := g.ReadFile(name, 10)
		if err != nil || string(text) != "one" {
			t.Fatalf("says %q, %v", text, err)
		}
		text[0] = 'x'
		write("three")
	}
	if _, err := g.ReadFile(name, 2); !errors.Is(err, world.ErrTooLarge) {
		t.Errorf("past the limit: %v", err)
	}
	if text, err := glanceAt(t, h, later()).ReadFile(name, 10); err != nil || string(text) != "three" {
		t.Errorf("the next look: %q, %v", text, err)
	}
}

// TestNoRepositoryAnyMore: what makes a directory a repository is looked for again
// when it may be gone.
func TestNoRepositoryAnyMore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	dotGit := filepath.Join(dir, ".git")
	for _, name := range []string{dotGit, filepath.Join(dotGit, "objects"), filepath.Join(dotGit, "refs")} {
		if err := os.Mkdir(name, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	head := filepath.Join(dotGit, "HEAD")
	if err := os.WriteFile(head, []byte("ref: refs/heads/main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := New("", "")
	found := func() bool {
		t.Helper()
		l := h.Look()
		g, ok := l.fs.(*glance)
		if !ok {
			t.Fatal("this machine's files are looked at without a glance")
		}
		g.last = before(later())
		r, err := l.View(&risk.Request{Env: map[string]string{"HOME": filepath.Dir(dir)}}).Git.Find(dir)
		if err != nil {
			t.Fatal(err)
		}
		return r != nil
	}
	for range 3 {
		if !found() {
			t.Fatal("the repository is not found")
		}
	}
	refs, x := filepath.Join(dotGit, "refs"), filepath.Join(dotGit, "x")
	touch := func() error { os.Remove(x); return os.WriteFile(x, nil, 0o600) }
	change(t, dotGit, func() error { os.Remove(refs); return touch() })
	if found() {
		t.Error("found without refs")
	}
	change(t, dotGit, func() error { _ = os.Mkdir(refs, 0o755); return touch() })
	for range 2 { // and when it is asked again
		if !found() {
			t.Error("not found with refs again")
		}
	}
	if err := os.WriteFile(head, []byte("nothing\n"), 0o600); err != nil { // which changes no directory
		t.Fatal(err)
	}
	if found() {
		t.Error("found with a HEAD that says nothing")
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
