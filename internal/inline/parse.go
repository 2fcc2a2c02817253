package inline

import (
	"slices"
	"strings"
)

// maxDepth bounds how deeply expressions and blocks nest.
const maxDepth = 150

// An op says what a node is.
type op uint8

const (
	nBad    op = iota
	nStr       // kids: literal nodes (nLit) and code
	nLit       // s
	nNum       // s
	nName      // s, with sigil
	nAttr      // kids[0].s
	nCall      // kids[0](kids[1:]...)
	nIndex     // kids[0][kids[1]]
	nSlice     // kids: start, stop, step, any may be nil
	nList      // kids; s is "(" for parentheses
	nDict      // kids: nKw, or others for spreads
	nKw        // s = kids[0]; kids[1], if any, is a computed key
	nBin       // kids[0] s kids[1]
	nUnary     // s kids[0]
	nFunc      // params, body; s is the name, if any
	nCond      // kids: condition, then, else
	nAssign    // kids[0] s kids[1]
	nBlock     // body
	nIf        // kids: conditions; body
	nLoop      // kids: conditions; body
	nFor       // kids: target, iterated; body
	nComp      // kids: element, then target, iterated pairs; body: conditions
	nReturn    // kids
	nImport    // s module; params: name, as pairs; empty: the module itself as s
	nShell     // a command in backticks; kids as nStr
	nRegex     // kids: replacement, if any
	nAngle     // Perl's <s>
	nClass     // s; kids: bases; body
	nTry       // body: guarded part first
	nJump      // break, pass, next …
)

// A node of the syntax tree.
type node struct {
	op     op
	s      string
	kids   []*node
	params []string
	body   []*node
	bytes  bool // nStr: bytes
}

// A parser builds a tree from tokens. It never fails: what it does not
// understand sets bad, and it goes on behind it, so that calls further on are
// still seen.
type parser struct {
	lang   string
	toks   []token
	i      int
	depth  int
	nest   int // how many strings deep the text is
	bad    bool
	noDo   bool // a "do" belongs to the loop around the expression
	noIn   bool // "in" belongs to the loop around the expression
	noCall bool // brackets open a block, not a closure
	locals map[string]bool
}

// parse returns the tree of text and whether all of it was understood.
func parse(lang, text string, nest int) ([]*node, bool) {
	toks, ok := lex(lang, text)
	p := &parser{lang: lang, toks: toks, bad: !ok, nest: nest, locals: map[string]bool{}}
	body := p.block(func(token) bool { return false })
	return body, !p.bad
}

// expressionText parses code inside a string.
func (p *parser) expressionText(text string) *node {
	if p.nest >= maxEval {
		p.bad = true
		return &node{op: nBad}
	}
	body, ok := parse(p.lang, text, p.nest+1)
	if !ok {
		p.bad = true
	}
	if len(body) == 1 {
		return body[0]
	}
	return &node{op: nBlock, body: body}
}

func (p *parser) peek() token { return p.toks[p.i] }
func (p *parser) ahead(n int) token {
	if p.i+n < len(p.toks) && p.i+n >= 0 {
		return p.toks[p.i+n]
	}
	return token{}
}

func (p *parser) next() token {
	t := p.toks[p.i]
	if p.i < len(p.toks)-1 {
		p.i++
	}
	return t
}

// is reports whether the next token is one of these operators or words.
func (p *parser) is(words ...string) bool {
	t := p.peek()
	if t.k != tOp && t.k != tIdent {
		return false
	}
	for _, w := range words {
		if t.s == w {
			return true
		}
	}
	return false
}

func (p *parser) accept(words ...string) bool {
	if p.is(words...) {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(word string) {
	if !p.accept(word) {
		p.bad = true
	}
}

// enter counts the depth; it reports false when the text nests too deeply.
func (p *parser) enter() bool {
	p.depth++
	if p.depth > maxDepth {
		p.bad = true
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// block parses statements up to a token for which stop holds.
func (p *parser) block(stop func(token) bool) []*node {
	var out []*node
	if !p.enter() {
		p.i = len(p.toks) - 1
		p.leave()
		return nil
	}
	defer p.leave()
	for {
		t := p.peek()
		if t.k == tEOF || stop(t) {
			return out
		}
		if t.k == tNL || t.k == tIndent || t.k == tDedent || t.k == tOp && t.s == ";" {
			p.next()
			continue
		}
		before := p.i
		if n := p.statement(); n != nil {
			out = append(out, n)
		}
		if p.i == before {
			p.bad = true
			p.next()
		}
	}
}

func (p *parser) statement() *node {
	saveDo, saveIn, saveCall := p.noDo, p.noIn, p.noCall
	p.noDo, p.noIn, p.noCall = false, false, false
	defer func() { p.noDo, p.noIn, p.noCall = saveDo, saveIn, saveCall }()
	switch p.lang {
	case "python":
		return p.pythonStatement()
	case "ruby":
		return p.rubyStatement()
	case "lua":
		return p.luaStatement()
	}
	return p.braceStatement()
}

// names in a dotted path.
func (p *parser) dotted(seps ...string) string {
	var b strings.Builder
	for p.peek().k == tIdent {
		b.WriteString(p.next().s)
		if !p.is(seps...) || p.ahead(1).k != tIdent {
			break
		}
		b.WriteString(p.next().s)
	}
	return b.String()
}

// skipGroup skips a bracketed group that the next token opens. One with a call
// in it, of a default value say, is not understood.
func (p *parser) skipGroup() {
	if m := p.peek().match; m > p.i {
		for _, t := range p.toks[p.i+1 : m] {
			if t.k == tOp && t.s == "(" || t.k == tCmd || len(t.parts) > 0 && slices.ContainsFunc(t.parts, func(x part) bool { return x.code }) {
				p.bad = true
			}
		}
		p.i = m
		p.next()
		return
	}
	p.bad = true
	p.next()
}

// parameters reads a parameter list up to end and returns the names, those of
// Python that take what is left with their stars, and what is evaluated when
// the function is made: default values and Python's annotations.
func (p *parser) parameters(end string) (names []string, defaults []*node) {
	stars := ""
	for !p.is(end) && p.peek().k != tEOF {
		before := p.i
		switch t := p.peek(); {
		case t.k == tOp && (t.s == "{" || t.s == "[" || t.s == "("):
			p.skipGroup()
			names = append(names, "")
		case t.k == tIdent || t.k == tVar:
			p.next()
			if n := p.peek(); (n.k == tIdent || n.k == tVar) && p.lang == "php" {
				continue // a type before the name
			}
			names = append(names, stars+t.s)
			stars = ""
			if p.lang == "python" && p.accept(":") { // an annotation is evaluated
				defaults = append(defaults, p.expr(precTernary))
			}
			if p.lang == "ruby" && p.accept(":") && !p.is(",", end) {
				defaults = append(defaults, p.expr(precTernary))
			}
			if p.accept("=") {
				defaults = append(defaults, p.expr(precTernary))
			}
		case t.k == tNL:
			p.next()
		default: // , * ** & ... / types
			stars = ""
			if t.s == "*" || t.s == "**" {
				stars = map[string]string{"python": t.s}[p.lang]
			}
			p.next()
		}
		if p.i == before {
			p.next()
		}
	}
	p.accept(end)
	return names, defaults
}
