package graph

import (
	"errors"
	"fmt"
	"math"
)

// both returns two inputs that are either floats or integers, and the shape
// they have together.
func (c *call) both() (a, b *tensor, dims []int, err error) {
	if a, err = c.input(0); err != nil {
		return
	}
	if b, err = c.input(1); err != nil {
		return
	}
	if a.kind.float() != b.kind.float() {
		return nil, nil, nil, errors.New("floats and integers together")
	}
	dims, err = broadcast(a.dims, b.dims)
	return
}

func opCompare(c *call, op string) error {
	a, b, dims, err := c.both()
	if err != nil {
		return err
	}
	out, err := c.integers(dtBool, dims)
	if err != nil {
		return err
	}
	if a.kind.float() {
		_, x, err := c.float(0)
		if err != nil {
			return err
		}
		_, y, err := c.float(1)
		if err != nil {
			return err
		}
		holds := comparison[float32](op)
		pairs(dims, a.dims, b.dims, x, y, func(at int, x, y []float32) {
			for i := range x {
				out.i[at+i] = truth(holds(x[i], y[i]))
			}
		})
		return c.give(out, nil)
	}
	holds := comparison[int64](op)
	return c.integerPairs(out, a, b, func(x, y int64) int64 { return truth(holds(x, y)) })
}

// integerPairs fills out from pairs of integers.
func (c *call) integerPairs(out, a, b *tensor, f func(x, y int64) int64) error {
	x, err := c.ints(0)
	if err != nil {
		return err
	}
	y, err := c.ints(1)
	if err != nil {
		return err
	}
	pairs(out.dims, a.dims, b.dims, x, y, func(at int, x, y []int64) {
		for i := range x {
			out.i[at+i] = f(x[i], y[i])
		}
	})
	return c.give(out, nil)
}

func comparison[T int64 | float32](op string) func(a, b T) bool {
	switch op {
	case "Less":
		return func(a, b T) bool { return a < b }
	case "Greater":
		return func(a, b T) bool { return a > b }
	case "LessOrEqual":
		return func(a, b T) bool { return a <= b }
	case "GreaterOrEqual":
		return func(a, b T) bool { return a >= b }
	}
	return func(a, b T) bool { return a == b }
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

func opLogic(c *call, op string) error {
	a, b, dims, err := c.both()
	if err != nil {
		return err
	}
	out, err := c.integers(dtBool, dims)
	if err != nil {
		return err
	}
	return c.integerPairs(out, a, b, func(x, y int64) int64 {
		switch op {
		case "And":
			return truth(x != 0 && y != 0)
		case "Or":
			return truth(x != 0 || y != 0)
		}
		return truth((x != 0) != (y != 0))
	})
}

func opNot(c *call) error {
	x, err := c.ints(0)
	if err != nil {
		return err
	}
	out, err := c.integers(dtBool, c.in[0].dims)
	if err != nil {
		return err
	}
	for i, v := range x {
		out.i[i] = truth(v == 0)
	}
	return c.give(out, nil)
}

func opIs(c *call, op string) error {
	t, x, err := c.float(0)
	if err != nil {
		return err
	}
	out, err := c.integers(dtBool, t.dims)
	if err != nil {
		return err
	}
	for i, v := range x {
		if op == "IsNaN" {
			out.i[i] = truth(v != v)
		} else {
			out.i[i] = truth(math.IsInf(float64(v), 0))
		}
	}
	return c.give(out, nil)
}

// opWhere takes elements of its second or third input.
func opWhere(c *call) error {
	condition, err := c.ints(0)
	if err != nil {
		return err
	}
	a, err := c.input(1)
	if err != nil {
		return err
	}
	b, err := c.input(2)
	if err != nil {
		return err
	}
	dims, err := broadcast(a.dims, b.dims)
	if err == nil {
		dims, err = broadcast(dims, c.in[0].dims)
	}
	if err != nil {
		return err
	}
	if a.kind.float() != b.kind.float() {
		return errors.New("floats and integers together")
	}
	out, err := c.like(a, dims)
	if err != nil {
		return err
	}
	if a.kind.float() {
		_, x, err := c.float(1)
		if err != nil {
			return err
		}
		_, y, err := c.float(2)
		if err != nil {
			return err
		}
		choose(out.f, dims, condition, c.in[0].dims, x, a.dims, y, b.dims)
		return c.give(out, nil)
	}
	x, err := c.ints(1)
	if err != nil {
		return err
	}
	y, err := c.ints(2)
	if err != nil {
		return err
	}
	choose(out.i, dims, condition, c.in[0].dims, x, a.dims, y, b.dims)
	return c.give(out, nil)
}

func choose[T any](out []T, dims []int, condition []int64, cDims []int, x []T, xDims []int, y []T, yDims []int) {
	w := newWalk(dims, spread(cDims, dims), spread(xDims, dims), spread(yDims, dims))
	w.each(func(at int, p []int) {
		for i := range w.length() {
			if condition[p[0]+i*w.step(0)] != 0 {
				out[at+i] = x[p[1]+i*w.step(1)]
			} else {
				out[at+i] = y[p[2]+i*w.step(2)]
			}
		}
	})
}

func opCast(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	to := dtype(c.attrInt("to", int64(dtFloat)))
	if c.n.op == "CastLike" {
		other, err := c.input(1)
		if err != nil {
			return err
		}
		to = other.kind
	}
	if to.size() == 0 {
		return fmt.Errorf("a cast to type %d is not run", to)
	}
	if t.kind.float() && to.float() {
		out := c.view(t, t.dims)
		out.kind = to
		return c.give(out, nil)
	}
	return c.give(c.convert(t, to))
}

// convert changes between floats and integers, and among integers.
func (c *call) convert(t *tensor, to dtype) (*tensor, error) {
	if to.float() {
		x, err := c.ints(0)
		if err != nil {
			return nil, err
		}
		out, err := c.floats(t.dims)
		if err != nil {
			return nil, err
		}
		for i, v := range x {
			out.f[i] = float32(v)
		}
		return out, nil
	}
	out, err := c.integers(to, t.dims)
	if err != nil {
		return nil, err
	}
	if t.kind.float() {
		_, x, err := c.float(0)
		if err != nil {
			return nil, err
		}
		for i, v := range x {
			if to == dtBool {
				out.i[i] = truth(v != 0)
			} else {
				out.i[i] = wrap(int64(clampInt(math.Trunc(float64(v)))), to)
			}
		}
		return out, nil
	}
	x, err := c.ints(0)
	if err != nil {
		return nil, err
	}
	for i, v := range x {
		out.i[i] = wrap(v, to)
	}
	return out, nil
}

// wrap cuts an integer to a type's width.
func wrap(v int64, to dtype) int64 {
	switch to {
	case dtBool:
		return truth(v != 0)
	case dtInt8:
		return int64(int8(v))
	case dtUint8:
		return int64(uint8(v))
	case dtInt16:
		return int64(int16(v))
	case dtUint16:
		return int64(uint16(v))
	case dtInt32:
		return int64(int32(v))
	case dtUint32:
		return int64(uint32(v))
	}
	return v
}

// opClip cuts floats to a range: attributes up to opset 10, then inputs.
func opClip(c *call) error {
	t, x, err := c.float(0)
	if err != nil {
		return err
	}
	low, high := c.attrFloat("min", -math.MaxFloat32), c.attrFloat("max", math.MaxFloat32)
	for k, bound := range []*float32{&low, &high} {
		if !c.has(k + 1) {
			continue
		}
		_, v, err := c.float(k + 1)
		if err != nil {
			return err
		}
		if len(v) != 1 {
			return errors.New("a bound is no single number")
		}
		*bound = v[0]
	}
	out, err := c.floats(t.dims)
	if err != nil {
		return err
	}
	for i, v := range x {
		out.f[i] = min(max(v, low), high)
	}
	return c.give(out, nil)
}
