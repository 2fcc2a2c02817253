package pure

import (
	"math"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/lang/awk"
)

// eval computes an expression.
func (r *awkRun) eval(n *awk.Node) (awkValue, error) {
	if !r.j.spend(4) {
		return awkValue{}, errUnknown
	}
	switch n.Kind {
	case awk.Number:
		return awkNumberOf(r.notes[n.ID].num), nil
	case awk.String:
		return awkTextOf(r.notes[n.ID].text), nil
	case awk.Group:
		return r.eval(n.Kids[0])
	case awk.Regex, awk.Match:
		return r.evalMatch(n)
	case awk.Var, awk.Field, awk.Element:
		return r.load(n)
	case awk.Assign:
		return r.assign(n)
	case awk.Cond:
		yes, err := r.condition(n.Kids[0])
		if err != nil {
			return awkValue{}, err
		}
		if yes {
			return r.eval(n.Kids[1])
		}
		return r.eval(n.Kids[2])
	case awk.Or, awk.And:
		yes, err := r.condition(n.Kids[0])
		if err == nil && yes == (n.Kind == awk.And) {
			yes, err = r.condition(n.Kids[1])
		}
		return awkBool(yes), err
	case awk.In:
		return r.evalIn(n)
	case awk.Compare:
		return r.evalCompare(n)
	case awk.Concat:
		return r.evalConcat(n)
	case awk.Binary, awk.Unary:
		return r.evalArithmetic(n)
	case awk.Pre, awk.Post:
		return r.step(n)
	case awk.Call:
		return r.call(n)
	}
	return awkValue{}, errUnknown
}

func (r *awkRun) condition(n *awk.Node) (bool, error) {
	v, err := r.eval(n)
	if err != nil {
		return false, err
	}
	return v.truth()
}

func (r *awkRun) evalText(n *awk.Node) (string, error) {
	v, err := r.eval(n)
	if err != nil {
		return "", err
	}
	return r.textOf(v)
}

// textOf is the text of a value; numbers are work.
func (r *awkRun) textOf(v awkValue) (string, error) {
	if v.typ == awkNum && !r.j.spend(32) {
		return "", errUnknown
	}
	return v.text()
}

func (r *awkRun) evalNumber(n *awk.Node) (float64, error) {
	v, err := r.eval(n)
	if err != nil {
		return 0, err
	}
	return v.number()
}

// cell is the variable that a node names.
func (r *awkRun) cell(n *awk.Node) *awkCell { return r.notes[n.ID].cell }

// constant is the pattern that a node is; nil if it is no regular expression.
func (r *awkRun) constant(n *awk.Node) *pattern { return r.notes[n.Inner().ID].re }

// regexp is the pattern of n: a constant, or its text.
func (r *awkRun) regexp(n *awk.Node) (*pattern, error) {
	if re := r.constant(n); re != nil {
		return re, nil
	}
	text, err := r.evalText(n)
	if err != nil {
		return nil, err
	}
	return r.compile(text)
}

func (r *awkRun) evalMatch(n *awk.Node) (awkValue, error) {
	re := n
	var v awkValue
	var err error
	if n.Kind == awk.Regex { // alone: the record is looked at
		v, err = r.getField(0)
	} else {
		v, err = r.eval(n.Kids[0])
		re = n.Kids[1]
	}
	if err != nil {
		return awkValue{}, err
	}
	text, err := r.textOf(v)
	if err != nil {
		return awkValue{}, err
	}
	p, err := r.regexp(re)
	if err != nil {
		return awkValue{}, err
	}
	yes, err := p.matches(r.j, []byte(text))
	return awkBool(yes == (n.Op != "!~")), err
}

func (r *awkRun) evalIn(n *awk.Node) (awkValue, error) {
	last := len(n.Kids) - 1
	key, err := r.subscript(n.Kids[:last])
	if err != nil {
		return awkValue{}, err
	}
	a, err := r.array(r.cell(n.Kids[last]))
	if err != nil {
		return awkValue{}, err
	}
	_, ok := a[key]
	return awkBool(ok), nil
}

func (r *awkRun) evalCompare(n *awk.Node) (awkValue, error) {
	a, err := r.eval(n.Kids[0])
	if err != nil {
		return awkValue{}, err
	}
	b, err := r.eval(n.Kids[1])
	if err != nil {
		return awkValue{}, err
	}
	c, err := r.j.awkCompareValues(a, b, n.Op != "==" && n.Op != "!=")
	return awkBool(compareBy(n.Op, c)), err
}

func (r *awkRun) evalConcat(n *awk.Node) (awkValue, error) {
	a, err := r.evalText(n.Kids[0])
	if err != nil {
		return awkValue{}, err
	}
	b, err := r.evalText(n.Kids[1])
	if err != nil {
		return awkValue{}, err
	}
	if len(a)+len(b) > 2*r.j.limit || !r.j.spend((len(a)+len(b))/8) {
		return awkValue{}, errUnknown
	}
	return awkTextOf(a + b), nil
}

func (r *awkRun) evalArithmetic(n *awk.Node) (awkValue, error) {
	if n.Kind == awk.Unary {
		v, err := r.eval(n.Kids[0])
		if err != nil {
			return awkValue{}, err
		}
		if n.Op == "!" {
			yes, err := v.truth()
			return awkBool(!yes), err
		}
		x, err := v.number()
		if n.Op == "-" {
			x = -x
		}
		return awkNumberOf(x), err
	}
	x, err := r.evalNumber(n.Kids[0])
	if err != nil {
		return awkValue{}, err
	}
	y, err := r.evalNumber(n.Kids[1])
	if err != nil {
		return awkValue{}, err
	}
	z, err := awkArithmetic(n.Op, x, y)
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
func (r *awkRun) subscript(list []*awk.Node) (string, error) {
	var parts []string
	for _, n := range list {
		if n.Kind == awk.Group && len(list) == 1 {
			n = n.Kids[0]
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
func (r *awkRun) load(n *awk.Node) (awkValue, error) {
	switch n.Kind {
	case awk.Field:
		i, err := r.fieldIndex(n)
		if err != nil {
			return awkValue{}, err
		}
		return r.getField(i)
	case awk.Element:
		key, err := r.subscript(n.Kids)
		if err != nil {
			return awkValue{}, err
		}
		if r.cell(n) == r.environ {
			v, ok := r.j.env(key)
			if !ok {
				return awkValue{}, nil
			}
			return awkInput(v), nil
		}
		a, err := r.array(r.cell(n))
		if err != nil {
			return awkValue{}, err
		}
		v, ok := a[key]
		if !ok {
			a[key] = v // looking makes it
		}
		return v, nil
	}
	if r.cell(n).asArray || r.cell(n) == r.environ {
		return awkValue{}, errUnknown
	}
	if n.Text == "NF" {
		err := r.splitRecord()
		return awkNumberOf(float64(len(r.fields))), err
	}
	return r.cell(n).value, nil
}

// fieldIndex is the number after a dollar sign; $"" is an error to some.
func (r *awkRun) fieldIndex(n *awk.Node) (int, error) {
	v, err := r.eval(n.Kids[0])
	if err != nil || v.typ != awkNum && v.typ != awkStrnum {
		return 0, errUnknown
	}
	return v.whole()
}

// store assigns to a variable, field or element.
func (r *awkRun) store(n *awk.Node, v awkValue) error {
	switch n.Kind {
	case awk.Field:
		i, err := r.fieldIndex(n)
		if err != nil {
			return err
		}
		return r.setField(i, v)
	case awk.Element:
		key, err := r.subscript(n.Kids)
		if err != nil {
			return err
		}
		if r.cell(n) == r.environ {
			return errUnknown
		}
		a, err := r.array(r.cell(n))
		if err != nil {
			return err
		}
		a[key] = v
		return nil
	}
	return r.storeVariable(r.cell(n), v)
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
func (r *awkRun) assign(n *awk.Node) (awkValue, error) {
	left, right := n.Kids[0], n.Kids[1]
	if awkChanges(left) && (n.Op != "=" || awkLooks(right)) || awkChanges(right) && left.Kind != awk.Var ||
		left.Kind == awk.Element && r.counts(right, r.cell(left)) {
		return awkValue{}, errUnknown
	}
	v, err := r.eval(right)
	if err != nil {
		return awkValue{}, err
	}
	if n.Op != "=" {
		if left.Kind == awk.Field && left.Kids[0].Kind != awk.Number {
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
		z, err := awkArithmetic(n.Op, x, y)
		if err != nil {
			return awkValue{}, err
		}
		v = awkNumberOf(z)
	}
	return v, r.store(left, v)
}

// awkChanges reports whether evaluating the node changes something.
func awkChanges(n *awk.Node) bool {
	switch {
	case n.Kind == awk.Assign, n.Kind == awk.Pre, n.Kind == awk.Post:
		return true
	case n.Kind == awk.Call && (n.Text == "sub" || n.Text == "gsub" || n.Text == "split" || n.Text == "match"):
		return true
	}
	return slices.ContainsFunc(n.Kids, awkChanges)
}

// counts reports whether the value of the node depends on which elements an
// array has.
func (r *awkRun) counts(n *awk.Node, c *awkCell) bool {
	return n.Kind == awk.Var && r.cell(n) == c || slices.ContainsFunc(n.Kids, func(k *awk.Node) bool { return r.counts(k, c) })
}

// awkLooks reports whether evaluating the node reads or changes a variable.
func awkLooks(n *awk.Node) bool {
	return n.Kind == awk.Var || n.Kind == awk.Element || n.Kind == awk.In || awkChanges(n) || slices.ContainsFunc(n.Kids, awkLooks)
}

// step is ++ and --.
func (r *awkRun) step(n *awk.Node) (awkValue, error) {
	target := n.Kids[0]
	if awkChanges(target) || target.Kind == awk.Field && (target.Kids[0].Kind != awk.Number || r.notes[target.Kids[0].ID].num == 0) {
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
	if n.Op == "--" {
		y = x - 1
	}
	if err := r.store(target, awkNumberOf(y)); err != nil {
		return awkValue{}, err
	}
	if n.Kind == awk.Pre {
		return awkNumberOf(y), nil
	}
	return awkNumberOf(x), nil
}
