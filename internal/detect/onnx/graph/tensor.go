package graph

import (
	"errors"
	"fmt"
)

// A dtype is a number format, as TensorProto.DataType numbers them.
type dtype int

const (
	dtFloat    dtype = 1
	dtUint8    dtype = 2
	dtInt8     dtype = 3
	dtUint16   dtype = 4
	dtInt16    dtype = 5
	dtInt32    dtype = 6
	dtInt64    dtype = 7
	dtBool     dtype = 9
	dtFloat16  dtype = 10
	dtDouble   dtype = 11
	dtUint32   dtype = 12
	dtUint64   dtype = 13
	dtBfloat16 dtype = 16
)

// size returns the bytes that a number takes in a file, 0 for what is not read
// here (strings, complex and 4-bit and 8-bit floats).
func (d dtype) size() int {
	switch d {
	case dtUint8, dtInt8, dtBool:
		return 1
	case dtUint16, dtInt16, dtFloat16, dtBfloat16:
		return 2
	case dtFloat, dtInt32, dtUint32:
		return 4
	case dtDouble, dtInt64, dtUint64:
		return 8
	}
	return 0
}

// float reports whether numbers of this type are computed as float32. All
// others are integers, booleans 0 or 1.
func (d dtype) float() bool {
	return d == dtFloat || d == dtFloat16 || d == dtDouble || d == dtBfloat16
}

// Bounds of a tensor: no model of the kind that is run here comes near.
const (
	maxRank     = 8
	maxElements = 1 << 28 // numbers in one tensor, weights included
)

// A tensor is an array of numbers of one type. One of f, i and raw holds
// them: f for floats, i for everything else, raw for weights that lie in a
// file. An empty tensor has none.
//
// swapped marks a matrix in raw whose rows lie in the file as columns: a
// transposed weight that was not copied.
type tensor struct {
	kind    dtype // what the numbers are
	dims    []int
	f       []float32
	i       []int64
	raw     []byte
	stored  dtype // what raw holds
	swapped bool
	shared  *buffer // who else uses f or i; nil for constants
}

var errTooLarge = errors.New("a tensor is too large")

// count returns the number of elements of a shape.
func count(dims []int) (int, error) {
	if len(dims) > maxRank {
		return 0, fmt.Errorf("a tensor has %d dimensions, at most %d are read", len(dims), maxRank)
	}
	n := 1
	empty := false
	for _, d := range dims {
		if d < 0 || d > maxElements {
			return 0, fmt.Errorf("a dimension of %d", d)
		}
		if d == 0 {
			empty = true
			continue
		}
		if n > maxElements/d {
			return 0, errTooLarge
		}
		n *= d
	}
	if empty {
		return 0, nil
	}
	return n, nil
}

// length returns the number of elements. The shape was checked when the tensor
// was made.
func (t *tensor) length() int {
	n := 1
	for _, d := range t.dims {
		n *= d
	}
	return n
}

// axis returns the dimension that a, possibly negative, names among rank.
func axis(a int64, rank int) (int, error) {
	if a < 0 {
		a += int64(rank)
	}
	if a < 0 || a >= int64(rank) {
		return 0, fmt.Errorf("axis %d of %d dimensions", a, rank)
	}
	return int(a), nil
}

// product multiplies the dimensions of a part of a shape.
func product(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}

// strides returns how far apart neighbours of each dimension lie.
func strides(dims []int) []int {
	s := make([]int, len(dims))
	n := 1
	for i := len(dims) - 1; i >= 0; i-- {
		s[i] = n
		n *= dims[i]
	}
	return s
}
