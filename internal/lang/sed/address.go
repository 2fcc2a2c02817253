package sed

import (
	"strings"

	"github.com/heedsh/heed/internal/lang/bracket"
)

// addresses reads none, one or two addresses (GNU sed 4.9 manual, section 4.1).
func (p *parser) addresses(c *Command) {
	if p.is('+') || p.is('~') || p.is(',') {
		p.fail(p.at, "no first address")
	}
	c.First = p.address()
	p.skip(" \t")
	for n := 1; p.is(','); n++ {
		if n > 1 {
			p.fail(p.at, "a third address")
		}
		p.at++
		p.skip(" \t")
		c.Second = p.address()
		if c.Second.Kind == None {
			p.fail(p.at, "no second address")
		}
		p.skip(" \t")
	}
	zero := c.First.N == 0 && (c.First.Kind == Line || c.First.Kind == Step && c.First.M == 0)
	if zero && c.Second.Kind != Regex && c.Second.Kind != Unknown || c.First.Kind == Plus || c.First.Kind == Multiple {
		p.fail(c.Pos, "no first address")
	}
}

// address reads one address. A number that a part is unknown of may be anything.
func (p *parser) address() (a Address) {
	if p.at >= len(p.s) {
		return a
	}
	switch c := p.s[p.at]; {
	case c == Mark || c >= '0' && c <= '9':
		return p.lineNumber()
	case c == '$':
		p.at++
		a.Kind = Last
	case c == '+' || c == '~':
		p.at++
		a.Kind = Plus
		if c == '~' {
			a.Kind = Multiple
		}
		p.skip(" \t")
		n, known := p.digits()
		if !known {
			a.Kind = Unknown
		} else if n < 0 {
			p.fail(p.at, "a number is missing")
		}
		a.N = max(n, 0)
	case c == '/' || c == '\\':
		p.at++
		p.pattern(&a, c)
	}
	return a
}

func (p *parser) lineNumber() (a Address) {
	n, known := p.digits()
	a.Kind, a.N = Line, n
	before := p.at
	p.skip(" \t")
	if p.take('~') {
		p.skip(" \t")
		m, whole := p.digits()
		a.Kind, a.M, known = Step, max(m, 0), known && whole
	} else {
		p.at = before
	}
	if !known {
		a.Kind = Unknown
	}
	return a
}

// pattern reads a regular expression as an address, with its flags.
func (p *parser) pattern(a *Address, slash byte) {
	a.Kind, a.Delimiter = Regex, slash
	if slash == '\\' {
		if p.at >= len(p.s) {
			p.fail(p.at, "a regular expression is missing")
			return
		}
		a.Delimiter = p.s[p.at]
		p.at++
	}
	a.Regex = p.delimited(a.Delimiter, true)
	if a.Regex.End == len(p.s) { // not closed: commands may follow yet
		if n := strings.IndexAny(p.s[a.Regex.Pos:], ";\n"); n >= 0 {
			p.at = a.Regex.Pos + n
			a.Regex.End = p.at
		}
		return
	}
	for {
		before := p.at
		switch p.skip(" \t"); {
		case p.take('I'):
			a.Fold = true
		case p.take('M'):
			a.Multiline = true
		default:
			p.at = before
			return
		}
	}
}

// delimited reads up to a delimiter without a backslash, and the delimiter. In a
// regular expression one in brackets does not count, but to older versions.
func (p *parser) delimited(d byte, regex bool) Span {
	s := Span{Pos: p.at}
	if d == '\n' || d == '\\' {
		p.fail(p.at, "no delimiter")
	}
	brackets := regex && d != '[' && d != ']' // until one is not closed
	for p.at < len(p.s) {
		c := p.s[p.at]
		p.at++
		switch {
		case c == d:
			s.End = p.at - 1
			return s
		case c == '\\':
			p.at++
		case c == '\n':
			p.fail(p.at-1, "a line ends before the delimiter")
		case c == '[' && brackets:
			n := Bracket(p.s[p.at-1:])
			if brackets = n > 0; !brackets {
				p.fail(p.at-1, "a [ is not closed")
				continue
			}
			p.script.Odd = p.script.Odd || plainIn(p.s[p.at-1:p.at-1+n], d)
			p.at += n - 1
		}
	}
	p.at = min(p.at, len(p.s))
	s.End = p.at
	p.fail(s.Pos, "a delimiter is missing")
	return s
}

// plainIn reports whether a bracket expression holds a delimiter that has no
// backslash before it.
func plainIn(bracket string, d byte) bool {
	for i := 1; i < len(bracket); i++ {
		if bracket[i] == d && bracket[i-1] != '\\' {
			return true
		}
	}
	return false
}

// Bracket is the length of the bracket expression that s begins with, 0 if it
// is not closed on its line (POSIX.1-2024, XBD 9.3.5). A backslash is a member.
func Bracket(s string) int {
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
		case '[':
			i += bracket.ClassLen(s[i:])
		}
	}
	return 0
}
