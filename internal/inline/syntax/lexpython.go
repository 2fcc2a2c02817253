package syntax

import "strings"

// python reads Python (language reference, chapter 2).
func (l *Lexer) python() {
	bol := true
	for l.At < len(l.Text) {
		if bol && l.paren == 0 {
			l.indentation()
			bol = false
			continue
		}
		c := l.Text[l.At]
		switch {
		case c == '\n':
			l.space()
			if l.paren == 0 {
				if t := l.last(); t.Kind != TokNL && t.Kind != TokEOF && t.Kind != TokIndent && t.Kind != TokDedent {
					l.add(Token{Kind: TokNL})
				}
				bol = true
			}
		case l.space():
		case c == '#':
			l.skipLine()
		case c == '\\' && l.at(1) == '\n':
			l.At += 2
		case c == '\\' && l.has("\\\r\n"):
			l.At += 3
		case c == '"' || c == '\'':
			l.pythonString("")
		case IsIdentStart(c):
			n := IdentLen(l.rest())
			if q := l.at(n); n <= 2 && (q == '"' || q == '\'') && pythonPrefix(l.Text[l.At:l.At+n]) {
				prefix := strings.ToLower(l.Text[l.At : l.At+n])
				l.At += n
				l.pythonString(prefix)
				continue
			}
			l.ident()
		case IsDigit(c) || c == '.' && IsDigit(l.at(1)):
			l.number()
		default:
			l.operator()
		}
	}
	l.add(Token{Kind: TokNL})
	for range l.indent[1:] {
		l.add(Token{Kind: TokDedent})
	}
}

func pythonPrefix(s string) bool { return strings.Trim(strings.ToLower(s), "rbuft") == "" }

// indentation compares a line's indentation with that of the lines before.
func (l *Lexer) indentation() {
	col := 0
	for ; l.At < len(l.Text); l.At++ {
		switch l.Text[l.At] {
		case ' ':
			col++
			continue
		case '\t':
			col = col/8*8 + 8
			continue
		case '\f', '\r':
			continue
		}
		break
	}
	if l.At >= len(l.Text) || l.Text[l.At] == '\n' || l.Text[l.At] == '#' {
		return
	}
	if top := l.indent[len(l.indent)-1]; col > top {
		if len(l.toks) == 0 { // an indented one-liner
			l.indent[0] = col
			return
		}
		l.indent = append(l.indent, col)
		l.add(Token{Kind: TokIndent})
		return
	}
	for len(l.indent) > 1 && col < l.indent[len(l.indent)-1] {
		l.indent = l.indent[:len(l.indent)-1]
		l.add(Token{Kind: TokDedent})
	}
}

// pythonString reads a string literal, the cursor on its quote.
func (l *Lexer) pythonString(prefix string) {
	term := l.Text[l.At : l.At+1]
	if l.has(strings.Repeat(term, 3)) {
		term = strings.Repeat(term, 3)
	}
	l.At += len(term)
	esc, interp := EscFull, byte(0)
	if strings.Contains(prefix, "r") {
		esc = escRaw
	}
	if strings.ContainsAny(prefix, "ft") {
		interp = 'f'
	}
	parts := l.Quoted(0, term, esc, interp)
	l.add(Token{Kind: TokStr, Parts: parts, fresh: strings.Contains(prefix, "b")})
}
