package audit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
)

// A chain holds line after line against the one before.
type chain struct {
	last  line // the last right row; its text is not kept
	rows  uint64
	torn  int       // bytes since the last right row that belong to none
	sum   hash.Hash // of them
	ended bool      // whether they end with a newline
	// unended says that the last of them is a row but for its newline.
	unended bool
	why     error // why the first of them is no row
	whyAt   int64 // where it stands
	broken  bool  // the next row need not follow
}

// A step is what a chain made of one line.
type step struct {
	line line
	row  *Row // decoded, of rows that the log writes about itself
	// problem says why the line does not follow, though it is a row.
	problem string
	// torn says that the bytes before the row were left by a killed writer.
	torn bool
}

// ownKinds tell the rows that the log writes about itself, and those behind torn
// bytes, from others without decoding them.
var ownKinds = [][]byte{[]byte(`"kind":"begun"`), []byte(`"kind":"pruned"`), []byte(`"kind":"mended"`), []byte(`"torn":{`)}

// add reads one line with its newline, which may be missing at the end of a file.
// ok is false for what is no row: it may be torn, which the next row says.
func (c *chain) add(text []byte, at int64) (s step, ok bool) {
	body, ended := bytes.CutSuffix(text, []byte("\n"))
	l, err := parseLine(body)
	if err == nil && !ended {
		err = fmt.Errorf("row %d does not end with a newline", l.seq)
	}
	if err != nil {
		c.tear(text, err, at)
		c.unended = !ended && l.seq > 0
		return step{}, false
	}
	s.line = l
	for _, k := range ownKinds {
		if bytes.Contains(body, k) {
			r, err := l.row()
			if err != nil {
				c.tear(text, err, at)
				return step{}, false
			}
			s.row = &r
			break
		}
	}
	switch {
	case c.torn > 0 && s.row != nil && s.row.Torn != nil && s.row.Torn.Bytes == c.torn && s.row.Torn.Sum == hex.EncodeToString(c.sum.Sum(nil)):
		s.torn = true
	case c.torn > 0:
		s.problem = c.why.Error()
	}
	mended := s.row != nil && s.row.Kind == Mended // it says itself what it does not follow
	if s.problem == "" && !c.broken && c.rows > 0 && !mended {
		switch {
		case l.seq != c.last.seq+1:
			s.problem = fmt.Sprintf("row %d stands behind row %d", l.seq, c.last.seq)
		case l.prev != c.last.hash:
			s.problem = fmt.Sprintf("row %d does not follow the row %d that stands before it", l.seq, c.last.seq)
		}
	}
	c.last, c.torn, c.sum, c.why, c.broken = line{seq: l.seq, hash: l.hash, prev: l.prev}, 0, nil, nil, false
	c.rows++
	return s, true
}

// tear counts bytes that are no row.
func (c *chain) tear(text []byte, why error, at int64) {
	if c.torn == 0 {
		c.sum, c.why, c.whyAt = sha256.New(), why, at
	}
	c.torn += len(text)
	c.ended = bytes.HasSuffix(text, []byte("\n"))
	c.sum.Write(text)
}
