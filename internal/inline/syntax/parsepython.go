package syntax

// pythonStatement parses one statement (language reference, chapters 7, 8).
func (p *parser) pythonStatement() *Node {
	t := p.peek()
	if t.Kind == TokIdent {
		switch t.Text {
		case "import", "from":
			if t.Text == "import" || p.ahead(1).Kind == TokIdent || p.ahead(1).Text == "." || p.ahead(1).Text == "..." {
				return p.pythonImport()
			}
		case "if", "elif", "while":
			p.next()
			n := &Node{Op: OpIf, Kids: []*Node{p.expr(precAssign)}}
			if t.Text == "while" {
				n.Op = OpLoop
			}
			n.Body = p.suite()
			return n
		case "else", "finally":
			p.next()
			return &Node{Op: OpIf, Body: p.suite()}
		case "try":
			p.next()
			return &Node{Op: OpTry, Body: p.suite()}
		case "except":
			return p.pythonExcept()
		case "for":
			p.next()
			n := &Node{Op: OpFor, Kids: []*Node{p.targets()}}
			p.expect("in")
			n.Kids = append(n.Kids, p.testList())
			n.Body = p.suite()
			return n
		case "with":
			return p.pythonWith()
		default:
			if n := p.pythonDefinition(t); n != nil {
				return n
			}
		}
	}
	if t.Kind == TokOp && t.Text == "@" {
		p.next()
		return &Node{Op: OpUnary, Text: "decorator", Kids: []*Node{p.expr(precAssign)}}
	}
	return p.pythonExpression()
}

// pythonDefinition parses functions, classes and jumps.
func (p *parser) pythonDefinition(t Token) *Node {
	switch t.Text {
	case "def":
		p.next()
		f := &Node{Op: OpFunc, Text: p.next().Text}
		if p.accept("(") {
			f.Params, f.Kids = p.parameters(")")
		}
		if p.accept("->") {
			f.Kids = append(f.Kids, p.expr(precTernary))
		}
		f.Body = p.suite()
		return f
	case "class":
		return p.pythonClass()
	case "async":
		p.next()
		return p.pythonStatement()
	case "global", "nonlocal", "pass", "break", "continue":
		n := &Node{Op: OpJump, Text: t.Text}
		p.next()
		for p.peek().Kind != TokNL && p.peek().Kind != TokEOF && !p.is(";") {
			if w := p.next(); w.Kind == TokIdent {
				n.Params = append(n.Params, w.Text)
			}
		}
		return n
	case "return", "raise", "assert", "del":
		p.next()
		n := &Node{Op: OpReturn, Text: t.Text}
		if !p.ends(p.peek()) {
			n.Kids = append(n.Kids, p.testList())
			if p.accept("from") {
				n.Kids = append(n.Kids, p.expr(precTernary))
			}
		}
		return n
	}
	return nil
}

// testList parses expressions with commas between them.
func (p *parser) testList() *Node {
	first := p.expr(precAssign)
	if p.is(",") {
		return p.moreItems(first)
	}
	return first
}

func (p *parser) pythonExpression() *Node {
	left := p.expr(precTernary)
	if p.is(",") {
		left = p.moreItems(left)
	}
	var note *Node // an annotation, which is evaluated
	if p.accept(":") && left.Op != OpCall {
		note = p.expr(precTernary)
		if !p.is("=") {
			return note
		}
	}
	t := p.peek()
	if t.Kind == TokOp && p.binary(t) == precAssign {
		p.next()
		n := &Node{Op: OpAssign, Text: t.Text, Kids: []*Node{left, p.pythonExpression()}}
		if note != nil {
			n = &Node{Op: OpBlock, Body: []*Node{note, n}}
		}
		return n
	}
	if t.Kind != TokNL && t.Kind != TokEOF && t.Kind != TokDedent && !(t.Kind == TokOp && t.Text == ";") {
		p.bad = true
	}
	return left
}

// suite parses what follows a colon: statements on the line, or a block.
func (p *parser) suite() []*Node {
	p.expect(":")
	if p.peek().Kind != TokNL {
		return p.block(func(t Token) bool { return t.Kind == TokNL })
	}
	for p.peek().Kind == TokNL {
		p.next()
	}
	if p.peek().Kind != TokIndent {
		return nil
	}
	p.next()
	body := p.block(func(t Token) bool { return t.Kind == TokDedent })
	p.next()
	return body
}

func (p *parser) pythonImport() *Node {
	n := &Node{Op: OpImport}
	if p.next().Text == "import" {
		for {
			module := p.dotted(".")
			alias := ""
			if p.accept("as") {
				alias = p.next().Text
			}
			n.Params = append(n.Params, module, alias)
			if !p.accept(",") {
				return n
			}
		}
	}
	for p.is(".", "...") {
		p.next()
		n.Text = "."
	}
	n.Text += p.dotted(".")
	p.expect("import")
	p.accept("(")
	for {
		name := p.next().Text
		alias := ""
		if p.accept("as") {
			alias = p.next().Text
		}
		n.Params = append(n.Params, name, alias)
		if !p.accept(",") || p.is(")") {
			break
		}
	}
	p.accept(")")
	return n
}

func (p *parser) pythonExcept() *Node {
	p.next()
	p.accept("*")
	if !p.is(":") {
		n := &Node{Op: OpIf, Kids: []*Node{p.testList()}} // any expression
		if p.accept("as") {
			n.Kids = append(n.Kids, caught(p.next().Text))
		}
		n.Body = p.suite()
		return n
	}
	return &Node{Op: OpIf, Body: p.suite()}
}

// caught binds the name of an exception to something that is not known.
func caught(name string) *Node {
	nothing := &Node{Op: OpUnary, Text: "typeof", Kids: []*Node{{Op: OpNum, Text: "0"}}}
	return &Node{Op: OpAssign, Text: "=", Kids: []*Node{{Op: OpName, Text: name}, nothing}}
}

func (p *parser) pythonWith() *Node {
	p.next()
	n := &Node{Op: OpBlock}
	group := p.is("(") && p.ahead(p.peek().Match-p.i+1).Text == ":"
	if group {
		p.next()
	}
	for {
		e := p.expr(precTernary)
		if p.accept("as") {
			e = &Node{Op: OpAssign, Text: "=", Kids: []*Node{p.expr(precTernary), {Op: OpUnary, Text: "with", Kids: []*Node{e}}}}
		}
		n.Body = append(n.Body, e)
		if !p.accept(",") || p.is(")") {
			break
		}
	}
	if group {
		p.accept(")")
	}
	n.Body = append(n.Body, p.suite()...)
	return n
}

func (p *parser) pythonClass() *Node {
	p.next()
	n := &Node{Op: OpClass, Text: p.next().Text}
	if p.is("(") {
		n.Kids = p.arguments()
	}
	n.Body = p.suite()
	return n
}
