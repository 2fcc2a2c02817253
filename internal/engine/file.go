package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// runFile runs a program that the catalog does not describe: a file of the
// workspace, one this command made, or one that is not known at all.
func (m *machine) runFile(st *shell.State, inv *shell.Invocation, p program) shell.Outcome {
	if p.path == "" {
		return m.runUnknown(st, inv, p)
	}
	if next, ok := interpreted(st, inv, p); ok && m.depth < maxNesting && m.find(st, next.Argv[0].Value.String()).spec != nil {
		m.depth++
		defer func() { m.depth-- }()
		return m.argv(st, next)
	}
	return m.runScript(st, inv, p, "", inv.Words())
}

// runUnknown handles a name that neither the catalog nor the command explains.
func (m *machine) runUnknown(st *shell.State, inv *shell.Invocation, p program) shell.Outcome {
	e := risk.Effect{Verb: risk.ExecUnknown, Target: p.name, Kind: risk.KindProgram, Program: p.name}
	for _, w := range inv.Argv[1:min(len(inv.Argv), 4)] {
		s, ok := w.Value.Known()
		if ok && !strings.HasPrefix(s, "-") && catalog.Destructive(s) {
			e.Verb, e.Kind, e.Target = risk.RemoteDestroy, risk.KindUnlistedProgram, p.name+" "+s
			break
		}
	}
	if onlyHelp(inv) {
		e.Kind = risk.KindHelp
	} else if e.Kind == risk.KindProgram && m.absent(st, p.name) {
		e.Kind, e.Reversible = risk.KindMissing, risk.NothingThere
	}
	m.sc.NotInspected(p.name)
	m.sc.Effect(st, inv.Span, e)
	m.taintedArgs(st, inv, e)
	m.sc.Handed(st, inv, p.name, nil)
	return shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, flow.CommandText(inv))}
}

// absent reports whether no directory of PATH has a program of this name.
func (m *machine) absent(st *shell.State, name string) bool {
	v := st.Vars.Get("PATH")
	if v == nil || st.Context.Host != "" || strings.Contains(name, "/") {
		return false
	}
	text, known := v.Value.Known()
	if !known {
		return false
	}
	looked := 0
	for d := range strings.SplitSeq(text, ":") {
		if looked++; looked > maxPathDirs {
			return false
		}
		if !path.IsAbs(d) {
			continue
		}
		if i, err := st.FS.Lstat(path.Join(d, name)); err != nil || i.Kind != world.Missing {
			return false
		}
	}
	return looked > 0
}

// maxPathDirs is how many directories of PATH are looked into for a name.
const maxPathDirs = 64

// runScript runs a file: it reads it, if it is a shell script, and judges what
// it does; else it says what it is.
func (m *machine) runScript(st *shell.State, inv *shell.Invocation, p program, lang string, args []value.Value) shell.Outcome {
	content, known, made := st.FS.Content(p.path)
	scope := m.sc.Space.Scope(p.path)
	e := risk.Effect{Verb: risk.ExecUnknown, Target: p.path, Scope: scope, Kind: risk.KindScript, Program: p.name}
	if scope == risk.InWorkspace || scope == risk.InTemp {
		e.Verb = risk.ExecProject
	}
	switch {
	case made && content.Taint().Has(value.Network):
		e.Verb, e.Source, e.Kind = risk.ExecRemote, risk.FromNetwork(), risk.KindDownloaded
		m.sc.Effect(st, inv.Span, e)
		return shell.Outcome{}
	case !made && st.FS.Fetched(p.path):
		if !catalog.BuildsTree(p.path) {
			e.Verb, e.Source, e.Kind = risk.ExecRemote, risk.FromNetwork(), risk.KindDownloaded
		}
		m.sc.NotInspected(p.path)
		m.sc.Effect(st, inv.Span, e)
		return shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, p.name)}
	case p.info.Kind == world.Missing && !made:
		e.Verb, e.Kind, e.Reversible = risk.ExecUnknown, risk.KindMissing, risk.NothingThere
		m.sc.NotInspected(p.path)
		m.sc.Effect(st, inv.Span, e)
		return shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, p.name)}
	case made && !known:
		m.sc.NotInspected(p.path)
		m.sc.Effect(st, inv.Span, e)
		return shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, p.name)}
	}
	text, whole := content.Known()
	m.sc.Reveal(st, inv.Span, content)
	if !made || copied(content) {
		b, err := st.FS.ReadFile(p.path, maxScript)
		if err != nil {
			m.sc.NotInspected(p.path)
			m.sc.Effect(st, inv.Span, e)
			return shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, p.name)}
		}
		text, whole = string(b), true
	}
	if lang == "" {
		lang = shell.Interpreter(text)
	}
	_, isShell := m.fronts.Dialect(lang)
	switch {
	case lang == shell.Binary:
		e.Kind = risk.KindBinary
		m.sc.NotInspected(p.path)
		m.sc.Effect(st, inv.Span, e)
		return shell.Outcome{Stdout: value.Unknown(risk.CauseOutput, p.name)}
	case !isShell:
		if scope == risk.IsSecret { // an error quotes the line
			m.sc.Effect(st, inv.Span, risk.Effect{Verb: risk.SecretRead, Target: p.path, Scope: scope, Kind: risk.KindShown})
		}
		code := content
		if whole && !made {
			code = value.Lit(text).With(flow.Sources(scope))
		}
		return m.code(st, inv, &catalog.Run{Text: code, Lang: lang, Args: args, Kind: catalog.RunScript, File: p.path})
	case !whole:
		return m.shellText(st, inv, content, lang, args)
	}
	e.Kind = risk.KindInspectedScript
	m.sc.Effect(st, inv.Span, e)
	sub := st.Clone()
	newProcess(sub)
	for _, a := range inv.Assign {
		sub.Vars.Set(a.Name, shell.Var{Value: a.Value, Exported: true, Changed: true})
	}
	sub.Depth++
	m.depth++
	defer func() { m.depth-- }()
	if m.depth >= maxNesting {
		m.sc.Trace.Spent = true
		return shell.Outcome{}
	}
	sub.Context.Via = append(slices.Clip(sub.Context.Via), flow.Clip(p.name, 60))
	out := m.shellText(sub, inv, value.Lit(text), lang, args)
	st.FS.Join(sub.FS)
	return out
}

// copied reports whether a text is that of a file that was not read, and
// nothing else.
func copied(content value.Value) bool {
	holes := content.Holes()
	return len(holes) == 1 && len(content.Parts()) == 1 && holes[0].Cause == risk.CauseFile && !content.Taint().Has(value.Network)
}
