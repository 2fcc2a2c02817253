package posix

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/splice"
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
	maxNamed     = 64   // words that a loop is walked for together by their names
	maxText      = shell.MaxText
	maxParts     = 1 << 10 // known and unknown parts that a value may have
	maxRecursion = 3       // calls of one function inside itself
	// maxKnownCalls are those where all is known that decides whether there is another.
	maxKnownCalls = 16
	maxChain      = 500  // operators of one list or pipeline
	stepBytes     = 4096 // bytes that may be copied in one step
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
	e := &evaluator{m: m, parts: st.Parts, at: at, text: src.Text, grammar: src.Grammar, end: len(text)}
	st.Frame = nil // a function around this shell is none of its own
	e.inherit(st, out)
	if at != nil {
		e.startFunctions(st, *at)
	}
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
	parts     []value.Value // that stand in text
	at        *risk.Span
	text      string
	aliases   map[string]madeAlias // that the text itself makes
	grammar   string               // that text was parsed with
	end       int                  // of the request's own text, where the parsed one is longer
	inside    bool                 // a statement of the text
	condition int                  // depth of contexts in which set -e does not apply
	pipeDepth int                  // > 0 inside a pipeline or a background command
	chain     int                  // lists and pipelines around this point
	streams
	subst   int // how many process substitutions were seen
	ends    *ends
	loops   []*loop
	stdin   *position // in what the shell was started with
	sourced int       // files that are sourced around this point
	turns   int       // loops around this point whose body stands for all its turns
	visited visited
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
	// stuck is how a redirection fails, nil where none does.
	stuck *risk.Ending
	// starved is how the program ends that would print what is read here.
	starved *risk.Ending
	// began is what had been done when the pipeline began that this is a part of, or nil.
	began *shell.Mark
	// opening is what had been done when the redirections of a command began to be opened.
	opening *shell.Mark
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
	defer e.unseen(st, s)
	st.Doomed, st.Met, st.Nothing, st.Shaky, st.Sure = nil, nil, nil, false, false
	if s.Background || s.Coprocess || s.Disown {
		sub := st.Clone()
		sub.Behind = true
		if s.Coprocess { // mksh: cmd |&
			io.out = &shell.Sink{}
		}
		e.pipeDepth++
		e.subshell(sub, func() { e.redirected(sub, s, io) }, io)
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
	st.Shaky = st.Shaky || slices.ContainsFunc(s.Redirs, refusable)
	if s.Negated {
		e.condition--
		unsure(st)
		st.Status, st.Doomed, st.Met, st.Sure = st.Status.Not(), st.Met, asked(st.Doomed), false
		for i := range st.Alts {
			st.Alts[i].Status = st.Alts[i].Status.Not()
		}
		return // set -e does not apply to it
	}
	if mayErrExit(s.Cmd, st.Shell) {
		e.errExit(st)
	}
}

// refusable reports whether the shell may fail at a redirection, and then does not
// run the command: at all of files and descriptors but the ones that are always
// there (POSIX.1-2024 Shell 2.8.1, "Consequences of Shell Errors").
func refusable(r *syntax.Redirect) bool {
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return false
	}
	switch r.Word.Lit() {
	case "1", "2", "/dev/null":
		return false
	}
	return true
}

// unsure is for whoever acts where a command fails: one that is only known to
// succeed if its redirections do may do either.
func unsure(st *shell.State) {
	if st.Shaky && st.Status == shell.OK {
		st.Status = shell.Perhaps
	}
	st.Shaky = false
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
		e.nullCommand(st, s, io)
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
	if b, ok := s.Cmd.(*syntax.BinaryCmd); !ok || b.Op != syntax.Pipe && b.Op != syntax.PipeAll {
		inner.began = nil
	}
	e.command(st, s.Cmd, inner)
	st.Alts = level(st.Alts, s.Cmd, st.Status)
	e.flush(st, s, &io)
}

// level gives alternatives the status of a command that was not evaluated on each of
// them: one that looks at files may come out in another way there.
func level(alts []shell.Alt, c syntax.Command, status shell.Status) []shell.Alt {
	switch c := c.(type) {
	case *syntax.Subshell, *syntax.ArithmCmd, *syntax.LetClause, *syntax.DeclClause, *syntax.FuncDecl:
	case *syntax.TestClause:
		status = shell.Perhaps
	case *syntax.BinaryCmd:
		if c.Op != syntax.Pipe && c.Op != syntax.PipeAll {
			return alts
		}
	default:
		return alts
	}
	for i := range alts {
		alts[i].Status = status
	}
	return alts
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
		e.subshell(sub, func() { e.stmts(sub, c.Stmts, io) }, io)
		st.FS.Follow(sub.FS)
		st.Status, st.Doomed, st.Met, st.Shaky = sub.Status, sub.Doomed, sub.Met, sub.Shaky
	case *syntax.IfClause:
		e.ifClause(st, c, io)
	case *syntax.WhileClause:
		e.loop(st, func() { e.whileClause(st, c, io) })
	case *syntax.ForClause:
		e.loop(st, func() { e.forClause(st, c, io) })
	case *syntax.CaseClause:
		e.caseClause(st, c, io)
	case *syntax.FuncDecl:
		if fn := functionBody(c.Body); fn != c.Body {
			alone := *c
			alone.Body = fn
			e.stmt(st, behindBody(c.Body, &syntax.Stmt{Position: c.Position, Cmd: &alone}), io)
			return
		}
		e.funcDecl(st, c)
	case *syntax.ArithmCmd:
		st.Status = statusOf(e.arith(st, c.X))
	case *syntax.TestClause:
		st.Status = e.testExpr(st, c.X)
		st.Doomed = e.unmet(st, c.X)
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
		if io.out != nil { // the times, where errors go the same way
			e.emit(st, e.span(cmd), value.Unknown(risk.CauseOutput, "time"), io)
		}
	case *syntax.CoprocClause:
		e.coproc(st, c)
	default:
		e.m.Unknown(st, e.span(cmd), risk.RoleCode, "a construct that is not evaluated")
	}
}

// source returns the text of a node, on one line and not too long.
func (e *evaluator) source(n syntax.Node) string {
	from, to := int(n.Pos().Offset()), int(n.End().Offset())
	if from > to || to > len(e.text) {
		return "…"
	}
	text := strings.Join(strings.Fields(splice.Shown(e.text[from:min(to, from+400)], e.parts)), " ")
	if len(text) > 40 {
		text = text[:39] + "…"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// functionBody is the body of a function: the parser takes all of a list for it that
// stands behind, as in `f() { a; } && f`, where a shell takes one compound command.
func functionBody(s *syntax.Stmt) *syntax.Stmt {
	for {
		b, list := s.Cmd.(*syntax.BinaryCmd)
		if !list || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt || s.Negated || len(s.Redirs) > 0 {
			return s
		}
		s = b.X
	}
}

// behindBody is such a list with what declares the function in front.
func behindBody(s, declaration *syntax.Stmt) *syntax.Stmt {
	if functionBody(s) == s {
		return declaration
	}
	list := *s.Cmd.(*syntax.BinaryCmd)
	list.X = behindBody(list.X, declaration)
	whole := *s
	whole.Cmd = &list
	return &whole
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
		st.Funcs[n.Value].Exported = optionsOf(st).allExport && st.Shell == "bash"
		if e.m != nil { // there is none where a session's own form is read
			e.m.Tell(st, e.span(c), shell.Telling{What: "defines the function " + n.Value})
		}
	}
	if len(names) == 0 { // an anonymous zsh function runs at once
		e.stmt(st, c.Body, ioctx{})
	}
	e.hooked(st, names, e.span(c))
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

// numbered is text in which nothing but numbers is not known ($$, a line), and names
// that mktemp makes, as it stands in a state: whatever they are, the code is the same.
// Inside single quotes nothing stands for them.
func numbered(st *shell.State, text value.Value) (string, bool) {
	var b splice.Builder
	for _, p := range text.Parts() {
		switch {
		case p.Hole == nil:
			if strings.Contains(p.Lit, "'") || strings.HasSuffix(p.Lit, "\\") {
				return "", false
			}
			b.Text(p.Lit)
		case (p.Hole.Shape == value.Number || madeName(p.Hole)) && p.Hole.Written == "":
			b.Data(value.Of(*p.Hole).With(text.Taint()))
		default:
			return "", false
		}
	}
	from := len(st.Parts)
	st.Parts = append(slices.Clip(st.Parts), b.Parts()...)
	return splice.Rebase(b.String(), len(b.Parts()), from), true
}

// madeName reports whether a hole is a name that mktemp made, of letters and digits below
// the directory for such files.
func madeName(h *value.Hole) bool {
	return h.Shape == value.Below && h.Cause == risk.CauseOutput && h.Base == risk.NewTemp
}

// isNameRune reports whether a variable's name may hold a character.
func isNameRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
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
	text = present(st, text)
	known, ok := text.Known()
	if !ok {
		known, ok = numbered(st, text)
	}
	if !ok {
		known, ok = givenWords(st, text)
		if ok {
			_, err := Parse(known, dialect)
			ok = err == nil
		}
		if ok {
			e.m.Effect(st, at, shell.Effect{Verb: risk.ExecUnknown, Target: text, Kind: risk.KindCodeWithWord})
		}
	}
	if !ok {
		if texts := alternatives(text); len(texts) > 1 {
			e.eachText(st, texts, dialect, io, at)
		} else {
			e.m.Code(st, at, text, dialect)
		}
		return
	}
	e.reveal(st, at, text)
	if strings.Contains(strings.ReplaceAll(strings.TrimSuffix(known, "\r"), "\r\n", ""), "\r") { // a blank to the parser, and a letter to the shells
		e.unmodelled(st, at, "a carriage return")
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
	sub := &evaluator{m: e.m, parts: e.parts, at: &at, text: src.Text, grammar: src.Grammar, condition: e.condition, pipeDepth: e.pipeDepth, ends: e.passed(), loops: e.loops, sourced: e.sourced, turns: e.turns, stdin: e.stdin}
	sub.fds, sub.turned = e.fds, e.turned
	sub.fillIn(st, src)
	sub.stmts(st, src.File.Stmts, io)
	e.fds, e.turned, e.stdin = sub.fds, sub.turned, sub.stdin
}

// fillIn sets the variables that stand for placeholders.
func (e *evaluator) fillIn(st *shell.State, src *Source) {
	if len(src.Placeholders) == 0 {
		return
	}
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
