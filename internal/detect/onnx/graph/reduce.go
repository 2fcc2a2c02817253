package graph

import (
	"errors"
	"math"
	"slices"
)

// A reduction makes one number of many: it starts with a value and takes one
// number after the other.
type reduction struct {
	start float64
	step  func(sum, v float64) float64
	end   func(sum float64, n int) float64
}

// reducer returns the reduction of an operator's name without "Reduce".
func reducer(name string) *reduction {
	plain := func(sum float64, _ int) float64 { return sum }
	add := func(sum, v float64) float64 { return sum + v }
	switch name {
	case "Sum":
		return &reduction{0, add, plain}
	case "Mean":
		return &reduction{0, add, func(sum float64, n int) float64 { return sum / float64(n) }}
	case "Max":
		return &reduction{math.Inf(-1), func(sum, v float64) float64 { return max(sum, v) }, plain}
	case "Min":
		return &reduction{math.Inf(1), func(sum, v float64) float64 { return min(sum, v) }, plain}
	case "Prod":
		return &reduction{1, func(sum, v float64) float64 { return sum * v }, plain}
	case "SumSquare":
		return &reduction{0, func(sum, v float64) float64 { return sum + float64(v*v) }, plain}
	case "L2":
		return &reduction{0, func(sum, v float64) float64 { return sum + float64(v*v) }, func(sum float64, _ int) float64 { return math.Sqrt(sum) }}
	}
	return nil
}

// opReduce reduces axes; integers are exact up to 2^53.
func opReduce(c *call, by *reduction) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	list, err := c.list("axes", 1)
	if err != nil {
		return err
	}
	if len(list) == 0 && c.attrInt("noop_with_empty_axes", 0) != 0 {
		return opIdentity(c)
	}
	gone, err := axes(list, len(t.dims))
	if err != nil {
		return err
	}
	var kept, keptDims, goneDims, keptStr, goneStr []int
	str := strides(t.dims)
	for i, d := range t.dims {
		if len(list) == 0 || slices.Contains(gone, i) {
			goneDims, goneStr = append(goneDims, d), append(goneStr, str[i])
			if c.attrInt("keepdims", 1) != 0 {
				kept = append(kept, 1)
			}
		} else {
			keptDims, keptStr = append(keptDims, d), append(keptStr, str[i])
			kept = append(kept, d)
		}
	}
	if err := c.spend(int64(t.length())); err != nil {
		return err
	}
	// Elements to reduce come last, so that they follow each other.
	moved, err := c.strided(t, slices.Concat(keptDims, goneDims), slices.Concat(keptStr, goneStr), 0)
	if err != nil {
		return err
	}
	defer c.drop(moved)
	out, err := c.like(t, kept)
	if err != nil {
		return err
	}
	n := product(goneDims)
	for k := range out.length() {
		sum := by.start
		if t.kind.float() {
			for _, v := range moved.f[k*n : (k+1)*n] {
				sum = by.step(sum, float64(v))
			}
			out.f[k] = float32(by.end(sum, n))
			continue
		}
		for _, v := range moved.i[k*n : (k+1)*n] {
			sum = by.step(sum, float64(v))
		}
		out.i[k] = int64(clampInt(by.end(sum, n)))
	}
	return c.give(out, nil)
}

// opCumSum adds up along an axis; RoBERTa numbers its positions with it.
func opCumSum(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	list, err := c.ints(1)
	if err != nil {
		return err
	}
	if len(list) != 1 {
		return errors.New("the axis is no single number")
	}
	k, err := axis(list[0], len(t.dims))
	if err != nil {
		return err
	}
	out, err := c.like(t, t.dims)
	if err != nil {
		return err
	}
	if out.length() == 0 {
		return c.give(out, nil)
	}
	exclusive, reverse := c.attrInt("exclusive", 0) != 0, c.attrInt("reverse", 0) != 0
	if t.kind.float() {
		_, x, err := c.float(0)
		if err != nil {
			return err
		}
		cumSum(out.f, x, t.dims, k, exclusive, reverse)
		return c.give(out, nil)
	}
	x, err := c.ints(0)
	if err != nil {
		return err
	}
	cumSum(out.i, x, t.dims, k, exclusive, reverse)
	return c.give(out, nil)
}

func cumSum[T int64 | float32](out, x []T, dims []int, k int, exclusive, reverse bool) {
	n, inner := dims[k], product(dims[k+1:])
	for line := range product(dims[:k]) * inner {
		start := line/inner*n*inner + line%inner
		var sum T
		for i := range n {
			at := start + i*inner
			if reverse {
				at = start + (n-1-i)*inner
			}
			if exclusive {
				out[at] = sum
			}
			sum += x[at]
			if !exclusive {
				out[at] = sum
			}
		}
	}
}

// opSoftmax turns the numbers along an axis into parts of one. Up to opset 12
// all axes from the given one on count as one, and it is 1 by default.
func opSoftmax(c *call, logarithm bool) error {
	t, x, err := c.float(0)
	if err != nil {
		return err
	}
	old := c.opset < 13
	otherwise := int64(-1)
	if old {
		otherwise = 1
	}
	k, err := axis(c.attrInt("axis", otherwise), len(t.dims))
	if err != nil {
		return err
	}
	if err := c.spend(int64(len(x)) * functionCost); err != nil {
		return err
	}
	n := t.dims[k]
	if old {
		n = product(t.dims[k:])
	} else if product(t.dims[k+1:]) != 1 {
		return errors.New("softmax along an axis that is not the last is not run")
	}
	out, err := c.reuse(0)
	if err != nil || len(x) == 0 {
		return c.give(out, err)
	}
	out.dims = slices.Clone(t.dims)
	parallel(len(x)/n, n*functionCost, func(from, to int) {
		for r := from; r < to; r++ {
			softmax(out.f[r*n:(r+1)*n], x[r*n:(r+1)*n], logarithm)
		}
	})
	return c.give(out, nil)
}

func softmax(out, x []float32, logarithm bool) {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	sum := 0.0
	for i, v := range x {
		e := Exp(float64(v - top))
		sum += e
		if logarithm {
			out[i] = v - top
		} else {
			out[i] = float32(e)
		}
	}
	if logarithm {
		l := float32(log(sum))
		for i := range out {
			out[i] -= l
		}
		return
	}
	scale := float32(1 / sum)
	for i := range out {
		out[i] *= scale
	}
}

// opLayerNorm shifts and scales the numbers from an axis on to mean 0 and
// variance 1, then by weights.
func opLayerNorm(c *call) error {
	t, x, err := c.float(0)
	if err != nil {
		return err
	}
	k, err := axis(c.attrInt("axis", -1), len(t.dims))
	if err != nil {
		return err
	}
	n := product(t.dims[k:])
	gamma, beta, err := c.scales(1, 2, n)
	if err != nil {
		return err
	}
	out, err := c.reuse(0)
	if err != nil {
		return err
	}
	out.dims = slices.Clone(t.dims)
	normalize(out.f, x, n, gamma, beta, c.attrFloat("epsilon", 1e-5))
	return c.give(out, nil)
}

// scales returns weights of n numbers: a factor and, if there is one, a term.
func (c *call) scales(factor, term, n int) (gamma, beta []float32, err error) {
	if _, gamma, err = c.float(factor); err != nil {
		return
	}
	if c.has(term) {
		if _, beta, err = c.float(term); err != nil {
			return
		}
	}
	if len(gamma) != n || (beta != nil && len(beta) != n) {
		err = errors.New("weights of another length than the axis")
	}
	return
}

func normalize(out, x []float32, n int, gamma, beta []float32, epsilon float32) {
	if n == 0 {
		return
	}
	parallel(len(x)/n, n*4, func(from, to int) {
		for r := from; r < to; r++ {
			normalizeRow(out[r*n:(r+1)*n], x[r*n:(r+1)*n], gamma, beta, epsilon)
		}
	})
}

func normalizeRow(out, x, gamma, beta []float32, epsilon float32) {
	sum := 0.0
	for _, v := range x {
		sum += float64(v)
	}
	mean := sum / float64(len(x))
	square := 0.0
	for _, v := range x {
		d := float64(v) - mean
		square += float64(d * d)
	}
	scale := 1 / math.Sqrt(square/float64(len(x))+float64(epsilon))
	for i, v := range x {
		y := float32(float64(float64(v)-mean) * scale)
		y = float32(y * gamma[i])
		if beta != nil {
			y += beta[i]
		}
		out[i] = y
	}
}

// opSkipLayerNorm is com.microsoft's sum of two or three tensors and a row,
// normalized. The fourth output is the sum.
func opSkipLayerNorm(c *call) error {
	t, x, err := c.float(0)
	if err != nil {
		return err
	}
	skip, y, err := c.float(1)
	if err != nil {
		return err
	}
	if len(t.dims) == 0 || !sameShape(t.dims, skip.dims) {
		return errors.New("tensors of different shapes")
	}
	n := t.dims[len(t.dims)-1]
	gamma, beta, err := c.scales(2, 3, n)
	if err != nil {
		return err
	}
	var bias []float32
	if c.has(4) {
		if _, bias, err = c.float(4); err != nil {
			return err
		}
		if len(bias) != n {
			return errors.New("a bias of another length than the axis")
		}
	}
	sum, err := c.floats(t.dims)
	if err != nil {
		return err
	}
	for i := range x {
		sum.f[i] = x[i] + y[i]
		if bias != nil {
			sum.f[i] += bias[i%n]
		}
	}
	out, err := c.floats(t.dims)
	if err != nil {
		return err
	}
	normalize(out.f, sum.f, n, gamma, beta, c.attrFloat("epsilon", 1e-12))
	c.out[0] = out
	if len(c.out) > 3 {
		c.out[3] = sum
	} else {
		c.drop(sum)
	}
	return nil
}
