package eval

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/syntax"
	"github.com/heedsh/heed/risk"
)

// tclHarmless are commands that only compute, whatever their words (Tcl manual
// pages).
const tclHarmless = `incr list lindex llength lappend lrange lreplace lsearch string format scan split join append info clock concat regexp return break continue error exit global variable unset pid encoding binary lassign linsert lrepeat lreverse eof flush close fconfigure gets read pwd fblocked seek tell throw update`

// tclParts are the subcommands of an ensemble that only compute (dict(n), namespace(n),
// package(n), chan(n), array(n)).
func tclParts(ensemble string) string {
	switch ensemble {
	case "dict":
		return "append create exists get getdef getwithdefault incr info keys lappend merge remove replace set size unset values"
	case "namespace":
		return "children current exists export import parent qualifiers tail which delete forget origin path"
	case "package":
		return "names present provide vcompare versions vsatisfies prefer"
	case "chan":
		return "blocked close configure eof flush gets names pending read seek tell"
	case "array":
		return "anymore donesearch exists names nextelement size startsearch statistics unset"
	}
	return ""
}

// tclPackages come with Tcl and Expect, so that requiring one finds no file of a project.
const tclPackages = "Tcl Expect msgcat tcltest platform"

// tclScript scans Tcl: commands of words (Tcl manual, "Tcl").
func (s *scan) tclScript(text string) { s.tcl(text, 0) }

// tcl runs a script; its value is that of its last command (Tcl manual, rule 7).
func (s *scan) tcl(text string, depth int) val {
	last := dull()
	if depth > syntax.MaxEval {
		s.notSeen()
		return last
	}
	for _, cmd := range tclCommands(text) {
		if s.steps++; s.steps > syntax.MaxEvalSteps {
			s.notSeen()
			return last
		}
		last = s.tclCommand(cmd, depth)
	}
	return last
}

// A tclWord is one word; raw if it was in braces.
type tclWord struct {
	s   string
	raw bool
}

// tclCommands cuts a script into commands and words.
func tclCommands(text string) [][]tclWord {
	var out [][]tclWord
	var cmd []tclWord
	end := func() {
		if len(cmd) > 0 {
			out = append(out, cmd)
		}
		cmd = nil
	}
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
		case c == '\n' || c == ';':
			end()
			i++
		case c == '\\' && i+1 < len(text) && text[i+1] == '\n':
			i += 2
		case c == '#' && len(cmd) == 0:
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case c == '{':
			j := tclBrace(text, i+1)
			cmd = append(cmd, tclWord{s: text[i+1 : j], raw: true})
			i = min(j+1, len(text))
		default:
			j := tclBare(text, i)
			cmd = append(cmd, tclWord{s: text[i:j]})
			i = max(j, i+1)
		}
	}
	end()
	return out
}

// tclBrace finds the brace that closes the one before i.
func tclBrace(t string, i int) int {
	for depth := 0; i < len(t); i++ {
		switch t[i] {
		case '\\':
			i++
		case '{':
			depth++
		case '}':
			if depth == 0 {
				return i
			}
			depth--
		}
	}
	return len(t)
}

// tclBare finds the end of a word with substitutions.
func tclBare(t string, i int) int {
	quoted := t[i] == '"'
	if quoted {
		i++
	}
	for depth := 0; i < len(t); i++ {
		switch c := t[i]; {
		case c == '\\':
			i++
		case c == '[':
			depth++
		case c == ']':
			depth = max(depth-1, 0)
		case depth > 0:
		case quoted && c == '"':
			return i + 1
		case !quoted && (c == ' ' || c == '\t' || c == '\n' || c == ';'):
			return i
		}
	}
	return min(i, len(t))
}

// tclValue substitutes in a word.
func (s *scan) tclValue(w tclWord, depth int) val {
	if w.raw {
		return str(w.s)
	}
	t := w.s
	if len(t) > 1 && t[0] == '"' && t[len(t)-1] == '"' {
		t = t[1 : len(t)-1]
	}
	var vs []val
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			vs = append(vs, str(b.String()))
			b.Reset()
		}
	}
	for i := 0; i < len(t); {
		switch c := t[i]; {
		case c == '\\' && i+1 < len(t):
			i += syntax.DecodeEscape("tcl", t[i:], &b)
		case c == '$' && i+1 < len(t):
			name, n := tclVariable(t[i+1:])
			if n == 0 {
				b.WriteByte(c)
				i++
				continue
			}
			flush()
			vs = append(vs, s.tclLookup(name))
			i += 1 + n
		case c == '[':
			j := syntax.Balanced(t, i+1, '[', ']')
			flush()
			vs = append(vs, s.tcl(t[i+1:j], depth+1))
			i = min(j+1, len(t))
		default:
			b.WriteByte(c)
			i++
		}
	}
	flush()
	if len(vs) == 1 {
		return vs[0]
	}
	return concat(vs...)
}

// tclVariable reads what stands behind a dollar sign: a name, with namespaces and
// the index of an array, or a name in braces (Tcl manual, rule 8). It returns the name and its
// length in the text, 0 where there is none.
func tclVariable(t string) (name string, length int) {
	if t[0] == '{' {
		end := strings.IndexByte(t, '}')
		return t[1:max(end, 1)], end + 1
	}
	n := 0
	for n < len(t) && (syntax.IsIdent(t[n]) || strings.HasPrefix(t[n:], "::") || n > 0 && t[n] == ':' && t[n-1] == ':') {
		n++
	}
	if n > 0 && n < len(t) && t[n] == '(' {
		n = min(syntax.Balanced(t, n+1, '(', ')')+1, len(t))
	}
	return t[:n], n
}

// tclLookup is the value of a variable; env is the environment (tclvars(n)).
func (s *scan) tclLookup(name string) val {
	name = strings.TrimPrefix(name, "::")
	if index, ok := strings.CutPrefix(name, "env("); ok {
		index = strings.TrimSuffix(index, ")")
		if strings.ContainsAny(index, "$[") {
			index = ""
		}
		return s.environment(index)
	}
	if v, ok := s.vars[name]; ok {
		return v
	}
	if array, _, ok := strings.Cut(name, "("); ok {
		if v, ok := s.vars[array]; ok {
			return element(v)
		}
	}
	return unknown()
}

// tclCommand runs a command and returns its value.
func (s *scan) tclCommand(cmd []tclWord, depth int) val {
	args := make([]val, len(cmd))
	for i, w := range cmd {
		args[i] = s.tclValue(w, depth)
	}
	name, _ := args[0].known()
	rest := args[1:]
	c := &call{args: rest, kw: map[string]val{}}
	switch name {
	case "exec":
		s.tclExec(rest)
	case "open":
		if v := c.arg(0).value(); strings.HasPrefix(v.Prefix(), "|") {
			s.shellText(text(v.Cut(1)))
			break
		}
		mode, _ := c.arg(1).known()
		return s.open(c.arg(0), mode)
	case "file":
		s.tclFile(c)
	case "glob":
		listing(s, &call{})
	case "socket":
		if a, _ := c.arg(0).known(); a == "-server" {
			listen(2)(s, c)
		} else {
			connect(0, 1)(s, c)
		}
	case "eval", "uplevel", "subst", "after":
		if name == "after" && len(rest) > 0 {
			rest = rest[1:]
		}
		return s.tclText(rest, depth)
	case "cd":
		chdir(0)(s, c)
	case "source", "load", "interp", "rename", "fileevent", "trace":
		s.notSeen()
	case "set":
		return s.tclSet(rest)
	case "puts":
		s.tclPuts(rest)
	case "foreach":
		s.tclForeach(cmd, args, depth)
	case "lsort", "regsub":
		behind := 1 // the list; expression, text and replacement
		if name == "regsub" {
			behind = 3
		}
		if slices.ContainsFunc(rest[:max(len(rest)-behind, 0)], func(v val) bool { t, ok := v.known(); return !ok || strings.HasPrefix(t, "-c") }) {
			s.notSeen()
		}
		return s.tclResult(name, rest)
	case "dict", "namespace", "package", "chan", "array", "upvar", "parray":
		return s.tclEnsemble(name, c, depth)
	default:
		return s.tclControl(cmd, args, name, depth)
	}
	return dull()
}

// tclSet gives a variable a value, or returns the one that it has.
func (s *scan) tclSet(words []val) val {
	if len(words) == 0 {
		return dull()
	}
	name, ok := words[0].known()
	name = strings.TrimPrefix(name, "::")
	switch {
	case !ok, strings.HasPrefix(name, "env(") && len(words) > 1: // what it starts gets it
		s.notSeen()
	case len(words) > 1:
		if array, _, ok := strings.Cut(name, "("); ok {
			s.set(array, derived(words[1], s.vars[array]))
		}
		s.set(name, words[1])
		return words[1]
	default:
		return s.tclLookup(name)
	}
	return dull()
}

// tclPuts writes its last word to the channel before it, or shows it.
func (s *scan) tclPuts(words []val) {
	if len(words) == 0 {
		return
	}
	last := words[len(words)-1]
	if len(words) > 1 && words[len(words)-2].k == vObj && words[len(words)-2].eff > 0 {
		s.writeTo(words[len(words)-2], words[len(words)-1:])
		return
	}
	s.reveal(last, true)
	s.wroteAny = s.wroteAny || len(words) > 1
}

// tclCounts are commands whose value tells of their words no more than a number, a name
// or whether something is so; an ensemble with its subcommands behind dots.
const tclCounts = `llength lsearch clock info eof pid pwd close flush fconfigure fblocked seek tell update exit variable global unset
	string.length string.compare string.equal string.first string.last string.is string.match string.bytelength
	array.names array.exists array.size dict.exists dict.size`

// tclResult is the value of a command that only computes: it is made of its words, and
// of the variables that it changes by their names. A word that may be the name of a variable
// names one that may hold the same afterwards (regexp, lassign, scan).
func (s *scan) tclResult(name string, words []val) val {
	what := ""
	if len(words) > 0 {
		what, _ = words[0].known()
	}
	if counts := inline.Words(tclCounts); counts[name] || counts[name+"."+what] {
		return dull()
	}
	out := derived(words...)
	out.dull = true
	switch name {
	case "append", "lappend", "incr":
		out = out.with(s.tclLookup(what))
	case "dict":
		if len(words) > 1 && inline.Words("append incr lappend set unset")[what] {
			of, _ := words[1].known()
			out = out.with(s.tclLookup(of))
		}
	}
	if !out.env && len(out.src) == 0 {
		return out
	}
	for _, w := range words {
		if v, ok := w.known(); ok && v != "" && v != what && !strings.ContainsFunc(v, func(r rune) bool { return r >= 0x80 || !syntax.IsIdent(byte(r)) }) {
			s.set(v, out)
		}
	}
	if inline.Words("append lappend incr gets read")[name] && len(words) > 0 && what != "" {
		s.set(what, out)
	}
	if name == "regexp" && !slices.ContainsFunc(words, func(v val) bool { t, _ := v.known(); return t == "-inline" }) {
		return dull()
	}
	return out
}

// tclText runs words that are joined to a script.
func (s *scan) tclText(words []val, depth int) val {
	if t, ok := joinTexts(str(" "), val{k: vList, list: words}).known(); ok {
		return s.tcl(t, depth+1)
	}
	s.notSeen()
	return dull()
}

// tclNames reports whether one of the words names the environment, or may.
func tclNames(words []val) bool {
	return slices.ContainsFunc(words, func(v val) bool {
		name, known := v.known()
		return !known || strings.TrimPrefix(name, "::") == "env"
	})
}

// tclEnsemble follows the subcommands that take a script, or hand out variables.
func (s *scan) tclEnsemble(name string, c *call, depth int) val {
	what, _ := c.arg(0).known()
	of, _ := c.arg(1).known()
	switch {
	case name == "parray":
		s.reveal(s.vars[what], true)
		if len(c.args) > 0 && tclNames(c.args[:1]) {
			s.reveal(s.environment(""), true)
		}
	case name == "upvar", name == "namespace" && what == "upvar": // under the other name nothing is known of it
		if tclNames(c.args) {
			s.reveal(s.environment(""), true)
		}
	case name == "array" && what == "get":
		if len(c.args) > 1 && tclNames(c.args[1:2]) {
			return s.environment("")
		}
		return s.tclLookup(of)
	case name == "array" && what == "set":
		if len(c.args) > 1 && tclNames(c.args[1:2]) {
			s.notSeen() // what it starts gets it
		}
		s.set(of, derived(c.args...))
	case name == "namespace" && what == "eval" && len(c.args) > 2:
		return s.tclText(c.args[2:], depth)
	case name == "package" && what == "require" && inline.Words(tclPackages)[of]:
	case name == "chan" && what == "puts":
		s.tclPuts(c.args[1:])
	case !inline.Words(tclParts(name))[what]:
		s.notSeen()
	default:
		return s.tclResult(name, c.args)
	}
	return dull()
}

// tclControl follows the scripts in control structures.
func (s *scan) tclControl(cmd []tclWord, args []val, name string, depth int) val {
	switch name {
	case "if", "while", "for", "proc", "catch", "switch", "try":
		var results []val
		s.cond++
		for i, w := range cmd[1:] {
			switch t, known := args[i+1].known(); {
			case w.raw && strings.ContainsAny(strings.TrimSpace(w.s), " \t\n;"):
				results = append(results, s.tclBlock(w.s, depth))
			case w.raw:
			case !known: // what it is worth is evaluated once more
				s.notSeen()
			case strings.ContainsAny(t, " \t\n;["):
				results = append(results, s.tclBlock(t, depth))
			}
		}
		s.cond--
		out := derived(results...)
		if name == "catch" && len(cmd) > 2 { // its variable gets the result, or the message
			s.set(cmd[2].s, out)
			return dull()
		}
		out.dull = true
		return out
	case "expr":
		var parts []val
		for i, w := range cmd[1:] {
			if t, known := args[i+1].known(); known && strings.ContainsAny(t, "[$") {
				parts = append(parts, s.tclValue(tclWord{s: t}, depth))
			} else if !w.raw && !known {
				s.notSeen()
			}
		}
		out := derived(append(parts, args[1:]...)...)
		out.dull = true
		return out
	}
	if name == "error" || name == "exit" || name == "throw" || name == "incr" { // their messages hold it
		for _, a := range args[1:] {
			s.reveal(a, true)
		}
	}
	if !s.t.harmless[name] {
		s.notSeen()
	}
	return s.tclResult(name, args[1:])
}

// tclForeach binds variables to any element of the lists beside them (foreach(n)).
func (s *scan) tclForeach(cmd []tclWord, args []val, depth int) {
	if len(cmd) < 4 {
		s.notSeen()
		return
	}
	s.cond++
	for i := 1; i+1 < len(cmd)-1; i += 2 {
		elem := dull()
		if list, ok := args[i+1].known(); ok && cmd[i+1].raw {
			var items []val
			for w := range strings.FieldsSeq(list) {
				items = append(items, str(w))
			}
			elem = joined(items)
		} else if args[i+1].k == vUnknown || args[i+1].k == vStr {
			elem = unknown().with(args[i+1])
		}
		for name := range strings.FieldsSeq(cmd[i].s) {
			s.vars[name] = elem
		}
	}
	s.tcl(cmd[len(cmd)-1].s, depth+1)
	s.cond--
}

// tclBlock scans a braced word that is a script, or an expression with
// commands in it.
func (s *scan) tclBlock(t string, depth int) val {
	first := strings.TrimSpace(t)
	if first == "" || strings.IndexByte("$[\"!(0123456789", first[0]) >= 0 {
		s.tclValue(tclWord{s: t}, depth)
		return dull()
	}
	return s.tcl(t, depth+1)
}

func (s *scan) tclExec(words []val) {
	for len(words) > 0 {
		w, ok := words[0].known()
		if !ok || !strings.HasPrefix(w, "-") {
			break
		}
		words = words[1:]
	}
	var plain []val
	for _, w := range words {
		t, _ := w.known()
		if t == "|" || strings.HasPrefix(t, ">") || strings.HasPrefix(t, "<") || strings.HasPrefix(t, "2>") || t == "&" {
			s.shellText(joinTexts(str(" "), val{k: vList, list: words}))
			return
		}
		plain = append(plain, w)
	}
	s.argv(plain)
}

func (s *scan) tclFile(c *call) {
	what, _ := c.arg(0).known()
	rest := c.args[min(1, len(c.args)):]
	force := false
	for len(rest) > 0 {
		w, ok := rest[0].known()
		if !ok || !strings.HasPrefix(w, "-") {
			break
		}
		force = force || w == "-force"
		rest = rest[1:]
	}
	sub := &call{args: rest}
	switch what {
	case "delete":
		for _, v := range rest {
			s.effect(catalog.Effect{Verb: risk.FSDelete, Target: v.value(), Recursive: force, Forced: force})
		}
	case "mkdir":
		mkdir()(s, sub)
	case "rename":
		moveFile(0, 1)(s, sub)
	case "copy":
		copyFile(0, 1, true)(s, sub)
	case "attributes":
		s.effect(catalog.Effect{Verb: risk.FSAttr, Target: sub.arg(0).value(), Kind: risk.KindMode})
	case "link":
		s.effect(catalog.Effect{Verb: risk.FSCreate, Target: sub.arg(0).value(), Link: sub.arg(1).value(), HasLink: true})
	case "mtime", "atime":
		if len(rest) > 1 {
			s.effect(catalog.Effect{Verb: risk.FSAttr, Target: sub.arg(0).value(), Kind: risk.KindTimes})
		}
	case "exists", "isfile", "isdirectory", "size", "tail", "dirname", "extension", "join", "rootname", "normalize", "readable", "writable", "executable", "type", "stat", "nativename", "split", "pathtype":
	default:
		s.notSeen()
	}
}
