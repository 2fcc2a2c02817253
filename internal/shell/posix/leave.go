package posix

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// What leaves a shell, a function or a loop before its end, and the status
// that is left behind.

// A statuses is a set of exit statuses.
type statuses uint8

func (s statuses) with(t shell.Status) statuses { return s | 1<<t }

// one returns the only status of a set, or that it is not known.
func (s statuses) one(otherwise shell.Status) shell.Status {
	switch s {
	case 0:
		return otherwise
	case 1 << shell.OK:
		return shell.OK
	case 1 << shell.Failed:
		return shell.Failed
	}
	return shell.Perhaps
}

// ends are the statuses with which a path through a shell may have left it
// (exit) or the function or file that it is in (return), and the state that
// the latter left behind. What left is no longer part of any state, but
// whoever asks for the status must know of it: (cmd || exit 1) || other.
type ends struct {
	exit, ret statuses
	state     *shell.State
}

// leave ends the shell on this path.
func (e *evaluator) leave(st *shell.State) {
	st.Gone = true
	e.passed().exit = e.passed().exit.with(st.Status)
}

func (e *evaluator) passed() *ends {
	if e.ends == nil {
		e.ends = &ends{}
	}
	return e.ends
}

// apart evaluates what f does to sub as a shell of its own: what is left there
// is left there only, and no loop around it can be.
func (e *evaluator) apart(sub *shell.State, f func()) {
	ends, loops := e.ends, e.loops
	fds, turned, stdin := e.fds, e.turned, e.stdin
	e.ends, e.loops = nil, nil
	f()
	left := e.passed().exit | e.passed().ret
	if !sub.Gone {
		left = left.with(sub.Status)
	}
	sub.Status = left.one(sub.Status)
	e.ends, e.loops = ends, loops
	e.fds, e.turned, e.stdin = fds, turned, stdin
}

// subshell evaluates what f does to sub as a subshell: it has no traps but its
// own, which are run at its end (POSIX.1-2024 Shell 2.13).
func (e *evaluator) subshell(sub *shell.State, f func(), io ioctx) {
	sub.Traps = nil
	e.apart(sub, func() {
		f()
		e.trap(sub, "EXIT", io)
	})
	for _, a := range sub.Alts { // a cd in it may have failed
		if a.Status != sub.Status && !sub.Gone {
			sub.Status = shell.Perhaps
		}
	}
}

// aside evaluates what f does to a copy of st, as something that may happen: a
// trap for the end that it sets is run as well. It returns the copy.
func (e *evaluator) aside(st *shell.State, when risk.Condition, io ioctx, f func(sub *shell.State)) *shell.State {
	sub := st.Clone()
	sub.Alts = nil
	sub.Under(when)
	before := st.Traps["EXIT"].String()
	f(sub)
	if sub.Traps["EXIT"].String() != before {
		e.trap(sub, "EXIT", io)
	}
	return sub
}

// returning evaluates what f does to st as a function or a sourced file, which
// `return` ends.
func (e *evaluator) returning(st *shell.State, f func()) {
	outer, loops := *e.passed(), e.loops
	e.ends.ret, e.ends.state, e.loops = 0, nil, nil
	reached, maybe := st.Reached, st.Maybe
	f()
	left := e.ends.ret
	if !st.Gone {
		left = left.with(st.Status)
	}
	if e.ends.state != nil {
		st.Join(e.ends.state)
		st.Reached, st.Maybe = reached, maybe
	}
	st.Status = left.one(st.Status)
	e.ends.ret, e.ends.state, e.loops = outer.ret, outer.state, loops
}

// statusArg is the status that `exit` or `return` names: by default, that of
// the last command.
func statusArg(st *shell.State, inv *shell.Invocation) shell.Status {
	if len(inv.Argv) < 2 {
		return st.Status
	}
	text, known := inv.Argv[1].Value.Known()
	n, ok := number(text)
	switch {
	case !known || !ok:
		return shell.Perhaps
	case n&0xff == 0: // what the parent sees (exit(3))
		return shell.OK
	}
	return shell.Failed
}

func (e *evaluator) exit(st *shell.State, inv *shell.Invocation, _ ioctx) {
	e.numbers(st, inv)
	st.Status = statusArg(st, inv)
	e.leave(st)
}

func (e *evaluator) returnFrom(st *shell.State, inv *shell.Invocation, _ ioctx) {
	if st.Frame == nil && e.sourced == 0 {
		if st.Shell == "bash" { // only complains (bash(1), return)
			st.Status = shell.Failed
			return
		}
		e.exit(st, inv, ioctx{})
		return
	}
	e.numbers(st, inv)
	st.Status = statusArg(st, inv)
	e.passed().ret = e.ends.ret.with(st.Status)
	keep(&e.ends.state, st)
	st.Gone = true
}

// keep adds a state that leaves to those that have left the same way.
func keep(left **shell.State, st *shell.State) {
	if *left == nil {
		*left = st.Clone()
		return
	}
	(*left).Join(st)
}

// A loop is one that is being evaluated, with the states in which paths through
// its body left it or began its next turn.
type loop struct{ broken, continued *shell.State }

// loopExit marks a state that left a loop, and says how many loops it leaves
// beside the innermost; no shell variable can have this name.
const loopExit = "\x00loop"

// loop evaluates what f does to st as a loop.
func (e *evaluator) loop(st *shell.State, f func()) {
	l := &loop{}
	e.loops = append(slices.Clip(e.loops), l)
	reached, maybe := st.Reached, st.Maybe
	f()
	e.loops = e.loops[:len(e.loops)-1]
	if around, left := e.left(st); left && around != "" {
		st.Vars.Set(loopExit, shell.Var{Value: value.Lit(around[1:])})
	}
	if l.broken != nil {
		st.Join(l.broken)
		st.Reached, st.Maybe = reached, maybe
	}
}

// leaveLoop is break and continue: outside of loops they do nothing.
func (e *evaluator) leaveLoop(st *shell.State, inv *shell.Invocation, _ ioctx) {
	st.Status = shell.OK
	if len(e.loops) == 0 {
		return
	}
	e.numbers(st, inv)
	levels := int64(1)
	if len(inv.Argv) > 1 {
		text, _ := inv.Argv[1].Value.Known()
		levels, _ = number(text)
	}
	levels = max(1, min(levels, int64(len(e.loops))))
	l := e.loops[len(e.loops)-int(levels)]
	left := &l.broken
	if word, _ := inv.Argv[0].Value.Known(); word == "continue" {
		left = &l.continued
	}
	keep(left, st)
	st.Vars.Set(loopExit, shell.Var{Value: value.Lit(strings.Repeat("x", int(levels-1)))})
	st.Gone = true
}

// left reports whether st left a loop, and which of those around it: a byte
// stands for each.
func (e *evaluator) left(st *shell.State) (around string, left bool) {
	v := st.Vars.Get(loopExit)
	if v == nil || !st.Gone {
		return "", false
	}
	around, _ = v.Value.Known()
	return around, true
}

// endTurn joins what began the next turn before this one ended, and reports
// whether the loop ends here, because of a break or because loops around it
// are left as well.
func (e *evaluator) endTurn(st *shell.State) bool {
	l := e.loops[len(e.loops)-1]
	around, left := e.left(st)
	if l.continued == nil {
		return left
	}
	reached, maybe := st.Reached, st.Maybe
	st.Join(l.continued)
	st.Reached, st.Maybe = reached, maybe
	l.continued = nil
	return around != ""
}
