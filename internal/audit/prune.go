package audit

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
)

// pruning is what Prune does, for messages.
const pruning = "removing old rows"

// A PruneReport says what Prune removed, or would remove.
type PruneReport struct {
	Rows        uint64
	Segments    int
	Bytes       int64
	First, Last uint64 // the rows' numbers
	From, To    Stamp  // the time of the first, and the latest of any
	Damaged     int    // places where they were not what was written
	// Checkpoint is the row that vouches for them; it is zero of a dry run.
	Checkpoint Receipt
}

// Prune removes the oldest segments of which every row is older than a time. A row
// that vouches for them is on the disk before the first of them goes, so the rest
// can still be verified. Whole segments go, never the last one: a few rows that are
// older stay. The checkpoint counts what was damaged. A dry run only says what would go.
func (l *Log) Prune(ctx context.Context, before time.Time, dry bool) (PruneReport, error) {
	var out PruneReport
	root, err := l.directory(pruning, false)
	if err != nil {
		return out, err
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	lock, err := l.lock(ctx, root, pruning, false)
	if err != nil {
		return out, err
	}
	defer lock.Close()
	t, err := l.tail(root, pruning)
	if err != nil {
		return out, err
	}
	old, sum, err := l.oldest(ctx, root, StampOf(before), &out)
	if err != nil || len(old) == 0 || dry {
		return out, err
	}
	done, err := l.appendAt(root, &t, []Row{{Kind: Pruned, V: version, Pruned: &Pruning{Damaged: out.Damaged, From: out.From, Last: out.Last, Rows: out.Rows, Sum: sum, To: out.To}}})
	if err != nil {
		return out, err
	}
	out.Checkpoint = done[0]
	for _, first := range old { // the oldest first: what a crash leaves is the end of the log
		if err := root.Remove(segmentName(first)); err != nil {
			return out, wrap(pruning, filepath.Join(l.dir, segmentName(first)), err)
		}
	}
	if err := ownfile.SyncDir(root); err != nil {
		return out, wrap(pruning, l.dir, err)
	}
	return out, nil
}

// oldest lists the segments that may go, and the hash of their last row.
func (l *Log) oldest(ctx context.Context, root *os.Root, before Stamp, out *PruneReport) (old []uint64, sum string, err error) {
	all, err := segments(root)
	if err != nil {
		return nil, "", wrap(pruning, l.dir, err)
	}
	v := verifier{log: l}
	var empty []uint64 // segments of which no row is left, until it is known how old they are
	for _, first := range all[:max(len(all)-1, 0)] {
		i, err := root.Lstat(segmentName(first))
		if err != nil {
			return nil, "", wrap(pruning, filepath.Join(l.dir, segmentName(first)), err)
		}
		latest, rows := minStamp, v.report.Rows
		v.each = func(s Stamp) { latest = max(latest, s) }
		v.parts = []part{{first, i.Size()}, {}} // it is not the last one
		if err := v.segment(ctx, root, v.parts[0]); err != nil {
			return nil, "", err
		}
		if v.report.Rows == rows {
			empty = append(empty, first)
			continue
		}
		if latest >= before {
			break
		}
		old, empty, sum = append(append(old, empty...), first), nil, v.report.Head.Hash
		*out = PruneReport{
			Rows: uint64(v.report.Rows), Segments: len(old), Bytes: v.report.Bytes, Damaged: len(v.report.Problems) + v.report.Unlisted,
			First: v.report.First, Last: v.report.Last, From: v.report.From, To: max(out.To, latest),
		}
	}
	return old, sum, nil
}
