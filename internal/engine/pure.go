package engine

import (
	"path"

	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/pure"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
)

// compute works out in process what a pure program prints.
func compute(m *machine, st *shell.State, inv *shell.Invocation, p program) (shell.Outcome, bool) {
	if !inv.Piped || !pure.Known(p.name) || p.local {
		return shell.Outcome{}, false
	}
	in, taint, ok := pureInput(m, st, inv, p)
	if !ok {
		return shell.Outcome{}, false
	}
	in.ReadFile = func(name string) ([]byte, error) {
		b, t, err := m.sc.ReadFile(st, name)
		taint |= t
		return b, err
	}
	in.RealPath = func(name string) (string, bool) {
		resolved, ok := world.Resolve(st.FS, name, true)
		if i, err := st.FS.Lstat(resolved); err != nil || i.Kind == world.Missing { // it may fail
			taint |= value.Absent
		}
		return resolved, ok
	}
	in.ReadLink = func(name string) (string, bool) {
		dir, ok := world.Resolve(st.FS, path.Dir(name), true)
		text, err := st.FS.Readlink(path.Join(dir, path.Base(name)))
		return text, ok && err == nil && text != ""
	}
	if !m.Spend(1 + len(in.Stdin)/4096) {
		return shell.Outcome{}, false
	}
	out, ok := runPure(in, st, inv)
	if !ok {
		return shell.Outcome{}, false
	}
	if out.Decoded {
		taint |= value.Decoded
	}
	if out.Picked && taint.Has(value.Found) {
		taint |= value.Picked
	}
	status := shell.OK
	if out.Status != 0 {
		status = shell.Failed
	}
	return shell.Outcome{Stdout: value.Lit(string(out.Stdout)).With(taint), Status: status}, true
}

// foresee records what a pure program prints on the screen, where that follows from its
// words and its input alone. It is for telling.
func foresee(m *machine, st *shell.State, inv *shell.Invocation, p program) {
	if inv.Piped || inv.Turns || !pure.Known(p.name) || p.local || inv.Stuck != nil || inv.Starved != nil || st.Context.Host != "" {
		return
	}
	if inv.HasStdin && !inv.Stdin.IsKnown() { // what a file holds is told in other words
		return
	}
	if left, some := empty(inv, nil); some {
		inv = left.of(inv)
	}
	in, taint, ok := pureInput(m, st, inv, p)
	if !ok {
		return
	}
	in.Limit = maxForeseen
	if out, ok := runPure(in, st, inv); ok {
		m.sc.Prints(value.Lit(string(out.Stdout)).With(taint))
	}
}

// maxForeseen is how much of a text is computed that is only to be told, in bytes.
const maxForeseen = 4 << 10

// runPure runs a pure program with the variables of an invocation; ok is false where it
// asked for one that is not known, or cannot be computed.
func runPure(in pure.Input, st *shell.State, inv *shell.Invocation) (out pure.Output, ok bool) {
	unknown := false
	in.Env = func(name string) (string, bool) {
		v, set, _ := flow.Env(st, inv, name)
		s, ok := v.Known()
		unknown = unknown || set && !ok
		return s, set && ok
	}
	out, ok = pure.Run(in)
	return out, ok && !unknown
}

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
