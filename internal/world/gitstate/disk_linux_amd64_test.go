package gitstate

import (
	"syscall"
	"unsafe"

	"github.com/heedsh/heed/internal/world"
)

// LstatIn makes rangeFS a DirStater where this is easily written.
func (d *rangeFS) LstatIn(dir string, names []string, out []world.Info) error {
	mustBeClean(dir)
	d.lstats.Add(int64(len(names)))
	const oPath, atSymlinkNoFollow = 0x200000, 0x100
	fd, err := syscall.Open(dir, syscall.O_DIRECTORY|syscall.O_CLOEXEC|oPath, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	var st syscall.Stat_t
	var buf [256]byte
	for i, name := range names {
		if len(name) >= len(buf) {
			return syscall.ENAMETOOLONG
		}
		buf[copy(buf[:], name)] = 0
		_, _, e := syscall.Syscall6(syscall.SYS_NEWFSTATAT, uintptr(fd), uintptr(unsafe.Pointer(&buf)),
			uintptr(unsafe.Pointer(&st)), atSymlinkNoFollow, 0, 0)
		switch e {
		case 0:
			out[i] = infoOf(&st)
		case syscall.ENOENT:
			out[i] = world.Info{}
		default:
			return e
		}
	}
	return nil
}

var _ DirStater = (*rangeFS)(nil)
