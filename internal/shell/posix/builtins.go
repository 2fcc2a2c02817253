package posix

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// What builtins do to the shell itself whose effects on the world the catalog
// knows: they take names and numbers, run code, or say what a name runs.

// numbers evaluates the numbers that a builtin is given, where they are
// expressions (zshbuiltins(1), shift; mksh(1), shift).
func (e *evaluator) numbers(st *shell.State, inv *shell.Invocation) {
	if st.Shell != "zsh" && st.Shell != "mksh" {
		return
	}
	for _, w := range inv.Argv[1:] {
		if text, known := w.Value.Known(); known && strings.Contains(text, "[") {
			e.arithAt(st, w.Value, inv.Span, 0)
		}
	}
}

// takesNames names the builtins of a dialect that take the names of variables, or
// expressions, and that are not evaluated here otherwise (bash(1), SHELL BUILTIN
// COMMANDS; mksh(1), Command execution; zshbuiltins(1), zshmodules(1)).
func takesNames(dialect string) string {
	switch dialect {
	case "bash":
		return "wait"
	case "mksh":
		return "ulimit"
	case "zsh":
		return `printf repeat zparseopts zstyle strftime zstat stat vared sysread sysopen syswrite sysseek getln zselect zcurses ztie zuntie zpty
zsocket sched zregexparse zformat zle compadd comparguments limit ulimit zsystem print read echotc echoti pcre_match pcre_compile zprof wait`
	}
	return ""
}

// beside evaluates what a builtin does beside what the catalog says of it, and
// reports whether that is all.
func (e *evaluator) beside(st *shell.State, name string, inv *shell.Invocation, io ioctx) (done bool) {
	if hasWord(takesNames(st.Shell), name) && (name != "print" || hasOption(inv, 'v') || hasOption(inv, 'f')) {
		e.namesIn(st, inv)
	}
	switch name {
	case "type", "which", "whence", "where", "hash":
		e.showAliases(st, inv, io)
	}
	switch st.Shell {
	case "bash":
		return e.besideBash(st, name, inv, io)
	case "mksh":
		if name == "alias" {
			e.namedDirs(st, inv, "d")
		}
	case "zsh":
		return e.besideZsh(st, name, inv, io)
	}
	return false
}

func hasOption(inv *shell.Invocation, letter byte) bool {
	for _, w := range inv.Argv[1:] {
		s := w.Value.Prefix()
		if len(s) < 2 || s[0] != '-' {
			return false
		}
		if strings.IndexByte(s[1:], letter) >= 0 {
			return true
		}
	}
	return false
}

func (e *evaluator) besideBash(st *shell.State, name string, inv *shell.Invocation, io ioctx) (done bool) {
	switch name {
	case "compgen", "complete":
		e.completion(st, inv, io)
	case "hash":
		words := inv.Argv[1:]
		for i, w := range words {
			if s, _ := w.Value.Known(); strings.HasPrefix(s, "-") && strings.HasSuffix(s, "p") && i+2 < len(words) {
				for _, of := range words[i+2:] {
					e.hash(st, of.Value, words[i+1].Value)
				}
			}
		}
	case "history":
		e.historyFile(st, inv)
	case "fc":
		e.commandFile(st, inv)
	}
	return false
}

// completion evaluates what generates completions: -C runs a command and -F a
// function, and the words of -W are expanded (bash(1), "Programmable
// Completion"). complete only keeps it for a person who types.
func (e *evaluator) completion(st *shell.State, inv *shell.Invocation, io ioctx) {
	words := inv.Argv[1:]
	for i := range words {
		s, _ := words[i].Value.Known()
		if i+1 == len(words) || len(s) < 2 || s[0] != '-' {
			continue
		}
		arg := words[i+1].Value
		sub := e.aside(st, risk.Condition{}, io, func(sub *shell.State) {
			switch s[len(s)-1] {
			case 'C':
				e.nested(sub, arg, st.Shell, io, inv.Span)
			case 'F':
				if f, known := arg.Known(); known && sub.Funcs[f] != nil {
					e.function(sub, f, sub.Funcs[f], &shell.Invocation{Argv: []shell.Word{{Value: arg}}, Span: inv.Span}, io)
				}
			case 'W':
				e.emit(sub, inv.Span, e.again(sub, arg, inv.Span), io)
			}
		})
		st.FS.Join(sub.FS)
	}
}

// historyFile is history -w, -a, -r and -n without a file: with the one that HISTFILE
// names, which is ~/.bash_history in a shell that nobody told otherwise (bash(1),
// history); and -n with one, which has another meaning in other shells.
func (e *evaluator) historyFile(st *shell.State, inv *shell.Invocation) {
	var file *value.Value
	for i := range inv.Argv[1:] {
		if w := &inv.Argv[i+1].Value; !strings.HasPrefix(w.Prefix(), "-") {
			file = w
		}
	}
	if hasOption(inv, 'c') || hasOption(inv, 'd') || hasOption(inv, 's') || hasOption(inv, 'p') {
		return
	}
	reads := hasOption(inv, 'n') || hasOption(inv, 'r') && file == nil
	if len(inv.Argv) == 1 || !reads && file != nil {
		e.listHistory(st, inv)
	}
	if file == nil {
		own := value.Concat(e.home(st), value.Lit("/.bash_history"))
		if v := st.Vars.Get("HISTFILE"); v != nil {
			own = v.Value
		}
		file = &own
	} else if !reads {
		return
	}
	switch {
	case file.Empty():
	case reads:
		e.loadHistory(st, *file, inv.Span)
	case hasOption(inv, 'w'), hasOption(inv, 'a'):
		e.m.Store(st, inv.Span, *file, value.Unknown(risk.CauseOther, "the history"), shell.Writing{Add: hasOption(inv, 'a')})
	}
}

// commandFile is what zsh's fc does with the file of the history that no word names:
// it reads or writes $HISTFILE (zshbuiltins(1), fc -R, -W, -A); -l lists what is there.
func (e *evaluator) commandFile(st *shell.State, inv *shell.Invocation) {
	if hasOption(inv, 'l') {
		e.listHistory(st, inv)
	}
	own := st.Vars.Get("HISTFILE")
	named := slices.ContainsFunc(inv.Argv[1:], func(w shell.Word) bool { return !strings.HasPrefix(w.Value.Prefix(), "-") })
	if st.Shell != "zsh" || named || own == nil || own.Value.Empty() {
		return
	}
	switch {
	case hasOption(inv, 'R'):
		e.loadHistory(st, own.Value, inv.Span)
	case hasOption(inv, 'W'), hasOption(inv, 'A'):
		e.m.Store(st, inv.Span, own.Value, value.Unknown(risk.CauseOther, "the history"), shell.Writing{Add: hasOption(inv, 'A')})
	}
}

// loadHistory reads a file into the history.
func (e *evaluator) loadHistory(st *shell.State, file value.Value, at risk.Span) {
	if content := e.m.Load(st, at, file); content.Taint().Has(secret) {
		st.Vars.Set(historyList, shell.Var{Value: content})
	}
}

// listHistory shows what was read into the history before, if that holds a secret.
func (e *evaluator) listHistory(st *shell.State, inv *shell.Invocation) {
	if read := st.Vars.Get(historyList); read != nil {
		e.m.Show(st, inv.Span, read.Value)
	}
}

// historyList is the variable that holds what was read into the history.
const historyList = "\x00history"

// hashTable is the variable that holds where commands are that the session was
// told to find elsewhere, and dirTable the directories behind ~name; no shell
// variable can have these names.
const (
	hashTable = "\x00hash"
	dirTable  = "\x00named"
)

// secretAliases are the aliases that hold a secret, which is shown with them.
const secretAliases = "\x00aliases"

// showAliases tells of the secrets that are printed with aliases or with the paths of
// commands, by builtins that look up the words of inv or, without any, print all.
func (e *evaluator) showAliases(st *shell.State, inv *shell.Invocation, io ioctx) {
	for _, table := range []string{secretAliases, hashTable} {
		v := st.Vars.Get(table)
		if v == nil || !v.Taints().Has(secret) {
			continue
		}
		named, all := false, true
		for _, w := range inv.Argv[1:] {
			s, known := w.Value.Known()
			all = all && known && strings.HasPrefix(s, "-")
			x, is := v.Map[s]
			named = named || !known || is && x.Taint().Has(secret)
		}
		if named || all {
			e.emit(st, inv.Span, value.Unknown(risk.CauseUnknown, "alias").With(v.Taints()&secret), io)
		}
	}
}

// hash says what program a name runs (bash(1), hash -p; mksh(1), alias -t;
// zshmodules(1), commands).
func (e *evaluator) hash(st *shell.State, name, path value.Value) {
	e.tabled(st, hashTable, name, path)
}

func (e *evaluator) tabled(st *shell.State, table string, name, x value.Value) {
	key, known := name.Known()
	if !known || st.Vars.Get(table) != nil && len(st.Vars.Get(table).Map) > maxFanOut {
		return
	}
	m := map[string]value.Value{key: x}
	if old := st.Vars.Get(table); old != nil {
		for k, v := range old.Map {
			if k != key {
				m[k] = v
			}
		}
	}
	st.Vars.Set(table, shell.Var{Map: m})
}

// hashed returns the name of the program that a command runs, in place of which
// the session may have been told of another.
func (e *evaluator) hashed(st *shell.State, inv *shell.Invocation) (string, bool) {
	name, known := inv.Argv[0].Value.Known()
	table := st.Vars.Get(hashTable)
	if table == nil || !known {
		return name, known
	}
	other, ok := table.Map[name]
	if !ok || st.Funcs[name] != nil || builtinNamed(name) != nil {
		return name, known
	}
	inv.Argv = slices.Clone(inv.Argv)
	inv.Argv[0] = shell.Word{Value: other}
	return other.Known()
}

// namedDirs are names for directories: hash -d of zsh, alias -d of mksh.
func (e *evaluator) namedDirs(st *shell.State, inv *shell.Invocation, option string) {
	if !hasOption(inv, option[0]) {
		return
	}
	for _, w := range inv.Argv[1:] {
		if name, _, found := strings.Cut(w.Value.Prefix(), "="); found {
			e.tabled(st, dirTable, value.Lit(name), w.Value.Cut(len(name)+1))
		}
	}
}

// nullCommand runs what zsh runs where there are only redirections: READNULLCMD,
// or more, for a single input, and NULLCMD for all else (zshparam(1)).
func (e *evaluator) nullCommand(st *shell.State, s *syntax.Stmt, io ioctx) {
	if st.Shell != "zsh" || len(s.Redirs) == 0 {
		return
	}
	name, command := "NULLCMD", value.Lit("")
	if len(s.Redirs) == 1 && readsInput(s.Redirs[0]) {
		name, command = "READNULLCMD", value.Lit("more")
	} else if slices.ContainsFunc(s.Redirs, readsInput) {
		command = value.Lit("cat")
	}
	if v := st.Vars.Get(name); v != nil {
		command = v.Value
	}
	if command.Empty() { // cat, which writes what is typed
		return
	}
	e.dispatch(st, &shell.Invocation{Argv: []shell.Word{{Value: command}}, Span: e.span(s)}, io)
}

// startFunctions declares the functions that the environment holds for bash: a
// variable BASH_FUNC_name%% whose value is "() { …" (bash(1), FUNCTIONS).
func (e *evaluator) startFunctions(st *shell.State, at risk.Span) {
	if st.Shell != "bash" {
		return
	}
	for _, variable := range st.Vars.Kept("BASH_FUNC_") {
		v := st.Vars.Get(variable)
		name := strings.TrimSuffix(strings.TrimPrefix(variable, "BASH_FUNC_"), "%%")
		if !v.Exported || !v.Changed || name == "" {
			continue
		}
		text, known := v.Value.Known()
		if !known {
			e.m.Code(st, at, v.Value, st.Shell)
			continue
		}
		if !strings.HasPrefix(text, "()") {
			continue
		}
		src, err := Parse(name+" "+text, st.Shell)
		if err != nil {
			e.m.Unknown(st, at, risk.RoleParse, err.Error())
			continue
		}
		sub := &evaluator{m: e.m, parts: e.parts, at: &at, text: src.Text, grammar: src.Grammar}
		sub.stmts(st, src.File.Stmts, ioctx{})
		if f := st.Funcs[name]; f != nil { // it is a function from here on, and no variable
			f.Exported = true
			st.Vars.Unset(variable)
		}
	}
}

// hasWord reports whether a list of words has one.
func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}
