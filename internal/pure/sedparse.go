package pure

import (
	"strings"
)

// A sedAddrKind is the form of an address.
type sedAddrKind uint8

const (
	sedNone sedAddrKind = iota
	sedLine
	sedLast
	sedRE
	sedStep  // first~step
	sedPlus  // addr,+N
	sedMulti // addr,~N
)

// A sedAddr is one address; a nil re in a sedRE means the last one used.
type sedAddr struct {
	kind sedAddrKind
	n, m int
	re   *pattern
}

// A sedCommand is one command of the flattened script.
type sedCommand struct {
	a1, a2 sedAddr
	negate bool
	name   byte
	text   string // of a, i, c; label of : b t T
	exit   int
	jump   int // where b, t, T and an unselected { go
	sub    *sedSub
	y      *[256]byte

	active bool // inside a range
	begun  bool // the range has been entered before
	end    int  // last line of a numeric range
}

// rewind makes the command ready for the first line of a file.
func (c *sedCommand) rewind() {
	c.active = c.a1.kind == sedLine && c.a1.n == 0
	c.begun = c.active
}

// A sedParser reads a script.
type sedParser struct {
	j        *job
	s        string
	at       int
	extended bool
	prog     []*sedCommand
	open     []int
}

// program parses the whole script and resolves blocks and labels.
func (p *sedParser) program() ([]*sedCommand, error) {
	for {
		p.skip(" \t\n;\f\v\r")
		if p.at >= len(p.s) {
			break
		}
		if err := p.command(); err != nil {
			return nil, err
		}
		if len(p.prog) > maxCommands {
			return nil, errUnknown
		}
	}
	if len(p.open) > 0 {
		return nil, errUnknown
	}
	return p.prog, p.link()
}

// link finds where branches go.
func (p *sedParser) link() error {
	labels := map[string]int{}
	for i, c := range p.prog {
		if c.name == ':' {
			if _, twice := labels[c.text]; twice {
				return errUnknown
			}
			labels[c.text] = i
		}
	}
	for _, c := range p.prog {
		if strings.IndexByte("btT", c.name) < 0 {
			continue
		}
		to, ok := labels[c.text]
		if c.text == "" {
			to, ok = len(p.prog), true
		}
		if !ok {
			return errUnknown
		}
		c.jump = to
	}
	return nil
}

func (p *sedParser) skip(set string) {
	for p.at < len(p.s) && strings.IndexByte(set, p.s[p.at]) >= 0 {
		p.at++
	}
}

func (p *sedParser) peek() byte {
	if p.at >= len(p.s) {
		return 0
	}
	return p.s[p.at]
}

func (p *sedParser) command() error {
	if p.peek() == '#' {
		if i := strings.IndexByte(p.s[p.at:], '\n'); i >= 0 {
			p.at += i
		} else {
			p.at = len(p.s)
		}
		return nil
	}
	c := &sedCommand{}
	if err := p.addresses(c); err != nil {
		return err
	}
	p.skip(" \t")
	for p.peek() == '!' {
		if c.negate {
			return errUnknown
		}
		c.negate = true
		p.at++
		p.skip(" \t")
	}
	c.name = p.peek()
	p.at++
	if err := p.body(c); err != nil {
		return err
	}
	return p.end(c)
}

// end insists that the command is over.
func (p *sedParser) end(c *sedCommand) error {
	if c.name == '{' || c.name == ':' || strings.IndexByte("aic", c.name) >= 0 {
		return nil
	}
	p.skip(" \t")
	switch p.peek() {
	case 0, '\n', ';', '#', '}':
		return nil
	}
	return errUnknown
}

// body reads what follows the command letter and adds the command.
func (p *sedParser) body(c *sedCommand) (err error) {
	two := c.a2.kind != sedNone
	switch c.name {
	case '{':
		p.open = append(p.open, len(p.prog))
	case '}':
		if len(p.open) == 0 || c.a1.kind != sedNone || c.negate {
			return errUnknown
		}
		p.prog[p.open[len(p.open)-1]].jump = len(p.prog)
		p.open = p.open[:len(p.open)-1]
		return nil
	case ':':
		c.text, err = p.label(" \t\n;")
		if err != nil || c.text == "" || c.a1.kind != sedNone || strings.Contains(c.text, "}") {
			return errUnknown
		}
	case 'b', 't', 'T':
		c.text, err = p.label(" \t\n;")
		if err != nil || strings.Contains(c.text, "}") {
			return errUnknown
		}
	case 'a', 'i', 'c':
		c.text, err = p.text()
	case 'q', 'Q':
		if two {
			return errUnknown
		}
		p.skip(" \t")
		if isDigit(p.peek()) {
			c.exit, err = p.number()
			c.exit &= 0xff
		}
	case 's':
		c.sub, err = p.substitution()
	case 'y':
		c.y, err = p.transliteration()
	case '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z':
	default:
		return errUnknown
	}
	if err != nil {
		return err
	}
	p.prog = append(p.prog, c)
	return nil
}

func (p *sedParser) label(stop string) (string, error) {
	p.skip(" \t")
	start := p.at
	for p.at < len(p.s) && strings.IndexByte(stop, p.s[p.at]) < 0 {
		p.at++
	}
	return p.s[start:p.at], nil
}

func (p *sedParser) number() (int, error) {
	start := p.at
	for isDigit(p.peek()) {
		p.at++
	}
	n, ok := decimal(p.s[start:p.at])
	if !ok {
		return 0, errUnknown
	}
	return n, nil
}

// addresses reads none, one or two addresses.
func (p *sedParser) addresses(c *sedCommand) (err error) {
	if c.a1, err = p.address(); err != nil || c.a1.kind == sedNone {
		return err
	}
	p.skip(" \t")
	if p.peek() != ',' {
		if c.a1.kind == sedLine && c.a1.n == 0 {
			return errUnknown
		}
		return nil
	}
	p.at++
	p.skip(" \t")
	if k := p.peek(); k == '+' || k == '~' {
		p.at++
		c.a2.kind = sedPlus
		if k == '~' {
			c.a2.kind = sedMulti
		}
		c.a2.n, err = p.number()
	} else {
		c.a2, err = p.address()
	}
	if err != nil || c.a2.kind == sedNone || c.a2.kind == sedStep {
		return errUnknown
	}
	if c.a1.kind == sedLine && c.a1.n == 0 {
		if c.a2.kind != sedRE {
			return errUnknown
		}
		c.rewind() // 0,/re/ may end on the first line
	}
	return nil
}

func (p *sedParser) address() (a sedAddr, err error) {
	switch c := p.peek(); {
	case isDigit(c):
		a.kind = sedLine
		if a.n, err = p.number(); err != nil {
			return a, err
		}
		p.skip(" \t")
		if p.peek() == '~' {
			p.at++
			a.kind = sedStep
			a.m, err = p.number()
		}
	case c == '$':
		p.at++
		a.kind = sedLast
	case c == '/', c == '\\':
		if c == '\\' {
			p.at++
		}
		delim := p.peek()
		p.at++
		text, err := p.delimited(delim, true)
		if err != nil {
			return a, err
		}
		d := reDialect{extended: p.extended, sed: true}
		for ; ; p.at++ {
			if k := p.peek(); k == 'I' {
				d.fold = true
			} else if k == 'M' {
				d.lines = true
			} else {
				break
			}
		}
		a.kind = sedRE
		a.re, err = p.regexp(text, d)
		return a, err
	}
	return a, err
}

// regexp compiles a pattern; an empty one means the last one used.
func (p *sedParser) regexp(text string, d reDialect) (*pattern, error) {
	if text == "" {
		if d.fold || d.lines {
			return nil, errUnknown
		}
		return nil, nil
	}
	return p.j.compileRE(text, d)
}

// delimited reads up to an unescaped delimiter. In a pattern an escaped
// delimiter loses its backslash; a delimiter in brackets, or one that is
// special in patterns, is read differently by versions of sed.
func (p *sedParser) delimited(delim byte, pattern bool) (string, error) {
	if delim == 0 || delim == '\n' || delim == '\\' || delim >= 0x80 {
		return "", errUnknown
	}
	var b strings.Builder
	bracket := -1 // where the current bracket expression began in b
	for p.at < len(p.s) {
		c := p.s[p.at]
		p.at++
		switch {
		case c == delim && bracket < 0:
			return b.String(), nil
		case c == delim, c == '\n':
			return "", errUnknown
		case c == '\\':
			if p.at >= len(p.s) {
				return "", errUnknown
			}
			next := p.s[p.at]
			if next == '\n' && pattern {
				return "", errUnknown
			}
			if next == delim {
				if pattern && (isAlnum(delim) || strings.IndexByte(`.*[]^$+?(){}|<>'`+"`", delim) >= 0) {
					return "", errUnknown
				}
				if !pattern && (delim == '&' || isAlnum(delim)) {
					return "", errUnknown
				}
				p.at++
				b.WriteByte(delim)
				continue
			}
			b.WriteByte('\\')
			if bracket < 0 {
				p.at++
				b.WriteByte(next)
			}
			continue
		}
		b.WriteByte(c)
		if pattern {
			bracket = trackBracket(b.String(), bracket)
		}
	}
	return "", errUnknown
}

// trackBracket says, after one more character of a pattern, whether it is
// inside a bracket expression and where that began.
func trackBracket(s string, start int) int {
	last := s[len(s)-1]
	if start < 0 {
		if last == '[' {
			return len(s) - 1
		}
		return -1
	}
	if last != ']' {
		return start
	}
	body := strings.TrimPrefix(s[start+1:len(s)-1], "^")
	if body == "" {
		return start // a bracket right after the opening one is literal
	}
	if i := strings.LastIndex(body, "[:"); i >= 0 && (!strings.Contains(body[i:], ":]") && strings.HasSuffix(body, ":")) {
		return start // the end of a class
	}
	return -1
}
