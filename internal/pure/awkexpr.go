package pure

import (
	"math"
	"slices"
)

// The levels of awk's expression grammar, weakest first: assignment, ?:, ||,
// &&, in, ~, comparison, concatenation, additive, multiplicative, unary,
// power, increment, primary. Combinations that implementations group
// differently are errUnknown.

func (p *awkParser) expression() (*awkNode, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	left, err := p.ternary()
	if err != nil {
		return nil, err
	}
	for _, op := range []string{"=", "+=", "-=", "*=", "/=", "%=", "^="} {
		if !p.is(op) {
			continue
		}
		if !left.assignable() {
			return nil, errUnknown
		}
		p.at++
		p.newlines()
		right, err := p.expression()
		if err != nil {
			return nil, err
		}
		return &awkNode{op: awkAssign, text: op, subs: []*awkNode{left, right}}, nil
	}
	return left, nil
}

func (n *awkNode) assignable() bool {
	return n.op == awkVar || n.op == awkField || n.op == awkElement
}

func (p *awkParser) ternary() (*awkNode, error) {
	c, err := p.logic("||", awkOr, p.and)
	if err != nil || !p.take("?") {
		return c, err
	}
	p.newlines()
	yes, err := p.expression()
	if err != nil {
		return nil, err
	}
	p.newlines()
	if err := p.expect(":"); err != nil {
		return nil, err
	}
	p.newlines()
	no, err := p.expression()
	return &awkNode{op: awkCond, subs: []*awkNode{c, yes, no}}, err
}

func (p *awkParser) and() (*awkNode, error) { return p.logic("&&", awkAnd, p.in) }

func (p *awkParser) logic(op string, kind awkOp, operand func() (*awkNode, error)) (*awkNode, error) {
	left, err := operand()
	for err == nil && p.take(op) {
		p.newlines()
		var right *awkNode
		right, err = operand()
		left = &awkNode{op: kind, subs: []*awkNode{left, right}}
	}
	return left, err
}

func (p *awkParser) in() (*awkNode, error) {
	left, err := p.match()
	for err == nil && p.isWord("in") {
		if left.op == awkUnary && left.text == "!" || left.op == awkMatch || left.op == awkCompare || left.op == awkMatch0 {
			return nil, errUnknown
		}
		p.at++
		t := p.peek()
		if t.kind != awkName {
			return nil, errUnknown
		}
		p.at++
		left = &awkNode{op: awkIn, subs: []*awkNode{left, p.variable(t.text, true)}}
	}
	return left, err
}

func (p *awkParser) match() (*awkNode, error) {
	left, err := p.comparison()
	if err != nil || !p.is("~") && !p.is("!~") {
		return left, err
	}
	if left.op == awkUnary && left.text == "!" || left.op == awkCompare {
		return nil, errUnknown
	}
	op := p.peek().text
	p.at++
	right, err := p.comparison()
	if err != nil || p.is("~") || p.is("!~") || right.op == awkCompare {
		return nil, errUnknown
	}
	return p.withRegexp(&awkNode{op: awkMatch, text: op, subs: []*awkNode{left, right}}, 1)
}

// withRegexp moves a regexp constant among the operands of n into n itself.
func (p *awkParser) withRegexp(n *awkNode, i int) (*awkNode, error) {
	for i < len(n.subs) && n.subs[i].op == awkGroup {
		if n.subs[i].subs[0].op == awkMatch0 {
			return nil, errUnknown // (/re/) is a pattern to some
		}
		n.subs[i] = n.subs[i].subs[0]
	}
	if i < len(n.subs) && n.subs[i].op == awkMatch0 {
		n.re, n.source = n.subs[i].re, n.subs[i].source
	}
	return n, nil
}

func (p *awkParser) comparison() (*awkNode, error) {
	left, err := p.concat()
	if err != nil {
		return nil, err
	}
	for _, op := range []string{"<", "<=", "==", "!=", ">", ">="} {
		if !p.is(op) {
			continue
		}
		// Without parentheses ">" after print writes a file, and the others
		// are a syntax error for one implementation.
		if p.bare || left.op == awkUnary && left.text == "!" {
			return nil, errUnknown
		}
		p.at++
		right, err := p.concat()
		if err != nil {
			return nil, err
		}
		for _, again := range []string{"<", "<=", "==", "!=", ">", ">="} {
			if p.is(again) {
				return nil, errUnknown
			}
		}
		n := &awkNode{op: awkCompare, text: op, subs: []*awkNode{left, right}}
		if n.ofRegexp() {
			return nil, errUnknown
		}
		return n, nil
	}
	return left, nil
}

// endsInUnary reports whether the last operand is negated and not a number.
func (n *awkNode) endsInUnary() bool {
	switch n.op {
	case awkUnary:
		return !n.subs[0].isNum
	case awkBinary, awkConcat:
		return n.subs[1].endsInUnary()
	}
	return false
}

// ofRegexp reports whether an operand is a bare /re/, which is not a value to
// every implementation.
func (n *awkNode) ofRegexp() bool {
	return slices.ContainsFunc(n.subs, func(s *awkNode) bool { return s.op == awkMatch0 })
}

func (p *awkParser) concat() (*awkNode, error) {
	left, err := p.additive()
	for err == nil && p.startsOperand() {
		if left.endsInUnary() {
			return nil, errUnknown // -x " " is -(x " ") in one implementation
		}
		var right *awkNode
		right, err = p.additive()
		left = &awkNode{op: awkConcat, subs: []*awkNode{left, right}}
		if err == nil && (left.ofRegexp() || right.op == awkBinary && (right.text == "+" || right.text == "-")) {
			return nil, errUnknown // "a" b + c is grouped either way
		}
	}
	if err == nil && p.is("|") {
		return nil, errUnknown
	}
	return left, err
}

// startsOperand reports whether the next token can begin the right side of a
// concatenation.
func (p *awkParser) startsOperand() bool {
	switch t := p.peek(); t.kind {
	case awkNumber, awkString, awkName, awkBuiltin:
		return true
	case awkOperator:
		return t.text == "$" || t.text == "(" || t.text == "++" || t.text == "--"
	}
	return false
}

func (p *awkParser) additive() (*awkNode, error) {
	return p.binary([]string{"+", "-"}, p.multiplicative)
}

func (p *awkParser) multiplicative() (*awkNode, error) {
	return p.binary([]string{"*", "/", "%"}, p.unary)
}

func (p *awkParser) binary(ops []string, operand func() (*awkNode, error)) (*awkNode, error) {
	left, err := operand()
next:
	for err == nil {
		for _, op := range ops {
			if p.take(op) {
				var right *awkNode
				right, err = operand()
				left = &awkNode{op: awkBinary, text: op, subs: []*awkNode{left, right}}
				if err == nil && left.ofRegexp() {
					return nil, errUnknown
				}
				continue next
			}
		}
		return left, nil
	}
	return nil, err
}

func (p *awkParser) unary() (*awkNode, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	// A unary plus binds more weakly than it should in one implementation.
	for _, op := range []string{"!", "-"} {
		if p.take(op) {
			sub, err := p.unary()
			if err != nil || op == "-" && sub.op == awkMatch0 {
				return nil, errUnknown
			}
			return &awkNode{op: awkUnary, text: op, subs: []*awkNode{sub}}, nil
		}
	}
	return p.power()
}

func (p *awkParser) power() (*awkNode, error) {
	left, err := p.increment()
	if err != nil || !p.take("^") {
		return left, err
	}
	right, err := p.unary() // binds to the right; -, + and ! may follow
	n := &awkNode{op: awkBinary, text: "^", subs: []*awkNode{left, right}}
	if err != nil || n.ofRegexp() {
		return nil, errUnknown
	}
	return n, nil
}

func (p *awkParser) increment() (*awkNode, error) {
	for _, op := range []string{"++", "--"} {
		if p.take(op) {
			sub, err := p.primary()
			if err != nil || !sub.assignable() {
				return nil, errUnknown
			}
			return &awkNode{op: awkPre, text: op, subs: []*awkNode{sub}}, nil
		}
	}
	n, err := p.primary()
	if err != nil || !n.assignable() {
		return n, err
	}
	for _, op := range []string{"++", "--"} {
		if p.take(op) {
			return &awkNode{op: awkPost, text: op, subs: []*awkNode{n}}, nil
		}
	}
	return n, nil
}

func (p *awkParser) primary() (*awkNode, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	t := p.peek()
	p.at++
	switch t.kind {
	case awkNumber:
		return &awkNode{op: awkConst, num: t.num, isNum: true}, nil
	case awkString:
		return &awkNode{op: awkConst, text: t.text}, nil
	case awkRegexp:
		re, err := p.j.compileRE(t.text, reDialect{extended: true, awk: true})
		return &awkNode{op: awkMatch0, re: re, source: t.text}, err
	case awkName:
		return p.named(t.text, false)
	case awkBuiltin:
		return p.call(t)
	case awkOperator:
		switch t.text {
		case "$":
			return p.field()
		case "(":
			return p.group()
		}
	}
	return nil, errUnknown
}

// named reads a variable or an element; array says what a bare name is.
func (p *awkParser) named(name string, array bool) (*awkNode, error) {
	if !p.take("[") {
		return p.variable(name, array), nil
	}
	v := p.variable(name, true)
	subs, err := p.list("]")
	if err != nil || len(subs) == 0 {
		return nil, errUnknown
	}
	return &awkNode{op: awkElement, text: name, cell: v.cell, subs: subs}, p.expect("]")
}

// field reads what follows a dollar sign.
func (p *awkParser) field() (*awkNode, error) {
	var sub *awkNode
	var err error
	if p.is("++") || p.is("--") {
		sub, err = p.increment()
	} else if p.take("-") || p.take("+") || p.take("!") {
		return nil, errUnknown
	} else {
		sub, err = p.primary()
	}
	if err == nil && sub.isNum && sub.num != math.Trunc(sub.num) {
		return nil, errUnknown
	}
	return &awkNode{op: awkField, subs: []*awkNode{sub}}, err
}

// group reads (e), or (e, e) in array.
func (p *awkParser) group() (*awkNode, error) {
	list, err := p.list(")")
	if err != nil || len(list) == 0 {
		return nil, errUnknown
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	if len(list) == 1 {
		return &awkNode{op: awkGroup, subs: list}, nil
	}
	if !p.isWord("in") {
		return nil, errUnknown
	}
	p.at++
	t := p.peek()
	if t.kind != awkName {
		return nil, errUnknown
	}
	p.at++
	return &awkNode{op: awkIn, subs: append(list, p.variable(t.text, true))}, nil
}

// call reads a built-in function with its arguments.
func (p *awkParser) call(t awkToken) (*awkNode, error) {
	n := &awkNode{op: awkCall, text: t.text}
	if !p.take("(") {
		if t.text != "length" {
			return nil, errUnknown
		}
		return n, nil
	}
	var err error
	if n.subs, err = p.arguments(t.text); err != nil {
		return nil, err
	}
	if err := p.expect(")"); err != nil {
		return nil, err
	}
	low, high, re := awkArguments(t.text)
	if len(n.subs) < low || len(n.subs) > high {
		return nil, errUnknown
	}
	if (t.text == "sub" || t.text == "gsub") && len(n.subs) == 3 && !n.subs[2].assignable() {
		return nil, errUnknown
	}
	return p.withRegexp(n, re)
}

// arguments reads the arguments of a function. length may be given a scalar or
// an array, split is given an array.
func (p *awkParser) arguments(function string) ([]*awkNode, error) {
	t := p.toks[p.at:]
	if function == "length" && len(t) > 1 && t[0].kind == awkName && t[1].kind == awkOperator && t[1].text == ")" {
		p.at++
		return []*awkNode{{op: awkVar, text: t[0].text, cell: p.cell(t[0].text)}}, nil
	}
	if function != "split" {
		return p.list(")")
	}
	saved := p.bare
	p.bare = false
	defer func() { p.bare = saved }()
	first, err := p.expression()
	if err != nil || !p.take(",") {
		return nil, errUnknown
	}
	p.newlines()
	if t := p.peek(); t.kind != awkName {
		return nil, errUnknown
	}
	array := p.variable(p.peek().text, true)
	p.at++
	list := []*awkNode{first, array}
	if p.take(",") {
		p.newlines()
		sep, err := p.expression()
		if err != nil {
			return nil, err
		}
		list = append(list, sep)
	}
	return list, nil
}

// awkArguments is how many arguments a function takes and which of them is a
// regular expression.
func awkArguments(name string) (low, high, re int) {
	switch name {
	case "length":
		return 0, 1, 9
	case "substr":
		return 2, 3, 9
	case "index":
		return 2, 2, 9
	case "split":
		return 2, 3, 2
	case "sub", "gsub":
		return 2, 3, 0
	case "match":
		return 2, 2, 1
	case "sprintf":
		return 1, 100, 9
	}
	return 1, 1, 9
}
