package audit

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"
)

// Follow gives the rows that Rows gives and then, as they are written, those that
// come after, until the context ends. every is how often it looks.
func (l *Log) Follow(ctx context.Context, f Filter, every time.Duration) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		r := rowReader{log: l, filter: f, sieve: f.sieve()}
		for {
			if !r.catchUp(ctx, yield) {
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(every):
			}
		}
	}
}

// catchUp gives what was written since it was called before, and reports whether
// more may follow.
func (r *rowReader) catchUp(ctx context.Context, yield func(Row, error) bool) bool {
	root, all, err := r.log.look()
	var fault *Fault
	switch {
	case errors.As(err, &fault) && fault.Trouble == Missing:
		return true // it comes with the first row
	case err != nil:
		yield(Row{}, err)
		return false
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	r.root = root
	all = slices.DeleteFunc(all, func(first uint64) bool { return first < r.segmentAt })
	if !r.all(ctx, all, yield) {
		return false
	}
	r.filter.Last = 0
	return true
}
