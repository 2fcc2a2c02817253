package awk

// maxDepth bounds how deeply a program is nested.
const maxDepth = 600

// A parser is a recursive-descent parser over the tokens. It takes what gawk
// takes; at what gawk refuses it notes the place and goes on.
type parser struct {
	lexer
	prog  *Program
	tok   token
	last  int // where the token before it ended
	depth int

	print    bool // among the operands of print > and | redirect
	operands int  // where they begin: a list in parentheses can stand there
	listed   bool // one was read
	switches int  // that are being read

	nodes []Node  // room for more
	room  []*Node // room for kids
	stack []*Node // kids of nodes that are being read
}

// Parse reads a program.
func Parse(text string) *Program {
	p := &parser{prog: &Program{Source: text}, operands: -1}
	p.s = text
	if len(text) > MaxText {
		p.s, p.prog.Cut = text[:MaxText], true
	}
	p.next()
	for {
		p.newlines()
		if p.tok.kind == tEOF {
			return p.prog
		}
		from := p.tok.pos
		p.prog.Items = append(p.prog.Items, p.item())
		if p.tok.pos == from { // nothing of it could be read
			p.next()
		}
	}
}

func (p *parser) next() {
	p.last = p.tok.end
	t, wrong := p.lexer.next()
	p.tok = t
	if wrong != "" {
		p.fail(t.pos, wrong)
	}
}

// fail notes the first part that is no awk.
func (p *parser) fail(pos int, why string) {
	if p.prog.Err == nil {
		p.prog.Err = &Error{Pos: pos, Reason: why}
	}
}

func (p *parser) unexpected() {
	if p.tok.kind == tEOF {
		p.fail(p.tok.pos, "it ends too early")
		return
	}
	p.fail(p.tok.pos, "not expected here: "+p.s[p.tok.pos:min(p.tok.end, p.tok.pos+20)])
}

// enter counts the nesting; too deep a program is read no further.
func (p *parser) enter() bool {
	if p.depth++; p.depth <= maxDepth {
		return true
	}
	p.prog.Cut = true
	p.at = len(p.s)
	p.tok = token{pos: p.at, end: p.at}
	return false
}

func (p *parser) leave() { p.depth-- }

// node makes a node that ends where the last token or the last of its kids did.
func (p *parser) node(kind Kind, pos int, op, text string, kids ...*Node) *Node {
	if len(p.nodes) == 0 {
		p.nodes = make([]Node, min(4+p.prog.Nodes, 256))
	}
	n := &p.nodes[0]
	p.nodes = p.nodes[1:]
	*n = Node{Kind: kind, Op: op, Text: text, Pos: pos, End: max(p.last, pos), ID: p.prog.Nodes}
	p.prog.Nodes++
	n.Kids = p.kids(kids)
	for _, k := range kids {
		if k != nil {
			n.End = max(n.End, k.End)
		}
	}
	return n
}

// kids copies a list of nodes.
func (p *parser) kids(list []*Node) []*Node {
	switch {
	case len(list) == 0:
		return nil
	case len(list) > 64:
		return append([]*Node(nil), list...)
	case len(p.room) < len(list):
		p.room = make([]*Node, max(len(list), min(8+p.prog.Nodes, 256)))
	}
	kids := p.room[:len(list):len(list)]
	p.room = p.room[len(list):]
	copy(kids, list)
	return kids
}

// pop makes a node of what is on the stack from a mark on.
func (p *parser) pop(kind Kind, pos int, op, text string, mark int) *Node {
	n := p.node(kind, pos, op, text, p.stack[mark:]...)
	p.stack = p.stack[:mark]
	return n
}

func (p *parser) is(op string) bool { return p.tok.kind == tOp && p.tok.text == op }

func (p *parser) isWord(word string) bool { return p.tok.kind == tKeyword && p.tok.text == word }

// take passes an operator if it is next.
func (p *parser) take(op string) bool {
	if p.is(op) {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(op string) {
	if !p.take(op) {
		p.unexpected()
	}
}

func (p *parser) newlines() {
	for p.tok.kind == tNewline {
		p.next()
	}
}

// item reads a rule, a function or a directive, and what ends it.
func (p *parser) item() *Node {
	var n *Node
	switch {
	case p.tok.kind == tKeyword:
		n = p.wordItem()
	case p.is("@") && p.atDirective():
		n = p.directive()
	default:
		n = p.rule()
	}
	switch {
	case p.take(";"), p.tok.kind == tEOF:
	case p.last > 0 && p.s[p.last-1] == '}':
		if p.newlines(); p.take(";") {
			p.prog.Odd = true // an error to mawk
		}
	case p.tok.kind == tNewline:
	default:
		p.unexpected()
	}
	return n
}

func (p *parser) wordItem() *Node {
	pos, word := p.tok.pos, p.tok.text
	switch word {
	case "BEGIN", "BEGINFILE", "END", "ENDFILE":
		p.next()
		kind := Begin
		if word[0] == 'E' {
			kind = End
		}
		if p.tok.kind == tNewline {
			p.unexpected()
			p.newlines()
		}
		body := p.block()
		return p.node(kind, pos, "", word, body)
	case "function", "func":
		return p.function()
	case "getline":
		return p.rule()
	}
	p.unexpected() // a statement without braces
	body := p.statement()
	return p.node(Rule, pos, "", "", nil, nil, p.node(Block, pos, "", "", body))
}

func (p *parser) rule() *Node {
	pos := p.tok.pos
	var from, to, body *Node
	if !p.is("{") {
		from = p.expression()
		if p.take(",") {
			p.newlines()
			to = p.expression()
		}
	}
	if p.is("{") {
		body = p.block()
	}
	return p.node(Rule, pos, "", "", from, to, body)
}

// function reads the definition of a function.
func (p *parser) function() *Node {
	pos := p.tok.pos
	if p.tok.text == "func" {
		p.prog.Odd = true // gawk's own
	}
	p.next()
	name := ""
	if p.tok.kind == tName {
		name = p.tok.text
		p.next()
	} else {
		p.unexpected()
	}
	p.expect("(")
	mark := len(p.stack)
	for p.tok.kind == tName || p.tok.kind == tHole {
		p.stack = append(p.stack, p.variable())
		if !p.take(",") {
			break
		}
		p.newlines()
		if p.is(")") {
			p.unexpected()
		}
	}
	p.expect(")")
	p.newlines()
	body := p.block()
	p.stack = append(p.stack, body)
	return p.pop(Function, pos, "", name, mark)
}

func (p *parser) variable() *Node {
	kind, t := Var, p.tok
	if t.kind == tHole {
		kind = Hole
	}
	p.next()
	return p.node(kind, t.pos, "", t.text)
}

// atDirective reports whether the @ that is next begins a directive.
func (p *parser) atDirective() bool {
	mark := p.lexer
	t, _ := p.lexer.next()
	p.lexer = mark
	return t.kind == tName && (t.text == "include" || t.text == "load" || t.text == "namespace")
}

// directive reads @include, @load or @namespace (gawk 5.3 manual, sections 2.7,
// 2.8 and 15.3).
func (p *parser) directive() *Node {
	pos := p.tok.pos
	p.next()
	word := p.tok.text
	p.next()
	operand := p.primary()
	if operand.Kind != String && operand.Kind != Hole {
		p.fail(operand.Pos, "no string behind @"+word)
	}
	return p.node(Directive, pos, "", word, operand)
}

// block reads statements in braces.
func (p *parser) block() *Node {
	pos := p.tok.pos
	if !p.take("{") {
		p.unexpected()
		return p.node(Block, pos, "", "")
	}
	n, _ := p.statements(pos)
	return n
}

// statements reads up to the closing brace, and that, or to the next case of a
// switch.
func (p *parser) statements(pos int) (n *Node, closed bool) {
	mark := len(p.stack)
	for {
		for p.tok.kind == tNewline || p.is(";") {
			p.next()
		}
		switch {
		case p.tok.kind == tEOF:
			p.unexpected()
			return p.pop(Block, pos, "", "", mark), true
		case p.take("}"):
			return p.pop(Block, pos, "", "", mark), true
		case p.isWord("case") || p.isWord("default"):
			if p.switches > 0 {
				return p.pop(Block, pos, "", "", mark), false
			}
		}
		from := p.tok.pos
		n := p.statement()
		p.stack = append(p.stack, n)
		if p.tok.pos == from {
			p.next()
		}
	}
}
