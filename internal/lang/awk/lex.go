package awk

import (
	"strings"

	"github.com/heedsh/heed/internal/lang/bracket"
)

// MaxText is how much of a program is read.
const MaxText = 64 << 10

// Mark stands in the text for a part that is not known. A program of awk cannot
// hold it: no argument of a process can.
const Mark = '\x00'

type tokenKind uint8

const (
	tEOF tokenKind = iota
	tNewline
	tNumber
	tString
	tName
	tKeyword
	tOp
	tHole
)

// A token is a part of the program; the text of a string is what is between its
// quotes.
type token struct {
	kind     tokenKind
	text     string
	pos, end int
}

// A lexer cuts tokens off the text. Whether a slash divides or begins a regular
// expression the parser knows.
type lexer struct {
	s  string
	at int
}

// blanks skips what separates tokens: blanks, continued lines and comments.
func (l *lexer) blanks() {
	for l.at < len(l.s) {
		switch c := l.s[l.at]; {
		case c == ' ' || c == '\t' || c == '\r':
			l.at++
		case c == '\\' && strings.HasPrefix(l.s[l.at:], "\\\n"):
			l.at += 2
		case c == '\\' && strings.HasPrefix(l.s[l.at:], "\\\r\n"):
			l.at += 3
		case c == '#':
			n := strings.IndexByte(l.s[l.at:], '\n')
			if n < 0 {
				n = len(l.s) - l.at
			}
			l.at += n
		default:
			return
		}
	}
}

// next returns the next token, and what is wrong with it.
func (l *lexer) next() (t token, wrong string) {
	l.blanks()
	t.pos = l.at
	if l.at >= len(l.s) {
		t.end = l.at
		return t, ""
	}
	switch c := l.s[l.at]; {
	case c == '"':
		t.kind = tString
		t.text, wrong = l.quoted()
		t.end = l.at
		return t, wrong
	case c == '\n':
		t.kind = tNewline
		l.at++
	case c == Mark:
		t.kind = tHole
		l.at++
	case isDigit(c), c == '.' && l.at+1 < len(l.s) && isDigit(l.s[l.at+1]):
		t.kind = tNumber
		l.at += numberLen(l.s[l.at:])
	case isWordStart(c):
		t.kind = tName
		l.at += nameLen(l.s[l.at:])
		if Keyword(l.s[t.pos:l.at]) {
			t.kind = tKeyword
		}
	default:
		t.kind = tOp
		l.at += operatorLen(l.s[l.at:])
	}
	t.text, t.end = l.s[t.pos:l.at], l.at
	return t, ""
}

// quoted reads a string up to its closing quote, also over the ends of lines,
// where every awk refuses the program.
func (l *lexer) quoted() (text, wrong string) {
	l.at++
	from := l.at
	for l.at < len(l.s) {
		c := l.s[l.at]
		l.at++
		switch c {
		case '"':
			return l.s[from : l.at-1], wrong
		case '\n':
			wrong = "a line ends in a string"
		case '\\':
			l.at = min(l.at+1, len(l.s))
		}
	}
	return l.s[from:], "a string is not closed"
}

// numberLen is the length of the number that s begins with: decimal, or
// hexadecimal as gawk reads it (gawk 5.3 manual, section 6.1.1.2).
func numberLen(s string) int {
	if len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' && isHex(s[2]) {
		n := 3
		for n < len(s) && isHex(s[n]) {
			n++
		}
		return n
	}
	n := digitsLen(s)
	if n < len(s) && s[n] == '.' {
		n++
		n += digitsLen(s[n:])
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		e := n + 1
		if e < len(s) && (s[e] == '+' || s[e] == '-') {
			e++
		}
		if d := digitsLen(s[e:]); d > 0 {
			n = e + d
		}
	}
	return n
}

func digitsLen(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// nameLen is the length of the name that s begins with; gawk's have a namespace
// before two colons (gawk 5.3 manual, chapter 15).
func nameLen(s string) int {
	n := 1
	for n < len(s) && isWord(s[n]) {
		n++
	}
	if n+2 < len(s) && s[n] == ':' && s[n+1] == ':' && isWordStart(s[n+2]) {
		n += 3
		for n < len(s) && isWord(s[n]) {
			n++
		}
	}
	return n
}

// operatorLen is the length of the operator that s begins with.
func operatorLen(s string) int {
	if strings.HasPrefix(s, "**=") {
		return 3
	}
	if len(s) > 1 {
		switch s[:2] {
		case "||", "&&", "|&", ">>", ">=", "<=", "==", "!=", "!~", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**":
			return 2
		}
	}
	return 1
}

// regexLen is the length of the regular expression whose slash s begins with,
// and where its text ends. Within brackets a slash is one of the members, but not
// to every awk (gawk 5.3 manual, section 3.4): odd.
func regexLen(s string) (n, end int, closed, odd bool) {
	brackets := true // until one is not closed
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '\n':
			return i, i, false, odd
		case '/':
			return i + 1, i, true, odd
		case '[':
			if !brackets {
				continue
			}
			b := bracketLen(s[i:])
			brackets = b > 0
			odd = odd || strings.IndexByte(s[i:i+b], '/') >= 0
			i += max(b-1, 0)
		}
	}
	return len(s), len(s), false, odd
}

// bracketLen is the length of the bracket expression that s begins with, 0 if it
// is not closed on its line (POSIX.1-2024, XBD 9.3.5). A backslash escapes in
// those of awk.
func bracketLen(s string) int {
	i := 1
	if i < len(s) && s[i] == '^' {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	for ; i < len(s); i++ {
		switch s[i] {
		case ']':
			return i + 1
		case '\n':
			return 0
		case '\\':
			i++
		case '[':
			i += bracket.ClassLen(s[i:])
		}
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }

func isWordStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }

func isWord(c byte) bool { return isWordStart(c) || isDigit(c) }
