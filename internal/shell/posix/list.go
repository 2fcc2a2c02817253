package posix

import (
	"slices"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

func (e *evaluator) binary(st *shell.State, c *syntax.BinaryCmd, io ioctx) {
	// The parser makes a tree as deep as a list is long, and evaluating it
	// takes stack, which cannot be recovered from when it ends.
	if e.chain++; e.chain > maxChain {
		e.m.Unknown(st, e.span(c), risk.RoleBudget, "too long a list of commands")
		return
	}
	defer func() { e.chain-- }()
	switch c.Op {
	case syntax.AndStmt:
		e.andList(st, c, io)
	case syntax.OrStmt:
		e.condition++
		e.stmt(st, c.X, io)
		e.condition--
		e.shortCircuit(st, c.X, c.Y, io, shell.Failed)
	default:
		e.pipeline(st, c, io)
	}
}

// andList evaluates a && b && c: each command where all before it succeeded,
// and what any of them leaves behind when it fails joined at the end.
func (e *evaluator) andList(st *shell.State, c *syntax.BinaryCmd, io ioctx) {
	list := []*syntax.Stmt{c.Y}
	first := c.X
	for {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || b.Op != syntax.AndStmt || first.Negated || len(first.Redirs) > 0 {
			break
		}
		list = append(list, b.Y)
		first = b.X
	}
	list = append(list, first)
	slices.Reverse(list)
	reached, maybe, unreached := st.Reached, st.Maybe, st.Unreached
	var failed []*shell.State
	var aside []shell.Alt
	shaky := false
	for i, s := range list {
		if i > 0 {
			if st.Gone || e.spent() {
				break
			}
			if st.Status == shell.Failed { // but not where a cd failed: `! cd a && b`
				st.Alts = e.onAlts(st, st.Alts, io, shell.OK, s)
				continue
			}
			stayed := e.setAside(st)
			aside = append(aside, stayed...)
			st.Unreached = e.stuck(st, len(stayed) > 0)
			if st.Status == shell.Perhaps {
				bail := st.Clone()
				bail.Status, bail.Alts = shell.Failed, nil
				failed = append(failed, bail)
				condition := e.outcome(list[i-1], shell.OK)
				if st.Sure && len(list[i-1].Redirs) == 0 {
					condition = risk.Condition{} // nothing to tell of
				}
				st.Under(condition)
				st.Status = shell.OK
			}
		}
		if i < len(list)-1 {
			e.condition++
		}
		e.stmt(st, s, io)
		shaky = shaky || st.Shaky
		if i < len(list)-1 {
			e.condition--
		}
	}
	alts := append(st.Alts, aside...)
	gone := st.Gone
	st.Shaky = shaky
	if st.Unreached != unreached { // then so does the list
		st.Doomed = st.Unreached
	}
	st.Met = nil
	st.Unreached = unreached
	for _, f := range failed {
		st.Join(f)
	}
	st.Alts = dedupe(alts)
	if len(failed) > 0 && !gone {
		st.Reached, st.Maybe = reached, maybe
	}
}

// stuck is how the command before a point of a list ends that is to succeed first,
// where it does not: it fails, or the directory that the list is to go on in is
// missing and nothing before can have made it.
func (e *evaluator) stuck(st *shell.State, stayed bool) *risk.Ending {
	switch {
	case st.Unreached != nil:
		return st.Unreached
	case st.Doomed != nil || !stayed || !e.m.Settled():
		return st.Doomed
	}
	if dir, gone := e.absent(st, st.Dir); gone {
		return &risk.Ending{How: risk.EndFails, Missing: []string{dir}, ByShell: true}
	}
	return nil
}

// setAside takes out the alternatives on which the last command failed.
func (e *evaluator) setAside(st *shell.State) []shell.Alt {
	var aside []shell.Alt
	kept := st.Alts[:0]
	for _, a := range st.Alts {
		if a.Status == shell.Failed {
			aside = append(aside, a)
		} else {
			kept = append(kept, a)
		}
	}
	st.Alts = kept
	return aside
}

// shortCircuit evaluates the right side of ||, which want Failed reaches.
func (e *evaluator) shortCircuit(st *shell.State, x, y *syntax.Stmt, io ioctx, want shell.Status) {
	if st.Gone {
		return
	}
	// The alternatives on which an unchecked cd failed take the other way.
	var aside []shell.Alt
	kept := st.Alts[:0]
	for _, a := range st.Alts {
		switch {
		case a.Status == want || a.Status == shell.Perhaps:
			kept = append(kept, a)
		default:
			aside = append(aside, a)
		}
	}
	st.Alts = kept
	unsure(st)
	switch st.Status {
	case want:
		e.stmt(st, y, io)
	case shell.Perhaps:
		then, left := st.Clone(), st.Doomed
		then.Under(e.outcome(x, want))
		then.Status = want
		if then.Unreached == nil {
			then.Unreached = st.Met
		}
		e.stmt(then, y, io)
		st.Met = nil
		st.Status = want.Not()
		alts := append(st.Alts, then.Alts...)
		st.Join(then)
		st.Alts = dedupe(alts)
		if st.Doomed = nil; left != nil { // then the right side is what the list comes to
			st.Doomed = then.Doomed
		}
	default:
		if len(st.Alts) > 0 { // reached only where a cd failed
			st.Alts = e.onAlts(st, st.Alts, io, want, y)
		}
	}
	st.Alts = append(st.Alts, aside...)
}

// onAlts evaluates statements on each alternative alone on which the command before
// may have come out as wanted, and returns the alternatives that are left.
func (e *evaluator) onAlts(st *shell.State, alts []shell.Alt, io ioctx, want shell.Status, list ...*syntax.Stmt) []shell.Alt {
	var out []shell.Alt
	for _, a := range alts {
		if a.Status == want.Not() {
			out = append(out, a)
			continue
		}
		alt := st.Clone()
		alt.Alts, alt.Dir, alt.Status, alt.Unreached = nil, a.Dir, a.Status, nil
		alt.Astray, alt.Instead = false, alt.Instead || a.Sure
		alt.Under(a.If)
		e.stmts(alt, list, io)
		if !alt.Gone {
			out = append(out, shell.Alt{Dir: alt.Dir, If: a.If, Status: alt.Status, Sure: a.Sure})
		}
	}
	return out
}

// part takes the alternatives apart: those on which the last command may have
// succeeded, and those on which it may have failed.
func part(alts []shell.Alt) (then, otherwise []shell.Alt) {
	for _, a := range alts {
		if a.Status != shell.Failed {
			then = append(then, a)
		}
		if a.Status != shell.OK {
			otherwise = append(otherwise, a)
		}
	}
	return then, otherwise
}

func dedupe(alts []shell.Alt) []shell.Alt {
	var out []shell.Alt
	seen := map[string]bool{}
	for _, a := range alts {
		key := a.Dir.String() + "\x00" + a.If.String()
		if !seen[key] && len(out) < 4 {
			seen[key] = true
			out = append(out, a)
		}
	}
	return out
}

// outcome names the condition that a statement came out as wanted.
func (e *evaluator) outcome(s *syntax.Stmt, want shell.Status) risk.Condition {
	c := risk.Condition{Kind: risk.IfFails, Of: e.source(s)}
	if want == shell.OK {
		c.Kind = risk.IfSucceeds
	}
	return c
}

// pipeline evaluates a | b: each side in a subshell of its own, except that zsh
// runs the last one in the shell itself. Of the shells that read what mksh reads,
// ksh93 does, and mksh does not.
func (e *evaluator) pipeline(st *shell.State, c *syntax.BinaryCmd, io ioctx) {
	e.pipeDepth++
	defer func() { e.pipeDepth-- }()
	left := st.Clone()
	pipe := &shell.Sink{}
	if io.began == nil {
		now := e.m.Mark()
		io.began = &now
	}
	leftIO := io
	leftIO.out = pipe
	if c.Op == syntax.PipeAll {
		leftIO.errOut = pipe
	}
	e.subshell(left, func() { e.stmt(left, c.X, leftIO) }, leftIO)
	st.FS.Follow(left.FS)

	right := st
	ownShell := st.Shell == "zsh"
	if !ownShell {
		right = st.Clone()
	}
	rightIO := io
	rightIO.in, rightIO.hasIn, rightIO.inNet, rightIO.pos = pipe.Value(), true, false, e.opened()
	rightIO.starved = nothingFrom(c, left)
	if ownShell {
		e.stmt(right, c.Y, rightIO)
	} else {
		e.subshell(right, func() { e.stmt(right, c.Y, rightIO) }, rightIO)
		st.FS.Follow(right.FS)
		st.Status, st.Doomed, st.Met, st.Nothing, st.Shaky = right.Status, right.Doomed, right.Met, right.Nothing, right.Shaky
		st.Sure = right.Sure
		st.Gone = false
		if (st.Shell == "mksh" || optionsOf(st).lastPipe) && !right.Gone {
			st.Join(right)
		}
		if right.Context.Changed {
			st.Context = right.Context
		}
	}
	if optionsOf(st).pipeFail && left.Status != shell.OK && st.Status == shell.OK {
		st.Status = left.Status
	}
	st.Sure = st.Sure && (left.Status == shell.OK || !optionsOf(st).pipeFail)
}

// nothingFrom is why nothing comes through a pipe from its left side, one program or a
// pipeline, that errors do not go into as well; nil where something may.
func nothingFrom(c *syntax.BinaryCmd, left *shell.State) *risk.Ending {
	if c.Op != syntax.Pipe || slices.ContainsFunc(c.X.Redirs, func(r *syntax.Redirect) bool { return r.Op == syntax.DplOut }) {
		return nil
	}
	switch x := c.X.Cmd.(type) {
	case *syntax.CallExpr:
		return left.Nothing
	case *syntax.BinaryCmd:
		if x.Op == syntax.Pipe && len(c.X.Redirs) == 0 {
			return left.Nothing
		}
	}
	return nil
}
