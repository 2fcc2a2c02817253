package audit

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// lockName is the file whose lock writers take in turn.
const lockName = "lock"

// lock waits for the log's lock, which is given back by closing the file. Whoever
// removes the file takes it from nobody: the lock counts only while the file has
// its name.
func (l *Log) lock(ctx context.Context, root *os.Root, doing string, shared bool) (*os.File, error) {
	where := filepath.Join(l.dir, lockName)
	ctx, cancel := context.WithTimeout(ctx, l.wait)
	defer cancel()
	pause := 50 * time.Microsecond
	for {
		f, i, err := l.openOwn(root, doing, lockName, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, err
		}
		for {
			taken, err := tryLock(f, shared)
			if err != nil {
				_ = f.Close() // it is not used
				return nil, wrap(doing, where, err)
			}
			if taken {
				break
			}
			select {
			case <-ctx.Done():
				_ = f.Close() // it is not used
				return nil, &Fault{Trouble: Locked, Doing: doing, Where: where, What: "another program has been writing for " + l.wait.String(), Err: cause(ctx)}
			case <-time.After(pause):
			}
			pause = min(pause*3/2, 5*time.Millisecond)
		}
		if now, err := root.Lstat(lockName); err == nil && os.SameFile(i, now) {
			return f, nil
		}
		_ = f.Close() // it is another file now
		if ctx.Err() != nil {
			return nil, &Fault{Trouble: Locked, Doing: doing, Where: where, What: "it is removed again and again", Err: cause(ctx)}
		}
	}
}

// cause is why a context ended, if it was not for waiting too long.
func cause(ctx context.Context) error {
	if err := context.Cause(ctx); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}
