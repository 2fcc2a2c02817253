package syntax

import "strings"

// plain reads JavaScript, Lua and R, which differ in comments and quotes only.
func (l *Lexer) plain() {
	if l.has("#!") {
		l.skipLine()
	}
	for l.At < len(l.Text) {
		c := l.Text[l.At]
		switch {
		case l.space():
		case l.plainComment(c):
		case l.plainString(c):
		case IsIdentStart(c) || c == '$' && l.Lang == "node":
			l.plainIdent()
		case c == '.' && l.Lang == "r":
			l.plainIdent()
		case IsDigit(c) || c == '.' && IsDigit(l.at(1)):
			l.number()
		case c == '%' && l.Lang == "r" && !l.has("%in%"):
			l.At++
			l.skipTo("%")
			l.add(Token{Kind: TokOp, Text: "+"})
			l.bad = true
		case c == '/' && l.Lang == "node" && l.operandNext():
			l.regex()
		default:
			l.operator()
		}
	}
}

// plainIdent reads a name: with $ in JavaScript, with dots in R.
func (l *Lexer) plainIdent() {
	start := l.At
	for l.At < len(l.Text) {
		c := l.Text[l.At]
		if !IsIdent(c) && !(c == '$' && l.Lang == "node") && !(c == '.' && l.Lang == "r") {
			break
		}
		l.At++
	}
	l.add(Token{Kind: TokIdent, Text: l.Text[start:l.At]})
}

func (l *Lexer) plainComment(c byte) bool {
	switch {
	case l.Lang == "node" && l.has("//"), l.Lang == "r" && c == '#':
		l.skipLine()
	case l.Lang == "node" && l.has("/*"):
		l.At += 2
		l.skipTo("*/")
	case l.Lang == "lua" && l.has("--"):
		l.At += 2
		if n := longBracket(l.rest()); n > 0 {
			l.At += n
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

func (l *Lexer) plainString(c byte) bool {
	switch {
	case c == '"' || c == '\'':
		l.At++
		l.add(Token{Kind: TokStr, Parts: l.Quoted(0, string(c), EscFull, 0)})
	case c == '`' && l.Lang == "node":
		l.At++
		l.add(Token{Kind: TokStr, Parts: l.Quoted(0, "`", EscFull, 'j')})
	case c == '`' && l.Lang == "r":
		l.At++
		n := strings.IndexByte(l.rest(), '`')
		if n < 0 {
			n, l.bad = len(l.rest()), true
		}
		l.add(Token{Kind: TokIdent, Text: l.Text[l.At : l.At+n]})
		l.At = min(l.At+n+1, len(l.Text))
	case l.Lang == "lua" && longBracket(l.rest()) > 0:
		n := longBracket(l.rest())
		l.At += n
		parts := l.Quoted(0, "]"+strings.Repeat("=", n-2)+"]", escNone, 0)
		l.add(Token{Kind: TokStr, Parts: parts})
	case l.Lang == "r" && (c == 'r' || c == 'R') && (l.at(1) == '"' || l.at(1) == '\'') && (l.at(2) == '(' || l.at(2) == '[' || l.at(2) == '{'):
		end, _ := Closer(l.at(2))
		term := string([]byte{end, l.at(1)})
		l.At += 3
		l.add(Token{Kind: TokStr, Parts: l.Quoted(0, term, escNone, 0)})
	default:
		return false
	}
	return true
}

// regex reads a regular expression literal and its flags.
func (l *Lexer) regex() {
	l.At++
	class := false
	for l.At < len(l.Text) {
		c := l.Text[l.At]
		l.At++
		switch {
		case c == '\\':
			l.At = min(l.At+1, len(l.Text))
		case c == '\n':
			l.bad = true
			l.add(Token{Kind: tRegex})
			return
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for l.At < len(l.Text) && IsIdent(l.Text[l.At]) {
				l.At++
			}
			l.add(Token{Kind: tRegex})
			return
		}
	}
	l.bad = true
	l.add(Token{Kind: tRegex})
}
