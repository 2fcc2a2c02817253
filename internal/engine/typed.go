package engine

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A text may hold what is typed into an interactive program on the lines
// behind it: `less notes`, then `!/bin/sh`. A shell would read those lines as
// commands of its own, and mostly fail; what they are meant to do is told here.

// attended notes a program that reads the terminal.
func (m *machine) attended(st *shell.State, inv *shell.Invocation, p program, r *catalog.Result, before int) {
	if inv.Piped || inv.HasStdin || len(st.Context.Via) > 0 || st.Depth > 0 {
		return
	}
	if _, isShell := m.fronts.Dialect(p.name); isShell {
		return
	}
	m.last = p.name
	loops := func(e risk.Effect) bool { return e.Verb == risk.ExecShell }
	if r.Traits.Has(catalog.Editor) || slices.ContainsFunc(m.sc.Trace.Effects[min(before, len(m.sc.Trace.Effects)):], loops) {
		m.loop = p.name
	}
}

// typed runs a command that is typed into a program: behind an exclamation
// mark, which is the escape of pagers, editors and clients, or as the argument
// of a command of the program's own that is a shell.
func (m *machine) typed(st *shell.State, inv *shell.Invocation, name string) (shell.Outcome, bool) {
	if len(st.Context.Via) > 0 {
		return shell.Outcome{}, false
	}
	if rest, ok := strings.CutPrefix(name, "!"); ok && rest != "" && m.last != "" {
		sub := st.Clone()
		sub.Context.Via = append(slices.Clip(sub.Context.Via), m.last)
		next := *inv
		next.Argv = slices.Clone(inv.Argv)
		next.Argv[0].Value = value.Lit(rest)
		return m.Run(sub, &next), true
	}
	if m.loop == "" {
		return shell.Outcome{}, false
	}
	for _, w := range inv.Argv[1:] {
		text, _ := w.Value.Known()
		if _, isShell := m.fronts.Dialect(path.Base(text)); isShell && path.IsAbs(text) {
			sub := st.Clone()
			sub.Context.Via = append(slices.Clip(sub.Context.Via), m.loop)
			m.sc.Effect(sub, inv.Span, risk.Effect{Verb: risk.ExecShell, Target: text, Kind: risk.KindShellEscape, Program: m.loop})
			return shell.Outcome{}, true
		}
	}
	return shell.Outcome{}, false
}
