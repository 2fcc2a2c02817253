package inline

// pythonStatement parses one statement (language reference, chapters 7, 8).
func (p *parser) pythonStatement() *node {
	t := p.peek()
	if t.k == tIdent {
		switch t.s {
		case "import", "from":
			if t.s == "import" || p.ahead(1).k == tIdent || p.ahead(1).s == "." || p.ahead(1).s == "..." {
				return p.pythonImport()
			}
		case "if", "elif", "while":
			p.next()
			n := &node{op: nIf, kids: []*node{p.expr(precAssign)}}
			if t.s == "while" {
				n.op = nLoop
			}
			n.body = p.suite()
			return n
		case "else", "finally":
			p.next()
			return &node{op: nIf, body: p.suite()}
		case "try":
			p.next()
			return &node{op: nTry, body: p.suite()}
		case "except":
			return p.pythonExcept()
		case "for":
			p.next()
			n := &node{op: nFor, kids: []*node{p.targets()}}
			p.expect("in")
			n.kids = append(n.kids, p.testList())
			n.body = p.suite()
			return n
		case "with":
			return p.pythonWith()
		default:
			if n := p.pythonDefinition(t); n != nil {
				return n
			}
		}
	}
	if t.k == tOp && t.s == "@" {
		p.next()
		return &node{op: nUnary, s: "decorator", kids: []*node{p.expr(precAssign)}}
	}
	return p.pythonExpression()
}

// pythonDefinition parses functions, classes and jumps.
func (p *parser) pythonDefinition(t token) *node {
	switch t.s {
	case "def":
		p.next()
		f := &node{op: nFunc, s: p.next().s}
		if p.accept("(") {
			f.params, f.kids = p.parameters(")")
		}
		if p.accept("->") {
			f.kids = append(f.kids, p.expr(precTernary))
		}
		f.body = p.suite()
		return f
	case "class":
		return p.pythonClass()
	case "async":
		p.next()
		return p.pythonStatement()
	case "global", "nonlocal", "pass", "break", "continue":
		n := &node{op: nJump, s: t.s}
		p.next()
		for p.peek().k != tNL && p.peek().k != tEOF && !p.is(";") {
			if w := p.next(); w.k == tIdent {
				n.params = append(n.params, w.s)
			}
		}
		return n
	case "return", "raise", "assert", "del":
		p.next()
		n := &node{op: nReturn, s: t.s}
		if !p.ends(p.peek()) {
			n.kids = append(n.kids, p.testList())
			if p.accept("from") {
				n.kids = append(n.kids, p.expr(precTernary))
			}
		}
		return n
	}
	return nil
}

// testList parses expressions with commas between them.
func (p *parser) testList() *node {
	first := p.expr(precAssign)
	if p.is(",") {
		return p.moreItems(first)
	}
	return first
}

func (p *parser) pythonExpression() *node {
	left := p.expr(precTernary)
	if p.is(",") {
		left = p.moreItems(left)
	}
	var note *node // an annotation, which is evaluated
	if p.accept(":") && left.op != nCall {
		note = p.expr(precTernary)
		if !p.is("=") {
			return note
		}
	}
	t := p.peek()
	if t.k == tOp && p.binary(t) == precAssign {
		p.next()
		n := &node{op: nAssign, s: t.s, kids: []*node{left, p.pythonExpression()}}
		if note != nil {
			n = &node{op: nBlock, body: []*node{note, n}}
		}
		return n
	}
	if t.k != tNL && t.k != tEOF && t.k != tDedent && !(t.k == tOp && t.s == ";") {
		p.bad = true
	}
	return left
}

// suite parses what follows a colon: statements on the line, or a block.
func (p *parser) suite() []*node {
	p.expect(":")
	if p.peek().k != tNL {
		return p.block(func(t token) bool { return t.k == tNL })
	}
	for p.peek().k == tNL {
		p.next()
	}
	if p.peek().k != tIndent {
		return nil
	}
	p.next()
	body := p.block(func(t token) bool { return t.k == tDedent })
	p.next()
	return body
}

func (p *parser) pythonImport() *node {
	n := &node{op: nImport}
	if p.next().s == "import" {
		for {
			module := p.dotted(".")
			alias := ""
			if p.accept("as") {
				alias = p.next().s
			}
			n.params = append(n.params, module, alias)
			if !p.accept(",") {
				return n
			}
		}
	}
	for p.is(".", "...") {
		p.next()
		n.s = "."
	}
	n.s += p.dotted(".")
	p.expect("import")
	p.accept("(")
	for {
		name := p.next().s
		alias := ""
		if p.accept("as") {
			alias = p.next().s
		}
		n.params = append(n.params, name, alias)
		if !p.accept(",") || p.is(")") {
			break
		}
	}
	p.accept(")")
	return n
}

func (p *parser) pythonExcept() *node {
	p.next()
	p.accept("*")
	if !p.is(":") {
		n := &node{op: nIf, kids: []*node{p.testList()}} // any expression
		if p.accept("as") {
			n.kids = append(n.kids, caught(p.next().s))
		}
		n.body = p.suite()
		return n
	}
	return &node{op: nIf, body: p.suite()}
}

// caught binds the name of an exception to something that is not known.
func caught(name string) *node {
	nothing := &node{op: nUnary, s: "typeof", kids: []*node{{op: nNum, s: "0"}}}
	return &node{op: nAssign, s: "=", kids: []*node{{op: nName, s: name}, nothing}}
}

func (p *parser) pythonWith() *node {
	p.next()
	n := &node{op: nBlock}
	group := p.is("(") && p.ahead(p.peek().match-p.i+1).s == ":"
	if group {
		p.next()
	}
	for {
		e := p.expr(precTernary)
		if p.accept("as") {
			e = &node{op: nAssign, s: "=", kids: []*node{p.expr(precTernary), {op: nUnary, s: "with", kids: []*node{e}}}}
		}
		n.body = append(n.body, e)
		if !p.accept(",") || p.is(")") {
			break
		}
	}
	if group {
		p.accept(")")
	}
	n.body = append(n.body, p.suite()...)
	return n
}

func (p *parser) pythonClass() *node {
	p.next()
	n := &node{op: nClass, s: p.next().s}
	if p.is("(") {
		n.kids = p.arguments()
	}
	n.body = p.suite()
	return n
}
