package inline

import "strings"

// python reads Python (language reference, chapter 2).
func (l *lexer) python() {
	bol := true
	for l.i < len(l.s) {
		if bol && l.paren == 0 {
			l.indentation()
			bol = false
			continue
		}
		c := l.s[l.i]
		switch {
		case c == '\n':
			l.space()
			if l.paren == 0 {
				if t := l.last(); t.k != tNL && t.k != tEOF && t.k != tIndent && t.k != tDedent {
					l.add(token{k: tNL})
				}
				bol = true
			}
		case l.space():
		case c == '#':
			l.skipLine()
		case c == '\\' && l.at(1) == '\n':
			l.i += 2
		case c == '\\' && l.has("\\\r\n"):
			l.i += 3
		case c == '"' || c == '\'':
			l.pythonString("")
		case isIdentStart(c):
			n := identLen(l.rest())
			if q := l.at(n); n <= 2 && (q == '"' || q == '\'') && pythonPrefix(l.s[l.i:l.i+n]) {
				prefix := strings.ToLower(l.s[l.i : l.i+n])
				l.i += n
				l.pythonString(prefix)
				continue
			}
			l.ident()
		case isDigit(c) || c == '.' && isDigit(l.at(1)):
			l.number()
		default:
			l.operator()
		}
	}
	l.add(token{k: tNL})
	for range l.indent[1:] {
		l.add(token{k: tDedent})
	}
}

func pythonPrefix(s string) bool { return strings.Trim(strings.ToLower(s), "rbuft") == "" }

// indentation compares a line's indentation with that of the lines before.
func (l *lexer) indentation() {
	col := 0
	for ; l.i < len(l.s); l.i++ {
		switch l.s[l.i] {
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
	if l.i >= len(l.s) || l.s[l.i] == '\n' || l.s[l.i] == '#' {
		return
	}
	if top := l.indent[len(l.indent)-1]; col > top {
		if len(l.toks) == 0 { // an indented one-liner
			l.indent[0] = col
			return
		}
		l.indent = append(l.indent, col)
		l.add(token{k: tIndent})
		return
	}
	for len(l.indent) > 1 && col < l.indent[len(l.indent)-1] {
		l.indent = l.indent[:len(l.indent)-1]
		l.add(token{k: tDedent})
	}
}

// pythonString reads a string literal, the cursor on its quote.
func (l *lexer) pythonString(prefix string) {
	term := l.s[l.i : l.i+1]
	if l.has(strings.Repeat(term, 3)) {
		term = strings.Repeat(term, 3)
	}
	l.i += len(term)
	esc, interp := escFull, byte(0)
	if strings.Contains(prefix, "r") {
		esc = escRaw
	}
	if strings.ContainsAny(prefix, "ft") {
		interp = 'f'
	}
	parts := l.quoted(0, term, esc, interp)
	l.add(token{k: tStr, parts: parts, fresh: strings.Contains(prefix, "b")})
}
