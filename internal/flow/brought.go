package flow

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// brings follows what a program checks out: a file that is run afterwards is not
// the one that lies there now, and what others obey is told as if it were
// written.
func (d *Deed) brings() {
	st, r := d.State, d.Result
	if len(r.Brings) == 0 || st.Context.Host != "" || st.Context.Container != "" {
		return
	}
	for i := range r.Brings {
		b := &r.Brings[i]
		if b.All {
			if name := d.Known(st, b.Path); name != "" {
				st.FS.Bring(name)
			}
			continue
		}
		p := d.Place(st, b.Path, false)
		if p.Scope == risk.IsAgentConfig || p.Scope == risk.IsStartup {
			d.tell(risk.Effect{Verb: risk.FSWrite, Target: p.Path, Scope: p.Scope, Kind: risk.KindBrought})
		}
		move := catalog.Effect{Verb: risk.FSWrite, Target: b.Path, Kind: risk.KindMove, Carries: []catalog.Source{{Path: b.From}}}
		if !path.IsAbs(p.Path) || p.Unread || !b.From.Empty() && d.renames(st, &move) {
			continue
		}
		st.FS.Create(p.Path, value.Unknown(risk.CauseFile, p.Path).With(value.Untrusted), false)
		if !b.From.Empty() { // what is there now is nowhere else
			st.FS.Adopt(p.Path)
		}
	}
}

// trees tells of what others obey in a directory that is copied whole, and in one
// that gets, or is reached by, the name of a directory which others look into.
func (d *Deed) trees() {
	st := d.State
	if st.Context.Host != "" || st.Context.Container != "" || d.Result.Match == nil || d.Result.Match.Has("dry") {
		return
	}
	for i := range d.Result.Effects {
		x := &d.Result.Effects[i]
		from, ok := d.stands(x)
		if !ok || x.Host != "" {
			continue
		}
		to := d.Known(st, x.Target)
		if x.HasLink && to != "" { // the link is there by now: its own name is meant
			to = d.Place(st, x.Target, false).Path
		}
		if to == "" || !d.Spend(10) {
			continue
		}
		if !x.HasLink && x.Kind != risk.KindMove && from != "" {
			d.obeyed(st.FS, from, to, workspace.Obeyed())
		}
		if path.Base(to) == ".git" && path.Base(from) == ".git" { // the same repository once more
			continue
		}
		if below := d.Space.ObeyedBelow(to); len(below) > 0 {
			fs := st.FS
			if x.Kind == risk.KindMove { // by now it is not there any more
				fs = st.FS.Base()
			}
			switch info, err := world.Stat(fs, from); {
			case x.Kind == risk.KindMove && info.Kind == world.Missing: // the command made it
				d.bring(path.Join(to, below[0]))
			case from == "" || err != nil || x.HasLink && info.Kind == world.Missing: // whatever is, or comes to be, in there
				d.bring(path.Join(to, below[0]))
			case info.Kind == world.Dir:
				d.obeyed(fs, from, to, below)
			}
		}
	}
}

// stands returns the directory whose contents are afterwards to be found under the
// name of an effect's target: "" if it is not known which.
func (d *Deed) stands(x *catalog.Effect) (from string, ok bool) {
	st := d.State
	switch {
	case x.Verb != risk.FSWrite && x.Verb != risk.FSCreate:
		return "", false
	case x.HasLink && x.Kind != risk.KindHardLink:
		link := x.Link
		if !strings.HasPrefix(link.Prefix(), "/") {
			link = value.Concat(value.Lit(path.Dir(d.Place(st, x.Target, false).Path)+"/"), link)
		}
		return d.Known(st, link), true
	case d.checksOut():
		return "", true
	case x.Kind == risk.KindExtract: // members of an archive, which are not looked at
		return "", true
	case x.Kind == risk.KindMove && len(x.Carries) == 1 && !x.Carries[0].Stdin:
		return d.Known(st, x.Carries[0].Path), true
	case len(x.Carries) != 1 || x.Carries[0].Stdin || !x.Recursive:
		return "", false
	}
	return d.Known(st, x.Carries[0].Path), true
}

// checksOut reports whether the program makes a directory with the files of a
// commit, which are not looked at.
func (d *Deed) checksOut() bool {
	return slices.ContainsFunc(d.Result.Effects, func(e catalog.Effect) bool {
		return e.Verb == risk.VCSLocal && (e.Kind == risk.KindWorktreeAdd || e.Kind == risk.KindClone)
	})
}

// obeyed tells of those of some names that are below a directory as written below
// another.
func (d *Deed) obeyed(fs *overlay.FS, from, to string, names []string) {
	for name := range workspace.Among(fs, from, names) {
		if info, err := world.Stat(fs, name); err != nil || info.Kind != world.Missing {
			d.bring(path.Join(to, strings.TrimPrefix(name, from)))
		}
	}
}

// bring tells of a file as written if others obey it, by its own name or by where
// that leads now.
func (d *Deed) bring(name string) {
	p := d.Place(d.State, value.Lit(name), false)
	if scope := d.Space.Scope(name); scope == risk.IsAgentConfig || scope == risk.IsStartup {
		p.Path, p.Scope = name, scope
	}
	if p.Scope == risk.IsAgentConfig || p.Scope == risk.IsStartup {
		e := risk.Effect{Verb: risk.FSWrite, Target: p.Path, Scope: p.Scope}
		if d.checksOut() {
			e.Kind = risk.KindBrought
		}
		if info, err := d.State.FS.Base().Lstat(name); err == nil && info.Kind == world.Missing {
			e.Reversible = risk.NothingThere
		}
		d.tell(e)
	}
}
