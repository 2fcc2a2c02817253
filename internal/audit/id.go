package audit

import (
	"errors"
	"strings"
)

// An id is 10 digits for milliseconds that never go back, 8 for the row's number
// and 4 at random, to the base of 32: later rows of one log have greater ids,
// and rows of two logs different ones.
const (
	idDigits = "0123456789abcdefghjkmnpqrstvwxyz" // Crockford's: no i, l, o, u
	idTime   = 10
	idSeq    = 8
	idRandom = 4
	idLength = idTime + idSeq + idRandom
)

// newID makes the id of a row after the one that has the id before.
func newID(before string, at Stamp, seq uint64, random uint32) string {
	ms := uint64(max(at, 0))
	if was, err := idNumber(before, 0, idTime); err == nil {
		ms = max(ms, was)
	}
	return base32(ms, idTime) + base32(seq, idSeq) + base32(uint64(random), idRandom)
}

func base32(n uint64, digits int) string {
	out := make([]byte, digits)
	for i := digits - 1; i >= 0; i-- {
		out[i] = idDigits[n%32]
		n /= 32
	}
	return string(out)
}

// idNumber reads a part of an id.
func idNumber(id string, from, digits int) (uint64, error) {
	if len(id) < from+digits {
		return 0, errors.New("it is too short")
	}
	n := uint64(0)
	for _, c := range []byte(id[from : from+digits]) {
		d := strings.IndexByte(idDigits, c)
		if d < 0 {
			return 0, errors.New("it has letters that no id has")
		}
		n = n*32 + uint64(d)
	}
	return n, nil
}
