package lexical

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Bounds of lexical reading.
const (
	maxLexText  = 64 << 10 // bytes that are read
	maxLexArgs  = 96       // marks that are looked at for one call
	maxLexFound = 128      // commands and paths that are reported
	maxLexLine  = 4 << 10  // bytes that are looked at for a command line
)

// A lexical reading of one text.
type lexical struct {
	lang  string
	text  string
	style style
	names map[string]lexRole
	m     []mark
	used  map[int]bool // marks that are part of a command
	res   inline.Result
	runs  bool // something that runs programs is named
	print bool // something that prints is named
	given bool // something is run that is worked out, or a shell that reads what it runs
	host  inline.Host
}

// ReadsText reports whether code in a language is read lexically. What
// reads its language itself elsewhere, or is no program, is not.
func ReadsText(lang string) bool {
	switch lang {
	case "javascript", "typescript", "expect":
		return true
	case "", "awk", "sed", "vim", "ed", "sql", "jq", "xslt", "less", "screen", "tmux", "system", "gdb", "lldb", "pdb", "magick", "miller":
		return false
	}
	return !inline.Reads(lang)
}

// Read reads code in a language without a parser: the commands it runs and
// the files it names, as far as they stand there literally. The result is
// never whole, so Inspected and Pure are not set.
func Read(lang, text string, host inline.Host) inline.Result {
	if len(text) > maxLexText {
		return inline.Result{}
	}
	x := &lexical{host: host, lang: lang, text: text, style: styleOf(lang), names: lexRoles(), m: marks(lang, text), used: map[int]bool{}}
	for i := range x.m {
		if x.m[i].k == syntax.TokIdent {
			r := x.role(i)
			x.runs = x.runs || r&roleRuns != 0
			x.print = x.print || r&rolePrints != 0
		}
	}
	for i := range x.m {
		if x.m[i].k == syntax.TokIdent && !x.used[i] && x.role(i)&roleRuns != 0 && (!isShell(lang) || x.op(i+1, "(")) {
			x.call(i)
		}
	}
	if lang == "puppet" {
		x.puppet()
	}
	if isShell(lang) {
		x.script(text)
	}
	x.special(text)
	x.paths()
	x.connected()
	return x.res
}

// role is what the name at mark i does.
func (x *lexical) role(i int) lexRole {
	name := lastName(x.m[i].s)
	if own := lexOwn(x.lang, name); own != roleUnset {
		return own
	}
	return x.names[name]
}

func (x *lexical) at(i int) mark {
	if i >= 0 && i < len(x.m) {
		return x.m[i]
	}
	return mark{}
}

func (x *lexical) op(i int, s string) bool { return x.at(i).k == syntax.TokOp && x.at(i).s == s }

// value is the text of a quoted mark, with holes for the code in it.
func (x *lexical) value(k mark) value.Value {
	if k.parts == nil {
		return value.Lit(k.s)
	}
	var b value.Builder
	for _, p := range k.parts {
		if p.Code {
			b.Add(expression())
		} else {
			b.WriteString(p.Lit)
		}
	}
	return b.Value()
}

// call reports what the name at mark i runs.
func (x *lexical) call(i int) {
	role := x.role(i)
	args, end := x.arguments(i)
	if x.style.bare && role&roleShell != 0 && x.op(i+1, "{") && x.at(i+2).k == syntax.TokIdent { // \write18{ls -l}
		args = []value.Value{value.Lit(strings.TrimSpace(x.text[x.at(i+2).pos:x.at(end-1).pos]))}
	}
	args = x.reordered(i, args)
	if len(args) == 0 {
		return
	}
	first := args[0].Prefix()
	if first == "" || strings.HasPrefix(first, "-") {
		x.given = x.given || !args[0].IsKnown()
		return
	}
	var ok bool
	switch {
	case role&roleWords != 0 || role&roleEither != 0 && (len(args) > 1 || x.lang == "expect"):
		ok = x.argv(args)
	default:
		ok = x.shell(args[0])
	}
	if ok {
		for j := i; j < end; j++ {
			x.used[j] = true
		}
	}
}

// argv reports words; a command line in one of them is one for a shell.
func (x *lexical) argv(args []value.Value) bool {
	name, known := args[0].Known()
	if !known && strings.ContainsAny(args[0].Prefix(), " ") || known && strings.ContainsAny(name, " \n") && !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "~") {
		return x.shell(args[0])
	}
	if known && len(args) == 1 && strings.ContainsAny(name, " \n") {
		return x.shell(args[0])
	}
	if !known {
		return false
	}
	return x.run(catalog.Run{Kind: catalog.RunArgv, Argv: args})
}

func (x *lexical) shell(line value.Value) bool {
	if strings.TrimSpace(line.Prefix()) == "" {
		x.given = x.given || !line.IsKnown()
		return false
	}
	return x.run(catalog.Run{Kind: catalog.RunShell, Text: line, Lang: "sh"})
}

func (x *lexical) run(r catalog.Run) bool {
	if words := r.Argv; r.Kind == catalog.RunArgv && readsCommands(words) {
		x.given = true
	}
	for i := range x.res.Runs {
		if inline.SameRun(&x.res.Runs[i], &r) {
			return true
		}
	}
	if len(x.res.Runs) < maxLexFound {
		x.res.Runs = append(x.res.Runs, r)
	}
	return true
}

// readsCommands reports whether words start a shell that reads what it runs.
func readsCommands(words []value.Value) bool {
	name, _ := words[0].Known()
	if !shellname.Is(name[strings.LastIndexByte(name, '/')+1:]) {
		return false
	}
	return !slices.ContainsFunc(words[1:], func(w value.Value) bool { return w.Prefix() != "-i" && w.Prefix() != "-l" })
}

// connected tells of a program that connects to another machine and runs what
// is only known there: commands come from that machine.
func (x *lexical) connected() {
	if !x.given {
		return
	}
	for i, k := range x.m {
		if k.k != syntax.TokIdent || x.names[lastName(k.s)]&roleConnects == 0 {
			continue
		}
		args, _ := x.arguments(i)
		for _, a := range args {
			if host, known := a.Known(); known && host != "" && !strings.ContainsAny(host, "/ \n") && strings.ContainsAny(host, ".:") {
				x.res.Effects = append(x.res.Effects, catalog.Effect{Verb: risk.ExecRemote, Kind: risk.KindReverseShell, Target: a})
				return
			}
		}
	}
}

// arguments collects what stands behind the name at mark i: in brackets, or up
// to the end of the statement. It returns where they end.
func (x *lexical) arguments(i int) (args []value.Value, end int) {
	j := i + 1
	name := lastName(x.m[i].s)
	for n := 0; n < 6 && (name == "process" || name == "command") && (x.op(j, ":") || x.op(j, ".") || x.at(j).k == syntax.TokIdent && chained(x.at(j).s)); n++ {
		j++
	}
	for x.op(j, "!") || x.lang == "julia" && x.op(j, ".") {
		j++
	}
	inBrackets := x.op(j, "(") || x.op(j, "{") && x.style.bare
	if inBrackets {
		j++
	} else if k := x.at(j); k.k != syntax.TokStr && !(k.k == syntax.TokIdent && x.style.bare) && !x.op(j, "[") && x.at(i-1).s != "(" && !(x.op(j, "{") && x.lang == "puppet") {
		return nil, j
	}
	args, j = x.collect(j, inBrackets)
	for inBrackets && x.op(j, ".") && chainedArgs(x.at(j+1).s) && x.op(j+2, "(") { // .arg("-c").args(["id"])
		var more []value.Value
		more, j = x.collect(j+3, true)
		args = append(args, more...)
	}
	return args, j
}

// chained: members that lead to the call of a class that runs programs.
func chained(s string) bool {
	switch s {
	case "new", "start", "run", "runSync", "Start", "Run":
		return true
	}
	return false
}

func chainedArgs(s string) bool {
	switch s {
	case "arg", "args", "command", "add", "addAll":
		return true
	}
	return false
}

// reordered puts the arguments of functions that take more than a command in
// its order (exec(3); Emacs Lisp manual, "Creating Asynchronous Processes").
func (x *lexical) reordered(i int, args []value.Value) []value.Value {
	drop := func(i int) {
		if i < len(args) {
			args = append(append([]value.Value{}, args[:i]...), args[i+1:]...)
		}
	}
	known := func(i int) bool { return i < len(args) && args[i].IsKnown() }
	switch lastName(x.m[i].s) {
	case "execl", "execlp", "execle", "spawnlp", "spawnl":
		drop(1)
	case "execv", "execvp", "execve", "execvpe", "posix_spawn", "posix_spawnp":
		if known(0) && known(1) {
			drop(1)
		}
	case "exec":
		if x.lang == "go" {
			drop(1)
		}
	case "start-process":
		drop(0)
		if x.at(i+2).s != "nil" { // the buffer
			drop(0)
		}
	case "commandcontext":
		if len(args) > 0 && !known(0) {
			drop(0)
		}
	case "subprocess", "make-process":
		for len(args) > 1 && !strings.HasPrefix(args[0].Prefix(), "/") {
			drop(0)
		}
	}
	return args
}

// special reports what a language runs by signs of its own.
func (x *lexical) special(text string) {
	signs := []string{"%pipe%"}
	if x.lang == "tex" || x.lang == "other" || x.lang == "gnuplot" {
		signs = append(signs, "|")
	}
	for _, sign := range signs {
		for rest := text; len(x.res.Runs) < maxLexFound; {
			before, after, ok := strings.Cut(rest, sign)
			if !ok {
				break
			}
			rest = after
			x.piped(before, after[:min(len(after), maxLexLine)], sign == "%pipe%")
		}
	}
	for i, k := range x.m {
		shell := shellPath(k.s)
		switch {
		case k.k == syntax.TokStr && k.quote == '`' && (x.lang == "julia" || x.lang == "crystal" || x.lang == "gnuplot") && !x.used[i]:
			x.shell(x.value(k))
		case k.k == syntax.TokIdent && x.style.bare && k.nl && (k.s == ".sy" || k.s == ".pso"):
			x.shell(value.Lit(x.line(i + 1)))
		case shell && x.runs && !x.used[i] && x.lang != "puppet" && (k.k == syntax.TokStr || x.style.bare):
			x.used[i] = true
			x.run(catalog.Run{Kind: catalog.RunArgv, Argv: []value.Value{value.Lit(k.s)}})
		case k.k == syntax.TokStr && x.op(i+1, ".") && x.at(i+2).s == "execute" || k.k == syntax.TokStr && x.lang == "scala" && x.op(i+1, ".") && x.op(i+2, "!"):
			x.shell(x.value(k))
		}
	}
}

// piped reports the command behind a sign for a pipe, which stands in quoted
// text ("|id", "<id|", (%pipe%id)) or before one (| "id").
func (x *lexical) piped(before, after string, always bool) {
	if line, ok := strings.CutPrefix(after, `"`); ok && !always {
		if line, _, ok = strings.Cut(line, `"`); ok {
			x.shell(value.Lit(line))
		}
		return
	}
	end := strings.IndexAny(after, ")\"'\n")
	if end > 0 && (always || strings.HasSuffix(before, `"`) || strings.HasSuffix(before, `'`)) {
		x.shell(value.Lit(after[:end]))
	}
}

// line is the rest of a line, from mark i on.
func (x *lexical) line(i int) string {
	var b strings.Builder
	for n := i; n < len(x.m) && n < i+maxLexArgs && !x.m[n].nl; n++ {
		if x.m[n].sp && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(x.m[n].s)
	}
	return b.String()
}

// shellPath reports whether s is the absolute path of a shell.
func shellPath(s string) bool {
	if !strings.HasPrefix(s, "/") || len(s) > 40 {
		return false
	}
	return shellname.Is(s[strings.LastIndexByte(s, '/')+1:]) && strings.Contains(s, "bin/")
}
