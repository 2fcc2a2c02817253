package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// What a command does to heed itself, and to the records of what was run.

// ownVariable tells of a variable of heed's that is set for a program.
func (m *machine) ownVariable(st *shell.State, at risk.Span, name string) {
	if strings.HasPrefix(name, "HEED_") {
		m.effect(st, at, risk.Effect{Verb: risk.AgentConfig, Target: name, Kind: risk.KindAVariableOfHeedS})
	}
}

// ownVariables does so for all that an invocation sets.
func (m *machine) ownVariables(st *shell.State, inv *shell.Invocation) {
	for _, a := range inv.Assign {
		m.ownVariable(st, inv.Span, a.Name)
	}
}

// guarded tells of a change to heed's own program, or to the record of what
// people ran.
func (m *machine) guarded(st *shell.State, at risk.Span, x *catalog.Effect, e *risk.Effect, p workspace.Place) {
	if st.Context.Host != "" || st.Context.Container != "" || x.Verb == risk.FSRead || x.Verb == risk.FSMount {
		return
	}
	if x.Verb == risk.FSAttr && (x.Kind == risk.KindExecutable || x.Kind == risk.KindTimes) {
		return
	}
	for _, name := range []string{p.Written, p.Path} {
		if m.ownProgram(name) {
			m.effect(st, at, risk.Effect{Verb: risk.AgentConfig, Target: name, Kind: risk.KindHeedItself, Program: e.Program})
			return
		}
		if hidesHistory(x) && m.history(name) {
			m.effect(st, at, risk.Effect{Verb: risk.DefenseEvade, Target: name, Kind: risk.KindHistory})
			return
		}
	}
}

// ownProgram reports whether a path is that of heed's program where programs
// are installed.
func (m *machine) ownProgram(name string) bool {
	dir := path.Dir(name)
	base := path.Base(name)
	return (base == workspace.Own || base == workspace.Own+"-sh") && (workspace.OwnPlace(dir) || dir == path.Join(m.space.Home, "bin"))
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
func (m *machine) history(name string) bool {
	return slices.ContainsFunc(histories, func(h string) bool {
		home, ok := strings.CutSuffix(name, "/"+h)
		return ok && (m.space.OwnHome(home) || home == "/root" || path.Dir(home) == "/home" || path.Dir(home) == "/Users")
	})
}

// Secrets on their way into a repository and out of it again.

// committed follows a secret that git takes up: added, committed, pushed.
func (m *machine) committed(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result) {
	if p.name != "git" || r.Match == nil || r.Match.Has("dry") || r.Match.Help || st.Context.Host != "" {
		return
	}
	for i := range r.Effects {
		x := &r.Effects[i]
		switch {
		case x.Verb == risk.VCSPush || x.Verb == risk.VCSForce:
			if m.kept != "" && x.Kind != risk.KindDelete {
				e := risk.Effect{Verb: risk.SecretSend, Source: risk.From(m.kept), Target: x.Target.String(), Program: "git"}
				m.lookUp(st, &e)
				m.effect(st, inv.Span, e)
			}
		case x.Verb != risk.VCSLocal:
		case x.Kind == risk.KindAdd:
			if name := m.secretAmong(st, r.Match.Operands(), hasOption(inv, "f", "--force")); name != "" {
				m.staged = name
			}
		case x.Kind == risk.KindCommit:
			if name := m.secretAmong(st, r.Match.Operands(), true); name != "" {
				m.staged = name
			}
			m.kept = m.staged
		case slices.Contains([]risk.Kind{risk.KindUnstage, risk.KindRestore, risk.KindReset, risk.KindStashPush}, x.Kind):
			m.staged = ""
		}
	}
}

// secretAmong returns the first of some paths that is a secret which the
// repository does not have yet. git leaves out what it ignores unless forced.
func (m *machine) secretAmong(st *shell.State, paths []value.Value, forced bool) string {
	for _, v := range paths {
		if !absolute(st, v).IsKnown() {
			continue
		}
		p := m.place(st, v, true)
		if p.Scope != risk.IsSecret {
			continue
		}
		if m.world.Git == nil || !m.Spend(20) {
			return p.Path
		}
		repo, err := m.world.Git.Find(path.Dir(p.Path))
		if err != nil || repo == nil {
			return p.Path
		}
		switch repo.State(p.Path) {
		case world.Ignored:
			if forced {
				return p.Path
			}
		case world.Untracked, world.NotInRepo:
			return p.Path
		}
	}
	return ""
}
