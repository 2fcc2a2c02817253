package posix

import (
	"slices"
	"strings"

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
		if c.Select {
			st.Vars.Assign(loop.Name.Value, value.Unknown(risk.CauseInput, loop.Name.Value).With(value.Input))
			e.maybeBody(st, c.Do, io)
			return
		}
		e.forWords(st, loop.Name.Value, items, c.Do, io)
	case *syntax.CStyleLoop:
		e.cLoop(st, loop, c.Do, io)
	}
}

// forWords walks over a list: word by word if it is short and known, else once
// for all of its words together.
func (e *evaluator) forWords(st *shell.State, name string, items []shell.Word, body []*syntax.Stmt, io ioctx) {
	st.Status = shell.OK
	short := len(items) <= maxTurns
	for _, w := range items {
		short = short && !w.Many
	}
	if short {
		for _, w := range items {
			if st.Gone || e.spent() {
				return
			}
			st.Vars.Assign(name, w.Value)
			e.stmts(st, body, io)
			if e.endTurn(st) {
				return
			}
		}
		return
	}
	var all []string
	closed := true
	var first value.Value
	for i, w := range items {
		s, ok := w.Value.Candidates(64)
		closed = closed && ok && !w.Many
		all = append(all, s...)
		if i == 0 || first.IsKnown() && !w.Value.IsKnown() {
			first = w.Value
		}
	}
	v := first
	if closed && len(all) <= maxFanOut {
		v = value.OneOf(risk.CauseMatch, name, all...).With(first.Taint())
		if p := first.Pattern(); p != "" {
			v = v.FromPattern(p)
		}
	}
	st.Vars.Assign(name, v)
	if closed {
		e.widen(st, body)
		e.stmts(st, body, io)
		e.endTurn(st)
		return
	}
	e.maybeBody(st, body, io)
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
	e.stmts(st, body, io)
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
	st.Join(before)
	st.Alts = dedupe(append(alts, before.Alts...))
	st.Reached, st.Maybe = before.Reached, before.Maybe
	st.Status = shell.Perhaps
	return prints
}

// endTurn forgets a `break` or `continue` at the end of a turn, and reports
// whether it was a break.
func (e *evaluator) endTurn(st *shell.State) (left bool) {
	v := st.Vars.Get(loopExit)
	if v == nil {
		return false
	}
	word, _ := v.Value.Known()
	st.Vars.Unset(loopExit)
	st.Gone = false
	return word == "break"
}

// loopExit marks a state that break or continue ended; no shell variable can
// have this name.
const loopExit = "\x00loop"

// widen makes every variable that a loop's body assigns unknown before the
// body is walked once for all its turns.
func (e *evaluator) widen(st *shell.State, body []*syntax.Stmt) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if n != nil && e.spent() {
				return false
			}
			switch x := n.(type) {
			case *syntax.Assign:
				if x.Name != nil && (x.Append || mentions(x.Value, x.Name.Value)) {
					e.forget(st, x.Name.Value)
				}
			case *syntax.UnaryArithm:
				if w, ok := x.X.(*syntax.Word); ok && (x.Op == syntax.Inc || x.Op == syntax.Dec) {
					e.forgetNumber(st, w.Lit())
				}
			case *syntax.BinaryArithm:
				if w, ok := x.X.(*syntax.Word); ok && strings.HasSuffix(x.Op.String(), "=") && x.Op != syntax.Eql && x.Op != syntax.Neq && x.Op != syntax.Leq && x.Op != syntax.Geq {
					e.forgetNumber(st, w.Lit())
				}
			}
			return true
		})
	}
}

func mentions(w *syntax.Word, name string) bool {
	found := false
	if w != nil {
		syntax.Walk(w, func(n syntax.Node) bool {
			if p, ok := n.(*syntax.ParamExp); ok && p.Param != nil && p.Param.Value == name {
				found = true
			}
			return !found
		})
	}
	return found
}

func (e *evaluator) forget(st *shell.State, name string) {
	var taint value.Taint
	if old := st.Vars.Get(name); old != nil {
		taint = old.Value.Taint()
		if old.Array {
			return
		}
	}
	st.Vars.Assign(name, value.Unknown(risk.CauseLoop, name).With(taint))
}

func (e *evaluator) forgetNumber(st *shell.State, name string) {
	if name != "" {
		st.Vars.Assign(name, value.Of(value.Hole{Cause: risk.CauseLoop, Name: name, Shape: value.Number}))
	}
}

func (e *evaluator) cLoop(st *shell.State, loop *syntax.CStyleLoop, body []*syntax.Stmt, io ioctx) {
	if loop.Init != nil {
		e.arith(st, loop.Init)
	}
	if loop.Cond == nil && e.endless(st, body) {
		e.forever(st, e.m.Mark(), st.Dir, body, io)
		return
	}
	done, _ := e.m.Deeds()
	for turn := 0; turn < maxTurns || turn < maxComputed && e.computing(done); turn++ {
		if loop.Cond != nil {
			switch statusOf(e.arith(st, loop.Cond)) {
			case shell.Failed:
				st.Status = shell.OK
				return
			case shell.Perhaps:
				e.maybeBody(st, body, io)
				return
			}
		}
		if st.Gone || e.spent() {
			return
		}
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
	if lines, ok := e.readLines(c, io); ok {
		for _, line := range lines {
			if st.Gone || e.spent() {
				return
			}
			turn := io
			turn.in = value.Lit(line + "\n").With(io.in.Taint())
			e.stmts(st, c.Cond, turn)
			e.stmts(st, c.Do, turn)
			if e.endTurn(st) {
				break
			}
		}
		st.Status = shell.OK
		return
	}
	before := st.Clone()
	mark := e.m.Mark()
	e.widen(st, c.Cond)
	e.widen(st, c.Do)
	e.condition++
	e.stmts(st, c.Cond, io)
	e.condition--
	never := shell.Failed
	if c.Until {
		never = shell.OK
	}
	if st.Status == never || st.Gone {
		st.Status = shell.OK
		return
	}
	if (st.Status != shell.Perhaps && constant(c.Cond) || !c.Until && makesOnly(c.Cond)) && e.endless(st, append(slices.Clip(c.Cond), c.Do...)) {
		e.forever(st, mark, before.Dir, c.Do, io)
	} else {
		e.maybeBody(st, c.Do, io)
	}
	st.Join(before)
	st.Status = shell.Perhaps
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

// waiting are the commands that wait, or leave a loop.
var waiting = []string{"wait", "sleep", "read", "break", "exit", "return", "usleep", "inotifywait", "select", "exec", "timeout", "gtimeout", "fg", "tail", "flock", "entr", "kill"}

// endless reports whether nothing in a loop that never ends by its condition
// waits or leaves, and tells of the jobs that it starts in the background and
// the variables that it lets grow.
func (e *evaluator) endless(st *shell.State, body []*syntax.Stmt) bool {
	waits := false
	var job *syntax.Stmt
	var grows *syntax.Assign
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch x := n.(type) {
			case *syntax.FuncDecl:
				return false
			case *syntax.Stmt:
				if x.Background && job == nil {
					job = x
				}
				return !x.Background // what waits in the background does not
			case *syntax.CallExpr:
				if len(x.Args) > 0 {
					waits = waits || slices.Contains(waiting, x.Args[0].Lit())
				}
			case *syntax.Assign:
				if grows == nil && growing(x) {
					grows = x
				}
			}
			return true
		})
	}
	if waits {
		return false
	}
	if job != nil {
		e.m.Effect(st, e.span(job), shell.Effect{Verb: risk.Exhaust, Kind: risk.KindJobsWithoutEnd})
	}
	if grows != nil {
		e.m.Effect(st, e.span(grows), shell.Effect{Verb: risk.Exhaust, Kind: risk.KindMemoryWithoutEnd})
	}
	return true
}

// growing reports whether an assignment makes a variable longer each time.
func growing(a *syntax.Assign) bool {
	if a.Name == nil {
		return false
	}
	if a.Append {
		if a.Array != nil {
			return len(a.Array.Elems) > 0
		}
		// A number may be added and not put behind.
		return a.Value != nil && (a.Value.Lit() == "" && len(a.Value.Parts) > 0 || strings.Trim(a.Value.Lit(), "0123456789") != "")
	}
	return a.Value != nil && len(a.Value.Parts) > 0 && longer(a.Value.Parts, a.Name.Value)
}

// longer reports whether the parts of a word are a variable as it is and more.
func longer(parts []syntax.WordPart, name string) bool {
	if len(parts) == 1 {
		q, ok := parts[0].(*syntax.DblQuoted)
		return ok && longer(q.Parts, name)
	}
	return slices.ContainsFunc(parts, func(p syntax.WordPart) bool {
		if q, ok := p.(*syntax.DblQuoted); ok && len(q.Parts) == 1 {
			p = q.Parts[0]
		}
		x, ok := p.(*syntax.ParamExp)
		return ok && x.Param != nil && x.Param.Value == name && x.Exp == nil && x.Slice == nil && x.Repl == nil && !x.Length
	})
}

// widenCounters makes unknown what a body counts: n=$((n+1)).
func (e *evaluator) widenCounters(st *shell.State, body []*syntax.Stmt) {
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if n != nil && e.spent() {
				return false
			}
			a, ok := n.(*syntax.Assign)
			if !ok || a.Name == nil || a.Value == nil || len(a.Value.Parts) != 1 {
				return true
			}
			if x, ok := a.Value.Parts[0].(*syntax.ArithmExp); ok && !literal(x.X) {
				e.forgetNumber(st, a.Name.Value)
			}
			return true
		})
	}
}

// constant reports whether a condition comes out the same at every turn: it has
// no variables, runs nothing and looks at no file.
func constant(cond []*syntax.Stmt) bool {
	same := true
	for _, s := range cond {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch x := n.(type) {
			case *syntax.ParamExp, *syntax.CmdSubst, *syntax.ProcSubst, *syntax.UnaryTest, *syntax.Redirect:
				same = false
			case *syntax.CallExpr:
				same = same && len(x.Args) > 0 && slices.Contains([]string{":", "true", "false", "[", "test"}, x.Args[0].Lit()) && len(x.Assigns) == 0
				if same && len(x.Args) > 1 {
					same = len(x.Args[1].Lit()) < 2 || x.Args[1].Lit()[0] != '-'
				}
			case *syntax.ArithmCmd:
				same = same && literal(x.X)
				return false
			case *syntax.LetClause:
				same = false
			}
			return same
		})
	}
	return same && len(cond) > 0
}

// literal reports whether an arithmetic expression is made of numbers alone.
func literal(x syntax.ArithmExpr) bool {
	same := true
	syntax.Walk(x, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.Word); ok {
			same = same && w.Lit() != "" && strings.Trim(w.Lit(), "0123456789") == ""
		}
		return same
	})
	return same
}

// makesOnly reports whether a condition only makes something or goes somewhere:
// it holds until the machine refuses.
func makesOnly(cond []*syntax.Stmt) bool {
	only := len(cond) > 0
	for _, s := range cond {
		syntax.Walk(s, func(n syntax.Node) bool {
			switch x := n.(type) {
			case *syntax.CallExpr:
				only = only && len(x.Args) > 0 && slices.Contains([]string{"mkdir", "cd", "pushd", "touch", "mktemp", "echo", "printf", ":", "true", "cp", "ln"}, x.Args[0].Lit())
			case *syntax.BinaryCmd:
				only = only && (x.Op == syntax.AndStmt || x.Op == syntax.OrStmt)
			case *syntax.CmdSubst:
				return false
			case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause, *syntax.ForClause, *syntax.WhileClause, *syntax.IfClause, *syntax.CaseClause:
				only = false
			}
			return only
		})
	}
	return only
}

// readLines recognises `while read …` over input that is fully known.
func (e *evaluator) readLines(c *syntax.WhileClause, io ioctx) ([]string, bool) {
	if c.Until || len(c.Cond) != 1 || !io.hasIn {
		return nil, false
	}
	call, ok := c.Cond[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || call.Args[0].Lit() != "read" {
		return nil, false
	}
	text, known := io.in.Known()
	if !known {
		return nil, false
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	return lines, len(lines) <= maxTurns && text != ""
}
