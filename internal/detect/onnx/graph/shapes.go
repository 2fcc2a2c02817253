package graph

import (
	"errors"
	"fmt"
	"slices"
)

func opIdentity(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	return c.give(c.view(t, t.dims), nil)
}

// vector makes a list of 64-bit integers.
func (c *call) vector(v []int) (*tensor, error) {
	out, err := c.integers(dtInt64, []int{len(v)})
	if err != nil {
		return nil, err
	}
	for i, d := range v {
		out.i[i] = int64(d)
	}
	return out, nil
}

func opShape(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	rank := int64(len(t.dims))
	start, end := c.attrInt("start", 0), c.attrInt("end", rank)
	if start < 0 {
		start += rank
	}
	if end < 0 {
		end += rank
	}
	start, end = min(max(start, 0), rank), min(max(end, 0), rank)
	return c.give(c.vector(t.dims[start:max(start, end)]))
}

func opSize(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	out, err := c.integers(dtInt64, nil)
	if err == nil {
		out.i[0] = int64(t.length())
	}
	return c.give(out, err)
}

// shaped gives input 0 another shape, if it has as many elements.
func (c *call) shaped(t *tensor, dims []int) error {
	n, err := count(dims)
	if err != nil {
		return err
	}
	if n != t.length() {
		return fmt.Errorf("%d elements do not have the shape %v", t.length(), dims)
	}
	return c.give(c.view(t, dims), nil)
}

func opReshape(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	want, err := c.list("shape", 1)
	if err != nil {
		return err
	}
	if len(want) > maxRank {
		return fmt.Errorf("a shape of %d dimensions", len(want))
	}
	dims := make([]int, len(want))
	open := -1
	for i, d := range want {
		switch {
		case d == -1 && open < 0:
			open, dims[i] = i, 1
		case d == 0 && c.attrInt("allowzero", 0) == 0:
			if i >= len(t.dims) {
				return errors.New("a dimension to copy that is not there")
			}
			dims[i] = t.dims[i]
		case d < 0 || d > maxElements:
			return fmt.Errorf("a dimension of %d", d)
		default:
			dims[i] = int(d)
		}
	}
	if open >= 0 {
		n, err := count(dims)
		if err != nil {
			return err
		}
		if n == 0 || t.length()%n != 0 {
			return fmt.Errorf("%d elements do not have the shape %v", t.length(), want)
		}
		dims[open] = t.length() / n
	}
	return c.shaped(t, dims)
}

func opFlatten(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	at := c.attrInt("axis", 1)
	if at < 0 {
		at += int64(len(t.dims))
	}
	if at < 0 || at > int64(len(t.dims)) {
		return fmt.Errorf("axis %d of %d dimensions", at, len(t.dims))
	}
	return c.shaped(t, []int{product(t.dims[:at]), product(t.dims[at:])})
}

// list returns integers that older opsets have in an attribute and newer ones
// in input k, nil if they are in neither.
func (c *call) list(name string, k int) ([]int64, error) {
	if a := c.attr(name); a != nil {
		return a.ints, nil
	}
	if !c.has(k) {
		return nil, nil
	}
	return c.ints(k)
}

// axes returns the axes that a list names, each once, in order.
func axes(list []int64, rank int) ([]int, error) {
	if len(list) > maxRank {
		return nil, fmt.Errorf("%d axes", len(list))
	}
	var out []int
	for _, v := range list {
		a, err := axis(v, rank)
		if err != nil {
			return nil, err
		}
		if slices.Contains(out, a) {
			return nil, fmt.Errorf("axis %d twice", a)
		}
		out = append(out, a)
	}
	slices.Sort(out)
	return out, nil
}

func opSqueeze(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	list, err := c.list("axes", 1)
	if err != nil {
		return err
	}
	gone, err := axes(list, len(t.dims))
	if err != nil {
		return err
	}
	var dims []int
	for i, d := range t.dims {
		switch {
		case len(list) == 0 && d == 1:
		case !slices.Contains(gone, i):
			dims = append(dims, d)
		case d != 1:
			return fmt.Errorf("axis %d has %d elements", i, d)
		}
	}
	return c.shaped(t, dims)
}

func opUnsqueeze(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	list, err := c.list("axes", 1)
	if err != nil {
		return err
	}
	added, err := axes(list, len(t.dims)+len(list))
	if err != nil {
		return err
	}
	dims := slices.Clone(t.dims)
	for _, a := range added {
		dims = slices.Insert(dims, a, 1)
	}
	return c.shaped(t, dims)
}

func opConstant(c *call) error {
	out, err := constant(c.n)
	return c.give(out, err)
}

// constant returns what a Constant node holds.
func constant(n *node) (*tensor, error) {
	for _, a := range n.attrs {
		switch a.name {
		case "value":
			if a.t != nil {
				return a.t, nil
			}
		case "value_int":
			return &tensor{kind: dtInt64, i: []int64{a.i}}, nil
		case "value_ints":
			return &tensor{kind: dtInt64, dims: []int{len(a.ints)}, i: a.ints}, nil
		case "value_float":
			return &tensor{kind: dtFloat, f: []float32{a.f}}, nil
		case "value_floats":
			return &tensor{kind: dtFloat, dims: []int{len(a.floats)}, f: a.floats}, nil
		}
	}
	return nil, errors.New("a constant without a value that is read")
}

// shapeInput returns the shape that the integers of input k name.
func (c *call) shapeInput(k int) ([]int, error) {
	list, err := c.ints(k)
	if err != nil {
		return nil, err
	}
	if len(list) > maxRank {
		return nil, fmt.Errorf("a shape of %d dimensions", len(list))
	}
	dims := make([]int, len(list))
	for i, d := range list {
		if d < 0 || d > maxElements {
			return nil, fmt.Errorf("a dimension of %d", d)
		}
		dims[i] = int(d)
	}
	return dims, nil
}

func opConstantOfShape(c *call) error {
	dims, err := c.shapeInput(0)
	if err != nil {
		return err
	}
	fill := &tensor{kind: dtFloat, f: []float32{0}}
	if a := c.attr("value"); a != nil && a.t != nil {
		fill = a.t
	}
	if fill.length() != 1 {
		return errors.New("the value is no single number")
	}
	return c.give(c.strided(fill, dims, make([]int, len(dims)), 0))
}

// opRange counts from its first input to its second in steps of the third.
func opRange(c *call) error {
	if t, err := c.input(0); err != nil || t.kind.float() {
		return errors.New("only ranges of integers are run")
	}
	var v [3]int64
	for k := range v {
		list, err := c.ints(k)
		if err != nil {
			return err
		}
		if len(list) != 1 || list[0] > 1<<40 || list[0] < -(1<<40) {
			return errors.New("a bound is no single number of ordinary size")
		}
		v[k] = list[0]
	}
	start, limit, delta := v[0], v[1], v[2]
	if delta == 0 {
		return errors.New("a step of zero")
	}
	n := (limit - start) / delta
	if (limit-start)%delta != 0 {
		n++
	}
	if (limit > start) != (delta > 0) {
		n = 0
	}
	if n > maxElements {
		return errTooLarge
	}
	out, err := c.integers(c.in[0].kind, []int{int(n)})
	if err != nil {
		return err
	}
	for i := range out.i {
		out.i[i] = start + int64(i)*delta
	}
	return c.give(out, nil)
}
