package ownfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A Busy is the error of a lock that somebody else does not give back.
type Busy struct {
	Where, What string
	Err         error // why nobody waits any more, if not for waiting too long
}

// Error implements error.
func (b *Busy) Error() string {
	text := b.Where + ": " + b.What
	if b.Err != nil {
		text += ": " + b.Err.Error()
	}
	return text
}

// Unwrap returns the error of the context.
func (b *Busy) Unwrap() error { return b.Err }

// Lock waits for a file's lock, alone or shared, which is given back by closing the
// file. Whoever removes the file takes it from nobody: the lock counts only while
// the file has its name.
func Lock(ctx context.Context, root *os.Root, name string, shared bool, wait time.Duration) (*os.File, error) {
	where := filepath.Join(root.Name(), name)
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	pause := 50 * time.Microsecond
	for {
		f, i, err := Open(root, name, os.O_RDWR|os.O_CREATE)
		if err != nil {
			return nil, err
		}
		for {
			taken, err := TryLock(f, shared)
			if err != nil {
				_ = f.Close() // it is not used
				return nil, &fs.PathError{Op: "lock", Path: where, Err: err}
			}
			if taken {
				break
			}
			select {
			case <-ctx.Done():
				_ = f.Close() // it is not used
				return nil, &Busy{Where: where, What: "another program has been writing for " + wait.String(), Err: cause(ctx)}
			case <-time.After(pause):
			}
			pause = min(pause*3/2, 5*time.Millisecond)
		}
		if now, err := root.Lstat(name); err == nil && os.SameFile(i, now) {
			return f, nil
		}
		_ = f.Close() // it is another file now
		if ctx.Err() != nil {
			return nil, &Busy{Where: where, What: "it is removed again and again", Err: cause(ctx)}
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
