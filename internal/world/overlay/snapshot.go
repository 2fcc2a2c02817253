package overlay

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/wire"
	"github.com/heedsh/heed/internal/world"
)

// A lost says what was not kept of the changes, and whether anybody asked for
// it since. All that came of one snapshot share it.
type lost struct {
	dirs  []string // below which something was changed
	asked bool
}

// maxLost is how many directories are named below which changes were lost.
const maxLost = 32

// Missed reports whether something was asked for that a snapshot did not keep.
func (o *FS) Missed() bool { return o.lost != nil && o.lost.asked }

// ask notes that name matters.
func (o *FS) ask(name string) {
	if o.lost != nil && slices.ContainsFunc(o.lost.dirs, func(dir string) bool { return within(name, dir) }) {
		o.lost.asked = true
	}
}

// askBelow notes that name matters, and all below it.
func (o *FS) askBelow(name string) {
	if o.ask(name); o.lost != nil && slices.ContainsFunc(o.lost.dirs, func(dir string) bool { return within(dir, name) }) {
		o.lost.asked = true
	}
}

// askContent notes that the content of a file matters.
func (o *FS) askContent(c *change) {
	if c.cut && o.lost != nil {
		o.lost.asked = true
	}
}

// within reports whether name is dir or lies below it.
func within(name, dir string) bool {
	return name == dir || strings.HasPrefix(name, strings.TrimSuffix(dir, "/")+"/")
}

// lose notes that a change of name is lost: its directory may hold anything.
// Where too many directories would have to be named, those above them stand for
// them. What is in no directory (what mktemp makes) could be asked for anywhere.
func (l *lost) lose(name string) {
	if !path.IsAbs(name) {
		l.asked = true
		return
	}
	dir := path.Dir(name)
	if slices.ContainsFunc(l.dirs, func(d string) bool { return within(dir, d) }) {
		return
	}
	l.dirs = append(slices.DeleteFunc(l.dirs, func(d string) bool { return within(d, dir) }), dir)
	if len(l.dirs) <= maxLost {
		return
	}
	deepest := slices.MaxFunc(l.dirs, func(a, b string) int { return strings.Count(a, "/") - strings.Count(b, "/") })
	if strings.Count(deepest, "/") < 2 { // nothing but the root lies above it
		*l = lost{dirs: []string{"/"}, asked: true}
		return
	}
	l.lose(deepest)
}

var kindWords = [...]string{
	world.Missing: "missing", world.Regular: "file", world.Dir: "directory", world.Symlink: "link",
	world.BlockDevice: "block", world.CharDevice: "character", world.Other: "other",
}

// flagWords are the words for what is true of a change.
var flagWords = []string{"known", "executable", "made", "fetched", "cut", "brought", "away"}

func (c *change) flags() []*bool {
	return []*bool{&c.known, &c.exec, &c.made, &c.fetched, &c.cut, &c.brought, &c.away}
}

// A Keeper says what is kept of the changes.
type Keeper interface {
	// Change reports whether a change is kept that has these names in it.
	Change(names ...string) bool
	// Content returns what is kept of the content of a file, and whether that is
	// all of it.
	Content(name string, content value.Value) (value.Value, bool)
}

// Write writes the changes so that [Read] reads them back, as far as k keeps them.
// It asks k in the order of their names.
func (o *FS) Write(w *wire.Writer, k Keeper) {
	var gone lost
	if o.lost != nil {
		gone = lost{dirs: slices.Clone(o.lost.dirs), asked: o.lost.asked}
	}
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(o.changes)), func(name string) bool {
		c := o.changes[name]
		if k.Change(append([]string{name, c.link, c.from}, c.copies...)...) {
			return false
		}
		gone.lose(name)
		return true
	})
	w.Count(len(names))
	for _, name := range names {
		c := *o.changes[name]
		if kept, all := k.Content(name, c.content); !all {
			c.content, c.cut = kept, c.cut || c.known
		}
		w.String(name)
		c.write(w)
	}
	slices.Sort(gone.dirs)
	w.Strings(gone.dirs)
	w.Bool(gone.asked)
}

func (c *change) write(w *wire.Writer) {
	w.String(kindWords[c.kind])
	var set []string
	for i, flag := range c.flags() {
		if *flag {
			set = append(set, flagWords[i])
		}
	}
	w.Strings(set)
	w.String(c.link)
	w.String(c.from)
	w.Strings(c.copies)
	c.content.Write(w)
}

// Read reads what [FS.Write] wrote: the changes, on top of base. What is wrong is
// noted in r.
func Read(r *wire.Reader, base world.FS) *FS {
	o := New(base)
	cut := false
	r.Names(func(name string) {
		c := readChange(r)
		cut = cut || c.cut
		if o.changes == nil {
			o.changes = map[string]*change{}
		}
		o.changes[name] = c
	})
	gone := lost{dirs: r.Strings(), asked: r.Bool()}
	if len(gone.dirs) > maxLost || !slices.IsSorted(gone.dirs) {
		r.Fail(errors.New("the directories of lost changes are too many or not in order"))
	}
	if cut || gone.asked || len(gone.dirs) > 0 {
		o.lost = &gone
	}
	return o
}

func readChange(r *wire.Reader) *change {
	var c change
	c.kind = world.Kind(r.Word(kindWords[:]))
	for _, word := range r.Words(flagWords) {
		*c.flags()[slices.Index(flagWords, word)] = true
	}
	c.link, c.from, c.copies, c.content = r.String(), r.String(), r.Strings(), value.Read(r)
	if len(c.copies) > maxCopies {
		r.Fail(errors.New("too many trees were copied into one directory"))
	}
	return &c
}
