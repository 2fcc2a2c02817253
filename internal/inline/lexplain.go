package inline

import "strings"

// plain reads JavaScript, Lua and R, which differ in comments and quotes only.
func (l *lexer) plain() {
	if l.has("#!") {
		l.skipLine()
	}
	for l.i < len(l.s) {
		c := l.s[l.i]
		switch {
		case l.space():
		case l.plainComment(c):
		case l.plainString(c):
		case isIdentStart(c) || c == '$' && l.lang == "node":
			l.plainIdent()
		case c == '.' && l.lang == "r":
			l.plainIdent()
		case isDigit(c) || c == '.' && isDigit(l.at(1)):
			l.number()
		case c == '%' && l.lang == "r" && !l.has("%in%"):
			l.i++
			l.skipTo("%")
			l.add(token{k: tOp, s: "+"})
			l.bad = true
		case c == '/' && l.lang == "node" && l.operandNext():
			l.regex()
		default:
			l.operator()
		}
	}
}

// plainIdent reads a name: with $ in JavaScript, with dots in R.
func (l *lexer) plainIdent() {
	start := l.i
	for l.i < len(l.s) {
		c := l.s[l.i]
		if !isIdent(c) && !(c == '$' && l.lang == "node") && !(c == '.' && l.lang == "r") {
			break
		}
		l.i++
	}
	l.add(token{k: tIdent, s: l.s[start:l.i]})
}

func (l *lexer) plainComment(c byte) bool {
	switch {
	case l.lang == "node" && l.has("//"), l.lang == "r" && c == '#':
		l.skipLine()
	case l.lang == "node" && l.has("/*"):
		l.i += 2
		l.skipTo("*/")
	case l.lang == "lua" && l.has("--"):
		l.i += 2
		if n := longBracket(l.rest()); n > 0 {
			l.i += n
			l.skipTo("]" + strings.Repeat("=", n-2) + "]")
		} else {
			l.skipLine()
		}
	default:
		return false
	}
	return true
}

// longBracket returns the length of [[, [=[ … at the start of s, or 0 (Lua
// 5.4 manual, 3.1).
func longBracket(s string) int {
	if len(s) < 2 || s[0] != '[' {
		return 0
	}
	n := 1
	for n < len(s) && s[n] == '=' {
		n++
	}
	if n < len(s) && s[n] == '[' {
		return n + 1
	}
	return 0
}

func (l *lexer) plainString(c byte) bool {
	switch {
	case c == '"' || c == '\'':
		l.i++
		l.add(token{k: tStr, parts: l.quoted(0, string(c), escFull, 0)})
	case c == '`' && l.lang == "node":
		l.i++
		l.add(token{k: tStr, parts: l.quoted(0, "`", escFull, 'j')})
	case c == '`' && l.lang == "r":
		l.i++
		n := strings.IndexByte(l.rest(), '`')
		if n < 0 {
			n, l.bad = len(l.rest()), true
		}
		l.add(token{k: tIdent, s: l.s[l.i : l.i+n]})
		l.i = min(l.i+n+1, len(l.s))
	case l.lang == "lua" && longBracket(l.rest()) > 0:
		n := longBracket(l.rest())
		l.i += n
		parts := l.quoted(0, "]"+strings.Repeat("=", n-2)+"]", escNone, 0)
		l.add(token{k: tStr, parts: parts})
	case l.lang == "r" && (c == 'r' || c == 'R') && (l.at(1) == '"' || l.at(1) == '\'') && (l.at(2) == '(' || l.at(2) == '[' || l.at(2) == '{'):
		end, _ := closer(l.at(2))
		term := string([]byte{end, l.at(1)})
		l.i += 3
		l.add(token{k: tStr, parts: l.quoted(0, term, escNone, 0)})
	default:
		return false
	}
	return true
}

// regex reads a regular expression literal and its flags.
func (l *lexer) regex() {
	l.i++
	class := false
	for l.i < len(l.s) {
		c := l.s[l.i]
		l.i++
		switch {
		case c == '\\':
			l.i = min(l.i+1, len(l.s))
		case c == '\n':
			l.bad = true
			l.add(token{k: tRegex})
			return
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for l.i < len(l.s) && isIdent(l.s[l.i]) {
				l.i++
			}
			l.add(token{k: tRegex})
			return
		}
	}
	l.bad = true
	l.add(token{k: tRegex})
}
