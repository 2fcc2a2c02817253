package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// A scriptWord is a word, or text in quotes, of AppleScript.
type scriptWord struct {
	s      string
	quoted bool
}

// appleScript scans AppleScript line by line (AppleScript Language Guide).
// It understands "do shell script", assignments of text, and what merely
// shows something; the rest is not inspected.
func (s *scan) appleScript(text string) {
	for _, line := range appleLines(text) {
		s.appleLine(line)
	}
}

// appleLines cuts text into lines of words without comments.
func appleLines(t string) [][]scriptWord {
	var out [][]scriptWord
	var line []scriptWord
	for i := 0; i < len(t); {
		c := t[i]
		switch {
		case c == '\n' || c == '\r':
			if len(line) > 0 {
				out = append(out, line)
			}
			line = nil
			i++
		case c == ' ' || c == '\t':
			i++
		case c == '#' || strings.HasPrefix(t[i:], "--"):
			for i < len(t) && t[i] != '\n' {
				i++
			}
		case strings.HasPrefix(t[i:], "(*"):
			n := strings.Index(t[i:], "*)")
			if n < 0 {
				n = len(t) - i - 2
			}
			i += n + 2
		case strings.HasPrefix(t[i:], "¬"):
			i += len("¬")
			for i < len(t) && (t[i] == '\n' || t[i] == ' ') {
				i++
			}
		case c == '"':
			l := &syntax.Lexer{Lang: "applescript", Text: t, At: i + 1}
			var b strings.Builder
			for _, p := range l.Quoted(0, `"`, syntax.EscFull, 0) {
				b.WriteString(p.Lit)
			}
			line = append(line, scriptWord{b.String(), true})
			i = l.At
		case syntax.IsIdent(c):
			n := i
			for n < len(t) && syntax.IsIdent(t[n]) {
				n++
			}
			line = append(line, scriptWord{s: strings.ToLower(t[i:n])})
			i = n
		default:
			line = append(line, scriptWord{s: t[i : i+1]})
			i++
		}
	}
	if len(line) > 0 {
		out = append(out, line)
	}
	return out
}

// appleText evaluates "a" & b & "c" and returns how many words it took.
func (s *scan) appleText(w []scriptWord) (val, int) {
	var vs []val
	i := 0
	for i < len(w) {
		switch {
		case w[i].quoted:
			vs = append(vs, str(w[i].s))
			i++
		case w[i].s == "(" || w[i].s == ")":
			i++
			continue
		case i+3 < len(w) && w[i].s == "quoted" && w[i+1].s == "form" && w[i+2].s == "of":
			i += 3
			continue
		default:
			v, ok := s.vars[w[i].s]
			if !ok {
				v = unknown()
			}
			vs = append(vs, v)
			i++
		}
		for i < len(w) && w[i].s == ")" && !w[i].quoted {
			i++
		}
		if i >= len(w) || w[i].quoted || w[i].s != "&" {
			break
		}
		i++
	}
	return concat(vs...), i
}

func (s *scan) appleLine(w []scriptWord) {
	has := func(words ...string) int {
		for i := 0; i+len(words) <= len(w); i++ {
			match := true
			for j, x := range words {
				match = match && !w[i+j].quoted && w[i+j].s == x
			}
			if match {
				return i
			}
		}
		return -1
	}
	if i := has("do", "shell", "script"); i >= 0 {
		v, _ := s.appleText(w[i+3:])
		run := catalog.Run{Kind: catalog.RunShell, Text: v.value(), Lang: "sh"}
		if has("administrator", "privileges") >= 0 {
			run.Wrap = catalog.Wrapped{Privileged: true, Label: "osascript"}
		}
		s.run(run)
		return
	}
	if i := has("do", "script"); i >= 0 {
		v, _ := s.appleText(w[i+2:])
		s.run(catalog.Run{Kind: catalog.RunShell, Text: v.value(), Lang: "sh"})
		return
	}
	if i := has("run", "script"); i >= 0 {
		v, _ := s.appleText(w[i+2:])
		if t, ok := v.known(); ok && s.evals < syntax.MaxEval {
			s.evals++
			s.appleScript(t)
			s.evals--
			return
		}
		s.run(catalog.Run{Kind: catalog.RunCode, Lang: "applescript", Text: v.value()})
		s.notSeen()
		return
	}
	s.appleCommand(w, has)
}

func (s *scan) appleCommand(w []scriptWord, has func(...string) int) {
	switch w[0].s {
	case "set":
		if to := has("to"); to == 2 {
			v, n := s.appleText(w[3:])
			if 3+n == len(w) {
				s.set(w[1].s, v)
				return
			}
		}
		if has("volume") == 1 || has("the", "clipboard") == 1 {
			s.impure()
			return
		}
	case "display", "say", "beep", "return", "end", "log", "delay", "try", "on", "else", "if", "repeat", "activate":
		if has("delete") < 0 && has("display", "dialog") < 0 {
			switch w[0].s {
			case "return", "log", "end", "delay", "display", "say", "beep":
				return
			}
			s.impure()
		}
	case "open":
		if has("location") == 1 {
			v, _ := s.appleText(w[2:])
			s.effect(catalog.Effect{Verb: risk.NetFetch, Target: v.value()})
			return
		}
	case "delete":
		s.effect(catalog.Effect{Verb: risk.FSDelete, Target: unknown().s})
		s.notSeen()
		return
	}
	if has("delete") >= 0 || has("empty", "trash") >= 0 || has("empty", "the", "trash") >= 0 {
		e := catalog.Effect{Verb: risk.FSDelete, Target: unknown().s}
		if i := has("posix", "file"); i >= 0 {
			v, _ := s.appleText(w[i+2:])
			e.Target = v.value()
		}
		s.effect(e)
	}
	if has("shut", "down") >= 0 || has("restart") >= 0 {
		s.effect(catalog.Effect{Verb: risk.SysPower})
	}
	s.notSeen()
}
