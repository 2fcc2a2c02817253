package overlay_test

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/internal/world/overlay"
	"pgregory.net/rapid"
)

const scene = `
a/one  "one"
a/two  "two"
a/b/x  "x"
c      "c"
`

const root = "/home/u/project"

// node is what the model knows of a path.
type node struct {
	kind world.Kind
	text string
	made bool
}

// machine compares an overlay with a map.
type machine struct {
	fs    *overlay.FS
	files map[string]node
}

var names = []string{"a", "a/one", "a/two", "a/new", "a/b", "a/b/x", "a/b/y", "c", "d", "d/e", "d/e/f", "d/one", "d/b", "d/b/x", "d/d"}

func newMachine(t *rapid.T, base world.FS) *machine {
	m := &machine{fs: overlay.New(base), files: map[string]node{}}
	for _, n := range names {
		p := path.Join(root, n)
		info, err := base.Lstat(p)
		if err != nil {
			t.Fatalf("lstat %s: %v", p, err)
		}
		if info.Kind == world.Missing {
			continue
		}
		text := ""
		if info.Kind == world.Regular {
			b, err := base.ReadFile(p, 100)
			if err != nil {
				t.Fatalf("read %s: %v", p, err)
			}
			text = string(b)
		}
		m.files[p] = node{kind: info.Kind, text: text}
	}
	return m
}

func (m *machine) pick(t *rapid.T, label string) string {
	return path.Join(root, rapid.SampledFrom(names).Draw(t, label))
}

// parent reports whether p can be made: its directory is there.
func (m *machine) parent(p string) bool {
	return path.Dir(p) == root || m.files[path.Dir(p)].kind == world.Dir
}

func (m *machine) below(p string) []string {
	var out []string
	for q := range m.files {
		if strings.HasPrefix(q, p+"/") {
			out = append(out, q)
		}
	}
	return out
}

// Create writes a file, as `>` does.
func (m *machine) Create(t *rapid.T) {
	p, text := m.pick(t, "path"), rapid.StringMatching(`[a-z]{0,3}`).Draw(t, "text")
	old := m.files[p]
	if !m.parent(p) || old.kind == world.Dir {
		t.Skip("a shell would fail")
	}
	m.fs.Create(p, value.Lit(text), true)
	m.files[p] = node{world.Regular, text, old.kind == world.Missing || old.made}
}

// Mkdir makes a directory.
func (m *machine) Mkdir(t *rapid.T) {
	p := m.pick(t, "path")
	if !m.parent(p) || m.files[p].kind != world.Missing {
		t.Skip("mkdir would fail")
	}
	m.fs.Mkdir(p)
	m.files[p] = node{kind: world.Dir, made: true}
}

// Link makes a link.
func (m *machine) Link(t *rapid.T) {
	p := m.pick(t, "path")
	if !m.parent(p) || m.files[p].kind != world.Missing {
		t.Skip("ln would fail")
	}
	m.fs.Link(p, "target")
	m.files[p] = node{kind: world.Symlink, text: "target", made: true}
}

// Delete deletes as rm -r does.
func (m *machine) Delete(t *rapid.T) {
	p := m.pick(t, "path")
	m.fs.Delete(p)
	for _, q := range m.below(p) {
		delete(m.files, q)
	}
	delete(m.files, p)
}

// Move moves a file.
func (m *machine) Move(t *rapid.T) {
	from, to := m.pick(t, "from"), m.pick(t, "to")
	n := m.files[from]
	over := m.files[to].kind
	if n.kind == world.Missing || over == world.Dir || over != world.Missing && n.kind == world.Dir || !m.parent(to) || from == to || strings.HasPrefix(to, from+"/") {
		t.Skip("mv would do something else")
	}
	n.made = n.made && (over == world.Missing || m.files[to].made)
	m.fs.Move(from, to, value.Lit(n.text), true)
	for _, p := range m.below(from) {
		m.files[to+p[len(from):]] = m.files[p]
		delete(m.files, p)
	}
	delete(m.files, from)
	m.files[to] = n
}

// Copy copies what is in a directory, as cp -rT does.
func (m *machine) Copy(t *rapid.T) {
	from, to := m.pick(t, "from"), m.pick(t, "to")
	over := m.files[to].kind
	if m.files[from].kind != world.Dir || over != world.Dir && over != world.Missing || !m.parent(to) || from == to || strings.HasPrefix(to, from+"/") {
		t.Skip("cp would do something else")
	}
	for _, p := range m.below(from) {
		if at := m.files[to+p[len(from):]].kind; at != world.Missing && (at == world.Dir) != (m.files[p].kind == world.Dir) {
			t.Skip("cp would fail")
		}
	}
	m.fs.Copy(from, to, func(name string) value.Value {
		return value.Lit(m.files[name].text)
	})
	if over == world.Missing {
		m.files[to] = node{kind: world.Dir, made: true}
	}
	for _, p := range m.below(from) {
		n, old := m.files[p], m.files[to+p[len(from):]]
		if n.kind == world.Dir && old.kind == world.Dir {
			continue
		}
		n.made = old.kind == world.Missing || old.made
		m.files[to+p[len(from):]] = n
	}
}

// Clone goes on with a copy, and changes the original, which must not matter.
func (m *machine) Clone(t *rapid.T) {
	old := m.fs
	m.fs = old.Clone()
	old.Delete(m.pick(t, "path"))
	old.Create(m.pick(t, "path 2"), value.Lit("changed in the original"), true)
}

// Check compares everything that can be asked.
func (m *machine) Check(t *rapid.T) {
	for _, n := range names {
		p := path.Join(root, n)
		want := m.files[p]
		info, err := m.fs.Lstat(p)
		if err != nil || info.Kind != want.kind {
			t.Fatalf("lstat %s: kind %d, want %d (%v)", n, info.Kind, want.kind, err)
		}
		b, err := m.fs.ReadFile(p, 100)
		switch {
		case want.kind == world.Regular && err == nil && string(b) != want.text:
			t.Fatalf("%s holds %q, want %q", n, b, want.text)
		case want.kind == world.Regular && err != nil && !errors.Is(err, world.ErrNotRead):
			t.Fatalf("reading %s: %v", n, err) // not to know is allowed, to say it is not there is not
		case want.kind == world.Missing && err == nil:
			t.Fatalf("%s is not there and holds %q", n, b)
		}
		link, err := m.fs.Readlink(p)
		if want.kind == world.Symlink && (err != nil || link != want.text) {
			t.Fatalf("%s links to %q, want %q (%v)", n, link, want.text, err)
		}
		if want.made && !m.fs.Made(p) {
			t.Fatalf("%s was made by the command", n)
		}
	}
	m.checkLists(t)
}

func (m *machine) checkLists(t *rapid.T) {
	dirs := []string{root}
	for p, n := range m.files {
		if n.kind == world.Dir {
			dirs = append(dirs, p)
		}
	}
	for _, d := range dirs {
		want := map[string]world.Kind{}
		for p, n := range m.files {
			if path.Dir(p) == d {
				want[path.Base(p)] = n.kind
			}
		}
		entries, err := m.fs.ReadDir(d, 1000)
		if err != nil {
			t.Fatalf("list %s: %v", d, err)
		}
		got := map[string]world.Kind{}
		for _, e := range entries {
			got[e.Name] = e.Kind
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("list %s (-want +got):\n%s", d, diff)
		}
		if sorted := slices.Sorted(maps.Keys(got)); len(sorted) != len(entries) || !slices.IsSortedFunc(entries, func(a, b world.Entry) int { return strings.Compare(a.Name, b.Name) }) {
			t.Fatalf("list %s has doubles or is not sorted: %v", d, entries)
		}
	}
}

// TestModel: an overlay answers as a file system would after the same changes.
func TestModel(t *testing.T) {
	t.Parallel()
	w, _, _ := fakeworld.Must(t, scene)
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine(t, w.FS)
		t.Repeat(map[string]func(*rapid.T){"create": m.Create, "mkdir": m.Mkdir, "link": m.Link, "delete": m.Delete, "move": m.Move, "copy": m.Copy, "clone": m.Clone, "": m.Check})
	})
}
