package sed

import "strings"

// substitution reads what stands behind s, and adds the command.
func (p *parser) substitution(c *Command) {
	if p.at >= len(p.s) {
		p.fail(p.at, "s without a regular expression")
		p.add(*c)
		return
	}
	if p.is(Mark) { // the delimiter itself is not known
		p.rest()
		return
	}
	s := &Substitution{Delimiter: p.s[p.at]}
	c.Sub = s
	p.at++
	s.Regex = p.delimited(s.Delimiter, true)
	s.Replacement = p.delimited(s.Delimiter, false)
	for p.flag(s) {
	}
	if s.Writes {
		s.File = p.file()
		p.add(*c)
		return
	}
	p.add(*c)
	if p.is(Mark) {
		p.rest()
		return
	}
	p.end()
}

// flag reads one flag of s; there may be blanks before it.
func (p *parser) flag(s *Substitution) bool {
	from := p.at
	if p.skip(" \t"); p.at >= len(p.s) {
		return false
	}
	twice, apart := false, p.at > from
	switch f := p.s[p.at]; f {
	case 'g':
		twice, s.Global = s.Global, true
	case 'p':
		twice, s.Print = s.Print, true
	case 'e':
		s.Evaluate = true
	case 'i', 'I':
		s.Fold = true
	case 'm', 'M':
		s.Multiline = true
	case 'w':
		p.at++
		s.Writes = true
		p.script.Odd = p.script.Odd || apart
		return false
	default:
		if f < '0' || f > '9' {
			return false
		}
		twice = s.Number != 0
		if s.Number, _ = p.digits(); s.Number == 0 {
			p.fail(p.at, "no match has the number 0")
		}
		p.at--
	}
	p.script.Odd = p.script.Odd || apart // an error to some
	if p.at++; twice {
		p.fail(p.at, "a flag is given twice")
	}
	return true
}

// rest makes a command of what follows: it is not known what that is.
func (p *parser) rest() {
	c := Command{Span: Span{Pos: p.at}, Name: Mark, Number: -1, Match: -1}
	p.at = len(p.s)
	p.done = true
	p.add(c)
}

// transliteration reads the sides of y.
func (p *parser) transliteration(c *Command) {
	if p.at >= len(p.s) {
		p.fail(p.at, "y without its sides")
		return
	}
	c.Delimiter = p.s[p.at]
	p.at++
	c.From = p.delimited(c.Delimiter, false)
	c.To = p.delimited(c.Delimiter, false)
}

// Text returns the text of a, c and i and the command of e, given all that
// stands behind their names: on their line or, behind a backslash, on the next.
// alike is false where versions expand escapes in different ways (GNU sed 4.9
// manual, sections 3.8 and 5.8).
func Text(raw string) (text string, alike bool) {
	s := strings.TrimLeft(raw, " \t")
	alike = true
	if rest, ok := strings.CutPrefix(s, `\`); ok {
		if next, ok := strings.CutPrefix(strings.TrimLeft(rest, " \t"), "\n"); ok {
			s = next
		} else {
			alike = rest != "" && strings.IndexByte(`\abcdfnortvx`, rest[0]) < 0
			s = rest
		}
	}
	if strings.IndexByte(s, '\\') < 0 {
		return s, alike
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		n := 0
		if strings.HasPrefix(s[i+1:], "\n") {
			b.WriteByte('\n')
			n = 1
		} else {
			alike = false
			n = escape(&b, s[i+1:])
		}
		i += n
	}
	return b.String(), alike
}

// escape writes what the escape stands for whose text behind the backslash s
// begins with, and returns its length.
func escape(b *strings.Builder, s string) int {
	if s == "" {
		return 0
	}
	if i := strings.IndexByte("afnrtv", s[0]); i >= 0 {
		b.WriteByte("\a\f\n\r\t\v"[i])
		return 1
	}
	base, most := 0, 3
	switch s[0] {
	case 'd':
		base = 10
	case 'o':
		base = 8
	case 'x':
		base, most = 16, 2
	case Mark:
		return 0
	}
	n, v := 1, 0
	for base > 0 && n < len(s) && n <= most {
		d := strings.IndexByte("0123456789abcdef", s[n]|0x20)
		if s[n] < 'A' {
			d = strings.IndexByte("0123456789", s[n])
		}
		if d < 0 || d >= base {
			break
		}
		v, n = v*base+d, n+1
	}
	switch {
	case n == 1:
		b.WriteByte(s[0])
	case v&0xff != Mark:
		b.WriteByte(byte(v))
	}
	return n
}
