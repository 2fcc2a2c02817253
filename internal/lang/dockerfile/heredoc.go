package dockerfile

import "strings"

// documents reads the here-documents of an instruction: the lines behind it, one
// document after the other. One that nothing closes is none: a builder refuses it.
func (p *parser) documents(in *Instruction) {
	j := join(in.Args)
	if !strings.Contains(j.s, "<<") {
		return
	}
	for _, w := range docWords(j.s) {
		d, spaced, ok := docWord(j.s[w.Pos:w.End])
		if !ok {
			continue
		}
		d.Span = j.span(w.Pos, w.End)
		switch {
		case p.closed(&d):
			p.document(&d)
			in.Docs = append(in.Docs, d)
		case !spaced: // with a blank, it is a shift to older builders
			p.fail(d.Pos, "a here-document that is not closed")
		}
	}
}

// docWords are the places of the words that are looked at for here-documents:
// between blanks that are neither quoted nor escaped, but blanks behind << do not
// count. A text with a quote that is not closed has none.
func docWords(s string) []Span {
	var all []Span
	for i := 0; i < len(s); {
		if blank(s[i]) {
			i++
			continue
		}
		from := i
		for i < len(s) && !blank(s[i]) {
			n := docStep(s[i:])
			if n == 0 {
				return nil
			}
			i += n
		}
		i = min(i, len(s))
		all = append(all, Span{from, i})
	}
	return all
}

// docStep is the length of what a word goes on with, 0 if a quote is not closed.
func docStep(s string) int {
	switch {
	case s[0] == '\\':
		return min(2, len(s))
	case s[0] == '\'':
		if n := strings.IndexByte(s[1:], '\''); n >= 0 {
			return n + 2
		}
		return 0
	case s[0] == '"':
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return 0
	case strings.HasPrefix(s, "<<"):
		return len(s) - len(strings.TrimLeft(s[len("<<"):], blanks))
	}
	return 1
}

// docWord reads [fd]<<[-]name; spaced says that blanks stand before the name.
func docWord(word string) (d HereDoc, spaced, ok bool) {
	rest, found := strings.CutPrefix(strings.TrimLeft(word, "0123456789"), "<<")
	if !found {
		return d, false, false
	}
	rest, d.Chomp = strings.CutPrefix(rest, "-")
	name := strings.TrimLeft(rest, blanks)
	if strings.Contains(name, "<") {
		return d, false, false
	}
	d.Word = word
	d.Name, d.Expand = docName(name)
	return d, len(name) < len(rest), d.Name != ""
}

// docName takes the quotes off a name; expand says that it had none.
func docName(s string) (name string, expand bool) {
	var b strings.Builder
	quote := byte(0)
	expand = true
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote, expand = c, false
		case c == '\\' && (quote == 0 || quote == '"' && i+1 < len(s) && strings.IndexByte(`"$\`, s[i+1]) >= 0):
			if i++; i < len(s) {
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), expand
}

// closed reports whether a line from here on ends a here-document.
func (p *parser) closed(d *HereDoc) bool {
	if p.closers == nil {
		p.closers, p.chomped = make(map[string]int, len(p.lines)), make(map[string]int)
		for i, l := range p.lines {
			p.closers[l.Text] = i
			if strings.HasPrefix(l.Text, "\t") {
				p.chomped[strings.TrimLeft(l.Text, "\t")] = i
			}
		}
	}
	if last, found := p.closers[d.Name]; found && last >= p.at {
		return true
	}
	last, found := p.chomped[d.Name]
	return d.Chomp && found && last >= p.at
}

// document takes the lines of a here-document that is closed, and the line that
// closes it.
func (p *parser) document(d *HereDoc) {
	for ; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		if d.Chomp {
			text := strings.TrimLeft(line.Text, "\t")
			line = Piece{text, line.End() - len(text)}
		}
		if line.Text == d.Name {
			p.at++
			return
		}
		d.Lines = append(d.Lines, line)
	}
}
