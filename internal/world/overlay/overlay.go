// Package overlay is a file system in the mind: the world's files as they
// would be after the parts of a command that were already evaluated.
//
// In go a world.FS and the changes a command makes; out comes a world.FS that
// answers as if they had been made. Nothing is written anywhere. Contents are
// values: they may have holes, and they carry the sources that flowed in.
package overlay

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// An FS is a world.FS with changes on top. It is not safe for concurrent use.
type FS struct {
	base    world.FS
	changes map[string]*change // by clean absolute path, links in parents resolved
	lost    *lost              // what was not kept of the changes, if anything
	direct  string             // see Direct
}

type change struct {
	kind    world.Kind // Missing: deleted
	link    string
	content value.Value
	known   bool // content says what is in the file
	exec    bool
	made    bool     // the name did not exist before this command
	fetched bool     // what is in the directory came from the network
	brought bool     // what is in the directory may be other than the world has
	cut     bool     // the content was not kept
	before  bool     // it is as an earlier command left it
	late    bool     // the world has the content, and nobody asked for it yet
	away    bool     // what was here has another name now
	from    string   // the name under which the world has what is here
	copies  []string // directories of the world that were copied into this one, the last first
}

// New returns base without any change.
func New(base world.FS) *FS { return &FS{base: base} }

// Clone returns a copy that changes independently.
func (o *FS) Clone() *FS {
	return &FS{base: o.base, changes: maps.Clone(o.changes), lost: o.lost}
}

// Follow makes o what p has become, which began as a clone of o: what p stands
// for surely happened.
func (o *FS) Follow(p *FS) { o.changes, o.direct = maps.Clone(p.changes), "" }

// Direct is a directory to which no link leads and nothing is missing on the way, as
// things are now; "" if none is remembered.
func (o *FS) Direct() string { return o.direct }

// SetDirect remembers one.
func (o *FS) SetDirect(dir string) { o.direct = dir }

func (o *FS) set(name string, c change) {
	o.direct = ""
	if o.changes == nil {
		o.changes = map[string]*change{}
	}
	o.changes[name] = &c
}

// Create records a new or replaced regular file.
func (o *FS) Create(name string, content value.Value, known bool) {
	old, err := o.Lstat(name)
	made := err == nil && old.Kind == world.Missing || o.Made(name) // nobody knows what was there where it cannot be looked at
	exec := old.Kind == world.Regular && old.Mode&0o111 != 0
	o.set(name, change{kind: world.Regular, content: content, known: known, made: made, exec: exec})
}

// Adopt records that a file, though its name is new, holds what was somewhere
// else before: losing it is a loss.
func (o *FS) Adopt(name string) {
	o.ask(name)
	if c, ok := o.changes[name]; ok {
		d := *c
		d.made = false
		o.set(name, d)
	}
}

// Mkdir records a new directory.
func (o *FS) Mkdir(name string) {
	if i, _ := o.Lstat(name); i.Kind == world.Missing {
		o.set(name, change{kind: world.Dir, made: true})
	}
}

// Fetch records that a directory, which may be there already, was filled with
// what came from the network.
func (o *FS) Fetch(name string) {
	o.Mkdir(name)
	d := change{kind: world.Dir}
	if c, ok := o.changes[name]; ok && c.kind == world.Dir {
		d = *c
	}
	d.fetched = true
	o.set(name, d)
}

// FetchedBefore records that an earlier command filled a directory with what came
// from the network: what the world has there is that.
func (o *FS) FetchedBefore(name string) {
	o.Fetch(name)
	d := *o.changes[name]
	d.before = true
	o.set(name, d)
}

// maxLate is how much of a file is read of which only the sources were told.
const maxLate = 256 << 10

// Inherit records what flowed into a file that an earlier command wrote, and that
// is now as the world has it. The content of what came from another machine, or
// of a secret, is not read.
func (o *FS) Inherit(name string, t value.Taint) {
	o.set(name, change{
		kind: world.Regular, content: value.Unknown(risk.CauseFile, name).With(t), known: true, before: true,
		late: !t.Has(value.Network | value.Secret | value.Private | value.Credential),
	})
}

// read gets the content of a file that the world has.
func (o *FS) read(name string, c *change) {
	if !c.late {
		return
	}
	c.late = false
	if text, err := o.base.ReadFile(o.there(name), maxLate); err == nil {
		c.content = value.Lit(string(text)).With(c.content.Taint())
	}
}

// Bring records that the files below a directory may have other contents now,
// which are not known: version control checked something else out.
func (o *FS) Bring(name string) {
	o.Mkdir(name)
	d := change{kind: world.Dir}
	if c, ok := o.changes[name]; ok && c.kind == world.Dir {
		d = *c
	}
	d.brought = true
	o.set(name, d)
}

// Brought reports whether the contents of a file that this command has not
// written may be others than the world has, because they were brought, or a tree was
// copied over it.
func (o *FS) Brought(name string) bool {
	if len(o.changes) == 0 || strings.Contains(name, "/.git/") {
		return false
	}
	if c, ok := o.changes[name]; ok && c.kind != world.Dir {
		return false
	}
	if o.CopyOf(name) != "" && !o.Made(name) { // a copy may leave what is there
		return true
	}
	for p := parent(name); ; p = parent(p) {
		o.ask(p)
		if c, ok := o.changes[p]; ok && c.brought {
			return true
		}
		if p == "/" || p == "." {
			return false
		}
	}
}

// Fetched reports whether a name may be one of what was put into a directory from
// the network: one that the world does not have, unless that was done before.
func (o *FS) Fetched(name string) bool {
	o.ask(name)
	if len(o.changes) == 0 {
		return false
	}
	for p := name; p != "/" && p != "." && p != ""; p = parent(p) {
		c, ok := o.changes[p]
		switch {
		case !ok:
		case c.fetched && c.before:
			return true
		case c.fetched:
			i, err := o.base.Lstat(name)
			return err != nil || i.Kind == world.Missing
		case p == name && c.kind != world.Dir: // written by the command itself, or gone
			return false
		case p != name && c.kind == world.Regular && c.known && c.content.Taint().Has(value.Network):
			return true // of what came it is not known whether it is a directory
		}
	}
	return false
}

// Untouched reports whether nothing was changed.
func (o *FS) Untouched() bool { return len(o.changes) == 0 && o.lost == nil }

// Without implements [world.Lacker].
func (o *FS) Without(dir string, names []string) []string {
	if l, ok := o.base.(world.Lacker); ok && o.Untouched() {
		return l.Without(dir, names)
	}
	return names
}

// Denied implements [world.Denier], for what the command has not changed.
func (o *FS) Denied(name string, how world.Access) bool {
	d, ok := o.base.(world.Denier)
	return ok && o.Untouched() && d.Denied(name, how)
}

// Came records that what was at from is at name, and Origin returns where the
// world has what is at name now: there it was before this command, "" if it
// was not moved.
func (o *FS) Came(name, from string) {
	o.ask(name)
	o.ask(from)
	if c, ok := o.changes[from]; ok && c.from != "" {
		from = c.from
	}
	d := change{kind: world.Regular}
	if c, ok := o.changes[name]; ok {
		d = *c
	} else if i, err := o.base.Lstat(from); err == nil {
		d.kind = i.Kind
	}
	if d.from = from; from == name {
		d.from = ""
	}
	o.set(name, d)
}

// Origin is described at Came. What is below a directory came with it.
func (o *FS) Origin(name string) string {
	o.ask(name)
	if c, ok := o.changes[name]; ok && (c.from != "" || c.made || c.kind != world.Dir) {
		return c.from
	}
	if from := o.there(name); from != name {
		return from
	}
	return ""
}

// Inside returns where the world has what was moved to places below name, in
// order, at most limit of them.
func (o *FS) Inside(name string, limit int) []string {
	o.askBelow(name)
	var from []string
	for p, c := range o.changes {
		if c.from != "" && strings.HasPrefix(p, strings.TrimSuffix(name, "/")+"/") {
			from = append(from, c.from)
		}
	}
	slices.Sort(from)
	return from[:min(len(from), limit)]
}

// Base is the world without any change.
func (o *FS) Base() *FS { return New(o.base) }

// Link records a symbolic link.
func (o *FS) Link(name, target string) {
	o.set(name, change{kind: world.Symlink, link: target, made: true})
}

// Chmod records that a file became executable.
func (o *FS) Chmod(name string) {
	o.ask(name)
	if c, ok := o.changes[name]; ok {
		d := *c
		d.exec = true
		o.set(name, d)
	}
}

// Delete records that a name and all below it are gone.
func (o *FS) Delete(name string) {
	for p := range o.changes {
		if strings.HasPrefix(p, name+"/") {
			delete(o.changes, p)
		}
	}
	o.set(name, change{kind: world.Missing})
}

// Made reports whether this command itself made name, or a directory above it.
func (o *FS) Made(name string) bool {
	o.ask(name)
	if o.CopyOf(name) != "" {
		at := o.there(name)
		i, err := o.base.Lstat(at)
		return at == "" || err == nil && i.Kind == world.Missing
	}
	for len(o.changes) > 0 {
		if c, ok := o.changes[name]; ok && (c.made || c.from != "") {
			return c.made
		}
		if name == "/" || name == "." || name == "" {
			return false
		}
		name = parent(name)
	}
	return false
}

// Touched reports whether this command changed name itself.
func (o *FS) Touched(name string) bool {
	o.ask(name)
	_, ok := o.changes[name]
	return ok
}

// Content returns what this command wrote into name. ok is false if it wrote
// nothing there; known is false if it wrote something that cannot be told.
func (o *FS) Content(name string) (v value.Value, known, ok bool) {
	o.ask(name)
	c, ok := o.changes[name]
	if !ok || c.kind != world.Regular {
		return value.Value{}, false, false
	}
	o.askContent(c)
	o.read(name, c)
	return c.content, c.known, true
}

// Contents tells what this command wrote into files, in any order.
func (o *FS) Contents(tell func(name string, content value.Value)) {
	for name, c := range o.changes {
		if c.kind == world.Regular {
			tell(name, c.content)
		}
	}
}

// FetchedDirs tells the directories that were filled from the network, now or before,
// in any order.
func (o *FS) FetchedDirs(tell func(name string)) {
	for name, c := range o.changes {
		if c.kind == world.Dir && c.fetched {
			tell(name)
		}
	}
}

// parent is the directory of a path, without the work of cleaning one that is clean.
func parent(name string) string {
	last := -1
	for i := range len(name) {
		if name[i] != '/' {
			continue
		}
		if last = i; i+1 < len(name) && (name[i+1] == '/' || name[i+1] == '.') {
			return path.Dir(name)
		}
	}
	if last <= 0 {
		return path.Dir(name)
	}
	return name[:last]
}

// there is where the world has what is at a name: under the same name, but for what was
// moved and lies below it; "" if a directory above it was deleted, replaced by something
// else, or made afresh.
func (o *FS) there(name string) string {
	if len(o.changes) == 0 {
		return name
	}
	if c, ok := o.changes[name]; ok && c.from != "" {
		return c.from
	}
	for p := parent(name); p != "/" && p != "."; p = parent(p) {
		switch c, ok := o.changes[p]; {
		case !ok:
		case c.kind != world.Dir, c.made:
			return ""
		case c.from != "":
			return c.from + name[len(p):]
		}
	}
	return name
}

// looked is where to look in the world for what is at a name: as there, or where it was
// copied from with the directory that it is in.
func (o *FS) looked(name string) string {
	if from := o.CopyOf(name); from != "" {
		return from
	}
	return o.there(name)
}

// Lstat implements [world.FS].
func (o *FS) Lstat(name string) (world.Info, error) {
	o.ask(name)
	c, ok := o.changes[name]
	if !ok {
		at := o.looked(name)
		if at == "" {
			return world.Info{Kind: world.Missing}, nil
		}
		return o.base.Lstat(at)
	}
	if c.kind == world.Dir && !c.made || c.before || c.from != "" && !c.made { // it is there, as it was
		i, err := o.base.Lstat(o.there(name))
		same := i.Kind == c.kind || c.before && i.Kind != world.Missing // it may be something else by now
		if err == nil && same && (!c.exec || i.Mode&0o111 != 0) {
			return i, nil
		}
	}
	mode := fs.FileMode(0o644)
	if c.exec || c.kind == world.Dir {
		mode = 0o755
	}
	size := int64(c.content.Len())
	if _, whole := c.content.Known(); c.kind == world.Regular && (!c.known || !whole) {
		size = max(size, 1) // something is in it, or may be
	}
	return world.Info{Kind: c.kind, Mode: mode, Size: size}, nil
}

// Readlink implements [world.FS].
func (o *FS) Readlink(name string) (string, error) {
	o.ask(name)
	if c, ok := o.changes[name]; ok && !c.before {
		if c.kind != world.Symlink {
			return "", fmt.Errorf("reading link %s: %w", name, world.ErrNotExist)
		}
		return c.link, nil
	}
	return o.base.Readlink(o.looked(name))
}

// ReadDir implements [world.FS].
func (o *FS) ReadDir(name string, limit int) ([]world.Entry, error) {
	o.ask(name)
	var entries []world.Entry
	var err error
	c, touched := o.changes[name]
	if at := o.there(name); !touched && at != "" || touched && !c.made && c.kind == world.Dir {
		if entries, err = o.base.ReadDir(at, limit); err != nil && len(entries) == 0 && !touched {
			if o.CopyOf(name) == "" {
				return entries, err
			}
			err = nil
		}
	}
	if len(o.changes) == 0 {
		return entries, err
	}
	for _, from := range o.copiesOf(name) {
		more, _ := o.base.ReadDir(from, limit)
		entries = append(slices.DeleteFunc(slices.Clone(entries), func(e world.Entry) bool {
			return slices.ContainsFunc(more, func(m world.Entry) bool { return m.Name == e.Name })
		}), more...)
	}
	prefix := name + "/"
	if name == "/" {
		prefix = "/"
	}
	entries = slices.Clone(entries)
	for p, c := range o.changes {
		base, ok := strings.CutPrefix(p, prefix)
		if !ok || base == "" || strings.Contains(base, "/") {
			continue
		}
		entries = slices.DeleteFunc(entries, func(e world.Entry) bool { return e.Name == base })
		if c.kind != world.Missing {
			entries = append(entries, world.Entry{Name: base, Kind: c.kind})
		}
	}
	slices.SortFunc(entries, func(a, b world.Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries, err
}

// copied is the file of the machine that something was copied from, as it is now.
func copied(c *change) (name string, ok bool) {
	parts := c.content.Parts()
	if c.kind != world.Regular || len(parts) != 1 || parts[0].Hole == nil {
		return "", false
	}
	h := parts[0].Hole
	if c.content.Taint().Has(value.Network | value.Secret | value.Private) {
		return "", false
	}
	return h.Name, h.Cause == risk.CauseFile && path.IsAbs(h.Name)
}

// ReadFile implements [world.FS]. Contents with holes cannot be read, but for
// what was copied from a file of the machine.
func (o *FS) ReadFile(name string, limit int64) ([]byte, error) {
	o.ask(name)
	c, ok := o.changes[name]
	if !ok {
		at := o.looked(name)
		if at == "" {
			return nil, fmt.Errorf("reading %s: %w", name, world.ErrNotExist)
		}
		if o.Brought(name) {
			return nil, fmt.Errorf("reading %s: %w", name, world.ErrNotRead)
		}
		return o.base.ReadFile(at, limit)
	}
	o.askContent(c)
	o.read(name, c)
	s, whole := c.content.Known()
	switch from, ok := copied(c); {
	case ok:
		o.ask(from)
		return o.base.ReadFile(from, limit)
	case c.kind == world.Missing:
		return nil, fmt.Errorf("reading %s: %w", name, world.ErrNotExist)
	case c.kind != world.Regular || !c.known || !whole:
		return nil, fmt.Errorf("reading %s: %w", name, world.ErrNotRead)
	case int64(len(s)) > limit:
		return nil, fmt.Errorf("reading %s: %w", name, world.ErrTooLarge)
	}
	return []byte(s), nil
}

// Lines implements [world.FS].
func (o *FS) Lines(name, prefix string) (world.Lines, error) {
	o.ask(name)
	if _, ok := o.changes[name]; !ok && !o.Brought(name) {
		if at := o.looked(name); at != "" {
			return o.base.Lines(at, prefix)
		}
	}
	text, err := o.ReadFile(name, world.MaxLineFile)
	return world.LinesOf(string(text), prefix), err
}

// Mount implements [world.FS].
func (o *FS) Mount(name string) (world.Mount, error) { return o.base.Mount(name) }
