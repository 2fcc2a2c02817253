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

// withoutRights says how an invocation fails that needs more rights than it has, or whose user
// may not do with any of its files what it is to do with them. Only words of the command line
// count: a program that has rights of its own (chsh(1), crontab(1)) uses them on files of its
// own, and one that asks a service has the service open them.
func (o outlook) withoutRights(need *catalog.Need) *risk.Ending {
	r := o.r
	if need != nil && o.lacking(need) {
		return o.because(need, nil)
	}
	if o.sc.World.User.UID == 0 {
		return nil
	}
	if len(r.Effects) == 0 || len(r.Effects) > maxAsked || len(r.Runs) > 0 || r.Traits.Has(catalog.Talks) {
		return nil
	}
	var groups [3]deniedGroup
	talks := false
	for i := range r.Effects {
		e := &r.Effects[i]
		g := &groups[0]
		switch e.Verb {
		case risk.FSRead:
			if !e.Shown && !o.carries(e.Target) { // of metadata nobody needs the right to read it
				continue
			}
			g.word = "read"
		case risk.NetConnect, risk.NetSend: // which has nothing to send where it may not read
			talks = true
			continue
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
		if g.files++; o.refused(e.Verb, e.Target, e.Kind == risk.KindDirectory) {
			g.denied = append(g.denied, e.Target)
		}
	}
	if talks {
		groups[1], groups[2] = deniedGroup{}, deniedGroup{}
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
func (o outlook) refused(verb risk.Verb, file value.Value, directory bool) bool {
	switch verb {
	case risk.FSRead:
		return o.Denied(o.st, file, world.Reading)
	case risk.FSDelete:
		return o.Denied(o.st, file, world.Entering)
	}
	name, known := flow.Absolute(o.st, file).Known()
	return known && mayBeDenied(o.machine, o.st) && unwritable(o.st.FS, o.st.FS, path.Clean(name), directory)
}

// deny marks the effects that the last invocation has, with all that it started, and that
// the system refuses to the user, where that is not how it ends: code goes on behind what
// fails, and what stands behind && may never be reached. before is how many effects there
// were before it, of which none may have changed the rights of files or given some.
func deny(m *machine, st *shell.State, before int) {
	disk, ok := m.sc.World.FS.(world.Denier)
	effects := m.sc.Trace.Effects
	if m.sc.World.User.UID == 0 || !ok || st.Context.Privileged || !st.Here() || len(effects)-before > maxAsked {
		return
	}
	for i := range effects[:before] {
		if e := &effects[i]; (disturbs(e) || givesRights(e)) && !m.sc.Fails(e) {
			return
		}
	}
	for i := before; i < len(effects); i++ {
		e := &effects[i]
		if e.Host == "" && !e.Privileged && e.Unresolved == "" && e.Pattern == "" && (!e.Many || e.Verb == risk.FSDelete) && e.By.Denied == "" && m.Spend(1) {
			e.By.Denied = denied(m.sc.World, disk, e)
		}
	}
}

// givesRights reports whether a command has other rights, or files are for others, behind an
// effect.
func givesRights(e *risk.Effect) bool { return e.Verb == risk.PrivGain || e.Verb == risk.FSAttr }

// denied is what may not be done for an effect, as a verb.
func denied(w *world.World, disk world.Denier, e *risk.Effect) string {
	name, word, how := path.Clean(e.Target), "", world.Entering
	switch e.Verb {
	case risk.SecretSend, risk.NetSend:
		name, word, how = path.Clean(e.Source.String()), "read", world.Reading
	case risk.FSWrite, risk.FSCreate:
		if path.IsAbs(name) && unwritable(w.FS, disk, name, e.Verb == risk.FSCreate && e.Kind == risk.KindDirectory) {
			return "write"
		}
	case risk.FSDelete:
		if word = "delete"; e.Recursive || e.Many { // what is in a directory of the user's goes, and only it stays
			how = world.Writing
		}
	case risk.FSMove:
		word = "move"
	case risk.FSAttr:
		if info, err := w.FS.Lstat(name); path.IsAbs(name) && err == nil && info.Kind != world.Missing && info.UID != w.User.UID {
			return "change"
		}
	}
	if word != "" && path.IsAbs(name) && disk.Denied(name, how) {
		return word
	}
	return ""
}

// unwritable reports whether a file surely cannot be written or made. Who makes a directory
// may make those above it, and one that is there stays what it is.
func unwritable(files world.FS, disk world.Denier, name string, directory bool) bool {
	if !directory {
		return disk.Denied(name, world.Writing) && disk.Denied(name, world.Entering)
	}
	for ; name != "/"; name = path.Dir(name) {
		if !world.Absent(files, name) {
			return false
		}
		if disk.Denied(name, world.Entering) {
			return true
		}
	}
	return false
}

// Denied implements [shell.Machine].
func (m *machine) Denied(st *shell.State, file value.Value, how world.Access) bool {
	name, known := flow.Absolute(st, file).Known()
	return known && name != "" && mayBeDenied(m, st) && st.FS.Denied(path.Clean(name), how)
}

// mayBeDenied reports whether the user's rights are known, and are not root's, who is
// refused next to nothing. Nobody knows whose rights a command has behind one that gave some,
// or that changed those of files.
func mayBeDenied(m *machine, st *shell.State) bool {
	return m.sc.World.User.UID != 0 && st.Here() && !st.Context.Privileged && m.Settled() &&
		!slices.ContainsFunc(m.sc.Trace.Effects, func(e risk.Effect) bool { return givesRights(&e) })
}
