package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// mending is what Mend does, for messages.
const mending = "mending the log"

// ErrNotDamaged says that there is nothing to mend.
var ErrNotDamaged = errors.New("mending the log: rows can be written as it is, so there is nothing to mend (heed log verify reads all of it)")

// Mend lets a log that is damaged or cut off go on. It changes and removes nothing:
// a new segment begins with a row that says what is wrong, which Verify tells of as
// long as that row is kept. Nobody but a person who has seen the damage may call it.
func (l *Log) Mend(ctx context.Context) (Receipt, error) {
	root, err := l.directory(mending, false)
	if err != nil {
		return Receipt{}, err
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	lock, err := l.lock(ctx, root, mending, false)
	if err != nil {
		return Receipt{}, err
	}
	defer lock.Close()
	var fault *Fault
	switch _, err := l.tail(root, mending); {
	case err == nil:
		return Receipt{}, ErrNotDamaged
	case !errors.As(err, &fault) || fault.Trouble != Damaged && fault.Trouble != Truncated:
		return Receipt{}, err
	}
	last, lost, err := l.lastGood(ctx, root)
	if err != nil {
		return Receipt{}, err
	}
	m := &Mending{Good: last.Seq, Lost: lost, Problem: fault.What, Segment: filepath.Base(fault.Where), Sum: l.sumOf(root, filepath.Base(fault.Where))}
	row := Row{Kind: Mended, V: version, Mended: m, Chain: last.Chain}
	// The row's number is behind all that were ever given.
	t := tail{last: Row{Seq: lost, Hash: last.Hash, ID: last.ID, Chain: last.Chain}}
	if last.Seq == 0 {
		t.last.Hash, t.last.Chain = none(), fmt.Sprintf("%016x", l.random())
	}
	done, err := l.put(root, &t, []Row{row})
	if err != nil {
		return Receipt{}, err
	}
	return done[0], nil
}

// lastGood is the last row that can be read, and the greatest number that a row
// may have been given.
func (l *Log) lastGood(ctx context.Context, root *os.Root) (last Row, lost uint64, err error) {
	all, err := segments(root)
	if err != nil {
		return last, 0, wrap(mending, l.dir, err)
	}
	lost = 1 // so that the new segment is not the first one
	head, ok, err := l.readHead(root, mending)
	if err != nil {
		return last, 0, err
	}
	if ok {
		lost = max(lost, head.Seq)
	}
	for _, first := range all {
		r := rowReader{log: l, root: root}
		x := r.segment(ctx, first, 0)
		if x.err != nil {
			return last, 0, x.err
		}
		lost = max(lost, first, first+uint64(len(x.rows)))
		for _, row := range x.rows {
			if row.err == nil {
				last, lost = row.row, max(lost, row.row.Seq)
			}
		}
	}
	return last, lost, nil
}

// sumOf is the SHA-256 of a file, or what kept it from being read.
func (l *Log) sumOf(root *os.Root, name string) string {
	f, _, err := l.openOwn(root, mending, name, os.O_RDONLY)
	if err != nil {
		return "not read"
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "not read"
	}
	return hex.EncodeToString(h.Sum(nil))
}
