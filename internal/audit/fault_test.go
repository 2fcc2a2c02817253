//go:build unix

package audit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
)

// A place is a log with some rows, and what a fault does to it.
type place struct {
	t    *testing.T
	l    *Log
	dir  string
	kept []Receipt
}

func (p *place) file(name string) string { return filepath.Join(p.dir, name) }

// current is the segment that is written to.
func (p *place) current() string {
	all, err := filepath.Glob(p.file("*.jsonl"))
	if err != nil || len(all) == 0 {
		p.t.Fatal(all, err)
	}
	return all[len(all)-1]
}

func (p *place) check(err error) {
	p.t.Helper()
	if err != nil {
		p.t.Fatal(err)
	}
}

// edit changes a file.
func (p *place) edit(name string, f func(text []byte) []byte) {
	p.t.Helper()
	text, err := os.ReadFile(name)
	p.check(err)
	p.check(os.WriteFile(name, f(text), 0o600))
}

// aside moves something away for a replacement.
func (p *place) aside(name string) string {
	p.t.Helper()
	to := filepath.Join(p.t.TempDir(), "aside")
	p.check(os.Rename(name, to))
	return to
}

// TestFaults is the fault table: what is done to a log of twenty rows, what the
// next writer is told, and whether all rows that were acknowledged are still there
// and the log is whole.
func TestFaults(t *testing.T) {
	t.Parallel()
	appended := func(text string) func(*place) {
		return func(p *place) { p.edit(p.current(), func(b []byte) []byte { return append(b, text...) }) }
	}
	cut := func(n func([]byte) int) func(*place) {
		return func(p *place) { p.edit(p.current(), func(b []byte) []byte { return b[:n(b)] }) }
	}
	lastRow := func(b []byte) int { return strings.LastIndexByte(string(b[:len(b)-1]), '\n') + 1 }
	failing := func(write func(f *os.File, text []byte) error) func(*place) {
		return func(p *place) { p.l.write = write }
	}
	for _, c := range []struct {
		name string
		do   func(*place)
		want Trouble // "": the row is kept
		lost bool    // the fault itself destroys rows
		bad  bool    // Verify finds something
	}{
		{name: "nothing", do: func(*place) {}},
		{name: "directory of everybody", do: func(p *place) { p.check(os.Chmod(p.dir, 0o777)) }, want: Owner},
		{name: "directory of a group", do: func(p *place) { p.check(os.Chmod(p.dir, 0o770)) }, want: Owner},
		{name: "directory above of everybody", do: func(p *place) { p.check(os.Chmod(filepath.Dir(p.dir), 0o777)) }, want: Owner},
		{name: "directory is a link", do: func(p *place) { p.check(os.Symlink(p.aside(p.dir), p.dir)) }, want: Owner},
		{name: "directory is a file", do: func(p *place) { p.aside(p.dir); p.check(os.WriteFile(p.dir, nil, 0o600)) }, want: Owner, lost: true},
		{name: "directory of another account", do: func(p *place) { p.chown(p.dir) }, want: Owner},
		{name: "directory above of another account", do: func(p *place) { p.chown(filepath.Dir(p.dir)) }, want: Owner},
		{name: "segment is a link", do: func(p *place) { n := p.current(); p.check(os.Symlink(p.aside(n), n)) }, want: Owner},
		{name: "segment is a directory", do: func(p *place) { n := p.current(); p.aside(n); p.check(os.Mkdir(n, 0o700)) }, want: Owner, lost: true},
		{name: "segment is a FIFO", do: func(p *place) { n := p.current(); p.aside(n); p.check(syscall.Mkfifo(n, 0o600)) }, want: Owner, lost: true},
		{name: "segment of everybody", do: func(p *place) { p.check(os.Chmod(p.current(), 0o666)) }, want: Owner},
		{name: "segment of another account", do: func(p *place) { p.chown(p.current()) }, want: Owner},
		{name: "lock is held", do: func(p *place) { p.hold() }, want: Locked},
		{name: "lock is a link", do: func(p *place) { n := p.file(lockName); p.check(os.Symlink(p.aside(n), n)) }, want: Owner},
		{name: "lock is a directory", do: func(p *place) { n := p.file(lockName); p.aside(n); p.check(os.Mkdir(n, 0o700)) }, want: Owner},
		{name: "lock is gone", do: func(p *place) { p.check(os.Remove(p.file(lockName))) }},
		{name: "lock of everybody", do: func(p *place) { p.check(os.Chmod(p.file(lockName), 0o666)) }, want: Owner},
		{name: "head is gone", do: func(p *place) { p.check(os.Remove(p.file(headName))) }},
		{name: "head is empty", do: func(p *place) { p.edit(p.file(headName), func([]byte) []byte { return nil }) }},
		{name: "head is noise", do: func(p *place) { p.edit(p.file(headName), func([]byte) []byte { return []byte("\x00\xff") }) }},
		{name: "head is a link", do: func(p *place) { n := p.file(headName); p.check(os.Symlink(p.aside(n), n)) }, want: Owner},
		{name: "head of everybody", do: func(p *place) { p.check(os.Chmod(p.file(headName), 0o666)) }, want: Owner},
		{name: "head is too old", do: func(p *place) { p.oldHead() }},
		{name: "head names another row", do: func(p *place) {
			p.edit(p.file(headName), func(b []byte) []byte { return []byte(strings.Replace(string(b), ":", "0:", 1)) })
		}}, // it is no head file then: as none
		{name: "head names a wrong hash", do: func(p *place) {
			p.edit(p.file(headName), func(b []byte) []byte {
				at := strings.IndexByte(string(b), ':') + 1
				b[at] = "01"[1-strings.IndexByte("1", b[at])&1]
				return b
			})
		}, want: Damaged},
		{name: "last row is changed", do: func(p *place) {
			p.edit(p.current(), func(b []byte) []byte { b[len(b)-20] ^= 1; return b })
		}, want: Damaged, lost: true},
		{name: "last newline is gone", do: cut(func(b []byte) int { return len(b) - 1 }), want: Truncated, lost: true},
		{name: "last row is cut", do: cut(func(b []byte) int { return len(b) - 30 }), want: Truncated, lost: true},
		{name: "last row is gone", do: cut(lastRow), want: Truncated, lost: true},
		{name: "segment is empty", do: cut(func([]byte) int { return 0 }), want: Truncated, lost: true},
		{name: "segment and head are empty", do: func(p *place) {
			cut(func([]byte) int { return 0 })(p)
			p.check(os.Remove(p.file(headName)))
		}, bad: true, lost: true}, // what is left is a log that ends earlier: only an anchor tells
		{name: "last segment is gone", do: func(p *place) { p.check(os.Remove(p.current())) }, want: Truncated, lost: true},
		{name: "all segments are gone", do: func(p *place) {
			all, err := filepath.Glob(p.file("*.jsonl"))
			p.check(err)
			for _, n := range all {
				p.check(os.Remove(n))
			}
		}, want: Truncated, lost: true},
		{name: "an old segment is gone", do: func(p *place) { p.check(os.Remove(p.file(segmentName(1)))) }, lost: true, bad: true},
		{name: "an old row is changed", do: func(p *place) {
			p.edit(p.file(segmentName(1)), func(b []byte) []byte { b[len(b)/2] ^= 1; return b })
		}, lost: true, bad: true},
		{name: "somebody else's line behind", do: appended("hello\n"), want: Damaged},
		{name: "an empty line behind", do: appended("\n"), want: Damaged},
		{name: "zeros behind", do: appended(strings.Repeat("\x00", 4096))},
		{name: "a killed writer's row", do: appended(`{"agent":"claude-co`)},
		{name: "a killed writer's newline", do: func(p *place) {
			p.l.write = func(f *os.File, text []byte) error {
				_, _ = f.WriteString(`{"agent":"cl`)
				p.check(f.Close())
				return syscall.EIO
			}
			_, err := p.l.Append(p.t.Context(), sample(1))
			if err == nil {
				p.t.Fatal("it is kept")
			}
			p.l.write = writeSynced
		}},
		{name: "a row of another log behind", do: func(p *place) {
			other := testLog(p.t)
			appendRows(p.t, other, sample(1))
			text, err := os.ReadFile(filepath.Join(other.Dir(), segmentName(1)))
			p.check(err)
			appended(string(text))(p)
		}, want: Damaged},
		{name: "the last row twice", do: func(p *place) {
			p.edit(p.current(), func(b []byte) []byte { return append(b, b[lastRow(b):]...) })
		}, want: Damaged},
		{name: "a very long line behind", do: appended(strings.Repeat("x", 3*maxLine) + "\n"), want: Damaged},
		{name: "another segment", do: func(p *place) { p.check(os.WriteFile(p.file(segmentName(9999)), nil, 0o600)) }, want: Damaged},
		{name: "another segment with noise", do: func(p *place) { p.check(os.WriteFile(p.file(segmentName(9999)), []byte("x\n"), 0o600)) }, want: Damaged},
		{name: "an empty next segment", do: func(p *place) {
			p.check(os.WriteFile(p.file(segmentName(p.kept[len(p.kept)-1].Seq+1)), nil, 0o600))
		}},
		{name: "other files", do: func(p *place) {
			for _, n := range []string{"x", "1.jsonl", "000000000000.jsonl", ".jsonl", "-00000000001.jsonl"} {
				p.check(os.WriteFile(p.file(n), []byte("x"), 0o666))
			}
		}},
		{name: "full before the row", do: failing(func(*os.File, []byte) error { return syscall.ENOSPC }), want: Full},
		{name: "full in the row", do: failing(func(f *os.File, text []byte) error { _, _ = f.Write(text[:len(text)/2]); return syscall.ENOSPC }), want: Full},
		{name: "full quota", do: failing(func(f *os.File, text []byte) error { _, _ = f.Write(text[:1]); return syscall.EDQUOT }), want: Full},
		{name: "disk breaks in the row", do: failing(func(f *os.File, text []byte) error { _, _ = f.Write(text[:len(text)-1]); return syscall.EIO }), want: Broken},
		{name: "disk breaks in fsync", do: failing(func(f *os.File, text []byte) error { _, _ = f.Write(text); return syscall.EIO }), want: Broken},
		{name: "file system is read-only", do: failing(func(*os.File, []byte) error { return syscall.EROFS }), want: ReadOnly},
		{name: "no right to write", do: failing(func(*os.File, []byte) error { return syscall.EACCES }), want: ReadOnly},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &place{t: t, l: testLog(t, func(o *Options) { o.SegmentBytes, o.Wait = 6<<10, 20*time.Millisecond })}
			p.dir = p.l.Dir()
			for i := range 20 {
				p.kept = append(p.kept, appendRows(t, p.l, sample(i))...)
			}
			c.do(p)
			got, err := p.l.Append(t.Context(), sample(99))
			var f *Fault
			if c.want == "" {
				if err != nil || got.Seq < p.kept[19].Seq+1 && !c.lost {
					t.Fatalf("%+v, %v", got, err)
				}
				p.kept = append(p.kept, got)
			} else if !errors.As(err, &f) || f.Trouble != c.want {
				t.Fatalf("want %s, got %v", c.want, err)
			}
			if f != nil {
				if text := f.Error(); f.Doing == "" || f.Where == "" || !strings.HasPrefix(f.Ask(), "heed cannot record this, so it is not run unasked: recording what happens: "+filepath.Dir(p.dir)) {
					t.Errorf("%s", text)
				}
				t.Log(err)
			}
			if c.lost {
				if r, err := p.l.Verify(t.Context(), []Anchor{{"paper", p.kept[19].Head()}}, nil); err == nil && r.Whole() {
					t.Error("an anchor does not show it")
				}
				return
			}
			p.undo()
			p.keepsAll(c.want == Damaged || c.bad)
		})
	}
}

// chown gives a file to another account, where that is possible.
func (p *place) chown(name string) {
	if os.Geteuid() != 0 {
		p.t.Skip("only root can give files away")
	}
	p.check(os.Chown(name, 65534, 65534))
}

// hold takes the lock and never gives it back.
func (p *place) hold() {
	f, err := os.OpenFile(p.file(lockName), os.O_RDWR, 0)
	p.check(err)
	taken, err := ownfile.TryLock(f, false)
	if !taken || err != nil {
		p.t.Fatal(taken, err)
	}
	p.t.Cleanup(func() { _ = f.Close() })
}

// oldHead takes the head back to that of some rows before, as a killed writer
// leaves it.
func (p *place) oldHead() {
	old, err := os.ReadFile(p.file(headName))
	p.check(err)
	p.kept = append(p.kept, appendRows(p.t, p.l, samples(3)...)...)
	for i := range 20 {
		p.kept = append(p.kept, appendRows(p.t, p.l, sample(i))...)
	}
	p.check(os.WriteFile(p.file(headName), old, 0o600))
}

// undo makes a log readable again that a fault only kept from being read.
func (p *place) undo() {
	p.l.write = writeSynced
	for _, dir := range []string{filepath.Dir(p.dir), p.dir} {
		if i, err := os.Lstat(dir); err == nil && i.Mode()&os.ModeSymlink != 0 {
			to, err := os.Readlink(dir)
			p.check(err)
			p.check(os.Remove(dir))
			p.check(os.Rename(to, dir))
		}
		if os.Geteuid() == 0 {
			p.check(os.Chown(dir, 0, 0))
		}
		p.check(os.Chmod(dir, 0o700))
	}
	all, err := os.ReadDir(p.dir)
	p.check(err)
	for _, e := range all {
		n := p.file(e.Name())
		if to, err := os.Readlink(n); err == nil {
			p.check(os.Remove(n))
			p.check(os.Rename(to, n))
		}
		if os.Geteuid() == 0 {
			p.check(os.Chown(n, 0, 0))
		}
		if !e.IsDir() {
			p.check(os.Chmod(n, 0o600))
		}
	}
	if i, err := os.Lstat(p.file(lockName)); err == nil && i.IsDir() {
		p.check(os.Remove(p.file(lockName)))
	}
	p.l.wait = time.Second
}

// keepsAll looks for every row that was acknowledged.
func (p *place) keepsAll(damaged bool) {
	p.t.Helper()
	found := map[Head]bool{}
	for r, err := range p.l.Rows(p.t.Context(), Filter{}) {
		if err != nil && !damaged {
			p.t.Error(err)
		}
		found[Head{r.Seq, r.Hash}] = true
	}
	for _, r := range p.kept {
		if !found[r.Head()] {
			p.t.Errorf("row %d, which was acknowledged, is lost", r.Seq)
		}
	}
	if strings.HasSuffix(p.t.Name(), "lock_is_held") {
		return // nobody can look while it is
	}
	r, err := p.l.Verify(p.t.Context(), []Anchor{{"paper", p.kept[len(p.kept)-1].Head()}}, nil)
	if err != nil || r.Whole() == damaged {
		p.t.Errorf("%v, %+v", err, r)
	}
}

func TestContextEnds(t *testing.T) {
	t.Parallel()
	l := testLog(t)
	appendRows(t, l, sample(1))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := l.Append(ctx, sample(1)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	for _, err := range l.Rows(ctx, Filter{}) {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if _, err := l.Verify(ctx, nil, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestMissing(t *testing.T) {
	t.Parallel()
	l := testLog(t)
	var f *Fault
	for _, err := range l.Rows(t.Context(), Filter{}) {
		if !errors.As(err, &f) || f.Trouble != Missing {
			t.Error(err)
		}
	}
	if _, err := l.Verify(t.Context(), nil, nil); !errors.As(err, &f) || f.Trouble != Missing {
		t.Error(err)
	}
	if err := l.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := Open("relative", Options{}); err == nil {
		t.Error("a relative directory is taken")
	}
}

// TestMend: a damaged log goes on when a person says so, and what is wrong with it
// is told as long as it is kept.
func TestMend(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(*place){
		"row changed":  func(p *place) { p.edit(p.current(), func(b []byte) []byte { b[len(b)-20] ^= 1; return b }) },
		"cut":          func(p *place) { p.edit(p.current(), func(b []byte) []byte { return b[:len(b)-30] }) },
		"empty":        func(p *place) { p.edit(p.current(), func([]byte) []byte { return nil }) },
		"segment gone": func(p *place) { p.check(os.Remove(p.current())) },
		"junk":         func(p *place) { p.edit(p.current(), func(b []byte) []byte { return append(b, "junk\n"...) }) },
		"all gone": func(p *place) {
			all, err := filepath.Glob(p.file("*.jsonl"))
			p.check(err)
			for _, n := range all {
				p.check(os.Remove(n))
			}
		},
		"twice": func(p *place) {
			p.edit(p.current(), func(b []byte) []byte { return append(b, "junk\n"...) })
			_, err := p.l.Mend(p.t.Context())
			p.check(err)
			p.edit(p.current(), func(b []byte) []byte { return append(b, "junk\n"...) })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &place{t: t, l: testLog(t, func(o *Options) { o.SegmentBytes = 6 << 10 })}
			p.dir = p.l.Dir()
			if _, err := p.l.Mend(t.Context()); err == nil {
				t.Error("a log that is not there is mended")
			}
			for i := range 20 {
				p.kept = append(p.kept, appendRows(t, p.l, sample(i))...)
			}
			if _, err := p.l.Mend(t.Context()); !errors.Is(err, ErrNotDamaged) {
				t.Errorf("a whole log is mended: %v", err)
			}
			do(p)
			mended, err := p.l.Mend(t.Context())
			if err != nil || mended.Seq <= p.kept[19].Seq {
				t.Fatalf("%+v, %v", mended, err)
			}
			var last Receipt
			for i := range 20 {
				last = appendRows(t, p.l, sample(i))[0]
			}
			r := verify(t, p.l, Anchor{"since", last.Head()})
			if r.Whole() || !slices.ContainsFunc(r.Problems, func(p Problem) bool { return p.Mended }) || len(r.Held) != 2 {
				t.Errorf("%+v", r)
			}
			// In time it goes, and is counted.
			for i := range 20 {
				last = appendRows(t, p.l, sample(i))[0]
			}
			done, err := p.l.Prune(t.Context(), last.Time.Time(), false)
			if err != nil || done.Damaged == 0 {
				t.Fatalf("%+v, %v", done, err)
			}
			mustBeWhole(t, p.l, Anchor{"since", last.Head()})
		})
	}
}
