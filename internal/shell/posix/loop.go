package posix

import (
	"slices"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

func (e *evaluator) forClause(st *shell.State, c *syntax.ForClause, io ioctx) {
	switch loop := c.Loop.(type) {
	case *syntax.WordIter:
		var items []shell.Word
		if !loop.InPos.IsValid() && len(loop.Items) == 0 {
			for _, p := range st.Params {
				items = append(items, shell.Word{Value: p})
			}
			if len(items) == 0 && st.Depth == 0 {
				items = nil
			}
		} else {
			items = e.fields(st, loop.Items)
		}
		if c.Select { // it lists them
			for _, w := range items {
				e.m.Show(st, e.span(c), w.Value)
			}
			if prompt := st.Vars.Get("PS3"); prompt != nil {
				e.m.Show(st, e.span(c), prompt.Value)
			}
			st.Vars.Assign(loop.Name.Value, value.Unknown(risk.CauseInput, loop.Name.Value).With(value.Input))
			e.maybeBody(st, c.Do, io)
			return
		}
		e.forWords(st, loop.Name.Value, items, c, io)
	case *syntax.CStyleLoop:
		e.cLoop(st, loop, c, io)
	}
}

// spanOf is where a list of statements begins.
func (e *evaluator) spanOf(list []*syntax.Stmt) risk.Span {
	if len(list) == 0 {
		return risk.Span{}
	}
	return e.span(list[0])
}

// once evaluates what f does as what stands for any number of turns: input from
// outside is not read line by line.
func (e *evaluator) once(f func()) {
	e.turns++
	f()
	e.turns--
}

// forWords walks over a list: word by word if it is short and known, else once
// for all of its words together.
func (e *evaluator) forWords(st *shell.State, name string, items []shell.Word, c *syntax.ForClause, io ioctx) {
	body := c.Do
	st.Status = shell.OK
	short := len(items) <= maxTurns
	loop := shell.Loop{Times: len(items), AtMost: leaves(body)}
	for _, w := range items {
		short = short && !w.Many
		if w.Many || w.Value.Pattern() != "" || w.Value.Taint().Has(value.Found) { // told together
			loop.Times = 0
		}
	}
	if short {
		for _, w := range items {
			if st.Gone || e.spent() {
				return
			}
			text, _ := w.Value.Known()
			loop.Turns, loop.Words = append(loop.Turns, e.m.Mark().Programs), append(loop.Words, text)
			e.loopVariable(st, name, w.Value, body)
			e.stmts(st, body, io)
			if e.endTurn(st) {
				return
			}
		}
		e.looped(st, c, loop)
		return
	}
	defer func() { e.looped(st, c, loop) }()
	var all []string
	closed := true
	var first value.Value
	for i, w := range items {
		s, ok := w.Value.Candidates(maxNamed)
		closed = closed && ok && !w.Many
		all = append(all, s...)
		if i == 0 || first.IsKnown() && !w.Value.IsKnown() {
			first = w.Value
		}
	}
	v := first
	switch {
	case !closed:
	case len(all) > maxNamed && (first.Pattern() != "" || first.Taint().Has(value.Found)):
		v = value.OneFile(name, all).With(first.Taint() | value.Found)
	default:
		v = value.OneOf(risk.CauseMatch, name, all...).With(first.Taint())
		if p := first.Pattern(); p != "" {
			v = v.FromPattern(p)
		}
	}
	e.loopVariable(st, name, v, body)
	if closed {
		e.widen(st, body)
		e.once(func() { e.stmts(st, body, io) })
		e.endTurn(st)
		return
	}
	e.maybeBody(st, body, io)
}

// loopVariable gives the variable of a loop its next value. A name reference refers to
// that from then on (bash(1), PARAMETERS).
func (e *evaluator) loopVariable(st *shell.State, name string, v value.Value, body []*syntax.Stmt) {
	v = ofTurn(v)
	if old := st.Vars.Declared(name); old != nil && old.Ref {
		ref := *old
		ref.Value, ref.Changed, ref.Unset, ref.IfSet = v, true, false, nil
		st.Vars.Set(name, ref)
		return
	}
	e.putInto(st, value.Lit(name), v, e.spanOf(body))
}

// ofTurn is a word of a list as the variable of a loop: where it comes of what prints
// nothing there is no turn.
func ofTurn(v value.Value) value.Value {
	if v.IsKnown() {
		return v
	}
	var b value.Builder
	b.Taint(v.Taint())
	for _, p := range v.Parts() {
		if p.Hole == nil {
			b.WriteString(p.Lit)
			continue
		}
		h := *p.Hole
		h.Nothing = false
		b.Add(value.Of(h))
	}
	return b.Value().FromPattern(v.Pattern())
}

// maybeBody evaluates a loop's body that runs any number of times, and reports
// whether it prints anything.
func (e *evaluator) maybeBody(st *shell.State, body []*syntax.Stmt, io ioctx) (prints bool) {
	before := st.Clone()
	e.widen(st, body)
	st.Under(risk.Condition{})
	out := io.out
	if out != nil {
		io.out = &shell.Sink{Net: out.Net}
	}
	e.once(func() { e.stmts(st, body, io) })
	if out != nil {
		printed := io.out.Value()
		prints = !printed.Empty()
		out.Write(printed)
		if printed.IsKnown() && !printed.Empty() { // not at all, or over and over
			out.Write(value.Unknown(risk.CauseLoop, "a loop").With(printed.Taint()))
		}
	}
	e.endTurn(st)
	alts := st.Alts
	st.Gone = false
	st.Vars.Unset(loopExit)
	st.Join(before)
	st.Alts = dedupe(append(alts, before.Alts...))
	st.Reached, st.Maybe = before.Reached, before.Maybe
	st.Status = shell.Perhaps
	return prints
}

func (e *evaluator) cLoop(st *shell.State, loop *syntax.CStyleLoop, c *syntax.ForClause, io ioctx) {
	body := c.Do
	told := shell.Loop{AtMost: leaves(body)}
	if loop.Init != nil {
		e.arith(st, loop.Init)
	}
	if loop.Cond == nil && e.endless(st, body) {
		e.forever(st, e.m.Mark(), st.Dir, body, io)
		told.Forever = !told.AtMost
		e.looped(st, c, told)
		return
	}
	done, _ := e.m.Deeds()
	for turn := 0; turn < maxTurns || turn < maxComputed && e.computing(done); turn++ {
		if loop.Cond != nil {
			switch statusOf(e.arith(st, loop.Cond)) {
			case shell.Failed:
				st.Status = shell.OK
				told.Times = turn
				e.looped(st, c, told)
				return
			case shell.Perhaps:
				e.maybeBody(st, body, io)
				return
			}
		}
		if st.Gone || e.spent() {
			return
		}
		told.Turns = append(told.Turns, e.m.Mark().Programs)
		e.stmts(st, body, io)
		if e.endTurn(st) {
			return
		}
		if loop.Post != nil {
			e.arith(st, loop.Post)
		}
	}
	e.maybeBody(st, body, io)
}

// computing reports whether nothing but computing was done since the machine
// counted these deeds, and there is plenty of the budget to go on with.
func (e *evaluator) computing(since int) bool {
	deeds, plenty := e.m.Deeds()
	return deeds == since && plenty
}

func (e *evaluator) whileClause(st *shell.State, c *syntax.WhileClause, io ioctx) {
	if foreseeable(c.Cond) && !constant(c.Cond) && e.turnByTurn(st, c, io) {
		return
	}
	before := st.Clone()
	mark := e.m.Mark()
	e.widen(st, c.Cond)
	e.widen(st, c.Do)
	e.condition++
	e.once(func() { e.stmts(st, c.Cond, io) })
	e.condition--
	never := shell.Failed
	if c.Until {
		never = shell.OK
	}
	if c.Until {
		unsure(st)
	}
	if st.Status == never || st.Gone {
		st.Status = shell.OK
		st.Alts = e.onAlts(st, st.Alts, io, never.Not(), c.Do...)
		return
	}
	told := shell.Loop{AtMost: leaves(c.Do)}
	switch fixed := st.Status != shell.Perhaps && constant(c.Cond); {
	case fixed:
		told.Forever = !told.AtMost
	case len(c.Cond) == 1 && !takesWords(c.Cond[0]):
		told.Until, told.Holds = e.span(c.Cond[0]), !c.Until
		if cond := c.Cond[0]; cond.Negated {
			told.Until, told.Holds = e.span(cond.Cmd), !told.Holds
		}
	}
	defer func() { e.looped(st, c, told) }()
	if (st.Status != shell.Perhaps && constant(c.Cond) || !c.Until && makesOnly(c.Cond)) && e.endless(st, append(slices.Clip(c.Cond), c.Do...)) {
		e.forever(st, mark, before.Dir, c.Do, io)
	} else {
		e.maybeBody(st, c.Do, io)
	}
	st.Join(before)
	st.Status = shell.Perhaps
}

// turnByTurn walks a loop as long as it is known how its condition comes out,
// and reports whether that was so to its end.
func (e *evaluator) turnByTurn(st *shell.State, c *syntax.WhileClause, io ioctx) (whole bool) {
	never := shell.Failed
	if c.Until {
		never = shell.OK
	}
	done, _ := e.m.Deeds()
	last := shell.OK
	for turn := 0; turn < maxTurns || turn < maxComputed && e.computing(done); turn++ {
		e.condition++
		e.stmts(st, c.Cond, io)
		e.condition--
		if c.Until {
			unsure(st)
		}
		switch {
		case st.Gone || e.spent():
			return true
		case st.Status == shell.Perhaps:
			return false
		case st.Status == never:
			st.Status = last
			st.Alts = e.onAlts(st, st.Alts, io, never.Not(), c.Do...)
			return true
		}
		e.stmts(st, c.Do, io)
		if e.endTurn(st) {
			return true
		}
		last = st.Status
	}
	return false
}

// forever evaluates the body of a loop that nothing ends. since is where the
// evaluation of its condition began, and from the directory it began in.
func (e *evaluator) forever(st *shell.State, since shell.Mark, from value.Value, body []*syntax.Stmt, io ioctx) {
	e.widen(st, body)
	e.widenCounters(st, body)
	turn := st.Clone() // one turn, for the directory that it ends in
	turn.Alts = nil
	turn.Under(risk.Condition{})
	quiet := io
	quiet.out = &shell.Sink{}
	e.stmts(turn, body, quiet)
	prints := e.maybeBody(st, body, io)
	at := risk.Span{}
	if len(body) > 0 {
		at = e.span(body[0])
	}
	if e.m.Forever(st, at, since, turn.Dir.String() != from.String()) && prints && io.out != nil {
		io.out.Write(value.Value{}.With(value.Endless))
	}
}

// leaves reports whether something in a loop may leave it.
func leaves(body []*syntax.Stmt) bool {
	found := false
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if call, ok := n.(*syntax.CallExpr); ok && len(call.Args) > 0 {
				found = found || slices.Contains([]string{"break", "exit", "return", "exec"}, call.Args[0].Lit())
			}
			return !found
		})
	}
	return found
}

// takesWords reports whether a condition reads the words of each turn.
func takesWords(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(call.Args) > 0 && slices.Contains([]string{"read", "getopts"}, call.Args[0].Lit())
}

// looped tells how a loop went.
func (e *evaluator) looped(st *shell.State, of syntax.Node, l shell.Loop) {
	e.m.Tell(st, e.span(of), shell.Telling{Loop: &l})
}
