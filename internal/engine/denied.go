package engine

import (
	"path"
	"slices"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// withoutRights says how an invocation fails whose user may not do with any of its files
// what it is to do with them. Only words of the command line count: a program that has
// rights of its own (chsh(1), crontab(1)) uses them on files of its own, and one that asks
// a service has the service open them.
func (o outlook) withoutRights() *risk.Ending {
	r := o.r
	if o.sc.World.User.UID == 0 || len(r.Effects) == 0 || len(r.Effects) > maxAsked || len(r.Runs) > 0 || r.Traits.Has(catalog.Talks) {
		return nil
	}
	var groups [3]deniedGroup
	for i := range r.Effects {
		e := &r.Effects[i]
		g := &groups[0]
		switch e.Verb {
		case risk.FSRead:
			if !e.Shown && !o.carries(e.Target) { // of metadata nobody needs the right to read it
				continue
			}
			g.word = "read"
		case risk.FSWrite, risk.FSCreate:
			g, groups[1].word = &groups[1], "write"
		case risk.FSDelete:
			g, groups[2].word = &groups[2], "delete"
		default:
			return nil
		}
		_, given := asGiven(r.Match, e.Arg, e.Target)
		if !e.Target.IsKnown() || !given && !e.Needed || e.Own || e.Many || e.Recursive || e.Host != "" || e.Target.Pattern() != "" || !o.Spend(1) {
			return nil
		}
		if g.files++; o.refused(e.Verb, e.Target) {
			g.denied = append(g.denied, e.Target)
		}
	}
	for _, g := range groups {
		if first := spoken("", g.denied); g.files > 0 && len(g.denied) == g.files && first != "" {
			return &risk.Ending{How: risk.EndFails, Because: "you may not " + g.word + " " + first}
		}
	}
	return nil
}

// A deniedGroup is what is done with some files in one way, and with which it may not be.
type deniedGroup struct {
	word   string
	files  int
	denied []value.Value
}

// carries reports whether the invocation puts what a file holds somewhere else.
func (o outlook) carries(file value.Value) bool {
	return slices.ContainsFunc(o.r.Effects, func(e catalog.Effect) bool {
		return slices.ContainsFunc(e.Carries, func(s catalog.Source) bool { return !s.Stdin && s.Path.String() == file.String() })
	})
}

// refused reports whether the system surely refuses an effect on a file. Some programs write
// over a file and some put another in its place.
func (o outlook) refused(verb risk.Verb, file value.Value) bool {
	switch verb {
	case risk.FSRead:
		return o.Denied(o.st, file, world.Reading)
	case risk.FSDelete:
		return o.Denied(o.st, file, world.Entering)
	}
	return o.Denied(o.st, file, world.Writing) && o.Denied(o.st, file, world.Entering)
}

// Denied implements [shell.Machine]. Nobody knows whose rights a command has behind one that
// gave some, or that changed those of files.
func (m *machine) Denied(st *shell.State, file value.Value, how world.Access) bool {
	if m.sc.World.User.UID == 0 { // who is refused next to nothing
		return false
	}
	name, known := flow.Absolute(st, file).Known()
	if !known || name == "" || !st.Here() || st.Context.Privileged || !m.Settled() {
		return false
	}
	changed := func(e risk.Effect) bool { return e.Verb == risk.PrivGain || e.Verb == risk.FSAttr }
	return !slices.ContainsFunc(m.sc.Trace.Effects, changed) && st.FS.Denied(path.Clean(name), how)
}
