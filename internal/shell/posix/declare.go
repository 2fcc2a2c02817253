package posix

import (
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

func (e *evaluator) unset(st *shell.State, inv *shell.Invocation, _ ioctx) {
	functions, variables := true, true
	for _, w := range inv.Argv[1:] {
		name, ok := w.Value.Known()
		if !ok || strings.HasPrefix(name, "-") {
			functions, variables = !strings.Contains(name, "v"), !strings.Contains(name, "f")
			continue
		}
		if p, ok := e.place(st, w.Value, inv.Span); ok && p.element {
			if p.name == "mapfile" && st.Shell == "zsh" { // deletes the file
				e.unmodelled(st, inv.Span, "what unset does to "+name)
			}
			e.unsetElement(st, p.name, p.key)
			continue
		}
		old := st.Vars.Get(name)
		if functions && (!variables || old == nil && st.Shell == "bash") {
			delete(st.Funcs, name)
		}
		if !variables || old != nil && old.ReadOnly {
			continue
		}
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

// unsetElement removes an element of an array.
func (e *evaluator) unsetElement(st *shell.State, name, index string) {
	old := st.Vars.Get(name)
	if old == nil {
		return
	}
	v := *old
	v.Map = maps.Clone(old.Map)
	delete(v.Map, index)
	if n, err := strconv.Atoi(index); err == nil && n >= 0 && n < len(v.List) && st.Shell != "zsh" {
		v.List = slices.Clone(v.List)
		v.List[n] = value.Unknown(risk.CauseUnset, name)
		if n == len(v.List)-1 {
			v.List = v.List[:n]
		}
	}
	if len(v.List) > 0 {
		v.Value = v.List[0]
	}
	st.Vars.Set(name, v)
}

// declare performs declare, local, export and their like, as the parser sees
// them.
func (e *evaluator) declare(st *shell.State, c *syntax.DeclClause, io ioctx) {
	opts := ""
	variant := c.Variant.Value
	sets, open := false, false
	var names []string
	if variant == "local" && st.Frame == nil && st.Shell == "bash" { // "can only be used in a function"
		for _, a := range c.Args {
			if a.Value != nil {
				e.fields(st, []*syntax.Word{a.Value})
			}
		}
		e.m.Tell(st, e.span(c), shell.Telling{What: "fails: local works only in a function, so nothing is set"})
		st.Status = shell.Failed
		return
	}
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
					sets = true
					e.declareWord(st, e.span(c), variant, opts, s, w.Value)
					name, _, _ := strings.Cut(s, "=")
					e.noteVariable(st, name, e.span(c))
				default:
					open = true
					e.place(st, w.Value, e.span(c))        // its subscript is evaluated, whatever it is
					if w.Value.Taint().Has(value.Secret) { // names that only the secret knows
						st.Sourced, sets = w.Value, true
					}
				}
			}
			continue
		}
		if f := st.Funcs[a.Name.Value]; f != nil && strings.Contains(opts, "f") {
			f.Exported = f.Exported || variant == "export" || strings.Contains(opts, "x")
			continue
		}
		sets = true
		if strings.Contains(opts, "p") {
			names = append(names, a.Name.Value)
			continue
		}
		fresh := e.localize(st, variant, opts, a.Name.Value)
		if fresh && a.Naked && st.Shell != "sh" { // dash's inherit their value
			st.Vars.Unset(a.Name.Value)
		}
		array := opts
		if old := st.Vars.Declared(a.Name.Value); old != nil && old.Array {
			array += "a"
		}
		e.assign(st, a, attributes(variant, opts))
		if set := st.Vars.Get(a.Name.Value); set != nil && a.Value != nil && a.Index == nil { // quoted, and yet a list
			text := set.Value
			if set.Array && len(set.List) > 0 {
				text = set.List[0]
			}
			e.compound(st, a.Name.Value, array, text, e.span(c))
		}
		e.noteVariable(st, a.Name.Value, e.span(c))
	}
	if sets && strings.Contains(opts, "T") && st.Shell == "zsh" { // zshbuiltins(1), typeset
		e.unmodelled(st, e.span(c), "what variables that -T ties together bring with them")
	}
	if !sets && !open && len(names) == 0 {
		e.m.Tell(st, e.span(c), shell.Telling{What: "lists the " + listedBy(variant, opts) + " of this shell"})
	}
	if !strings.ContainsAny(opts, "fF") && (!sets || strings.Contains(opts, "p")) {
		e.list(st, e.span(c), variant, names, io)
	}
	for _, a := range c.Args {
		if a.Name != nil && !strings.Contains(opts, "p") {
			e.m.Tell(st, e.span(c), shell.Telling{What: e.setTo(st, variant, a.Naked, a.Index != nil || a.Array != nil || a.Append, a.Name.Value)})
		}
	}
	st.Status = shell.OK // whatever became of commands in the words
}

// localize remembers what a variable was before a function made it local, and
// reports whether it was not local yet.
func (e *evaluator) localize(st *shell.State, variant, opts, name string) (fresh bool) {
	if st.Frame == nil || variant == "export" || variant == "readonly" || strings.Contains(opts, "g") {
		return false
	}
	if _, ok := st.Frame[name]; ok {
		return false
	}
	st.Frame[name] = st.Vars.Get(name)
	return true
}

func attributes(variant, opts string) func(*shell.Var) {
	return func(v *shell.Var) {
		if variant == "export" || strings.Contains(opts, "x") {
			v.Exported = !strings.Contains(opts, "n") || variant != "export"
		}
		v.Integer = v.Integer || strings.Contains(opts, "i") && variant != "export" || variant == "integer" || variant == "float" || strings.ContainsAny(opts, "FE") && variant == "typeset"
		v.Lower = v.Lower || strings.Contains(opts, "l")
		v.Upper = v.Upper || strings.Contains(opts, "u") && variant != "export"
		v.Ref = v.Ref || strings.Contains(opts, "n") && variant != "export" || variant == "nameref"
		v.ReadOnly = v.ReadOnly || variant == "readonly" || strings.Contains(opts, "r")
		if strings.ContainsAny(opts, "aA") {
			v.Array = true
			if strings.Contains(opts, "A") && v.Map == nil {
				v.Map = map[string]value.Value{}
			}
		}
	}
}

// declareWords is declare where its arguments are ordinary words.
func (e *evaluator) declareWords(st *shell.State, inv *shell.Invocation, io ioctx) {
	if names, ok := listed(inv); ok {
		e.list(st, inv.Span, inv.Argv[0].Value.String(), names, io)
		st.Status = shell.Perhaps
		return
	}
	variant, _ := inv.Argv[0].Value.Known()
	opts := ""
	for _, w := range inv.Argv[1:] {
		s := w.Value.Prefix()
		if w.Value.Taint().Has(value.Secret) && !strings.Contains(s, "=") { // names that only the secret knows
			st.Sourced = w.Value
		}
		if w.Value.IsKnown() && strings.HasPrefix(s, "-") {
			opts += s[1:]
			continue
		}
		e.declareWord(st, inv.Span, variant, opts, s, w.Value)
		name, _, _ := strings.Cut(s, "=")
		e.noteVariable(st, name, inv.Span)
	}
	st.Status = shell.OK
}

func (e *evaluator) declareWord(st *shell.State, at risk.Span, variant, opts, prefix string, v value.Value) {
	name, _, given := strings.Cut(prefix, "=")
	width := len(name) + 1
	if plain := strings.TrimSuffix(name, "+"); strings.Contains(plain, "[") {
		x := value.Lit("")
		if given {
			x = v.Cut(width)
		}
		base, _, _ := strings.Cut(plain, "[")
		if isName(base) {
			e.localize(st, variant, opts, base)
		}
		whole := value.Lit(plain)
		if !given { // or the sign stands behind what is not known
			whole = v
		}
		if p, ok := e.place(st, whole, at); ok && given {
			e.put(st, p, x, at)
		}
		return
	}
	if !isName(strings.TrimSuffix(name, "+")) {
		return
	}
	if given && e.compound(st, name, opts, v.Cut(width), at) {
		return
	}
	e.localize(st, variant, opts, name)
	x := shell.Var{}
	if old := st.Vars.Get(name); old != nil {
		x = *old
	}
	if x.ReadOnly {
		return
	}
	x.Changed = true
	attributes(variant, opts)(&x)
	if given {
		x.Value, x.IfSet = v.Cut(width), nil
		if x.Integer {
			x.Value = e.arithText(st, x.Value)
		}
	}
	if given || x.Exported || x.ReadOnly || x.Integer || x.Lower || x.Upper || x.Ref {
		x.Unset = !given && st.Vars.Get(name) == nil // declared only
		st.Vars.Set(name, x)
	}
}

// compound evaluates text that is given to declare as the list of an array: it
// is read as an assignment (bash(1), declare).
func (e *evaluator) compound(st *shell.State, name, opts string, x value.Value, at risk.Span) bool {
	old := st.Vars.Declared(strings.TrimSuffix(name, "+"))
	array := strings.ContainsAny(opts, "aA") || old != nil && old.Array
	text, known := x.Known()
	if st.Shell != "bash" || !array || !known || !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return false
	}
	e.nested(st, value.Lit(name+"="+text), st.Shell, ioctx{}, at)
	return true
}

// noteVariable reports variables whose mere setting turns later programs into
// something else, or hides what is done.
func (e *evaluator) noteVariable(st *shell.State, name string, span risk.Span) {
	v := st.Vars.Get(name)
	if v == nil || !v.Changed {
		return
	}
	if v.Ref && !v.Value.IsKnown() { // the name that it refers to may have a subscript
		e.place(st, v.Value, span)
	}
	if target, known := e.referred(st, name); v.Ref && known && target != name {
		e.noteVariable(st, target, span)
		return
	}
	if strings.HasPrefix(name, ownPrefix) {
		e.m.Effect(st, span, shell.Effect{Verb: risk.AgentConfig, Target: value.Lit(name), Kind: risk.KindAVariableOfHeedS})
	}
	if slices.Contains(prompts(), name) {
		e.notePrompt(st, name, v, span)
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
	case "MAILPATH":
		e.notePrompt(st, name, v, span)
	case "EXECIGNORE", "BASH_LOADABLES_PATH", "BASH_XTRACEFD", "MODULE_PATH":
		if !v.Value.Empty() {
			e.unmodelled(st, span, "$"+name)
		}
	case "PROMPT_COMMAND":
		e.atPrompt(st, v.Value, span)
		for _, x := range v.List[min(1, len(v.List)):] {
			e.atPrompt(st, x, span)
		}
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
