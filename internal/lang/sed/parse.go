package sed

import "strings"

// maxNumber is what larger numbers count as.
const maxNumber = 1 << 30

type parser struct {
	s      string
	at     int
	script *Script
	open   []int // braces, by the indices of their commands
	done   bool  // what follows is no sed, or not known
}

// Parse reads a script.
func Parse(text string) *Script {
	p := &parser{s: text, script: &Script{Source: text}}
	if len(text) > MaxText {
		p.s, p.script.Cut = text[:MaxText], true
	}
	for !p.done {
		p.skip(" \t\n;\f\v\r")
		if p.at >= len(p.s) {
			break
		}
		p.command()
	}
	if len(p.open) > 0 {
		p.fail(p.at, "a { is not closed")
	}
	return p.script
}

func (p *parser) fail(pos int, why string) {
	if p.script.Err == nil {
		p.script.Err = &Error{Pos: pos, Reason: why}
	}
}

func (p *parser) skip(set string) {
	for p.at < len(p.s) && strings.IndexByte(set, p.s[p.at]) >= 0 {
		p.at++
	}
}

// is reports whether the next byte is c.
func (p *parser) is(c byte) bool { return p.at < len(p.s) && p.s[p.at] == c }

func (p *parser) take(c byte) bool {
	if p.is(c) {
		p.at++
		return true
	}
	return false
}

// ended reports whether a command can end here.
func (p *parser) ended() bool {
	return p.at >= len(p.s) || strings.IndexByte("\n;#}", p.s[p.at]) >= 0
}

// command reads one command with its addresses.
func (p *parser) command() {
	c := Command{Span: Span{Pos: p.at}, Number: -1, Match: -1}
	p.addresses(&c)
	p.not(&c)
	p.stray()
	if p.is(Mark) && c.First.Kind != None { // flags of the address, or the command
		for p.take(Mark) {
		}
		p.skip(" \t")
		if p.ended() {
			c.First.Kind = Unknown
		}
	}
	if p.ended() && !p.is('}') && (c.First.Kind == Unknown || c.Second.Kind == Unknown) {
		c.Name = Mark // it may be a whole command
		p.add(c)
		return
	}
	if p.at >= len(p.s) || p.is('\n') || p.is(';') {
		p.fail(p.at, "a command is missing")
		return
	}
	c.Name = p.s[p.at]
	p.at++
	if !p.operands(&c) {
		p.at--
		p.fail(p.at, "no command: "+p.s[p.at:p.at+1])
		p.done = true
	}
}

// stray passes parts of addresses where sed wants a command: one may follow yet.
func (p *parser) stray() {
	for p.at < len(p.s) && (strings.IndexByte("$,~+!/\\ \tIM", p.s[p.at]) >= 0 || p.s[p.at] >= '0' && p.s[p.at] <= '9') {
		p.fail(p.at, "not expected here: "+p.s[p.at:p.at+1])
		from := p.at
		if p.address(); p.at == from {
			p.at++
		}
	}
}

func (p *parser) add(c Command) {
	c.End = p.at
	p.script.Commands = append(p.script.Commands, c)
}

// not reads the ! before a command.
func (p *parser) not(c *Command) {
	for p.skip(" \t"); p.take('!'); p.skip(" \t") {
		if c.Not {
			p.fail(p.at-1, "a second !")
		}
		c.Not = true
	}
}

// operands reads what follows the name of a command, and adds the command. It
// reports false where the name is none.
func (p *parser) operands(c *Command) bool {
	switch c.Name {
	case '{':
		p.open = append(p.open, len(p.script.Commands))
		p.add(*c)
		return true
	case '}':
		p.closing(c)
	case '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z', 'F':
	case '#':
		if c.First.Kind != None || c.Not {
			p.fail(c.Pos, "a comment with an address")
		}
		p.line()
		return true
	case 'a', 'i', 'c', 'e':
		c.Text = p.text()
		if p.at == len(p.s) && c.Name != 'e' && strings.TrimLeft(p.s[c.Text.Pos:], " \t") == "" {
			p.fail(p.at, "a text is missing")
		}
		p.add(*c)
		return true
	case ':':
		if c.First.Kind != None || c.Not {
			p.fail(c.Pos, "a label with an address")
		}
		c.Text = p.word()
		if c.Text.Pos == c.Text.End {
			p.fail(p.at, "a label is missing")
		}
		p.add(*c)
		return true
	case 'b', 't', 'T', 'v':
		c.Text = p.word()
	case 'q', 'Q', 'l', 'L':
		if c.Second.Kind != None && (c.Name == 'q' || c.Name == 'Q') {
			p.fail(c.Pos, "a second address")
		}
		p.number(c)
	case 'r', 'R', 'w', 'W':
		c.Text = p.file()
		p.add(*c)
		return true
	case 's':
		p.substitution(c)
		return true
	case 'y':
		p.transliteration(c)
	default:
		return false
	}
	p.add(*c)
	p.end()
	return true
}

// end passes the blanks behind a command, and insists that it is over.
func (p *parser) end() {
	p.skip(" \t")
	if !p.ended() {
		p.fail(p.at, "more behind a command")
	}
}

// closing finds the brace that a } closes.
func (p *parser) closing(c *Command) {
	if len(p.open) == 0 || c.First.Kind != None || c.Not {
		p.fail(c.Pos, "a } where none is due")
	}
	if n := len(p.open) - 1; n >= 0 {
		c.Match = p.open[n]
		p.script.Commands[c.Match].Match = len(p.script.Commands)
		p.open = p.open[:n]
	}
}

// line passes the rest of the line.
func (p *parser) line() {
	if i := strings.IndexByte(p.s[p.at:], '\n'); i >= 0 {
		p.at += i
		return
	}
	p.at = len(p.s)
}

// file reads the name of a file: the rest of the line.
func (p *parser) file() Span {
	p.skip(" \t")
	s := Span{Pos: p.at}
	p.line()
	s.End = p.at
	if s.Pos == s.End {
		p.fail(p.at, "the name of a file is missing")
	}
	return s
}

// text reads the rest of the line, and further lines behind a backslash.
func (p *parser) text() Span {
	s := Span{Pos: p.at}
	for p.at < len(p.s) && p.s[p.at] != '\n' {
		if p.s[p.at] == '\\' {
			p.at++
		}
		p.at++
	}
	p.at = min(p.at, len(p.s))
	s.End = p.at
	return s
}

// word reads a label: up to a blank, a semicolon or a brace. Older versions read
// on to the end of the line.
func (p *parser) word() Span {
	p.skip(" \t")
	s := Span{Pos: p.at}
	for p.at < len(p.s) && strings.IndexByte(" \t\n\r\f\v;}", p.s[p.at]) < 0 {
		p.at++
	}
	s.End = p.at
	p.script.Odd = p.script.Odd || p.is('}')
	return s
}

// number reads the number that q, Q, l and L may have.
func (p *parser) number(c *Command) {
	p.skip(" \t")
	if n, known := p.digits(); known && n >= 0 {
		c.Number = n
	}
}

// digits reads a number, -1 if there is none; it is not known if a part of it is
// not.
func (p *parser) digits() (n int, known bool) {
	n, known = -1, true
	for ; p.at < len(p.s); p.at++ {
		switch c := p.s[p.at]; {
		case c == Mark:
			n, known = 0, false
		case c >= '0' && c <= '9':
			n = min(max(n, 0)*10+int(c-'0'), maxNumber)
		default:
			return n, known
		}
	}
	return n, known
}
