package posix

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// builtin performs a command that changes the shell itself.
type builtin func(e *evaluator, st *shell.State, inv *shell.Invocation, io ioctx)

// builtinNamed finds a command that changes the shell's own state. Builtins
// that only act on the world (echo, kill, umask) are in the catalog, like
// programs.
func builtinNamed(name string) builtin {
	switch name {
	case ":", "true":
		return func(_ *evaluator, st *shell.State, _ *shell.Invocation, _ ioctx) { st.Status = shell.OK }
	case "false":
		return func(_ *evaluator, st *shell.State, _ *shell.Invocation, _ ioctx) { st.Status = shell.Failed }
	case "cd", "chdir":
		return (*evaluator).cd
	case "pushd":
		return (*evaluator).pushd
	case "popd":
		return (*evaluator).popd
	case "eval":
		return (*evaluator).eval
	case ".", "source":
		return (*evaluator).sourceFile
	case "exec":
		return (*evaluator).exec
	case "exit", "logout":
		return (*evaluator).exit
	case "return":
		return (*evaluator).returnFrom
	case "break", "continue":
		return (*evaluator).leaveLoop
	case "set":
		return (*evaluator).set
	case "shopt", "setopt", "unsetopt":
		return (*evaluator).shopt
	case "shift":
		return (*evaluator).shift
	case "unset":
		return (*evaluator).unset
	case "export", "readonly", "declare", "typeset", "local", "integer", "float", "private", "nameref", "global":
		return (*evaluator).declareWords
	case "read":
		return (*evaluator).read
	case "mapfile", "readarray":
		return (*evaluator).mapfile
	case "alias":
		return (*evaluator).setAlias
	case "unalias":
		return (*evaluator).unalias
	case "trap":
		return (*evaluator).setTrap
	case "command", "builtin", "noglob", "nocorrect", "-":
		return (*evaluator).commandBuiltin
	case "test", "[":
		return (*evaluator).test
	case "let":
		return (*evaluator).let
	case "getopts":
		return (*evaluator).getopts
	case "foreach":
		return (*evaluator).foreach
	case "emulate":
		return (*evaluator).emulate
	case "ztcp":
		return (*evaluator).ztcp
	case "time":
		return (*evaluator).commandBuiltin
	}
	return nil
}

func (e *evaluator) eval(st *shell.State, inv *shell.Invocation, io ioctx) {
	var b value.Builder
	for i, w := range inv.Argv[1:] {
		if i > 0 {
			b.WriteString(" ")
		}
		b.Add(w.Value)
	}
	text := b.Value()
	if text.Empty() {
		st.Status = shell.OK
		return
	}
	if text.Taint().Has(value.Network) && text.IsKnown() {
		e.m.Code(st, inv.Span, text, st.Shell)
		return
	}
	e.nested(st, text, st.Shell, io, inv.Span)
}

// sourceFile evaluates a file in the session itself.
func (e *evaluator) sourceFile(st *shell.State, inv *shell.Invocation, io ioctx) {
	if len(inv.Argv) < 2 {
		st.Status = shell.Failed
		return
	}
	file := inv.Argv[1].Value
	if name, gone := e.absent(st, file); gone && strings.Contains(file.Prefix(), "/") && st.Unreached == nil && e.m.Settled() {
		st.Unreached = &risk.Ending{How: risk.EndFails, Missing: []string{name}}
		defer func() { st.Doomed, st.Unreached = st.Unreached, nil }()
	}
	var content value.Value
	if name, _ := file.Known(); io.hasIn && (name == "/dev/stdin" || name == "/dev/fd/0" || name == "/proc/self/fd/0") {
		content = io.pos.rest(io.in)
	} else {
		content = e.m.Load(st, inv.Span, file)
	}
	if content.Taint().Has(value.Secret) && !content.Taint().Has(value.Network) {
		// A file of credentials is used as one: its variables are set, and
		// nothing of it is shown unless each command is.
		st.Status, st.Sourced = shell.Perhaps, content
		e.m.Tell(st, inv.Span, shell.Telling{What: "sets in this shell what is assigned in", Dir: file})
		if optionsOf(st).trace {
			e.m.Show(st, inv.Span, content)
		}
		return
	}
	if _, known := content.Known(); !known || content.Taint().Has(value.Network) {
		printed := strings.HasPrefix(file.Prefix(), shell.SubstPath) // . <(command)
		for _, h := range content.Holes() {
			if h.Cause == risk.CauseFile && !printed && !content.Taint().Has(value.Network) {
				e.m.Unknown(st, inv.Span, risk.RoleScript, file.String())
				st.Status = shell.Perhaps
				return
			}
		}
		e.m.Code(st, inv.Span, content, st.Shell)
		return
	}
	params, fewer := st.Params, st.FewerArgs
	if len(inv.Argv) > 2 {
		st.Params, st.FewerArgs = nil, false
		for _, w := range inv.Argv[2:] {
			st.Params = append(st.Params, w.Value)
		}
	}
	st.Status = shell.OK
	e.sourced++
	e.returning(st, func() { e.nested(st, content, st.Shell, io, inv.Span) })
	e.sourced--
	st.Params, st.FewerArgs = params, fewer
}

// exec replaces the shell by a program, or moves its descriptors.
func (e *evaluator) exec(st *shell.State, inv *shell.Invocation, io ioctx) {
	args := inv.Argv[1:]
	for len(args) > 0 {
		s, ok := args[0].Value.Known()
		if !ok || len(s) < 2 || s[0] != '-' || s == "--" {
			break
		}
		if s == "-a" && len(args) > 1 {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) == 0 { // redirections only: they stay
		e.fds = e.openNow(&io)
		if io.hasIn {
			st.Stdin, st.StdinSet, st.StdinNet, e.stdin = io.in, true, io.inNet, io.pos
		}
		if io.turned != nil {
			e.turn(*io.turned)
		}
		st.Status = shell.OK
		return
	}
	e.dispatch(st, &shell.Invocation{Argv: args, Assign: inv.Assign, Span: inv.Span}, io)
	if optionsOf(st).execFail {
		st.Status = shell.Perhaps
		return
	}
	e.leave(st)
}

func (e *evaluator) shift(st *shell.State, inv *shell.Invocation, _ ioctx) {
	n := int64(1)
	if len(inv.Argv) > 1 {
		if s, ok := inv.Argv[1].Value.Known(); ok {
			e.numbers(st, inv)
			n, _ = number(s)
		} else { // what is left is not known
			st.Params, st.AnyArgs, st.Status = nil, true, shell.Perhaps
			return
		}
	}
	if n == 0 {
		st.Status = shell.OK
		return
	}
	if n > 0 && int(n) <= len(st.Params) {
		more, some := spread(st.Params[:n])
		if st.Params = st.Params[n:]; some && len(st.Params) == 0 {
			st.Params = []value.Value{more}
		}
		st.Status = shell.OK
		if st.FewerArgs { // and so fewer than it takes away
			st.Status = shell.Perhaps
		}
		return
	}
	st.Status = shell.Failed
}

func (e *evaluator) setAlias(st *shell.State, inv *shell.Invocation, io ioctx) {
	if st.Shell == "mksh" {
		e.namedDirs(st, inv, "d")
	}
	for _, w := range inv.Argv[1:] {
		name, body, ok := strings.Cut(w.Value.Prefix(), "=")
		if !ok || strings.HasPrefix(name, "-") {
			continue
		}
		switch {
		case st.Shell == "zsh" && (hasOption(inv, 'g') || hasOption(inv, 's')): // in the midst of a command, or by a file's name
			e.unmodelled(st, inv.Span, "the alias "+name)
		case st.Shell == "mksh" && hasOption(inv, 'd'):
		case st.Shell == "mksh" && hasOption(inv, 't'):
			e.hash(st, value.Lit(name), w.Value.Cut(len(name)+1))
		case w.Value.IsKnown():
			e.aliased(st, name, value.Lit(body).With(w.Value.Taint()), inv.Span)
		case w.Value.Taint().Has(secret):
			e.tabled(st, secretAliases, value.Lit(name), w.Value.Cut(len(name)+1))
		}
	}
	e.showAliases(st, inv, io)
	st.Status = shell.OK
}

func (e *evaluator) unalias(st *shell.State, inv *shell.Invocation, _ ioctx) {
	for _, w := range inv.Argv[1:] {
		if s, ok := w.Value.Known(); ok {
			delete(st.Aliases, s)
			if s == "-a" {
				st.Aliases = nil
			}
		}
	}
	st.Status = shell.OK
}

// setTrap keeps an EXIT trap for the end and evaluates every other one now,
// as something that may happen.
func (e *evaluator) setTrap(st *shell.State, inv *shell.Invocation, io ioctx) {
	st.Status = shell.OK
	args := inv.Argv[1:]
	for len(args) > 0 {
		s, ok := args[0].Value.Known()
		if !ok || len(s) < 2 || s[0] != '-' {
			break
		}
		if s != "--" {
			return // -l, -p: only lists
		}
		args = args[1:]
	}
	if len(args) < 2 {
		return
	}
	action := args[0].Value
	if s, ok := action.Known(); ok && (s == "" || s == "-") {
		delete(st.Traps, "EXIT")
		return
	}
	for _, w := range args[1:] {
		s, _ := w.Value.Known()
		s = strings.TrimPrefix(strings.ToUpper(s), "SIG")
		if s == "EXIT" || s == "0" {
			if st.Traps == nil {
				st.Traps = map[string]value.Value{}
			}
			st.Traps["EXIT"] = action
			continue
		}
		e.aside(st, risk.Condition{Kind: risk.OnSignal, Of: s}, io, func(sub *shell.State) {
			e.nested(sub, action, st.Shell, io, inv.Span)
		})
	}
}

// commandBuiltin runs a command past functions and aliases.
func (e *evaluator) commandBuiltin(st *shell.State, inv *shell.Invocation, io ioctx) {
	args := inv.Argv[1:]
	lookup := false
	for len(args) > 0 {
		s, ok := args[0].Value.Known()
		if !ok || len(s) < 2 || s[0] != '-' {
			break
		}
		lookup = lookup || strings.ContainsAny(s, "vV")
		args = args[1:]
		if s == "--" {
			break
		}
	}
	if len(args) == 0 {
		st.Status = shell.OK
		return
	}
	if lookup {
		e.showAliases(st, inv, io)
		if name, known := args[0].Value.Known(); known && len(args) == 1 {
			e.m.Tell(st, inv.Span, shell.Telling{What: "tells whether there is a command " + name + ", and which"})
		}
		st.Status = shell.Perhaps
		name := args[0].Value
		if len(args) == 1 && e.condition > 0 {
			st.Doomed = e.unmetProgram(st, name)
		}
		found := name.Map(func(s string) string { return "/usr/bin/" + path.Base(s) + "\n" }, value.AnyPath)
		if text, known := name.Known(); !known || st.Funcs[text] == nil && builtinNamed(text) == nil && !e.onPath(st, text) {
			found = found.With(value.Absent)
		}
		e.emit(st, inv.Span, found, io)
		return
	}
	next := &shell.Invocation{Argv: args, Assign: inv.Assign, Span: inv.Span}
	if name, known := args[0].Value.Known(); known {
		if b := builtinNamed(name); b != nil {
			b(e, st, next, io)
			return
		}
		e.listed(st, name, next, io)
		return
	}
	e.program(st, next, io)
}

func (e *evaluator) test(st *shell.State, inv *shell.Invocation, _ ioctx) {
	args := inv.Words()[1:]
	if name, _ := inv.Argv[0].Value.Known(); name == "[" {
		if len(args) > 0 {
			if s, ok := args[len(args)-1].Known(); ok && s == "]" {
				args = args[:len(args)-1]
			}
		}
	}
	for _, w := range inv.Argv {
		if w.Many {
			st.Status = shell.Perhaps
			return
		}
	}
	st.Status = e.testCommand(st, args)
	st.Doomed = e.unmetArgs(st, args)
}

func (e *evaluator) let(st *shell.State, inv *shell.Invocation, _ ioctx) {
	for _, w := range inv.Argv[1:] {
		s, known := w.Value.Known()
		if !known {
			st.Status = shell.Perhaps
			continue
		}
		x, err := syntax.NewParser().Arithmetic(&guardedReader{text: s})
		if err != nil {
			e.m.Unknown(st, inv.Span, risk.RoleParse, "an expression of let")
			st.Status = shell.Perhaps
			continue
		}
		sub := &evaluator{m: e.m, parts: e.parts, at: &inv.Span, text: s, grammar: documents}
		st.Status = statusOf(sub.arith(st, x))
	}
}

// optionArgument is the argument of an option, which may be each of these words and
// what stands behind the letter in one of them.
func optionArgument(words []value.Value, more bool) value.Value {
	var any []string
	taint, known := value.Taint(0), !more
	for _, w := range words {
		if s := w.Prefix(); strings.HasPrefix(s, "-") {
			if len(s) < 3 {
				continue
			}
			w = w.Cut(2)
		}
		s, is := w.Known()
		any, taint, known = append(any, s), taint|w.Taint(), known && is
	}
	if more && len(any) == 0 {
		return value.Unknown(risk.CauseGiven, "OPTARG").With(taint)
	}
	if len(any) == 0 || len(any) > maxOptionArguments || !known {
		return value.Unknown(risk.CauseArg, "OPTARG").With(taint)
	}
	return value.OneOf(risk.CauseArg, "OPTARG", any...).With(taint)
}

// maxOptionArguments is how many arguments are told apart.
const maxOptionArguments = 16

func (e *evaluator) getopts(st *shell.State, inv *shell.Invocation, _ ioctx) {
	if len(inv.Argv) > 2 {
		if name, ok := inv.Argv[2].Value.Known(); ok {
			e.putInto(st, inv.Argv[2].Value, value.Of(value.Hole{Cause: risk.CauseArg, Name: name, Shape: value.Word}), inv.Span)
		}
	}
	given := st.Params
	if len(inv.Argv) > 3 {
		given = inv.Words()[3:]
	}
	optarg := optionArgument(given, st.AnyArgs && len(inv.Argv) <= 3)
	for _, w := range inv.Argv[min(3, len(inv.Argv)):] {
		if v := st.Vars.Declared("OPTARG"); v != nil && v.Integer { // it may be any of them
			e.arithText(st, w.Value)
		}
	}
	st.Vars.Assign("OPTARG", optarg)
	st.Vars.Assign("OPTIND", numberHole("OPTIND"))
	st.Status = shell.Perhaps
}
