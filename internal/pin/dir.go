package pin

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
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
	l, err := ownfile.Lock(ctx, root, lockName, false, patience)
	if err != nil {
		return err
	}
	defer l.Close() // and gives the lock back
	return do(root)
}

// open opens the directory, and makes it if wanted.
func (s *Store) open(create bool) (*os.Root, error) {
	root, err := ownfile.Dir(s.dir, create)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	return root, err
}
