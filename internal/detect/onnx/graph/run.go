package graph

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
)

// The errors of a run that was ended.
var (
	// ErrBudget says that a run needed more work than it was given.
	ErrBudget = errors.New("the work budget is spent")
	// ErrMemory says that a run needed more memory than it was given.
	ErrMemory = errors.New("the memory budget is spent")
)

// A Limit bounds a run.
type Limit struct {
	Work   int64 // multiplications and elements written
	Memory int64 // bytes of intermediate results at one time
}

// A buffer is memory that several tensors may use.
type buffer struct {
	users int
	bytes int64
	f     []float32
}

// A run is one pass through the graph.
type run struct {
	limit Limit
	slots []*tensor
	free  map[int][][]float32 // buffers that nobody uses any more, by length
}

// A call is one node with the tensors that go in and come out.
type call struct {
	*run
	n     *node
	opset int64
	in    []*tensor
	out   []*tensor
}

// spend takes work from the budget.
func (r *run) spend(work int64) error {
	if work < 0 || work > r.limit.Work {
		r.limit.Work = 0
		return ErrBudget
	}
	r.limit.Work -= work
	return nil
}

// floats makes a tensor of floats. Its numbers are left over from others: the
// caller writes all of them.
func (r *run) floats(dims []int) (*tensor, error) {
	t, n, err := r.empty(dtFloat, dims, 4)
	if err != nil || n == 0 {
		return t, err
	}
	if list := r.free[n]; len(list) > 0 {
		t.f = list[len(list)-1]
		r.free[n] = list[:len(list)-1]
	} else {
		t.f = make([]float32, n)
	}
	t.shared.f = t.f
	return t, nil
}

// zeros makes a tensor of floats that are all zero.
func (r *run) zeros(dims []int) (*tensor, error) {
	t, err := r.floats(dims)
	if err == nil {
		clear(t.f)
	}
	return t, err
}

// integers makes a tensor of another type, all zero.
func (r *run) integers(kind dtype, dims []int) (*tensor, error) {
	t, n, err := r.empty(kind, dims, 8)
	if err == nil && n > 0 {
		t.i = make([]int64, n)
	}
	return t, err
}

func (r *run) empty(kind dtype, dims []int, size int64) (*tensor, int, error) {
	n, err := count(dims)
	if err != nil {
		return nil, 0, err
	}
	if err := r.spend(int64(n) + 16); err != nil {
		return nil, 0, err
	}
	bytes := size * int64(n)
	if bytes > r.limit.Memory {
		return nil, 0, ErrMemory
	}
	r.limit.Memory -= bytes
	return &tensor{kind: kind, dims: append([]int(nil), dims...), shared: &buffer{users: 1, bytes: bytes}}, n, nil
}

// like makes a tensor of the type of t.
func (r *run) like(t *tensor, dims []int) (*tensor, error) {
	if t.kind.float() {
		return r.floats(dims)
	}
	return r.integers(t.kind, dims)
}

// view returns t with another shape of as many elements.
func (r *run) view(t *tensor, dims []int) *tensor {
	v := *t
	v.dims = append([]int(nil), dims...)
	if v.shared != nil {
		v.shared.users++
	}
	return &v
}

// drop says that a slot's tensor is not needed any more.
func (r *run) drop(t *tensor) {
	b := t.shared
	if b == nil {
		return
	}
	if b.users--; b.users > 0 {
		return
	}
	r.limit.Memory += b.bytes
	if len(b.f) > 0 {
		r.free[len(b.f)] = append(r.free[len(b.f)], b.f)
	}
}

// reuse returns a tensor for the result of a step that reads input k once,
// element by element: the input's own memory if nobody reads it afterwards.
func (c *call) reuse(k int) (*tensor, error) {
	t := c.in[k]
	if t.f == nil || t.shared == nil || t.shared.users != 1 || !c.n.last[k] {
		return c.floats(t.dims)
	}
	if err := c.spend(int64(len(t.f)) + 16); err != nil {
		return nil, err
	}
	t.shared.users++
	return &tensor{kind: dtFloat, dims: append([]int(nil), t.dims...), f: t.f, shared: t.shared}, nil
}

// numbers returns the floats of t. Weights are read from the file. A matrix
// that is swapped there never comes here: see fold.
func (t *tensor) numbers() []float32 {
	if t.raw == nil {
		return t.f
	}
	out := make([]float32, t.length())
	rawFloats(out, t.raw, t.stored)
	return out
}

// integer returns the integers of t.
func (t *tensor) integer() []int64 {
	if t.raw == nil {
		return t.i
	}
	out := make([]int64, t.length())
	for k := range out {
		out[k] = rawInt(t.raw, k, t.stored)
	}
	return out
}

// input returns input k, or an error if it is missing.
func (c *call) input(k int) (*tensor, error) {
	if k >= len(c.in) || c.in[k] == nil {
		return nil, fmt.Errorf("input %d is missing", k)
	}
	return c.in[k], nil
}

// has reports whether the optional input k is there.
func (c *call) has(k int) bool { return k < len(c.in) && c.in[k] != nil }

// float returns input k and its numbers, which must be floats.
func (c *call) float(k int) (*tensor, []float32, error) {
	t, err := c.input(k)
	if err != nil {
		return nil, nil, err
	}
	if !t.kind.float() {
		return nil, nil, fmt.Errorf("input %d holds no floats", k)
	}
	if t.raw != nil {
		if err := c.weigh(t); err != nil {
			return nil, nil, err
		}
	}
	return t, t.numbers(), nil
}

// weigh charges for reading a whole weight from the file.
func (c *call) weigh(t *tensor) error {
	n := int64(t.length())
	if 8*n > c.limit.Memory {
		return ErrMemory
	}
	return c.spend(2 * n)
}

// ints returns the integers of input k.
func (c *call) ints(k int) ([]int64, error) {
	t, err := c.input(k)
	if err != nil {
		return nil, err
	}
	if t.kind.float() {
		return nil, fmt.Errorf("input %d holds no integers", k)
	}
	if t.raw != nil {
		if err := c.weigh(t); err != nil {
			return nil, err
		}
	}
	return t.integer(), nil
}

// attr returns an attribute of the node, or nil.
func (c *call) attr(name string) *attr {
	for i := range c.n.attrs {
		if c.n.attrs[i].name == name {
			return &c.n.attrs[i]
		}
	}
	return nil
}

func (c *call) attrInt(name string, otherwise int64) int64 {
	if a := c.attr(name); a != nil {
		return a.i
	}
	return otherwise
}

func (c *call) attrFloat(name string, otherwise float32) float32 {
	if a := c.attr(name); a != nil {
		return a.f
	}
	return otherwise
}

// give sets the only output that matters.
func (c *call) give(t *tensor, err error) error {
	if err != nil {
		return err
	}
	c.out[0] = t
	return nil
}

// parallelElements is how many elements are worth a second goroutine.
const parallelElements = 1 << 14

// parallel splits n pieces of work, each of size elements, among processors.
func parallel(n, size int, do func(from, to int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if n*size < parallelElements || workers < 2 {
		do(0, n)
		return
	}
	var others sync.WaitGroup
	for w := range workers - 1 {
		others.Go(func() { do(n*w/workers, n*(w+1)/workers) })
	}
	do(n*(workers-1)/workers, n)
	others.Wait()
}
