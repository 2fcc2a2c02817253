package engine

import (
	"context"
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// machine implements [shell.Machine] for one request.
type machine struct {
	catalog *catalog.Catalog
	fronts  *shell.Fronts
	parts   []value.Value // of the text of the request
	before  *shell.Left   // what earlier commands of the session left
	sc      *flow.Scene
	steps   int
	depth   int
	looks   looks
	deeds   int // programs that did more than compute
	// last is the program that was last run with the terminal as its input, and
	// loop the last of them that reads commands: what follows it in a text may
	// be what is typed there.
	last, loop string
	// ctx is the request's own. It is looked at now and then: unlooked counts the
	// steps since the last look, and stopped says that nobody waits any more.
	ctx      context.Context
	unlooked int
	stopped  bool
}

// maxWalked bounds how many entries of directories the searches of one request
// look at. What is found outside of the places where people work weighs the same
// whatever it is called, so an entry there counts as strange many: the system's
// own trees are large, and somebody waits for the answer.
const (
	maxWalked = 150_000
	strange   = 10
)

// looks counts entries of directories that hooks look at.
type looks struct{ walked int }

// in counts those of a directory, and reports false when it is enough.
func (l *looks) in(space *workspace.Space, dir string, entries int) bool {
	switch space.Scope(dir) {
	case risk.InWorkspace, risk.InTemp, risk.InOtherRepo:
		l.walked += entries
	default:
		l.walked += strange * entries
	}
	return l.walked <= maxWalked
}

// stepsPerLook is how many steps pass between two looks at the context, which
// may cost a lock.
const stepsPerLook = 64

// Spend implements [shell.Machine]. Where nobody waits for the answer any more, what is left
// of the command is not evaluated; who asked knows that he cancelled it.
func (m *machine) Spend(n int) bool {
	m.steps += n
	if m.unlooked += n; m.unlooked >= stepsPerLook && !m.stopped {
		m.unlooked = 0
		m.stopped = m.ctx.Err() != nil
	}
	if m.steps > maxSteps || m.stopped {
		m.sc.Trace.Spent = true
		return false
	}
	return true
}

// Deeds implements [shell.Machine]. Programs that were computed in process are
// no deeds.
func (m *machine) Deeds() (n int, plenty bool) {
	return len(m.sc.Trace.Effects) + m.deeds, m.steps < maxSteps*3/4
}

// Unknown implements [shell.Machine].
func (m *machine) Unknown(st *shell.State, span risk.Span, role risk.Role, what string) {
	m.sc.Note(span, role, what)
	switch role {
	case risk.RoleParse:
		m.sc.Effect(st, span, risk.Effect{Verb: risk.Blind, Kind: risk.KindPartUnparsable})
	case risk.RolePlaceholder:
		m.sc.Effect(st, span, risk.Effect{Verb: risk.ExecUnknown, Kind: risk.KindPlaceholder, Target: what})
	case risk.RoleBudget:
		m.sc.Trace.Spent = true
	case risk.RoleCode:
		m.sc.Effect(st, span, risk.Effect{Verb: risk.ExecUnknown, Kind: risk.KindCode, Target: what, Unresolved: what, Cause: risk.CauseOther})
	case risk.RoleScript:
		m.missingScript(st, span, what)
	}
}

// Code implements [shell.Machine]: text with holes, or from the network, is
// about to be run.
func (m *machine) Code(st *shell.State, span risk.Span, text value.Value, lang string) {
	if file, ok := absentFile(m.sc, st, text); ok {
		m.missingScript(st, span, file)
		return
	}
	e := risk.Effect{Verb: risk.ExecUnknown, Kind: risk.KindCode, Target: flow.Clip(text.String(), 400)}
	switch {
	case text.Taint().Has(value.Network):
		e.Verb, e.Source = risk.ExecRemote, risk.FromNetwork()
	default:
		flow.DescribeHole(&e, text)
	}
	if e.Target == "" {
		e.Target = lang + " code"
	}
	m.sc.Note(span, risk.RoleCode, text.String())
	m.sc.Effect(st, span, e)
}

// Effect implements [shell.Machine].
func (m *machine) Effect(st *shell.State, span risk.Span, x shell.Effect) {
	e := risk.Effect{Verb: x.Verb, Target: x.Target.String(), Kind: x.Kind}
	if x.Verb == risk.ExecKnown {
		e.Program = st.Shell // what it does not say of itself
	}
	if x.Kind == risk.KindPreload && absentLibrary(m, st, x.Target) {
		e.Reversible = risk.NothingThere
	}
	m.sc.Effect(st, span, e)
}

// absentLibrary reports whether the one library that is to be loaded into every program
// surely is not there: ld.so(8) then says so and goes on.
func absentLibrary(m *machine, st *shell.State, w value.Value) bool {
	if text, _ := w.Known(); strings.Contains(text, "/") { // else it is looked for where libraries are
		w = flow.Absolute(st, w)
	}
	name, known := w.Known()
	return known && path.IsAbs(name) && !strings.ContainsAny(name, ": $") && st.Here() && m.Settled() && world.Absent(st.FS, path.Clean(name))
}

// Tell implements [shell.Machine].
func (m *machine) Tell(st *shell.State, span risk.Span, t shell.Telling) {
	switch name, _ := t.Dir.Known(); {
	case m.sc.Current >= 0 || st.Captured || st.Unreached != nil:
	case t.Loop != nil:
		m.sc.Tell(flow.Told{Loop: t.Loop, Span: span})
	case !st.Maybe && len(st.Reached) == 0:
		m.sc.Tell(flow.Told{Text: t.What, Dir: name, Span: span})
	}
}

// Make implements [shell.Machine].
func (m *machine) Make(st *shell.State, span risk.Span, target value.Value) {
	if p := m.sc.Place(st, target, true); (p.Missing || p.Scope == risk.ScopeUnknown && target.IsKnown()) && m.sc.Space.Scope(p.Path) != risk.IsNull {
		e := catalog.Effect{Verb: risk.FSCreate, Target: target}
		m.sc.FileEffect(st, span, &e, value.Value{}, "")
		m.sc.Play(st, &e, value.Value{}, true)
	}
}

// Store implements [shell.Machine].
func (m *machine) Store(st *shell.State, span risk.Span, target, content value.Value, how shell.Writing) {
	e := catalog.Effect{Verb: risk.FSWrite, Target: target}
	if how.Output {
		e.Rule = risk.RuleOutput
	}
	switch {
	case how.Add:
		e.Kind = risk.KindAppend
	case content.Empty() && content.Taint() == 0, how.Opened != nil && readAfter(m.sc, st, target, *how.Opened):
		e.Kind = risk.KindTruncate
	}
	m.sc.FileEffect(st, span, &e, content, "")
	m.sc.ToFile(st, span, target, content)
	m.sc.Fills(st, span, target, content.Taint())
	content = content.Without(value.Endless)
	if name, ok := flow.Absolute(st, target).Known(); ok && st.Context.Host == "" {
		resolved, _ := world.Resolve(st.FS, path.Clean(name), true)
		if how.Add {
			if old, known, ok := st.FS.Content(resolved); ok && known {
				content = value.Concat(old, content)
			} else if i, err := st.FS.Lstat(resolved); err == nil && i.Kind != world.Missing {
				content = value.Concat(value.Unknown(risk.CauseFile, resolved), content)
			}
		}
		if m.sc.Space.Scope(resolved) != risk.IsNull {
			st.FS.Create(resolved, content, true)
		}
	}
}

// readAfter reports whether a file that the shell has emptied is the only one that was read
// since: what is written to it is made of nothing (`sort names >names`).
func readAfter(sc *flow.Scene, st *shell.State, target value.Value, since shell.Mark) bool {
	name, known := flow.Absolute(st, target).Known()
	if !known || since.Effects > len(sc.Trace.Effects) {
		return false
	}
	name, _ = world.Resolve(st.FS, path.Clean(name), true)
	read := false
	for e := range sc.Since(since) {
		switch {
		case e.Verb != risk.FSRead || e.Scope == risk.IsNull || e.By.Stored:
			continue
		case e.Target != name || e.Unresolved != "" || e.Recursive:
			return false
		}
		read = true
	}
	return read
}

// Load implements [shell.Machine]: the contents are read only when something
// runs them; until then they are a hole that names the file.
func (m *machine) Load(st *shell.State, span risk.Span, target value.Value) value.Value {
	m.sc.FileEffect(st, span, &catalog.Effect{Verb: risk.FSRead, Target: target}, value.Value{}, "")
	return m.sc.Contents(st, target)
}

// Connect implements [shell.Machine].
func (m *machine) Connect(st *shell.State, span risk.Span, address value.Value) value.Value {
	host, _, _ := strings.Cut(address.String(), "/")
	m.sc.Effect(st, span, risk.Effect{Verb: risk.NetConnect, Target: strings.Replace(address.String(), "/", ":", 1), Scope: workspace.HostScope(host)})
	return value.Unknown(risk.CauseInput, address.String()).With(value.Network)
}

// Send implements [shell.Machine].
func (m *machine) Send(st *shell.State, span risk.Span, address, content value.Value) {
	if content.Empty() && content.Taint() == 0 {
		return
	}
	host, _, _ := strings.Cut(address.String(), "/")
	e := risk.Effect{Verb: risk.NetSend, Target: strings.Replace(address.String(), "/", ":", 1), Scope: workspace.HostScope(host)}
	m.sc.Effect(st, span, e)
	m.sc.ToNet(st, span, e, content.Taint(), m.sc.SecretName(content))
}

// Show implements [shell.Machine].
func (m *machine) Show(st *shell.State, span risk.Span, content value.Value) {
	m.sc.Show(st, span, content)
}

// Mark implements [shell.Machine].
func (m *machine) Mark() shell.Mark { return m.sc.Mark() }

// Forever implements [shell.Machine].
func (m *machine) Forever(st *shell.State, span risk.Span, since shell.Mark, deeper bool) bool {
	return m.sc.Forever(st, span, since, deeper)
}
