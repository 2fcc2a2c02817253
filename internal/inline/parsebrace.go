package inline

// braceStatement parses a statement of JavaScript, PHP, Perl or R.
func (p *parser) braceStatement() *node {
	t := p.peek()
	if t.k == tOp && t.s == "{" {
		return &node{op: nBlock, body: p.braceBlock()}
	}
	if n := p.ahead(1); t.k == tIdent && p.lang == "node" && n.k == tOp && n.s == ":" { // a label
		p.next()
		p.next()
		return p.statement()
	}
	if t.k == tIdent && !(p.ahead(1).k == tOp && (p.ahead(1).s == "=>" || p.ahead(1).s == "=")) {
		if n := p.braceKeyword(t); n != nil {
			return n
		}
	}
	e := p.expr(precWordOr)
	if p.is(",") {
		e = p.moreItems(e)
		if p.is("=") {
			p.next()
			e = &node{op: nAssign, s: "=", kids: []*node{e, p.expr(precAssign)}}
		}
	}
	return p.modifiers(e)
}

// modifiers parses `statement if condition` of Perl and Ruby.
func (p *parser) modifiers(e *node) *node {
	if p.lang != "perl" && p.lang != "ruby" {
		return e
	}
	for p.peek().k == tIdent {
		t := p.peek()
		switch t.s {
		case "if", "unless":
			p.next()
			e = &node{op: nIf, kids: []*node{p.expr(precWordOr)}, body: []*node{e}}
		case "while", "until":
			p.next()
			e = &node{op: nLoop, kids: []*node{p.expr(precWordOr)}, body: []*node{e}}
		case "for", "foreach":
			if p.lang != "perl" {
				return e
			}
			p.next()
			list := p.expr(precAssign)
			if p.is(",") {
				list = p.moreItems(list)
			}
			e = &node{op: nFor, kids: []*node{{op: nName, s: "$_"}, list}, body: []*node{e}}
		case "rescue":
			p.next()
			e = &node{op: nBlock, body: []*node{e, p.expr(precAssign)}}
		default:
			return e
		}
	}
	return e
}

func (p *parser) body() []*node {
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
		return []*node{n}
	}
	return nil
}

func (p *parser) braceKeyword(t token) *node {
	switch t.s {
	case "if", "elsif", "elseif", "unless", "while", "until", "switch", "with":
		if p.ahead(1).s != "(" && t.s != "with" {
			return nil
		}
		if t.s == "switch" && p.lang == "r" || t.s == "with" && p.lang != "node" {
			return nil
		}
		p.next()
		n := &node{op: nIf}
		if t.s == "while" || t.s == "until" {
			n.op = nLoop
		}
		n.kids = p.arguments()
		n.body = p.body()
		return n
	case "else", "try", "finally", "BEGIN", "END", "repeat", "continue":
		if p.ahead(1).s != "{" && t.s != "else" {
			break
		}
		p.next()
		return &node{op: map[bool]op{true: nTry, false: nIf}[t.s == "try" || t.s == "BEGIN" || t.s == "END"], body: p.body()}
	case "catch":
		p.next()
		n := &node{op: nIf}
		if p.is("(") {
			end := p.peek().match
			p.skipGroup()
			if t := p.toks[max(end-1, 0)]; t.k == tIdent || t.k == tVar {
				n.kids = []*node{caught(t.s)}
			}
		}
		n.body = p.body()
		return n
	case "do":
		if p.lang != "perl" && (p.ahead(1).s == "{" || p.lang == "node") {
			p.next()
			return &node{op: nLoop, body: p.body()}
		}
	case "case", "default":
		if p.lang == "perl" || p.lang == "r" {
			break
		}
		p.next()
		n := &node{op: nJump}
		if !p.is(":") {
			n = p.expr(precTernary)
		}
		p.accept(":")
		return n
	case "endif", "endwhile", "endfor", "endforeach", "endswitch":
		p.next()
		return &node{op: nJump}
	case "for", "foreach":
		return p.braceFor()
	}
	return p.braceDefinition(t)
}

// braceDefinition parses functions, classes and jumps.
func (p *parser) braceDefinition(t token) *node {
	switch t.s {
	case "function":
		if p.lang != "r" && p.ahead(1).k == tIdent {
			return p.expr(precTernary)
		}
	case "sub":
		if p.lang == "perl" && p.ahead(1).k == tIdent {
			p.next()
			f := &node{op: nFunc, s: p.next().s}
			if p.is("(") {
				p.skipGroup()
			}
			f.body = p.braceBlock()
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

func (p *parser) jump(t token) *node {
	if p.lang == "r" && p.ahead(1).s != "(" && t.s != "break" && t.s != "next" || p.lang == "r" && t.s == "return" {
		return nil
	}
	p.next()
	n := &node{op: nReturn, s: t.s}
	if !p.ends(p.peek()) && !p.peek().nl && !(p.peek().k == tIdent && isWord("if", "unless")(p.peek())) {
		n.kids = append(n.kids, p.expr(precAssign))
		if p.is(",") {
			n.kids[0] = p.moreItems(n.kids[0])
		}
	}
	return p.modifiers(n)
}

// braceDeclaration parses imports and declarations.
func (p *parser) braceDeclaration(t token) *node {
	switch t.s {
	case "var", "let", "const":
		if p.lang == "node" && p.ahead(1).k != tOp || p.ahead(1).s == "{" || p.ahead(1).s == "[" {
			p.next()
			n := &node{op: nBlock}
			for {
				n.body = append(n.body, p.expr(precAssign))
				if !p.accept(",") {
					return n
				}
			}
		}
	case "import":
		if p.lang == "node" && p.ahead(1).s != "(" && p.ahead(1).s != "." {
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
		if p.lang == "php" && t.s == "use" {
			return p.skipStatement()
		}
	case "package", "namespace", "declare":
		if p.lang == "perl" && t.s == "package" || p.lang == "php" {
			return p.skipStatement()
		}
	case "global":
		if p.lang == "php" {
			return p.skipStatement()
		}
	case "static", "public", "private", "protected", "readonly":
		if p.lang == "php" && p.ahead(1).k == tVar {
			p.next()
			return p.statement()
		}
	}
	return nil
}

func (p *parser) skipStatement() *node {
	for !p.is(";", "{") && p.peek().k != tEOF {
		p.next()
	}
	return &node{op: nJump}
}

// perlUse parses use Module LIST.
func (p *parser) perlUse() *node {
	p.next()
	n := &node{op: nImport}
	if t := p.next(); t.k == tIdent {
		n.s = t.s // with its packages
		for p.is("::") || p.peek().k == tIdent && p.toks[p.i-1].s == "::" {
			n.s += p.next().s
		}
	}
	for !p.is(";") && p.peek().k != tEOF {
		n.kids = append(n.kids, p.expr(precAssign))
		if !p.accept(",", "=>") {
			break
		}
	}
	return n
}

// nodeImport parses import … from "module".
func (p *parser) nodeImport() *node {
	p.next()
	n := &node{op: nImport}
	for p.peek().k != tStr && p.peek().k != tEOF && !p.is(";") {
		switch t := p.next(); {
		case t.k == tOp && t.s == "*":
			p.accept("as")
			n.params = append(n.params, "", p.next().s)
		case t.k == tOp && t.s == "{":
			for !p.is("}") && p.peek().k != tEOF {
				name := p.next().s
				alias := name
				if p.accept("as") {
					alias = p.next().s
				}
				n.params = append(n.params, name, alias)
				p.accept(",")
			}
			p.accept("}")
		case t.k == tIdent && t.s != "from" && t.s != "type":
			n.params = append(n.params, "", t.s)
		}
	}
	if t := p.peek(); t.k == tStr {
		p.next()
		for _, x := range t.parts {
			n.s += x.lit
		}
	}
	return n
}

// braceFor parses all loops that begin with for or foreach.
func (p *parser) braceFor() *node {
	p.next()
	p.accept("await")
	n := &node{op: nFor}
	for p.is("my", "our", "state") {
		p.next()
	}
	if t := p.peek(); p.lang == "perl" && t.k == tVar {
		p.next()
		n.kids = []*node{{op: nName, s: t.s}}
		if p.is("(") {
			n.kids = append(n.kids, &node{op: nList, kids: p.arguments()})
		}
		n.body = p.body()
		return n
	}
	p.expect("(")
	for p.is("var", "let", "const", "my") {
		p.next()
	}
	saved := p.noIn
	p.noIn = true
	first := &node{op: nList}
	if !p.is(";", ")") {
		first = p.expr(precAssign)
	}
	p.noIn = saved
	switch {
	case p.accept("of", "in"):
		n.kids = []*node{first, p.expr(precAssign)}
	case p.accept("as"):
		target := p.expr(precTernary)
		if p.accept("=>") {
			target = &node{op: nList, kids: []*node{target, p.expr(precTernary)}, s: "pairs"}
		}
		n.kids = []*node{target, first}
	case p.is(")") && p.lang == "perl":
		n.kids = []*node{{op: nName, s: "$_"}, first}
	case p.is(",") && p.lang == "perl":
		n.kids = []*node{{op: nName, s: "$_"}, p.moreItems(first)}
	default:
		n.op = nLoop
		n.kids = []*node{first}
		for !p.is(")") && p.peek().k != tEOF {
			before := p.i
			if p.accept(";", ",") {
				continue
			}
			n.kids = append(n.kids, p.expr(precAssign))
			if p.i == before {
				p.next()
			}
		}
	}
	p.expect(")")
	n.body = p.body()
	return n
}

// braceClass parses a class: its methods are functions.
func (p *parser) braceClass() *node {
	n := &node{op: nClass}
	for !p.is("{") && p.peek().k != tEOF {
		t := p.next()
		if t.k == tIdent && n.s == "" && t.s != "class" && t.s != "abstract" && t.s != "final" {
			n.s = t.s
		}
		if t.k == tOp && (t.s == "(" || t.s == "[") || t.k == tStr || t.k == tCmd { // a base that is computed
			p.bad = true
		}
	}
	p.expect("{")
	for !p.is("}") && p.peek().k != tEOF {
		before := p.i
		switch t := p.peek(); {
		case (t.k == tIdent || t.k == tStr) && p.ahead(1).s == "(":
			p.next()
			n.body = append(n.body, p.function(t.s))
		case t.k == tIdent && t.s == "function":
			n.body = append(n.body, p.expr(precTernary))
		case (t.k == tIdent || t.k == tVar) && p.ahead(1).s == "=":
			n.body = append(n.body, p.expr(precAssign))
		case t.k == tOp && t.s == "{":
			n.body = append(n.body, &node{op: nBlock, body: p.braceBlock()})
		default:
			if t.k == tOp && (t.s == "(" || t.s == "[" || t.s == "=") { // a computed name
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
