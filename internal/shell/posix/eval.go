package posix

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// Limits of one evaluation that are not steps of the machine's budget.
const (
	maxDepth     = 24   // nested shells, scripts, functions and substitutions
	maxTurns     = 12   // turns of a loop that are walked one by one
	maxComputed  = 1024 // turns of a loop that only computes
	maxFanOut    = 4096 // words that one word may become
	maxText      = shell.MaxText
	maxParts     = 1 << 10 // known and unknown parts that a value may have
	maxRecursion = 3       // calls of one function inside itself
	maxChain     = 500     // operators of one list or pipeline
	stepBytes    = 4096    // bytes that may be copied in one step
)

// Eval evaluates text in st, which it changes, and returns the error that kept
// it from being read at all. The machine has then been told nothing.
//
// at, if not nil, is the span that stands for all of the text: that of the
// command which gave it, when the text is not the request's own.
func Eval(m shell.Machine, st *shell.State, text string, at *risk.Span, out *shell.Sink) error {
	src, err := Parse(text, st.Shell)
	if err == nil {
		err = src.fits(st)
	}
	if err != nil {
		return err
	}
	e := &evaluator{m: m, at: at, text: src.Text, grammar: src.Grammar, end: len(text)}
	st.Frame = nil // a function around this shell is none of its own
	e.inherit(st, out)
	e.fillIn(st, src)
	e.apart(st, func() {
		e.stmts(st, src.File.Stmts, ioctx{out: out})
		e.keep(st, out)
		last := st
		if st.Stays { // and so does what it leaves for its end
			last = st.Clone()
		}
		e.trap(last, "EXIT", ioctx{out: out})
	})
	return nil
}

// evaluator walks one text.
type evaluator struct {
	m         shell.Machine
	at        *risk.Span
	text      string
	grammar   string // that text was parsed with
	end       int    // of the request's own text, where the parsed one is longer
	inside    bool   // a statement of the text
	condition int    // depth of contexts in which set -e does not apply
	pipeDepth int    // > 0 inside a pipeline or a background command
	chain     int    // lists and pipelines around this point
	streams
	subst   int // how many process substitutions were seen
	ends    *ends
	loops   []*loop
	stdin   *position // in what the shell was started with
	sourced int       // files that are sourced around this point
	turns   int       // loops around this point whose body stands for all its turns
	// substituted is set when a command in a word was evaluated.
	substituted bool
	declaring   bool // the words of export and its like are evaluated
}

// ioctx is where a command's standard streams lead.
type ioctx struct {
	in    value.Value
	hasIn bool
	inNet bool
	pos   *position // how far in was read
	// out collects standard output; nil is the screen.
	out *shell.Sink
	// err collects standard error where it goes the same way as output.
	errOut *shell.Sink
	fds    map[string]*target // further descriptors
	// pending are the sinks to store when the statement is done.
	pending []*shell.Sink
	turned  *turned // how the command's own redirections turn standard output
}

// target is what a redirected descriptor leads to.
type target struct {
	sink       *shell.Sink
	in         value.Value
	hasIn, net bool
	pos        *position
}

func (e *evaluator) span(n syntax.Node) risk.Span {
	if e.at != nil {
		return *e.at
	}
	s := risk.Span{Start: int(n.Pos().Offset()), End: int(n.End().Offset())}
	if e.end > 0 {
		s.Start, s.End = min(s.Start, e.end), min(s.End, e.end)
	}
	return s
}

// spent takes a step from the budget and reports whether it is used up.
func (e *evaluator) spent() bool { return !e.m.Spend(1) }

func (e *evaluator) stmts(st *shell.State, list []*syntax.Stmt, io ioctx) {
	outermost := e.at == nil && !e.inside
	e.inside = true
	defer func() { e.inside = !outermost }()
	for _, s := range list {
		if st.Gone || e.spent() {
			return
		}
		if outermost {
			st.Statement = e.span(s)
		}
		e.stmt(st, s, io)
	}
}

func (e *evaluator) stmt(st *shell.State, s *syntax.Stmt, io ioctx) {
	io.out = e.output(io.out)
	if s.Background || s.Coprocess || s.Disown {
		sub := st.Clone()
		if s.Coprocess { // mksh: cmd |&
			io.out = &shell.Sink{}
		}
		e.pipeDepth++
		e.apart(sub, func() { e.redirected(sub, s, io) })
		e.pipeDepth--
		st.FS.Join(sub.FS)
		st.Status = shell.OK
		if s.Coprocess {
			e.speak(s, io.out.Value())
		}
		return
	}
	if s.Negated {
		e.condition++
	}
	e.redirected(st, s, io)
	if s.Negated {
		e.condition--
		st.Status = st.Status.Not()
		for i := range st.Alts {
			st.Alts[i].Status = st.Alts[i].Status.Not()
		}
		return // set -e does not apply to it
	}
	if mayErrExit(s.Cmd, st.Shell) {
		e.errExit(st)
	}
}

// mayErrExit reports whether `set -e` applies to a command as a whole: to a
// list or a compound command it applied inside, where it does (POSIX.1-2024
// Shell 2.15, set; bash(1)).
func mayErrExit(c syntax.Command, dialect string) bool {
	switch c := c.(type) {
	case *syntax.BinaryCmd:
		if dialect == "zsh" && c.Op == syntax.Pipe { // its last command is one of the shell itself
			return !c.Y.Negated && mayErrExit(c.Y.Cmd, dialect)
		}
		return c.Op != syntax.AndStmt && c.Op != syntax.OrStmt
	case *syntax.Block, *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause, *syntax.FuncDecl:
		return false
	}
	return true
}

// errExit applies `set -e` after a command.
func (e *evaluator) errExit(st *shell.State) {
	if !optionsOf(st).errExit || e.condition > 0 || st.Gone {
		return
	}
	kept := st.Alts[:0]
	for _, a := range st.Alts {
		if a.Status != shell.Failed {
			kept = append(kept, a)
		}
	}
	st.Alts = kept
	switch st.Status {
	case shell.Failed:
		e.leave(st)
	case shell.Perhaps: // it may have left
		e.passed().exit = e.passed().exit.with(shell.Failed)
	}
}

func (e *evaluator) redirected(st *shell.State, s *syntax.Stmt, io ioctx) {
	if s.Cmd == nil {
		e.redirect(st, s.Redirs, &io, s)
		st.Status = shell.OK
		e.flush(st, s, &io)
		return
	}
	if call, ok := s.Cmd.(*syntax.CallExpr); ok {
		e.call(st, call, s, io)
		return
	}
	e.redirect(st, s.Redirs, &io, s)
	inner := io
	inner.pending = nil // what is opened here is written when all of it is done
	e.command(st, s.Cmd, inner)
	e.flush(st, s, &io)
}

func (e *evaluator) command(st *shell.State, cmd syntax.Command, io ioctx) {
	switch c := cmd.(type) {
	case *syntax.CallExpr:
		e.call(st, c, &syntax.Stmt{Cmd: c}, io)
	case *syntax.BinaryCmd:
		e.binary(st, c, io)
	case *syntax.Block:
		e.stmts(st, c.Stmts, io)
	case *syntax.Subshell:
		sub := st.Clone()
		sub.Traps = nil
		e.apart(sub, func() {
			e.stmts(sub, c.Stmts, io)
			e.trap(sub, "EXIT", io)
		})
		st.FS.Follow(sub.FS)
		st.Status = sub.Status
	case *syntax.IfClause:
		e.ifClause(st, c, io)
	case *syntax.WhileClause:
		e.loop(st, func() { e.whileClause(st, c, io) })
	case *syntax.ForClause:
		e.loop(st, func() { e.forClause(st, c, io) })
	case *syntax.CaseClause:
		e.caseClause(st, c, io)
	case *syntax.FuncDecl:
		e.funcDecl(st, c)
	case *syntax.ArithmCmd:
		st.Status = statusOf(e.arith(st, c.X))
	case *syntax.TestClause:
		st.Status = e.testExpr(st, c.X)
	case *syntax.DeclClause:
		e.declare(st, c, io)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			st.Status = statusOf(e.arith(st, x))
		}
	case *syntax.TimeClause:
		if c.Stmt != nil {
			e.stmt(st, c.Stmt, io)
		}
	case *syntax.CoprocClause:
		e.coproc(st, c)
	default:
		e.m.Unknown(st, e.span(cmd), risk.RoleCode, "a construct that is not evaluated")
	}
}

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
	reached, maybe := st.Reached, st.Maybe
	var failed []*shell.State
	var aside []shell.Alt
	for i, s := range list {
		if i > 0 {
			if st.Gone || st.Status == shell.Failed || e.spent() {
				break
			}
			aside = append(aside, e.setAside(st)...)
			if st.Status == shell.Perhaps {
				bail := st.Clone()
				bail.Status, bail.Alts = shell.Failed, nil
				failed = append(failed, bail)
				st.Under(e.outcome(list[i-1], shell.OK))
				st.Status = shell.OK
			}
		}
		if i < len(list)-1 {
			e.condition++
		}
		e.stmt(st, s, io)
		if i < len(list)-1 {
			e.condition--
		}
	}
	alts := append(st.Alts, aside...)
	gone := st.Gone
	for _, f := range failed {
		st.Join(f)
	}
	st.Alts = dedupe(alts)
	if len(failed) > 0 && !gone {
		st.Reached, st.Maybe = reached, maybe
	}
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
	switch st.Status {
	case want:
		e.stmt(st, y, io)
	case shell.Perhaps:
		then := st.Clone()
		then.Under(e.outcome(x, want))
		then.Status = want
		e.stmt(then, y, io)
		st.Status = want.Not()
		alts := append(st.Alts, then.Alts...)
		st.Join(then)
		st.Alts = dedupe(alts)
	default:
		if len(st.Alts) > 0 { // reached only where a cd failed
			st.Alts = e.onAlts(st, st.Alts, y, io)
		}
	}
	st.Alts = append(st.Alts, aside...)
}

// onAlts evaluates a statement on each alternative alone and returns the
// alternatives that survive it.
func (e *evaluator) onAlts(st *shell.State, alts []shell.Alt, y *syntax.Stmt, io ioctx) []shell.Alt {
	var out []shell.Alt
	for _, a := range alts {
		alt := st.Clone()
		alt.Alts, alt.Dir, alt.Status = nil, a.Dir, a.Status
		alt.Under(a.If)
		e.stmt(alt, y, io)
		if !alt.Gone {
			out = append(out, shell.Alt{Dir: alt.Dir, If: a.If, Status: alt.Status})
		}
	}
	return out
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

// source returns the text of a node, on one line and not too long.
func (e *evaluator) source(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from > to || to > len(e.text) {
		return "…"
	}
	text := strings.Join(strings.Fields(e.text[from:min(to, from+400)]), " ")
	if len(text) > 40 {
		text = text[:39] + "…"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// pipeline evaluates a | b: each side in a subshell of its own, except that zsh
// runs the last one in the shell itself. Of the shells that read what mksh reads,
// ksh93 does, and mksh does not.
func (e *evaluator) pipeline(st *shell.State, c *syntax.BinaryCmd, io ioctx) {
	e.pipeDepth++
	defer func() { e.pipeDepth-- }()
	left := st.Clone()
	pipe := &shell.Sink{}
	leftIO := io
	leftIO.out = pipe
	if c.Op == syntax.PipeAll {
		leftIO.errOut = pipe
	}
	e.apart(left, func() { e.stmt(left, c.X, leftIO) })
	st.FS.Follow(left.FS)

	right := st
	ownShell := st.Shell == "zsh"
	if !ownShell {
		right = st.Clone()
	}
	rightIO := io
	rightIO.in, rightIO.hasIn, rightIO.inNet, rightIO.pos = pipe.Value(), true, false, e.opened()
	if ownShell {
		e.stmt(right, c.Y, rightIO)
	} else {
		e.apart(right, func() { e.stmt(right, c.Y, rightIO) })
		st.FS.Follow(right.FS)
		st.Status = right.Status
		st.Gone = false
		if st.Shell == "mksh" && !right.Gone {
			st.Join(right)
		}
		if right.Context.Changed {
			st.Context = right.Context
		}
	}
	if optionsOf(st).pipeFail && left.Status != shell.OK && st.Status == shell.OK {
		st.Status = left.Status
	}
}

func (e *evaluator) ifClause(st *shell.State, c *syntax.IfClause, io ioctx) {
	if e.spent() {
		return
	}
	if !c.ThenPos.IsValid() { // else
		e.stmts(st, c.Then, io)
		return
	}
	e.condition++
	e.stmts(st, c.Cond, io)
	e.condition--
	if st.Gone {
		return
	}
	switch st.Status {
	case shell.OK:
		e.stmts(st, c.Then, io)
	case shell.Failed:
		st.Status = shell.OK
		if c.Else != nil {
			e.ifClause(st, c.Else, io)
		}
	default:
		note := ""
		if len(c.Cond) > 0 {
			note = e.source(c.Cond[len(c.Cond)-1])
		}
		other := st.Clone()
		st.Under(risk.Condition{Kind: risk.IfTrue, Of: note})
		e.stmts(st, c.Then, io)
		other.Under(risk.Condition{Kind: risk.IfNotTrue, Of: note})
		if c.Else != nil {
			e.ifClause(other, c.Else, io)
		}
		e.rejoin(st, other)
	}
}

// rejoin makes st hold what either branch left, reached as before the branch.
func (e *evaluator) rejoin(st, other *shell.State) {
	reached, maybe := other.Reached, st.Maybe || other.Maybe
	if len(st.Reached) < len(reached) {
		reached = st.Reached
	}
	if len(reached) > 0 {
		reached = reached[:len(reached)-1]
	}
	alts := dedupe(append(st.Alts, other.Alts...))
	oneLeft := st.Gone != other.Gone
	st.Join(other)
	st.Alts = alts
	if !oneLeft {
		st.Reached = reached
		st.Maybe = maybe && len(reached) > 0
	}
}

func (e *evaluator) caseClause(st *shell.State, c *syntax.CaseClause, io ioctx) {
	subject := e.join(st, c.Word)
	var results []*shell.State
	base := st
	var through *shell.State // the branch that ;& carries on with the next item
	for _, item := range c.Items {
		if through != nil {
			e.stmts(through, item.Stmts, io)
			if item.Op != syntax.Fallthrough {
				through = nil
			}
			if base == nil {
				if through == nil {
					break
				}
				continue
			}
		}
		match := shell.Failed
		for _, p := range item.Patterns {
			switch matchValue(e.patternOf(st, p), subject, st) {
			case shell.OK:
				match = shell.OK
			case shell.Perhaps:
				if match == shell.Failed {
					match = shell.Perhaps
				}
			}
		}
		if match == shell.Failed {
			continue
		}
		branch := base.Clone()
		if len(item.Stmts) == 0 {
			branch.Status = shell.OK
		}
		if match == shell.Perhaps {
			branch.Under(risk.Condition{})
		}
		e.stmts(branch, item.Stmts, io)
		results = append(results, branch)
		if item.Op == syntax.Fallthrough {
			through = branch
		}
		if match == shell.OK && (item.Op == syntax.Break || through != nil) {
			base = nil
			if through == nil {
				break
			}
		}
	}
	if base != nil {
		none := base.Clone()
		none.Status = shell.OK
		results = append(results, none)
	}
	reached, maybe := st.Reached, st.Maybe
	*st = *results[0]
	for _, r := range results[1:] {
		st.Join(r)
	}
	st.Reached, st.Maybe = reached, maybe
}

func (e *evaluator) funcDecl(st *shell.State, c *syntax.FuncDecl) {
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	if st.Funcs == nil {
		st.Funcs = map[string]*shell.Func{}
	}
	f := e.kept(c, c.Body)
	for _, n := range names {
		st.Funcs[n.Value] = shell.NewFunc(f.source, f)
	}
	if len(names) == 0 { // an anonymous zsh function runs at once
		e.stmt(st, c.Body, ioctx{})
	}
	st.Status = shell.OK
}

// trap runs what was left to run at a signal or at the end.
func (e *evaluator) trap(st *shell.State, name string, io ioctx) {
	text, ok := st.Traps[name]
	if !ok {
		return
	}
	delete(st.Traps, name)
	gone, status := st.Gone, st.Status
	st.Gone = false
	e.nested(st, text, st.Shell, io, risk.Span{})
	st.Gone, st.Status = gone || st.Gone, status
}

// nested evaluates text that became code: the argument of eval, a trap.
func (e *evaluator) nested(st *shell.State, text value.Value, dialect string, io ioctx, at risk.Span) {
	if st.Depth >= maxDepth {
		e.m.Unknown(st, at, risk.RoleBudget, "nested too deep")
		return
	}
	if e.at != nil {
		at = *e.at
	}
	known, ok := text.Known()
	if !ok {
		e.m.Code(st, at, text, dialect)
		return
	}
	st.Depth++
	defer func() { st.Depth-- }()
	src, err := Parse(known, dialect)
	if err == nil {
		err = src.fits(st)
	}
	if err != nil {
		role := risk.RoleParse
		if errors.Is(err, shell.ErrTooComplex) {
			role = risk.RoleBudget
		}
		e.m.Unknown(st, at, role, err.Error())
		return
	}
	sub := &evaluator{m: e.m, at: &at, text: src.Text, grammar: src.Grammar, condition: e.condition, pipeDepth: e.pipeDepth, ends: e.passed(), loops: e.loops, sourced: e.sourced, turns: e.turns, stdin: e.stdin}
	sub.fds, sub.turned = e.fds, e.turned
	sub.fillIn(st, src)
	sub.stmts(st, src.File.Stmts, io)
	e.fds, e.turned, e.stdin = sub.fds, sub.turned, sub.stdin
}

// fits reports whether a text means in st what its tree says.
func (s *Source) fits(st *shell.State) error {
	if s.WithoutParams && len(st.Params) > 0 {
		return errors.New("parsing: an arithmetic expression that is made of positional parameters")
	}
	return nil
}

// fillIn sets the variables that stand for placeholders.
func (e *evaluator) fillIn(st *shell.State, src *Source) {
	for _, variable := range slices.Sorted(maps.Keys(src.Placeholders)) { // in one order always
		name := src.Placeholders[variable]
		st.Vars.Set(variable, shell.Var{Value: value.Of(value.Hole{Cause: risk.CausePlaceholder, Name: name, Shape: value.AnyPath})})
		at := risk.Span{End: len(src.Text)}
		if e.at != nil {
			at = *e.at
		}
		e.m.Unknown(st, at, risk.RolePlaceholder, "<"+name+">")
	}
}

func statusOf(v value.Value) shell.Status {
	s, ok := v.Known()
	switch {
	case !ok:
		return shell.Perhaps
	case s == "0" || s == "":
		return shell.Failed
	}
	return shell.OK
}
