package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/eval"
	"github.com/heedsh/heed/internal/inline/lexical"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// code records code in a language that is not evaluated.
func (m *machine) code(st *shell.State, inv *shell.Invocation, run *catalog.Run) shell.Outcome {
	e := risk.Effect{Verb: risk.ExecUnknown, Target: run.Lang + " code", Kind: risk.KindCode, Program: run.Lang}
	text := run.Text
	if run.Stdin {
		text = inv.Stdin
		if !inv.HasStdin {
			run.Kind = catalog.RunShellInteractive
			m.interactive(st, inv, run)
			return shell.Outcome{}
		}
	}
	if run.Kind == catalog.RunScript {
		e.Verb, e.Target, e.Kind, e.Scope = risk.ExecProject, run.File, risk.KindScript, m.sc.Space.Scope(run.File)
	}
	if inv.StdinNet && inv.StdoutNet {
		e.Source = risk.FromNetwork()
	}
	if text.Taint().Has(value.Network) {
		e.Verb, e.Source = risk.ExecRemote, risk.FromNetwork()
	} else if hs := text.Holes(); len(hs) > 0 && hs[0].Cause != risk.CauseFile && !lexical.Commands(run.Lang) {
		flow.DescribeHole(&e, text)
	}
	out := shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, run.Lang+" code")}
	m.sc.Reveal(st, inv.Span, text)
	if e.Verb != risk.ExecRemote {
		printed, understood := m.inline(st, inv, run, m.sc.Resolved(st, text))
		if printed.IsKnown() && !printed.Empty() && run.Mode != catalog.RunInLoop {
			out.Stdout = printed
		} else {
			out.Stdout = out.Stdout.With(printed.Taint())
		}
		if printed.Taint().Has(value.Secret) {
			out.Stdout = value.Unknown(risk.CauseFile, m.sc.ShownSecret()).With(printed.Taint())
		}
		if understood {
			if !inv.Piped && !inv.Turns && run.Mode != catalog.RunInLoop && !printed.Empty() {
				m.sc.Prints(printed)
			}
			return out
		}
	}
	m.sc.NotInspected(e.Target)
	m.sc.Effect(st, inv.Span, e)
	return out
}

// inline reads code in another language as far as its literal arguments tell,
// records what it would do, and returns what it prints, as far as that is
// known, with its sources, and whether all of the code was understood.
func (m *machine) inline(st *shell.State, inv *shell.Invocation, run *catalog.Run, text value.Value) (value.Value, bool) {
	source, known := text.Known()
	if !known || m.depth >= maxNesting || !m.Spend(10+len(source)/256) {
		return value.Value{}, false
	}
	host := m.host(st, inv, run)
	var found inline.Result
	if inline.Reads(run.Lang) {
		found = eval.Scan(run.Lang, source, host)
	} else if lexical.Inert(run.Lang, source) {
		return value.Unknown(risk.CauseOutput, run.Lang), true
	}
	understood := found.Pure || found.Complete
	if len(found.Effects) == 0 && len(found.Runs) == 0 {
		m.sc.Uses(found.Uses)
	}
	outlook{machine: m, st: st, inv: inv}.codeStops(run, found.Stops)
	if !found.Inspected {
		m.lexical(st, run, text, host, &found)
	}
	if !understood && run.Kind != catalog.RunScript {
		found.Effects = append(found.Effects, lexical.Mapped(run.Lang, source)...)
	}
	if understood && !found.Pure && run.Kind == catalog.RunScript {
		m.sc.Effect(st, inv.Span, risk.Effect{Verb: risk.ExecProject, Target: run.File, Scope: m.sc.Space.Scope(run.File), Kind: risk.KindInspectedScript, Program: path.Base(run.File)})
	}
	r := &catalog.Result{Effects: found.Effects, Runs: found.Runs, ShowsStdin: found.ReadsStdin}
	deed := m.sc.Begin(st, inv, run.Lang, r)
	deed.Hook = func(file string) bool { return m.hook(st, inv, file) }
	taint := deed.Apply()
	if found.ShowsEnv {
		taint |= flow.Exported(st, inv, nil)
	}
	if stdout, _, _ := m.nestedRuns(st, inv, r); stdout != nil {
		taint |= stdout.Taint() & (value.Secret | value.Credential) // what the code does with the output of a program is not followed
	}
	// Now, since a program may make what it loads.
	if understood && inline.LoadsBeside(run.Lang) && m.sc.StandsIn(st, inv, run, &found) {
		understood = false
	}
	return found.Output.With(taint), understood
}

// interactive records a shell or command loop that reads what it runs.
func (m *machine) interactive(st *shell.State, inv *shell.Invocation, run *catalog.Run) {
	e := risk.Effect{Verb: risk.ExecShell, Target: run.Lang, Kind: risk.KindInteractive}
	// An interpreter or a terminal multiplexer that was started by name is what
	// it says: nothing is reached through it.
	_, isShell := m.fronts.Dialect(run.Lang)
	own := len(st.Context.Via) == 1 && !isShell
	if run.As != risk.NoKind {
		e.Kind = run.As
	}
	switch {
	case isShell && len(st.Context.Via) == 0 && m.loop != "" && !inv.HasStdin:
		st = st.Clone()
		st.Context.Via = []string{m.loop}
		e.Kind = risk.KindShellEscape
	case inv.StdinNet || inv.StdoutNet || inv.Stdin.Taint().Has(value.Network):
		e.Verb, e.Source, e.Kind = risk.ExecRemote, risk.FromNetwork(), risk.KindReverseShell
	case st.Context.Container != "" && !st.Context.Privileged:
		e.Kind = risk.KindInteractive // in a container, not here
	case st.Context.Privileged:
		e.Kind = risk.KindRootShell
	case len(st.Context.Via) > 0 && !own:
		e.Kind = risk.KindShellEscape
	}
	if n := len(st.Context.Via); e.Kind == risk.KindShellEscape && n > 0 {
		e.Program = st.Context.Via[n-1]
	}
	m.sc.Effect(st, inv.Span, e)
}

// madeAbove reports whether something before made a directory with all that is in it,
// which a file is below: an environment of a language, a work tree.
func madeAbove(sc *flow.Scene, file string) bool {
	return slices.ContainsFunc(sc.Trace.Effects, func(e risk.Effect) bool {
		return e.Verb == risk.FSCreate && e.Recursive && strings.HasPrefix(file, strings.TrimSuffix(e.Target, "/")+"/") && !sc.Fails(&e)
	})
}

// absentFile is the file of which all of a text is the contents, where it is one of the
// project that is not there yet, as the rest of a file that is scanned makes them: what
// runs the text runs that file, as a script that is missing.
func absentFile(sc *flow.Scene, st *shell.State, text value.Value) (string, bool) {
	parts := text.Parts()
	if len(parts) != 1 || parts[0].Hole == nil || text.Taint()&^(value.Untrusted|value.Absent) != 0 || st.Absent == nil || st.Context.Host != "" || st.Context.Container != "" || st.Context.Privileged {
		return "", false
	}
	h := parts[0].Hole
	if h.Cause != risk.CauseFile || !path.IsAbs(h.Name) {
		return "", false
	}
	p := sc.Place(st, value.Lit(h.Name), true)
	return h.Name, p.Missing && !st.FS.Fetched(p.Path) && p.Scope == risk.InWorkspace
}

// missingScript records a script that cannot be read.
func (m *machine) missingScript(st *shell.State, span risk.Span, name string) {
	if _, ok := flow.Descriptor(name); ok {
		m.sc.Effect(st, span, risk.Effect{Verb: risk.ExecUnknown, Target: name, Kind: risk.KindScript, Unresolved: name, Cause: risk.CauseInput})
		return
	}
	p := m.sc.Place(st, value.Lit(name), true)
	e := risk.Effect{Verb: risk.ExecProject, Target: p.Path, Scope: p.Scope, Kind: risk.KindScript}
	b, err := st.FS.ReadFile(p.Path, maxScript)
	if err != nil {
		if !madeAbove(m.sc, p.Path) {
			e.Verb, e.Kind = risk.ExecUnknown, risk.KindMissing
			if m.sc.World.User.UID != 0 && st.Here() && !st.Context.Privileged && st.FS.Denied(p.Path, world.Reading) {
				e.By.Denied = "read"
			}
		}
		m.sc.NotInspected(p.Path)
		m.sc.Effect(st, span, e)
		return
	}
	m.sc.Effect(st, span, e)
	if m.depth < maxNesting {
		m.depth++
		if err := m.fronts.Eval(m, st, string(b), &span, nil); err != nil {
			m.sc.Effect(st, span, risk.Effect{Verb: risk.Blind, Kind: risk.KindSourcedUnparsable})
		}
		m.depth--
	}
}
