//go:build linux || darwin

package osworld

import (
	"io/fs"
	"syscall"

	"github.com/heedsh/heed/internal/world"
)

// splitMode takes st_mode apart. The bits are the same on Linux (inode(7)) and
// macOS (stat(2)).
func splitMode(m uint32) (world.Kind, fs.FileMode) {
	mode := fs.FileMode(m & 0o777)
	if m&syscall.S_ISUID != 0 {
		mode |= fs.ModeSetuid
	}
	if m&syscall.S_ISGID != 0 {
		mode |= fs.ModeSetgid
	}
	if m&syscall.S_ISVTX != 0 {
		mode |= fs.ModeSticky
	}
	switch m & syscall.S_IFMT {
	case syscall.S_IFREG:
		return world.Regular, mode
	case syscall.S_IFDIR:
		return world.Dir, mode
	case syscall.S_IFLNK:
		return world.Symlink, mode
	case syscall.S_IFBLK:
		return world.BlockDevice, mode
	case syscall.S_IFCHR:
		return world.CharDevice, mode
	}
	return world.Other, mode
}

// readlink returns the text of a symbolic link of at most maxPath bytes.
func readlink(path string) (string, error) {
	buf := make([]byte, 256)
	for {
		n, err := syscall.Readlink(path, buf)
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return "", err
		case n < len(buf):
			return string(buf[:n]), nil
		case len(buf) > maxPath:
			return "", syscall.ENAMETOOLONG
		}
		buf = make([]byte, 2*len(buf))
	}
}
