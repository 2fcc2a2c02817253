//go:build linux || darwin

package osworld

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/osworld/mountinfo"
)

// files is the machine's file system as a world.FS.
type files struct {
	near []string

	once   sync.Once
	table  mountinfo.Table
	mountE error

	guard guard
}

// mounts returns the table of mounts, read once.
func (f *files) mounts() (*mountinfo.Table, error) {
	f.once.Do(func() {
		f.table, f.mountE = readMounts()
		for _, dir := range f.near {
			f.table.Trust(dir)
		}
	})
	return &f.table, f.mountE
}

// Mount describes the mount that holds path, which is taken as it is spelled.
func (f *files) Mount(path string) (world.Mount, error) {
	if err := checkPath("mount", path); err != nil {
		return world.Mount{}, err
	}
	table, err := f.mounts()
	if err != nil {
		return world.Mount{}, fmt.Errorf("find the mount of %s: %w", path, err)
	}
	m, ok := table.Holding(path)
	if !ok {
		return world.Mount{}, fmt.Errorf("find the mount of %s: not in the table of mounts", path)
	}
	return m.Mount, nil
}

// Lstat describes path. Strictly inside a mount that may hang it answers
// ErrNotRead; such a mount's own directory is described from the table of
// mounts, without a permission or an inode.
//
// Besides "no such file" and "not a directory", two more errors count as
// absence. ELOOP: links that lead nowhere can be opened by nobody.
// ENAMETOOLONG: a path longer than the kernel takes may exist, but no program
// reaches it under this name in one call. A name with a NUL byte cannot even be
// asked for.
func (f *files) Lstat(path string) (world.Info, error) {
	if err := checkPath("lstat", path); err != nil {
		return world.Info{}, err
	}
	if strings.IndexByte(path, 0) >= 0 {
		return world.Info{}, nil
	}
	at, err := f.safe(path, false)
	switch {
	case isMissing(err):
		return world.Info{}, nil
	case err != nil:
		return world.Info{}, &fs.PathError{Op: "lstat", Path: path, Err: err}
	case at.mount != nil:
		return world.Info{Kind: world.Dir, Mode: 0o755, Dev: at.mount.Dev, Links: 1}, nil
	}
	info, err := lstat(path)
	switch {
	case isMissing(err):
		return world.Info{}, nil
	case err != nil:
		return world.Info{}, &fs.PathError{Op: "lstat", Path: path, Err: err}
	}
	return info, nil
}

// Readlink returns the text of a symbolic link.
func (f *files) Readlink(path string) (string, error) {
	if err := checkPath("readlink", path); err != nil {
		return "", err
	}
	at, err := f.safe(path, false)
	if err == nil && at.mount != nil {
		err = world.ErrNotRead
	}
	if err != nil {
		return "", &fs.PathError{Op: "readlink", Path: path, Err: err}
	}
	return os.Readlink(path)
}

// ReadDir lists a directory. Of one with more than limit entries it returns
// the limit entries that the kernel gave first, sorted.
func (f *files) ReadDir(path string, limit int) ([]world.Entry, error) {
	if _, err := f.readable("read directory", path); err != nil {
		return nil, err
	}
	entries, err := readDir(path, limit)
	slices.SortFunc(entries, func(a, b world.Entry) int { return strings.Compare(a.Name, b.Name) })
	if err != nil {
		return entries, fmt.Errorf("read directory %s: %w", path, err)
	}
	return entries, nil
}

// ReadFile implements [world.FS].
func (f *files) ReadFile(path string, limit int64) ([]byte, error) {
	text, _, err := f.Read(path, limit)
	return text, err
}

// Read returns the bytes of a regular file and, unless a link led to it, what Lstat says of
// it. Anything else is refused before it is opened: opening a device or a terminal can
// already act.
func (f *files) Read(path string, limit int64) ([]byte, world.Info, error) {
	at, err := f.readable("read", path)
	if err != nil {
		return nil, world.Info{}, err
	}
	if at.info.Kind != world.Regular {
		return nil, world.Info{}, notRead("read", path, "not a regular file")
	}
	// The file may have been replaced by a FIFO in the meantime, hence
	// O_NONBLOCK and the second look.
	file, err := openRaw(path)
	if err != nil {
		return nil, world.Info{}, err
	}
	defer file.close()
	info, err := file.stat()
	if err != nil {
		return nil, world.Info{}, err
	}
	if info.Kind != world.Regular {
		return nil, world.Info{}, notRead("read", path, "not a regular file")
	}
	text, err := readCapped(file, path, info.Size, limit)
	if at.path != path {
		info = world.Info{}
	}
	return text, info, err
}

// Lines implements [world.FS].
func (f *files) Lines(path, prefix string) (world.Lines, error) {
	text, err := f.ReadFile(path, world.MaxLineFile)
	return world.LinesOf(string(text), prefix), err
}

// readCapped reads all of a file of about the given size.
func readCapped(file io.Reader, path string, size, limit int64) ([]byte, error) {
	tooLarge := &fs.PathError{Op: "read", Path: path, Err: world.ErrTooLarge}
	if size > limit {
		return nil, tooLarge
	}
	buf := make([]byte, 0, size+1) // one more, to see the end in the same call
	for {
		n, err := file.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return nil, tooLarge
		}
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if int64(len(buf)) == size && n > 0 && len(buf) < cap(buf) { // asked for more than its size, and there was no more
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			buf = slices.Grow(buf, 512)
		}
	}
}

// readable refuses paths whose contents are never read: those that may hang,
// and the kernel's own data. It says where the path leads and what is there.
func (f *files) readable(op, path string) (place, error) {
	if err := checkPath(op, path); err != nil {
		return place{}, err
	}
	at, err := f.safe(path, true)
	if err != nil {
		return at, &fs.PathError{Op: op, Path: path, Err: err}
	}
	if m := at.mount; m != nil {
		return at, notRead(op, path, m.Type+" mount")
	}
	if m, ok := f.table.Holding(at.path); ok && m.Remote {
		return at, notRead(op, path, m.Type+" mount")
	}
	return at, nil
}

func notRead(op, path, why string) error {
	return &fs.PathError{Op: op, Path: path, Err: fmt.Errorf("%w: %s", world.ErrNotRead, why)}
}

// errPath refuses a path that breaks the rules of world.FS.
var errPath = errors.New("path is not absolute and clean")

func checkPath(op, path string) error {
	if !filepath.IsAbs(path) || filepath.Clean(path) != path {
		return &fs.PathError{Op: op, Path: path, Err: errPath}
	}
	return nil
}

// isMissing tells the errors that mean: there is nothing under that name.
func isMissing(err error) bool {
	e, _ := errors.AsType[syscall.Errno](err)
	switch e {
	case syscall.ENOENT, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG:
		return true
	}
	return false
}
