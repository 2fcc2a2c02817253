package dockerfile

import (
	"slices"
	"strings"
	"unicode"
)

type parser struct {
	file  *File
	lines []Piece // without their ends
	at    int     // the line that is next
	stage int
	// closers say which line is the last with a text, as it is and without leading
	// tabs: whether a here-document is closed is asked once for each.
	closers, chomped map[string]int
}

// Parse reads a file.
func Parse(text string) *File {
	f := &File{Source: text, Escape: '\\'}
	if len(text) > MaxText {
		text, f.Cut = text[:MaxText], true
	}
	p := &parser{file: f, lines: split(text), stage: -1}
	p.directives()
	for p.at < len(p.lines) {
		if skipped(p.lines[p.at].Text) {
			p.at++
			continue
		}
		p.instruction()
	}
	return f
}

// split divides a text into lines; a byte order mark is none of the first.
func split(text string) []Piece {
	var all []Piece
	body := strings.TrimPrefix(text, "\ufeff")
	for at := len(text) - len(body); at < len(text); {
		line, _, _ := strings.Cut(text[at:], "\n")
		all = append(all, Piece{strings.TrimRight(line, "\r"), at})
		at += len(line) + 1
	}
	return all
}

func (p *parser) fail(pos int, why string) {
	if p.file.Err == nil {
		p.file.Err = &Error{Pos: pos, Reason: why}
	}
}

// skipped reports whether a line is empty or a comment: such lines also stand
// between lines that are continued (Dockerfile reference, "Format").
func skipped(line string) bool {
	line = strings.TrimLeftFunc(line, unicode.IsSpace)
	return line == "" || line[0] == '#'
}

// directives reads the directives before all else. The first line that is none
// ends them, also a comment (Dockerfile reference, "Parser directives").
func (p *parser) directives() {
	for ; p.at < len(p.lines); p.at++ {
		d, ok := directive(p.lines[p.at])
		if !ok {
			return
		}
		if slices.ContainsFunc(p.file.Directives, func(e Directive) bool { return e.Name == d.Name }) {
			p.fail(d.Pos, "a second directive "+d.Name)
			continue
		}
		p.file.Directives = append(p.file.Directives, d)
		switch {
		case d.Name != "escape":
		case d.Value == "`" || d.Value == `\`:
			p.file.Escape = d.Value[0]
		default:
			p.fail(d.Pos, "an escape that is neither \\ nor `")
		}
	}
}

// directive reads # name = value.
func directive(line Piece) (Directive, bool) {
	body := strings.TrimLeftFunc(line.Text, unicode.IsSpace)
	rest, isComment := strings.CutPrefix(body, "#")
	name, value, found := strings.Cut(rest, "=")
	name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
	if !isComment || !found || value == "" || name != "syntax" && name != "escape" && name != "check" {
		return Directive{}, false
	}
	return Directive{Span: Span{line.End() - len(body), line.End()}, Name: name, Value: value}, true
}

// instruction joins the lines of one instruction and reads it.
func (p *parser) instruction() {
	line := p.lines[p.at]
	body := strings.TrimLeftFunc(line.Text, unicode.IsSpace)
	line = Piece{body, line.End() - len(body)}
	var pieces Text
	for {
		p.at++
		text, more := p.continued(line.Text)
		if text != "" {
			pieces = append(pieces, Piece{text, line.Pos})
		}
		if !more {
			break
		}
		for p.at < len(p.lines) && skipped(p.lines[p.at].Text) {
			p.at++
		}
		if p.at == len(p.lines) {
			break
		}
		line = p.lines[p.at]
	}
	j := join(pieces)
	if strings.TrimSpace(j.s) == "" {
		return
	}
	in := p.read(j, false)
	in.End = p.lines[p.at-1].End()
	if in.Inner != nil {
		in.Inner.End = in.End
	}
	p.file.Instructions = append(p.file.Instructions, in)
}

// continued reports whether a line goes on with the next, and cuts off what says
// so: an escape with blanks behind it. One behind another escape does not count.
func (p *parser) continued(line string) (string, bool) {
	text := strings.TrimRight(line, " \t")
	n := len(text) - 1
	if n < 0 || text[n] != p.file.Escape || n > 0 && text[n-1] == p.file.Escape {
		return line, false
	}
	return text[:n], true
}

// A joined is the text of an instruction as one string.
type joined struct {
	s      string
	pieces Text
	starts []int // of the pieces in s
}

func join(pieces Text) joined {
	j := joined{s: pieces.String(), pieces: pieces, starts: make([]int, len(pieces))}
	n := 0
	for i, p := range pieces {
		j.starts[i] = n
		n += len(p.Text)
	}
	return j
}

// piece is the index of the piece that holds a byte of s.
func (j *joined) piece(n int) int {
	i, found := slices.BinarySearch(j.starts, n)
	if !found {
		i--
	}
	return i
}

// at is the byte of the file where the byte n of s stands; behind the last, the
// end of the last piece.
func (j *joined) at(n int) int {
	if len(j.pieces) == 0 {
		return 0
	}
	i := max(0, j.piece(n))
	return j.pieces[i].Pos + n - j.starts[i]
}

// span is where a part of s that is not empty stands.
func (j *joined) span(from, to int) Span {
	return Span{j.at(from), j.at(max(from, to-1)) + min(1, to-from)}
}

// cut is a part of s.
func (j *joined) cut(from, to int) Text {
	var t Text
	for i := max(0, j.piece(from)); i < len(j.pieces) && j.starts[i] < to; i++ {
		p := j.pieces[i]
		a, b := max(0, from-j.starts[i]), min(len(p.Text), to-j.starts[i])
		if a < b {
			t = append(t, Piece{p.Text[a:b], p.Pos + a})
		}
	}
	return t
}
