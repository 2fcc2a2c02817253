package pure

import (
	"math"
	"slices"
	"strings"
)

// eval computes an expression.
func (r *awkRun) eval(n *awkNode) (awkValue, error) {
	if !r.j.spend(4) {
		return awkValue{}, errUnknown
	}
	switch n.op {
	case awkConst:
		if n.isNum {
			return awkNumberOf(n.num), nil
		}
		return awkTextOf(n.text), nil
	case awkGroup:
		return r.eval(n.subs[0])
	case awkMatch0, awkMatch:
		return r.evalMatch(n)
	case awkVar, awkField, awkElement:
		return r.load(n)
	case awkAssign:
		return r.assign(n)
	case awkCond:
		yes, err := r.condition(n.subs[0])
		if err != nil {
			return awkValue{}, err
		}
		if yes {
			return r.eval(n.subs[1])
		}
		return r.eval(n.subs[2])
	case awkOr, awkAnd:
		yes, err := r.condition(n.subs[0])
		if err == nil && yes == (n.op == awkAnd) {
			yes, err = r.condition(n.subs[1])
		}
		return awkBool(yes), err
	case awkIn:
		return r.evalIn(n)
	case awkCompare:
		return r.evalCompare(n)
	case awkConcat:
		return r.evalConcat(n)
	case awkBinary, awkUnary:
		return r.evalArithmetic(n)
	case awkPre, awkPost:
		return r.step(n)
	case awkCall:
		return r.call(n)
	}
	return awkValue{}, errUnknown
}

func (r *awkRun) condition(n *awkNode) (bool, error) {
	v, err := r.eval(n)
	if err != nil {
		return false, err
	}
	return v.truth()
}

func (r *awkRun) evalText(n *awkNode) (string, error) {
	v, err := r.eval(n)
	if err != nil {
		return "", err
	}
	if v.typ == awkNum && !r.j.spend(32) {
		return "", errUnknown
	}
	return v.text()
}

func (r *awkRun) evalNumber(n *awkNode) (float64, error) {
	v, err := r.eval(n)
	if err != nil {
		return 0, err
	}
	return v.number()
}

// regexp is the pattern of n: a constant, or the text of operand i.
func (r *awkRun) regexp(n *awkNode, i int) (*pattern, error) {
	if n.re != nil {
		return n.re, nil
	}
	text, err := r.evalText(n.subs[i])
	if err != nil {
		return nil, err
	}
	return r.compile(text)
}

func (r *awkRun) evalMatch(n *awkNode) (awkValue, error) {
	var text string
	var err error
	if n.op == awkMatch0 {
		var v awkValue
		if v, err = r.getField(0); err == nil {
			text, err = v.text()
		}
	} else {
		text, err = r.evalText(n.subs[0])
	}
	if err != nil {
		return awkValue{}, err
	}
	re, err := r.regexp(n, 1)
	if err != nil {
		return awkValue{}, err
	}
	yes, err := re.matches(r.j, []byte(text))
	return awkBool(yes == (n.text != "!~")), err
}

func (r *awkRun) evalIn(n *awkNode) (awkValue, error) {
	last := len(n.subs) - 1
	key, err := r.subscript(n.subs[:last])
	if err != nil {
		return awkValue{}, err
	}
	a, err := r.array(n.subs[last].cell)
	if err != nil {
		return awkValue{}, err
	}
	_, ok := a[key]
	return awkBool(ok), nil
}

func (r *awkRun) evalCompare(n *awkNode) (awkValue, error) {
	a, err := r.eval(n.subs[0])
	if err != nil {
		return awkValue{}, err
	}
	b, err := r.eval(n.subs[1])
	if err != nil {
		return awkValue{}, err
	}
	c, err := r.j.awkCompareValues(a, b, n.text != "==" && n.text != "!=")
	return awkBool(compareBy(n.text, c)), err
}

func (r *awkRun) evalConcat(n *awkNode) (awkValue, error) {
	a, err := r.evalText(n.subs[0])
	if err != nil {
		return awkValue{}, err
	}
	b, err := r.evalText(n.subs[1])
	if err != nil {
		return awkValue{}, err
	}
	if len(a)+len(b) > 2*r.j.limit || !r.j.spend((len(a)+len(b))/8) {
		return awkValue{}, errUnknown
	}
	return awkTextOf(a + b), nil
}

func (r *awkRun) evalArithmetic(n *awkNode) (awkValue, error) {
	if n.op == awkUnary {
		v, err := r.eval(n.subs[0])
		if err != nil {
			return awkValue{}, err
		}
		if n.text == "!" {
			yes, err := v.truth()
			return awkBool(!yes), err
		}
		x, err := v.number()
		if n.text == "-" {
			x = -x
		}
		return awkNumberOf(x), err
	}
	x, err := r.evalNumber(n.subs[0])
	if err != nil {
		return awkValue{}, err
	}
	y, err := r.evalNumber(n.subs[1])
	if err != nil {
		return awkValue{}, err
	}
	z, err := awkArithmetic(n.text, x, y)
	return awkNumberOf(z), err
}

// awkArithmetic computes in double precision; what is not finite is unknown.
func awkArithmetic(op string, x, y float64) (float64, error) {
	var z float64
	switch op[0] {
	case '+':
		z = x + y
	case '-':
		z = x - y
	case '*':
		z = x * y
	case '/':
		z = x / y
	case '%':
		z = math.Mod(x, y)
	case '^':
		z = math.Pow(x, y)
		// Libraries differ in the last place of what is not a whole number.
		if z != math.Trunc(z) && y != math.Trunc(y) {
			return 0, errUnknown
		}
	}
	if math.IsNaN(z) || math.IsInf(z, 0) || y == 0 && (op[0] == '/' || op[0] == '%') {
		return 0, errUnknown
	}
	return z, nil
}

// array returns the array of a cell, made on first use.
func (r *awkRun) array(c *awkCell) (map[string]awkValue, error) {
	if c.asScalar || r.special(c) {
		return nil, errUnknown
	}
	if c.array == nil {
		c.array = map[string]awkValue{}
	}
	return c.array, nil
}

// special reports whether a cell is a special variable.
func (r *awkRun) special(c *awkCell) bool { return awkSpecial(c.name) }

// subscript joins the values of an index list.
func (r *awkRun) subscript(list []*awkNode) (string, error) {
	var parts []string
	for _, n := range list {
		if n.op == awkGroup && len(list) == 1 {
			n = n.subs[0]
		}
		text, err := r.evalText(n)
		if err != nil || !r.j.spend(16+len(text)/8) {
			return "", errUnknown
		}
		parts = append(parts, text)
	}
	sep, err := r.subsep.value.text()
	return strings.Join(parts, sep), err
}

// load reads a variable, field or element.
func (r *awkRun) load(n *awkNode) (awkValue, error) {
	switch n.op {
	case awkField:
		i, err := r.fieldIndex(n)
		if err != nil {
			return awkValue{}, err
		}
		return r.getField(i)
	case awkElement:
		key, err := r.subscript(n.subs)
		if err != nil {
			return awkValue{}, err
		}
		if n.cell == r.environ {
			v, ok := r.j.env(key)
			if !ok {
				return awkValue{}, nil
			}
			return awkInput(v), nil
		}
		a, err := r.array(n.cell)
		if err != nil {
			return awkValue{}, err
		}
		v, ok := a[key]
		if !ok {
			a[key] = v // looking makes it
		}
		return v, nil
	}
	if n.cell.asArray || n.cell == r.environ {
		return awkValue{}, errUnknown
	}
	if n.text == "NF" {
		err := r.splitRecord()
		return awkNumberOf(float64(len(r.fields))), err
	}
	return n.cell.value, nil
}

// fieldIndex is the number after a dollar sign; $"" is an error to some.
func (r *awkRun) fieldIndex(n *awkNode) (int, error) {
	v, err := r.eval(n.subs[0])
	if err != nil || v.typ != awkNum && v.typ != awkStrnum {
		return 0, errUnknown
	}
	return v.whole()
}

// store assigns to a variable, field or element.
func (r *awkRun) store(n *awkNode, v awkValue) error {
	switch n.op {
	case awkField:
		i, err := r.fieldIndex(n)
		if err != nil {
			return err
		}
		return r.setField(i, v)
	case awkElement:
		key, err := r.subscript(n.subs)
		if err != nil {
			return err
		}
		if n.cell == r.environ {
			return errUnknown
		}
		a, err := r.array(n.cell)
		if err != nil {
			return err
		}
		a[key] = v
		return nil
	}
	return r.storeVariable(n.cell, v)
}

func (r *awkRun) storeVariable(c *awkCell, v awkValue) error {
	switch {
	case c.asArray || c == r.environ:
		return errUnknown
	case c.name == "NF":
		n, err := v.whole()
		if err != nil {
			return err
		}
		return r.setNF(n)
	case c == r.fs:
		// The record at hand keeps the old separator.
		if err := r.splitRecord(); err != nil {
			return err
		}
	case c == r.ofs && r.stale:
		// Whether a record changed before is joined with the old or the new
		// separator varies.
		return errUnknown
	}
	c.value = v
	return nil
}

// assign is = and the operators with it. Implementations evaluate the two
// sides in different orders, so one side may only change what the other does
// not look at.
func (r *awkRun) assign(n *awkNode) (awkValue, error) {
	left, right := n.subs[0], n.subs[1]
	if left.changes() && (n.text != "=" || right.looks()) || right.changes() && left.op != awkVar ||
		left.op == awkElement && right.counts(left.cell) {
		return awkValue{}, errUnknown
	}
	v, err := r.eval(right)
	if err != nil {
		return awkValue{}, err
	}
	if n.text != "=" {
		if left.op == awkField && !left.subs[0].isNum {
			return awkValue{}, errUnknown
		}
		old, err := r.load(left)
		if err != nil {
			return awkValue{}, err
		}
		x, err := old.number()
		if err != nil {
			return awkValue{}, err
		}
		y, err := v.number()
		if err != nil {
			return awkValue{}, err
		}
		z, err := awkArithmetic(n.text, x, y)
		if err != nil {
			return awkValue{}, err
		}
		v = awkNumberOf(z)
	}
	return v, r.store(left, v)
}

// changes reports whether evaluating the node changes something.
func (n *awkNode) changes() bool {
	switch {
	case n.op == awkAssign, n.op == awkPre, n.op == awkPost:
		return true
	case n.op == awkCall && (n.text == "sub" || n.text == "gsub" || n.text == "split" || n.text == "match"):
		return true
	}
	return slices.ContainsFunc(n.subs, (*awkNode).changes)
}

// counts reports whether the value of the node depends on which elements an
// array has.
func (n *awkNode) counts(c *awkCell) bool {
	return n.op == awkVar && n.cell == c || slices.ContainsFunc(n.subs, func(s *awkNode) bool { return s.counts(c) })
}

// looks reports whether evaluating the node reads or changes a variable.
func (n *awkNode) looks() bool {
	return n.op == awkVar || n.op == awkElement || n.op == awkIn || n.changes() || slices.ContainsFunc(n.subs, (*awkNode).looks)
}

// step is ++ and --.
func (r *awkRun) step(n *awkNode) (awkValue, error) {
	target := n.subs[0]
	if target.changes() || target.op == awkField && (!target.subs[0].isNum || target.subs[0].num == 0) {
		return awkValue{}, errUnknown // mawk gets $NF++ wrong
	}
	old, err := r.load(target)
	if err != nil {
		return awkValue{}, err
	}
	x, err := old.number()
	if err != nil {
		return awkValue{}, err
	}
	y := x + 1
	if n.text == "--" {
		y = x - 1
	}
	if err := r.store(target, awkNumberOf(y)); err != nil {
		return awkValue{}, err
	}
	if n.op == awkPre {
		return awkNumberOf(y), nil
	}
	return awkNumberOf(x), nil
}
