package inline

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
func (p *parser) binary(t token) int {
	word := t.k == tIdent
	if t.k != tOp && !word {
		return 0
	}
	if word {
		return p.binaryWord(t.s)
	}
	switch t.s {
	case "=", "+=", "-=", "*=", "/=", ".=", "%=", "|=", "&=", "^=", "**=", "//=", ">>=", "<<=", "||=", "&&=", "??=", ":=", "<-", "<<-", ">>>=":
		if p.lang == "perl" && t.s == "//=" || t.s != "//=" || p.lang == "python" {
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
		if t.s == "@" && p.lang != "python" {
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
		if n := p.ahead(1); p.lang == "python" && n.k == tIdent && n.s == "in" && !p.noIn {
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
func (p *parser) endsLine(t token) bool {
	if !t.nl {
		return false
	}
	switch p.lang {
	case "ruby", "r":
		return !(t.k == tOp && (t.s == "." || t.s == "&.")) && p.lang != "r" || p.lang == "r" && p.noGroup()
	case "node":
		return t.s == "++" || t.s == "--"
	}
	return false
}

// noGroup: inside brackets R ignores line ends.
func (p *parser) noGroup() bool { return !p.noCall }

// expr parses an expression whose operators bind at least as tightly as least.
func (p *parser) expr(least int) *node {
	if !p.enter() {
		p.leave()
		p.next()
		return &node{op: nBad}
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
		case t.s == "not":
			p.next()
		case t.s == "is":
			p.accept("not")
		}
		left = p.infix(left, t, power)
	}
}

func (p *parser) infix(left *node, t token, power int) *node {
	switch {
	case t.s == "?":
		return p.ternary(left)
	case t.s == "if" && t.k == tIdent:
		cond := p.expr(precOr)
		p.expect("else")
		return &node{op: nCond, kids: []*node{cond, left, p.expr(precTernary)}}
	case power == precAssign:
		if left.op == nName {
			p.locals[left.s] = true
		}
		right := p.expr(precAssign)
		if p.lang == "ruby" && p.is(",") && t.s == "=" && !p.noCall {
			right = p.moreItems(right)
		}
		if p.lang == "ruby" && p.accept("rescue") {
			right = &node{op: nCond, kids: []*node{right, right, p.expr(precAssign)}}
		}
		return &node{op: nAssign, s: t.s, kids: []*node{left, right}}
	case power == precPow:
		return &node{op: nBin, s: t.s, kids: []*node{left, p.expr(precPow)}}
	case t.s == ".." && p.lang == "lua":
		return &node{op: nBin, s: "..", kids: []*node{left, p.expr(power)}}
	case t.s == "|>":
		right := p.expr(power + 1)
		if right.op == nCall {
			right.kids = append([]*node{right.kids[0], left}, right.kids[1:]...)
			return right
		}
		return &node{op: nBad, kids: []*node{left, right}}
	case (t.s == ".." || t.s == "...") && p.rangeEnds():
		return &node{op: nUnary, s: "range", kids: []*node{left}}
	}
	return &node{op: nBin, s: t.s, kids: []*node{left, p.expr(power + 1)}}
}

// rangeEnds: Ruby's endless range (1..).
func (p *parser) rangeEnds() bool { return p.is(")", "]", ",", ";") || p.peek().k == tEOF }

func (p *parser) ternary(cond *node) *node {
	if p.lang == "php" && p.accept(":") {
		return &node{op: nCond, kids: []*node{cond, cond, p.expr(precTernary)}}
	}
	saved := p.noIn
	p.noIn = false
	yes := p.expr(precAssign)
	p.noIn = saved
	p.expect(":")
	return &node{op: nCond, kids: []*node{cond, yes, p.expr(precAssign)}}
}

// moreItems reads the rest of a list without brackets.
func (p *parser) moreItems(first *node) *node {
	list := &node{op: nList, kids: []*node{first}}
	for p.accept(",") {
		t := p.peek()
		if t.k == tEOF || t.k == tNL || t.k == tOp && (t.s == ")" || t.s == "]" || t.s == "}" || t.s == ";" || t.s == "=") {
			break
		}
		list.kids = append(list.kids, p.expr(precTernary))
	}
	return list
}

// prefixes are the operators before an operand.
func (p *parser) unary() *node {
	t := p.peek()
	if t.k == tOp {
		switch t.s {
		case "-", "+", "!", "~", "++", "--", "*", "**", "&", "@", "\\", "...", "-X", "#", "%", "$", "&&":
			if (t.s == "#") != (p.lang == "lua" && t.s == "#") {
				break
			}
			p.next()
			return p.prefixed(t)
		}
		return p.postfix(p.primary())
	}
	if t.k == tIdent {
		switch t.s {
		case "not":
			if p.lang == "python" || p.lang == "lua" || p.lang == "perl" || p.lang == "ruby" {
				p.next()
				return &node{op: nUnary, s: "!", kids: []*node{p.expr(precNot)}}
			}
		case "await", "yield", "typeof", "void", "delete":
			if (p.lang == "node" || p.lang == "python") && !p.ends(p.ahead(1)) && !(p.lang == "python" && t.s != "await" && t.s != "yield") && !p.is2("=", ".", "(", ",", ":") {
				p.next()
				p.accept("from")
				return &node{op: nUnary, s: t.s, kids: []*node{p.expr(precUnary)}}
			}
		case "new":
			if (p.lang == "node" || p.lang == "php") && p.ahead(1).k != tOp {
				return p.construct()
			}
		case "clone":
			if p.lang == "php" && p.ahead(1).k == tVar {
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
	if t.k != tOp {
		return false
	}
	for _, o := range ops {
		if t.s == o && !(o == "(" && t.sp) {
			return true
		}
	}
	return false
}

func (p *parser) ends(t token) bool {
	return t.k == tEOF || t.k == tNL || t.k == tOp && (t.s == ")" || t.s == "]" || t.s == "}" || t.s == ";" || t.s == "," || t.s == ":")
}

func (p *parser) prefixed(t token) *node {
	switch t.s {
	case "@", "%", "$", "&":
		if p.lang == "perl" { // dereference: @{…}, @$x, &$x
			var inner *node
			if p.is("{") {
				p.next()
				inner = &node{op: nBlock, body: p.block(func(t token) bool { return t.k == tOp && t.s == "}" })}
				p.accept("}")
				if len(inner.body) == 1 {
					inner = inner.body[0]
				}
			} else {
				inner = p.unaryOperand()
			}
			return p.postfix(&node{op: nUnary, s: t.s, kids: []*node{inner}})
		}
	case "-X":
		if p.ends(p.peek()) {
			return &node{op: nUnary, s: t.s, kids: []*node{{op: nName, s: "$_"}}}
		}
	case "*", "**":
		if p.ends(p.peek()) {
			return &node{op: nList}
		}
	}
	return &node{op: nUnary, s: t.s, kids: []*node{p.expr(precUnary)}}
}

// unaryOperand is what a sigil dereferences: a plain variable.
func (p *parser) unaryOperand() *node {
	if t := p.peek(); t.k == tVar {
		p.next()
		return &node{op: nName, s: t.s}
	}
	return p.primary()
}

// construct parses new X(…): a call of X.
func (p *parser) construct() *node {
	p.next()
	if p.is("class") {
		return p.primary()
	}
	var callee *node
	t := p.next()
	callee = &node{op: nName, s: t.s}
	if t.k == tStr {
		callee = &node{op: nBad}
	}
	for p.is(".", "::") && p.ahead(1).k == tIdent {
		p.next()
		callee = &node{op: nAttr, s: p.next().s, kids: []*node{callee}}
	}
	call := &node{op: nCall, s: "new", kids: []*node{callee}}
	if p.is("(") && !p.peek().nl {
		call.kids = append(call.kids, p.arguments()...)
	}
	return p.postfix(call)
}
