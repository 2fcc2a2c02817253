package graph

import (
	"errors"
	"fmt"
	"slices"

	"github.com/heedsh/heed/internal/detect/onnx/gemm"
)

// A matProduct says which matrices are multiplied: batch many, of m by k and k
// by n, the ones of the right side repeated if its stride is zero.
type matProduct struct {
	batch            []int
	m, k, n          int
	leftStr, rightSt []int
	dims             []int // of the result
}

// matShapes reads the shapes of a MatMul. Source: numpy.matmul, which ONNX
// refers to. A vector counts as a matrix of one row or column.
func matShapes(a, b []int) (p matProduct, err error) {
	if len(a) == 0 || len(b) == 0 {
		return p, errors.New("a single number is no matrix")
	}
	aVector, bVector := len(a) == 1, len(b) == 1
	if aVector {
		a = []int{1, a[0]}
	}
	if bVector {
		b = []int{b[0], 1}
	}
	p.m, p.k, p.n = a[len(a)-2], a[len(a)-1], b[len(b)-1]
	if b[len(b)-2] != p.k {
		return p, fmt.Errorf("shapes %v and %v do not multiply", a, b)
	}
	p.batch, err = broadcast(a[:len(a)-2], b[:len(b)-2])
	if err != nil {
		return p, err
	}
	p.leftStr = spread(a[:len(a)-2], p.batch)
	p.rightSt = spread(b[:len(b)-2], p.batch)
	p.dims = slices.Clone(p.batch)
	if !aVector {
		p.dims = append(p.dims, p.m)
	}
	if !bVector {
		p.dims = append(p.dims, p.n)
	}
	return p, nil
}

// join makes one matrix of a batch that shares its right side: the usual case
// of weights.
func (p *matProduct) join() {
	for _, s := range p.rightSt {
		if s != 0 {
			return
		}
	}
	if !slices.Equal(p.leftStr, spread(p.batch, p.batch)) {
		return
	}
	p.m *= product(p.batch)
	p.batch, p.leftStr, p.rightSt = nil, nil, nil
}

// charge takes the work of a product from the budget.
func (c *call) charge(p *matProduct) error {
	elements, err := count(append(slices.Clone(p.batch), p.m, p.n))
	if err != nil {
		return err
	}
	left, err := count(append(slices.Clone(p.batch), p.m, p.k))
	if err != nil {
		return err
	}
	// The left side is copied once for the kernel.
	if 4*int64(left) > c.limit.Memory {
		return ErrMemory
	}
	return c.spend(int64(elements)*int64(p.k) + int64(left) + int64(p.k)*int64(p.n))
}

func opMatMul(c *call) error { return matMul(c, 1) }

// opFusedMatMul is com.microsoft's MatMul with a factor.
func opFusedMatMul(c *call) error {
	for _, name := range []string{"transA", "transB", "transBatchA", "transBatchB"} {
		if c.attrInt(name, 0) != 0 {
			return fmt.Errorf("FusedMatMul with %s is not run", name)
		}
	}
	return matMul(c, c.attrFloat("alpha", 1))
}

func matMul(c *call, alpha float32) error {
	a, x, err := c.float(0)
	if err != nil {
		return err
	}
	b, err := c.input(1)
	if err != nil {
		return err
	}
	if !b.kind.float() {
		return errors.New("input 1 holds no floats")
	}
	p, err := matShapes(a.dims, b.dims)
	if err != nil {
		return err
	}
	p.join()
	if err := c.charge(&p); err != nil {
		return err
	}
	out, err := c.zeros(p.dims)
	if err != nil {
		return err
	}
	p.each(func(at, left, right int) {
		gemm.Multiply(out.f[at*p.m*p.n:], x[left*p.m*p.k:], b.source(right*p.k*p.n, p.k, p.n), p.m, p.k, p.n)
	})
	if alpha != 1 {
		for i := range out.f {
			out.f[i] *= alpha
		}
	}
	return c.give(out, nil)
}

// each calls do for every matrix of the batch, with the numbers of the result
// and of both sides.
func (p *matProduct) each(do func(at, left, right int)) {
	n := product(p.batch)
	if n == 0 || p.m == 0 || p.n == 0 || p.k == 0 {
		return
	}
	own := strides(p.batch)
	parallel(n, p.m*p.n*p.k, func(from, to int) {
		for at := from; at < to; at++ {
			left, right := 0, 0
			for i, d := range p.batch {
				index := at / own[i] % d
				left += index * p.leftStr[i]
				right += index * p.rightSt[i]
			}
			do(at, left, right)
		}
	})
}

// opGemm is alpha*A*B + beta*C, with A and B transposed if so said.
func opGemm(c *call) error {
	a, err := c.input(0)
	if err != nil {
		return err
	}
	b, err := c.input(1)
	if err != nil {
		return err
	}
	if len(a.dims) != 2 || len(b.dims) != 2 || !a.kind.float() || !b.kind.float() || b.swapped {
		return errors.New("the inputs are no matrices of floats")
	}
	_, x, err := c.float(0)
	if err != nil {
		return err
	}
	p := matProduct{m: a.dims[0], k: a.dims[1]}
	if c.attrInt("transA", 0) != 0 {
		p.m, p.k = p.k, p.m
		turned := make([]float32, len(x))
		strided(turned, x, []int{p.m, p.k}, []int{1, p.m}, 0)
		x = turned
	}
	bRows, bCols := b.dims[0], b.dims[1]
	turn := c.attrInt("transB", 0) != 0
	if turn {
		bRows, bCols = bCols, bRows
	}
	if bRows != p.k {
		return fmt.Errorf("shapes %v and %v do not multiply", a.dims, b.dims)
	}
	p.n = bCols
	if err := c.charge(&p); err != nil {
		return err
	}
	out, err := c.zeros([]int{p.m, p.n})
	if err != nil {
		return err
	}
	gemm.Multiply(out.f, x, b.turned(turn, p.k, p.n), p.m, p.k, p.n)
	return c.addBias(out)
}

// turned is source for a matrix that is transposed if turn says so.
func (t *tensor) turned(turn bool, rows, columns int) gemm.Source {
	switch {
	case !turn:
		return t.source(0, rows, columns)
	case t.raw == nil:
		return gemm.Dense{Data: t.f, RowStride: 1, ColStride: rows}
	}
	return &rawMatrix{data: t.raw, stored: t.stored, columns: columns, rows: rows, swapped: true}
}

// addBias scales the product of a Gemm and adds its third input.
func (c *call) addBias(out *tensor) error {
	if alpha := c.attrFloat("alpha", 1); alpha != 1 {
		for i := range out.f {
			out.f[i] *= alpha
		}
	}
	if !c.has(2) {
		return c.give(out, nil)
	}
	bias, y, err := c.float(2)
	if err != nil {
		return err
	}
	dims, err := broadcast(out.dims, bias.dims)
	if err != nil || !sameShape(dims, out.dims) {
		return fmt.Errorf("a bias of shape %v for %v", bias.dims, out.dims)
	}
	beta := c.attrFloat("beta", 1)
	pairs(dims, out.dims, bias.dims, out.f, y, func(at int, x, y []float32) {
		for i := range x {
			out.f[at+i] = x[i] + float32(beta*y[i])
		}
	})
	return c.give(out, nil)
}
