package inline

// word parses what a bare name begins.
func (p *parser) word() *node {
	t := p.next()
	switch p.lang {
	case "python":
		if t.s == "lambda" {
			f := &node{op: nFunc}
			f.params, f.kids = p.lambdaParameters()
			f.body = []*node{{op: nReturn, kids: []*node{p.expr(precTernary)}}}
			return f
		}
		if (t.s == "print" || t.s == "exec") && p.startsArgument() && !p.is("(", "[", "-", "*", "{") {
			return p.command(&node{op: nName, s: t.s})
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
		if t.s == "function" {
			return p.function("")
		}
		if p.lang == "r" && (t.s == "if" || t.s == "for" || t.s == "while" || t.s == "repeat") {
			p.i--
			return p.braceStatement()
		}
	}
	return &node{op: nName, s: t.s}
}

func (p *parser) lambdaParameters() (names []string, defaults []*node) {
	for !p.is(":") && p.peek().k != tEOF && p.peek().k != tNL {
		if t := p.next(); t.k == tIdent {
			names = append(names, t.s)
			if p.accept("=") {
				defaults = append(defaults, p.expr(precTernary))
			}
		}
	}
	p.accept(":")
	return names, defaults
}

func (p *parser) nodeWord(t token) *node {
	switch t.s {
	case "function":
		p.accept("*")
		name := ""
		if p.peek().k == tIdent {
			name = p.next().s
		}
		return p.function(name)
	case "async":
		if p.is("function") || p.peek().k == tIdent && p.ahead(1).s == "=>" || p.is("(") {
			return p.primary()
		}
	case "class":
		p.i--
		return p.braceStatement()
	}
	if p.is("=>") {
		p.next()
		return p.arrowBody([]string{t.s}, nil)
	}
	return nil
}

func (p *parser) phpWord(t token) *node {
	switch t.s {
	case "function", "fn":
		p.accept("&")
		name := ""
		if p.peek().k == tIdent {
			name = p.next().s
		}
		return p.function(name)
	case "echo", "print", "include", "include_once", "require", "require_once", "exit", "die", "throw", "return", "yield":
		if p.is("(") && t.s != "echo" && t.s != "print" && t.s != "return" || p.ends(p.peek()) {
			break
		}
		return p.command(&node{op: nName, s: t.s})
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
func (p *parser) function(name string) *node {
	f := &node{op: nFunc, s: name}
	saveDo, saveIn, saveCall := p.noDo, p.noIn, p.noCall
	p.noDo, p.noIn, p.noCall = false, false, false
	defer func() { p.noDo, p.noIn, p.noCall = saveDo, saveIn, saveCall }()
	if p.accept("(") {
		f.params, f.kids = p.parameters(")")
	}
	if p.lang == "lua" {
		f.body = p.block(isWord("end"))
		p.accept("end")
		return f
	}
	for !p.is("{", "=>", ";") && p.lang == "php" && p.peek().k != tEOF { // use (…), a return type
		if p.is("(") {
			p.skipGroup()
			continue
		}
		p.next()
	}
	switch {
	case p.accept("=>"):
		f.body = []*node{{op: nReturn, kids: []*node{p.expr(precAssign)}}}
	case p.is("{"):
		f.body = p.braceBlock()
	case p.lang == "r":
		f.body = []*node{{op: nReturn, kids: []*node{p.expr(precAssign)}}}
	}
	return f
}

func isWord(words ...string) func(token) bool {
	return func(t token) bool {
		if t.k != tIdent {
			return false
		}
		for _, w := range words {
			if t.s == w {
				return true
			}
		}
		return false
	}
}

// braceBlock parses { statements }.
func (p *parser) braceBlock() []*node {
	p.expect("{")
	body := p.block(func(t token) bool { return t.k == tOp && t.s == "}" })
	p.expect("}")
	return body
}

// startsArgument reports whether the next token can begin the argument of a
// call without parentheses.
func (p *parser) startsArgument() bool {
	t := p.peek()
	if t.nl && p.lang != "perl" && p.lang != "php" {
		return false
	}
	switch t.k {
	case tStr, tCmd, tWords, tNum, tVar, tRegex:
		return true
	case tIdent:
		switch t.s {
		case "if", "unless", "while", "until", "or", "and", "then", "do", "rescue", "end", "for", "foreach", "in", "is", "else", "elsif", "ensure", "when", "x", "eq", "ne", "lt", "gt", "le", "ge", "cmp", "xor", "isa":
			return false
		}
		return true
	case tOp:
		n := p.ahead(1)
		switch t.s {
		case "[", "-", "*", "&", "::", "**", ":", "%":
			if p.lang == "perl" {
				return t.s != "*" && t.s != "**" && t.s != "&" && t.s != "%" && t.s != ":" || t.sp && !n.sp && t.s != ":"
			}
			return t.sp && !n.sp
		case "->", "!", "~":
			return p.lang == "ruby" || t.s != "->"
		case "(", "\\", "@", "$", "-X", "+":
			return p.lang != "ruby" || t.s == "("
		case "{":
			return p.lang == "perl"
		}
	}
	return false
}

// command parses the arguments of a call without parentheses.
func (p *parser) command(callee *node) *node {
	call := &node{op: nCall, kids: []*node{callee}}
	for {
		before := p.i
		call.kids = append(call.kids, p.item())
		if p.i == before || !p.accept(",", "=>") {
			return call
		}
		if t := p.peek(); p.ends(t) {
			return call
		}
	}
}

// arguments parses ( … ) and returns the arguments.
func (p *parser) arguments() []*node {
	p.next()
	saved := p.noDo
	p.noDo = false
	list := p.list("(arguments", ")")
	p.noDo = saved
	return list.kids
}

// postfix parses what may follow an operand: names, calls, indexes.
func (p *parser) postfix(n *node) *node {
	for range maxEvalSteps {
		t := p.peek()
		if t.nl && !p.continues(t) {
			return n
		}
		if t.k != tOp {
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
func (p *parser) continues(t token) bool {
	if t.k != tOp {
		return false
	}
	switch p.lang {
	case "python", "perl", "php", "lua":
		return true
	}
	return t.s == "." || t.s == "?." || t.s == "&." || p.lang == "node" && (t.s == "(" || t.s == "[")
}

// postfixWord handles strings and blocks that follow a callee directly.
func (p *parser) postfixWord(n *node, t token) *node {
	callee := n.op == nName || n.op == nAttr || n.op == nCall && p.lang == "lua" || n.op == nIndex
	switch {
	case p.lang == "lua" && t.k == tStr && callee:
		return &node{op: nCall, kids: []*node{n, p.text(p.next(), nStr)}}
	case p.lang == "node" && t.k == tStr && callee && !t.sp:
		return &node{op: nCall, kids: []*node{n, p.text(p.next(), nStr)}}
	case p.lang == "ruby" && t.k == tIdent && t.s == "do" && !p.noDo && (callee || n.op == nCall):
		return p.withBlock(n)
	case p.lang == "ruby" && n.op == nAttr && t.sp && p.startsArgument() && !p.binaryLooking():
		return p.command(n)
	}
	return nil
}

// binaryLooking: `a - b` and `a [b]` are not calls when a is a variable.
func (p *parser) binaryLooking() bool { return p.peek().k == tOp && p.ahead(1).sp }

func (p *parser) withBlock(n *node) *node {
	f := p.closure()
	if n.op == nCall {
		n.kids = append(n.kids, f)
		return n
	}
	return &node{op: nCall, kids: []*node{n, f}}
}

func (p *parser) postfixOp(n *node, t token) *node {
	switch t.s {
	case ".", "?.", "&.", "->", "?->", "::":
		if t.s == "::" && p.lang == "python" { // an empty bound of a slice
			return nil
		}
		return p.member(n, t)
	case ":":
		if p.lang == "lua" && p.ahead(1).k == tIdent {
			p.next()
			return &node{op: nAttr, s: p.next().s, kids: []*node{n}}
		}
		if p.lang == "r" && p.ahead(1).s == ":" {
			p.next()
			p.next()
			p.accept(":")
			return &node{op: nAttr, s: p.next().s, kids: []*node{n}}
		}
		if p.lang == "r" {
			p.next()
			return &node{op: nBin, s: "..", kids: []*node{n, p.expr(precUnary)}}
		}
	case "(":
		if p.lang == "ruby" && t.sp && n.op != nName && n.op != nAttr || p.lang == "perl" && n.op != nAttr && n.op != nIndex && n.op != nCall && !(n.op == nUnary && n.s == "&") {
			return nil
		}
		call := &node{op: nCall, kids: append([]*node{n}, p.arguments()...)}
		if p.lang == "ruby" && p.is("{") && !p.peek().nl {
			return p.withBlock(call)
		}
		return call
	case "[":
		if p.lang == "ruby" && t.sp && n.op == nName && !p.locals[n.s] {
			return p.command(n)
		}
		p.next()
		return p.subscript(n, "]")
	case "{":
		return p.postfixBrace(n)
	case "$":
		if p.lang == "r" {
			p.next()
			return &node{op: nAttr, s: p.next().s, kids: []*node{n}}
		}
	case "++", "--":
		if !t.nl {
			p.next()
			return &node{op: nUnary, s: t.s, kids: []*node{n}}
		}
	case "!":
		if p.lang == "node" {
			return nil
		}
	case "-", "*", "&":
		if p.lang == "ruby" && n.op == nAttr && t.sp && !p.ahead(1).sp {
			return p.command(n)
		}
	}
	return nil
}

// postfixBrace: a hash subscript of Perl, a block of Ruby, a table argument of
// Lua.
func (p *parser) postfixBrace(n *node) *node {
	switch p.lang {
	case "perl":
		if n.op != nName && n.op != nIndex && n.op != nUnary {
			return nil
		}
		p.next()
		return p.subscript(n, "}")
	case "ruby":
		if n.op == nAttr || n.op == nName && !p.locals[n.s] {
			return p.withBlock(n)
		}
	case "lua":
		if n.op == nName || n.op == nAttr {
			return &node{op: nCall, kids: []*node{n, p.braces()}}
		}
	}
	return nil
}

// member parses what follows a dot, arrow or double colon.
func (p *parser) member(n *node, t token) *node {
	if t.s == "." && (p.lang == "php" || p.lang == "perl") || t.s == "->" && p.lang == "python" {
		return nil
	}
	p.next()
	m := p.peek()
	switch {
	case m.k == tIdent:
		p.next()
		a := &node{op: nAttr, s: m.s, kids: []*node{n}}
		if p.lang == "perl" && !p.is("(") { // a method call without arguments
			return &node{op: nCall, kids: []*node{a}}
		}
		return a
	case m.k == tVar: // $o->$m, X::$y
		p.next()
		return &node{op: nIndex, s: ".", kids: []*node{n, {op: nName, s: m.s}}}
	case m.k == tOp && (m.s == "[" || m.s == "{"):
		p.next()
		end := "]"
		if m.s == "{" {
			end = "}"
		}
		return p.subscript(n, end)
	case m.k == tOp && m.s == "(":
		return &node{op: nCall, kids: append([]*node{n}, p.arguments()...)}
	case m.k == tOp && (m.s == "@" || m.s == "$" || m.s == "%"), m.k == tCmd:
		p.next()
		p.accept("*")
		return n
	case m.k == tOp && m.s == "#": // a private field
		p.next()
		if p.peek().k == tIdent {
			return &node{op: nAttr, s: "#" + p.next().s, kids: []*node{n}}
		}
	}
	p.bad = true
	return n
}

// subscript parses an index, the cursor behind the bracket.
func (p *parser) subscript(n *node, end string) *node {
	saved := p.noIn
	p.noIn = false
	defer func() { p.noIn = saved }()
	if p.lang == "r" {
		double := p.accept("[")
		m := &node{op: nIndex, kids: []*node{n, p.list("[", end)}}
		if double {
			p.accept("]")
		}
		return m
	}
	if t := p.peek(); end == "}" && t.k == tIdent && p.ahead(1).s == "}" {
		p.next()
		p.next()
		return &node{op: nIndex, kids: []*node{n, {op: nStr, kids: []*node{{op: nLit, s: t.s}}}}}
	}
	var index []*node
	colons := 0
	slots := []*node{nil, nil, nil}
	var more []*node // slices of several dimensions
	for !p.is(end) && p.peek().k != tEOF {
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
		return &node{op: nSlice, kids: append([]*node{n}, slots...), body: more}
	}
	return &node{op: nIndex, kids: append([]*node{n}, index...)}
}
