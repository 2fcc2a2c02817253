package posix

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// call evaluates a simple command, once where the session surely is and once
// more for every directory in which an unchecked cd may have left it.
func (e *evaluator) call(st *shell.State, c *syntax.CallExpr, s *syntax.Stmt, io ioctx) {
	alts := st.Alts
	st.Alts = nil
	if len(alts) == 0 {
		e.callHere(st, c, s, io)
		return
	}
	astray := st.Astray
	st.Astray = astray || slices.ContainsFunc(alts, func(a shell.Alt) bool { return a.Sure })
	e.callHere(st, c, s, io)
	st.Astray = astray
	if st.Gone {
		return
	}
	fresh := st.Alts
	st.Alts = nil
	for _, a := range alts {
		alt := st.Clone()
		alt.Dir, alt.Status, alt.Unreached = a.Dir, shell.Perhaps, nil // what stops it there does not stop it here
		alt.Instead = alt.Instead || a.Sure
		alt.Under(a.If)
		altIO := io
		altIO.stuck = nil
		if io.out != nil {
			altIO.out = &shell.Sink{}
		}
		e.callHere(alt, c, s, altIO)
		if !alt.Gone {
			fresh = append(fresh, shell.Alt{Dir: alt.Dir, If: a.If, Status: alt.Status, Sure: a.Sure})
		}
	}
	st.Alts = dedupe(fresh)
}

func (e *evaluator) callHere(st *shell.State, c *syntax.CallExpr, s *syntax.Stmt, io ioctx) {
	span := e.span(s)
	if e.at == nil && len(c.Args) > 0 {
		span.End = int(c.Args[len(c.Args)-1].End().Offset())
		if len(s.Redirs) > 0 {
			span.End = int(s.Redirs[len(s.Redirs)-1].End().Offset())
		}
		if e.end > 0 {
			span.End = min(span.End, e.end)
		}
	}
	if e.alias(st, c, io, span) {
		return
	}
	noglob := st.Shell == "zsh" && len(c.Args) > 0 && c.Args[0].Lit() == "noglob" && !optionsOf(st).noGlob
	if noglob {
		setOptions(st, func(o *options) { o.noGlob = true })
	}
	e.substituted = false
	e.declaring = len(c.Args) > 0 && slices.Contains([]string{"export", "readonly", "local"}, c.Args[0].Lit())
	words := e.fields(st, c.Args)
	e.declaring = false
	if noglob {
		setOptions(st, func(o *options) { o.noGlob = false })
	}
	if st.Gone { // an expansion error, as ${x:?} makes: nothing is run
		for _, a := range c.Assigns {
			e.passOver(a)
		}
		for _, r := range s.Redirs {
			e.passOver(r)
		}
		return
	}
	before := io.out
	e.redirect(st, s.Redirs, &io, s)
	defer e.flush(st, s, &io)
	io.turned = nil
	if slices.ContainsFunc(s.Redirs, turnsOutput) {
		io.turned = &turned{from: before, to: io.out}
	}
	if len(words) == 0 {
		for _, a := range c.Assigns {
			e.assign(st, a, nil)
			if a.Name != nil {
				e.noteVariable(st, a.Name.Value, span)
				e.m.Tell(st, span, shell.Telling{What: e.setTo(st, "", false, a.Index != nil || a.Array != nil || a.Append, a.Name.Value)})
			}
		}
		if !e.substituted { // else it is that of the last command in a word
			st.Status = shell.OK
		}
		return
	}
	var set []shell.Assign
	if optionsOf(st).keyword {
		words, set = keywords(words)
	}
	for _, a := range c.Assigns {
		if v, ok := e.scalar(st, a); ok {
			set = append(set, shell.Assign{Name: a.Name.Value, Value: v})
		}
	}
	e.dispatch(st, &shell.Invocation{Argv: words, Assign: set, Span: span}, io)
}

// A madeAlias is an alias that the text makes: where, and what it was before.
type madeAlias struct {
	at     int
	before string
	was    bool
}

// made notes that the text makes an alias.
func (e *evaluator) made(st *shell.State, name string, at int) {
	if e.at != nil {
		delete(e.aliases, name)
		return
	}
	if m, is := e.aliases[name]; is && e.sameLine(m.at, at) {
		return // what it was before the line counts
	}
	if e.aliases == nil {
		e.aliases = map[string]madeAlias{}
	}
	before, was := st.Aliases[name]
	e.aliases[name] = madeAlias{at, before, was}
}

// aliasFor is the alias that a word at a place of the text stands for. Shells read a whole
// line before they run any of it (bash(1), "ALIASES"; zshmisc(1), "Aliasing"), so one that is
// made in the same line does not count yet.
func (e *evaluator) aliasFor(st *shell.State, name string, at int) (string, bool) {
	if m, is := e.aliases[name]; is && e.at == nil && e.sameLine(m.at, at) {
		return m.before, m.was
	}
	text, ok := st.Aliases[name]
	return text, ok
}

// sameLine reports whether two places of the text are in one line.
func (e *evaluator) sameLine(from, to int) bool {
	return from <= to && to <= len(e.text) && !strings.Contains(e.text[from:to], "\n")
}

// alias follows an alias of the first word. Whether a shell expands it depends
// on how it was started, so both readings are evaluated.
func (e *evaluator) alias(st *shell.State, c *syntax.CallExpr, io ioctx, span risk.Span) bool {
	if len(st.Aliases) == 0 || len(c.Args) == 0 {
		return false
	}
	text, ok := e.aliasFor(st, c.Args[0].Lit(), int(c.Pos().Offset()))
	if !ok || st.Depth >= maxDepth {
		return false
	}
	rest := ""
	if from, to := int(c.Args[0].End().Offset()), int(c.Args[len(c.Args)-1].End().Offset()); from <= to && to <= len(e.text) {
		rest = e.text[from:to]
	}
	sub := e.aside(st, risk.Condition{}, io, func(sub *shell.State) {
		delete(sub.Aliases, c.Args[0].Lit()) // an alias is not expanded inside itself
		e.nested(sub, value.Lit(text+rest), st.Shell, io, span)
	})
	st.FS.Join(sub.FS)
	return false
}

// dispatch runs a function, a builtin or a program.
func (e *evaluator) dispatch(st *shell.State, inv *shell.Invocation, io ioctx) {
	e.remember(st, inv)
	name, known := e.hashed(st, inv)
	if inv.Argv[0].Value.Taint().Has(value.Decoded) && io.out == nil { // what it prints into is revealed, if that is run
		e.reveal(st, inv.Span, line(inv))
	}
	if st.Shell == "zsh" && known && len(name) > 1 && name[0] == '=' {
		name = name[1:] // =cmd is the path of cmd
		inv.Argv[0].Value = value.Lit(name)
	}
	if known {
		if f := st.Funcs[name]; f != nil {
			e.function(st, name, f, inv, io)
			return
		}
		if b := builtinNamed(name); b != nil {
			e.utter(st, name, inv)
			e.withAssigns(st, inv, func() { b(e, st, inv, io) })
			e.tell(st, name, inv)
			return
		}
	}
	if known {
		e.listed(st, name, inv, io)
		return
	}
	e.program(st, inv, io)
}

// listed runs a program, or a builtin that the catalog describes.
func (e *evaluator) listed(st *shell.State, name string, inv *shell.Invocation, io ioctx) {
	if program, ok := fileBuiltin(name); ok && st.Shell == "zsh" {
		name, inv.Argv = program, slices.Clone(inv.Argv)
		inv.Argv[0].Value = value.Lit(program)
	}
	if variable, ok := printfVariable(inv, name); ok {
		e.printfInto(st, inv, variable, io)
		return
	}
	if !e.beside(st, name, inv, io) {
		e.program(st, inv, io)
	}
}

// printfVariable recognises printf -v NAME, which prints into a variable.
func printfVariable(inv *shell.Invocation, name string) (string, bool) {
	if name != "printf" || len(inv.Argv) < 4 {
		return "", false
	}
	option, _ := inv.Argv[1].Value.Known()
	variable, known := inv.Argv[2].Value.Known()
	return variable, option == "-v" && known
}

func (e *evaluator) printfInto(st *shell.State, inv *shell.Invocation, variable string, io ioctx) {
	plain := *inv
	plain.Argv = append([]shell.Word{inv.Argv[0]}, inv.Argv[3:]...)
	sink := &shell.Sink{}
	io.out = sink
	e.program(st, &plain, io)
	e.putInto(st, value.Lit(variable), sink.Value(), inv.Span)
}

// special reports whether a name is one of a special builtin, before which
// assignments stay (POSIX.1-2024 Shell 2.15).
func special(name string) bool {
	switch name {
	case ":", ".", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift", "trap", "unset":
		return true
	}
	return false
}

// withAssigns runs f while the invocation's own assignments are in force.
func (e *evaluator) withAssigns(st *shell.State, inv *shell.Invocation, f func()) {
	type saved struct {
		name string
		old  *shell.Var
	}
	var before []saved
	for _, a := range inv.Assign {
		before = append(before, saved{a.Name, st.Vars.Get(a.Name)})
		st.Vars.Set(a.Name, shell.Var{Value: a.Value, Exported: true, Changed: true})
	}
	f()
	if name, _ := inv.Argv[0].Value.Known(); special(name) && (st.Shell == "sh" || st.Shell == "mksh") {
		return
	}
	for _, s := range before {
		if s.old == nil {
			st.Vars.Unset(s.name)
		} else {
			st.Vars.Set(s.name, *s.old)
		}
	}
}

// program hands an invocation to the machine.
func (e *evaluator) program(st *shell.State, inv *shell.Invocation, io ioctx) {
	if e.spent() {
		return
	}
	e.trace(st, inv)
	e.setsTerminal(st, inv, io)
	in := e.stdinOf(st, &io)
	inv.Stdin, inv.HasStdin, inv.StdinNet = in.pos.rest(in.in), in.hasIn, in.net
	inv.Piped, inv.Stuck, inv.Turns, inv.Asks = io.out != nil, io.stuck, e.turns > 0, e.condition > 0 && !st.Behind
	inv.StdoutNet, inv.Unseen = io.out != nil && io.out.Net, io.out != nil && io.out.Null
	inv.Open, inv.Files = e.connections(&io), e.secretFiles(&io)
	if inv.HasStdin {
		inv.Starved = io.starved
	}
	out := e.m.Run(st, inv)
	st.Status, st.Doomed, st.Met, st.Nothing, st.Sure = out.Status, out.Doomed, out.Met, out.Nothing, out.Sure
	e.emit(st, inv.Span, out.Stdout, io)
	e.intoProcesses(st, inv)
	e.notFound(st, inv, io)
}

// intoProcesses runs the commands behind >(…) among a program's words, on what
// the program wrote there.
func (e *evaluator) intoProcesses(st *shell.State, inv *shell.Invocation) {
	if len(e.outputs) == 0 {
		return
	}
	for _, w := range inv.Argv {
		path, _ := w.Value.Known()
		out, ok := e.outputs[path]
		if !ok {
			continue
		}
		content, known, written := st.FS.Content(path)
		if !written || !known {
			content = value.Unknown(risk.CauseOutput, inv.Argv[0].Value.String())
		}
		e.intoProcess(st, out, content, inv.Span)
	}
}

// intoProcess runs the commands of one >(…) on what is written there.
func (e *evaluator) intoProcess(st *shell.State, out *code, content value.Value, at risk.Span) {
	sub := st.Clone()
	sub.Alts = nil
	in := ioctx{in: content, hasIn: true, pos: e.opened()}
	e.subshell(sub, func() {
		e.within(out, at, func() { e.stmts(sub, out.stmts, in) })
	}, in)
	st.FS.Join(sub.FS)
}

// notFound calls the function that the shell hands the words of a command to
// whose program is nowhere in PATH: command_not_found_handle (bash(1), "COMMAND
// EXECUTION"), command_not_found_handler (zshmisc(1)).
func (e *evaluator) notFound(st *shell.State, inv *shell.Invocation, io ioctx) {
	handler := "command_not_found_handle"
	if st.Shell == "zsh" {
		handler = "command_not_found_handler"
	}
	f := st.Funcs[handler]
	if f == nil || st.Shell != "zsh" && st.Shell != "bash" {
		return
	}
	name, known := inv.Argv[0].Value.Known()
	if known && (strings.Contains(name, "/") || e.onPath(st, name)) {
		return
	}
	sub := st.Clone()
	sub.Alts = nil
	sub.Under(risk.Condition{Kind: risk.IfNotFound, Of: inv.Argv[0].Value.String()})
	call := *inv
	call.Argv = append([]shell.Word{{Value: value.Lit(handler)}}, inv.Argv...)
	e.function(sub, handler, f, &call, io)
	st.FS.Join(sub.FS)
}

// maxPathDirs is how many directories of PATH are looked into for a name.
const maxPathDirs = 64

// onPath reports whether a directory of PATH has a program of this name.
func (e *evaluator) onPath(st *shell.State, name string) bool {
	v := st.Vars.Get("PATH")
	if v == nil {
		return false
	}
	text, _ := v.Value.Known()
	looked := 0
	for d := range strings.SplitSeq(text, ":") {
		if looked++; looked > maxPathDirs {
			return false
		}
		if i, err := world.Stat(st.FS, path.Join(d, name)); path.IsAbs(d) && err == nil && i.Kind == world.Regular {
			return true
		}
	}
	return false
}

// emit writes to standard output.
func (e *evaluator) emit(st *shell.State, at risk.Span, v value.Value, io ioctx) {
	if v.Empty() && v.Taint() == 0 {
		return
	}
	if io.out == nil {
		e.m.Show(st, at, v)
		return
	}
	io.out.Write(v)
}

// function calls a shell function in the current state.
func (e *evaluator) function(st *shell.State, name string, f *shell.Func, inv *shell.Invocation, io ioctx) {
	status := st.Status // of the command before, which the body can ask for
	st.Status = shell.Perhaps
	c := body(f)
	if f.Calls > 0 && e.pipeDepth > 0 && (c == nil || !st.Maybe || callsOf(c.stmts, name) != 1) {
		e.m.Effect(st, inv.Span, shell.Effect{Verb: risk.Exhaust, Target: value.Lit(name), Kind: risk.KindForkBomb})
		return
	}
	if !e.goesDeeper(st, name, f, c, inv) {
		return
	}
	if c == nil {
		st.Miss()
		e.m.Unknown(st, inv.Span, risk.RoleCode, "the function "+name)
		st.Status = shell.Perhaps
		return
	}
	f.Calls++
	st.Depth++
	params, anyArgs, fewer := st.Params, st.AnyArgs, st.FewerArgs
	st.Params, st.AnyArgs, st.FewerArgs = nil, false, false
	for _, w := range inv.Argv[1:] {
		st.Params = append(st.Params, w.Value)
	}
	frame := st.Frame
	st.Frame = map[string]*shell.Var{}
	st.Status = status
	e.withAssigns(st, inv, func() {
		e.within(c, inv.Span, func() { e.returning(st, func() { e.stmt(st, c.stmts[0], io) }) })
	})
	for name, old := range st.Frame {
		if old == nil {
			st.Vars.Unset(name)
		} else {
			st.Vars.Set(name, *old)
		}
	}
	st.Frame = frame
	st.Params, st.AnyArgs, st.FewerArgs = params, anyArgs, fewer
	st.Depth--
	f.Calls--
}

// callsOf counts how often a body calls a command, as it is written: one that calls
// itself once, if something holds, walks down a list or a tree.
func callsOf(body []*syntax.Stmt, name string) int {
	n := 0
	for _, s := range body {
		syntax.Walk(s, func(node syntax.Node) bool {
			switch x := node.(type) {
			case *syntax.CallExpr:
				if slices.ContainsFunc(x.Args, func(w *syntax.Word) bool { return w.Lit() == name }) {
					n++
				}
			case *syntax.Stmt:
				if x.Background { // nothing waits for it
					n++
				}
			}
			return true
		})
	}
	return n
}

// goesDeeper reports whether a call of a function is followed. One that calls itself
// is, as long as all that it is given is known; what that does not come to the end
// of is told. Where it may or may not call itself, a few turns show what it does.
func (e *evaluator) goesDeeper(st *shell.State, name string, f *shell.Func, c *code, inv *shell.Invocation) bool {
	unknown := st.Maybe || slices.ContainsFunc(inv.Argv, func(w shell.Word) bool { return w.Many || !w.Value.IsKnown() })
	switch {
	case f.Calls < maxRecursion && st.Depth < maxDepth, f.Calls < maxKnownCalls && st.Depth < maxDepth && !unknown:
		return true
	case unknown || f.Calls == 0:
	case c != nil && unconditional(c.stmts[0]):
		e.m.Effect(st, inv.Span, shell.Effect{Verb: risk.Exhaust, Target: value.Lit(name), Kind: risk.KindCallsWithoutEnd})
	default:
		e.unmodelled(st, inv.Span, "how often "+name+" calls itself")
	}
	return false
}

// unconditional reports whether nothing in a body can keep what follows from being
// run.
func unconditional(body *syntax.Stmt) bool {
	sure := true
	syntax.Walk(body, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.IfClause, *syntax.WhileClause, *syntax.ForClause, *syntax.CaseClause:
			sure = false
		case *syntax.BinaryCmd:
			sure = sure && n.Op != syntax.AndStmt && n.Op != syntax.OrStmt
		case *syntax.CallExpr:
			if len(n.Args) > 0 {
				switch n.Args[0].Lit() {
				case "return", "exit", "exec", "kill", "set", "shift", "unset", "eval", "source", ".":
					sure = false
				}
			}
		}
		return sure
	})
	return sure
}
