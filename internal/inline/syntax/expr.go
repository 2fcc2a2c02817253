package syntax

// Binding powers. They are one table for all languages: where languages
// differ, it is in how expressions group that are no concern here.
const (
	precWordOr = iota + 1 // or, and of Perl, PHP, Ruby
	precAssign
	precTernary
	precOr
	precAnd
	precNot
	precCompare
	precBitOr
	precShift
	precAdd
	precMul
	precUnary
	precPow
)

// binary returns the binding power of an infix operator, or 0.
func (p *parser) binary(t Token) int {
	word := t.Kind == TokIdent
	if t.Kind != TokOp && !word {
		return 0
	}
	if word {
		return p.binaryWord(t.Text)
	}
	switch t.Text {
	case "=", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "&=", "^=", "**=", "//=", ">>=", "<<=", "||=", "&&=", "??=", ":=", "<-", "<<-", ">>>=":
		if p.lang == "perl" && t.Text == "//=" || t.Text != "//=" || p.lang == "python" {
			return precAssign
		}
		return 0
	case "?":
		return precTernary
	case "||", "??":
		return precOr
	case "&&":
		return precAnd
	case "==", "!=", "===", "!==", "<=>", "<", ">", "<=", ">=", "=~", "!~", "~=", "<>", "%in%":
		return precCompare
	case "|", "^", "&", "|>", "...":
		return precBitOr
	case "~":
		if p.lang == "r" || p.lang == "lua" {
			return precBitOr
		}
	case "<<", ">>", ">>>":
		return precShift
	case "..":
		if p.lang == "lua" {
			return precShift
		}
		return precBitOr
	case "+", "-":
		return precAdd
	case ".":
		if p.lang == "php" || p.lang == "perl" {
			return precAdd
		}
	case "//":
		if p.lang == "perl" {
			return precOr
		}
		return precMul
	case "*", "/", "%", "@":
		if t.Text == "@" && p.lang != "python" {
			return 0
		}
		return precMul
	case "**":
		return precPow
	}
	return 0
}

func (p *parser) binaryWord(s string) int {
	low := p.lang == "perl" || p.lang == "php" || p.lang == "ruby"
	switch s {
	case "or":
		if low {
			return precWordOr
		}
		if p.lang == "python" || p.lang == "lua" {
			return precOr
		}
	case "and":
		if low {
			return precWordOr
		}
		if p.lang == "python" || p.lang == "lua" {
			return precAnd
		}
	case "xor":
		if p.lang == "php" || p.lang == "perl" {
			return precWordOr
		}
	case "is":
		if p.lang == "python" {
			return precCompare
		}
	case "in":
		if (p.lang == "python" || p.lang == "node") && !p.noIn {
			return precCompare
		}
	case "not":
		if n := p.ahead(1); p.lang == "python" && n.Kind == TokIdent && n.Text == "in" && !p.noIn {
			return precCompare
		}
	case "instanceof":
		if p.lang == "node" || p.lang == "php" {
			return precCompare
		}
	case "eq", "ne", "lt", "gt", "le", "ge", "cmp":
		if p.lang == "perl" {
			return precCompare
		}
	case "x":
		if p.lang == "perl" {
			return precMul
		}
	case "if":
		if p.lang == "python" {
			return precTernary
		}
	}
	return 0
}

// endsLine reports whether a line end before t ends the expression.
func (p *parser) endsLine(t Token) bool {
	if !t.Nl {
		return false
	}
	switch p.lang {
	case "ruby", "r":
		return !(t.Kind == TokOp && (t.Text == "." || t.Text == "&.")) && p.lang != "r" || p.lang == "r" && p.noGroup()
	case "node":
		return t.Text == "++" || t.Text == "--"
	}
	return false
}

// noGroup: inside brackets R ignores line ends.
func (p *parser) noGroup() bool { return !p.noCall }

// expr parses an expression whose operators bind at least as tightly as least.
func (p *parser) expr(least int) *Node {
	if !p.enter() {
		p.leave()
		p.next()
		return &Node{Op: OpBad}
	}
	defer p.leave()
	left := p.unary()
	for {
		t := p.peek()
		if p.endsLine(t) {
			return left
		}
		power := p.binary(t)
		if power == 0 || power < least {
			return left
		}
		p.next()
		switch {
		case t.Text == "not":
			p.next()
		case t.Text == "is":
			p.accept("not")
		}
		left = p.infix(left, t, power)
	}
}

func (p *parser) infix(left *Node, t Token, power int) *Node {
	switch {
	case t.Text == "?":
		return p.ternary(left)
	case t.Text == "if" && t.Kind == TokIdent:
		cond := p.expr(precOr)
		p.expect("else")
		return &Node{Op: OpCond, Kids: []*Node{cond, left, p.expr(precTernary)}}
	case power == precAssign:
		if left.Op == OpName {
			p.locals[left.Text] = true
		}
		right := p.expr(precAssign)
		if p.lang == "ruby" && p.is(",") && t.Text == "=" && !p.noCall {
			right = p.moreItems(right)
		}
		if p.lang == "ruby" && p.accept("rescue") {
			right = &Node{Op: OpCond, Kids: []*Node{right, right, p.expr(precAssign)}}
		}
		return &Node{Op: OpAssign, Text: t.Text, Kids: []*Node{left, right}}
	case power == precPow:
		return &Node{Op: OpBin, Text: t.Text, Kids: []*Node{left, p.expr(precPow)}}
	case t.Text == ".." && p.lang == "lua":
		return &Node{Op: OpBin, Text: "..", Kids: []*Node{left, p.expr(power)}}
	case t.Text == "|>":
		right := p.expr(power + 1)
		if right.Op == OpCall {
			right.Kids = append([]*Node{right.Kids[0], left}, right.Kids[1:]...)
			return right
		}
		return &Node{Op: OpBad, Kids: []*Node{left, right}}
	case (t.Text == ".." || t.Text == "...") && p.rangeEnds():
		return &Node{Op: OpUnary, Text: "range", Kids: []*Node{left}}
	}
	return &Node{Op: OpBin, Text: t.Text, Kids: []*Node{left, p.expr(power + 1)}}
}

// rangeEnds: Ruby's endless range (1..).
func (p *parser) rangeEnds() bool { return p.is(")", "]", ",", ";") || p.peek().Kind == TokEOF }

func (p *parser) ternary(cond *Node) *Node {
	if p.lang == "php" && p.accept(":") {
		return &Node{Op: OpCond, Kids: []*Node{cond, cond, p.expr(precTernary)}}
	}
	saved := p.noIn
	p.noIn = false
	yes := p.expr(precAssign)
	p.noIn = saved
	p.expect(":")
	return &Node{Op: OpCond, Kids: []*Node{cond, yes, p.expr(precAssign)}}
}

// moreItems reads the rest of a list without brackets.
func (p *parser) moreItems(first *Node) *Node {
	list := &Node{Op: OpList, Kids: []*Node{first}}
	for p.accept(",") {
		t := p.peek()
		if t.Kind == TokEOF || t.Kind == TokNL || t.Kind == TokOp && (t.Text == ")" || t.Text == "]" || t.Text == "}" || t.Text == ";" || t.Text == "=") {
			break
		}
		list.Kids = append(list.Kids, p.expr(precTernary))
	}
	return list
}

// prefixes are the operators before an operand.
func (p *parser) unary() *Node {
	t := p.peek()
	if t.Kind == TokOp {
		switch t.Text {
		case "-", "+", "!", "~", "++", "--", "*", "**", "&", "@", "\\", "...", "-X", "#", "%", "$", "&&":
			if (t.Text == "#") != (p.lang == "lua" && t.Text == "#") {
				break
			}
			p.next()
			return p.prefixed(t)
		}
		return p.postfix(p.primary())
	}
	if t.Kind == TokIdent {
		switch t.Text {
		case "not":
			if p.lang == "python" || p.lang == "lua" || p.lang == "perl" || p.lang == "ruby" {
				p.next()
				return &Node{Op: OpUnary, Text: "!", Kids: []*Node{p.expr(precNot)}}
			}
		case "await", "yield", "typeof", "void", "delete":
			if (p.lang == "node" || p.lang == "python") && !p.ends(p.ahead(1)) && !(p.lang == "python" && t.Text != "await" && t.Text != "yield") && !p.is2("=", ".", "(", ",", ":") {
				p.next()
				p.accept("from")
				return &Node{Op: OpUnary, Text: t.Text, Kids: []*Node{p.expr(precUnary)}}
			}
		case "new":
			if (p.lang == "node" || p.lang == "php") && p.ahead(1).Kind != TokOp {
				return p.construct()
			}
		case "clone":
			if p.lang == "php" && p.ahead(1).Kind == TokVar {
				p.next()
				return p.expr(precUnary)
			}
		}
	}
	return p.postfix(p.primary())
}

// is2 reports whether the token after the next is one of these operators.
func (p *parser) is2(ops ...string) bool {
	t := p.ahead(1)
	if t.Kind != TokOp {
		return false
	}
	for _, o := range ops {
		if t.Text == o && !(o == "(" && t.sp) {
			return true
		}
	}
	return false
}

func (p *parser) ends(t Token) bool {
	return t.Kind == TokEOF || t.Kind == TokNL || t.Kind == TokOp && (t.Text == ")" || t.Text == "]" || t.Text == "}" || t.Text == ";" || t.Text == "," || t.Text == ":")
}

func (p *parser) prefixed(t Token) *Node {
	switch t.Text {
	case "@", "%", "$", "&":
		if p.lang == "perl" { // dereference: @{…}, @$x, &$x
			var inner *Node
			if p.is("{") {
				p.next()
				inner = &Node{Op: OpBlock, Body: p.block(func(t Token) bool { return t.Kind == TokOp && t.Text == "}" })}
				p.accept("}")
				if len(inner.Body) == 1 {
					inner = inner.Body[0]
				}
			} else {
				inner = p.unaryOperand()
			}
			return p.postfix(&Node{Op: OpUnary, Text: t.Text, Kids: []*Node{inner}})
		}
	case "-X":
		if p.ends(p.peek()) {
			return &Node{Op: OpUnary, Text: t.Text, Kids: []*Node{{Op: OpName, Text: "$_"}}}
		}
	case "*", "**":
		if p.ends(p.peek()) {
			return &Node{Op: OpList}
		}
	}
	return &Node{Op: OpUnary, Text: t.Text, Kids: []*Node{p.expr(precUnary)}}
}

// unaryOperand is what a sigil dereferences: a plain variable.
func (p *parser) unaryOperand() *Node {
	if t := p.peek(); t.Kind == TokVar {
		p.next()
		return &Node{Op: OpName, Text: t.Text}
	}
	return p.primary()
}

// construct parses new X(…): a call of X.
func (p *parser) construct() *Node {
	p.next()
	if p.is("class") {
		return p.primary()
	}
	var callee *Node
	t := p.next()
	callee = &Node{Op: OpName, Text: t.Text}
	if t.Kind == TokStr {
		callee = &Node{Op: OpBad}
	}
	for p.is(".", "::") && p.ahead(1).Kind == TokIdent {
		p.next()
		callee = &Node{Op: OpAttr, Text: p.next().Text, Kids: []*Node{callee}}
	}
	call := &Node{Op: OpCall, Text: "new", Kids: []*Node{callee}}
	if p.is("(") && !p.peek().Nl {
		call.Kids = append(call.Kids, p.arguments()...)
	}
	return p.postfix(call)
}
