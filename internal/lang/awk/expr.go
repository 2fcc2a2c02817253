package awk

// The levels of the grammar of expressions, the weakest first (gawk 5.3 manual,
// section 6.5; POSIX.1-2024 awk, table "Expressions in Decreasing Precedence").
const (
	levelOr = iota + 1
	levelAnd
	levelIn
	levelMatch
	levelCompare
	levelConcat // and command | getline
	levelAdd
	levelMultiply
)

// expression reads an expression: a condition, if it is one.
func (p *parser) expression() *Node {
	pos := p.tok.pos
	if !p.enter() {
		return p.node(Bad, pos, "", "")
	}
	defer p.leave()
	c := p.binary(levelOr)
	if !p.take("?") {
		return c
	}
	p.newlines()
	yes := p.expression()
	if p.tok.kind == tNewline {
		p.unexpected()
		p.newlines()
	}
	p.expect(":")
	p.newlines()
	no := p.expression()
	return p.node(Cond, pos, "", "", c, yes, no)
}

// infix tells what operator the next token is and how strongly it binds.
func (p *parser) infix() (kind Kind, level int) {
	if p.tok.kind != tOp {
		switch {
		case p.isWord("in"):
			return In, levelIn
		case p.operand():
			return Concat, levelConcat
		}
		return Bad, 0
	}
	switch p.tok.text {
	case "||":
		return Or, levelOr
	case "&&":
		return And, levelAnd
	case "~", "!~":
		return Match, levelMatch
	case ">":
		if p.print {
			return Bad, 0
		}
		return Compare, levelCompare
	case "<", "<=", "==", "!=", ">=":
		return Compare, levelCompare
	case "|", "|&":
		if p.print || !p.getlineNext() {
			return Bad, 0
		}
		return Getline, levelConcat
	case "+", "-":
		return Binary, levelAdd
	case "*", "/", "%":
		return Binary, levelMultiply
	}
	if p.operand() {
		return Concat, levelConcat
	}
	return Bad, 0
}

// operand reports whether the next token can begin the right side of a
// concatenation.
func (p *parser) operand() bool {
	switch p.tok.kind {
	case tNumber, tString, tName, tHole:
		return true
	case tKeyword:
		return p.tok.text == "getline"
	case tOp:
		switch p.tok.text {
		case "$", "(", "!", "++", "--":
			return true
		case "@":
			return !p.atDirective()
		}
	}
	return false
}

// getlineNext reports whether getline stands behind the token at hand.
func (p *parser) getlineNext() bool {
	mark := p.lexer
	t, _ := p.lexer.next()
	p.lexer = mark
	return t.kind == tKeyword && t.text == "getline"
}

// binary reads operators that bind at least as strongly as a level; all of them
// group to the left.
func (p *parser) binary(least int) *Node {
	pos := p.tok.pos
	left := p.unary()
	most := levelMultiply // how strongly what follows may bind
	for {
		kind, level := p.infix()
		switch {
		case level == 0 || level < least:
			return left
		case level > most:
			p.unexpected()
		}
		op := p.tok.text
		switch kind {
		case Concat:
			right := p.tight(p.binary(levelAdd))
			left = p.node(Concat, pos, "", "", left, right)
			continue
		case Getline:
			p.next()
			left = p.getline(op, left)
			continue
		case In:
			p.next()
			left = p.node(In, pos, "", "", left, p.array())
			most = levelCompare // the array is all of its right side
			continue
		case Or, And:
			p.next()
			p.newlines()
			op = ""
		case Compare: // is not repeated
			most = levelCompare - 1
			p.next()
		default:
			p.next()
		}
		right := p.binary(level + 1)
		if level > levelConcat {
			right = p.tight(right)
		}
		left = p.node(kind, pos, op, "", left, right)
	}
}

// tight notes an assignment that is the operand of what binds too strongly for
// it.
func (p *parser) tight(n *Node) *Node {
	if n.Kind == Assign {
		p.fail(n.Pos, "an assignment without parentheses")
	}
	return n
}

// array reads the array behind in.
func (p *parser) array() *Node {
	switch p.tok.kind {
	case tName:
		return p.named(Var)
	case tHole:
		return p.named(Hole)
	}
	p.unexpected()
	return p.node(Bad, p.tok.pos, "", "")
}

// unary reads the signs and the negation before an operand, and powers, which
// bind more strongly.
func (p *parser) unary() *Node {
	pos := p.tok.pos
	if !p.enter() {
		return p.node(Bad, pos, "", "")
	}
	defer p.leave()
	if p.is("!") || p.is("-") || p.is("+") {
		op := p.tok.text
		p.next()
		sub := p.tight(p.unary())
		return p.node(Unary, pos, op, "", sub)
	}
	left := p.increment()
	if !p.is("^") && !p.is("**") {
		return left
	}
	op := p.tok.text
	p.next()
	right := p.tight(p.unary()) // groups to the right
	return p.node(Binary, pos, op, "", left, right)
}

// increment reads ++ and -- on either side of an operand, and assignments: what
// can be set takes the operator behind it, also as the operand of another.
func (p *parser) increment() *Node {
	pos := p.tok.pos
	if p.is("++") || p.is("--") {
		op := p.tok.text
		p.next()
		sub := p.primary()
		if !sub.Lvalue() {
			p.unexpected()
		}
		return p.node(Pre, pos, op, "", sub)
	}
	n := p.primary()
	if !n.Lvalue() || p.tok.kind != tOp {
		return n
	}
	switch op := p.tok.text; op {
	case "++", "--":
		p.next()
		return p.node(Post, pos, op, "", n)
	case "=", "+=", "-=", "*=", "/=", "%=", "^=", "**=":
		p.next()
		if p.tok.kind == tNewline {
			p.unexpected()
			p.newlines()
		}
		value := p.expression()
		return p.node(Assign, pos, op, "", n, value)
	}
	return n
}

// primary reads an operand. Where none is, nothing is passed.
func (p *parser) primary() *Node {
	t := p.tok
	if !p.enter() {
		return p.node(Bad, t.pos, "", "")
	}
	defer p.leave()
	switch t.kind {
	case tNumber:
		if t.end < len(p.s) && (isWord(p.s[t.end]) || p.s[t.end] == '.') {
			p.prog.Odd = true
		}
		p.next()
		return p.node(Number, t.pos, "", t.text)
	case tString:
		p.next()
		return p.node(String, t.pos, "", t.text)
	case tHole:
		return p.named(Hole)
	case tName:
		return p.named(Var)
	case tKeyword:
		if t.text == "getline" {
			return p.getline("", nil)
		}
	case tOp:
		switch t.text {
		case "$":
			return p.field()
		case "(":
			return p.group()
		case "/", "/=":
			return p.regex(t.pos, "")
		case "@":
			return p.typed()
		}
	}
	p.unexpected()
	return p.node(Bad, t.pos, "", "")
}

// named reads a variable, an element of an array or a call. The arguments of a
// function of the program's own stand directly behind its name.
func (p *parser) named(kind Kind) *Node {
	t := p.tok
	p.next()
	if kind == Var && p.is("(") && (t.end == p.tok.pos || Builtin(t.text)) {
		return p.call(t, "")
	}
	if kind == Var && t.text == "length" {
		return p.node(Call, t.pos, "bare", t.text)
	}
	if !p.is("[") {
		if kind == Var && Builtin(t.text) {
			p.fail(t.pos, "a function without its arguments")
		}
		return p.node(kind, t.pos, "", t.text)
	}
	var n *Node
	for p.is("[") {
		mark := len(p.stack)
		op := ""
		if n != nil { // an array within an array: gawk's
			op = "["
			p.stack = append(p.stack, n)
		}
		if p.list("]"); len(p.stack) == mark {
			p.unexpected()
		}
		n = p.pop(Element, t.pos, op, t.text, mark)
	}
	return n
}

func (p *parser) call(name token, op string) *Node {
	mark := len(p.stack)
	p.list(")")
	return p.pop(Call, name.pos, op, name.text, mark)
}

// list reads the expressions between two brackets, the first of which is at
// hand, onto the stack. Lines may end behind commas only.
func (p *parser) list(closing string) {
	saved := p.print
	p.print = false
	p.next()
	p.noNewline()
	for p.tok.kind != tEOF && !p.is(closing) {
		e := p.expression()
		p.stack = append(p.stack, e)
		p.noNewline()
		if !p.is(",") {
			break
		}
		p.next()
		p.newlines()
		if p.is(closing) {
			p.unexpected()
		}
	}
	p.print = saved
	p.expect(closing)
}

// noNewline passes ends of lines that no awk takes.
func (p *parser) noNewline() {
	if p.tok.kind == tNewline {
		p.unexpected()
		p.newlines()
	}
}

// group reads (e), (e, e) in array, and the list in parentheses of print.
func (p *parser) group() *Node {
	pos, mark := p.tok.pos, len(p.stack)
	p.list(")")
	switch n := len(p.stack) - mark; {
	case n == 0:
		p.fail(pos, "nothing in parentheses")
	case n > 1 && p.isWord("in"):
		p.next()
		p.stack = append(p.stack, p.array())
		return p.pop(In, pos, "", "", mark)
	case n > 1 && pos == p.operands:
		p.listed = true
	case n > 1:
		p.fail(pos, "a list where there should be an expression")
	}
	return p.pop(Group, pos, "", "", mark)
}

// field reads what a dollar sign stands before.
func (p *parser) field() *Node {
	pos := p.tok.pos
	p.next()
	var sub *Node
	switch {
	case p.is("++") || p.is("--"):
		sub = p.increment()
	case p.is("-") || p.is("+") || p.is("!"):
		sub = p.unary()
	default:
		sub = p.primary()
	}
	return p.node(Field, pos, "", "", sub)
}

// regex reads the regular expression whose slash is at a byte.
func (p *parser) regex(at int, op string) *Node {
	pos := p.tok.pos
	n, end, closed, odd := regexLen(p.s[at:])
	if !closed {
		p.fail(at, "a regular expression is not closed")
	}
	p.prog.Odd = p.prog.Odd || odd
	p.at = at + n
	p.tok.end = p.at
	p.next()
	return p.node(Regex, pos, op, p.s[at+1:at+end])
}

// typed reads what @ stands before in an expression: a call of the function that
// a variable names, or a regular expression as a value (gawk 5.3 manual, sections
// 9.3 and 6.1.2.2).
func (p *parser) typed() *Node {
	pos := p.tok.pos
	if p.tok.end < len(p.s) && p.s[p.tok.end] == '/' {
		return p.regex(p.tok.end, "@")
	}
	p.next()
	name := p.tok
	if name.kind != tName && name.kind != tHole {
		p.unexpected()
		return p.node(Bad, pos, "", "")
	}
	p.next()
	if !p.is("(") || name.end != p.tok.pos {
		p.unexpected()
	}
	if !p.is("(") {
		return p.node(Bad, pos, "", "")
	}
	name.pos = pos
	return p.call(name, "@")
}

// getline reads getline in its forms; command is what stands before a pipe
// (gawk 5.3 manual, section 4.10).
func (p *parser) getline(op string, command *Node) *Node {
	pos, source := p.tok.pos, command
	if command != nil {
		pos = command.Pos
	}
	p.next()
	var target *Node
	switch {
	case p.is("$"):
		target = p.field()
	case p.tok.kind == tHole:
		target = p.named(Hole)
	case p.tok.kind == tName && !Builtin(p.tok.text):
		target = p.named(Var)
	}
	if command == nil && p.is("<") {
		op = "<"
		p.next()
		source = p.primary() // a concatenation is not of it
	}
	return p.node(Getline, pos, op, "", target, source)
}
