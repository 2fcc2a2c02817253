package overlay

import (
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// Move records that what is at from is at to, as rename(2) has it, and all below it with
// it. content is what the world has in a file, if it is known; what this command wrote
// into it goes along.
func (o *FS) Move(from, to string, content value.Value, known bool) {
	if o.askBelow(from); within(to, from) || within(from, to) {
		return
	}
	d, ok := o.moved(from, content, known)
	if !ok {
		return
	}
	if over, err := o.Lstat(to); err != nil || over.Kind != world.Missing {
		d.made = d.made && o.Made(to) // what is there now may be what is left of that
	}
	below := map[string]change{}
	for p, c := range o.changes {
		if rest, ok := strings.CutPrefix(p, from+"/"); ok {
			below[to+"/"+rest] = *c
		}
	}
	o.Delete(to)
	if d.from == to && o.there(to) == to { // back where it was
		if d.from = ""; o.asItWas(to, &d) {
			delete(o.changes, to)
		}
	}
	if c, ok := o.changes[to]; ok && c.kind == world.Missing {
		o.set(to, d)
	}
	o.Delete(from)
	o.set(from, change{kind: world.Missing, away: true})
	for p, c := range below {
		o.set(p, c)
	}
}

// moved is what is at a name, as another name gets it.
func (o *FS) moved(from string, content value.Value, known bool) (d change, ok bool) {
	origin := o.there(from)
	c, changed := o.changes[from]
	if changed {
		o.read(from, c)
		if d = *c; !d.made && (d.kind == world.Dir || d.before) {
			d.from = origin
		}
		return d, d.kind != world.Missing
	}
	info, err := o.Lstat(from)
	if err != nil {
		return change{kind: world.Other}, true
	}
	d = change{kind: info.Kind, exec: info.Mode&0o111 != 0, from: origin}
	if o.CopyOf(from) != "" {
		d.from, d.made, d.copies = "", origin == "", o.copiesOf(from)
	}
	switch d.kind {
	case world.Symlink:
		d.link, _ = o.Readlink(from)
	case world.Regular:
		d.content, d.known = content, known
	}
	return d, d.kind != world.Missing
}

// asItWas reports whether nothing but its name was changed of what the world has at name.
func (o *FS) asItWas(name string, c *change) bool {
	info, err := o.base.Lstat(name)
	return err == nil && info.Kind == c.kind && !c.made && !c.fetched && !c.brought && len(c.copies) == 0 && (!c.exec || info.Mode&0o111 != 0)
}

// Join adds what another branch changed: a name that either branch touched is
// remembered as touched; where both did, this branch's word stands. What only one of
// them moved away may still be there, and what only one made may be what was there.
func (o *FS) Join(p *FS) {
	var mine, theirs []string
	for name, c := range o.changes {
		if d, ok := p.changes[name]; c.away && (!ok || !d.away) || c.made && !ok {
			mine = append(mine, name)
		}
	}
	for name, c := range p.changes {
		if _, ok := o.changes[name]; !ok && !c.away {
			theirs = append(theirs, name)
		}
	}
	before := o.Clone()
	for _, name := range mine {
		switch d, ok := p.changes[name]; {
		case ok:
			o.set(name, *d)
		case o.changes[name].away:
			delete(o.changes, name)
			o.direct = ""
		default:
			o.set(name, o.changes[name].beside(p, name))
		}
	}
	for _, name := range theirs {
		o.set(name, p.changes[name].beside(before, name))
	}
}

// beside is a change of one branch where the other, which is fs, has none: what was there
// before counts as what is there.
func (c *change) beside(fs *FS, name string) change {
	d := *c
	if d.made {
		i, err := fs.Lstat(name)
		d.made = err == nil && i.Kind == world.Missing || fs.Made(name)
	}
	return d
}
