package graph

import (
	"errors"
	"fmt"
	"math"
)

// opArithmetic runs operators of two numbers, on floats or integers.
func opArithmetic(c *call, op string) error {
	if len(c.in) == 1 && (op == "Min" || op == "Max") {
		return opIdentity(c)
	}
	if len(c.in) > 2 {
		return fmt.Errorf("%s of %d inputs is not run", op, len(c.in))
	}
	a, err := c.input(0)
	if err != nil {
		return err
	}
	b, err := c.input(1)
	if err != nil {
		return err
	}
	dims, err := broadcast(a.dims, b.dims)
	if err != nil {
		return err
	}
	if a.kind.float() {
		return floatArithmetic(c, op, dims)
	}
	x, err := c.ints(0)
	if err != nil {
		return err
	}
	y, err := c.ints(1)
	if err != nil {
		return err
	}
	out, err := c.integers(a.kind, dims)
	if err != nil {
		return err
	}
	f, err := integerFunction(op)
	if err != nil {
		return err
	}
	pairs(dims, a.dims, b.dims, x, y, func(at int, x, y []int64) {
		for i := range x {
			var fault error
			if out.i[at+i], fault = f(x[i], y[i]); fault != nil {
				err = fault
			}
		}
	})
	return c.give(out, err)
}

func floatArithmetic(c *call, op string, dims []int) error {
	a, x, err := c.float(0)
	if err != nil {
		return err
	}
	b, y, err := c.float(1)
	if err != nil {
		return err
	}
	out, err := c.result(dims)
	if err != nil {
		return err
	}
	row := floatRow(op)
	if row == nil {
		return fmt.Errorf("%s of floats is not run", op)
	}
	pairs(dims, a.dims, b.dims, x, y, func(at int, x, y []float32) { row(out.f[at:at+len(x)], x, y) })
	return c.give(out, nil)
}

// result makes the tensor for an operator of two inputs, in the memory of one
// that has the same shape and is not needed afterwards.
func (c *call) result(dims []int) (*tensor, error) {
	for k := range 2 {
		if sameShape(c.in[k].dims, dims) {
			return c.reuse(k)
		}
	}
	return c.floats(dims)
}

func sameShape(a, b []int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// floatRow returns what computes a row. The result may be one of the inputs.
func floatRow(op string) func(out, a, b []float32) {
	switch op {
	case "Add":
		return func(out, a, b []float32) {
			b = b[:len(out)]
			for i, v := range a[:len(out)] {
				out[i] = v + b[i]
			}
		}
	case "Sub":
		return func(out, a, b []float32) {
			b = b[:len(out)]
			for i, v := range a[:len(out)] {
				out[i] = v - b[i]
			}
		}
	case "Mul":
		return func(out, a, b []float32) {
			b = b[:len(out)]
			for i, v := range a[:len(out)] {
				out[i] = v * b[i]
			}
		}
	case "Div":
		return func(out, a, b []float32) {
			b = b[:len(out)]
			for i, v := range a[:len(out)] {
				out[i] = v / b[i]
			}
		}
	}
	f := rareFunction(op)
	if f == nil {
		return nil
	}
	return func(out, a, b []float32) {
		for i := range out {
			out[i] = f(a[i], b[i])
		}
	}
}

func rareFunction(op string) func(a, b float32) float32 {
	switch op {
	case "Pow":
		return func(a, b float32) float32 { return float32(pow(float64(a), float64(b))) }
	case "Min":
		return func(a, b float32) float32 { return min(a, b) }
	case "Max":
		return func(a, b float32) float32 { return max(a, b) }
	case "PRelu":
		return func(a, b float32) float32 {
			if a < 0 {
				return a * b
			}
			return a
		}
	}
	return nil
}

var errZero = errors.New("division by zero")

func integerFunction(op string) (func(a, b int64) (int64, error), error) {
	switch op {
	case "Add":
		return func(a, b int64) (int64, error) { return a + b, nil }, nil
	case "Sub":
		return func(a, b int64) (int64, error) { return a - b, nil }, nil
	case "Mul":
		return func(a, b int64) (int64, error) { return a * b, nil }, nil
	case "Div":
		return func(a, b int64) (int64, error) {
			if b == 0 {
				return 0, errZero
			}
			return a / b, nil
		}, nil
	case "Mod": // has the sign of the divisor, as in Python
		return func(a, b int64) (int64, error) {
			if b == 0 {
				return 0, errZero
			}
			m := a % b
			if m != 0 && (m < 0) != (b < 0) {
				m += b
			}
			return m, nil
		}, nil
	case "Pow":
		return func(a, b int64) (int64, error) { return int64(clampInt(pow(float64(a), float64(b)))), nil }, nil
	case "Min":
		return func(a, b int64) (int64, error) { return min(a, b), nil }, nil
	case "Max":
		return func(a, b int64) (int64, error) { return max(a, b), nil }, nil
	}
	return nil, fmt.Errorf("%s of integers is not run", op)
}

// clampInt cuts a number to the range in which it converts to an integer the
// same way on every processor.
func clampInt(v float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, -(1<<62)), 1<<62)
}

// function returns the functions of one number.
func function(op string) func(x float64) float64 {
	switch op {
	case "Exp":
		return Exp
	case "Log":
		return log
	case "Tanh":
		return tanh
	case "Sigmoid":
		return sigmoid
	case "Sqrt":
		return math.Sqrt
	case "Sin":
		return math.Sin
	case "Cos":
		return math.Cos
	case "Reciprocal":
		return func(x float64) float64 { return 1 / x }
	case "Relu":
		return func(x float64) float64 { return max(x, 0) }
	case "Floor":
		return math.Floor
	case "Ceil":
		return math.Ceil
	case "Round":
		return math.RoundToEven
	case "Softplus":
		return func(x float64) float64 { return max(x, 0) + log(1+Exp(-math.Abs(x))) }
	case "Erf":
		table := erfTable.Get()
		return func(x float64) float64 { return erf(table, x) }
	}
	return nil
}

// functionCost is the work of one function value, in multiplications.
const functionCost = 8

func opFunction(c *call, f func(float64) float64) error {
	t, x, err := c.float(0)
	if err != nil {
		return err
	}
	if err := c.spend(int64(len(x)) * functionCost); err != nil {
		return err
	}
	out, err := c.reuse(0)
	if err != nil {
		return err
	}
	out.dims = append([]int(nil), t.dims...)
	parallel(len(x), functionCost, func(from, to int) {
		for i, v := range x[from:to] {
			out.f[from+i] = float32(f(float64(v)))
		}
	})
	return c.give(out, nil)
}

func opSigned(c *call, op string) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	if t.kind.float() {
		return opFunction(c, map[string]func(float64) float64{
			"Neg": func(x float64) float64 { return -x }, "Abs": math.Abs, "Sign": sign,
		}[op])
	}
	x, err := c.ints(0)
	if err != nil {
		return err
	}
	out, err := c.integers(t.kind, t.dims)
	if err != nil {
		return err
	}
	for i, v := range x {
		switch {
		case op == "Sign":
			out.i[i] = int64(sign(float64(v)))
		case op == "Neg" || v < 0:
			out.i[i] = -v
		default:
			out.i[i] = v
		}
	}
	return c.give(out, nil)
}

// opGelu runs Gelu of ONNX and of com.microsoft; BiasGelu adds a row first.
func opGelu(c *call) error {
	table := erfTable.Get()
	f := func(x float64) float64 { return gelu(table, x) }
	if a := c.attr("approximate"); a != nil && string(a.s) == "tanh" {
		f = geluTanh
	}
	return biased(c, f)
}

func opFastGelu(c *call) error { return biased(c, geluTanh) }

func biased(c *call, f func(float64) float64) error {
	if c.has(1) {
		if err := opArithmetic(c, "Add"); err != nil {
			return err
		}
		sum := c.out[0]
		for i, v := range sum.f {
			sum.f[i] = float32(f(float64(v)))
		}
		return c.spend(int64(len(sum.f)) * functionCost)
	}
	return opFunction(c, f)
}
