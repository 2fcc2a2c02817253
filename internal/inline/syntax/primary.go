package syntax

import "strings"

// text turns the parts of a string token into nodes.
func (p *parser) text(t Token, o op) *Node {
	n := &Node{Op: o, Bytes: t.fresh}
	for _, x := range t.Parts {
		if x.Code {
			n.Kids = append(n.Kids, p.expressionText(x.Lit))
			continue
		}
		n.Kids = append(n.Kids, &Node{Op: OpLit, Text: x.Lit})
	}
	return n
}

// primary parses an operand.
func (p *parser) primary() *Node {
	t := p.peek()
	switch t.Kind {
	case TokStr:
		p.next()
		if t.Text == "<>" {
			return &Node{Op: OpAngle, Text: t.Parts[0].Lit}
		}
		n := p.text(t, OpStr)
		for p.peek().Kind == TokStr && p.peek().Text == "" && (p.lang == "python" || p.lang == "ruby" && !p.peek().Nl) {
			n.Kids = append(n.Kids, p.text(p.next(), OpStr).Kids...)
		}
		return n
	case tCmd:
		p.next()
		return p.text(t, OpShell)
	case tWords:
		p.next()
		list := &Node{Op: OpList}
		for w := range strings.FieldsSeq(t.Text) {
			list.Kids = append(list.Kids, &Node{Op: OpStr, Kids: []*Node{{Op: OpLit, Text: w}}})
		}
		return list
	case tRegex:
		p.next()
		return p.substitution(t)
	case TokNum:
		p.next()
		return &Node{Op: OpNum, Text: t.Text}
	case TokVar:
		p.next()
		return &Node{Op: OpName, Text: t.Text}
	case TokIdent:
		return p.word()
	case TokOp:
		return p.bracketed(t)
	}
	p.bad = true
	return &Node{Op: OpBad}
}

// substitution is a regular expression; s///e runs its replacement.
func (p *parser) substitution(t Token) *Node {
	n := &Node{Op: OpRegex, Text: t.Text}
	if len(t.Parts) > 0 {
		n.Kids = p.text(t, OpStr).Kids
	}
	return n
}

// bracketed parses what an opening bracket or another operator begins.
func (p *parser) bracketed(t Token) *Node {
	switch t.Text {
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
		return &Node{Op: OpName, Text: "..."}
	case ":":
		if p.lang == "r" || p.lang == "python" || p.lang == "ruby" {
			break
		}
	case "<":
	}
	p.bad = true
	return &Node{Op: OpBad}
}

// list parses items up to a closing bracket; a comprehension is one too.
func (p *parser) list(open, end string) *Node {
	saveDo, saveIn, saveCall := p.noDo, p.noIn, p.noCall
	p.noDo, p.noIn, p.noCall = false, false, p.lang == "r" || p.lang == "ruby"
	defer func() { p.noDo, p.noIn, p.noCall = saveDo, saveIn, saveCall }()
	n := &Node{Op: OpList, Text: open}
	comma := false
	for !p.is(end) && p.peek().Kind != TokEOF {
		before := p.i
		if p.accept(",", ";") {
			comma = true
			continue
		}
		item := p.item()
		if p.lang == "python" && p.is("for", "async") {
			item = p.comprehension(item)
		}
		n.Kids = append(n.Kids, item)
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
	if open == "(" && len(n.Kids) == 1 && !comma && n.Kids[0].Op != OpKw && p.lang != "perl" {
		return n.Kids[0]
	}
	return n
}

// item parses an element of a list or an argument, which may have a name.
func (p *parser) item() *Node {
	t := p.peek()
	if t.Kind == TokNL {
		p.next()
		return &Node{Op: OpList}
	}
	named := t.Kind == TokIdent && p.ahead(1).Kind == TokOp
	switch sep := p.ahead(1); {
	case named && sep.Text == "=" && (p.lang == "python" || p.lang == "r" || p.lang == "lua"),
		named && sep.Text == ":" && p.ahead(2).Text != ":" && (p.lang == "php" || p.lang == "ruby" && !sep.sp),
		named && sep.Text == "=>" && p.lang != "node":
		p.next()
		p.next()
		if p.lang == "ruby" && p.is(",", ")") {
			return &Node{Op: OpKw, Text: t.Text, Kids: []*Node{{Op: OpName, Text: t.Text}}}
		}
		return &Node{Op: OpKw, Text: t.Text, Kids: []*Node{p.expr(precTernary)}}
	case t.Kind == TokStr && p.lang == "ruby" && sep.Kind == TokOp && sep.Text == ":" && !sep.sp:
		key := p.text(p.next(), OpStr)
		p.next()
		return &Node{Op: OpKw, Kids: []*Node{p.expr(precTernary), key}}
	}
	e := p.expr(precAssign)
	if p.lang != "node" && p.accept("=>") {
		return &Node{Op: OpKw, Kids: []*Node{p.expr(precTernary), e}}
	}
	if p.lang == "lua" && e.Op == OpList && e.Text == "[" && p.accept("=") {
		kw := &Node{Op: OpKw, Kids: []*Node{p.expr(precTernary)}}
		kw.Kids = append(kw.Kids, e.Kids...)
		return kw
	}
	return e
}

// comprehension parses the for and if clauses behind an element.
func (p *parser) comprehension(elem *Node) *Node {
	n := &Node{Op: OpComp, Kids: []*Node{elem}}
	for {
		p.accept("async")
		switch {
		case p.accept("for"):
			target := p.targets()
			p.expect("in")
			n.Kids = append(n.Kids, target, p.expr(precOr))
		case p.accept("if"):
			n.Body = append(n.Body, p.expr(precOr))
		default:
			return n
		}
	}
}

// targets parses loop variables.
func (p *parser) targets() *Node {
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
func (p *parser) braces() *Node {
	p.next()
	saveDo, saveIn, saveCall := p.noDo, p.noIn, p.noCall
	p.noDo, p.noIn, p.noCall = false, false, p.lang == "ruby"
	defer func() { p.noDo, p.noIn, p.noCall = saveDo, saveIn, saveCall }()
	if p.lang == "r" {
		body := p.block(func(t Token) bool { return t.Kind == TokOp && t.Text == "}" })
		p.accept("}")
		return &Node{Op: OpBlock, Body: body}
	}
	n := &Node{Op: OpDict}
	for !p.is("}") && p.peek().Kind != TokEOF {
		before := p.i
		if p.accept(",", ";") {
			continue
		}
		n.Kids = append(n.Kids, p.entry())
		if p.i == before {
			p.bad = true
			p.next()
		}
	}
	p.expect("}")
	return n
}

// entry parses one entry of a dictionary or object.
func (p *parser) entry() *Node {
	t := p.peek()
	if p.lang == "node" {
		return p.property()
	}
	e := p.item()
	if e.Op == OpKw {
		return e
	}
	if p.accept(":") {
		v := p.expr(precTernary)
		kw := &Node{Op: OpKw, Kids: []*Node{v, e}}
		if p.lang == "python" && p.is("for", "async") {
			return p.comprehension(kw)
		}
		return kw
	}
	if p.lang == "python" && p.is("for", "async") {
		return p.comprehension(e)
	}
	if p.lang == "perl" && p.is(",") && t.Kind != TokOp { // a list of keys and values
		p.next()
		if !p.is("}") {
			return &Node{Op: OpKw, Kids: []*Node{p.expr(precTernary), e}}
		}
	}
	return e
}

// property parses one property of a JavaScript object or pattern.
func (p *parser) property() *Node {
	for p.is("async", "get", "set", "static", "*") && !p.is2(",", ":", "(", "}", "=") {
		p.next()
	}
	t := p.peek()
	var key *Node
	switch {
	case t.Kind == TokOp && t.Text == "...":
		p.next()
		return p.expr(precAssign)
	case t.Kind == TokOp && t.Text == "[":
		p.next()
		key = p.expr(precAssign)
		p.expect("]")
	case t.Kind == TokStr:
		key = p.text(p.next(), OpStr)
	default:
		p.next()
		key = &Node{Op: OpStr, Kids: []*Node{{Op: OpLit, Text: t.Text}}}
	}
	switch {
	case p.accept(":"):
		return &Node{Op: OpKw, Text: t.Text, Kids: []*Node{p.expr(precAssign), key}}
	case p.is("("):
		return &Node{Op: OpKw, Text: t.Text, Kids: []*Node{p.function(""), key}}
	case p.accept("="): // a default value
		name := &Node{Op: OpName, Text: t.Text}
		return &Node{Op: OpKw, Text: t.Text, Kids: []*Node{{Op: OpAssign, Text: "=", Kids: []*Node{name, p.expr(precAssign)}}, key}}
	}
	return &Node{Op: OpKw, Text: t.Text, Kids: []*Node{{Op: OpName, Text: t.Text}, key}}
}

// arrow recognises (a, b) => … of JavaScript.
func (p *parser) arrow() *Node {
	m := p.peek().Match
	if p.lang != "node" || m == 0 || m+1 >= len(p.toks) || p.toks[m+1].Kind != TokOp || p.toks[m+1].Text != "=>" {
		return nil
	}
	p.next()
	names, defaults := p.parameters(")")
	p.next()
	return p.arrowBody(names, defaults)
}

func (p *parser) arrowBody(names []string, defaults []*Node) *Node {
	f := &Node{Op: OpFunc, Params: names, Kids: defaults}
	if p.is("{") {
		f.Body = p.braceBlock()
		return f
	}
	f.Body = []*Node{{Op: OpReturn, Kids: []*Node{p.expr(precAssign)}}}
	return f
}

// cast recognises (int)$x of PHP.
func (p *parser) cast() *Node {
	if p.lang != "php" || p.ahead(1).Kind != TokIdent || p.ahead(2).Text != ")" {
		return nil
	}
	switch strings.ToLower(p.ahead(1).Text) {
	case "int", "integer", "string", "bool", "boolean", "float", "double", "array", "object":
		p.next()
		p.next()
		p.next()
		return p.expr(precUnary)
	}
	return nil
}

// stabby parses ->(x) { … } of Ruby.
func (p *parser) stabby() *Node {
	p.next()
	f := &Node{Op: OpFunc}
	if p.accept("(") {
		f.Params, f.Kids = p.parameters(")")
	} else {
		for p.peek().Kind == TokIdent && !p.is("do") {
			f.Params = append(f.Params, p.next().Text)
			p.accept(",")
		}
	}
	if p.is("{", "do") {
		g := p.closure()
		f.Body = g.Body
		return f
	}
	p.bad = true
	return f
}
