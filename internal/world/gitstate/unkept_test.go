package gitstate

import (
	"encoding/hex"
	"strings"
	"testing"
)

// TestUnkept: an object counts where neither a ref, nor a log, nor the index keeps
// it, and nothing is told where not everything can be read.
func TestUnkept(t *testing.T) {
	t.Parallel()
	none := strings.Repeat("0", 40)
	line := func(from, to string) string { return from + " " + to + " A <a> 1 +0000\tm\n" }
	build := func() (m memFS, first, second, third string) {
		m = memRepo()
		blob := m.addObject(t, "blob", "x")
		raw, _ := hex.DecodeString(blob)
		tree := m.addObject(t, "tree", "100644 x\x00"+string(raw))
		commit := func(parent string) string {
			if parent != "" {
				parent = "parent " + parent + "\n"
			}
			return m.addObject(t, "commit", "tree "+tree+"\n"+parent+"author A <a> 1 +0000\ncommitter C <c> 1 +0000\n\nm\n")
		}
		first = commit("")
		second, third = commit(first), m.addObject(t, "commit", "tree "+tree+"\nauthor B <b> 2 +0000\ncommitter C <c> 2 +0000\n\nb\n")
		m["/r/.git/refs/heads/main"] = second + "\n"
		m["/r/.git/logs/HEAD"] = line(none, first) + line(first, second)
		return m, first, second, third
	}
	for name, c := range map[string]struct {
		change func(m memFS, third string)
		n      int
		known  bool
	}{
		"a commit of nobody":    {func(memFS, string) {}, 1, true},
		"a log names it":        {func(m memFS, id string) { m["/r/.git/logs/refs/heads/x"] = line(none, id) }, 0, true},
		"a ref names it":        {func(m memFS, id string) { m["/r/.git/refs/tags/x"] = id + "\n" }, 0, true},
		"HEAD is at it":         {func(m memFS, id string) { m["/r/.git/HEAD"] = id + "\n" }, 0, true},
		"a blob of nobody, too": {func(m memFS, _ string) { m.addObject(t, "blob", "y") }, 2, true},
		"a tag of a tree of it": {func(m memFS, id string) {
			m["/r/.git/refs/tags/x"] = m.addObject(t, "tag", "object "+id+"\ntype commit\n") + "\n"
		}, 0, true},
		"no logs": {func(m memFS, id string) {
			delete(m, "/r/.git/logs/HEAD")
			m["/r/.git/refs/tags/x"] = id + "\n"
		}, 0, true},
		"another work tree":      {func(m memFS, _ string) { m["/r/.git/worktrees/w/HEAD"] = "ref: refs/heads/w\n" }, 0, false},
		"a log of what is gone":  {func(m memFS, _ string) { m["/r/.git/logs/refs/heads/x"] = line(none, strings.Repeat("a", 40)) }, 0, false},
		"objects of another one": {func(m memFS, _ string) { m["/r/.git/objects/info/alternates"] = "/o\n"; m["/o/x"] = "" }, 0, false},
	} {
		m, _, _, third := build()
		c.change(m, third)
		if n, known := m.open(t).Unkept(10); n != c.n && known || known != c.known {
			t.Errorf("%s: %d %v, want %d %v", name, n, known, c.n, c.known)
		}
	}
	m, first, second, _ := build()
	ids, complete := m.open(t).Logged(10)
	if strings.Join(ids, " ") != first+" "+second || !complete {
		t.Errorf("logged %v %v", ids, complete)
	}
	if ids, complete := m.open(t).Logged(1); len(ids) != 1 || complete {
		t.Errorf("one is asked for: %v %v", ids, complete)
	}
}
