package just

import "strings"

// maxNested is how deep expressions are followed into each other.
const maxNested = 60

// A reader goes through a text.
type reader struct {
	text string
	i    int
	// end bounds what is read: a recipe's line for an interpolation.
	end    int
	far    int // how far it came, if it went back
	depth  int // of expressions
	inside int // brackets that are open: line ends in them are blanks
	// unclosed are the quotes that are not closed before end any more.
	unclosed map[string]bool
}

// blank skips blanks; inside of brackets also line ends and comments.
func (r *reader) blank() {
	for r.i < r.end {
		switch c := r.text[r.i]; {
		case c == ' ' || c == '\t' || c == '\r', c == '\n' && r.inside > 0:
			r.i++
		case c == '\\' && strings.HasPrefix(r.text[r.i:r.end], "\\\n"), c == '\\' && strings.HasPrefix(r.text[r.i:r.end], "\\\r\n"):
			r.i += strings.IndexByte(r.text[r.i:], '\n') + 1
		case c == '#' && r.inside > 0:
			for r.i < r.end && r.text[r.i] != '\n' {
				r.i++
			}
		default:
			r.far = max(r.far, r.i)
			return
		}
	}
}

// peek reports whether the text goes on with a token.
func (r *reader) peek(token string) bool {
	r.blank()
	return strings.HasPrefix(r.text[r.i:r.end], token)
}

// take skips a token if the text goes on with it.
func (r *reader) take(token string) bool {
	if !r.peek(token) {
		return false
	}
	r.i += len(token)
	return true
}

// word skips a name, and returns it; "" if there is none.
func (r *reader) word() string {
	r.blank()
	n := nameEnd(r.text[r.i:r.end])
	r.i += n
	return r.text[r.i-n : r.i]
}

// nameEnd returns how long the name is that s begins with.
func nameEnd(s string) int {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return i
		}
	}
	return len(s)
}

// open skips a token behind which line ends are blanks, and closed the one
// that ends that.
func (r *reader) open(token string) bool {
	if !r.take(token) {
		return false
	}
	r.inside++
	return true
}

func (r *reader) closed(token string) bool {
	ok := r.take(token)
	r.inside--
	return ok
}

// expression reads an expression; ok is false if there is none, or one that
// cannot be read: the reader then stands where that was seen.
func (r *reader) expression() (x Expr, ok bool) {
	if r.depth++; r.depth > maxNested {
		r.depth--
		return nil, false
	}
	defer func() { r.depth-- }()
	r.blank()
	at := r.i
	first, ok := r.operand()
	if !ok {
		return nil, false
	}
	logic := &Logic{At: at, Parts: []Expr{first}}
	for {
		op := ""
		for _, s := range []string{"&&", "||"} {
			if r.take(s) {
				op = s
			}
		}
		if op == "" {
			break
		}
		next, ok := r.operand()
		if !ok {
			return nil, false
		}
		logic.Parts, logic.Ops = append(logic.Parts, next), append(logic.Ops, op)
	}
	if len(logic.Ops) == 0 {
		return first, true
	}
	_, logic.End = logic.Parts[len(logic.Parts)-1].Span()
	return logic, true
}

// operand reads a conditional, an assertion, or values joined by + and /.
func (r *reader) operand() (Expr, bool) {
	r.blank()
	at := r.i
	switch r.text[at : at+nameEnd(r.text[at:r.end])] {
	case "if":
		return r.choice()
	case "assert":
		if x, ok := r.assert(); ok {
			return x, true
		}
		r.i = at
	}
	chain := &Chain{At: at, Root: r.take("/")}
	for {
		x, ok := r.value()
		if !ok {
			return nil, false
		}
		chain.Parts = append(chain.Parts, x)
		switch {
		case r.take("+"):
			chain.Ops = append(chain.Ops, '+')
		case r.take("/"):
			chain.Ops = append(chain.Ops, '/')
		default:
			if len(chain.Ops) == 0 && !chain.Root {
				return x, true
			}
			_, chain.End = x.Span()
			return chain, true
		}
	}
}

// choice reads `if A OP B { THEN } else { ELSE }`.
func (r *reader) choice() (Expr, bool) {
	x := &Choice{At: r.i}
	r.i += len("if")
	var ok bool
	if x.A, x.Op, x.B, ok = r.condition(); !ok {
		return nil, false
	}
	if x.Then, ok = r.braced(); !ok || !r.take("else") {
		return nil, false
	}
	if r.peek("if") && nameEnd(r.text[r.i:r.end]) == len("if") {
		if r.depth++; r.depth > maxNested {
			r.depth--
			return nil, false
		}
		x.Else, ok = r.choice()
		r.depth--
	} else {
		x.Else, ok = r.braced()
	}
	x.End = r.i
	return x, ok
}

func (r *reader) braced() (Expr, bool) {
	if !r.open("{") {
		return nil, false
	}
	x, ok := r.expression()
	return x, r.closed("}") && ok
}

// condition reads `A OP B`.
func (r *reader) condition() (a Expr, op string, b Expr, ok bool) {
	if a, ok = r.expression(); !ok {
		return nil, "", nil, false
	}
	for _, s := range []string{"==", "!=", "=~", "!~"} {
		if r.take(s) {
			b, ok = r.expression()
			return a, s, b, ok
		}
	}
	return nil, "", nil, false
}

// assert reads `assert(A OP B, MESSAGE)`.
func (r *reader) assert() (Expr, bool) {
	x := &Assert{At: r.i}
	r.i += len("assert")
	if !r.open("(") {
		return nil, false
	}
	var ok bool
	x.A, x.Op, x.B, ok = r.condition()
	if ok && r.take(",") {
		x.Message, ok = r.expression()
	} else {
		ok = false
	}
	ok = r.closed(")") && ok
	x.End = r.i
	return x, ok
}

// value reads a text, a name, a call, a command, or an expression in
// parentheses.
func (r *reader) value() (Expr, bool) {
	r.blank()
	at := r.i
	switch {
	case at == r.end:
		return nil, false
	case r.text[at] == '(':
		r.open("(")
		x, ok := r.expression()
		ok = r.closed(")") && ok
		return x, ok
	case r.text[at] == '`':
		return r.backtick()
	}
	if x, is, ok := r.literal(); is {
		return x, ok
	}
	name := r.word()
	if name == "" {
		return nil, false
	}
	if r.i == r.end || r.text[r.i] != '(' {
		return &Name{At: at, End: r.i, Name: name}, true
	}
	call := &Call{At: at, Name: name}
	r.open("(")
	ok := true
	for ok && !r.peek(")") {
		var x Expr
		if x, ok = r.expression(); !ok {
			break
		}
		call.Args = append(call.Args, x)
		if !r.take(",") {
			break
		}
	}
	ok = r.closed(")") && ok
	call.End = r.i
	return call, ok
}

// IsName reports whether a text is a name: of a variable, a parameter or a
// recipe.
func IsName(s string) bool { return s != "" && nameEnd(s) == len(s) }

// Walk calls do for an expression and for all in it.
func Walk(x Expr, do func(Expr)) {
	if x == nil {
		return
	}
	do(x)
	var in []Expr
	switch x := x.(type) {
	case *Call:
		in = x.Args
	case *Chain:
		in = x.Parts
	case *Logic:
		in = x.Parts
	case *Choice:
		in = []Expr{x.A, x.B, x.Then, x.Else}
	case *Assert:
		in = []Expr{x.A, x.B, x.Message}
	}
	for _, y := range in {
		Walk(y, do)
	}
}
