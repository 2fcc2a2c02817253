package overlay

import (
	"path"
	"slices"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// maxCopies is how many trees that were copied into one directory are remembered, and
// maxCopied how many files of one are, where the command changed some of them.
const (
	maxCopies = 8
	maxCopied = 512
)

// Copy records that the directory to, which is not below from, has what is in the directory
// from: what it had beside that is there still. content is what a file holds.
func (o *FS) Copy(from, to string, content func(name string) value.Value) {
	if o.askBelow(from); within(to, from) {
		return
	}
	before, changed := o.copiesOf(to), false
	for p := range o.changes {
		changed = changed || p != from && within(p, from) || p != to && within(p, to)
	}
	room := maxCopied
	whole := changed && o.copyEach(from, to, content, &room)
	d := change{kind: world.Dir, made: o.Made(to) || o.missing(to)}
	if c, ok := o.changes[to]; ok && c.kind == world.Dir {
		d = *c
	}
	if c, ok := o.changes[from]; ok {
		d.fetched, d.brought = d.fetched || c.fetched, d.brought || c.brought
	}
	d.copies = before
	if !whole {
		trees := slices.Clone(o.copiesOf(from))
		c, ok := o.changes[from]
		if at := o.there(from); at != "" && (!ok || !c.made) { // what the world has there is in it
			trees = append(trees, at)
		}
		trees = append(trees, before...)
		d.copies = trees[:min(len(trees), maxCopies)]
	}
	o.set(to, d)
}

func (o *FS) missing(name string) bool {
	i, err := o.Lstat(name)
	return err == nil && i.Kind == world.Missing
}

// copyEach copies a tree by its files, and reports whether these were all.
func (o *FS) copyEach(from, to string, content func(name string) value.Value, room *int) bool {
	entries, err := o.ReadDir(from, *room)
	if *room -= len(entries); err != nil || *room <= 0 {
		return false
	}
	o.Mkdir(to)
	for _, e := range entries {
		source, name := path.Join(from, e.Name), path.Join(to, e.Name)
		switch e.Kind {
		case world.Dir:
			if !o.copyEach(source, name, content, room) {
				return false
			}
		case world.Symlink:
			if link, err := o.Readlink(source); err == nil {
				made := o.missing(name) || o.Made(name)
				o.set(name, change{kind: world.Symlink, link: link, made: made})
			}
		default:
			i, err := o.Lstat(source)
			fresh := o.missing(name) // else it may be left as it is
			o.set(name, change{
				kind: e.Kind, content: content(source), known: fresh && e.Kind == world.Regular, made: fresh || o.Made(name),
				exec: err == nil && i.Mode&0o111 != 0,
			})
		}
	}
	return true
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
