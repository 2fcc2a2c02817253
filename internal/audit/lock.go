package audit

import (
	"context"
	"os"
	"path/filepath"

	"github.com/heedsh/heed/internal/ownfile"
)

// lockName is the file whose lock writers take in turn.
const lockName = "lock"

// lock waits for the log's lock, which is given back by closing the file.
func (l *Log) lock(ctx context.Context, root *os.Root, doing string, shared bool) (*os.File, error) {
	f, err := ownfile.Lock(ctx, root, lockName, shared, l.wait)
	if err != nil {
		return nil, foreign(doing, filepath.Join(l.dir, lockName), err)
	}
	return f, nil
}
