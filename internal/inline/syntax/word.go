package syntax

// word parses what a bare name begins.
func (p *parser) word() *Node {
	t := p.next()
	switch p.lang {
	case "python":
		if t.Text == "lambda" {
			f := &Node{Op: OpFunc}
			f.Params, f.Kids = p.lambdaParameters()
			f.Body = []*Node{{Op: OpReturn, Kids: []*Node{p.expr(precTernary)}}}
			return f
		}
		if (t.Text == "print" || t.Text == "exec") && p.startsArgument() && !p.is("(", "[", "-", "*", "{") {
			return p.command(&Node{Op: OpName, Text: t.Text})
		}
	case "node":
		if n := p.nodeWord(t); n != nil {
			return n
		}
	case "php":
		if n := p.phpWord(t); n != nil {
			return n
		}
	case "perl":
		return p.perlCall(t)
	case "ruby":
		if n := p.rubyWord(t); n != nil {
			return n
		}
	case "lua", "r":
		if t.Text == "function" {
			return p.function("")
		}
		if p.lang == "r" && (t.Text == "if" || t.Text == "for" || t.Text == "while" || t.Text == "repeat") {
			p.i--
			return p.braceStatement()
		}
	}
	return &Node{Op: OpName, Text: t.Text}
}

func (p *parser) lambdaParameters() (names []string, defaults []*Node) {
	for !p.is(":") && p.peek().Kind != TokEOF && p.peek().Kind != TokNL {
		if t := p.next(); t.Kind == TokIdent {
			names = append(names, t.Text)
			if p.accept("=") {
				defaults = append(defaults, p.expr(precTernary))
			}
		}
	}
	p.accept(":")
	return names, defaults
}

func (p *parser) nodeWord(t Token) *Node {
	switch t.Text {
	case "function":
		p.accept("*")
		name := ""
		if p.peek().Kind == TokIdent {
			name = p.next().Text
		}
		return p.function(name)
	case "async":
		if p.is("function") || p.peek().Kind == TokIdent && p.ahead(1).Text == "=>" || p.is("(") {
			return p.primary()
		}
	case "class":
		p.i--
		return p.braceStatement()
	}
	if p.is("=>") {
		p.next()
		return p.arrowBody([]string{t.Text}, nil)
	}
	return nil
}

func (p *parser) phpWord(t Token) *Node {
	switch t.Text {
	case "function", "fn":
		p.accept("&")
		name := ""
		if p.peek().Kind == TokIdent {
			name = p.next().Text
		}
		return p.function(name)
	case "echo", "print", "include", "include_once", "require", "require_once", "exit", "die", "throw", "return", "yield":
		if p.is("(") && t.Text != "echo" && t.Text != "print" && t.Text != "return" || p.ends(p.peek()) {
			break
		}
		return p.command(&Node{Op: OpName, Text: t.Text})
	case "static":
		if p.is("function", "fn") {
			return p.primary()
		}
	case "match":
		if p.is("(") {
			p.bad = true
		}
	case "list":
		if p.is("(") {
			p.next()
			return p.list("[", ")")
		}
	}
	return nil
}

// function parses parameters and a body; the cursor is on "(".
func (p *parser) function(name string) *Node {
	f := &Node{Op: OpFunc, Text: name}
	saveDo, saveIn, saveCall := p.noDo, p.noIn, p.noCall
	p.noDo, p.noIn, p.noCall = false, false, false
	defer func() { p.noDo, p.noIn, p.noCall = saveDo, saveIn, saveCall }()
	if p.accept("(") {
		f.Params, f.Kids = p.parameters(")")
	}
	if p.lang == "lua" {
		f.Body = p.block(isWord("end"))
		p.accept("end")
		return f
	}
	for !p.is("{", "=>", ";") && p.lang == "php" && p.peek().Kind != TokEOF { // use (…), a return type
		if p.is("(") {
			p.skipGroup()
			continue
		}
		p.next()
	}
	switch {
	case p.accept("=>"):
		f.Body = []*Node{{Op: OpReturn, Kids: []*Node{p.expr(precAssign)}}}
	case p.is("{"):
		f.Body = p.braceBlock()
	case p.lang == "r":
		f.Body = []*Node{{Op: OpReturn, Kids: []*Node{p.expr(precAssign)}}}
	}
	return f
}

func isWord(words ...string) func(Token) bool {
	return func(t Token) bool {
		if t.Kind != TokIdent {
			return false
		}
		for _, w := range words {
			if t.Text == w {
				return true
			}
		}
		return false
	}
}

// braceBlock parses { statements }.
func (p *parser) braceBlock() []*Node {
	p.expect("{")
	body := p.block(func(t Token) bool { return t.Kind == TokOp && t.Text == "}" })
	p.expect("}")
	return body
}

// startsArgument reports whether the next token can begin the argument of a
// call without parentheses.
func (p *parser) startsArgument() bool {
	t := p.peek()
	if t.Nl && p.lang != "perl" && p.lang != "php" {
		return false
	}
	switch t.Kind {
	case TokStr, tCmd, tWords, TokNum, TokVar, tRegex:
		return true
	case TokIdent:
		switch t.Text {
		case "if", "unless", "while", "until", "or", "and", "then", "do", "rescue", "end", "for", "foreach", "in", "is", "else", "elsif", "ensure", "when":
			return false
		case "x", "eq", "ne", "lt", "gt", "le", "ge", "cmp", "xor", "isa": // operators of Perl, names elsewhere
			return p.lang != "perl"
		}
		return true
	case TokOp:
		n := p.ahead(1)
		switch t.Text {
		case "[", "-", "*", "&", "::", "**", ":", "%":
			if p.lang == "perl" {
				return t.Text != "*" && t.Text != "**" && t.Text != "&" && t.Text != "%" && t.Text != ":" || t.sp && !n.sp && t.Text != ":"
			}
			return t.sp && !n.sp
		case "->", "!", "~":
			return p.lang == "ruby" || t.Text != "->"
		case "(", "\\", "@", "$", "-X", "+":
			return p.lang != "ruby" || t.Text == "("
		case "{":
			return p.lang == "perl"
		}
	}
	return false
}

// command parses the arguments of a call without parentheses.
func (p *parser) command(callee *Node) *Node {
	call := &Node{Op: OpCall, Kids: []*Node{callee}}
	for {
		before := p.i
		call.Kids = append(call.Kids, p.item())
		if p.i == before || !p.accept(",", "=>") {
			return call
		}
		if t := p.peek(); p.ends(t) {
			return call
		}
	}
}

// arguments parses ( … ) and returns the arguments.
func (p *parser) arguments() []*Node {
	p.next()
	saved := p.noDo
	p.noDo = false
	list := p.list("(arguments", ")")
	p.noDo = saved
	return list.Kids
}

// postfix parses what may follow an operand: names, calls, indexes.
func (p *parser) postfix(n *Node) *Node {
	for range MaxEvalSteps {
		t := p.peek()
		if t.Nl && !p.continues(t) {
			return n
		}
		if t.Kind != TokOp {
			m := p.postfixWord(n, t)
			if m == nil {
				return n
			}
			n = m
			continue
		}
		m := p.postfixOp(n, t)
		if m == nil {
			return n
		}
		n = m
	}
	return n
}

// continues reports whether a token on a new line belongs to what came before.
func (p *parser) continues(t Token) bool {
	if t.Kind != TokOp {
		return false
	}
	switch p.lang {
	case "python", "perl", "php", "lua":
		return true
	}
	return t.Text == "." || t.Text == "?." || t.Text == "&." || p.lang == "node" && (t.Text == "(" || t.Text == "[")
}

// postfixWord handles strings and blocks that follow a callee directly.
func (p *parser) postfixWord(n *Node, t Token) *Node {
	callee := n.Op == OpName || n.Op == OpAttr || n.Op == OpCall && p.lang == "lua" || n.Op == OpIndex
	switch {
	case p.lang == "lua" && t.Kind == TokStr && callee:
		return &Node{Op: OpCall, Kids: []*Node{n, p.text(p.next(), OpStr)}}
	case p.lang == "node" && t.Kind == TokStr && callee && !t.sp:
		return &Node{Op: OpCall, Kids: []*Node{n, p.text(p.next(), OpStr)}}
	case p.lang == "ruby" && t.Kind == TokIdent && t.Text == "do" && !p.noDo && (callee || n.Op == OpCall):
		return p.withBlock(n)
	case p.lang == "ruby" && n.Op == OpAttr && t.sp && p.startsArgument() && !p.binaryLooking():
		return p.command(n)
	}
	return nil
}

// binaryLooking: `a - b` and `a [b]` are not calls when a is a variable.
func (p *parser) binaryLooking() bool { return p.peek().Kind == TokOp && p.ahead(1).sp }

func (p *parser) withBlock(n *Node) *Node {
	f := p.closure()
	if n.Op == OpCall {
		n.Kids = append(n.Kids, f)
		return n
	}
	return &Node{Op: OpCall, Kids: []*Node{n, f}}
}

func (p *parser) postfixOp(n *Node, t Token) *Node {
	switch t.Text {
	case ".", "?.", "&.", "->", "?->", "::":
		if t.Text == "::" && p.lang == "python" { // an empty bound of a slice
			return nil
		}
		return p.member(n, t)
	case ":":
		if p.lang == "lua" && p.ahead(1).Kind == TokIdent {
			p.next()
			return &Node{Op: OpAttr, Text: p.next().Text, Kids: []*Node{n}}
		}
		if p.lang == "r" && p.ahead(1).Text == ":" {
			p.next()
			p.next()
			p.accept(":")
			return &Node{Op: OpAttr, Text: p.next().Text, Kids: []*Node{n}}
		}
		if p.lang == "r" {
			p.next()
			return &Node{Op: OpBin, Text: "..", Kids: []*Node{n, p.expr(precUnary)}}
		}
	case "(":
		if p.lang == "ruby" && t.sp && n.Op != OpName && n.Op != OpAttr || p.lang == "perl" && n.Op != OpAttr && n.Op != OpIndex && n.Op != OpCall && !(n.Op == OpUnary && n.Text == "&") {
			return nil
		}
		call := &Node{Op: OpCall, Kids: append([]*Node{n}, p.arguments()...)}
		if p.lang == "ruby" && p.is("{") && !p.peek().Nl {
			return p.withBlock(call)
		}
		return call
	case "[":
		if p.lang == "ruby" && t.sp && n.Op == OpName && !p.locals[n.Text] {
			return p.command(n)
		}
		p.next()
		return p.subscript(n, "]")
	case "{":
		return p.postfixBrace(n)
	case "$":
		if p.lang == "r" {
			p.next()
			return &Node{Op: OpAttr, Text: p.next().Text, Kids: []*Node{n}}
		}
	case "++", "--":
		if !t.Nl {
			p.next()
			return &Node{Op: OpUnary, Text: t.Text, Kids: []*Node{n}}
		}
	case "!":
		if p.lang == "node" {
			return nil
		}
	case "-", "*", "&":
		if p.lang == "ruby" && n.Op == OpAttr && t.sp && !p.ahead(1).sp {
			return p.command(n)
		}
	}
	return nil
}

// postfixBrace: a hash subscript of Perl, a block of Ruby, a table argument of
// Lua.
func (p *parser) postfixBrace(n *Node) *Node {
	switch p.lang {
	case "perl":
		if n.Op != OpName && n.Op != OpIndex && n.Op != OpUnary {
			return nil
		}
		p.next()
		return p.subscript(n, "}")
	case "ruby":
		if n.Op == OpAttr || n.Op == OpName && !p.locals[n.Text] {
			return p.withBlock(n)
		}
	case "lua":
		if n.Op == OpName || n.Op == OpAttr {
			return &Node{Op: OpCall, Kids: []*Node{n, p.braces()}}
		}
	}
	return nil
}

// member parses what follows a dot, arrow or double colon.
func (p *parser) member(n *Node, t Token) *Node {
	if t.Text == "." && (p.lang == "php" || p.lang == "perl") || t.Text == "->" && p.lang == "python" {
		return nil
	}
	p.next()
	m := p.peek()
	switch {
	case m.Kind == TokIdent:
		p.next()
		a := &Node{Op: OpAttr, Text: m.Text, Kids: []*Node{n}}
		if p.lang == "perl" && !p.is("(") { // a method call without arguments
			return &Node{Op: OpCall, Kids: []*Node{a}}
		}
		return a
	case m.Kind == TokVar: // $o->$m, X::$y
		p.next()
		return &Node{Op: OpIndex, Text: ".", Kids: []*Node{n, {Op: OpName, Text: m.Text}}}
	case m.Kind == TokOp && (m.Text == "[" || m.Text == "{"):
		p.next()
		end := "]"
		if m.Text == "{" {
			end = "}"
		}
		return p.subscript(n, end)
	case m.Kind == TokOp && m.Text == "(":
		return &Node{Op: OpCall, Kids: append([]*Node{n}, p.arguments()...)}
	case m.Kind == TokOp && (m.Text == "@" || m.Text == "$" || m.Text == "%"), m.Kind == tCmd:
		p.next()
		p.accept("*")
		return n
	case m.Kind == TokOp && m.Text == "#": // a private field
		p.next()
		if p.peek().Kind == TokIdent {
			return &Node{Op: OpAttr, Text: "#" + p.next().Text, Kids: []*Node{n}}
		}
	}
	p.bad = true
	return n
}

// subscript parses an index, the cursor behind the bracket.
func (p *parser) subscript(n *Node, end string) *Node {
	saved := p.noIn
	p.noIn = false
	defer func() { p.noIn = saved }()
	if p.lang == "r" {
		double := p.accept("[")
		m := &Node{Op: OpIndex, Kids: []*Node{n, p.list("[", end)}}
		if double {
			p.accept("]")
		}
		return m
	}
	if t := p.peek(); end == "}" && t.Kind == TokIdent && p.ahead(1).Text == "}" {
		p.next()
		p.next()
		return &Node{Op: OpIndex, Kids: []*Node{n, {Op: OpStr, Kids: []*Node{{Op: OpLit, Text: t.Text}}}}}
	}
	var index []*Node
	colons := 0
	slots := []*Node{nil, nil, nil}
	var more []*Node // slices of several dimensions
	for !p.is(end) && p.peek().Kind != TokEOF {
		before := p.i
		switch {
		case p.lang == "python" && p.accept(":"):
			colons++
		case p.accept("::"):
			colons += 2
		case p.accept(","):
		default:
			e := p.expr(precAssign)
			index = append(index, e)
			if colons < 3 && slots[colons] == nil {
				slots[colons] = e
			} else {
				more = append(more, e)
			}
		}
		if p.i == before {
			p.bad = true
			p.next()
		}
	}
	p.accept(end)
	if colons > 0 {
		return &Node{Op: OpSlice, Kids: append([]*Node{n}, slots...), Body: more}
	}
	return &Node{Op: OpIndex, Kids: append([]*Node{n}, index...)}
}
