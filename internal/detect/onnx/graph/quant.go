package graph

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/heedsh/heed/internal/detect/onnx/gemm"
)

// exactDepth is how many products of two differences of bytes can be summed in
// float32 without rounding: 256 * 255 * 255 is below 2^24.
const exactDepth = 256

// opMatMulInteger multiplies bytes, exactly: blocks in float32, which hold
// every sum, and their sums in integers.
func opMatMulInteger(c *call) error {
	a, b, err := c.bytePair()
	if err != nil {
		return err
	}
	p, err := matShapes(a.dims, b.dims)
	if err != nil {
		return err
	}
	p.join()
	if len(p.batch) > 0 {
		return errors.New("MatMulInteger of a batch with different right sides is not run")
	}
	if err := c.charge(&p); err != nil {
		return err
	}
	x, err := c.shifted(0, 2)
	if err != nil {
		return err
	}
	right, err := c.byteMatrix(b, p.k, p.n)
	if err != nil {
		return err
	}
	out, err := c.integers(dtInt32, p.dims)
	if err != nil {
		return err
	}
	part := make([]float32, p.m*p.n)
	for k0 := 0; k0 < p.k; k0 += exactDepth {
		depth := min(exactDepth, p.k-k0)
		left := make([]float32, p.m*depth)
		for r := range p.m {
			copy(left[r*depth:(r+1)*depth], x[r*p.k+k0:])
		}
		clear(part)
		gemm.Multiply(part, left, below{right, k0}, p.m, depth, p.n)
		for i, v := range part {
			out.i[i] += int64(v)
		}
	}
	return c.give(out, nil)
}

// below is a source from a row on.
type below struct {
	gemm.Source
	row int
}

// Pack implements [gemm.Source].
func (b below) Pack(dst []float32, r0, r1, c0, c1 int) {
	b.Source.Pack(dst, r0+b.row, r1+b.row, c0, c1)
}

// bytePair returns two inputs that must be bytes.
func (c *call) bytePair() (a, b *tensor, err error) {
	if a, err = c.input(0); err != nil {
		return
	}
	if b, err = c.input(1); err != nil {
		return
	}
	for _, t := range []*tensor{a, b} {
		if t.kind != dtInt8 && t.kind != dtUint8 {
			return nil, nil, fmt.Errorf("numbers of type %d where bytes are multiplied", t.kind)
		}
	}
	return
}

// byteRange checks that integers that a model calls bytes are bytes.
func byteRange(v []int64, kind dtype) error {
	for _, x := range v {
		if wrap(x, kind) != x {
			return fmt.Errorf("%d is no number of type %d", x, kind)
		}
	}
	return nil
}

// shifted returns input k less its zero point, one number for all.
func (c *call) shifted(k, zero int) ([]float32, error) {
	v, err := c.ints(k)
	if err != nil {
		return nil, err
	}
	if err := byteRange(v, c.in[k].kind); err != nil {
		return nil, err
	}
	less, err := c.zeroPoint(zero, c.in[k].kind)
	if err != nil {
		return nil, err
	}
	if len(less) > 1 {
		return nil, errors.New("several zero points of the left side are not run")
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
		if len(less) == 1 {
			out[i] -= less[0]
		}
	}
	return out, nil
}

// zeroPoint returns an optional input of bytes as floats.
func (c *call) zeroPoint(k int, kind dtype) ([]float32, error) {
	if !c.has(k) {
		return nil, nil
	}
	v, err := c.ints(k)
	if err != nil {
		return nil, err
	}
	if err := byteRange(v, kind); err != nil {
		return nil, err
	}
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(x)
	}
	return out, nil
}

// byteMatrix returns the right side of a MatMulInteger less its zero points.
func (c *call) byteMatrix(b *tensor, rows, columns int) (gemm.Source, error) {
	less, err := c.zeroPoint(3, b.kind)
	if err != nil {
		return nil, err
	}
	if len(less) > 1 && len(less) != columns {
		return nil, fmt.Errorf("%d zero points for %d columns", len(less), columns)
	}
	if b.raw != nil {
		return &rawMatrix{data: b.raw, stored: b.stored, columns: columns, rows: rows, swapped: b.swapped, less: less}, nil
	}
	if err := byteRange(b.i, b.kind); err != nil {
		return nil, err
	}
	data := make([]byte, len(b.i))
	for i, v := range b.i {
		data[i] = byte(v)
	}
	return &rawMatrix{data: data, stored: b.kind, columns: columns, rows: rows, less: less}, nil
}

// opDynamicQuantize turns floats into bytes with a scale and a zero point of
// their own. Source: ONNX, operator DynamicQuantizeLinear.
func opDynamicQuantize(c *call) error {
	t, x, err := c.float(0)
	if err != nil {
		return err
	}
	if len(c.out) != 3 {
		return errors.New("three outputs are needed")
	}
	low, high := float32(0), float32(0)
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	scale := (high - low) / 255
	zero := float32(0)
	if scale > 0 {
		zero = saturate(math.RoundToEven(float64((0-low)/scale)), dtUint8)
	}
	if c.out[0], err = c.integers(dtUint8, t.dims); err != nil {
		return err
	}
	for i, v := range x {
		if scale > 0 {
			c.out[0].i[i] = int64(saturate(math.RoundToEven(float64(v/scale))+float64(zero), dtUint8))
		}
	}
	if c.out[1], err = c.floats(nil); err != nil {
		return err
	}
	c.out[1].f[0] = scale
	if c.out[2], err = c.integers(dtUint8, nil); err != nil {
		return err
	}
	c.out[2].i[0] = int64(zero)
	return nil
}

// saturate cuts a number to the range of a byte type.
func saturate(v float64, kind dtype) float32 {
	if v != v {
		return 0
	}
	if kind == dtInt8 {
		return float32(min(max(v, -128), 127))
	}
	return float32(min(max(v, 0), 255))
}

// opDequantize turns bytes, or sums of their products, into floats.
func opDequantize(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	x, err := c.ints(0)
	if err != nil {
		return err
	}
	each, err := c.perAxis(t)
	if err != nil {
		return err
	}
	out, err := c.floats(t.dims)
	if err != nil {
		return err
	}
	for i, v := range x {
		scale, zero := each(i)
		out.f[i] = float32(v-int64(zero)) * scale
	}
	return c.give(out, nil)
}

// opQuantize turns floats into bytes with a given scale.
func opQuantize(c *call) error {
	t, x, err := c.float(0)
	if err != nil {
		return err
	}
	kind := dtUint8
	if c.has(2) {
		kind = c.in[2].kind
	}
	if kind != dtUint8 && kind != dtInt8 {
		return fmt.Errorf("quantizing to type %d is not run", kind)
	}
	each, err := c.perAxis(t)
	if err != nil {
		return err
	}
	out, err := c.integers(kind, t.dims)
	if err != nil {
		return err
	}
	for i, v := range x {
		scale, zero := each(i)
		out.i[i] = int64(saturate(math.RoundToEven(float64(v/scale))+float64(zero), kind))
	}
	return c.give(out, nil)
}

// perAxis returns the scale and the zero point of the element with index i:
// one for all, or one for each place of an axis.
func (c *call) perAxis(t *tensor) (func(i int) (scale, zero float32), error) {
	_, scales, err := c.float(1)
	if err != nil {
		return nil, err
	}
	zeros := make([]float32, len(scales))
	if c.has(2) {
		v, err := c.ints(2)
		if err != nil {
			return nil, err
		}
		if len(v) != len(scales) {
			return nil, errors.New("scales and zero points of different lengths")
		}
		for i, x := range v {
			zeros[i] = float32(x)
		}
	}
	if len(scales) == 1 {
		return func(int) (float32, float32) { return scales[0], zeros[0] }, nil
	}
	k, err := axis(c.attrInt("axis", 1), len(t.dims))
	if err != nil {
		return nil, err
	}
	if len(scales) != t.dims[k] {
		return nil, fmt.Errorf("%d scales for %d places", len(scales), t.dims[k])
	}
	inner := product(slices.Clone(t.dims[k+1:]))
	return func(i int) (float32, float32) {
		at := i / inner % len(scales)
		return scales[at], zeros[at]
	}, nil
}
