package makefile

import "strings"

// maxConditionals is how deep conditionals are followed into each other.
const maxConditionals = 100

// Parse reads a makefile.
func Parse(text string) *File {
	p := &parser{file: &File{Text: text}, prefix: '\t'}
	p.text = text
	if strings.HasPrefix(text, "\ufeff") {
		p.next = len("\ufeff")
	}
	for p.more() {
		p.line()
	}
	for len(p.open) > 0 { // an endif is missing
		p.end()
	}
	return p.file
}

// A parser is the state of reading one makefile.
type parser struct {
	reader
	file   *File
	prefix byte // that begins a recipe line (".RECIPEPREFIX")
	rule   bool // recipe lines can follow
	open   []*If
	deeper int // conditionals that are open beyond maxConditionals
}

// add adds a node where the parser stands.
func (p *parser) add(n Node) {
	body := &p.file.Body
	if len(p.open) > 0 {
		branches := p.open[len(p.open)-1].Branches
		body = &branches[len(branches)-1].Body
	}
	*body = append(*body, n)
}

// end closes the innermost conditional.
func (p *parser) end() {
	n := p.open[len(p.open)-1]
	p.open = p.open[:len(p.open)-1]
	p.add(n)
}

// line reads the next logical line.
func (p *parser) line() {
	text, at := p.physical()
	if p.rule && text != "" && text[0] == p.prefix {
		p.recipe(p.command(text, at, p.prefix), 0)
		return
	}
	l := p.logical(text, at)
	if from, to := l.trim(0, len(l.text)); from < to && l.text[from] != '#' {
		p.statement(l, from, &Assign{})
	}
}

// recipe adds the recipe line that a line is from an offset on.
func (p *parser) recipe(l *line, from int) {
	var prefix []byte
	for ; from < len(l.text) && strings.IndexByte("@-+ \t", l.text[from]) >= 0; from++ {
		if !isBlank(l.text[from]) {
			prefix = append(prefix, l.text[from])
		}
	}
	p.add(&Recipe{At: l.pos(from), Prefix: string(prefix), Text: l.texts(from, len(l.text), 0)})
}

// statement reads a line that is no recipe. set says what words before from say
// of how a variable is set.
func (p *parser) statement(l *line, from int, set *Assign) {
	to := l.comment(from, len(l.text))
	end := from
	for end < to && !isBlank(l.text[end]) {
		end++
	}
	word := l.text[from:end]
	rest, last := l.trim(end, to)
	op, isSet := l.operator(from, to)
	if isSet {
		if start, end := l.trim(from, op.start); l.text[start:end] == word { // a variable may have any name
			p.plain(l, from, to, set)
			return
		}
	}
	switch word {
	case "override", "private", "export":
		set.Override = set.Override || word == "override"
		set.Private = set.Private || word == "private"
		set.Export = set.Export || word == "export"
		if word == "export" && !isSet && !strings.HasPrefix(l.text[rest:], "define") {
			p.rule = false
			p.add(&Export{At: l.pos(from), Names: l.texts(rest, last, 0)})
		} else if rest < last {
			p.statement(l, rest, set)
		}
	case "ifeq", "ifneq", "ifdef", "ifndef", "else", "endif":
		p.conditional(l, word, from, rest, last)
	default:
		if !p.directive(l, word, from, rest, last, set) {
			p.plain(l, from, to, set)
		}
	}
}

// directive reads a directive; it reports false for other words.
func (p *parser) directive(l *line, word string, from, rest, to int, set *Assign) bool {
	var n Node
	at := l.pos(from)
	switch word {
	case "include", "-include", "sinclude":
		n = &Include{At: at, Files: l.texts(rest, to, 0), Optional: word != "include"}
	case "unexport":
		n = &Export{At: at, Names: l.texts(rest, to, 0), Off: true}
	case "undefine":
		n = &Undefine{At: at, Name: l.texts(rest, to, 0)}
	case "vpath", "load", "-load":
		n = &Directive{At: at, Word: word, Rest: l.texts(rest, to, 0)}
	case "define":
		n = p.define(l, rest, to, set)
	default:
		return false
	}
	p.rule = false
	p.add(n)
	return true
}

// An operator is where a line sets a variable.
type operator struct {
	start, end int
	text       string
}

// operator finds the operator with which a part of a line sets a variable.
func (l *line) operator(from, to int) (op operator, ok bool) {
	i := l.find(from, to, "=:;")
	if i == to || l.text[i] == ';' {
		return op, false
	}
	op.start, op.end = i, i+1
	if l.text[i] == ':' {
		for op.end < to && l.text[op.end] == ':' {
			op.end++
		}
		if op.end == to || l.text[op.end] != '=' || op.end-op.start > 3 {
			return op, false
		}
		op.end++
	} else if i > from && strings.IndexByte("?+!", l.text[i-1]) >= 0 {
		op.start--
	}
	op.text = l.text[op.start:op.end]
	start, end := l.trim(from, op.start)
	return op, start < end
}

// plain reads an assignment, a rule, or text on its own.
func (p *parser) plain(l *line, from, to int, set *Assign) {
	p.rule = false
	if op, ok := l.operator(from, to); ok {
		p.assign(l, from, op, to, set)
		p.add(set)
		if name, _ := set.Name.Literal(); name == ".RECIPEPREFIX" {
			p.prefix = '\t'
			if value, _ := set.Value.Literal(); value != "" {
				p.prefix = value[0]
			}
		}
		return
	}
	if colon := l.find(from, to, ":;"); colon < to && l.text[colon] == ':' {
		p.ruleLine(l, from, colon, to)
		return
	}
	from, to = l.trim(from, to)
	p.add(&Expand{At: l.pos(from), Text: l.texts(from, to, 0)})
}

// assign fills in an assignment. Blanks behind the value belong to it.
func (p *parser) assign(l *line, from int, op operator, to int, set *Assign) {
	start, end := l.trim(from, op.start)
	set.At, set.Op, set.Name = l.pos(start), op.text, l.texts(start, end, 0)
	value, _ := l.trim(op.end, to)
	set.Raw, set.Value = l.text[value:to], l.texts(value, to, 0)
}

// ruleLine reads `targets: needs | order ; recipe`, a static pattern rule, or a
// variable of targets.
func (p *parser) ruleLine(l *line, from, colon, to int) {
	start, end := l.trim(from, colon)
	r := &Rule{At: l.pos(start)}
	if end > start && l.text[end-1] == '&' {
		r.Grouped = true
		_, end = l.trim(start, end-1)
	}
	r.Targets = l.texts(start, end, 0)
	rest := colon + 1
	if rest < to && l.text[rest] == ':' {
		r.Double = true
		rest++
	}
	if op, ok := l.operator(rest, to); ok {
		r.Set = &Assign{}
		p.assign(l, p.modifiers(l, rest, op.start, r.Set), op, to, r.Set)
		p.add(r)
		return
	}
	semicolon := l.find(rest, to, ";")
	needs := semicolon
	if second := l.find(rest, needs, ":"); second < needs {
		a, b := l.trim(rest, second)
		static := l.texts(a, b, 0)
		r.Static, rest = &static, second+1
	}
	bar := l.find(rest, needs, "|")
	a, b := l.trim(rest, bar)
	r.Needs = l.texts(a, b, 0)
	if bar < needs {
		a, b = l.trim(bar+1, needs)
		r.Order = l.texts(a, b, 0)
	}
	p.add(r)
	p.rule = true
	if semicolon < to { // a number sign in it is the shell's
		command := *l
		command.recipe = true
		p.recipe(&command, semicolon+1)
	}
}

// modifiers reads the words before the name of a variable of targets.
func (p *parser) modifiers(l *line, from, to int, set *Assign) (name int) {
	for {
		start, _ := l.trim(from, to)
		word, rest, more := strings.Cut(l.text[start:to], " ")
		if !more || strings.TrimSpace(rest) == "" {
			return start
		}
		switch word {
		case "export":
			set.Export = true
		case "override":
			set.Override = true
		case "private":
			set.Private = true
		default:
			return start
		}
		from = start + len(word)
	}
}
