package awk

// statement reads one statement with what ends it.
func (p *parser) statement() *Node {
	if !p.enter() {
		return p.node(Bad, p.tok.pos, "", "")
	}
	defer p.leave()
	pos := p.tok.pos
	if p.is("{") {
		return p.block()
	}
	if p.tok.kind == tKeyword {
		switch p.tok.text {
		case "if":
			return p.ifStatement()
		case "while":
			p.next()
			c := p.condition()
			body := p.body()
			return p.node(While, pos, "", "", c, body)
		case "for":
			return p.forStatement()
		case "do":
			return p.doStatement()
		case "switch":
			return p.switchStatement()
		}
	}
	n := p.simple()
	p.end()
	return n
}

// end passes the end of a simple statement; a closing brace stays.
func (p *parser) end() {
	switch {
	case p.is("}"):
	case p.tok.kind == tNewline, p.is(";"):
		p.next()
	default:
		p.unexpected()
	}
}

// ended reports whether a simple statement ends here.
func (p *parser) ended() bool {
	return p.tok.kind == tNewline || p.tok.kind == tEOF || p.is(";") || p.is("}")
}

// body reads the statement that a loop or a condition governs.
func (p *parser) body() *Node {
	p.newlines()
	if pos := p.tok.pos; p.take(";") {
		return p.node(Block, pos, "", "")
	}
	return p.statement()
}

func (p *parser) condition() *Node {
	p.expect("(")
	c := p.inner()
	p.expect(")")
	return c
}

// inner reads an expression within brackets, where > compares.
func (p *parser) inner() *Node {
	saved := p.print
	p.print = false
	n := p.expression()
	p.print = saved
	return n
}

func (p *parser) ifStatement() *Node {
	pos := p.tok.pos
	p.next()
	c := p.condition()
	then := p.body()
	var other *Node
	lex, tok, last := p.lexer, p.tok, p.last
	semicolons := 0
	for p.tok.kind == tNewline || p.is(";") {
		if p.is(";") {
			semicolons = 1
		}
		p.next()
	}
	if p.isWord("else") {
		if semicolons > 0 { // one belongs to the statement before it
			p.unexpected()
		}
		p.next()
		other = p.body()
	} else {
		p.lexer, p.tok, p.last = lex, tok, last
	}
	return p.node(If, pos, "", "", c, then, other)
}

func (p *parser) doStatement() *Node {
	pos := p.tok.pos
	p.next()
	body := p.body()
	for p.tok.kind == tNewline || p.is(";") {
		if p.is(";") {
			p.unexpected()
		}
		p.next()
	}
	if !p.isWord("while") {
		p.unexpected()
		return p.node(Do, pos, "", "", body, p.node(Bad, p.tok.pos, "", ""))
	}
	p.next()
	c := p.condition()
	if p.ended() {
		p.end()
	} else {
		p.prog.Odd = true // only gawk does without
	}
	return p.node(Do, pos, "", "", body, c)
}

func (p *parser) forStatement() *Node {
	pos := p.tok.pos
	p.next()
	p.expect("(")
	var start, cond, step *Node
	if !p.is(";") {
		start = p.simple()
	}
	if in := start.each(); in != nil && p.is(")") {
		p.next()
		body := p.body()
		return p.node(ForIn, pos, "", "", in.Kids[0], in.Kids[1], body)
	}
	p.expect(";")
	p.newlines()
	if !p.is(";") {
		cond = p.expression()
	}
	p.expect(";")
	p.newlines()
	if !p.is(")") {
		step = p.simple()
	}
	p.expect(")")
	body := p.body()
	return p.node(For, pos, "", "", start, cond, step, body)
}

// each returns the `variable in array` that a statement is, nil if it is
// something else.
func (n *Node) each() *Node {
	if n == nil || n.Kind != Simple || n.Kids[0].Kind != In {
		return nil
	}
	in := n.Kids[0]
	if len(in.Kids) != 2 || in.Kids[0].Kind != Var && in.Kids[0].Kind != Hole {
		return nil
	}
	return in
}

// switchStatement reads gawk's switch (gawk 5.3 manual, section 7.4.5).
func (p *parser) switchStatement() *Node {
	pos, mark := p.tok.pos, len(p.stack)
	p.next()
	p.stack = append(p.stack, p.condition())
	p.newlines()
	p.expect("{")
	p.switches++
	for closed := false; !closed; {
		for p.tok.kind == tNewline || p.is(";") {
			p.next()
		}
		var one *Node
		if one, closed = p.oneCase(); one != nil {
			p.stack = append(p.stack, one)
		}
	}
	p.switches--
	return p.pop(Switch, pos, "", "", mark)
}

// oneCase reads a case of a switch, or the brace behind the last one.
func (p *parser) oneCase() (n *Node, last bool) {
	pos := p.tok.pos
	var value *Node
	switch {
	case p.isWord("case"):
		p.next()
		value = p.unary()
	case p.isWord("default"):
		p.next()
	default:
		p.expect("}")
		return nil, true
	}
	p.expect(":")
	body, closed := p.statements(p.tok.pos)
	return p.node(Case, pos, "", "", value, body), closed
}

// simple reads a statement without its end.
func (p *parser) simple() *Node {
	pos := p.tok.pos
	if p.tok.kind != tKeyword || p.tok.text == "getline" || p.tok.text == "in" {
		e := p.expression()
		return p.node(Simple, pos, "", "", e)
	}
	var kind Kind
	switch p.tok.text {
	case "print":
		return p.printStatement(Print)
	case "printf":
		return p.printStatement(Printf)
	case "next":
		kind = Next
	case "nextfile":
		kind = Nextfile
	case "break":
		kind = Break
	case "continue":
		kind = Continue
	case "exit", "return":
		return p.leaving()
	case "delete":
		p.next()
		return p.node(Delete, pos, "", "", p.primary())
	default:
		p.unexpected()
		return p.node(Bad, pos, "", "")
	}
	p.next()
	return p.node(kind, pos, "", "")
}

// leaving reads exit or return.
func (p *parser) leaving() *Node {
	pos, kind := p.tok.pos, Exit
	if p.tok.text == "return" {
		kind = Return
	}
	p.next()
	if p.ended() {
		return p.node(kind, pos, "", "")
	}
	return p.node(kind, pos, "", "", p.expression())
}

// printStatement reads print or printf: its operands, in parentheses or not, and
// a redirection (gawk 5.3 manual, sections 5.1, 5.5 and 5.6). Outside
// parentheses > and | redirect, also a | before getline.
func (p *parser) printStatement(kind Kind) *Node {
	pos, mark := p.tok.pos, len(p.stack)
	p.next()
	p.print, p.operands, p.listed = true, p.tok.pos, false
	for !p.ended() && !p.redirects() {
		e := p.expression()
		p.stack = append(p.stack, e)
		if !p.take(",") {
			break
		}
		p.newlines()
		if p.ended() || p.redirects() {
			p.unexpected()
		}
	}
	for !p.ended() && !p.redirects() { // what follows it may be a redirection yet
		p.unexpected()
		from := p.tok.pos
		e := p.expression()
		p.stack = append(p.stack, e)
		if p.tok.pos == from {
			p.next()
		}
	}
	if p.listed && (len(p.stack)-mark != 1 || p.stack[mark].Kind != Group) {
		p.fail(pos, "a list in parentheses beside other operands")
	}
	p.print, p.operands = false, -1
	op := ""
	if p.redirects() {
		op = p.tok.text
		p.next()
		dest := p.expression()
		if dest.weak() {
			p.fail(dest.Pos, "a redirection to what is no concatenation")
		}
		p.stack = append(p.stack, dest)
	}
	return p.pop(kind, pos, op, "", mark)
}

func (p *parser) redirects() bool {
	return p.is(">") || p.is(">>") || p.is("|") || p.is("|&")
}

// weak reports whether the operator of an expression binds less than a
// concatenation does.
func (n *Node) weak() bool {
	switch n.Kind {
	case Assign, Cond, Or, And, In, Match, Compare:
		return true
	}
	return false
}
