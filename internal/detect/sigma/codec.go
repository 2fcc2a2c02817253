package sigma

import (
	"encoding/binary"
	"errors"
	"math"
)

// errDamaged is what every reader of a cache reports: where it went wrong says
// nothing to the person who sees it, and the way on is always to compile again.
var errDamaged = errors.New("damaged")

// writer appends values in the form of the cache: unsigned varints, and strings
// and lists behind their length.
type writer struct {
	b []byte
}

func (w *writer) int(n int) { w.b = binary.AppendUvarint(w.b, uint64(n)) }

func (w *writer) string(s string) {
	w.int(len(s))
	w.b = append(w.b, s...)
}

func (w *writer) strings(list []string) {
	w.int(len(list))
	for _, s := range list {
		w.string(s)
	}
}

func (w *writer) bool(b bool) {
	if b {
		w.b = append(w.b, 1)
	} else {
		w.b = append(w.b, 0)
	}
}

func (w *writer) float(f float64) {
	w.b = binary.LittleEndian.AppendUint64(w.b, math.Float64bits(f))
}

// signed writes a small number that may be -1.
func (w *writer) signed(n int32) { w.int(int(n + 1)) }

func (w *writer) int32s(list []int32) {
	w.int(len(list))
	for _, n := range list {
		w.int(int(n))
	}
}

// reader reads what writer wrote. It never reads past the end: after a fault it
// returns zeros and err is set. Strings share the memory of s.
type reader struct {
	s    string
	err  error
	left int // of the nodes that may still be made
}

func (r *reader) fail() { r.s, r.err = "", errDamaged }

// int reads a number of at most 31 bits.
func (r *reader) int() int {
	n := uint64(0)
	for i := 0; i < len(r.s) && i < 5; i++ {
		c := r.s[i]
		n |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			if n > math.MaxInt32 {
				break
			}
			r.s = r.s[i+1:]
			return int(n)
		}
	}
	r.fail()
	return 0
}

// below reads a number below a limit.
func (r *reader) below(limit int) int {
	n := r.int()
	if n >= limit {
		r.fail()
		return 0
	}
	return n
}

// count reads the length of a list whose elements take at least a byte each, so
// that no more memory is asked for than the input can fill.
func (r *reader) count() int {
	n := r.int()
	if n > len(r.s) {
		r.fail()
		return 0
	}
	return n
}

func (r *reader) string() string {
	n := r.int()
	if n > len(r.s) {
		r.fail()
		return ""
	}
	s := r.s[:n]
	r.s = r.s[n:]
	return s
}

func (r *reader) strings() []string {
	n := r.count()
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = r.string()
	}
	return out
}

func (r *reader) byte() byte {
	if r.s == "" {
		r.fail()
		return 0
	}
	c := r.s[0]
	r.s = r.s[1:]
	return c
}

func (r *reader) bool() bool { return r.byte() != 0 }

func (r *reader) uint64() uint64 {
	if len(r.s) < 8 {
		r.fail()
		return 0
	}
	n := uint64(0)
	for i := range 8 {
		n |= uint64(r.s[i]) << (8 * i)
	}
	r.s = r.s[8:]
	return n
}

func (r *reader) float() float64 { return math.Float64frombits(r.uint64()) }

// signed reads a number from -1 to below a limit.
func (r *reader) signed(limit int) int32 { return int32(r.below(limit+1)) - 1 }

// int32s reads a list of numbers below a limit.
func (r *reader) int32s(limit int) []int32 {
	n := r.count()
	if n == 0 {
		return nil
	}
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(r.below(limit))
	}
	return out
}
