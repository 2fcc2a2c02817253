package syntax

import (
	"slices"
	"strings"
)

// MaxDepth bounds how deeply expressions and blocks nest.
const MaxDepth = 150

// An op says what a node is.
type op uint8

const (
	OpBad    op = iota
	OpStr       // kids: literal nodes (nLit) and code
	OpLit       // s
	OpNum       // s
	OpName      // s, with sigil
	OpAttr      // kids[0].s
	OpCall      // kids[0](kids[1:]...)
	OpIndex     // kids[0][kids[1]]
	OpSlice     // kids: start, stop, step, any may be nil
	OpList      // kids; s is "(" for parentheses
	OpDict      // kids: nKw, or others for spreads
	OpKw        // s = kids[0]; kids[1], if any, is a computed key
	OpBin       // kids[0] s kids[1]
	OpUnary     // s kids[0]
	OpFunc      // params, body; s is the name, if any
	OpCond      // kids: condition, then, else
	OpAssign    // kids[0] s kids[1]
	OpBlock     // body
	OpIf        // kids: conditions; body
	OpLoop      // kids: conditions; body
	OpFor       // kids: target, iterated; body
	OpComp      // kids: element, then target, iterated pairs; body: conditions
	OpReturn    // kids
	OpImport    // s module; params: name, as pairs; empty: the module itself as s
	OpShell     // a command in backticks; kids as nStr
	OpRegex     // kids: replacement, if any
	OpAngle     // Perl's <s>
	OpClass     // s; kids: bases; body
	OpTry       // body: guarded part first
	OpJump      // break, pass, next …
)

// A Node of the syntax tree.
type Node struct {
	Op     op
	Text   string
	Kids   []*Node
	Params []string
	Body   []*Node
	Bytes  bool // nStr: bytes
}

// A parser builds a tree from tokens. It never fails: what it does not
// understand sets bad, and it goes on behind it, so that calls further on are
// still seen.
type parser struct {
	lang   string
	toks   []Token
	i      int
	depth  int
	nest   int // how many strings deep the text is
	bad    bool
	noDo   bool // a "do" belongs to the loop around the expression
	noIn   bool // "in" belongs to the loop around the expression
	noCall bool // brackets open a block, not a closure
	locals map[string]bool
}

// Parse returns the tree of text and whether all of it was understood.
func Parse(lang, text string, nest int) ([]*Node, bool) {
	toks, ok := Lex(lang, text)
	p := &parser{lang: lang, toks: toks, bad: !ok, nest: nest, locals: map[string]bool{}}
	body := p.block(func(Token) bool { return false })
	return body, !p.bad
}

// expressionText parses code inside a string.
func (p *parser) expressionText(text string) *Node {
	if p.nest >= MaxEval {
		p.bad = true
		return &Node{Op: OpBad}
	}
	body, ok := Parse(p.lang, text, p.nest+1)
	if !ok {
		p.bad = true
	}
	if len(body) == 1 {
		return body[0]
	}
	return &Node{Op: OpBlock, Body: body}
}

func (p *parser) peek() Token { return p.toks[p.i] }
func (p *parser) ahead(n int) Token {
	if p.i+n < len(p.toks) && p.i+n >= 0 {
		return p.toks[p.i+n]
	}
	return Token{}
}

func (p *parser) next() Token {
	t := p.toks[p.i]
	if p.i < len(p.toks)-1 {
		p.i++
	}
	return t
}

// is reports whether the next token is one of these operators or words.
func (p *parser) is(words ...string) bool {
	t := p.peek()
	if t.Kind != TokOp && t.Kind != TokIdent {
		return false
	}
	for _, w := range words {
		if t.Text == w {
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
	if p.depth > MaxDepth {
		p.bad = true
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// block parses statements up to a token for which stop holds.
func (p *parser) block(stop func(Token) bool) []*Node {
	var out []*Node
	if !p.enter() {
		p.i = len(p.toks) - 1
		p.leave()
		return nil
	}
	defer p.leave()
	for {
		t := p.peek()
		if t.Kind == TokEOF || stop(t) {
			return out
		}
		if t.Kind == TokNL || t.Kind == TokIndent || t.Kind == TokDedent || t.Kind == TokOp && t.Text == ";" {
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

func (p *parser) statement() *Node {
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
	for p.peek().Kind == TokIdent {
		b.WriteString(p.next().Text)
		if !p.is(seps...) || p.ahead(1).Kind != TokIdent {
			break
		}
		b.WriteString(p.next().Text)
	}
	return b.String()
}

// skipGroup skips a bracketed group that the next token opens. One with a call
// in it, of a default value say, is not understood.
func (p *parser) skipGroup() {
	if m := p.peek().Match; m > p.i {
		for _, t := range p.toks[p.i+1 : m] {
			if t.Kind == TokOp && t.Text == "(" || t.Kind == tCmd || len(t.Parts) > 0 && slices.ContainsFunc(t.Parts, func(x Part) bool { return x.Code }) {
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
func (p *parser) parameters(end string) (names []string, defaults []*Node) {
	stars := ""
	for !p.is(end) && p.peek().Kind != TokEOF {
		before := p.i
		switch t := p.peek(); {
		case t.Kind == TokOp && (t.Text == "{" || t.Text == "[" || t.Text == "("):
			p.skipGroup()
			names = append(names, "")
		case t.Kind == TokIdent || t.Kind == TokVar:
			p.next()
			if n := p.peek(); (n.Kind == TokIdent || n.Kind == TokVar) && p.lang == "php" {
				continue // a type before the name
			}
			names = append(names, stars+t.Text)
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
		case t.Kind == TokNL:
			p.next()
		default: // , * ** & ... / types
			stars = ""
			if t.Text == "*" || t.Text == "**" {
				stars = map[string]string{"python": t.Text}[p.lang]
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
