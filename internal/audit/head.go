package audit

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/once"
)

// A Head names the last row of a log at some time, and by it all rows before. A
// log that was whole then and is whole now has that row.
type Head struct {
	Seq  uint64
	Hash string
}

// String writes a head: NUMBER:HASH.
func (h Head) String() string { return strconv.FormatUint(h.Seq, 10) + ":" + h.Hash }

// ParseHead reads what String wrote.
func ParseHead(text string) (Head, error) {
	seq, hash, ok := strings.Cut(strings.TrimSpace(text), ":")
	n, err := strconv.ParseUint(seq, 10, 64)
	if !ok || err != nil || n == 0 || !isHash(hash) {
		return Head{}, fmt.Errorf("%.80q is no head: want NUMBER:HASH as heed log head prints it, or @FILE with such lines", text)
	}
	return Head{n, hash}, nil
}

var headPattern = once.Value[*regexp.Regexp]{Make: func() *regexp.Regexp { return regexp.MustCompile(`\b([1-9][0-9]{0,18}):([0-9a-f]{64})\b`) }}

// FindHeads returns every head that stands in a text, written as heads or as rows:
// an export, a journal, a note.
func FindHeads(text []byte) []Head {
	var all []Head
	for row := range bytes.Lines(text) {
		if l, err := parseLine(bytes.TrimSpace(row)); err == nil {
			all = append(all, Head{l.seq, l.hash})
		}
	}
	for _, m := range headPattern.Get().FindAllSubmatch(text, -1) {
		if h, err := ParseHead(string(m[0])); err == nil {
			all = append(all, h)
		}
	}
	return all
}

// isHash reports whether a text is a SHA-256 as rows have it.
func isHash(text string) bool {
	if len(text) != 64 {
		return false
	}
	for _, c := range []byte(text) {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// The file head says where the log ended when a row was last written, so that a
// log that became shorter is seen by the next writer. It is one line of a fixed
// length and is written after its row is on the disk: it can be too old, never
// too new.
type headFile struct {
	Head
	segment    uint64 // the segment's name
	start, end int64  // where the row stands
}

const (
	headForm = "heed-log-head/1"
	headSize = 192
)

func (h *headFile) String() string {
	text := fmt.Sprintf("%s %s %d %d %d", headForm, h.Head, h.segment, h.start, h.end)
	return text + strings.Repeat(" ", headSize-1-len(text)) + "\n"
}

// parseHeadFile reads a head file. Only what String writes is accepted.
func parseHeadFile(text []byte) (headFile, bool) {
	var h headFile
	f := strings.Fields(string(text))
	if len(text) != headSize || len(f) != 5 || f[0] != headForm {
		return h, false
	}
	var err error
	if h.Head, err = ParseHead(f[1]); err != nil {
		return h, false
	}
	if _, err := fmt.Sscan(strings.Join(f[2:], " "), &h.segment, &h.start, &h.end); err != nil {
		return h, false
	}
	return h, h.String() == string(text)
}

// none is the hash before the first row.
func none() string { return strings.Repeat("0", hex.EncodedLen(32)) }
