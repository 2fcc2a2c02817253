package inline

import "strings"

// text turns the parts of a string token into nodes.
func (p *parser) text(t token, o op) *node {
	n := &node{op: o, bytes: t.fresh}
	for _, x := range t.parts {
		if x.code {
			n.kids = append(n.kids, p.expressionText(x.lit))
			continue
		}
		n.kids = append(n.kids, &node{op: nLit, s: x.lit})
	}
	return n
}

// primary parses an operand.
func (p *parser) primary() *node {
	t := p.peek()
	switch t.k {
	case tStr:
		p.next()
		if t.s == "<>" {
			return &node{op: nAngle, s: t.parts[0].lit}
		}
		n := p.text(t, nStr)
		for p.peek().k == tStr && p.peek().s == "" && (p.lang == "python" || p.lang == "ruby" && !p.peek().nl) {
			n.kids = append(n.kids, p.text(p.next(), nStr).kids...)
		}
		return n
	case tCmd:
		p.next()
		return p.text(t, nShell)
	case tWords:
		p.next()
		list := &node{op: nList}
		for w := range strings.FieldsSeq(t.s) {
			list.kids = append(list.kids, &node{op: nStr, kids: []*node{{op: nLit, s: w}}})
		}
		return list
	case tRegex:
		p.next()
		return p.substitution(t)
	case tNum:
		p.next()
		return &node{op: nNum, s: t.s}
	case tVar:
		p.next()
		return &node{op: nName, s: t.s}
	case tIdent:
		return p.word()
	case tOp:
		return p.bracketed(t)
	}
	p.bad = true
	return &node{op: nBad}
}

// substitution is a regular expression; s///e runs its replacement.
func (p *parser) substitution(t token) *node {
	n := &node{op: nRegex, s: t.s}
	if len(t.parts) > 0 {
		n.kids = p.text(t, nStr).kids
	}
	return n
}

// bracketed parses what an opening bracket or another operator begins.
func (p *parser) bracketed(t token) *node {
	switch t.s {
	case "(":
		if n := p.arrow(); n != nil {
			return n
		}
		if n := p.cast(); n != nil {
			return n
		}
		p.next()
		return p.list("(", ")")
	case "[":
		p.next()
		return p.list("[", "]")
	case "{":
		return p.braces()
	case "->":
		if p.lang == "ruby" {
			return p.stabby()
		}
	case "::":
		if p.lang == "ruby" {
			p.next()
			return p.primary()
		}
	case "\\":
		if p.lang == "r" {
			p.next()
			return p.function("")
		}
	case "...", "..":
		p.next()
		return &node{op: nName, s: "..."}
	case ":":
		if p.lang == "r" || p.lang == "python" || p.lang == "ruby" {
			break
		}
	case "<":
	}
	p.bad = true
	return &node{op: nBad}
}

// list parses items up to a closing bracket; a comprehension is one too.
func (p *parser) list(open, end string) *node {
	saveDo, saveIn, saveCall := p.noDo, p.noIn, p.noCall
	p.noDo, p.noIn, p.noCall = false, false, p.lang == "r" || p.lang == "ruby"
	defer func() { p.noDo, p.noIn, p.noCall = saveDo, saveIn, saveCall }()
	n := &node{op: nList, s: open}
	comma := false
	for !p.is(end) && p.peek().k != tEOF {
		before := p.i
		if p.accept(",", ";") {
			comma = true
			continue
		}
		item := p.item()
		if p.lang == "python" && p.is("for", "async") {
			item = p.comprehension(item)
		}
		n.kids = append(n.kids, item)
		for p.lang == "perl" && p.is("if", "for", "foreach", "unless") {
			p.bad = true
			p.next()
		}
		if p.i == before {
			p.bad = true
			p.next()
		}
	}
	p.expect(end)
	if open == "(" && len(n.kids) == 1 && !comma && n.kids[0].op != nKw && p.lang != "perl" {
		return n.kids[0]
	}
	return n
}

// item parses an element of a list or an argument, which may have a name.
func (p *parser) item() *node {
	t := p.peek()
	if t.k == tNL {
		p.next()
		return &node{op: nList}
	}
	named := t.k == tIdent && p.ahead(1).k == tOp
	switch sep := p.ahead(1); {
	case named && sep.s == "=" && (p.lang == "python" || p.lang == "r" || p.lang == "lua"),
		named && sep.s == ":" && p.ahead(2).s != ":" && (p.lang == "php" || p.lang == "ruby" && !sep.sp),
		named && sep.s == "=>" && p.lang != "node":
		p.next()
		p.next()
		if p.lang == "ruby" && p.is(",", ")") {
			return &node{op: nKw, s: t.s, kids: []*node{{op: nName, s: t.s}}}
		}
		return &node{op: nKw, s: t.s, kids: []*node{p.expr(precTernary)}}
	case t.k == tStr && p.lang == "ruby" && sep.k == tOp && sep.s == ":" && !sep.sp:
		key := p.text(p.next(), nStr)
		p.next()
		return &node{op: nKw, kids: []*node{p.expr(precTernary), key}}
	}
	e := p.expr(precAssign)
	if p.lang != "node" && p.accept("=>") {
		return &node{op: nKw, kids: []*node{p.expr(precTernary), e}}
	}
	if p.lang == "lua" && e.op == nList && e.s == "[" && p.accept("=") {
		kw := &node{op: nKw, kids: []*node{p.expr(precTernary)}}
		kw.kids = append(kw.kids, e.kids...)
		return kw
	}
	return e
}

// comprehension parses the for and if clauses behind an element.
func (p *parser) comprehension(elem *node) *node {
	n := &node{op: nComp, kids: []*node{elem}}
	for {
		p.accept("async")
		switch {
		case p.accept("for"):
			target := p.targets()
			p.expect("in")
			n.kids = append(n.kids, target, p.expr(precOr))
		case p.accept("if"):
			n.body = append(n.body, p.expr(precOr))
		default:
			return n
		}
	}
}

// targets parses loop variables.
func (p *parser) targets() *node {
	saved := p.noIn
	p.noIn = true
	defer func() { p.noIn = saved }()
	first := p.expr(precBitOr)
	if p.is(",") {
		return p.moreItems(first)
	}
	return first
}

// braces parses a dictionary, set, hash, object or table.
func (p *parser) braces() *node {
	p.next()
	saveDo, saveIn, saveCall := p.noDo, p.noIn, p.noCall
	p.noDo, p.noIn, p.noCall = false, false, p.lang == "ruby"
	defer func() { p.noDo, p.noIn, p.noCall = saveDo, saveIn, saveCall }()
	if p.lang == "r" {
		body := p.block(func(t token) bool { return t.k == tOp && t.s == "}" })
		p.accept("}")
		return &node{op: nBlock, body: body}
	}
	n := &node{op: nDict}
	for !p.is("}") && p.peek().k != tEOF {
		before := p.i
		if p.accept(",", ";") {
			continue
		}
		n.kids = append(n.kids, p.entry())
		if p.i == before {
			p.bad = true
			p.next()
		}
	}
	p.expect("}")
	return n
}

// entry parses one entry of a dictionary or object.
func (p *parser) entry() *node {
	t := p.peek()
	if p.lang == "node" {
		return p.property()
	}
	e := p.item()
	if e.op == nKw {
		return e
	}
	if p.accept(":") {
		v := p.expr(precTernary)
		kw := &node{op: nKw, kids: []*node{v, e}}
		if p.lang == "python" && p.is("for", "async") {
			return p.comprehension(kw)
		}
		return kw
	}
	if p.lang == "python" && p.is("for", "async") {
		return p.comprehension(e)
	}
	if p.lang == "perl" && p.is(",") && t.k != tOp { // a list of keys and values
		p.next()
		if !p.is("}") {
			return &node{op: nKw, kids: []*node{p.expr(precTernary), e}}
		}
	}
	return e
}

// property parses one property of a JavaScript object or pattern.
func (p *parser) property() *node {
	for p.is("async", "get", "set", "static", "*") && !p.is2(",", ":", "(", "}", "=") {
		p.next()
	}
	t := p.peek()
	var key *node
	switch {
	case t.k == tOp && t.s == "...":
		p.next()
		return p.expr(precAssign)
	case t.k == tOp && t.s == "[":
		p.next()
		key = p.expr(precAssign)
		p.expect("]")
	case t.k == tStr:
		key = p.text(p.next(), nStr)
	default:
		p.next()
		key = &node{op: nStr, kids: []*node{{op: nLit, s: t.s}}}
	}
	switch {
	case p.accept(":"):
		return &node{op: nKw, s: t.s, kids: []*node{p.expr(precAssign), key}}
	case p.is("("):
		return &node{op: nKw, s: t.s, kids: []*node{p.function(""), key}}
	case p.accept("="): // a default value
		name := &node{op: nName, s: t.s}
		return &node{op: nKw, s: t.s, kids: []*node{{op: nAssign, s: "=", kids: []*node{name, p.expr(precAssign)}}, key}}
	}
	return &node{op: nKw, s: t.s, kids: []*node{{op: nName, s: t.s}, key}}
}

// arrow recognises (a, b) => … of JavaScript.
func (p *parser) arrow() *node {
	m := p.peek().match
	if p.lang != "node" || m == 0 || m+1 >= len(p.toks) || p.toks[m+1].k != tOp || p.toks[m+1].s != "=>" {
		return nil
	}
	p.next()
	names, defaults := p.parameters(")")
	p.next()
	return p.arrowBody(names, defaults)
}

func (p *parser) arrowBody(names []string, defaults []*node) *node {
	f := &node{op: nFunc, params: names, kids: defaults}
	if p.is("{") {
		f.body = p.braceBlock()
		return f
	}
	f.body = []*node{{op: nReturn, kids: []*node{p.expr(precAssign)}}}
	return f
}

// cast recognises (int)$x of PHP.
func (p *parser) cast() *node {
	if p.lang != "php" || p.ahead(1).k != tIdent || p.ahead(2).s != ")" {
		return nil
	}
	switch strings.ToLower(p.ahead(1).s) {
	case "int", "integer", "string", "bool", "boolean", "float", "double", "array", "object":
		p.next()
		p.next()
		p.next()
		return p.expr(precUnary)
	}
	return nil
}

// stabby parses ->(x) { … } of Ruby.
func (p *parser) stabby() *node {
	p.next()
	f := &node{op: nFunc}
	if p.accept("(") {
		f.params, f.kids = p.parameters(")")
	} else {
		for p.peek().k == tIdent && !p.is("do") {
			f.params = append(f.params, p.next().s)
			p.accept(",")
		}
	}
	if p.is("{", "do") {
		g := p.closure()
		f.body = g.body
		return f
	}
	p.bad = true
	return f
}
