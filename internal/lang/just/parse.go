package just

import "strings"

// Parse reads a justfile.
func Parse(text string) *File {
	p := &parser{file: &File{Text: text}}
	p.text, p.end = text, len(text)
	p.i = len(text) - len(strings.TrimPrefix(text, "\ufeff"))
	for p.i < p.end {
		p.item()
	}
	return p.file
}

// A parser is the state of reading one justfile. Between items it stands at
// the beginning of a line.
type parser struct {
	reader
	file       *File
	attributes []Attribute // of the next item
}

// eol reports whether nothing but a comment is left on the line.
func (r *reader) eol() bool {
	r.blank()
	return r.i == r.end || r.text[r.i] == '\n' || r.text[r.i] == '#'
}

// line skips what is left of the line.
func (r *reader) line() {
	r.inside, r.depth = 0, 0
	if n := strings.IndexByte(r.text[r.i:r.end], '\n'); n >= 0 {
		r.i += n + 1
	} else {
		r.i = r.end
	}
}

// add adds an item, and skips the rest of its line.
func (p *parser) add(n Item) {
	p.file.Items = append(p.file.Items, n)
	p.attributes = nil
	p.line()
}

// item reads the item that begins with the line.
func (p *parser) item() {
	at := p.i
	if p.eol() {
		p.line()
		return
	}
	switch c := p.text[at]; {
	case c == '[':
		p.attribute()
		return
	case c == ' ' || c == '\t':
		p.unknown(at)
		return
	}
	name := p.word()
	behind := p.i
	switch {
	case name != "" && p.take(":="):
		p.assignment(at, name, false)
		return
	case p.keyword(at, name):
		return
	}
	p.i = behind
	if name == "" && p.take("@") {
		name = p.word()
	}
	if name == "" || !p.recipe(at, name) {
		p.unknown(at)
	}
}

// keyword reads an item that begins with a word of the language; it reports
// false if it is none, for the word can be a recipe's name too.
func (p *parser) keyword(at int, word string) bool {
	optional := (word == "import" || word == "mod") && p.i < p.end && p.text[p.i] == '?'
	if optional {
		p.i++
	}
	if word == "import" {
		p.blank()
		path, is, ok := p.literal()
		if !is || !ok || !p.eol() {
			return false
		}
		p.add(&Import{At: at, Path: path, Optional: optional})
		return true
	}
	name := p.word()
	if name == "" {
		return false
	}
	switch word {
	case "set":
		return p.setting(at, name)
	case "alias":
		if p.take(":=") {
			target, ok := p.target()
			if ok && p.eol() {
				p.add(&Alias{At: at, Name: name, Target: target, Attributes: p.attributes})
				return true
			}
		}
	case "export":
		if p.take(":=") {
			p.assignment(at, name, true)
			return true
		}
	case "unexport":
		if p.eol() {
			p.add(&Unexport{At: at, Name: name})
			return true
		}
	case "mod":
		n := &Module{At: at, Name: name, Optional: optional}
		p.blank()
		path, is, ok := p.literal()
		if is && ok {
			n.Path = path
		}
		if is == ok && p.eol() {
			p.add(n)
			return true
		}
	}
	return false
}

// target reads the name of a recipe, also of one in a module: a::b.
func (r *reader) target() (string, bool) {
	r.blank()
	at := r.i
	for {
		if r.word() == "" {
			return "", false
		}
		if !strings.HasPrefix(r.text[r.i:r.end], "::") {
			return r.text[at:r.i], true
		}
		r.i += len("::")
	}
}

// assignment reads what stands behind :=.
func (p *parser) assignment(at int, name string, export bool) {
	p.blank()
	start := p.i
	value, ok := p.expression()
	if !ok || !p.eol() {
		value = p.bad(start)
	}
	p.add(&Assignment{At: at, Name: name, Value: value, Export: export})
}

// bad is what stands from an offset up to the end of the line that the reader
// is on.
func (p *parser) bad(from int) Expr {
	end := p.end
	if n := strings.IndexByte(p.text[p.i:p.end], '\n'); n >= 0 {
		end = p.i + n
	}
	return &Bad{At: from, End: end}
}

// setting reads what stands behind the name of a setting; it reports false if
// it is none.
func (p *parser) setting(at int, name string) bool {
	n := &Setting{At: at, Name: name}
	if p.eol() {
		n.On = true
		p.add(n)
		return true
	}
	if !p.take(":=") {
		return false
	}
	p.blank()
	start := p.i
	rest := p.text[start : start+nameEnd(p.text[start:p.end])]
	ok := true
	switch {
	case rest == "true" || rest == "false":
		p.i += len(rest)
		n.On = rest == "true"
	case p.open("["):
		n.List, ok = p.list("]")
	default:
		n.Value, ok = p.expression()
	}
	if !ok || !p.eol() {
		n.List, n.Value = nil, p.bad(start)
	}
	p.add(n)
	return true
}

// list reads expressions with commas between them, up to a bracket.
func (r *reader) list(end string) (all []Expr, ok bool) {
	for !r.peek(end) {
		x, ok := r.expression()
		if !ok {
			r.inside--
			return all, false
		}
		all = append(all, x)
		if !r.take(",") {
			break
		}
	}
	return all, r.closed(end)
}

// attribute reads attributes in brackets: [NAME], [NAME: 'a'], [NAME('a', 'b')].
// One that cannot be read has no name.
func (p *parser) attribute() {
	p.open("[")
	for {
		p.blank()
		a := Attribute{At: p.i, Name: p.word()}
		ok := a.Name != ""
		switch {
		case ok && p.open("("):
			a.Args, ok = p.list(")")
		case ok && p.take(":"):
			var x Expr
			if x, ok = p.expression(); ok {
				a.Args = []Expr{x}
			}
		}
		if !ok {
			a.Name, a.Args = "", nil
		}
		p.attributes = append(p.attributes, a)
		if ok && p.take(",") {
			continue
		}
		if ok && !p.take("]") {
			p.attributes = append(p.attributes, Attribute{At: a.At})
		}
		break
	}
	p.line()
}

// unknown adds a line that is none of the items, with what is indented below.
func (p *parser) unknown(at int) {
	p.i = max(p.i, p.far)
	p.add(&Unknown{At: at})
	p.body()
}
