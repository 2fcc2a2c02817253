package audit

import (
	"context"
	"errors"
	"os"
)

// heading is what Head does, for messages.
const heading = "reading the log's head"

// Head returns the head of the log. Whoever keeps it elsewhere can later tell
// whether rows were changed, or are missing at the end (Verify). A log that is
// empty has none: ok is false.
func (l *Log) Head(ctx context.Context) (h Head, ok bool, err error) {
	root, err := l.directory(heading, false)
	if err != nil {
		return Head{}, false, err
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	lock, err := l.lock(ctx, root, heading, true)
	var f *Fault
	switch {
	case err == nil:
		defer lock.Close()
	case !errors.As(err, &f) || f.Trouble != ReadOnly: // where nothing can be written, nobody writes
		return Head{}, false, err
	}
	t, err := l.tail(root, heading)
	if err != nil {
		return Head{}, false, err
	}
	return Head{t.last.Seq, t.last.Hash}, t.last.Seq > 0, nil
}

// Check looks whether a row could be kept now, without keeping one: nil, or a
// [*Fault]. A log that is switched off or not there yet is well.
func (l *Log) Check(ctx context.Context) error {
	if l.managed.Off {
		return nil
	}
	if _, err := os.Lstat(l.dir); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	_, _, err := l.Head(ctx)
	return err
}
