package posix

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
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
	case "cd", "chdir", "pushd":
		return (*evaluator).cd
	case "popd":
		return (*evaluator).popd
	case "eval":
		return (*evaluator).eval
	case ".", "source":
		return (*evaluator).sourceFile
	case "exec":
		return (*evaluator).exec
	case "exit", "logout":
		return func(_ *evaluator, st *shell.State, _ *shell.Invocation, _ ioctx) { st.Gone = true }
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
	case "export", "readonly", "declare", "typeset", "local", "integer", "float":
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
	case "ztcp":
		return (*evaluator).ztcp
	case "time":
		return (*evaluator).commandBuiltin
	}
	return nil
}

func (e *evaluator) cd(st *shell.State, inv *shell.Invocation, io ioctx) {
	var target value.Value
	given := false
	for _, w := range inv.Argv[1:] {
		if s, ok := w.Value.Known(); ok && len(s) > 1 && s[0] == '-' && !given {
			continue
		}
		if !given {
			target, given = w.Value, true
		}
	}
	if !given {
		target = e.home(st)
	}
	if s, ok := target.Known(); ok && s == "-" {
		target = value.Unknown(risk.CauseUnknown, "OLDPWD")
		if old := st.Vars.Get("OLDPWD"); old != nil {
			target = old.Value
		}
	}
	before := st.Dir
	missing, status := e.enter(st, target)
	st.Vars.Set("OLDPWD", shell.Var{Value: before, Exported: true})
	st.Status = status
	if missing != "" {
		st.Alts = append(st.Alts, shell.Alt{
			Dir: before, Status: shell.Failed,
			If: risk.Condition{Kind: risk.IfMissing, Of: missing, Unchecked: wordsText(inv)},
		})
	}
	_ = io
}

func wordsText(inv *shell.Invocation) string {
	var parts []string
	for _, w := range inv.Argv {
		parts = append(parts, w.Value.String())
	}
	text := strings.Join(parts, " ")
	if len(text) > 40 {
		text = text[:39] + "…"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// enter changes the session's directory. Where the target does not exist it
// is entered all the same, because it may exist by the time the command runs;
// missing then names it.
func (e *evaluator) enter(st *shell.State, target value.Value) (missing string, status shell.Status) {
	text, known := target.Known()
	if !known || !st.Dir.IsKnown() && !strings.HasPrefix(text, "/") {
		if all, ok := target.Candidates(8); ok && st.Dir.IsKnown() {
			dir, _ := st.Dir.Known()
			for i := range all {
				if !path.IsAbs(all[i]) {
					all[i] = path.Join(dir, all[i])
				}
			}
			st.Dir = value.OneOf(risk.CauseUnknown, target.String(), all...)
			return "", shell.Perhaps
		}
		if p := target.Prefix(); strings.HasPrefix(p, "/") || !st.Dir.IsKnown() {
			st.Dir = target
		} else {
			st.Dir = value.Concat(st.Dir, value.Lit("/"), target)
		}
		return "", shell.Perhaps
	}
	if text == "" {
		return "", shell.OK
	}
	full := text
	if !path.IsAbs(full) {
		dir, _ := st.Dir.Known()
		if len(dir)+len(full) > maxPath {
			return "", shell.Failed
		}
		full = path.Join(dir, full)
	}
	full = path.Clean(full)
	if !e.m.Spend(len(full) / 64) { // resolving a path costs its square
		return "", shell.Perhaps
	}
	st.Dir = value.Lit(full)
	info, err := world.Stat(st.FS, full)
	switch {
	case err != nil:
		return "", shell.Perhaps
	case info.Kind == world.Dir:
		return "", shell.OK
	case info.Kind == world.Missing:
		return display(text), shell.OK
	}
	return display(text), shell.OK
}

// maxPath is the longest path that the kernel takes (PATH_MAX, limits.h).
const maxPath = 4096

// display writes a path as a person would: relative ones with ./ in front.
func display(p string) string {
	if path.IsAbs(p) || strings.HasPrefix(p, ".") || strings.HasPrefix(p, "~") {
		return p
	}
	return "./" + p
}

func (e *evaluator) popd(st *shell.State, _ *shell.Invocation, _ ioctx) {
	if old := st.Vars.Get("OLDPWD"); old != nil {
		st.Dir = old.Value
	}
	st.Status = shell.OK
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
	var content value.Value
	if name, _ := file.Known(); io.hasIn && (name == "/dev/stdin" || name == "/dev/fd/0" || name == "/proc/self/fd/0") {
		content = io.in
	} else {
		content = e.m.Load(st, inv.Span, file)
	}
	if content.Taint().Has(value.Secret) && !content.Taint().Has(value.Network) {
		// A file of credentials is used as one: its variables are set, and
		// nothing of it is shown.
		st.Status = shell.Perhaps
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
	params := st.Params
	if len(inv.Argv) > 2 {
		st.Params = nil
		for _, w := range inv.Argv[2:] {
			st.Params = append(st.Params, w.Value)
		}
	}
	e.nested(st, content, st.Shell, io, inv.Span)
	if st.Vars.Get(returned) != nil {
		st.Vars.Unset(returned)
		st.Gone = false
	}
	st.Params = params
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
		e.fds = io.fds
		if io.hasIn {
			st.Stdin, st.StdinSet, st.StdinNet = io.in, true, io.inNet
		}
		if io.out != nil && io.out.Net && io.out.Path != nil {
			e.netOut = io.out
		}
		st.Status = shell.OK
		return
	}
	e.dispatch(st, &shell.Invocation{Argv: args, Assign: inv.Assign, Span: inv.Span}, io)
	st.Gone = true
}

func (e *evaluator) returnFrom(st *shell.State, _ *shell.Invocation, _ ioctx) {
	st.Vars.Set(returned, shell.Var{})
	st.Gone = true
}

func (e *evaluator) leaveLoop(st *shell.State, inv *shell.Invocation, _ ioctx) {
	st.Vars.Set(loopExit, shell.Var{Value: inv.Argv[0].Value})
	st.Gone = true
}

func (e *evaluator) set(st *shell.State, inv *shell.Invocation, _ ioctx) {
	st.Status = shell.OK
	args := inv.Argv[1:]
	for i := 0; i < len(args); i++ {
		s, known := args[i].Value.Known()
		if !known || len(s) < 2 || s[0] != '-' && s[0] != '+' || s == "--" {
			if s == "--" {
				i++
			}
			st.Params = nil
			for _, w := range args[i:] {
				st.Params = append(st.Params, w.Value)
			}
			return
		}
		on := s[0] == '-'
		for _, c := range s[1:] {
			if c == 'o' && i+1 < len(args) {
				i++
				name, _ := args[i].Value.Known()
				setOption(st, name, on)
				continue
			}
			if c == 'x' && on {
				e.traced(st, inv.Span)
			}
			setOption(st, map[rune]string{'e': "errexit", 'u': "nounset", 'f': "noglob", 'n': "noexec"}[c], on)
		}
	}
}

// traced expands PS4, as `set -x` does before every command: commands inside it
// are run.
func (e *evaluator) traced(st *shell.State, span risk.Span) {
	if v := st.Vars.Get("PS4"); v != nil && v.Changed && st.Depth < maxDepth {
		sub := &evaluator{m: e.m, at: &span, grammar: e.grammar}
		sub.prompt(st, v.Value.Map(promptText, value.AnyText), &syntax.Lit{})
	}
}

func setOption(st *shell.State, name string, on bool) {
	setOptions(st, func(o *options) { o.set(name, on) })
}

// set turns an option on or off, by the name that a shell gives it.
func (o *options) set(name string, on bool) {
	switch strings.ReplaceAll(strings.ToLower(name), "_", "") {
	case "errexit":
		o.errExit = on
	case "nounset":
		o.noUnset = on
	case "noglob":
		o.noGlob = on
	case "pipefail":
		o.pipeFail = on
	case "nullglob":
		o.nullGlob = on
	case "dotglob", "globdots":
		o.dotGlob = on
	case "globstar":
		o.globStar = on
	case "expandaliases":
		o.expandAliases = on
	}
}

// shopt handles bash's shopt and zsh's setopt and unsetopt.
func (e *evaluator) shopt(st *shell.State, inv *shell.Invocation, _ ioctx) {
	verb, _ := inv.Argv[0].Value.Known()
	on := verb != "unsetopt"
	for _, w := range inv.Argv[1:] {
		switch s, _ := w.Value.Known(); s {
		case "-s":
			on = true
		case "-u":
			on = false
		default:
			setOption(st, s, on)
		}
	}
	st.Status = shell.OK
}

func (e *evaluator) shift(st *shell.State, inv *shell.Invocation, _ ioctx) {
	n := int64(1)
	if len(inv.Argv) > 1 {
		if s, ok := inv.Argv[1].Value.Known(); ok {
			n, _ = number(s)
		}
	}
	if n > 0 && int(n) <= len(st.Params) {
		st.Params = st.Params[n:]
		st.Status = shell.OK
		return
	}
	st.Status = shell.Failed
}

func (e *evaluator) unset(st *shell.State, inv *shell.Invocation, _ ioctx) {
	for _, w := range inv.Argv[1:] {
		name, ok := w.Value.Known()
		if !ok || strings.HasPrefix(name, "-") {
			continue
		}
		delete(st.Funcs, name)
		st.Vars.Unset(name)
		if name == "HISTFILE" {
			e.m.Effect(st, inv.Span, shell.Effect{Verb: risk.DefenseEvade, Kind: risk.KindHistory})
		}
		if strings.HasPrefix(name, ownPrefix) {
			e.m.Effect(st, inv.Span, shell.Effect{Verb: risk.AgentConfig, Target: w.Value, Kind: risk.KindAVariableOfHeedS})
		}
	}
	st.Status = shell.OK
}

// declare performs declare, local, export and their like, as the parser sees
// them.
func (e *evaluator) declare(st *shell.State, c *syntax.DeclClause, io ioctx) {
	st.Status = shell.OK
	opts := ""
	variant := c.Variant.Value
	for _, a := range c.Args {
		if a.Name == nil { // an option, or a word that expands to an assignment
			if a.Value == nil {
				continue
			}
			for _, w := range e.fields(st, []*syntax.Word{a.Value}) {
				s, known := w.Value.Known()
				switch {
				case known && len(s) > 0 && (s[0] == '-' || s[0] == '+'):
					opts += s[1:]
				case known:
					e.declareWord(st, variant, opts, s, w.Value)
				}
			}
			continue
		}
		e.localize(st, variant, opts, a.Name.Value)
		e.assign(st, a, attributes(variant, opts))
		e.noteVariable(st, a.Name.Value, e.span(c))
	}
	_ = io
}

// localize remembers what a variable was before a function made it local.
func (e *evaluator) localize(st *shell.State, variant, opts, name string) {
	if st.Frame == nil || variant == "export" || variant == "readonly" || strings.Contains(opts, "g") {
		return
	}
	if _, ok := st.Frame[name]; !ok {
		st.Frame[name] = st.Vars.Get(name)
	}
}

func attributes(variant, opts string) func(*shell.Var) {
	return func(v *shell.Var) {
		if variant == "export" || strings.Contains(opts, "x") {
			v.Exported = !strings.Contains(opts, "n") || variant != "export"
		}
		v.Integer = v.Integer || strings.Contains(opts, "i") && variant != "export"
		v.Lower = v.Lower || strings.Contains(opts, "l")
		v.Upper = v.Upper || strings.Contains(opts, "u") && variant != "export"
		v.Ref = v.Ref || strings.Contains(opts, "n") && variant != "export"
		if strings.ContainsAny(opts, "aA") {
			v.Array = true
			if strings.Contains(opts, "A") && v.Map == nil {
				v.Map = map[string]value.Value{}
			}
		}
	}
}

// declareWords is declare where its arguments are ordinary words.
func (e *evaluator) declareWords(st *shell.State, inv *shell.Invocation, _ ioctx) {
	variant, _ := inv.Argv[0].Value.Known()
	opts := ""
	for _, w := range inv.Argv[1:] {
		s := w.Value.Prefix()
		if w.Value.IsKnown() && strings.HasPrefix(s, "-") {
			opts += s[1:]
			continue
		}
		e.declareWord(st, variant, opts, s, w.Value)
		name, _, _ := strings.Cut(s, "=")
		e.noteVariable(st, name, inv.Span)
	}
	st.Status = shell.OK
}

func (e *evaluator) declareWord(st *shell.State, variant, opts, prefix string, v value.Value) {
	name, _, given := strings.Cut(prefix, "=")
	if !isName(strings.TrimSuffix(name, "+")) {
		return
	}
	e.localize(st, variant, opts, name)
	x := shell.Var{}
	if old := st.Vars.Get(name); old != nil {
		x = *old
	}
	x.Changed = true
	attributes(variant, opts)(&x)
	if given {
		x.Value = v.Cut(len(name) + 1)
	}
	if given || x.Exported {
		if !given && st.Vars.Get(name) == nil {
			return
		}
		st.Vars.Set(name, x)
	}
}

// noteVariable reports variables whose mere setting turns later programs into
// something else, or hides what is done.
func (e *evaluator) noteVariable(st *shell.State, name string, span risk.Span) {
	v := st.Vars.Get(name)
	if v == nil || !v.Changed {
		return
	}
	if strings.HasPrefix(name, ownPrefix) {
		e.m.Effect(st, span, shell.Effect{Verb: risk.AgentConfig, Target: value.Lit(name), Kind: risk.KindAVariableOfHeedS})
	}
	switch name {
	case "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES":
		if v.Exported && !v.Value.Empty() {
			e.m.Effect(st, span, shell.Effect{Verb: risk.ExecUnknown, Target: v.Value, Kind: risk.KindPreload})
		}
	case "PAGER", "MANPAGER", "GIT_PAGER", "EDITOR", "VISUAL", "GIT_EDITOR", "BROWSER", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_ASKPASS", "SSH_ASKPASS", "LESSOPEN":
		if v.Exported && !v.Value.Empty() && !ordinaryHelper(v.Value) {
			e.m.Effect(st, span, shell.Effect{Verb: risk.ExecUnknown, Target: v.Value, Kind: risk.KindEnvironment})
		}
	case "PATH":
		e.ownProgram(st, v.Value, span)
		if first, odd := st.OddPath(v.Value); odd {
			e.m.Effect(st, span, shell.Effect{Verb: risk.ExecUnknown, Target: value.Lit(first), Kind: risk.KindSearchPath})
		}
	case "PROMPT_COMMAND": // run before every prompt
		sub := st.Clone()
		sub.Alts = nil
		sub.Under(risk.Condition{Kind: risk.AtNextPrompt})
		e.nested(sub, v.Value, st.Shell, ioctx{}, span)
	case "HISTFILE", "HISTSIZE", "HISTFILESIZE", "HISTCONTROL", "HISTIGNORE":
		s, known := v.Value.Known()
		if known && (s == "/dev/null" || s == "0" || s == "" || name == "HISTIGNORE" && s == "*") {
			e.m.Effect(st, span, shell.Effect{Verb: risk.DefenseEvade, Kind: risk.KindHistory})
		}
	}
}

// ownPrefix begins the names of heed's own variables.
const ownPrefix = "HEED_"

// ordinaryHelper reports whether a value names just a pager or editor that
// people use for that purpose.
func ordinaryHelper(v value.Value) bool {
	s, known := v.Known()
	words := strings.Fields(s)
	if !known || len(words) == 0 {
		return false
	}
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") || strings.ContainsAny(w, ";|&$`") {
			return false
		}
	}
	switch path.Base(words[0]) {
	case "cat", "less", "more", "most", "bat", "delta", "true", "vi", "vim", "nvim", "nano", "emacs", "emacsclient", "code", "subl", "micro", "hx", "ed", "firefox", "chromium", "google-chrome", "lynx", "w3m", "ssh", ":":
		return true
	}
	return false
}

// read takes a line of input into variables.
func (e *evaluator) read(st *shell.State, inv *shell.Invocation, io ioctx) {
	var names []string
	array := false
	args := inv.Argv[1:]
	for i := 0; i < len(args); i++ {
		s, ok := args[i].Value.Known()
		switch {
		case ok && len(s) > 1 && s[0] == '-':
			if strings.HasSuffix(s, "a") || strings.HasSuffix(s, "A") {
				array = true
				continue
			}
			if strings.IndexByte("dinNptu", s[len(s)-1]) >= 0 {
				i++
				if s[len(s)-1] == 'u' && i < len(args) {
					e.fromDescriptor(args[i].Value, &io)
				}
			}
		case ok:
			name, _, _ := strings.Cut(s, "?")
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		names = []string{"REPLY"}
	}
	in := io.in
	if !io.hasIn {
		in = value.Unknown(risk.CauseInput, names[0]).With(value.Input)
		if st.StdinSet {
			in = st.Stdin
		}
	}
	text, known := in.Known()
	line, _, _ := strings.Cut(text, "\n")
	words := strings.Fields(line)
	for i, n := range names {
		var v value.Value
		switch {
		case known && i == len(names)-1 && i < len(words):
			v = value.Lit(strings.Join(words[i:], " "))
			if len(names) == 1 {
				v = value.Lit(strings.Trim(line, " \t"))
			}
		case known && i < len(words):
			v = value.Lit(words[i])
		case known:
			v = value.Lit("")
		default:
			h := value.Hole{Cause: risk.CauseInput, Name: n}
			if hs := in.Holes(); len(hs) > 0 {
				h.Shape, h.Base = hs[0].Shape, hs[0].Base
				h.Cause = hs[0].Cause
			}
			v = value.Of(h)
		}
		if array {
			st.Vars.Set(n, shell.Var{Array: true, List: []value.Value{v.With(in.Taint())}, Value: v.With(in.Taint()), Changed: true})
			continue
		}
		st.Vars.Assign(n, v.With(in.Taint()))
	}
	st.Status = shell.Perhaps
	if known && io.hasIn {
		st.Status = shell.OK
		if text == "" {
			st.Status = shell.Failed
		}
	}
}

func (e *evaluator) mapfile(st *shell.State, inv *shell.Invocation, io ioctx) {
	name := "MAPFILE"
	if s, ok := inv.Argv[len(inv.Argv)-1].Value.Known(); ok && len(inv.Argv) > 1 && isName(s) {
		name = s
	}
	callback := value.Value{}
	for i, w := range inv.Argv[1:] {
		s := w.Value.Prefix()
		switch {
		case s == "-C" && i+2 < len(inv.Argv):
			callback = inv.Argv[i+2].Value
		case strings.HasPrefix(s, "-C"):
			callback = w.Value.Cut(2)
		case s == "-u" && i+2 < len(inv.Argv):
			e.fromDescriptor(inv.Argv[i+2].Value, &io)
		}
	}
	io.in = e.held(st, inv.Span, io.in)
	v := shell.Var{Array: true, Changed: true}
	if s, known := io.in.Known(); known && io.hasIn {
		for _, l := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
			if len(v.List) < maxFanOut {
				v.List = append(v.List, value.Lit(l).With(io.in.Taint()))
			}
		}
	} else {
		h := value.Hole{Cause: risk.CauseInput, Name: name}
		if hs := io.in.Holes(); len(hs) > 0 {
			h.Shape, h.Base, h.Cause = hs[0].Shape, hs[0].Base, hs[0].Cause
		}
		v.List = []value.Value{value.Of(h).With(io.in.Taint())}
	}
	if len(v.List) > 0 {
		v.Value = v.List[0]
	}
	st.Vars.Set(name, v)
	if !callback.Empty() && len(v.List) > 0 {
		e.callback(st, inv, io, callback, v.List[0])
	}
	st.Status = shell.OK
}

// callback evaluates what `mapfile -C` runs: with the index of a line and the
// line itself behind it (bash(1), mapfile).
func (e *evaluator) callback(st *shell.State, inv *shell.Invocation, io ioctx, text, line value.Value) {
	sub := st.Clone()
	sub.Alts = nil
	sub.Vars.Set(mapped, shell.Var{Value: line})
	e.nested(sub, value.Concat(text, value.Lit(` 0 "${`+mapped+`}"`)), st.Shell, io, inv.Span)
	st.FS.Join(sub.FS)
}

// mapped is the variable that holds a line for a callback of mapfile.
const mapped = "heed_mapfile_line"

// fromDescriptor makes a builtin read from a descriptor, as -u asks for.
func (e *evaluator) fromDescriptor(fd value.Value, io *ioctx) {
	if n, ok := fd.Known(); ok {
		fds := ioctx{in: io.in, hasIn: io.hasIn, fds: io.fds}
		if fds.fds == nil {
			fds.fds = e.fds
		}
		if t := e.fd(&fds, n); t.hasIn {
			io.in, io.hasIn = t.in, true
		}
	}
}

func (e *evaluator) setAlias(st *shell.State, inv *shell.Invocation, _ ioctx) {
	for _, w := range inv.Argv[1:] {
		name, body, ok := strings.Cut(w.Value.Prefix(), "=")
		if !ok || strings.HasPrefix(name, "-") {
			continue
		}
		if st.Aliases == nil {
			st.Aliases = map[string]string{}
		}
		if w.Value.IsKnown() {
			st.Aliases[name] = body
		}
	}
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
	st.Status = shell.OK
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
		sub := st.Clone()
		sub.Alts = nil
		sub.Under(risk.Condition{Kind: risk.OnSignal, Of: s})
		e.nested(sub, action, st.Shell, io, inv.Span)
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
		st.Status = shell.Perhaps
		name := args[0].Value
		e.emit(st, inv.Span, name.Map(func(s string) string { return "/usr/bin/" + path.Base(s) + "\n" }, value.AnyPath), io)
		return
	}
	next := &shell.Invocation{Argv: args, Assign: inv.Assign, Span: inv.Span}
	if name, known := args[0].Value.Known(); known {
		if b := builtinNamed(name); b != nil {
			b(e, st, next, io)
			return
		}
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
	st.Status = testCommand(st, args)
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
			st.Status = shell.Perhaps
			continue
		}
		st.Status = statusOf(e.arith(st, x))
	}
}

func (e *evaluator) getopts(st *shell.State, inv *shell.Invocation, _ ioctx) {
	if len(inv.Argv) > 2 {
		if name, ok := inv.Argv[2].Value.Known(); ok {
			st.Vars.Assign(name, value.Of(value.Hole{Cause: risk.CauseArg, Name: name, Shape: value.Word}))
		}
	}
	st.Vars.Assign("OPTARG", value.Unknown(risk.CauseArg, "OPTARG"))
	st.Vars.Assign("OPTIND", numberHole("OPTIND"))
	st.Status = shell.Perhaps
}
