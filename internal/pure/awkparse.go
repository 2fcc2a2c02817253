package pure

// An awkOp is the kind of a node.
type awkOp uint8

const (
	awkConst   awkOp = iota // text or num
	awkMatch0               // /re/ alone: $0 ~ re
	awkVar                  // a variable, or an array as an argument
	awkField                // $ subs[0]
	awkElement              // name[subs…]
	awkGroup                // ( subs[0] )
	awkAssign               // subs[0] text subs[1]
	awkCond                 // subs[0] ? subs[1] : subs[2]
	awkOr
	awkAnd
	awkIn // (subs[:n-1]) in subs[n-1]
	awkMatch
	awkCompare
	awkConcat
	awkBinary
	awkUnary
	awkPre  // ++x --x
	awkPost // x++ x--
	awkCall

	// Statements.
	awkBlock
	awkExpr
	awkPrint
	awkPrintf
	awkIf
	awkWhile
	awkDo
	awkFor   // init, cond, step, body; nil where absent
	awkForIn // variable, array, body
	awkNext
	awkExit
	awkBreak
	awkContinue
	awkDelete
)

// An awkNode is an expression or a statement.
type awkNode struct {
	op     awkOp
	text   string // operator, function, or the text of a constant
	num    float64
	isNum  bool
	subs   []*awkNode
	cell   *awkCell
	re     *pattern
	source string // of re
}

// An awkRule is one pattern with its action.
type awkRule struct {
	from, to *awkNode // to: the end of a range
	body     *awkNode // nil: print
	inRange  bool
}

// An awkProgram is a parsed program.
type awkProgram struct {
	begin, end []*awkNode
	rules      []*awkRule
	cells      map[string]*awkCell
}

// An awkParser is a recursive-descent parser for the common core of awk.
type awkParser struct {
	j      *job
	toks   []awkToken
	at     int
	depth  int
	loops  int
	prog   *awkProgram
	bare   bool // in the expressions of print without parentheses
	inRule bool // next is allowed
	mixed  bool // some name is a scalar and an array
}

func parseAwk(j *job, text string) (*awkProgram, error) {
	if len(text) > maxScript {
		return nil, errUnknown
	}
	toks, err := awkLex(text)
	if err != nil {
		return nil, err
	}
	p := &awkParser{j: j, toks: toks, prog: &awkProgram{cells: map[string]*awkCell{}}}
	for {
		p.separators()
		if p.peek().kind == awkEOF {
			if p.mixed {
				return nil, errUnknown
			}
			return p.prog, nil
		}
		if err := p.item(); err != nil {
			return nil, err
		}
	}
}

func (p *awkParser) peek() awkToken { return p.toks[p.at] }

func (p *awkParser) is(op string) bool {
	t := p.peek()
	return t.kind == awkOperator && t.text == op
}

func (p *awkParser) isWord(word string) bool {
	t := p.peek()
	return t.kind == awkKeyword && t.text == word
}

// take consumes an operator if it is next.
func (p *awkParser) take(op string) bool {
	if p.is(op) {
		p.at++
		return true
	}
	return false
}

func (p *awkParser) expect(op string) error {
	if !p.take(op) {
		return errUnknown
	}
	return nil
}

func (p *awkParser) newlines() {
	for p.peek().kind == awkNewline {
		p.at++
	}
}

func (p *awkParser) separators() {
	for p.peek().kind == awkNewline || p.is(";") {
		p.at++
	}
}

func (p *awkParser) enter() error {
	if p.depth++; p.depth > 60 {
		return errUnknown
	}
	return nil
}

func (p *awkParser) leave() { p.depth-- }

// item reads one rule.
func (p *awkParser) item() error {
	if p.isWord("BEGIN") || p.isWord("END") {
		begin := p.isWord("BEGIN")
		p.at++
		body, err := p.block()
		if err != nil {
			return err
		}
		if begin {
			p.prog.begin = append(p.prog.begin, body)
		} else {
			p.prog.end = append(p.prog.end, body)
		}
		return p.itemEnd()
	}
	p.inRule = true
	defer func() { p.inRule = false }()
	r := &awkRule{}
	var err error
	if !p.is("{") {
		if r.from, err = p.expression(); err != nil {
			return err
		}
		if p.take(",") {
			p.newlines()
			if r.to, err = p.expression(); err != nil {
				return err
			}
		}
	}
	if p.is("{") {
		if r.body, err = p.block(); err != nil {
			return err
		}
	}
	p.prog.rules = append(p.prog.rules, r)
	return p.itemEnd()
}

// itemEnd insists on something between rules; a rule may follow a brace.
func (p *awkParser) itemEnd() error {
	last := p.toks[p.at-1]
	if t := p.peek(); t.kind == awkEOF || t.kind == awkNewline || p.is(";") || last.kind == awkOperator && last.text == "}" {
		return nil
	}
	return errUnknown
}

func (p *awkParser) block() (*awkNode, error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	b := &awkNode{op: awkBlock}
	for {
		p.separators()
		if p.take("}") {
			return b, nil
		}
		s, err := p.statement()
		if err != nil {
			return nil, err
		}
		b.subs = append(b.subs, s)
	}
}

// list reads expressions separated by commas up to an operator.
func (p *awkParser) list(end string) ([]*awkNode, error) {
	saved := p.bare
	p.bare = false
	defer func() { p.bare = saved }()
	var out []*awkNode
	p.newlines()
	if p.is(end) {
		return nil, nil
	}
	for {
		e, err := p.expression()
		if err != nil {
			return nil, err
		}
		out = append(out, e)
		p.newlines()
		if !p.take(",") {
			return out, nil
		}
		p.newlines()
	}
}

// variable is a scalar or, if array is set, an array; one that is used as both
// is an error in most implementations even if it is never reached.
func (p *awkParser) variable(name string, array bool) *awkNode {
	c := p.cell(name)
	c.asArray, c.asScalar = c.asArray || array, c.asScalar || !array
	p.mixed = p.mixed || c.asArray && c.asScalar
	return &awkNode{op: awkVar, text: name, cell: c}
}

func (p *awkParser) cell(name string) *awkCell {
	c := p.prog.cells[name]
	if c == nil {
		c = &awkCell{name: name}
		p.prog.cells[name] = c
	}
	return c
}
