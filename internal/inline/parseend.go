package inline

// rubyStatement parses a statement of Ruby.
func (p *parser) rubyStatement() *node {
	e := p.expr(precWordOr)
	if p.is(",") {
		e = p.moreItems(e)
		if p.accept("=") {
			e = &node{op: nAssign, s: "=", kids: []*node{e, p.expr(precAssign)}}
		}
	}
	return p.modifiers(e)
}

func (p *parser) rubyBlock(words ...string) []*node {
	body := p.block(isWord(append(words, "end")...))
	return body
}

// rubyWord parses what a name begins: keywords, calls without parentheses.
func (p *parser) rubyWord(t token) *node {
	switch t.s {
	case "if", "unless", "while", "until", "case", "elsif", "when", "in":
		return p.rubyCondition(t)
	case "else", "ensure", "begin", "BEGIN", "END", "rescue":
		return p.rubyBegin(t)
	case "for":
		n := &node{op: nFor, kids: []*node{p.targets()}}
		p.expect("in")
		p.noDo = true
		n.kids = append(n.kids, p.expr(precAssign))
		p.noDo = false
		p.accept("do")
		n.body = p.rubyBlock()
		p.accept("end")
		return n
	case "def":
		return p.rubyDef()
	case "class", "module":
		n := &node{op: nClass, s: p.dotted("::")}
		if p.accept("<", "<<") {
			n.kids = append(n.kids, p.expr(precCompare))
		}
		n.body = p.rubyBlock()
		p.accept("end")
		return n
	case "return", "break", "next", "redo", "retry":
		n := &node{op: nReturn, s: t.s}
		if p.startsArgument() && !p.peek().nl {
			n.kids = append(n.kids, p.expr(precAssign))
		}
		return n
	case "lambda", "proc":
		if p.is("{", "do") {
			return p.closure()
		}
	case "not":
		return &node{op: nUnary, s: "!", kids: []*node{p.expr(precNot)}}
	case "self", "nil", "true", "false", "__FILE__", "__method__", "then", "end", "do":
		return &node{op: nName, s: t.s}
	}
	name := &node{op: nName, s: t.s}
	n := p.peek()
	if p.locals[t.s] || n.k == tOp && n.s == "(" && !n.sp {
		return name
	}
	if n.sp && !n.nl && p.startsArgument() && !(p.ahead(1).sp && n.k == tOp && n.s != "[" && n.s != "->" && n.s != "(" && n.s != "!") {
		if n.k == tOp && n.s == "(" && p.wholeGroup() {
			return name
		}
		call := p.command(name)
		if p.is("do") && !p.noDo {
			return p.withBlock(call)
		}
		return call
	}
	return name
}

// wholeGroup reports whether a bracketed group is all that follows on the
// line: puts (1) rather than puts (1)+2.
func (p *parser) wholeGroup() bool {
	m := p.peek().match
	return m > p.i && (p.ends(p.toks[m+1]) || p.toks[m+1].nl)
}

func (p *parser) rubyCondition(t token) *node {
	n := &node{op: nIf}
	if t.s == "while" || t.s == "until" {
		n.op = nLoop
	}
	saved := p.noDo
	p.noDo = true
	if !p.peek().nl && !p.is(";") {
		n.kids = append(n.kids, p.expr(precWordOr))
		for p.accept(",") {
			n.kids = append(n.kids, p.expr(precWordOr))
		}
	}
	p.noDo = saved
	p.accept("then", "do")
	if t.s == "when" || t.s == "elsif" || t.s == "in" {
		n.body = p.rubyBlock("when", "elsif", "else", "in")
		return n
	}
	n.body = p.rubyBlock()
	p.accept("end")
	return n
}

func (p *parser) rubyBegin(t token) *node {
	n := &node{op: nBlock}
	switch t.s {
	case "BEGIN", "END":
		n.body = p.braceBlock()
		return n
	case "begin":
		n.body = p.rubyBlock()
		p.accept("end")
		return n
	case "rescue":
		for !p.peek().nl && !p.is(";", "then") && p.peek().k != tEOF {
			t := p.next()
			if t.s == "=>" && p.peek().k == tIdent {
				n.kids = []*node{caught(p.peek().s)}
				p.locals[p.peek().s] = true
			}
			if t.k == tCmd || t.k == tOp && (t.s == "(" || t.s == "[" || t.s == "{") { // classes that are computed
				p.bad = true
			}
		}
		p.accept("then")
	}
	n.op = nIf
	n.body = p.rubyBlock("rescue", "ensure", "else")
	return n
}

func (p *parser) rubyDef() *node {
	f := &node{op: nFunc, s: p.next().s}
	if p.accept(".") {
		f.s = p.next().s
	}
	switch {
	case p.accept("("):
		f.params, f.kids = p.parameters(")")
	default:
		for !p.peek().nl && !p.is(";", "=") && p.peek().k != tEOF {
			if t := p.next(); t.k == tIdent {
				f.params = append(f.params, t.s)
			}
		}
	}
	if p.accept("=") {
		f.body = []*node{p.statement()}
		return f
	}
	f.body = p.rubyBlock()
	p.accept("end")
	return f
}

// closure parses { |x| … } or do |x| … end.
func (p *parser) closure() *node {
	f := &node{op: nFunc, s: "{"}
	brace := p.next().s == "{"
	if p.accept("||") {
		f.params = nil
	} else if p.accept("|") {
		for !p.is("|") && p.peek().k != tEOF {
			switch t := p.next(); {
			case t.k == tIdent:
				f.params = append(f.params, t.s)
				p.locals[t.s] = true
			case t.k == tOp && t.s == "=", t.k == tCmd: // a default value
				p.bad = true
			}
		}
		p.accept("|")
	}
	if brace {
		f.body = p.block(func(t token) bool { return t.k == tOp && t.s == "}" })
		p.accept("}")
		return f
	}
	f.body = p.rubyBlock()
	p.accept("end")
	return f
}

// luaStatement parses a statement of Lua (manual 5.4, 3.3).
func (p *parser) luaStatement() *node {
	t := p.peek()
	if t.k == tOp && t.s == "::" {
		p.next()
		p.next()
		p.accept("::")
		return &node{op: nJump}
	}
	if t.k == tIdent {
		if n := p.luaKeyword(t); n != nil {
			return n
		}
	}
	e := p.expr(precTernary)
	if p.is(",") {
		e = p.moreItems(e)
	}
	if p.accept("=") {
		return &node{op: nAssign, s: "=", kids: []*node{e, p.testList()}}
	}
	return e
}

func (p *parser) luaKeyword(t token) *node {
	switch t.s {
	case "local":
		p.next()
		if p.is("function") {
			return p.luaKeyword(p.peek())
		}
		list := &node{op: nList}
		for p.peek().k == tIdent {
			list.kids = append(list.kids, &node{op: nName, s: p.next().s})
			if p.accept("<") {
				p.next()
				p.accept(">")
			}
			if !p.accept(",") {
				break
			}
		}
		if !p.accept("=") {
			return &node{op: nJump}
		}
		return &node{op: nAssign, s: "=", kids: []*node{list, p.testList()}}
	case "function":
		p.next()
		name := p.dotted(".", ":")
		return p.function(name)
	case "if", "elseif", "while":
		p.next()
		n := &node{op: nIf, kids: []*node{p.expr(precAssign)}}
		p.accept("then", "do")
		n.body = p.block(isWord("end", "elseif", "else"))
		if t.s == "while" {
			n.op = nLoop
		}
		if p.is("end") {
			p.next()
		}
		return n
	case "else", "do":
		p.next()
		n := &node{op: nIf, body: p.block(isWord("end"))}
		p.accept("end")
		return n
	case "repeat":
		p.next()
		n := &node{op: nLoop, body: p.block(isWord("until"))}
		p.accept("until")
		n.kids = []*node{p.expr(precAssign)}
		return n
	}
	return p.luaJump(t)
}

func (p *parser) luaJump(t token) *node {
	switch t.s {
	case "for":
		return p.luaFor()
	case "return":
		p.next()
		n := &node{op: nReturn}
		if !p.ends(p.peek()) && !p.is("end", "else", "elseif", "until") {
			n.kids = []*node{p.testList()}
		}
		return n
	case "break":
		p.next()
		return &node{op: nJump}
	case "goto":
		p.next()
		p.next()
		return &node{op: nJump}
	}
	return nil
}

func (p *parser) luaFor() *node {
	p.next()
	target := p.testListNoAssign()
	n := &node{op: nFor, kids: []*node{target}}
	if p.accept("=") {
		n.kids = append(n.kids, &node{op: nUnary, s: "range", kids: []*node{p.testList()}})
	} else {
		p.expect("in")
		n.kids = append(n.kids, p.testList())
		if target.op == nList {
			target.s = "pairs"
		}
	}
	p.accept("do")
	n.body = p.block(isWord("end"))
	p.accept("end")
	return n
}

func (p *parser) testListNoAssign() *node {
	first := p.expr(precTernary)
	if p.is(",") {
		return p.moreItems(first)
	}
	return first
}
