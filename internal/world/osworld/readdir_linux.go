package osworld

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"syscall"

	"github.com/heedsh/heed/internal/world"
)

// Places in a struct linux_dirent64 (getdents64(2)): its length, the type of
// the file, and its name up to a NUL.
const (
	direntLen  = 16
	direntType = 18
	direntName = 19
)

// direntBuffers are for getdents: most directories fit into one.
var direntBuffers sync.Pool

// readDir lists a directory without the allocations of os.ReadDir. It stops
// when there are more than limit entries.
func readDir(path string, limit int) ([]world.Entry, error) {
	fd, err := retry(func() (int, error) {
		return syscall.Open(path, syscall.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	buf, ok := direntBuffers.Get().(*[32 << 10]byte)
	if !ok {
		buf = new([32 << 10]byte)
	}
	defer direntBuffers.Put(buf)
	var entries []world.Entry
	for {
		n, err := retry(func() (int, error) { return syscall.ReadDirent(fd, buf[:]) })
		if err != nil {
			return entries, &fs.PathError{Op: "readdirent", Path: path, Err: err}
		}
		if n == 0 {
			return entries, nil
		}
		entries = slices.Grow(entries, min(n/32+1, max(limit-len(entries), 0)))
		if entries, err = parseDirents(path, string(buf[:n]), entries, limit); err != nil {
			return entries, err
		}
	}
}

var errDirent = errors.New("malformed directory entry")

// parseDirents adds the entries of one answer of the kernel.
func parseDirents(path, text string, entries []world.Entry, limit int) ([]world.Entry, error) {
	for len(text) > 0 {
		if len(text) < direntName {
			return entries, fmt.Errorf("read directory %s: %w", path, errDirent)
		}
		length := int(binary.NativeEndian.Uint16([]byte(text[direntLen : direntLen+2])))
		if length <= direntName || length > len(text) {
			return entries, fmt.Errorf("read directory %s: %w", path, errDirent)
		}
		name, kind := text[direntName:length], text[direntType]
		text = text[length:]
		if end := strings.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		if name == "." || name == ".." || name == "" {
			continue
		}
		e := world.Entry{Name: name, Kind: direntKind(kind)}
		if kind == syscall.DT_UNKNOWN { // the file system does not say
			info, err := lstat(strings.TrimSuffix(path, "/") + "/" + name)
			if isMissing(err) {
				continue
			}
			if err != nil {
				return entries, &fs.PathError{Op: "lstat", Path: path, Err: err}
			}
			e.Kind = info.Kind
		}
		if len(entries) >= limit {
			return entries, world.ErrTooLarge
		}
		entries = append(entries, e)
	}
	return entries, nil
}

func direntKind(t byte) world.Kind {
	switch t {
	case syscall.DT_REG:
		return world.Regular
	case syscall.DT_DIR:
		return world.Dir
	case syscall.DT_LNK:
		return world.Symlink
	case syscall.DT_BLK:
		return world.BlockDevice
	case syscall.DT_CHR:
		return world.CharDevice
	}
	return world.Other
}
