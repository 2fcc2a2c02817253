package graph

import "fmt"

// broadcast returns the shape that two shapes have together. Source: ONNX,
// docs/Broadcasting.md.
func broadcast(a, b []int) ([]int, error) {
	out := make([]int, max(len(a), len(b)))
	for i := range out {
		x, y := dimFromEnd(a, len(out)-i), dimFromEnd(b, len(out)-i)
		switch {
		case x == y || y == 1:
			out[i] = x
		case x == 1:
			out[i] = y
		default:
			return nil, fmt.Errorf("shapes %v and %v do not go together", a, b)
		}
	}
	return out, nil
}

func dimFromEnd(dims []int, k int) int {
	if k > len(dims) {
		return 1
	}
	return dims[len(dims)-k]
}

// spread returns the strides with which dims is read as the shape to: zero
// where it is repeated.
func spread(dims, to []int) []int {
	own := strides(dims)
	out := make([]int, len(to))
	for i := range dims {
		if dims[i] != 1 {
			out[len(to)-len(dims)+i] = own[i]
		}
	}
	return out
}

// A walk goes through a shape row by row, with several tensors read along at
// strides of their own. Neighbouring dimensions are joined where all strides
// allow it, so that rows are as long as possible.
type walk struct {
	dims    []int
	strides [][]int
}

func newWalk(dims []int, all ...[]int) walk {
	w := walk{dims: []int{1}, strides: make([][]int, len(all))}
	for k := range all {
		w.strides[k] = []int{0}
	}
	for i, d := range dims {
		if d == 1 {
			continue
		}
		last := len(w.dims) - 1
		joins := true
		for k := range all {
			joins = joins && (w.strides[k][last] == all[k][i]*d || w.dims[last] == 1)
		}
		if joins {
			w.dims[last] *= d
		} else {
			w.dims = append(w.dims, d)
		}
		for k := range all {
			if joins {
				w.strides[k][last] = all[k][i]
			} else {
				w.strides[k] = append(w.strides[k], all[k][i])
			}
		}
	}
	return w
}

// each calls row with the place in the result and the place in every tensor,
// for each row, and returns the length and the strides within a row first.
func (w walk) each(row func(at int, places []int)) {
	last := len(w.dims) - 1
	length := w.dims[last]
	total := product(w.dims)
	if total == 0 {
		return
	}
	index := make([]int, last)
	places := make([]int, len(w.strides))
	for at := 0; at < total; at += length {
		row(at, places)
		for i := last - 1; i >= 0; i-- {
			index[i]++
			for k := range places {
				places[k] += w.strides[k][i]
			}
			if index[i] < w.dims[i] {
				break
			}
			for k := range places {
				places[k] -= w.strides[k][i] * w.dims[i]
			}
			index[i] = 0
		}
	}
}

// length is that of a row, step how far apart its elements lie in tensor k.
func (w walk) length() int    { return w.dims[len(w.dims)-1] }
func (w walk) step(k int) int { return w.strides[k][len(w.dims)-1] }

// rowOf returns n elements of src from a place on, step apart: a part of src
// itself, or a copy in scratch.
func rowOf[T any](src []T, at, step, n int, scratch []T) []T {
	if step == 1 {
		return src[at : at+n]
	}
	scratch = scratch[:n]
	for i := range scratch {
		scratch[i] = src[at+i*step]
	}
	return scratch
}

// pairs calls do for parts of rows of two tensors that are read as one shape,
// at most rowPart elements at a time.
func pairs[T any](dims []int, aDims, bDims []int, a, b []T, do func(at int, a, b []T)) {
	w := newWalk(dims, spread(aDims, dims), spread(bDims, dims))
	var scratch []T
	if part := min(rowPart, w.length()); w.step(0) != 1 || w.step(1) != 1 {
		scratch = make([]T, 2*part)
	}
	half := len(scratch) / 2
	w.each(func(at int, p []int) {
		for from := 0; from < w.length(); from += rowPart {
			n := min(rowPart, w.length()-from)
			x := rowOf(a, p[0]+from*w.step(0), w.step(0), n, scratch[:half])
			y := rowOf(b, p[1]+from*w.step(1), w.step(1), n, scratch[half:])
			do(at+from, x, y)
		}
	})
}

const rowPart = 1024

// strided copies from src what a walk with one tensor visits.
func strided[T any](dst, src []T, dims, str []int, start int) {
	w := newWalk(dims, str)
	n, step := w.length(), w.step(0)
	w.each(func(at int, p []int) {
		row := dst[at : at+n]
		from := start + p[0]
		if step == 1 {
			copy(row, src[from:from+n])
			return
		}
		for i := range row {
			row[i] = src[from+i*step]
		}
	})
}

// strided makes a tensor of the elements of t that lie at str from start on.
func (c *call) strided(t *tensor, dims, str []int, start int) (*tensor, error) {
	if t.raw != nil {
		if err := c.weigh(t); err != nil {
			return nil, err
		}
	}
	out, err := c.like(t, dims)
	if err != nil {
		return nil, err
	}
	if t.kind.float() {
		strided(out.f, t.numbers(), dims, str, start)
	} else {
		strided(out.i, t.integer(), dims, str, start)
	}
	return out, nil
}
