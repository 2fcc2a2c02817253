package graph

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Wire types of protocol buffers. Source: protobuf.dev, "Encoding".
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// errTruncated is what a message that ends too early is answered with.
var errTruncated = errors.New("the message ends too early")

// A field is one field of a message. bits holds a number, data anything with
// a length: a string, a message, or packed numbers.
type field struct {
	number int
	wire   int
	bits   uint64
	data   []byte
}

// A reader takes a message apart, field by field. It never copies: the data
// of a field are part of the message.
type reader struct {
	rest []byte
	err  error
}

// next reads one field and reports whether there was one. After it said no,
// err says whether the message was well formed.
func (r *reader) next(f *field) bool {
	if r.err != nil || len(r.rest) == 0 {
		return false
	}
	key, ok := r.varint()
	if !ok {
		return false
	}
	*f = field{number: int(key >> 3 & math.MaxInt32), wire: int(key & 7)}
	switch f.wire {
	case wireVarint:
		f.bits, ok = r.varint()
	case wireFixed64:
		ok = r.take(8, f)
		if ok {
			f.bits = binary.LittleEndian.Uint64(f.data)
		}
	case wireFixed32:
		ok = r.take(4, f)
		if ok {
			f.bits = uint64(binary.LittleEndian.Uint32(f.data))
		}
	case wireBytes:
		var n uint64
		n, ok = r.varint()
		ok = ok && r.take(n, f)
	default: // groups are not used by ONNX
		r.err = fmt.Errorf("field %d has the unknown wire type %d", f.number, f.wire)
		ok = false
	}
	return ok
}

func (r *reader) varint() (uint64, bool) {
	v, n := binary.Uvarint(r.rest)
	if n <= 0 {
		r.err = errTruncated
		return 0, false
	}
	r.rest = r.rest[n:]
	return v, true
}

func (r *reader) take(n uint64, f *field) bool {
	if n > uint64(len(r.rest)) {
		r.err = errTruncated
		return false
	}
	f.data, r.rest = r.rest[:n:n], r.rest[n:]
	return true
}

// each calls do for every field of a message, until one fails.
func each(message []byte, do func(f *field) error) error {
	r := reader{rest: message}
	var f field
	for r.next(&f) {
		if err := do(&f); err != nil {
			return err
		}
	}
	return r.err
}

// ints appends the numbers of a repeated integer field, packed or not.
func ints(to []int64, f *field, limit int) ([]int64, error) {
	if f.wire != wireBytes {
		if len(to) >= limit {
			return nil, fmt.Errorf("more than %d numbers in field %d", limit, f.number)
		}
		return append(to, int64(f.bits)), nil
	}
	r := reader{rest: f.data}
	for len(r.rest) > 0 {
		v, ok := r.varint()
		if !ok {
			return nil, r.err
		}
		if len(to) >= limit {
			return nil, fmt.Errorf("more than %d numbers in field %d", limit, f.number)
		}
		to = append(to, int64(v))
	}
	return to, nil
}

// floats appends the numbers of a repeated float field, packed or not.
func floats(to []float32, f *field) ([]float32, error) {
	if f.wire == wireFixed32 {
		return append(to, math.Float32frombits(uint32(f.bits))), nil
	}
	if f.wire != wireBytes || len(f.data)%4 != 0 {
		return nil, fmt.Errorf("field %d holds no float numbers", f.number)
	}
	for i := 0; i < len(f.data); i += 4 {
		to = append(to, math.Float32frombits(binary.LittleEndian.Uint32(f.data[i:])))
	}
	return to, nil
}
