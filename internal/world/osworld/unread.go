package osworld

import (
	"errors"
	"io/fs"

	"github.com/heedsh/heed/internal/world"
)

// unread is the file system of a machine whose files heed cannot read yet: of
// no path anything is known, so what a command does to files there is never
// said to be harmless.
type unread struct{}

func unknown(op, path string) error {
	return &fs.PathError{Op: op, Path: path, Err: errors.ErrUnsupported}
}

// Lstat implements [world.FS].
func (unread) Lstat(path string) (world.Info, error) { return world.Info{}, unknown("lstat", path) }

// Readlink implements [world.FS].
func (unread) Readlink(path string) (string, error) { return "", unknown("readlink", path) }

// ReadDir implements [world.FS].
func (unread) ReadDir(path string, _ int) ([]world.Entry, error) {
	return nil, unknown("read directory", path)
}

// ReadFile implements [world.FS].
func (unread) ReadFile(path string, _ int64) ([]byte, error) { return nil, unknown("read", path) }

// Read returns the bytes of a file.
func (unread) Read(path string, _ int64) ([]byte, world.Info, error) {
	return nil, world.Info{}, unknown("read", path)
}

// ReadRange returns a part of a file.
func (unread) ReadRange(path string, _ int64, _ int) ([]byte, error) {
	return nil, unknown("read", path)
}

// Lines implements [world.FS].
func (unread) Lines(path, _ string) (world.Lines, error) {
	return world.LinesOf("", ""), unknown("read", path)
}

// Mount implements [world.FS].
func (unread) Mount(path string) (world.Mount, error) {
	return world.Mount{}, unknown("find the mount of", path)
}
