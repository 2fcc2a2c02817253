package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// A Writer writes data. The zero Writer is ready.
type Writer struct {
	buf  []byte
	seen map[string]uint64 // number of each string
}

// Bytes returns what was written.
func (w *Writer) Bytes() []byte { return w.buf }

// Uint writes a number.
func (w *Writer) Uint(n uint64) { w.buf = binary.AppendUvarint(w.buf, n) }

// Count writes how many of something follow.
func (w *Writer) Count(n int) { w.Uint(uint64(n)) }

// Bool writes a truth.
func (w *Writer) Bool(b bool) {
	if b {
		w.Uint(1)
	} else {
		w.Uint(0)
	}
}

// String writes a string: the number of one that was written before, or 0, its
// length and its bytes.
func (w *Writer) String(s string) {
	if n, ok := w.seen[s]; ok {
		w.Uint(n)
		return
	}
	if w.seen == nil {
		w.seen = map[string]uint64{}
	}
	w.seen[s] = uint64(len(w.seen) + 1)
	w.Uint(0)
	w.Count(len(s))
	w.buf = append(w.buf, s...)
}

// Strings writes a list of strings.
func (w *Writer) Strings(list []string) {
	w.Count(len(list))
	for _, s := range list {
		w.String(s)
	}
}

// A Reader reads what a Writer wrote.
type Reader struct {
	data    string
	at      int
	strings []string
	known   map[string]bool
	err     error
}

// NewReader returns a reader of data, which may be changed afterwards.
func NewReader(data []byte) *Reader { return &Reader{data: string(data), known: map[string]bool{}} }

var (
	errShort    = errors.New("it ends too early")
	errLong     = errors.New("it goes on behind its end")
	errNumber   = errors.New("a number is written in an odd way")
	errString   = errors.New("it names a string that was not written before")
	errTwice    = errors.New("a string is written twice")
	errUnsorted = errors.New("names are not in order")
)

// Fail notes what is wrong with what was read, unless something was wrong before.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = fmt.Errorf("at byte %d: %w", r.at, err)
	}
}

// Err returns what was wrong first.
func (r *Reader) Err() error { return r.err }

// End returns what was wrong first; bytes that were not read are wrong too.
func (r *Reader) End() error {
	if r.at < len(r.data) {
		r.Fail(errLong)
	}
	return r.err
}

// Uint reads a number.
func (r *Reader) Uint() uint64 {
	var n uint64
	for i := 0; r.err == nil; i++ {
		if r.at == len(r.data) {
			r.Fail(errShort)
			break
		}
		b := r.data[r.at]
		r.at++
		if i == 9 && b > 1 || b == 0 && i > 0 { // more than 64 bits; a last byte that adds nothing
			r.Fail(errNumber)
			break
		}
		if n |= uint64(b&0x7f) << (7 * i); b < 0x80 {
			return n
		}
	}
	return 0
}

// Count reads how many of something follow. Each takes a byte at least, so there
// are never more than bytes are left.
func (r *Reader) Count() int {
	n := r.Uint()
	if n > uint64(len(r.data)-r.at) {
		r.Fail(errShort)
		return 0
	}
	return int(n)
}

// Bool reads a truth.
func (r *Reader) Bool() bool {
	n := r.Uint()
	if n > 1 {
		r.Fail(errNumber)
	}
	return n == 1
}

// String reads a string. It shares memory with what is read, and with its like.
func (r *Reader) String() string {
	n := r.Uint()
	switch {
	case r.err != nil:
		return ""
	case n > uint64(len(r.strings)):
		r.Fail(errString)
		return ""
	case n > 0:
		return r.strings[n-1]
	}
	size := r.Count()
	if r.err != nil {
		return ""
	}
	s := r.data[r.at : r.at+size]
	r.at += size
	if r.known[s] {
		r.Fail(errTwice)
		return ""
	}
	r.known[s] = true
	r.strings = append(r.strings, s)
	return s
}

// Strings reads a list of strings.
func (r *Reader) Strings() []string {
	var list []string
	for range r.Count() {
		list = append(list, r.String())
		if r.err != nil {
			return nil
		}
	}
	return list
}

// Names reads so many things that have a name, each with read, which gets the
// names in their order. A name out of order, or one that comes twice, is wrong.
func (r *Reader) Names(read func(name string)) {
	last := ""
	for i := range r.Count() {
		name := r.String()
		if i > 0 && name <= last {
			r.Fail(errUnsorted)
		}
		if r.err != nil {
			return
		}
		read(name)
		last = name
	}
}

// Word reads one word of a list and returns its place there.
func (r *Reader) Word(list []string) int {
	word := r.String()
	i := slices.Index(list, word)
	if i < 0 {
		r.Fail(fmt.Errorf("%.40q is not one of %q", word, list))
	}
	return max(i, 0)
}

// Words reads some words of a list, in the order of the list.
func (r *Reader) Words(list []string) []string {
	words := r.Strings()
	last := -1
	for _, word := range words {
		i := slices.Index(list, word)
		if i <= last {
			r.Fail(fmt.Errorf("%.40q is not one of %q, in their order", word, list))
			return nil
		}
		last = i
	}
	return words
}
