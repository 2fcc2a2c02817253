//go:build linux || darwin

package osworld

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// maxRange is the most that one ReadRange returns, in bytes.
const maxRange = 1 << 20

// ReadRange returns at most n bytes of a regular file from offset off, fewer at
// its end. git's pack files are far larger than what is wanted from them.
func (f *files) ReadRange(path string, off int64, n int) ([]byte, error) {
	if _, err := f.readable("read", path); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notRead("read", path, "not a regular file")
	}
	buf := make([]byte, min(n, maxRange))
	got, err := file.ReadAt(buf, off)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s at %d: %w", path, off, err)
	}
	return buf[:got], nil
}
