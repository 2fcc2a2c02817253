package hooks

import (
	"strings"

	"github.com/heedsh/heed/internal/value"
)

type awkKind uint8

const (
	awkNewline awkKind = iota // newline or ;
	awkString
	awkRegex
	awkName
	awkNumber
	awkOp
	awkHole // a part of the program that is not known
)

// An awkToken is a token of a program; text is the decoded contents of a
// string and the spelling of anything else.
type awkToken struct {
	kind awkKind
	text string
	val  value.Value // of strings and holes
}

// maxAwkTokens bounds the work on one program; some of it is quadratic.
const maxAwkTokens = 5000

// lexAwk reads an awk program (POSIX awk, "Grammar"; gawk 5.3 manual).
func lexAwk(p program) []awkToken {
	l := awkLexer{program: p}
	for l.at < len(p.text) && len(l.out) < maxAwkTokens {
		l.next()
	}
	return l.out
}

type awkLexer struct {
	program
	at    int
	holes int // holes passed so far
	out   []awkToken
}

func (l *awkLexer) add(kind awkKind, text string) {
	l.out = append(l.out, awkToken{kind: kind, text: text, val: l.program.fill(text, l.holes)})
	l.holes += strings.Count(text, string(rune(holeByte)))
}

func (l *awkLexer) next() {
	c := l.text[l.at]
	rest := l.text[l.at:]
	switch {
	case c == ' ' || c == '\t' || c == '\r':
		l.at++
	case c == '\\' && (strings.HasPrefix(rest, "\\\n") || strings.HasPrefix(rest, "\\\r\n")):
		l.at += strings.IndexByte(rest, '\n') + 1
	case c == '\n' || c == ';':
		l.add(awkNewline, string(c))
		l.at++
	case c == '#':
		n := strings.IndexByte(rest, '\n')
		if n < 0 {
			n = len(rest)
		}
		l.holes += strings.Count(rest[:n], string(rune(holeByte)))
		l.at += n
	case c == '"':
		l.quoted()
	case c == '/' && l.regexAllowed():
		l.regex()
	case c == holeByte:
		l.add(awkHole, string(c))
		l.at++
	case awkWordByte(c):
		n := 1
		for n < len(rest) && (awkWordByte(rest[n]) || rest[n] == '.' && c >= '0' && c <= '9') {
			n++
		}
		kind := awkName
		if c >= '0' && c <= '9' {
			kind = awkNumber
		}
		l.add(kind, rest[:n])
		l.at += n
	default:
		l.operator(rest)
	}
}

func awkWordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (l *awkLexer) operator(rest string) {
	for _, op := range []string{"**=", "||", "&&", "|&", ">>", ">=", "<=", "==", "!=", "!~", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**"} {
		if strings.HasPrefix(rest, op) {
			l.add(awkOp, op)
			l.at += len(op)
			return
		}
	}
	l.add(awkOp, rest[:1])
	l.at++
}

// regexAllowed reports whether a slash here begins a regular expression: it
// does where an operand is expected.
func (l *awkLexer) regexAllowed() bool {
	if len(l.out) == 0 {
		return true
	}
	last := l.out[len(l.out)-1]
	switch last.kind {
	case awkString, awkRegex, awkNumber, awkHole:
		return false
	case awkName:
		switch last.text {
		case "print", "printf", "return", "in", "case", "getline", "else", "do":
			return true
		}
		return false
	case awkOp:
		return last.text != ")" && last.text != "]" && last.text != "$" && last.text != "++" && last.text != "--"
	}
	return true
}

func (l *awkLexer) regex() {
	bracket := false
	i := l.at + 1
	for ; i < len(l.text) && l.text[i] != '\n'; i++ {
		c := l.text[i]
		if c == '\\' {
			i++
			continue
		}
		if c == '/' && !bracket {
			break
		}
		switch {
		case c == '[' && !bracket:
			bracket = true
			if i+1 < len(l.text) && l.text[i+1] == '^' {
				i++
			}
			if i+1 < len(l.text) && l.text[i+1] == ']' {
				i++
			}
		case c == ']':
			bracket = false
		}
	}
	i = min(i, len(l.text))
	l.add(awkRegex, l.text[l.at:i])
	l.at = min(i+1, len(l.text))
}

// quoted reads a string and decodes its escapes.
func (l *awkLexer) quoted() {
	var b strings.Builder
	i := l.at + 1
	for ; i < len(l.text) && l.text[i] != '"'; i++ {
		c := l.text[i]
		if c != '\\' || i+1 >= len(l.text) {
			b.WriteByte(c)
			continue
		}
		i++
		i += awkEscape(&b, l.text[i:]) - 1
	}
	l.add(awkString, b.String())
	l.at = min(i+1, len(l.text))
}

// awkEscape decodes the escape sequence whose text after the backslash s
// begins with, and returns its length.
func awkEscape(b *strings.Builder, s string) int {
	switch c := s[0]; c {
	case '\n':
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case 'a', 'b', 'f', 'v':
		b.WriteByte("\a\b\f\v"[strings.IndexByte("abfv", c)])
	case 'x', '0', '1', '2', '3', '4', '5', '6', '7':
		base, at, limit := 8, 0, 3
		if c == 'x' {
			base, at, limit = 16, 1, 3
		}
		n, i := 0, at
		for i < len(s) && i < limit {
			d := strings.IndexByte("0123456789abcdef", s[i]|0x20)
			if s[i] < 'A' {
				d = strings.IndexByte("0123456789", s[i])
			}
			if d < 0 || d >= base {
				break
			}
			n, i = n*base+d, i+1
		}
		if n&0xff != 0 {
			b.WriteByte(byte(n))
		}
		return max(i, 1)
	default:
		b.WriteByte(c)
	}
	return 1
}
