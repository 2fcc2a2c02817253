package approval

import (
	"context"
	"fmt"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
)

// deskFile is touched while somebody looks at the requests.
const (
	deskFile = "desk"
	deskFor  = 5 * time.Second
)

// Attend says that somebody looks at the requests now, and for the next seconds.
func (s *Store) Attend() error {
	root, err := s.open(true)
	if err != nil {
		return fmt.Errorf("opening the desk: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	return ownfile.Keep(root, deskFile, nil)
}

// Attended reports whether somebody looks at the requests, so that it is worth to wait
// for an answer.
func (s *Store) Attended() bool {
	root, err := s.open(false)
	if err != nil {
		return false
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	i, err := root.Lstat(deskFile)
	if err != nil || !i.Mode().IsRegular() || !ownfile.Mine(i) {
		return false
	}
	since := s.now().Sub(i.ModTime())
	return since < deskFor && since > -deskFor
}

// Await waits until a request is answered, at most until the context ends, and returns
// it as it is then.
func (s *Store) Await(ctx context.Context, digest string) (*Request, error) {
	for {
		r, err := s.Get(digest)
		if err != nil || r.State != Pending {
			return r, err
		}
		select {
		case <-ctx.Done():
			return r, nil
		case <-time.After(100 * time.Millisecond):
		}
	}
}
