package pin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// patience is how long the lock is waited for: others compare, which takes them a
// fraction of a second each.
const patience = 30 * time.Second

// locked does something in the store's directory while nobody else does.
func (s *Store) locked(ctx context.Context, create bool, do func(root *os.Root) error) error {
	root, err := s.open(create)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	if _, err := root.Lstat(fileName); !create && errors.Is(err, fs.ErrNotExist) {
		return ErrNone
	}
	l, err := lock(ctx, root)
	if err != nil {
		return err
	}
	defer l.Close() // and gives the lock back
	return do(root)
}

// lock waits for the lock, which is that of a file, of its own because some file
// systems lock no directories, and ends with the process. It counts only while the
// file has its name.
func lock(ctx context.Context, root *os.Root) (*os.File, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		f, err := root.OpenFile(lockName, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
		if err != nil {
			return nil, err
		}
		taken, err := tryLock(f)
		if err == nil && taken && named(root, f) {
			return f, nil
		}
		_ = f.Close() // it is not used
		if err != nil {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("somebody else is busy with it: %w", ctx.Err())
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// named reports whether a lock's file still has its name.
func named(root *os.Root, f *os.File) bool {
	is, err := f.Stat()
	if err != nil {
		return false
	}
	has, err := root.Lstat(lockName)
	return err == nil && os.SameFile(is, has)
}

// open opens the directory, and makes it if wanted. It must be a directory of this
// account that nobody else can write, and no link.
func (s *Store) open(create bool) (*os.Root, error) {
	if create {
		if err := os.MkdirAll(filepath.Dir(s.dir), 0o700); err != nil {
			return nil, err
		}
		if err := os.Mkdir(s.dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	before, err := os.Lstat(s.dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, ErrNone
	case err != nil:
		return nil, err
	case !before.IsDir():
		return nil, fmt.Errorf("%s is not a directory", s.dir)
	case !mine(before):
		return nil, fmt.Errorf("%s belongs to another account, or others may write there", s.dir)
	}
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, err
	}
	// What was opened must be what was looked at.
	if now, err := root.Stat("."); err != nil || !os.SameFile(before, now) {
		_ = root.Close() // it is not used
		return nil, fmt.Errorf("%s was exchanged", s.dir)
	}
	return root, nil
}
