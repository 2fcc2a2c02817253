package engine

import (
	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/pure"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
)

// foresee records what a pure program prints on the screen, where that follows from its
// words and its input alone. It is for telling.
func foresee(m *machine, st *shell.State, inv *shell.Invocation, p program) {
	if inv.Piped || inv.Turns || !pure.Known(p.name) || p.local || inv.Stuck != "" || inv.Starved != nil || st.Context.Host != "" {
		return
	}
	if inv.HasStdin && !inv.Stdin.IsKnown() { // what a file holds is told in other words
		return
	}
	in, taint, ok := pureInput(m, st, inv, p)
	if !ok {
		return
	}
	in.Limit = maxForeseen
	kept := false
	in.Env = func(name string) (string, bool) {
		v, set, _ := flow.Env(st, inv, name)
		s, ok := v.Known()
		kept = kept || set && !ok
		return s, set && ok
	}
	if out, ok := pure.Run(in); ok && !kept {
		m.sc.Prints(value.Lit(string(out.Stdout)).With(taint))
	}
}

// maxForeseen is how much of a text is computed that is only to be told, in bytes.
const maxForeseen = 4 << 10

// pureInput is what a pure program is given; ok is false where that is not known.
func pureInput(m *machine, st *shell.State, inv *shell.Invocation, p program) (in pure.Input, taint value.Taint, ok bool) {
	in = pure.Input{Argv: []string{p.name}, HasStdin: inv.HasStdin, Limit: 1 << 20, Shell: st.Shell, Interp: true}
	for _, w := range inv.Argv[1:] {
		s, ok := w.Value.Known()
		if !ok || w.Many {
			return in, 0, false
		}
		taint |= w.Value.Taint()
		in.Argv = append(in.Argv, s)
	}
	if inv.HasStdin {
		stdin := m.sc.Resolved(st, inv.Stdin)
		if s, ok := stdin.Known(); ok {
			taint |= stdin.Taint()
			in.Stdin = []byte(s)
		} else {
			in.HasStdin = false // a program that asks for it cannot be computed
		}
	}
	in.Dir, ok = st.Dir.Known()
	return in, taint, ok
}
