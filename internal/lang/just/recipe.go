package just

import "strings"

// recipe reads a recipe whose name was read; it reports false if it is none.
func (p *parser) recipe(at int, name string) bool {
	n := &Recipe{At: at, Name: name, Quiet: p.text[at] == '@', Attributes: p.attributes}
	from := p.i
	if !p.params(n) || !p.dependencies(n) {
		p.inside, p.depth = 0, 0
		rest, _, _ := strings.Cut(p.text[from:p.end], "\n")
		if !strings.Contains(rest, ":") {
			return false
		}
		n.Broken = true
		p.i = max(p.i, from+len(rest))
	}
	p.add(n)
	n.Body = p.body()
	return true
}

// params reads the parameters, and the colon behind them.
func (p *parser) params(n *Recipe) bool {
	for !p.take(":") {
		x := Param{At: p.i}
		for _, c := range []byte("+*") {
			if p.take(string(c)) {
				x.Variadic = c
			}
		}
		x.Export = p.take("$")
		if x.Name = p.word(); x.Name == "" {
			return false
		}
		if p.take("=") {
			var ok bool
			if x.Default, ok = p.value(); !ok {
				return false
			}
		}
		n.Params = append(n.Params, x)
	}
	return true
}

// dependencies reads the recipes behind the colon.
func (p *parser) dependencies(n *Recipe) bool {
	list := &n.Deps
	for !p.eol() {
		if p.take("&&") {
			list = &n.After
			continue
		}
		d := Dependency{At: p.i}
		call := p.open("(")
		var ok bool
		if d.Name, ok = p.target(); !ok {
			return false
		}
		if call {
			for !p.peek(")") {
				x, ok := p.expression()
				if !ok {
					return false
				}
				d.Args = append(d.Args, x)
			}
			if !p.closed(")") {
				return false
			}
		}
		*list = append(*list, d)
	}
	return true
}

// body reads the lines that are indented, and those that are empty between
// them.
func (p *parser) body() []Line {
	var lines []Line
	indent := ""
	full := 0 // lines up to the last that is not empty
	for p.i < p.end {
		at := p.i
		end := p.end
		if n := strings.IndexByte(p.text[at:], '\n'); n >= 0 {
			end = at + n
		}
		l := strings.TrimSuffix(p.text[at:end], "\r")
		bare := strings.TrimLeft(l, " \t")
		if bare != "" && len(bare) == len(l) {
			break
		}
		p.line()
		if bare == "" {
			lines = append(lines, Line{At: at})
			continue
		}
		if full == 0 {
			indent = l[:len(l)-len(bare)]
		}
		own, ok := strings.CutPrefix(l, indent)
		if !ok {
			own = bare
		}
		from := at + len(l) - len(own)
		lines = append(lines, Line{At: from, Parts: fragments(p.text, from, at+len(l))})
		full = len(lines)
	}
	return lines[:full]
}

// fragments reads a line of a recipe: {{{{ stands for {{.
func fragments(text string, from, end int) []Fragment {
	var all []Fragment
	r := &reader{text: text, end: end}
	add := func(from, to int) {
		if from < to {
			all = append(all, &Text{from, text[from:to]})
		}
	}
	last := strings.LastIndex(text[from:end], "}}") + from // none is closed behind it
	for {
		n := strings.Index(text[from:end], "{{")
		if n < 0 {
			add(from, end)
			return all
		}
		at := from + n
		add(from, at)
		if strings.HasPrefix(text[at:end], "{{{{") {
			add(at+2, at+4)
			from = at + 4
			continue
		}
		r.i, r.inside, r.depth = at+2, 0, 0
		x, ok := r.expression()
		switch {
		case ok && r.take("}}"):
			from = r.i
		case last > at:
			from = at + strings.Index(text[at:end], "}}") + 2
			x = &Bad{at + 2, from - 2}
		default:
			add(at, end)
			return all
		}
		all = append(all, &Interpolation{at, from, x})
	}
}
