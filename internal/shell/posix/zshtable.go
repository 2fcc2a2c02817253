package posix

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// Tables of a shell that are variables: an assignment to an element makes a
// function, an alias, a file (zshmodules(1), zsh/parameter, zsh/mapfile; bash(1),
// BASH_ALIASES and BASH_CMDS).

// noteElement performs what an assignment to an element does beside.
func (e *evaluator) noteElement(st *shell.State, name, key string, x value.Value, at risk.Span) {
	k := value.Lit(key)
	switch st.Shell {
	case "bash":
		switch name {
		case "BASH_ALIASES":
			e.aliased(st, key, x, at)
		case "BASH_CMDS":
			e.hash(st, k, x)
		case "PROMPT_COMMAND":
			e.atPrompt(st, x, at)
		}
	case "zsh":
		e.zshEntry(st, name, key, x, at)
	}
}

func (e *evaluator) zshEntry(st *shell.State, name, key string, x value.Value, at risk.Span) {
	switch name {
	case "functions":
		text, known := x.Known()
		if !known {
			e.m.Code(st, at, x, st.Shell)
			return
		}
		sub := &evaluator{m: e.m, parts: e.parts, at: &at}
		src, err := Parse("function "+key+" {\n"+text+"\n}", st.Shell)
		if err != nil {
			e.m.Unknown(st, at, risk.RoleParse, err.Error())
			return
		}
		sub.text, sub.grammar = src.Text, src.Grammar
		sub.stmts(st, src.File.Stmts, ioctx{})
	case "aliases":
		e.aliased(st, key, x, at)
	case "commands":
		e.hash(st, value.Lit(key), x)
	case "nameddirs", "userdirs":
		e.tabled(st, dirTable, value.Lit(key), x)
	case "mapfile":
		e.m.Store(st, at, keyed(key), x, shell.Writing{})
	case "options":
		on, _ := x.Known()
		e.option(st, key, on == "on", at)
	case "PATH", "CDPATH", "FPATH": // characters of it
		e.unmodelled(st, at, "a part of $"+name)
	case "path", "cdpath", "fpath":
		if v := st.Vars.Get(name); v != nil {
			e.noteTable(st, name, v, at)
		}
	case "dis_functions", "dis_aliases", "galiases", "dis_galiases", "saliases", "dis_saliases", "dis_builtins", "builtins", "reswords", "dis_reswords", "history", "module_path", "modules", "widgets", "patchars", "dirstack":
		e.unmodelled(st, at, "the table "+name)
	default:
		e.hookList(st, name, x, at)
	}
}

// noteTable performs what an assignment to all of a table does: of an array
// that is tied to a variable, of a table, or of a list of functions that are
// called.
func (e *evaluator) noteTable(st *shell.State, name string, v *shell.Var, at risk.Span) {
	switch name {
	case "dirstack", "DIRSTACK", "module_path":
		e.unmodelled(st, at, "$"+name)
	}
	switch name {
	case "path", "cdpath", "fpath", "module_path", "manpath": // tied (zshparam(1))
		other := strings.ToUpper(name)
		st.Vars.Assign(other, expanded{list: v.List}.joined(":"))
		e.noteVariable(st, other, at)
		return
	case "functions", "aliases", "commands", "nameddirs", "userdirs", "mapfile", "options", "galiases", "saliases", "dis_functions", "dis_aliases", "builtins":
		for k, x := range v.Map {
			e.zshEntry(st, name, k, x, at)
		}
		for i := 0; i+1 < len(v.List); i += 2 {
			if k, known := v.List[i].Known(); known {
				e.zshEntry(st, name, k, v.List[i+1], at)
			}
		}
	}
	for _, x := range v.List {
		e.hookList(st, name, x, at)
	}
}

// hookList evaluates a function whose name is put into a list of functions that
// the shell calls itself (zshmisc(1), "Hook Functions").
func (e *evaluator) hookList(st *shell.State, list string, name value.Value, at risk.Span) {
	hook, is := strings.CutSuffix(list, "_functions")
	if !is || !hookFunction(hook) {
		return
	}
	f, known := name.Known()
	if !known {
		e.m.Code(st, at, name, st.Shell)
		return
	}
	if st.Funcs[f] != nil {
		e.called(st, f, at)
	}
}

// hookFunction reports whether zsh calls functions of this name itself.
func hookFunction(name string) bool {
	switch name {
	case "chpwd", "periodic", "precmd", "preexec", "zshaddhistory", "zshexit", "zsh_directory_name", "command_not_found_handler":
		return name != "command_not_found_handler"
	}
	trap, is := strings.CutPrefix(name, "TRAP")
	return is && trap != "" && strings.ToUpper(trap) == trap
}

// hooked evaluates functions that zsh and ksh93 call themselves, when they are
// declared: the latter's have a dot in their names, of a variable that is read or
// set or of arithmetic (ksh93(1), "Discipline Functions", ".sh.math").
func (e *evaluator) hooked(st *shell.State, names []*syntax.Lit, at risk.Span) {
	for _, n := range names {
		if st.Shell == "zsh" && (hookFunction(n.Value) || e.listedHook(st, n.Value)) || st.Shell == "mksh" && strings.Contains(n.Value, ".") {
			e.called(st, n.Value, at)
		}
	}
}

func (e *evaluator) listedHook(st *shell.State, name string) bool {
	for _, hook := range []string{"chpwd", "periodic", "precmd", "preexec", "zshaddhistory", "zshexit", "zsh_directory_name"} {
		v := st.Vars.Get(hook + "_functions")
		if v != nil && slices.ContainsFunc(v.List, func(x value.Value) bool { s, known := x.Known(); return known && s == name }) {
			return true
		}
	}
	return false
}

// called evaluates a call that the shell makes at a time of its own.
func (e *evaluator) called(st *shell.State, name string, at risk.Span) {
	f := st.Funcs[name]
	if f == nil || f.Calls > 0 {
		return
	}
	sub := e.aside(st, risk.Condition{Kind: risk.OnSignal, Of: name}, ioctx{}, func(sub *shell.State) {
		e.apart(sub, func() {
			e.function(sub, name, f, &shell.Invocation{Argv: []shell.Word{{Value: value.Lit(name)}}, Span: at}, ioctx{})
			if c := body(f); c != nil && strings.HasPrefix(name, "TRAP") && len(c.stmts[0].Redirs) > 0 { // a trap leaves them out
				bare := *c.stmts[0]
				bare.Redirs = nil
				e.within(c, at, func() { e.stmt(sub, &bare, ioctx{}) })
			}
		})
	})
	st.FS.Join(sub.FS)
}

// aliased is an alias that is made by assignment.
func (e *evaluator) aliased(st *shell.State, name string, x value.Value, at risk.Span) {
	if x.Taint().Has(secret) {
		e.tabled(st, secretAliases, value.Lit(name), x)
	}
	text, known := x.Known()
	if !known {
		e.unmodelled(st, at, "the alias "+name)
		return
	}
	e.made(st, name, at.Start)
	if st.Aliases == nil {
		st.Aliases = map[string]string{}
	}
	st.Aliases[name] = text
}

// besideZsh is beside for the builtins of zsh.
func (e *evaluator) besideZsh(st *shell.State, name string, inv *shell.Invocation, io ioctx) (done bool) {
	switch name {
	case "print", "echo":
		if name == "print" && hasOption(inv, 'P') && optionsOf(st).promptSubst {
			for _, w := range inv.Argv[1:] {
				e.emit(st, inv.Span, e.again(st, w.Value, inv.Span), io)
			}
		}
		if name == "print" && hasOption(inv, 'v') && len(inv.Argv) > 2 {
			for i, w := range inv.Argv[1:] {
				if s, _ := w.Value.Known(); strings.HasPrefix(s, "-") && strings.HasSuffix(s, "v") && i+2 < len(inv.Argv) {
					e.putInto(st, inv.Argv[i+2].Value, value.Unknown(risk.CauseOutput, "print"), inv.Span)
				}
			}
			st.Status = shell.OK
			return true
		}
	case "hash":
		e.namedDirs(st, inv, "d")
		if !hasOption(inv, 'd') {
			for _, w := range inv.Argv[1:] {
				if n, _, found := strings.Cut(w.Value.Prefix(), "="); found {
					e.hash(st, value.Lit(n), w.Value.Cut(len(n)+1))
				}
			}
		}
	case "sysopen", "sysread", "syswrite":
		return e.besideSystem(st, name, inv, io)
	case "zmv", "zcp", "zln":
		e.renames(st, inv, io)
	case "zstyle":
		if hasOption(inv, 'e') && len(inv.Argv) > 4 {
			sub := e.aside(st, risk.Condition{}, io, func(sub *shell.State) {
				for _, w := range inv.Argv[4:] {
					e.nested(sub, w.Value, st.Shell, io, inv.Span)
				}
			})
			st.FS.Join(sub.FS)
		}
	case "repeat":
		if len(inv.Argv) > 2 {
			turns, known := e.arithAt(st, inv.Argv[1].Value, inv.Span, 0)
			if !known || turns > maxTurns {
				turns = 1
			}
			for range turns {
				e.dispatch(st, &shell.Invocation{Argv: inv.Argv[2:], Assign: inv.Assign, Span: inv.Span}, io)
			}
			return true
		}
	case "autoload", "functions":
		if v := st.Vars.Get("FPATH"); v != nil && v.Changed {
			e.unmodelled(st, inv.Span, "functions from "+v.Value.String())
		}
		if name == "functions" && hasOption(inv, 'M') {
			e.unmodelled(st, inv.Span, "a mathematical function")
		}
	case "fc":
		e.commandFile(st, inv)
	case "history":
		e.listHistory(st, inv)
	case "enable", "sched", "zle", "zpty", "bindkey", "add-zsh-hook", "zcompile", "zmodload", "zregexparse":
		e.zshCode(st, name, inv, io)
	}
	return false
}

// zshCode is what builtins of zsh run, or keep to be run.
func (e *evaluator) zshCode(st *shell.State, name string, inv *shell.Invocation, io ioctx) {
	switch name {
	case "enable":
		if hasOption(inv, 'f') || hasOption(inv, 'a') || hasOption(inv, 's') {
			e.unmodelled(st, inv.Span, "what enable turns on")
		}
	case "sched", "zpty", "zregexparse":
		if len(inv.Argv) > 2 {
			e.unmodelled(st, inv.Span, "what "+name+" runs")
		}
	case "add-zsh-hook":
		for _, w := range inv.Argv[1:] {
			if f, known := w.Value.Known(); known && st.Funcs[f] != nil {
				e.called(st, f, inv.Span)
			}
		}
	case "zmodload":
		features := hasOption(inv, 'F') || hasOption(inv, 'a') // of the module that is named first
		for _, w := range inv.Argv[1:] {
			s, known := w.Value.Known()
			if known && strings.HasPrefix(s, "-") {
				continue
			}
			if !known || !strings.HasPrefix(s, "zsh/") || strings.Contains(s, "..") {
				e.unmodelled(st, inv.Span, "the module "+w.Value.String())
			}
			if features {
				break
			}
		}
	}
	_ = io
}

// keyedTable reports whether the shell itself has an associative array of this
// name.
func keyedTable(dialect, name string) bool {
	switch name {
	case "BASH_ALIASES", "BASH_CMDS":
		return dialect == "bash"
	case "functions", "dis_functions", "aliases", "dis_aliases", "galiases", "dis_galiases", "saliases", "dis_saliases", "commands", "nameddirs", "userdirs", "mapfile", "options", "builtins", "dis_builtins", "modules":
		return dialect == "zsh"
	}
	return false
}

// ownTable reports whether zsh itself keeps a table of this name, whose elements are
// not known here (zshmodules(1), zsh/parameter and others).
func ownTable(name string) bool {
	switch name {
	case "parameters", "history", "historywords", "jobtexts", "jobdirs", "jobstates", "usergroups", "funcstack", "functrace", "functions_source",
		"reswords", "patchars", "widgets", "keymaps", "sysparams", "termcap", "terminfo":
		return true
	}
	return keyedTable("zsh", name)
}
