package engine

import (
	"context"
	"errors"
	"path"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/invisible"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/overlay"
	"github.com/heedsh/heed/risk"
)

// Limits of one assessment. They count work, not bytes of data: a long
// here-document that nothing runs costs one step.
const (
	maxSteps   = 20000
	maxNesting = 20
	maxCommand = 4 << 20   // bytes of command text
	maxScript  = 256 << 10 // bytes of a script that is read to be judged
)

// An Engine holds what does not change between requests. It is safe for
// concurrent use.
type Engine struct {
	Catalog *catalog.Catalog
	Fronts  *shell.Fronts // the shells that are evaluated
	Parts   []value.Value // that stand in the text of the request (internal/splice)
	// Before, if set, is what earlier commands of the session left, and says that
	// what this one leaves is wanted, too.
	Before *shell.Left
}

// Run evaluates a request in a world. When ctx is cancelled it ends early, with
// a trace that is not whole: whoever cancelled it uses none.
func (e *Engine) Run(ctx context.Context, w *world.World, req *risk.Request) *flow.Trace {
	m := newMachine(ctx, e, w, req)
	m.command(req, func(dialect string) *shell.State { return m.session(req, dialect) })
	return m.sc.Trace
}

// command evaluates the command of a request, in the state that begin returns.
func (m *machine) command(req *risk.Request, begin func(dialect string) *shell.State) {
	whole := risk.Span{End: len(req.Command)}
	if len(req.Dir) > flow.MaxPath || len(req.Env["HOME"]) > flow.MaxPath {
		m.sc.Blind(whole, risk.KindLongDirectory, "")
		return
	}
	if problem := unreadable(req.Command); problem != risk.NoKind {
		m.sc.Blind(whole, problem, "")
		return
	}
	dialect, ok := m.fronts.Dialect(req.Shell)
	if !ok {
		m.sc.Blind(whole, risk.KindOtherShell, req.Shell)
		return
	}
	st := begin(dialect)
	conceal(m.sc, st, req.Command, whole)
	if err := m.fronts.Eval(m, st, req.Command, nil, nil); err != nil {
		problem, language := risk.KindUnparsable, dialect
		if errors.Is(err, shell.ErrTooComplex) {
			problem, language = risk.KindTooComplex, ""
			m.sc.Trace.Spent = true
		}
		m.sc.Blind(whole, problem, language)
		m.sc.Note(whole, risk.RoleParse, err.Error())
	}
	if m.sc.Trace.Spent {
		m.sc.Blind(whole, risk.KindTooComplex, "")
	}
	if m.before != nil {
		m.sc.Trace.Left = m.sc.Leave(st, m.before)
	}
	m.sc.Trace.Unsaved()
	m.sc.CountLines(st)
	m.sc.Trace.Steps = m.steps
}

// conceal records what a part of a text hides from whoever reads it.
func conceal(sc *flow.Scene, st *shell.State, text string, part risk.Span) {
	end := min(part.End, len(text)) // a text that was repaired can be longer
	start := min(part.Start, end)
	if what, at := invisible.Find(text[start:end]); what != "" {
		at += start
		sc.Effect(st, risk.Span{Start: at, End: at + 1}, risk.Effect{Verb: risk.ExecKnown, Kind: risk.KindConcealingCharacters, Target: what})
	}
}

// unreadable says why a command's bytes cannot be a command, if they cannot.
func unreadable(text string) risk.Kind {
	switch {
	case len(text) > maxCommand:
		return risk.KindTooLong
	case !utf8.ValidString(text):
		return risk.KindNotUTF8
	}
	for i := range len(text) {
		if text[i] == 0 {
			return risk.KindNUL
		}
	}
	return risk.NoKind
}

func newMachine(ctx context.Context, e *Engine, w *world.World, req *risk.Request) *machine {
	home := req.Env["HOME"]
	if !path.IsAbs(home) {
		home = w.User.Home
	}
	m := &machine{catalog: e.Catalog, fronts: e.Fronts, parts: e.Parts, before: e.Before, ctx: ctx}
	m.sc = &flow.Scene{Record: flow.NewRecord(), World: w, Space: workspace.New(w, req.Dir, home, req.Env["TMPDIR"], req.Workspaces), Spend: m.Spend}
	return m
}

// session is the state of the shell before the command.
func (m *machine) session(req *risk.Request, dialect string) *shell.State {
	dir := value.Lit(path.Clean(req.Dir))
	if req.Dir == "" {
		dir = value.Unknown(risk.CauseUnknown, "PWD")
	}
	st := &shell.State{
		World: m.sc.World, FS: overlay.New(m.sc.World.FS), Shell: dialect,
		Dir: dir, Vars: sessionVars(req.Env, dialect), Zero: value.Lit(dialect), Parts: m.parts,
	}
	anywhere(st, req)
	if m.before != nil {
		m.sc.Inherit(st, m.before)
	}
	return st
}

// sessionVars are the variables of an environment. The values of those that
// hold credentials are not carried: they would end up in records.
func sessionVars(env map[string]string, dialect string) *shell.Vars {
	vars := shell.NewVars(env)
	vars.Start(dialect)
	if _, set := env["_"]; set { // what the shell was started as, then the last word of each command
		vars.Set("_", shell.Var{Value: value.Unknown(risk.CauseUnknown, "_")})
	}
	for name, text := range env {
		if text != "" && value.CredentialName(name) {
			hidden := value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.Word}).With(value.Credential)
			vars.Set(name, shell.Var{Value: hidden, Exported: true})
		}
	}
	return vars
}
