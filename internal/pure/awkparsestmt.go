package pure

// statement reads one statement with what ends it.
func (p *awkParser) statement() (*awkNode, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if p.is("{") {
		return p.block()
	}
	if t := p.peek(); t.kind == awkKeyword {
		switch t.text {
		case "if":
			return p.ifStatement()
		case "while":
			return p.whileStatement()
		case "for":
			return p.forStatement()
		case "do":
			return p.doStatement()
		}
	}
	s, err := p.simple()
	if err != nil {
		return nil, err
	}
	return s, p.endSimple()
}

// endSimple reads the end of a simple statement; a closing brace stays.
func (p *awkParser) endSimple() error {
	switch {
	case p.is("}"):
		return nil
	case p.peek().kind == awkNewline, p.is(";"):
		p.at++
		return nil
	}
	return errUnknown
}

// body reads the statement that a loop or condition governs.
func (p *awkParser) body() (*awkNode, error) {
	p.newlines()
	if p.take(";") {
		return &awkNode{op: awkBlock}, nil
	}
	return p.statement()
}

func (p *awkParser) condition() (*awkNode, error) {
	if err := p.expect("("); err != nil {
		return nil, err
	}
	c, err := p.expression()
	if err != nil {
		return nil, err
	}
	return c, p.expect(")")
}

func (p *awkParser) ifStatement() (*awkNode, error) {
	p.at++
	c, err := p.condition()
	if err != nil {
		return nil, err
	}
	then, err := p.body()
	if err != nil {
		return nil, err
	}
	n := &awkNode{op: awkIf, subs: []*awkNode{c, then}}
	mark := p.at
	p.separators()
	if !p.isWord("else") {
		p.at = mark
		return n, nil
	}
	p.at++
	other, err := p.body()
	n.subs = append(n.subs, other)
	return n, err
}

func (p *awkParser) loopBody() (*awkNode, error) {
	p.loops++
	defer func() { p.loops-- }()
	return p.body()
}

func (p *awkParser) whileStatement() (*awkNode, error) {
	p.at++
	c, err := p.condition()
	if err != nil {
		return nil, err
	}
	body, err := p.loopBody()
	return &awkNode{op: awkWhile, subs: []*awkNode{c, body}}, err
}

func (p *awkParser) doStatement() (*awkNode, error) {
	p.at++
	body, err := p.loopBody()
	if err != nil {
		return nil, err
	}
	p.separators()
	if !p.isWord("while") {
		return nil, errUnknown
	}
	p.at++
	c, err := p.condition()
	if err != nil {
		return nil, err
	}
	return &awkNode{op: awkDo, subs: []*awkNode{body, c}}, p.endSimple()
}

func (p *awkParser) forStatement() (*awkNode, error) {
	p.at++
	if err := p.expect("("); err != nil {
		return nil, err
	}
	if n := p.forIn(); n != nil {
		body, err := p.loopBody()
		n.subs = append(n.subs, body)
		return n, err
	}
	n := &awkNode{op: awkFor, subs: make([]*awkNode, 4)}
	var err error
	for i, end := range []string{";", ";", ")"} {
		if !p.is(end) {
			if i == 1 {
				n.subs[i], err = p.expression()
			} else {
				n.subs[i], err = p.simple()
			}
			if err != nil {
				return nil, err
			}
		}
		if err := p.expect(end); err != nil {
			return nil, err
		}
		p.newlines()
	}
	n.subs[3], err = p.loopBody()
	return n, err
}

// forIn reads "name in name)" after "for (", or nothing.
func (p *awkParser) forIn() *awkNode {
	if p.at+3 >= len(p.toks) {
		return nil
	}
	t := p.toks[p.at : p.at+4]
	if t[0].kind != awkName || t[1].kind != awkKeyword || t[1].text != "in" || t[2].kind != awkName || t[3].text != ")" {
		return nil
	}
	p.at += 4
	return &awkNode{op: awkForIn, subs: []*awkNode{p.variable(t[0].text, false), p.variable(t[2].text, true)}}
}

// simple reads a statement without its end.
func (p *awkParser) simple() (*awkNode, error) {
	t := p.peek()
	if t.kind != awkKeyword || t.text == "in" {
		e, err := p.expression()
		if err != nil || !e.changes() && e.op != awkElement {
			return nil, errUnknown // {3.14} is an error to some
		}
		return &awkNode{op: awkExpr, subs: []*awkNode{e}}, nil
	}
	p.at++
	switch t.text {
	case "print", "printf":
		return p.printStatement(t.text)
	case "next":
		if !p.inRule {
			return nil, errUnknown
		}
		return &awkNode{op: awkNext}, nil
	case "break", "continue":
		if p.loops == 0 {
			return nil, errUnknown
		}
		if t.text == "break" {
			return &awkNode{op: awkBreak}, nil
		}
		return &awkNode{op: awkContinue}, nil
	case "exit":
		n := &awkNode{op: awkExit}
		if k := p.peek(); k.kind == awkNewline || k.kind == awkEOF || p.is(";") || p.is("}") {
			return n, nil
		}
		e, err := p.expression()
		n.subs = []*awkNode{e}
		return n, err
	case "delete":
		return p.deleteStatement()
	}
	return nil, errUnknown
}

// deleteStatement reads delete a[i] or delete a.
func (p *awkParser) deleteStatement() (*awkNode, error) {
	t := p.peek()
	if t.kind != awkName {
		return nil, errUnknown
	}
	p.at++
	e, err := p.named(t.text, true)
	return &awkNode{op: awkDelete, subs: []*awkNode{e}}, err
}

// printStatement reads the operands of print and printf. Redirections are
// unknown, and so is a comparison outside parentheses.
func (p *awkParser) printStatement(name string) (*awkNode, error) {
	n := &awkNode{op: awkPrint}
	if name == "printf" {
		n.op = awkPrintf
	}
	ends := func() bool { return p.peek().kind == awkNewline || p.is(";") || p.is("}") }
	if ends() {
		if n.op == awkPrintf {
			return nil, errUnknown
		}
		return n, nil
	}
	if mark := p.at; p.take("(") { // print (a, b)
		list, err := p.list(")")
		if err == nil && len(list) > 0 && p.take(")") && ends() {
			n.subs = list
			return n, nil
		}
		p.at = mark
	}
	p.bare = true
	defer func() { p.bare = false }()
	for {
		e, err := p.expression()
		if err != nil {
			return nil, err
		}
		n.subs = append(n.subs, e)
		if !p.take(",") {
			break
		}
		p.newlines()
	}
	if !ends() {
		return nil, errUnknown
	}
	return n, nil
}
