package flow

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/risk"
)

// OwnVariable tells of a variable of heed's that is set for a program.
func (sc *Scene) OwnVariable(st *shell.State, at risk.Span, name string) {
	if strings.HasPrefix(name, "HEED_") {
		sc.Effect(st, at, risk.Effect{Verb: risk.AgentConfig, Target: name, Kind: risk.KindAVariableOfHeedS})
	}
}

// guarded tells of a change to heed's own program, or to the record of what
// people ran.
func (sc *Scene) guarded(st *shell.State, at risk.Span, x *catalog.Effect, e *risk.Effect, p workspace.Place) {
	if st.Context.Host != "" || st.Context.Container != "" || x.Verb == risk.FSRead || x.Verb == risk.FSMount {
		return
	}
	if x.Verb == risk.FSAttr && (x.Kind == risk.KindExecutable || x.Kind == risk.KindTimes) {
		return
	}
	for _, name := range []string{p.Written, p.Path} {
		if sc.ownProgram(name) {
			sc.Effect(st, at, risk.Effect{Verb: risk.AgentConfig, Target: name, Kind: risk.KindHeedItself, Program: e.Program})
			return
		}
		if hidesHistory(x) && sc.history(name) {
			sc.Effect(st, at, risk.Effect{Verb: risk.DefenseEvade, Target: name, Kind: risk.KindHistory})
			return
		}
	}
}

// ownProgram reports whether a path is that of heed's program where programs
// are installed.
func (sc *Scene) ownProgram(name string) bool {
	dir := path.Dir(name)
	base := path.Base(name)
	return (base == workspace.Own || base == workspace.Own+"-sh") && (workspace.OwnPlace(dir) || dir == path.Join(sc.Space.Home, "bin"))
}

// hidesHistory reports whether an effect takes away what a file holds, or keeps
// it from being written.
func hidesHistory(x *catalog.Effect) bool {
	switch x.Verb {
	case risk.FSCreate:
		return x.HasLink || x.Kind == risk.KindSymlink || x.Kind == risk.KindHardLink
	case risk.FSWrite:
		return x.Kind != risk.KindAppend && x.Kind != risk.KindEditor
	case risk.FSAttr:
		return x.Kind == risk.KindImmutable
	}
	return x.Verb == risk.FSDelete || x.Verb == risk.FSMove
}

// histories are the files in a home directory that record what was run (bash(1)
// HISTFILE, zshparam(1), ksh(1), fish(1), and those of interpreters).
var histories = []string{
	".bash_history", ".zsh_history", ".zhistory", ".histfile", ".sh_history", ".ksh_history", ".mksh_history", ".ash_history", ".history", ".tcsh_history",
	".local/share/fish/fish_history", ".python_history", ".node_repl_history", ".mysql_history", ".psql_history", ".sqlite_history", ".rediscli_history",
}

// history reports whether a path is the record of what somebody ran.
func (sc *Scene) history(name string) bool {
	return slices.ContainsFunc(histories, func(h string) bool {
		home, ok := strings.CutSuffix(name, "/"+h)
		return ok && (sc.Space.OwnHome(home) || home == "/root" || path.Dir(home) == "/home" || path.Dir(home) == "/Users")
	})
}
