//go:build linux || darwin

package osworld

import (
	"errors"
	"io"
	"io/fs"
	"syscall"

	"github.com/heedsh/heed/internal/world"
)

// rawFile is an open file without the poller of package os, which costs a
// process that reads a handful of files more than reading them.
type rawFile struct {
	fd   int
	path string
}

// openRaw opens a file for reading, without waiting for a writer of a FIFO and
// without taking a terminal.
func openRaw(path string) (*rawFile, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return &rawFile{fd, path}, nil
}

// Read implements [io.Reader].
func (f *rawFile) Read(b []byte) (int, error) {
	n, err := retry(func() (int, error) { return syscall.Read(f.fd, b) })
	switch {
	case err != nil:
		return 0, &fs.PathError{Op: "read", Path: f.path, Err: err}
	case n == 0 && len(b) > 0:
		return 0, io.EOF
	}
	return n, nil
}

// stat describes the file that is open.
func (f *rawFile) stat() (world.Info, error) {
	var st syscall.Stat_t
	if _, err := retry(func() (int, error) { return 0, syscall.Fstat(f.fd, &st) }); err != nil {
		return world.Info{}, &fs.PathError{Op: "stat", Path: f.path, Err: err}
	}
	return infoOf(&st), nil
}

func (f *rawFile) close() { _ = syscall.Close(f.fd) } // it was only read

// retry calls again what a signal interrupted; see go.dev/issue/38033.
func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
