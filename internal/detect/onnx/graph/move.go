package graph

import (
	"errors"
	"fmt"
	"slices"
)

func opTranspose(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	perm, err := permutation(c.attr("perm"), len(t.dims))
	if err != nil {
		return err
	}
	own := strides(t.dims)
	dims, str := make([]int, len(perm)), make([]int, len(perm))
	for i, p := range perm {
		dims[i], str[i] = t.dims[p], own[p]
	}
	return c.give(c.strided(t, dims, str, 0))
}

// permutation returns the order of the axes, reversed if a is nil.
func permutation(a *attr, rank int) ([]int, error) {
	perm := make([]int, rank)
	if a == nil {
		for i := range perm {
			perm[i] = rank - 1 - i
		}
		return perm, nil
	}
	if len(a.ints) != rank {
		return nil, fmt.Errorf("an order of %d axes for %d dimensions", len(a.ints), rank)
	}
	seen, err := axes(a.ints, rank)
	if err != nil || len(seen) != rank {
		return nil, fmt.Errorf("%v is no order of axes", a.ints)
	}
	for i, p := range a.ints {
		perm[i], _ = axis(p, rank) // was checked
	}
	return perm, nil
}

func opExpand(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	want, err := c.shapeInput(1)
	if err != nil {
		return err
	}
	dims, err := broadcast(t.dims, want)
	if err != nil {
		return err
	}
	return c.give(c.strided(t, dims, spread(t.dims, dims), 0))
}

// opTile repeats: a tensor of twice the rank, with a stride of zero before
// each axis, has the same elements.
func opTile(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	repeats, err := c.shapeInput(1)
	if err != nil {
		return err
	}
	if len(repeats) != len(t.dims) || 2*len(t.dims) > maxRank {
		return fmt.Errorf("%d repetitions of %d dimensions", len(repeats), len(t.dims))
	}
	own := strides(t.dims)
	var dims, str, final []int
	for i, d := range t.dims {
		if d > 0 && repeats[i] > maxElements/d {
			return errTooLarge
		}
		dims, str = append(dims, repeats[i], d), append(str, 0, own[i])
		final = append(final, repeats[i]*d)
	}
	out, err := c.strided(t, dims, str, 0)
	if err != nil {
		return err
	}
	out.dims = final
	return c.give(out, nil)
}

func opSlice(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	var lists [4][]int64
	for k, name := range []string{"starts", "ends", "axes", "steps"} {
		if lists[k], err = c.list(name, k+1); err != nil {
			return err
		}
	}
	starts, ends, list, steps := lists[0], lists[1], lists[2], lists[3]
	if len(starts) > maxRank || len(starts) != len(ends) || (steps != nil && len(steps) != len(starts)) {
		return errors.New("starts, ends and steps of different lengths")
	}
	if list == nil {
		for i := range starts {
			list = append(list, int64(i))
		}
	}
	if len(list) != len(starts) {
		return errors.New("starts and axes of different lengths")
	}
	dims, str := slices.Clone(t.dims), strides(t.dims)
	first := 0
	for i, a := range list {
		k, err := axis(a, len(dims))
		if err != nil {
			return err
		}
		if slices.ContainsFunc(list[:i], func(b int64) bool { return b == a }) {
			return fmt.Errorf("axis %d twice", a)
		}
		step := int64(1)
		if steps != nil {
			step = steps[i]
		}
		from, n, err := slice(starts[i], ends[i], step, int64(dims[k]))
		if err != nil {
			return err
		}
		first += from * str[k]
		dims[k], str[k] = n, str[k]*int(step)
	}
	return c.give(c.strided(t, dims, str, first))
}

// slice returns the first index and the number of elements of a slice of n.
func slice(start, end, step, n int64) (int, int, error) {
	if step == 0 || step > maxElements || step < -maxElements {
		return 0, 0, fmt.Errorf("a step of %d", step)
	}
	within := func(v, low, high int64) int64 {
		if v < 0 {
			v += n
		}
		return min(max(v, low), high)
	}
	if step > 0 {
		start, end = within(start, 0, n), within(end, 0, n)
		return int(start), int(max(0, (end-start+step-1)/step)), nil
	}
	start = within(start, 0, n-1)
	end = within(end, -1, n-1)
	if n == 0 {
		return 0, 0, nil
	}
	return int(start), int(max(0, (start-end-step-1)/-step)), nil
}

func opSplit(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	k, err := axis(c.attrInt("axis", 0), len(t.dims))
	if err != nil {
		return err
	}
	sizes, err := c.list("split", 1)
	if err != nil {
		return err
	}
	parts := len(c.out)
	if sizes == nil {
		each := (t.dims[k] + parts - 1) / parts
		for rest := t.dims[k]; len(sizes) < parts; rest -= each {
			sizes = append(sizes, int64(max(0, min(each, rest))))
		}
	}
	if len(sizes) != parts {
		return fmt.Errorf("%d sizes for %d parts", len(sizes), parts)
	}
	str := strides(t.dims)
	from := 0
	for i, size := range sizes {
		if size < 0 || size > int64(t.dims[k]-from) {
			return fmt.Errorf("parts beyond %d elements", t.dims[k])
		}
		dims := slices.Clone(t.dims)
		dims[k] = int(size)
		if c.out[i], err = c.strided(t, dims, str, from*str[k]); err != nil {
			return err
		}
		from += int(size)
	}
	return nil
}

func opConcat(c *call) error {
	first, err := c.input(0)
	if err != nil {
		return err
	}
	k, err := axis(c.attrInt("axis", 0), len(first.dims))
	if err != nil {
		return err
	}
	dims := slices.Clone(first.dims)
	dims[k] = 0
	for i := range c.in {
		t, err := c.input(i)
		if err != nil {
			return err
		}
		if len(t.dims) != len(dims) || t.kind.float() != first.kind.float() {
			return errors.New("tensors of different form")
		}
		for a, d := range t.dims {
			if a != k && d != dims[a] {
				return fmt.Errorf("shapes %v and %v do not go together", first.dims, t.dims)
			}
		}
		dims[k] += t.dims[k]
	}
	out, err := c.like(first, dims)
	if err != nil || out.length() == 0 {
		return c.give(out, err)
	}
	outer, inner := product(dims[:k]), product(dims[k+1:])
	if err := c.spend(int64(outer) * int64(len(c.in))); err != nil {
		return err
	}
	at := 0
	for i, t := range c.in {
		n := t.dims[k] * inner
		if first.kind.float() {
			_, x, err := c.float(i)
			if err != nil {
				return err
			}
			for o := range outer {
				copy(out.f[o*dims[k]*inner+at:][:n], x[o*n:])
			}
		} else {
			x, err := c.ints(i)
			if err != nil {
				return err
			}
			for o := range outer {
				copy(out.i[o*dims[k]*inner+at:][:n], x[o*n:])
			}
		}
		at += n
	}
	return c.give(out, nil)
}

// opGather takes rows: the step that looks up embeddings. Rows of weights are
// read from the file, the others not.
func opGather(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	index, err := c.ints(1)
	if err != nil {
		return err
	}
	k, err := axis(c.attrInt("axis", 0), len(t.dims))
	if err != nil {
		return err
	}
	dims := slices.Concat(t.dims[:k], c.in[1].dims, t.dims[k+1:])
	out, err := c.like(t, dims)
	if err != nil || out.length() == 0 {
		return c.give(out, err)
	}
	outer, n, inner := product(t.dims[:k]), int64(t.dims[k]), product(t.dims[k+1:])
	at := 0
	for o := range outer {
		for _, row := range index {
			if row < 0 {
				row += n
			}
			if row < 0 || row >= n {
				return fmt.Errorf("index %d of %d", row, n)
			}
			from := (o*int(n) + int(row)) * inner
			t.copyTo(out, at, from, inner)
			at += inner
		}
	}
	return c.give(out, nil)
}

// copyTo copies n elements of t to out.
func (t *tensor) copyTo(out *tensor, at, from, n int) {
	switch {
	case n == 0:
	case t.raw == nil && t.kind.float():
		copy(out.f[at:at+n], t.f[from:])
	case t.raw == nil:
		copy(out.i[at:at+n], t.i[from:])
	case t.kind.float():
		rawFloats(out.f[at:at+n], t.raw[from*t.stored.size():], t.stored)
	default:
		for j := range n {
			out.i[at+j] = rawInt(t.raw, from+j, t.stored)
		}
	}
}

// opGatherElements takes single elements along an axis.
func opGatherElements(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	index, err := c.ints(1)
	if err != nil {
		return err
	}
	k, err := axis(c.attrInt("axis", 0), len(t.dims))
	if err != nil {
		return err
	}
	dims := c.in[1].dims
	if len(dims) != len(t.dims) {
		return errors.New("an index of another rank")
	}
	for a, d := range dims {
		if a != k && d > t.dims[a] {
			return errors.New("an index larger than the tensor")
		}
	}
	out, err := c.like(t, dims)
	if err != nil {
		return err
	}
	str := strides(t.dims)
	own := slices.Clone(str)
	own[k] = 0
	w := newWalk(dims, own)
	var fault error
	w.each(func(at int, p []int) {
		for i := range w.length() {
			row := index[at+i]
			if row < 0 {
				row += int64(t.dims[k])
			}
			if row < 0 || row >= int64(t.dims[k]) {
				fault = fmt.Errorf("index %d of %d", row, t.dims[k])
				return
			}
			t.copyTo(out, at+i, p[0]+i*w.step(0)+int(row)*str[k], 1)
		}
	})
	return c.give(out, fault)
}

// opTrilu keeps the lower or upper triangle of matrices.
func opTrilu(c *call) error {
	t, err := c.input(0)
	if err != nil {
		return err
	}
	if len(t.dims) < 2 {
		return errors.New("a tensor that holds no matrix")
	}
	shift := int64(0)
	if c.has(1) {
		list, err := c.ints(1)
		if err != nil {
			return err
		}
		if len(list) != 1 || list[0] > maxElements || list[0] < -maxElements {
			return errors.New("the diagonal is no single number of ordinary size")
		}
		shift = list[0]
	}
	upper := c.attrInt("upper", 1) != 0
	out, err := c.strided(t, t.dims, strides(t.dims), 0)
	if err != nil {
		return err
	}
	rows, cols := t.dims[len(t.dims)-2], t.dims[len(t.dims)-1]
	for at := range t.length() {
		r, col := at/cols%rows, at%cols
		if beyond := int64(col) - int64(r) - shift; (upper && beyond < 0) || (!upper && beyond > 0) {
			if out.kind.float() {
				out.f[at] = 0
			} else {
				out.i[at] = 0
			}
		}
	}
	return c.give(out, nil)
}
