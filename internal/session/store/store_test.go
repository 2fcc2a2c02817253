package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/session"
	"github.com/heedsh/heed/internal/session/store"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

var noon = time.Unix(1_790_000_000, 0)

const agent, id = "somebody", "s-1"

func open(t *testing.T) *store.Store {
	t.Helper()
	dir := t.TempDir()
	s, err := store.Open(func(name string) string { return map[string]string{"XDG_STATE_HOME": dir}[name] })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func update(t *testing.T, s *store.Store, id string, now time.Time, do func(*session.State)) {
	t.Helper()
	if err := s.Update(context.Background(), agent, id, now, do); err != nil {
		t.Fatal(err)
	}
}

// path is the file of the only session.
func path(t *testing.T, s *store.Store) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(s.Dir(), "*.json"))
	if err != nil || len(all) != 1 {
		t.Fatalf("%v %v", all, err)
	}
	return all[0]
}

func full() *shell.Left {
	return &shell.Left{
		Dir: "/w", Staged: "/w/.env", Kept: "/w/.env",
		Vars:  []shell.LeftVar{{Name: "D", Values: []string{"/", "\xff"}, Exported: true}, {Name: "TOKEN", Hidden: true}, {Name: "X", Open: true}},
		Funcs: []shell.LeftFunc{{Name: "ls", Dialect: "bash", Text: "ls() { :; }"}, {Name: "open"}},
		Files: []shell.LeftFile{{Path: "/w/x\xfe.sh", Holds: value.Network, How: shell.Downloaded, From: "a.example"}, {Path: "/w/r", Tree: true, Holds: value.Network, How: shell.Cloned}},
	}
}

// TestAll reads back what was written, bytes that are no text included.
func TestAll(t *testing.T) {
	t.Parallel()
	s := open(t)
	var want session.State
	update(t, s, id, noon, func(st *session.State) {
		st.Read(risk.WebContent, "https://a.example")
		st.Saw("/w/.env")
		st.After(&risk.Assessment{}, session.Outcome{Call: "c1", Left: full()})
		want = *st
	})
	got, err := s.Load(agent, id, noon)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&want, got); diff != "" {
		t.Error(diff)
	}
	if i, err := os.Stat(path(t, s)); err != nil || i.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", i.Mode(), err)
	}
	if i, err := os.Stat(s.Dir()); err != nil || i.Mode().Perm() != 0o700 {
		t.Errorf("%v %v", i.Mode(), err)
	}
	for _, other := range [][2]string{{agent, "s-2"}, {"codex", id}, {agent + id[:1], id[1:]}} {
		if got, err := s.Load(other[0], other[1], noon); err != nil || len(got.Files) > 0 {
			t.Errorf("%q: %+v %v", other, got, err)
		}
	}
	if got, err := s.Load(agent, "", noon); got != nil || err != nil {
		t.Errorf("without an id: %+v %v", got, err)
	}
	if late, err := s.Load(agent, id, noon.Add(25*time.Hour)); err != nil || len(late.Files)+len(late.Vars)+len(late.Secrets)+len(late.Texts) > 0 || late.Kept.Path != "" {
		t.Errorf("a day later: %+v %v", late, err)
	}
}

// TestFaults: what cannot be read is an error, and everything may have happened.
func TestFaults(t *testing.T) {
	t.Parallel()
	edit := func(old, with string) func(*testing.T, string) {
		return func(t *testing.T, name string) {
			t.Helper()
			text, err := os.ReadFile(name)
			if err != nil || !strings.Contains(string(text), old) {
				t.Fatalf("%s %v", text, err)
			}
			write(t, name, strings.Replace(string(text), old, with, 1))
		}
	}
	for name, c := range map[string]struct {
		do   func(*testing.T, string)
		want store.Trouble
	}{
		"empty":           {func(t *testing.T, n string) { t.Helper(); write(t, n, "") }, store.Damaged},
		"cut":             {func(t *testing.T, n string) { t.Helper(); write(t, n, `{"format":"heed-ses`) }, store.Damaged},
		"null":            {func(t *testing.T, n string) { t.Helper(); write(t, n, "null") }, store.Damaged},
		"another form":    {edit("heed-session/1", "heed-session/2"), store.Damaged},
		"another field":   {edit(`"agent":`, `"agents":`), store.Damaged},
		"another agent":   {edit(`"agent":"somebody"`, `"agent":"else"`), store.Damaged},
		"another key":     {edit(`"key":"`, `"key":"0`), store.Damaged},
		"a second object": {edit("}}", "}}{}"), store.Damaged},
		"a relative path": {edit(`"path":"/w/r"`, `"path":"w/r"`), store.Damaged},
		"no variable":     {edit(`"name":"D"`, `"name":""`), store.Damaged},
		"too large":       {func(t *testing.T, n string) { t.Helper(); write(t, n, strings.Repeat(" ", 9<<20)) }, store.Damaged},
		"others may write": {func(t *testing.T, n string) {
			t.Helper()
			if err := os.Chmod(n, 0o666); err != nil {
				t.Fatal(err)
			}
		}, store.Foreign},
		"a link": {func(t *testing.T, n string) {
			t.Helper()
			if err := errors.Join(os.Rename(n, n+".old"), os.Symlink(n+".old", n)); err != nil {
				t.Fatal(err)
			}
		}, store.Foreign},
		"the directory is open": {func(t *testing.T, n string) {
			t.Helper()
			if err := os.Chmod(filepath.Dir(n), 0o777); err != nil {
				t.Fatal(err)
			}
		}, store.Foreign},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			update(t, s, id, noon, func(st *session.State) { st.After(nil, session.Outcome{Left: full()}) })
			c.do(t, path(t, s))
			st, err := s.Load(agent, id, noon)
			var f *store.Fault
			if !errors.As(err, &f) || f.Trouble != c.want || st == nil || st.Unknown == 0 {
				t.Fatalf("%+v %v", st, err)
			}
			if c.want != store.Damaged {
				return
			}
			// What is kept from then on is still lost.
			if err := s.Update(context.Background(), agent, id, noon, func(st *session.State) { st.Saw("/w/.env") }); !errors.As(err, &f) {
				t.Errorf("%v", err)
			}
			if st, err := s.Load(agent, id, noon.Add(time.Hour)); err != nil || st.Unknown == 0 || len(st.Secrets) != 1 {
				t.Errorf("%+v %v", st, err)
			}
			if st, err := s.Load(agent, id, noon.Add(25*time.Hour)); err != nil || st.Unknown != 0 {
				t.Errorf("%+v %v", st, err)
			}
		})
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWritersTakeTurns: nothing that one writer learned is lost to another.
func TestWritersTakeTurns(t *testing.T) {
	t.Parallel()
	s := open(t)
	var all sync.WaitGroup
	for w := range 4 {
		all.Go(func() {
			for i := range 10 {
				if err := s.Update(context.Background(), agent, id, noon, func(st *session.State) { st.Saw(fmt.Sprintf("/%d/%d", w, i)) }); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if st, err := s.Load(agent, id, noon); err != nil || len(st.Secrets) != 40 {
		t.Errorf("%d %v", len(st.Secrets), err)
	}
}

// TestTheOldGo: sessions nobody needs are removed; if others have to go, those that
// are not there count as lost.
func TestTheOldGo(t *testing.T) {
	t.Parallel()
	s := open(t)
	update(t, s, "old", noon, func(*session.State) {})
	if err := os.Chtimes(path(t, s), noon, noon.Add(-48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	update(t, s, "new", now, func(*session.State) {})
	path(t, s) // one is left
	if st, err := s.Load(agent, "old", now); err != nil || st.Unknown != 0 {
		t.Errorf("%+v %v", st, err)
	}
	for i := range 1000 {
		write(t, filepath.Join(s.Dir(), fmt.Sprintf("%064d.json", i)), "")
	}
	update(t, s, "newer", now, func(*session.State) {})
	if all, _ := filepath.Glob(filepath.Join(s.Dir(), "*.json")); len(all) != 1000 {
		t.Errorf("%d files", len(all))
	}
	if st, err := s.Load(agent, "never seen", now); err != nil || st.Unknown == 0 {
		t.Errorf("%+v %v", st, err)
	}
	if st, err := s.Load(agent, "never seen", now.Add(25*time.Hour)); err != nil || st.Unknown != 0 {
		t.Errorf("a day later: %+v %v", st, err)
	}
}

// TestNowhere: without a place there is no store.
func TestNowhere(t *testing.T) {
	t.Parallel()
	if _, err := store.Open(func(string) string { return "" }); err == nil {
		t.Error("no error")
	}
}

// FuzzLoad reads any file: never a panic, and what is wrong is never nothing.
func FuzzLoad(f *testing.F) {
	f.Add([]byte("{}"))
	f.Add([]byte(`{"format":"heed-session/1","key":"","session":{"agent":"somebody","now":1}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s := open(t)
		update(t, s, id, noon, func(*session.State) {})
		write(t, path(t, s), string(text))
		st, err := s.Load(agent, id, noon)
		if st == nil || err != nil && st.Unknown == 0 {
			t.Errorf("%+v %v", st, err)
		}
	})
}
