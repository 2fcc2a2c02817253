package overlay

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// maxCopies is how many trees that were copied into one directory are remembered.
const maxCopies = 8

// Copy records that the directory to, which is not below from, has what is in the directory
// from: what it had beside that is there still.
func (o *FS) Copy(from, to string) {
	if o.askBelow(from); within(to, from) {
		return
	}
	trees := o.copiesOf(from)
	if at := o.there(from); at != "" {
		trees = append(slices.Clone(trees), at)
	}
	below := map[string]change{}
	for p, c := range o.changes {
		if rest, ok := strings.CutPrefix(p, from+"/"); ok {
			d := *c
			d.made, d.from = true, ""
			below[to+"/"+rest] = d
		}
	}
	o.Mkdir(to)
	d := change{kind: world.Dir, made: o.Made(to)}
	if c, ok := o.changes[to]; ok && c.kind == world.Dir {
		d = *c
	}
	if c, ok := o.changes[from]; ok {
		d.fetched, d.brought = d.fetched || c.fetched, d.brought || c.brought
	}
	d.copies = append(slices.Clone(trees), d.copies...)
	d.copies = d.copies[:min(len(d.copies), maxCopies)]
	o.set(to, d)
	for p, c := range below {
		if over, err := o.Lstat(p); err == nil && over.Kind != world.Missing {
			c.made = o.Made(p)
		}
		o.set(p, c)
	}
}

// CopyOf is where the world has what was copied to a name with a directory above it; ""
// if it was not, or is not that any more.
func (o *FS) CopyOf(name string) string {
	if _, changed := o.changes[name]; changed || len(o.changes) == 0 {
		return ""
	}
	for _, at := range o.copiesOf(path.Dir(name)) {
		at = path.Join(at, path.Base(name))
		if i, err := o.base.Lstat(at); err == nil && i.Kind != world.Missing {
			return at
		}
	}
	return ""
}

// copiesOf are the directories of the world that were copied into a directory, with it or
// with one above it.
func (o *FS) copiesOf(dir string) []string {
	for p := dir; p != "/" && p != "."; p = parent(p) {
		c, ok := o.changes[p]
		switch {
		case !ok:
			continue
		case c.kind != world.Dir:
			return nil
		case len(c.copies) > 0 && p == dir:
			return c.copies
		case len(c.copies) > 0:
			var trees []string
			for _, at := range c.copies {
				trees = append(trees, at+dir[len(p):])
			}
			return trees
		case c.made, c.from != "":
			return nil
		}
	}
	return nil
}
