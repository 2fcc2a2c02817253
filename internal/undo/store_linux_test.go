package undo_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/undo"
	"golang.org/x/sys/unix"
)

// child names what the test binary does when it is started to be killed.
const child = "HEED_UNDO_TEST"

func TestMain(m *testing.M) {
	if what := os.Getenv(child); what != "" {
		s, err := undo.Open(os.Getenv)
		if err == nil && what == "keep" {
			_, err = s.Keep(context.Background(), undo.Order{Dir: "/", Targets: []undo.Target{{Path: os.Getenv("TREE"), Written: true}}})
		} else if err == nil {
			_, err = s.Restore(context.Background(), what, nil, true)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func store(t testing.TB, dir string) *undo.Store {
	t.Helper()
	s, err := undo.Open(func(n string) string { return map[string]string{"XDG_STATE_HOME": dir}[n] })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// grow makes a tree and returns its files.
func grow(t testing.TB, r *rand.Rand, root string, n int) []string {
	t.Helper()
	must(t, os.Mkdir(root, 0o755))
	dirs, files, all := []string{root}, []string{}, []string{root}
	for i := range n {
		p := filepath.Join(dirs[r.Intn(len(dirs))], fmt.Sprintf("n%d é", i))
		switch k := r.Intn(10); {
		case k < 2:
			must(t, os.Mkdir(p, 0o700))
			dirs = append(dirs, p)
		case k == 2:
			must(t, os.Symlink([]string{"nowhere", "/etc/passwd", "n0 é"}[r.Intn(3)], p))
		case k == 3 && len(files) > 0:
			must(t, os.Link(files[r.Intn(len(files))], p))
		default:
			text := make([]byte, r.Intn(3000))
			_, _ = r.Read(text)
			must(t, os.WriteFile(p, text, 0o600))
			files = append(files, p)
			if r.Intn(4) == 0 {
				if err := unix.Lsetxattr(p, "user.heed", text[:len(text)/100], 0); err != nil && !errors.Is(err, unix.ENOTSUP) {
					t.Fatal(err)
				}
			}
		}
		all = append(all, p)
	}
	for i := len(all) - 1; i >= 0; i-- {
		st, err := os.Lstat(all[i])
		must(t, err)
		if st.Mode().IsRegular() {
			must(t, unix.Chmod(all[i], []uint32{0o400, 0o644, 0o755, 0o4755}[r.Intn(4)]))
		} else if st.IsDir() {
			must(t, unix.Chmod(all[i], []uint32{0o700, 0o755, 0o1777, 0o2750}[r.Intn(4)]))
		}
		ts := unix.NsecToTimespec(r.Int63n(1_700_000_000_000_000_000))
		must(t, unix.UtimesNanoAt(unix.AT_FDCWD, all[i], []unix.Timespec{ts, ts}, unix.AT_SYMLINK_NOFOLLOW))
	}
	return files
}

// look is everything about a tree that must come back, a line a name.
func look(t testing.TB, root string) map[string]string {
	t.Helper()
	all, groups := map[string]string{}, map[uint64]string{}
	must(t, filepath.WalkDir(root, func(p string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		var st unix.Stat_t
		must(t, unix.Lstat(p, &st))
		var what string
		switch st.Mode & unix.S_IFMT {
		case unix.S_IFLNK:
			what, err = os.Readlink(p)
		case unix.S_IFREG:
			var text []byte
			text, err = os.ReadFile(p)
			x := make([]byte, 4000)
			n, xerr := unix.Lgetxattr(p, "user.heed", x)
			what = fmt.Sprintf("%x %x %v", text, x[:max(n, 0)], xerr)
			if st.Nlink > 1 {
				if groups[st.Ino] == "" {
					groups[st.Ino] = p
				}
				what += " same as " + groups[st.Ino]
			}
		}
		all[p] = fmt.Sprintf("%o %d %d %d %s", st.Mode, st.Uid, st.Gid, st.Mtim.Nano(), what)
		return err
	}))
	return all
}

func differ(a, b map[string]string) string {
	for p := range a {
		if a[p] != b[p] {
			return fmt.Sprintf("%s:\n%.300s\n%.300s", p, a[p], b[p])
		}
	}
	if !maps.Equal(a, b) {
		return "names that were not there"
	}
	return ""
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	n := 300
	if testing.Short() {
		n = 30
	}
	for seed := range n {
		r := rand.New(rand.NewSource(int64(seed)))
		dir := t.TempDir()
		root := filepath.Join(dir, "tree")
		files := grow(t, r, root, 5+r.Intn(40))
		was := look(t, root)
		s := store(t, filepath.Join(dir, "state"))
		written := seed%2 == 0
		e, err := s.Keep(context.Background(), undo.Order{Dir: dir, Command: "x", Targets: []undo.Target{{Path: root, Written: written}}})
		must(t, err)
		switch {
		case !written:
			must(t, os.RemoveAll(root))
		case len(files) > 0:
			for _, f := range files {
				switch r.Intn(5) {
				case 0:
					must(t, os.Remove(f))
				case 1:
					must(t, os.Chmod(f, 0o600), os.Truncate(f, 0))
				case 2:
					must(t, os.Chmod(f, 0o600), os.WriteFile(f, []byte("other"), 0o600))
				case 3:
					must(t, os.Chmod(f, 0o111))
				case 4:
					must(t, os.Rename(f, f+".moved"), os.Remove(f+".moved"))
				}
			}
		}
		sealed := seed%3 > 0
		if sealed {
			must(t, s.Seal(context.Background(), e.ID, func() error { return nil }))
		}
		u, err := s.Restore(context.Background(), e.ID, nil, !sealed)
		must(t, err)
		if d := differ(was, look(t, root)); d != "" {
			t.Fatalf("seed %d: %s", seed, d)
		}
		left, _, err := s.List()
		must(t, err)
		if len(left) > 0 && (len(left) > 1 || u.Instead == nil || left[0].ID != u.Instead.ID) {
			t.Fatalf("seed %d: the entry is still there", seed)
		}
	}
}

func TestConflict(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	must(t, os.WriteFile(a, []byte("a"), 0o600), os.WriteFile(b, []byte("b"), 0o600))
	s := store(t, filepath.Join(dir, "state"))
	e, err := s.Keep(context.Background(), undo.Order{Dir: dir, Command: "rm a b", Targets: []undo.Target{{Path: a}, {Path: b}}})
	must(t, err, os.Remove(a), os.Remove(b), os.WriteFile(b, []byte("new"), 0o600))
	var c *undo.Conflict
	if _, err := s.Restore(context.Background(), e.ID, nil, false); !errors.As(err, &c) || len(c.Paths) != 1 || c.Paths[0] != b {
		t.Fatal(err)
	}
	if _, err := os.Lstat(a); !errors.Is(err, fs.ErrNotExist) {
		t.Error("something was put back")
	}
	_, err = s.Restore(context.Background(), e.ID, nil, true)
	must(t, err)
	if text, err := os.ReadFile(b); err != nil || string(text) != "b" {
		t.Errorf("%q %v", text, err)
	}
}

// What cannot be kept whole is not kept at all, and room comes back with time.
func TestIncomplete(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := filepath.Join(dir, "a")
	must(t, os.WriteFile(a, make([]byte, 600), 0o600), unix.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	s := store(t, filepath.Join(dir, "state"))
	s.Quota, s.Files = 1000, 1
	now := time.Now()
	s.Now = func() time.Time { return now }
	keep := func(path string) error {
		_, err := s.Keep(context.Background(), undo.Order{Dir: dir, Command: "x", Targets: []undo.Target{{Path: path}}})
		return err
	}
	var in *undo.Incomplete
	for _, path := range []string{"a", filepath.Join(dir, "fifo"), filepath.Join(dir, "state")} {
		if err := keep(path); !errors.As(err, &in) {
			t.Errorf("%s: %v", path, err)
		}
	}
	s.Secret = func(path string) bool { return path == a }
	if err := keep(a); !errors.As(err, &in) || !strings.Contains(err.Error(), "secrets") {
		t.Errorf("%v", err)
	}
	s.Secret = nil
	s.Copies = 599
	if _, err := s.Keep(context.Background(), undo.Order{Dir: dir, Targets: []undo.Target{{Path: a, Written: true}}}); !errors.As(err, &in) || !strings.Contains(err.Error(), "copied") {
		t.Errorf("%v", err)
	}
	must(t, keep(a))
	if err := keep(a); !errors.As(err, &in) || !strings.Contains(err.Error(), "no room") {
		t.Errorf("%v", err)
	}
	if names, err := filepath.Glob(filepath.Join(dir, "state/heed/undo/new-*")); err != nil || len(names) > 0 {
		t.Errorf("%v %v", names, err)
	}
	now = now.Add(undo.Lasts - time.Second)
	if err := keep(a); !errors.As(err, &in) {
		t.Errorf("a promise was broken: %v", err)
	}
	now = now.Add(time.Second)
	must(t, keep(a))
}

// A file that somebody still writes through a descriptor is not put back as if it were
// what was deleted.
func TestWrittenAfterwards(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := filepath.Join(dir, "a")
	must(t, os.WriteFile(a, []byte("a"), 0o600))
	f, err := os.OpenFile(a, os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	defer f.Close()
	s := store(t, filepath.Join(dir, "state"))
	e, err := s.Keep(context.Background(), undo.Order{Dir: dir, Command: "rm a", Targets: []undo.Target{{Path: a}}})
	must(t, err, os.Remove(a))
	_, err = f.WriteString("more")
	must(t, err)
	if _, err := s.Restore(context.Background(), e.ID, nil, true); err == nil {
		t.Error("it was put back")
	}
}

// killed starts this binary and kills it after a while.
func killed(t *testing.T, after time.Duration, what, state, tree string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = []string{child + "=" + what, "XDG_STATE_HOME=" + state, "TREE=" + tree}
	must(t, c.Start())
	time.Sleep(after)
	_ = c.Process.Kill() // it may have ended
	_ = c.Wait()         // how it ended says nothing
}

// spoil writes over what is in a tree, deletes and changes modes.
func spoil(t *testing.T, r *rand.Rand, root string) {
	t.Helper()
	must(t, filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case !d.Type().IsRegular() || r.Intn(4) == 0:
			return os.Remove(p)
		case r.Intn(3) == 0:
			return errors.Join(os.Remove(p), os.WriteFile(p, []byte("another"), 0o600))
		case r.Intn(2) == 0:
			return os.Chmod(p, 0o704)
		}
		return errors.Join(os.Chmod(p, 0o600), os.WriteFile(p, []byte("other"), 0o600))
	}))
}

// between is a name that is neither as it was nor as it was then; "" if there is none. A
// file of several names is written in place, and directories come last.
func between(was, then, now map[string]string) string {
	for p, text := range now {
		alone, _, _ := strings.Cut(text, " same as")
		before, _, _ := strings.Cut(was[p], " same as")
		after, _, _ := strings.Cut(then[p], " same as")
		if text[0] != '4' && !strings.HasPrefix(filepath.Base(p), ".heed-undo-") && alone == text && text != before && text != after {
			return p
		}
	}
	return ""
}

func TestKilled(t *testing.T) {
	t.Parallel()
	n := 50
	if testing.Short() {
		n = 8
	}
	r := rand.New(rand.NewSource(1))
	during := 0
	for i := range n {
		dir := t.TempDir()
		root, state := filepath.Join(dir, "tree"), filepath.Join(dir, "state")
		grow(t, r, root, 200)
		was := look(t, root)
		killed(t, time.Duration(r.Intn(40))*time.Millisecond, "keep", state, root)
		s := store(t, state)
		if d := differ(was, look(t, root)); d != "" {
			t.Fatalf("keep %d: %s", i, d)
		}
		kept, _, err := s.List()
		must(t, err)
		if len(kept) == 0 {
			during++
			e, err := s.Keep(context.Background(), undo.Order{Dir: dir, Command: "rm", Targets: []undo.Target{{Path: root, Written: i%2 == 1}}})
			must(t, err)
			kept = append(kept, e)
		}
		var then map[string]string
		if i%2 == 0 {
			must(t, os.RemoveAll(root))
		} else {
			spoil(t, r, root)
			must(t, s.Seal(context.Background(), kept[0].ID, func() error { return nil }))
			then = look(t, root)
		}
		killed(t, time.Duration(r.Intn(40))*time.Millisecond, kept[0].ID, state, "")
		now := map[string]string{}
		if _, err := os.Lstat(root); err == nil {
			now = look(t, root)
		}
		if p := between(was, then, now); p != "" {
			t.Fatalf("undo %d: %s is neither old nor new:\n%.200s\n%.200s\n%.200s", i, p, now[p], was[p], then[p])
		}
		left, _, err := s.List()
		must(t, err)
		if len(left) > 0 {
			during++
			_, err := s.Restore(context.Background(), left[0].ID, nil, false)
			must(t, err)
		}
		if d := differ(was, look(t, root)); d != "" {
			t.Fatalf("undo %d: %s", i, d)
		}
	}
	if during == 0 {
		t.Error("nothing was killed while it worked")
	}
}

func benchmarkKeep(b *testing.B, written, keep bool) {
	for range b.N {
		b.StopTimer()
		dir := b.TempDir()
		root := filepath.Join(dir, "tree")
		for d := range 100 {
			sub := filepath.Join(root, fmt.Sprint(d))
			must(b, os.MkdirAll(sub, 0o755))
			for f := range 100 {
				must(b, os.WriteFile(filepath.Join(sub, fmt.Sprint(f)), make([]byte, 2000), 0o600))
			}
		}
		s := store(b, filepath.Join(dir, "state"))
		unix.Sync()
		b.StartTimer()
		if keep {
			_, err := s.Keep(context.Background(), undo.Order{Dir: dir, Command: "rm", Targets: []undo.Target{{Path: root, Written: written}}})
			must(b, err)
		} else {
			must(b, exec.Command("rm", "-rf", root).Run())
		}
	}
}

func BenchmarkRemove10000(b *testing.B)     { benchmarkKeep(b, false, false) }
func BenchmarkKeepLinked10000(b *testing.B) { benchmarkKeep(b, false, true) }
func BenchmarkKeepCopied10000(b *testing.B) { benchmarkKeep(b, true, true) }
