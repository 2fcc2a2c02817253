package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// maxLine is the longest line of a segment, in bytes. A row is never longer.
const maxLine = 256 << 10

// A line is a row as it stands in a segment. What chains it is found without
// decoding the rest.
type line struct {
	text       []byte // without the newline
	seq        uint64
	prev, hash string
	stamp      []byte // its time, as text
}

// These begin members of a row. Inside a string a quote is escaped, so they stand
// nowhere else in front of the member whole, which comes last.
var (
	hashKey  = []byte(`"hash":"`)
	idKey    = []byte(`","id":"`)
	prevKey  = []byte(`"prev":"`)
	seqKey   = []byte(`"seq":`)
	timeKey  = []byte(`"time":"`)
	beginRow = []byte(`{"`)
)

// errNoRow is given for a line that is none of a log.
var errNoRow = errors.New("it is no row of a log")

// parseLine reads a line and holds it against its own hash.
func parseLine(text []byte) (line, error) {
	l := line{text: text}
	if len(text) > maxLine || !bytes.HasPrefix(text, beginRow) || text[len(text)-1] != '}' {
		return l, errNoRow
	}
	at := bytes.Index(text, hashKey)
	if at < 0 || len(text) < at+len(hashKey)+64+len(idKey) {
		return l, errNoRow
	}
	rest := text[at+len(hashKey):]
	if !bytes.HasPrefix(rest[64:], idKey) {
		return l, errNoRow
	}
	l.hash = string(rest[:64])
	if sum(text[:at], rest[64+len(`",`):]) != l.hash {
		return l, errors.New("it is not what its hash says")
	}
	// From here on the line is as it was written.
	prev := after(rest, prevKey)
	seq := after(prev, seqKey)
	l.stamp = after(seq, timeKey)
	digits := bytes.IndexFunc(seq, func(r rune) bool { return r < '0' || r > '9' })
	if len(prev) < 64 || digits <= 0 || len(l.stamp) < len(stampForm) {
		return l, errNoRow
	}
	l.prev, l.stamp = string(prev[:64]), l.stamp[:len(stampForm)]
	n, err := strconv.ParseUint(string(seq[:digits]), 10, 64)
	if err != nil {
		return l, fmt.Errorf("%w: %w", errNoRow, err)
	}
	l.seq = n
	return l, nil
}

// after returns what stands behind a text, or nothing.
func after(text, what []byte) []byte {
	at := bytes.Index(text, what)
	if at < 0 {
		return nil
	}
	return text[at+len(what):]
}

// row decodes a line.
func (l *line) row() (Row, error) {
	var r Row
	if err := json.Unmarshal(l.text, &r); err != nil {
		return r, fmt.Errorf("row %d: %w", l.seq, err)
	}
	return r, nil
}

// seal writes a row as a line with its newline, and puts its hash into it.
func seal(r *Row) ([]byte, error) {
	r.Hash = ""
	body, err := Canonical(r)
	if err != nil {
		return nil, err
	}
	at := bytes.Index(body, idKey[len(`",`):])
	if at < 0 {
		return nil, errors.New("the row has no id")
	}
	r.Hash = sum(body)
	out := make([]byte, 0, len(body)+80)
	out = append(out, body[:at]...)
	out = append(out, hashKey...)
	out = append(out, r.Hash...)
	out = append(out, `",`...)
	out = append(out, body[at:]...)
	return append(out, '\n'), nil
}
