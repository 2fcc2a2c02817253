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
		return "children current exists export import parent qualifiers tail which delete forget origin path upvar"
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

func (s *scan) tcl(text string, depth int) {
	if depth > syntax.MaxEval {
		s.notSeen()
		return
	}
	for _, cmd := range tclCommands(text) {
		if s.steps++; s.steps > syntax.MaxEvalSteps {
			s.notSeen()
			return
		}
		s.tclCommand(cmd, depth)
	}
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
			s.tcl(t[i+1:j], depth+1)
			vs = append(vs, dull())
			i = min(j+1, len(t))
		default:
			b.WriteByte(c)
			i++
		}
	}
	flush()
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
	return unknown()
}

func (s *scan) tclCommand(cmd []tclWord, depth int) {
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
		} else {
			mode, _ := c.arg(1).known()
			s.open(c.arg(0), mode)
		}
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
		s.tclText(rest, depth)
	case "cd":
		chdir(0)(s, c)
	case "source", "load", "interp", "rename", "fileevent", "trace":
		s.notSeen()
	case "set":
		v, ok := c.arg(0).known()
		switch of := strings.TrimPrefix(v, "::"); {
		case strings.HasPrefix(of, "env(") && len(rest) > 1, !ok: // what it starts gets it
			s.notSeen()
		case strings.HasPrefix(of, "env("):
			s.reveal(s.tclLookup(of), true)
		case len(rest) > 1:
			s.set(of, rest[1])
		}
	case "puts":
		s.reveal(c.arg(len(rest)-1), true)
		s.wroteAny = s.wroteAny || len(rest) > 1
	case "foreach":
		s.tclForeach(cmd, args, depth)
	case "lsort", "regsub":
		if slices.ContainsFunc(rest, func(v val) bool { t, ok := v.known(); return !ok || strings.HasPrefix(t, "-c") }) {
			s.notSeen()
		}
	case "dict", "namespace", "package", "chan", "array", "upvar", "parray":
		s.tclEnsemble(name, c, depth)
	default:
		s.tclControl(cmd, args, name, depth)
	}
}

// tclText runs words that are joined to a script.
func (s *scan) tclText(words []val, depth int) {
	if t, ok := joinTexts(str(" "), val{k: vList, list: words}).known(); ok {
		s.tcl(t, depth+1)
	} else {
		s.notSeen()
	}
}

// tclEnsemble follows the subcommands that take a script, or hand out variables.
func (s *scan) tclEnsemble(name string, c *call, depth int) {
	what, _ := c.arg(0).known()
	of, known := c.arg(1).known()
	switch {
	case name == "parray":
		if strings.TrimPrefix(what, "::") == "env" {
			s.reveal(s.environment(""), true)
		}
	case name == "upvar", name == "array" && (what == "get" || what == "set"):
		if !known || strings.TrimPrefix(of, "::") == "env" {
			s.reveal(s.environment(""), true)
			if what == "set" {
				s.notSeen()
			}
		}
	case name == "namespace" && what == "eval" && len(c.args) > 2:
		s.tclText(c.args[2:], depth)
	case name == "package" && what == "require" && inline.Words(tclPackages)[of]:
	case name == "chan" && what == "puts":
		s.reveal(c.arg(len(c.args)-1), true)
		s.wroteAny = s.wroteAny || len(c.args) > 2
	case !inline.Words(tclParts(name))[what]:
		s.notSeen()
	}
}

// tclControl follows the scripts in control structures.
func (s *scan) tclControl(cmd []tclWord, args []val, name string, depth int) {
	switch name {
	case "if", "while", "for", "proc", "catch", "switch", "try":
		s.cond++
		for i, w := range cmd[1:] {
			switch t, known := args[i+1].known(); {
			case w.raw && strings.ContainsAny(strings.TrimSpace(w.s), " \t\n;"):
				s.tclBlock(w.s, depth)
			case w.raw:
			case !known: // what it is worth is evaluated once more
				s.notSeen()
			case strings.ContainsAny(t, " \t\n;["):
				s.tclBlock(t, depth)
			}
		}
		s.cond--
	case "expr":
		for i, w := range cmd[1:] {
			t, known := args[i+1].known()
			if !w.raw && !known {
				s.notSeen()
			}
			if strings.Contains(t, "[") {
				s.tclValue(tclWord{s: t}, depth)
			}
		}
	default:
		if name == "error" || name == "exit" || name == "throw" || name == "incr" { // their messages hold it
			for _, a := range args[1:] {
				s.reveal(a, true)
			}
		}
		if !s.t.harmless[name] {
			s.notSeen()
		}
	}
}

// tclForeach binds a variable to any element of a list.
func (s *scan) tclForeach(cmd []tclWord, args []val, depth int) {
	if len(cmd) < 4 {
		s.notSeen()
		return
	}
	elem := dull()
	if list, ok := args[2].known(); ok && cmd[2].raw {
		var items []val
		for w := range strings.FieldsSeq(list) {
			items = append(items, str(w))
		}
		elem = joined(items)
	} else if args[2].k == vUnknown || args[2].k == vStr {
		elem = unknown()
	}
	s.cond++
	s.vars[cmd[1].s] = elem
	s.tcl(cmd[len(cmd)-1].s, depth+1)
	s.cond--
}

// tclBlock scans a braced word that is a script, or an expression with
// commands in it.
func (s *scan) tclBlock(t string, depth int) {
	first := strings.TrimSpace(t)
	if first == "" || strings.IndexByte("$[\"!(0123456789", first[0]) >= 0 {
		s.tclValue(tclWord{s: t}, depth)
		return
	}
	s.tcl(t, depth+1)
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
