package madeup

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// sampleSize is how many paths a world.Status names.
const sampleSize = 5

// Status implements world.Repo.
func (r *repo) Status(dir string, budget int) world.Status {
	c := counter{repo: r, budget: budget, status: world.Status{Complete: true}}
	at, err := r.git.tree.walk(dir, true, false)
	full := at.path()
	if r.root == "" || !path.IsAbs(dir) || err != nil && !isAbsent(err) {
		return world.Status{} // not complete
	}
	if within(full, r.dir) || within(full, r.common) {
		return c.status // git's own data
	}
	if within(r.root, full) { // the whole work tree
		full = r.root
		at, err = r.git.tree.walk(full, true, true)
	}
	if err == nil && r.git.holding(full) == r {
		c.visit(at.end(), full, r.stateOf(full))
	}
	c.gone(full)
	return c.status
}

// Part implements world.Repo: all is there, whatever is wanted.
func (r *repo) Part(dir string, budget int, _ world.Want) world.Status { return r.Status(dir, budget) }

// A counter walks a work tree and counts.
type counter struct {
	repo   *repo
	budget int
	status world.Status
}

// visit counts a file, or what is below a directory. The state is its own.
func (c *counter) visit(at spot, full string, s state) {
	if at.kind == world.Regular || at.kind == world.Symlink {
		c.status.Bytes += at.info().Size
		c.add(s, 1, full)
		return
	}
	if at.kind != world.Dir {
		return // git does not see FIFOs, sockets and devices
	}
	if at.mount.Remote || !c.repo.git.tree.may(at.node, 4|1) {
		c.status.Complete = false
		return
	}
	names := make([]string, 0, len(at.kids))
	for k := range at.kids {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, k := range names {
		next, _ := at.child(k)
		name := path.Join(full, next.name)
		if next.name == ".git" || c.repo.git.byRoot[name] != nil {
			continue // git's own data, or a repository of its own
		}
		if c.budget <= 0 {
			c.status.Complete = false
			return
		}
		c.budget--
		own, ok := c.repo.states[name]
		if !ok {
			own = s
		}
		c.visit(next, name, own)
	}
	if at.many != nil {
		c.visitMany(at, full, s)
	}
}

// visitMany counts generated files without making them.
func (c *counter) visitMany(at spot, full string, s state) {
	n := at.many.n
	for k := range at.kids { // some may have been made
		if at.many.node(at.node, k) != nil {
			n--
		}
	}
	if n > c.budget {
		n = max(c.budget, 0)
		c.status.Complete = false
	}
	c.budget -= n
	c.status.Bytes += at.many.sum(n)
	if n == 0 {
		return
	}
	for i := 1; i <= min(n, sampleSize); i++ {
		c.add(s, 1, path.Join(full, at.many.name(i)))
	}
	c.add(s, n-min(n, sampleSize), "")
}

func (c *counter) add(s state, n int, full string) {
	switch s {
	case untracked:
		c.status.Untracked += n
		c.sample(&c.status.SomeUntracked, full)
	case ignored:
		c.status.Ignored += n
	case staged:
		c.status.Tracked += n
		c.status.Staged += n
	case modified, deleted:
		c.status.Tracked += n
		c.status.Modified += n
		c.sample(&c.status.SomeModified, full)
	case tracked:
		c.status.Tracked += n
	}
}

func (c *counter) sample(list *[]string, full string) {
	if full != "" && len(*list) < sampleSize {
		*list = append(*list, strings.TrimPrefix(strings.TrimPrefix(full, c.repo.root), "/"))
	}
}

// gone counts the tracked files below dir that are gone from the work tree.
func (c *counter) gone(dir string) {
	var names []string
	for name, s := range c.repo.states {
		if s == deleted && within(name, dir) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		c.add(deleted, 1, name)
	}
}
