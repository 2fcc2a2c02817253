package pure

import (
	"strings"
)

// A sedPart is a piece of a replacement: text, a group, or a change of case.
type sedPart struct {
	text  string
	group int  // -1: none
	mode  byte // one of L U E l u, or 0
}

// A sedSub is the s command.
type sedSub struct {
	re     *pattern
	parts  []sedPart
	global bool
	print  int
	number int // replace the n-th match
	groups bool
}

// text reads the text of a, i or c in its one-line and its classic form.
// Backslashes other than a continuation are expanded differently by versions.
func (p *sedParser) text() (string, error) {
	p.skip(" \t")
	if p.peek() == '\\' {
		p.at++
		rest := p.s[p.at:]
		switch trimmed := strings.TrimLeft(rest, " \t"); {
		case strings.HasPrefix(trimmed, "\n"):
			p.at += len(rest) - len(trimmed) + 1
		case rest == "" || strings.IndexByte(`\abcdfnortvx`, rest[0]) >= 0:
			return "", errUnknown
		}
	}
	var b strings.Builder
	for p.at < len(p.s) {
		c := p.s[p.at]
		p.at++
		if c == '\n' {
			break
		}
		if c == '\\' {
			if p.peek() != '\n' {
				return "", errUnknown
			}
			c = '\n'
			p.at++
		}
		b.WriteByte(c)
	}
	if b.Len() == 0 {
		return "", errUnknown // an error in most versions
	}
	return b.String(), nil
}

func (p *sedParser) substitution() (*sedSub, error) {
	delim := p.peek()
	p.at++
	pattern, err := p.delimited(delim, true)
	if err != nil {
		return nil, err
	}
	replacement, err := p.delimited(delim, false)
	if err != nil {
		return nil, err
	}
	s := &sedSub{number: 1}
	d := reDialect{extended: p.extended, sed: true}
	numbered := false
flags:
	for {
		switch c := p.peek(); {
		case c == 'g':
			if s.global {
				return nil, errUnknown
			}
			s.global = true
		case c == 'p':
			if s.print++; s.print > 1 {
				return nil, errUnknown
			}
		case c == 'i' || c == 'I':
			d.fold = true
		case c == 'm' || c == 'M':
			d.lines = true
		case isDigit(c):
			if numbered {
				return nil, errUnknown
			}
			if s.number, err = p.number(); err != nil || s.number == 0 {
				return nil, errUnknown
			}
			numbered = true
			continue
		default:
			break flags
		}
		p.at++
	}
	if s.parts, err = sedReplacement(replacement, delim); err != nil {
		return nil, err
	}
	if s.re, err = p.regexp(pattern, d); err != nil {
		return nil, err
	}
	highest := 0
	for _, part := range s.parts {
		highest = max(highest, part.group)
	}
	s.groups = highest > 0
	if s.re != nil && (highest > s.re.groups || s.groups && !s.re.exact) {
		return nil, errUnknown
	}
	return s, nil
}

// sedReplacement reads the right-hand side of s.
func sedReplacement(s string, delim byte) ([]sedPart, error) {
	var parts []sedPart
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			parts = append(parts, sedPart{text: text.String(), group: -1})
			text.Reset()
		}
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '&' && delim != '&' {
			flush()
			parts = append(parts, sedPart{group: 0})
			continue
		}
		if c != '\\' {
			text.WriteByte(c)
			continue
		}
		if i++; i == len(s) {
			return nil, errUnknown
		}
		c = s[i]
		switch {
		case isDigit(c):
			flush()
			parts = append(parts, sedPart{group: int(c - '0')})
		case strings.IndexByte("LUElu", c) >= 0:
			flush()
			parts = append(parts, sedPart{group: -1, mode: c})
		case c == 'x':
			v, n := digits(s[i+1:], 16, 2)
			if n == 0 || v == 0 || v == '&' || v == '\\' || v == '\n' {
				return nil, errUnknown
			}
			i += n
			text.WriteByte(byte(v))
		case c == '\n', c < 0x80 && isPrint(c) && !isAlnum(c):
			text.WriteByte(c)
		default:
			v, ok := sedEscape(c)
			if !ok {
				return nil, errUnknown
			}
			text.WriteByte(v)
		}
	}
	flush()
	return parts, checkCases(parts)
}

// checkCases refuses \u\L and the like, whose order versions read differently.
func checkCases(parts []sedPart) error {
	for i, p := range parts {
		if p.mode == 0 || i+1 == len(parts) || parts[i+1].mode == 0 {
			continue
		}
		if p.mode == 'l' || p.mode == 'u' {
			return errUnknown
		}
	}
	return nil
}

// transliteration reads the y command.
func (p *sedParser) transliteration() (*[256]byte, error) {
	delim := p.peek()
	p.at++
	from, err := p.ySide(delim)
	if err != nil {
		return nil, err
	}
	to, err := p.ySide(delim)
	if err != nil || len(from) != len(to) {
		return nil, errUnknown
	}
	var table [256]byte
	for i := range table {
		table[i] = byte(i)
	}
	for i := len(from) - 1; i >= 0; i-- { // the first of equals counts
		table[from[i]] = to[i]
	}
	return &table, nil
}

func (p *sedParser) ySide(delim byte) (string, error) {
	if delim == 0 || delim == '\n' || delim == '\\' || isAlnum(delim) {
		return "", errUnknown
	}
	var b strings.Builder
	for p.at < len(p.s) {
		c := p.s[p.at]
		p.at++
		switch {
		case c == delim:
			return b.String(), nil
		case c >= 0x80 || c == '\n':
			return "", errUnknown
		case c == '\\':
			switch next := p.peek(); {
			case next == delim || next == '\\':
				c = next
			case next == 'n':
				c = '\n'
			case next == 't':
				c = '\t'
			default:
				return "", errUnknown
			}
			p.at++
		}
		b.WriteByte(c)
	}
	return "", errUnknown
}
