package engine

import (
	"errors"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/detect"
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
	maxSteps       = 20000
	maxInvocations = 400
	maxEffects     = 1000
	maxNesting     = 20
	maxCommand     = 4 << 20   // bytes of command text
	maxScript      = 256 << 10 // bytes of a script that is read to be judged
)

// A Trace is everything that evaluation found.
type Trace struct {
	Invocations  []risk.Invocation
	Processes    []detect.Process // the invocations as detectors see them, in their order
	Effects      []risk.Effect
	Unknowns     []risk.Unknown
	NotInspected []string
	Steps        int
	Spent        bool // a budget was used up
}

// An Engine holds what does not change between requests. It is safe for
// concurrent use.
type Engine struct {
	Catalog *catalog.Catalog
	Fronts  *shell.Fronts // the shells that are evaluated
}

// Run evaluates a request in a world.
func (e *Engine) Run(w *world.World, req *risk.Request) *Trace {
	m := newMachine(e, w, req)
	if len(req.Dir) > maxPath || len(req.Env["HOME"]) > maxPath {
		m.blind(risk.Span{End: len(req.Command)}, risk.KindLongDirectory, "")
		return m.trace
	}
	if problem := unreadable(req.Command); problem != risk.NoKind {
		m.blind(risk.Span{End: len(req.Command)}, problem, "")
		return m.trace
	}
	dialect, ok := e.Fronts.Dialect(req.Shell)
	if !ok {
		m.blind(risk.Span{End: len(req.Command)}, risk.KindOtherShell, req.Shell)
		return m.trace
	}
	st := m.session(req, dialect)
	if err := e.Fronts.Eval(m, st, req.Command, nil, nil); err != nil {
		problem, language := risk.KindUnparsable, dialect
		if errors.Is(err, shell.ErrTooComplex) {
			problem, language = risk.KindTooComplex, ""
			m.trace.Spent = true
		}
		m.blind(risk.Span{End: len(req.Command)}, problem, language)
		m.note(risk.Span{End: len(req.Command)}, risk.RoleParse, err.Error())
	}
	if m.trace.Spent {
		m.blind(risk.Span{End: len(req.Command)}, risk.KindTooComplex, "")
	}
	m.trace.Steps = m.steps
	return m.trace
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

func newMachine(e *Engine, w *world.World, req *risk.Request) *machine {
	home := req.Env["HOME"]
	if !path.IsAbs(home) {
		home = w.User.Home
	}
	return &machine{
		catalog: e.Catalog,
		fronts:  e.Fronts,
		world:   w,
		space:   workspace.New(w, req.Dir, home, req.Env["TMPDIR"], req.Workspaces),
		trace:   &Trace{},
		seen:    map[string]int{},
		current: -1,
	}
}

// session is the state of the shell before the command.
func (m *machine) session(req *risk.Request, dialect string) *shell.State {
	dir := value.Lit(path.Clean(req.Dir))
	if req.Dir == "" {
		dir = value.Unknown(risk.CauseUnknown, "PWD")
	}
	st := &shell.State{
		World: m.world, FS: overlay.New(m.world.FS), Shell: dialect,
		Dir: dir, Vars: sessionVars(req.Env, dialect), Zero: value.Lit(dialect),
	}
	anywhere(st, req)
	return st
}

// sessionVars are the variables of an environment. The values of those that
// hold credentials are not carried: they would end up in records.
func sessionVars(env map[string]string, dialect string) *shell.Vars {
	vars := shell.NewVars(env)
	if _, set := env["SHELL"]; !set && dialect == "bash" { // bash(1): set to the user's login shell
		vars.Set("SHELL", shell.Var{Value: value.Lit("/bin/bash")})
	}
	if _, set := env["_"]; set { // what the shell was started as, then the last word of each command
		vars.Set("_", shell.Var{Value: value.Unknown(risk.CauseUnknown, "_")})
	}
	for name, text := range env {
		if text != "" && CredentialName(name) {
			hidden := value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.Word}).With(value.Credential)
			vars.Set(name, shell.Var{Value: hidden, Exported: true})
		}
	}
	return vars
}

// CredentialName reports whether a variable holds a secret, by the words that
// tools use in such names (AWS_SECRET_ACCESS_KEY, GITHUB_TOKEN, PGPASSWORD …).
func CredentialName(name string) bool {
	upper := strings.ToUpper(name)
	for _, w := range []string{"TOKEN", "SECRET", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "PRIVATE_KEY", "ACCESS_KEY", "CREDENTIAL", "PASSPHRASE", "AUTH_KEY"} {
		if strings.Contains(upper, w) {
			return !strings.HasSuffix(upper, "_FILE") && !strings.HasSuffix(upper, "_PATH") && !strings.HasSuffix(upper, "_ID")
		}
	}
	return false
}
