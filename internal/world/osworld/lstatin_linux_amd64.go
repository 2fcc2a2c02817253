package osworld

import (
	"fmt"
	"io/fs"
	"syscall"
	"unsafe"

	"github.com/heedsh/heed/internal/world"
)

// Values of open(2) and fstatat(2) that package syscall does not name.
const (
	oPath             = 0x200000 // O_PATH: only to name the directory, not to read it
	atSymlinkNoFollow = 0x100
	atFDCWD           = -0x64
)

// lstat asks the kernel about path, without any allocation: heed asks about more
// paths than it does anything else.
func lstat(path string) (world.Info, error) {
	var name [256]byte
	if len(path) >= len(name) {
		return lstatLong(path)
	}
	name[copy(name[:], path)] = 0
	var st syscall.Stat_t
	dir := atFDCWD
	for {
		_, _, errno := syscall.Syscall6(syscall.SYS_NEWFSTATAT, uintptr(dir), uintptr(unsafe.Pointer(&name)),
			uintptr(unsafe.Pointer(&st)), atSymlinkNoFollow, 0, 0)
		switch errno {
		case 0:
			return infoOf(&st), nil
		case syscall.EINTR: // as package os does; see go.dev/issue/38033
		default:
			return world.Info{}, errno
		}
	}
}

func lstatLong(path string) (world.Info, error) {
	var st syscall.Stat_t
	if _, err := retry(func() (int, error) { return 0, syscall.Lstat(path, &st) }); err != nil {
		return world.Info{}, err
	}
	return infoOf(&st), nil
}

// LstatIn describes many files of one directory as Lstat would each, without
// the kernel walking to the directory for every one of them.
func (f *files) LstatIn(dir string, names []string, out []world.Info) error {
	if _, err := f.readable("lstat in", dir); err != nil {
		return err
	}
	fd, err := syscall.Open(dir, syscall.O_DIRECTORY|syscall.O_CLOEXEC|oPath, 0)
	if err != nil {
		return &fs.PathError{Op: "lstat in", Path: dir, Err: err}
	}
	defer syscall.Close(fd)
	var st syscall.Stat_t
	var name [256]byte // NAME_MAX and the NUL
	for i, n := range names {
		if len(n) >= len(name) {
			return fmt.Errorf("lstat in %s: %w", dir, syscall.ENAMETOOLONG)
		}
		name[copy(name[:], n)] = 0
		_, _, errno := syscall.Syscall6(syscall.SYS_NEWFSTATAT, uintptr(fd), uintptr(unsafe.Pointer(&name)),
			uintptr(unsafe.Pointer(&st)), atSymlinkNoFollow, 0, 0)
		switch errno {
		case 0:
			out[i] = infoOf(&st)
		case syscall.ENOENT:
			out[i] = world.Info{}
		default:
			return fmt.Errorf("lstat %s in %s: %w", n, dir, errno)
		}
	}
	return nil
}
