package syntax

// braceStatement parses a statement of JavaScript, PHP, Perl or R.
func (p *parser) braceStatement() *Node {
	t := p.peek()
	if t.Kind == TokOp && t.Text == "{" {
		return &Node{Op: OpBlock, Body: p.braceBlock()}
	}
	if n := p.ahead(1); t.Kind == TokIdent && p.lang == "node" && n.Kind == TokOp && n.Text == ":" { // a label
		p.next()
		p.next()
		return p.statement()
	}
	if t.Kind == TokIdent && !(p.ahead(1).Kind == TokOp && (p.ahead(1).Text == "=>" || p.ahead(1).Text == "=")) {
		if n := p.braceKeyword(t); n != nil {
			return n
		}
	}
	e := p.expr(precWordOr)
	if p.is(",") {
		e = p.moreItems(e)
		if p.is("=") {
			p.next()
			e = &Node{Op: OpAssign, Text: "=", Kids: []*Node{e, p.expr(precAssign)}}
		}
	}
	return p.modifiers(e)
}

// modifiers parses `statement if condition` of Perl and Ruby.
func (p *parser) modifiers(e *Node) *Node {
	if p.lang != "perl" && p.lang != "ruby" {
		return e
	}
	for p.peek().Kind == TokIdent {
		t := p.peek()
		switch t.Text {
		case "if", "unless":
			p.next()
			e = &Node{Op: OpIf, Kids: []*Node{p.expr(precWordOr)}, Body: []*Node{e}}
		case "while", "until":
			p.next()
			e = &Node{Op: OpLoop, Kids: []*Node{p.expr(precWordOr)}, Body: []*Node{e}}
		case "for", "foreach":
			if p.lang != "perl" {
				return e
			}
			p.next()
			list := p.expr(precAssign)
			if p.is(",") {
				list = p.moreItems(list)
			}
			e = &Node{Op: OpFor, Kids: []*Node{{Op: OpName, Text: "$_"}, list}, Body: []*Node{e}}
		case "rescue":
			p.next()
			e = &Node{Op: OpBlock, Body: []*Node{e, p.expr(precAssign)}}
		default:
			return e
		}
	}
	return e
}

func (p *parser) body() []*Node {
	if p.is("{") {
		return p.braceBlock()
	}
	if p.lang == "php" && p.accept(":") {
		return p.block(isWord("endif", "endwhile", "endfor", "endforeach", "else", "elseif", "endswitch"))
	}
	if p.accept(";") {
		return nil
	}
	if !p.enter() {
		p.leave()
		return nil
	}
	defer p.leave()
	if n := p.statement(); n != nil {
		return []*Node{n}
	}
	return nil
}

func (p *parser) braceKeyword(t Token) *Node {
	switch t.Text {
	case "if", "elsif", "elseif", "unless", "while", "until", "switch", "with":
		if p.ahead(1).Text != "(" && t.Text != "with" {
			return nil
		}
		if t.Text == "switch" && p.lang == "r" || t.Text == "with" && p.lang != "node" {
			return nil
		}
		p.next()
		n := &Node{Op: OpIf}
		if t.Text == "while" || t.Text == "until" {
			n.Op = OpLoop
		}
		n.Kids = p.arguments()
		n.Body = p.body()
		return n
	case "else", "try", "finally", "BEGIN", "END", "repeat", "continue":
		if p.ahead(1).Text != "{" && t.Text != "else" {
			break
		}
		p.next()
		return &Node{Op: map[bool]op{true: OpTry, false: OpIf}[t.Text == "try" || t.Text == "BEGIN" || t.Text == "END"], Body: p.body()}
	case "catch":
		p.next()
		n := &Node{Op: OpIf}
		if p.is("(") {
			end := p.peek().Match
			p.skipGroup()
			if t := p.toks[max(end-1, 0)]; t.Kind == TokIdent || t.Kind == TokVar {
				n.Kids = []*Node{caught(t.Text)}
			}
		}
		n.Body = p.body()
		return n
	case "do":
		if p.lang != "perl" && (p.ahead(1).Text == "{" || p.lang == "node") {
			p.next()
			return &Node{Op: OpLoop, Body: p.body()}
		}
	case "case", "default":
		if p.lang == "perl" || p.lang == "r" {
			break
		}
		p.next()
		n := &Node{Op: OpJump}
		if !p.is(":") {
			n = p.expr(precTernary)
		}
		p.accept(":")
		return n
	case "endif", "endwhile", "endfor", "endforeach", "endswitch":
		p.next()
		return &Node{Op: OpJump}
	case "for", "foreach":
		return p.braceFor()
	}
	return p.braceDefinition(t)
}

// braceDefinition parses functions, classes and jumps.
func (p *parser) braceDefinition(t Token) *Node {
	switch t.Text {
	case "function":
		if p.lang != "r" && p.ahead(1).Kind == TokIdent {
			return p.expr(precTernary)
		}
	case "sub":
		if p.lang == "perl" && p.ahead(1).Kind == TokIdent {
			p.next()
			f := &Node{Op: OpFunc, Text: p.next().Text}
			if p.is("(") {
				p.skipGroup()
			}
			f.Body = p.braceBlock()
			return f
		}
	case "return", "throw", "break", "next", "last", "redo", "goto":
		return p.jump(t)
	case "class", "interface", "trait", "abstract", "final", "enum":
		if p.lang == "node" || p.lang == "php" {
			return p.braceClass()
		}
	}
	return p.braceDeclaration(t)
}

func (p *parser) jump(t Token) *Node {
	if p.lang == "r" && p.ahead(1).Text != "(" && t.Text != "break" && t.Text != "next" || p.lang == "r" && t.Text == "return" {
		return nil
	}
	p.next()
	n := &Node{Op: OpReturn, Text: t.Text}
	if !p.ends(p.peek()) && !p.peek().Nl && !(p.peek().Kind == TokIdent && isWord("if", "unless")(p.peek())) {
		n.Kids = append(n.Kids, p.expr(precAssign))
		if p.is(",") {
			n.Kids[0] = p.moreItems(n.Kids[0])
		}
	}
	return p.modifiers(n)
}

// braceDeclaration parses imports and declarations.
func (p *parser) braceDeclaration(t Token) *Node {
	switch t.Text {
	case "var", "let", "const":
		if p.lang == "node" && p.ahead(1).Kind != TokOp || p.ahead(1).Text == "{" || p.ahead(1).Text == "[" {
			p.next()
			n := &Node{Op: OpBlock}
			for {
				n.Body = append(n.Body, p.expr(precAssign))
				if !p.accept(",") {
					return n
				}
			}
		}
	case "import":
		if p.lang == "node" && p.ahead(1).Text != "(" && p.ahead(1).Text != "." {
			return p.nodeImport()
		}
	case "export":
		if p.lang == "node" {
			p.next()
			p.accept("default")
			return p.statement()
		}
	case "use", "no":
		if p.lang == "perl" {
			return p.perlUse()
		}
		if p.lang == "php" && t.Text == "use" {
			return p.skipStatement()
		}
	case "package", "namespace", "declare":
		if p.lang == "perl" && t.Text == "package" || p.lang == "php" {
			return p.skipStatement()
		}
	case "global":
		if p.lang == "php" {
			return p.skipStatement()
		}
	case "static", "public", "private", "protected", "readonly":
		if p.lang == "php" && p.ahead(1).Kind == TokVar {
			p.next()
			return p.statement()
		}
	}
	return nil
}

func (p *parser) skipStatement() *Node {
	for !p.is(";", "{") && p.peek().Kind != TokEOF {
		p.next()
	}
	return &Node{Op: OpJump}
}

// perlUse parses use Module LIST.
func (p *parser) perlUse() *Node {
	p.next()
	n := &Node{Op: OpImport}
	if t := p.next(); t.Kind == TokIdent {
		n.Text = t.Text // with its packages
		for p.is("::") || p.peek().Kind == TokIdent && p.toks[p.i-1].Text == "::" {
			n.Text += p.next().Text
		}
	}
	for !p.is(";") && p.peek().Kind != TokEOF {
		n.Kids = append(n.Kids, p.expr(precAssign))
		if !p.accept(",", "=>") {
			break
		}
	}
	return n
}

// nodeImport parses import … from "module".
func (p *parser) nodeImport() *Node {
	p.next()
	n := &Node{Op: OpImport}
	for p.peek().Kind != TokStr && p.peek().Kind != TokEOF && !p.is(";") {
		switch t := p.next(); {
		case t.Kind == TokOp && t.Text == "*":
			p.accept("as")
			n.Params = append(n.Params, "", p.next().Text)
		case t.Kind == TokOp && t.Text == "{":
			for !p.is("}") && p.peek().Kind != TokEOF {
				name := p.next().Text
				alias := name
				if p.accept("as") {
					alias = p.next().Text
				}
				n.Params = append(n.Params, name, alias)
				p.accept(",")
			}
			p.accept("}")
		case t.Kind == TokIdent && t.Text != "from" && t.Text != "type":
			n.Params = append(n.Params, "", t.Text)
		}
	}
	if t := p.peek(); t.Kind == TokStr {
		p.next()
		for _, x := range t.Parts {
			n.Text += x.Lit
		}
	}
	return n
}

// braceFor parses all loops that begin with for or foreach.
func (p *parser) braceFor() *Node {
	p.next()
	p.accept("await")
	n := &Node{Op: OpFor}
	for p.is("my", "our", "state") {
		p.next()
	}
	if t := p.peek(); p.lang == "perl" && t.Kind == TokVar {
		p.next()
		n.Kids = []*Node{{Op: OpName, Text: t.Text}}
		if p.is("(") {
			n.Kids = append(n.Kids, &Node{Op: OpList, Kids: p.arguments()})
		}
		n.Body = p.body()
		return n
	}
	p.expect("(")
	for p.is("var", "let", "const", "my") {
		p.next()
	}
	saved := p.noIn
	p.noIn = true
	first := &Node{Op: OpList}
	if !p.is(";", ")") {
		first = p.expr(precAssign)
	}
	p.noIn = saved
	switch {
	case p.accept("of", "in"):
		n.Kids = []*Node{first, p.expr(precAssign)}
	case p.accept("as"):
		target := p.expr(precTernary)
		if p.accept("=>") {
			target = &Node{Op: OpList, Kids: []*Node{target, p.expr(precTernary)}, Text: "pairs"}
		}
		n.Kids = []*Node{target, first}
	case p.is(")") && p.lang == "perl":
		n.Kids = []*Node{{Op: OpName, Text: "$_"}, first}
	case p.is(",") && p.lang == "perl":
		n.Kids = []*Node{{Op: OpName, Text: "$_"}, p.moreItems(first)}
	default:
		n.Op = OpLoop
		n.Kids = []*Node{first}
		for !p.is(")") && p.peek().Kind != TokEOF {
			before := p.i
			if p.accept(";", ",") {
				continue
			}
			n.Kids = append(n.Kids, p.expr(precAssign))
			if p.i == before {
				p.next()
			}
		}
	}
	p.expect(")")
	n.Body = p.body()
	return n
}

// braceClass parses a class: its methods are functions.
func (p *parser) braceClass() *Node {
	n := &Node{Op: OpClass}
	for !p.is("{") && p.peek().Kind != TokEOF {
		t := p.next()
		if t.Kind == TokIdent && n.Text == "" && t.Text != "class" && t.Text != "abstract" && t.Text != "final" {
			n.Text = t.Text
		}
		if t.Kind == TokOp && (t.Text == "(" || t.Text == "[") || t.Kind == TokStr || t.Kind == tCmd { // a base that is computed
			p.bad = true
		}
	}
	p.expect("{")
	for !p.is("}") && p.peek().Kind != TokEOF {
		before := p.i
		switch t := p.peek(); {
		case (t.Kind == TokIdent || t.Kind == TokStr) && p.ahead(1).Text == "(":
			p.next()
			n.Body = append(n.Body, p.function(t.Text))
		case t.Kind == TokIdent && t.Text == "function":
			n.Body = append(n.Body, p.expr(precTernary))
		case (t.Kind == TokIdent || t.Kind == TokVar) && p.ahead(1).Text == "=":
			n.Body = append(n.Body, p.expr(precAssign))
		case t.Kind == TokOp && t.Text == "{":
			n.Body = append(n.Body, &Node{Op: OpBlock, Body: p.braceBlock()})
		default:
			if t.Kind == TokOp && (t.Text == "(" || t.Text == "[" || t.Text == "=") { // a computed name
				p.bad = true
			}
			p.next()
		}
		if p.i == before {
			p.next()
		}
	}
	p.accept("}")
	return n
}
