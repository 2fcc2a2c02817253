package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// tclHarmless are commands that only compute (Tcl manual pages).
const tclHarmless = `puts set incr expr_ list lindex llength lappend lrange lsort lreplace lsearch string format scan split join append array dict info clock concat regexp regsub return break continue error exit global variable upvar foreach for while if proc switch catch unset package namespace pid encoding binary after update lassign linsert lrepeat lreverse eof flush close fconfigure gets read pwd fblocked seek tell try throw incr chan`

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
			n := syntax.IdentLen(t[i+1:])
			if n == 0 {
				b.WriteByte(c)
				i++
				continue
			}
			flush()
			v, ok := s.vars[t[i+1:i+1+n]]
			if !ok {
				v = unknown()
			}
			vs = append(vs, v)
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
	case "eval", "uplevel", "subst":
		if t, ok := joinTexts(str(" "), val{k: vList, list: rest}).known(); ok {
			s.tcl(t, depth+1)
		} else {
			s.notSeen()
		}
	case "cd":
		chdir(0)(s, c)
	case "source", "load", "interp", "rename", "fileevent", "trace":
		s.notSeen()
	case "set":
		if v, ok := c.arg(0).known(); ok && len(rest) > 1 {
			s.set(v, rest[1])
		}
	case "puts":
		s.reveal(c.arg(len(rest)-1), true)
		s.wroteAny = s.wroteAny || len(rest) > 1
	case "foreach":
		s.tclForeach(cmd, args, depth)
	default:
		s.tclControl(cmd, name, depth)
	}
}

// tclControl follows the scripts in control structures.
func (s *scan) tclControl(cmd []tclWord, name string, depth int) {
	switch name {
	case "if", "while", "for", "proc", "catch", "switch", "try", "after":
		s.cond++
		for _, w := range cmd[1:] {
			if w.raw && strings.TrimSpace(w.s) != "" && strings.ContainsAny(w.s, " \n") {
				s.tclBlock(w.s, depth)
			}
		}
		s.cond--
	case "expr":
		for _, w := range cmd[1:] {
			if strings.Contains(w.s, "[") {
				s.tclValue(tclWord{s: w.s}, depth)
			}
		}
	default:
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
	case "exists", "isfile", "isdirectory", "size", "mtime", "tail", "dirname", "extension", "join", "rootname", "normalize", "readable", "writable", "executable", "type", "stat", "nativename", "split", "pathtype":
	default:
		s.notSeen()
	}
}
