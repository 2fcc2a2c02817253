package syntax

// rubyStatement parses a statement of Ruby.
func (p *parser) rubyStatement() *Node {
	e := p.expr(precWordOr)
	if p.is(",") {
		e = p.moreItems(e)
		if p.accept("=") {
			e = &Node{Op: OpAssign, Text: "=", Kids: []*Node{e, p.expr(precAssign)}}
		}
	}
	return p.modifiers(e)
}

func (p *parser) rubyBlock(words ...string) []*Node {
	body := p.block(isWord(append(words, "end")...))
	return body
}

// rubyWord parses what a name begins: keywords, calls without parentheses.
func (p *parser) rubyWord(t Token) *Node {
	switch t.Text {
	case "if", "unless", "while", "until", "case", "elsif", "when", "in":
		return p.rubyCondition(t)
	case "else", "ensure", "begin", "BEGIN", "END", "rescue":
		return p.rubyBegin(t)
	case "for":
		n := &Node{Op: OpFor, Kids: []*Node{p.targets()}}
		p.expect("in")
		p.noDo = true
		n.Kids = append(n.Kids, p.expr(precAssign))
		p.noDo = false
		p.accept("do")
		n.Body = p.rubyBlock()
		p.accept("end")
		return n
	case "def":
		return p.rubyDef()
	case "class", "module":
		n := &Node{Op: OpClass, Text: p.dotted("::")}
		if p.accept("<", "<<") {
			n.Kids = append(n.Kids, p.expr(precCompare))
		}
		n.Body = p.rubyBlock()
		p.accept("end")
		return n
	case "return", "break", "next", "redo", "retry":
		n := &Node{Op: OpReturn, Text: t.Text}
		if p.startsArgument() && !p.peek().Nl {
			n.Kids = append(n.Kids, p.expr(precAssign))
		}
		return n
	case "lambda", "proc":
		if p.is("{", "do") {
			return p.closure()
		}
	case "not":
		return &Node{Op: OpUnary, Text: "!", Kids: []*Node{p.expr(precNot)}}
	case "self", "nil", "true", "false", "__FILE__", "__method__", "then", "end", "do":
		return &Node{Op: OpName, Text: t.Text}
	}
	name := &Node{Op: OpName, Text: t.Text}
	n := p.peek()
	if p.locals[t.Text] || n.Kind == TokOp && n.Text == "(" && !n.sp {
		return name
	}
	if n.sp && !n.Nl && p.startsArgument() && !(p.ahead(1).sp && n.Kind == TokOp && n.Text != "[" && n.Text != "->" && n.Text != "(" && n.Text != "!") {
		if n.Kind == TokOp && n.Text == "(" && p.wholeGroup() {
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
	m := p.peek().Match
	return m > p.i && (p.ends(p.toks[m+1]) || p.toks[m+1].Nl)
}

func (p *parser) rubyCondition(t Token) *Node {
	n := &Node{Op: OpIf}
	if t.Text == "while" || t.Text == "until" {
		n.Op = OpLoop
	}
	saved := p.noDo
	p.noDo = true
	if !p.peek().Nl && !p.is(";") {
		n.Kids = append(n.Kids, p.expr(precWordOr))
		for p.accept(",") {
			n.Kids = append(n.Kids, p.expr(precWordOr))
		}
	}
	p.noDo = saved
	p.accept("then", "do")
	if t.Text == "when" || t.Text == "elsif" || t.Text == "in" {
		n.Body = p.rubyBlock("when", "elsif", "else", "in")
		return n
	}
	n.Body = p.rubyBlock()
	p.accept("end")
	return n
}

func (p *parser) rubyBegin(t Token) *Node {
	n := &Node{Op: OpBlock}
	switch t.Text {
	case "BEGIN", "END":
		n.Body = p.braceBlock()
		return n
	case "begin":
		n.Body = p.rubyBlock()
		p.accept("end")
		return n
	case "rescue":
		for !p.peek().Nl && !p.is(";", "then") && p.peek().Kind != TokEOF {
			t := p.next()
			if t.Text == "=>" && p.peek().Kind == TokIdent {
				n.Kids = []*Node{caught(p.peek().Text)}
				p.locals[p.peek().Text] = true
			}
			if t.Kind == tCmd || t.Kind == TokOp && (t.Text == "(" || t.Text == "[" || t.Text == "{") { // classes that are computed
				p.bad = true
			}
		}
		p.accept("then")
	}
	n.Op = OpIf
	n.Body = p.rubyBlock("rescue", "ensure", "else")
	return n
}

func (p *parser) rubyDef() *Node {
	f := &Node{Op: OpFunc, Text: p.next().Text}
	if p.accept(".") {
		f.Text = p.next().Text
	}
	switch {
	case p.accept("("):
		f.Params, f.Kids = p.parameters(")")
	default:
		for !p.peek().Nl && !p.is(";", "=") && p.peek().Kind != TokEOF {
			if t := p.next(); t.Kind == TokIdent {
				f.Params = append(f.Params, t.Text)
			}
		}
	}
	if p.accept("=") {
		f.Body = []*Node{p.statement()}
		return f
	}
	f.Body = p.rubyBlock()
	p.accept("end")
	return f
}

// closure parses { |x| … } or do |x| … end.
func (p *parser) closure() *Node {
	f := &Node{Op: OpFunc, Text: "{"}
	brace := p.next().Text == "{"
	if p.accept("||") {
		f.Params = nil
	} else if p.accept("|") {
		for !p.is("|") && p.peek().Kind != TokEOF {
			switch t := p.next(); {
			case t.Kind == TokIdent:
				f.Params = append(f.Params, t.Text)
				p.locals[t.Text] = true
			case t.Kind == TokOp && t.Text == "=", t.Kind == tCmd: // a default value
				p.bad = true
			}
		}
		p.accept("|")
	}
	if brace {
		f.Body = p.block(func(t Token) bool { return t.Kind == TokOp && t.Text == "}" })
		p.accept("}")
		return f
	}
	f.Body = p.rubyBlock()
	p.accept("end")
	return f
}

// luaStatement parses a statement of Lua (manual 5.4, 3.3).
func (p *parser) luaStatement() *Node {
	t := p.peek()
	if t.Kind == TokOp && t.Text == "::" {
		p.next()
		p.next()
		p.accept("::")
		return &Node{Op: OpJump}
	}
	if t.Kind == TokIdent {
		if n := p.luaKeyword(t); n != nil {
			return n
		}
	}
	e := p.expr(precTernary)
	if p.is(",") {
		e = p.moreItems(e)
	}
	if p.accept("=") {
		return &Node{Op: OpAssign, Text: "=", Kids: []*Node{e, p.testList()}}
	}
	return e
}

func (p *parser) luaKeyword(t Token) *Node {
	switch t.Text {
	case "local":
		p.next()
		if p.is("function") {
			return p.luaKeyword(p.peek())
		}
		list := &Node{Op: OpList}
		for p.peek().Kind == TokIdent {
			list.Kids = append(list.Kids, &Node{Op: OpName, Text: p.next().Text})
			if p.accept("<") {
				p.next()
				p.accept(">")
			}
			if !p.accept(",") {
				break
			}
		}
		if !p.accept("=") {
			return &Node{Op: OpJump}
		}
		return &Node{Op: OpAssign, Text: "=", Kids: []*Node{list, p.testList()}}
	case "function":
		p.next()
		name := p.dotted(".", ":")
		return p.function(name)
	case "if", "elseif", "while":
		p.next()
		n := &Node{Op: OpIf, Kids: []*Node{p.expr(precAssign)}}
		p.accept("then", "do")
		n.Body = p.block(isWord("end", "elseif", "else"))
		if t.Text == "while" {
			n.Op = OpLoop
		}
		if p.is("end") {
			p.next()
		}
		return n
	case "else", "do":
		p.next()
		n := &Node{Op: OpIf, Body: p.block(isWord("end"))}
		p.accept("end")
		return n
	case "repeat":
		p.next()
		n := &Node{Op: OpLoop, Body: p.block(isWord("until"))}
		p.accept("until")
		n.Kids = []*Node{p.expr(precAssign)}
		return n
	}
	return p.luaJump(t)
}

func (p *parser) luaJump(t Token) *Node {
	switch t.Text {
	case "for":
		return p.luaFor()
	case "return":
		p.next()
		n := &Node{Op: OpReturn}
		if !p.ends(p.peek()) && !p.is("end", "else", "elseif", "until") {
			n.Kids = []*Node{p.testList()}
		}
		return n
	case "break":
		p.next()
		return &Node{Op: OpJump}
	case "goto":
		p.next()
		p.next()
		return &Node{Op: OpJump}
	}
	return nil
}

func (p *parser) luaFor() *Node {
	p.next()
	target := p.testListNoAssign()
	n := &Node{Op: OpFor, Kids: []*Node{target}}
	if p.accept("=") {
		n.Kids = append(n.Kids, &Node{Op: OpUnary, Text: "range", Kids: []*Node{p.testList()}})
	} else {
		p.expect("in")
		n.Kids = append(n.Kids, p.testList())
		if target.Op == OpList {
			target.Text = "pairs"
		}
	}
	p.accept("do")
	n.Body = p.block(isWord("end"))
	p.accept("end")
	return n
}

func (p *parser) testListNoAssign() *Node {
	first := p.expr(precTernary)
	if p.is(",") {
		return p.moreItems(first)
	}
	return first
}
