package posix

import (
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// numberIn reads an integer constant of a dialect: mksh and zsh have no octal
// (mksh(1), posix; zshmisc(1), "Arithmetic evaluation").
func numberIn(s, dialect string) (int64, bool) {
	if dialect == "mksh" || dialect == "zsh" {
		s = strings.TrimSpace(s)
		for len(s) > 1 && s[0] == '0' && s[1] >= '0' && s[1] <= '9' {
			s = s[1:]
		}
	}
	return number(s)
}

// number reads an integer constant: decimal, 0x, octal, or base#digits.
func number(s string) (int64, bool) {
	s = strings.TrimSpace(s)
	if base, digits, ok := strings.Cut(s, "#"); ok {
		b, err := strconv.Atoi(base)
		if err != nil || b < 2 || b > 64 || digits == "" || len(digits) > 12 {
			return 0, false
		}
		return baseNumber(digits, int64(b))
	}
	if len(s) > 1 && s[0] == '0' && s[1] != 'x' && s[1] != 'X' {
		n, err := strconv.ParseInt(s, 8, 64)
		return n, err == nil
	}
	n, err := strconv.ParseInt(s, 0, 64)
	return n, err == nil
}

// baseNumber reads digits of a base up to 64: 0-9, a-z, A-Z, @ and _; up to 36
// the case of letters does not matter (bash reference manual, 6.5).
func baseNumber(digits string, base int64) (int64, bool) {
	const order = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ@_"
	if base <= 36 {
		digits = strings.ToLower(digits)
	}
	n := int64(0)
	for i := range len(digits) {
		d := int64(strings.IndexByte(order, digits[i]))
		if d < 0 || d >= base {
			return 0, false
		}
		n = n*base + d
	}
	return n, true
}

// arith evaluates an arithmetic expression to a decimal number or to a hole
// that is one. Assignments and commands inside it are performed.
func (e *evaluator) arith(st *shell.State, x syntax.ArithmExpr) value.Value {
	n, ok := int64(0), false
	if w, alone := x.(*syntax.Word); alone {
		n, ok = e.arithWord(st, w)
	} else {
		n, ok = e.arithInt(st, x)
	}
	if !ok {
		return numberHole("arithmetic")
	}
	return value.Lit(strconv.FormatInt(n, 10))
}

func (e *evaluator) arithInt(st *shell.State, x syntax.ArithmExpr) (int64, bool) {
	if x == nil {
		return 0, true
	}
	if e.spent() {
		return 0, false
	}
	switch x := x.(type) {
	case *syntax.Word:
		return e.operand(st, x)
	case *syntax.ParenArithm:
		return e.arithInt(st, x.X)
	case *syntax.FlagsArithm:
		return e.arithInt(st, x.X)
	case *syntax.UnaryArithm:
		return e.arithUnary(st, x)
	case *syntax.BinaryArithm:
		return e.arithBinary(st, x)
	}
	return 0, false
}

// operand evaluates a part of an expression. What an expansion gives becomes
// part of the expression's text before it is read: 2+3 times two is eight.
func (e *evaluator) operand(st *shell.State, w *syntax.Word) (int64, bool) {
	v := e.join(st, w)
	n, ok := e.arithValue(st, v, w, 0)
	if p, is := soleParam(w); w.Lit() != "" || is && p.Short && p.Index != nil {
		return n, ok
	}
	s, _ := v.Known()
	_, constant := numberIn(s, st.Shell)
	return n, ok && (constant || isName(s))
}

// soleParam returns the expansion that is all of a word.
func soleParam(w *syntax.Word) (*syntax.ParamExp, bool) {
	if len(w.Parts) != 1 {
		return nil, false
	}
	p, ok := w.Parts[0].(*syntax.ParamExp)
	return p, ok
}

// arithWord evaluates a whole expression that is one word: a constant, a
// variable's name, or text that is an expression itself.
func (e *evaluator) arithWord(st *shell.State, w *syntax.Word) (int64, bool) {
	return e.arithValue(st, e.join(st, w), w, 0)
}

// arithValue evaluates text as an expression. A variable's value is evaluated
// in turn, and a subscript in it can run commands: x='a[$(id)]'; echo $((x)).
func (e *evaluator) arithValue(st *shell.State, v value.Value, at syntax.Node, depth int) (int64, bool) {
	return e.arithAt(st, v, e.span(at), depth)
}

func (e *evaluator) arithAt(st *shell.State, v value.Value, at risk.Span, depth int) (int64, bool) {
	s, known := v.Known()
	if !known {
		e.m.Show(st, at, v) // its message quotes what is no number
	}
	if !known || depth > 8 {
		return 0, false
	}
	s = strings.TrimSpace(s)
	if s == "" {
		return 0, true
	}
	if n, ok := numberIn(s, st.Shell); ok {
		return n, true
	}
	if isName(s) {
		x := e.lookup(st, s, nil)
		if x.unset {
			return 0, false
		}
		return e.arithAt(st, x.value(), at, depth+1)
	}
	if strings.ContainsAny(s, "$`") {
		x := e.again(st, v, at)
		if t, known := x.Known(); !known || !strings.ContainsAny(t, "$`") {
			return e.arithAt(st, x, at, depth+1)
		}
		return 0, false
	}
	if x, err := syntax.NewParser().Arithmetic(&guardedReader{text: s}); err == nil && depth < 4 && len(s) < 1<<12 {
		// The tree is of another text than the one that is evaluated.
		sub := &evaluator{m: e.m, parts: e.parts, at: &at, text: s, grammar: documents}
		w, word := x.(*syntax.Word)
		if _, element := soleIndexed(w); !word || element {
			return sub.arithInt(st, x)
		}
	}
	return 0, false
}

// soleIndexed returns the element of an array that is all of a word.
func soleIndexed(w *syntax.Word) (*syntax.ParamExp, bool) {
	if w == nil {
		return nil, false
	}
	p, is := soleParam(w)
	return p, is && p.Short && p.Index != nil
}

// arithText evaluates a value that arithmetic is applied to.
func (e *evaluator) arithText(st *shell.State, v value.Value) value.Value {
	if n, ok := e.arithValue(st, v, &syntax.Lit{}, 0); ok {
		return value.Lit(strconv.FormatInt(n, 10))
	}
	return numberHole("arithmetic").With(v.Taint())
}

func isName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func (e *evaluator) arithUnary(st *shell.State, x *syntax.UnaryArithm) (int64, bool) {
	n, ok := e.arithInt(st, x.X)
	switch x.Op {
	case syntax.Inc, syntax.Dec:
		step := int64(1)
		if x.Op == syntax.Dec {
			step = -1
		}
		e.arithStore(st, x.X, n+step, ok)
		if x.Post {
			return n, ok
		}
		return n + step, ok
	case syntax.Minus:
		return -n, ok
	case syntax.BitNegation:
		return ^n, ok
	case syntax.Not:
		if n == 0 {
			return 1, ok
		}
		return 0, ok
	}
	return n, ok
}

func (e *evaluator) arithStore(st *shell.State, to syntax.ArithmExpr, n int64, ok bool) {
	w, isWord := to.(*syntax.Word)
	if !isWord {
		return
	}
	name, index := w.Lit(), syntax.ArithmExpr(nil)
	if p, is := soleParam(w); is && p.Short && p.Index != nil {
		name, index = p.Param.Value, p.Index
	}
	if !isName(name) {
		e.join(st, w) // commands in it run
		return
	}
	x := numberHole(name)
	if ok {
		x = value.Lit(strconv.FormatInt(n, 10))
	}
	if index == nil {
		st.Vars.Assign(name, x)
		e.noteVariable(st, name, e.span(w))
		return
	}
	v := shell.Var{}
	if old := st.Vars.Get(name); old != nil {
		v = *old
	}
	v.Changed = true
	key := e.arithKey(st, index, v.Map != nil)
	e.setElement(st, &v, key, x)
	st.Vars.Set(name, v)
	e.noteElement(st, name, key, x, e.span(w))
}

func (e *evaluator) arithBinary(st *shell.State, x *syntax.BinaryArithm) (int64, bool) {
	if x.Op == syntax.Assgn {
		n, ok := e.arithInt(st, x.Y)
		e.arithStore(st, x.X, n, ok)
		return n, ok
	}
	if x.Op == syntax.TernQuest {
		return e.arithTernary(st, x)
	}
	a, ok := e.arithInt(st, x.X)
	if ok && (x.Op == syntax.AndArit && a == 0 || x.Op == syntax.OrArit && a != 0) {
		e.passOver(x.Y)
		return truth(a != 0), true
	}
	b, ok2 := e.arithInt(st, x.Y)
	op := x.Op.String()
	if assign, is := strings.CutSuffix(op, "="); is && assign != "" && !strings.ContainsAny(assign, "=!<>") || op == "<<=" || op == ">>=" {
		n, good := calculate(strings.TrimSuffix(op, "="), a, b)
		e.arithStore(st, x.X, n, good && ok && ok2)
		return n, good && ok && ok2
	}
	n, good := calculate(op, a, b)
	return n, good && ok && ok2
}

func (e *evaluator) arithTernary(st *shell.State, x *syntax.BinaryArithm) (int64, bool) {
	c, ok := e.arithInt(st, x.X)
	colon, is := x.Y.(*syntax.BinaryArithm)
	if !is {
		return 0, false
	}
	if !ok {
		e.arithInt(st, colon.X)
		e.arithInt(st, colon.Y)
		return 0, false
	}
	if c != 0 {
		e.passOver(colon.Y)
		return e.arithInt(st, colon.X)
	}
	e.passOver(colon.X)
	return e.arithInt(st, colon.Y)
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// calculate applies a binary operator as the shells do, in 64-bit integers.
func calculate(op string, a, b int64) (int64, bool) {
	switch op {
	case "+":
		return a + b, true
	case "-":
		return a - b, true
	case "*":
		return a * b, true
	case "/", "%":
		if b == 0 || b == -1 && a == -1<<63 {
			return 0, false
		}
		if op == "/" {
			return a / b, true
		}
		return a % b, true
	case "**":
		if b < 0 || b > 64 {
			return 0, false
		}
		n := int64(1)
		for range b {
			n *= a
		}
		return n, true
	case "<<", ">>":
		if b < 0 || b > 63 {
			return 0, false
		}
		if op == "<<" {
			return a << b, true
		}
		return a >> b, true
	case "&":
		return a & b, true
	case "|":
		return a | b, true
	case "^":
		return a ^ b, true
	case "==":
		return truth(a == b), true
	case "!=":
		return truth(a != b), true
	case "<":
		return truth(a < b), true
	case ">":
		return truth(a > b), true
	case "<=":
		return truth(a <= b), true
	case ">=":
		return truth(a >= b), true
	case "&&":
		return truth(a != 0 && b != 0), true
	case "||":
		return truth(a != 0 || b != 0), true
	case ",":
		return b, true
	}
	return 0, false
}
