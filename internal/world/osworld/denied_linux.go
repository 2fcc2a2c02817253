package osworld

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"golang.org/x/sys/unix"

	"github.com/heedsh/heed/internal/world"
)

// Denied implements [world.Denier]. The kernel is asked (faccessat(2), with the rights that
// this process has now), which knows of access lists and of what is mounted read-only. Root
// is asked nothing: it is refused next to nothing, and the look would cost each of its
// commands.
func (f *files) Denied(name string, how world.Access) bool {
	if os.Geteuid() == 0 {
		return false
	}
	info, err := f.Lstat(name)
	if err != nil {
		return errors.Is(err, fs.ErrPermission) && f.unreachable(name)
	}
	if m, err := f.Mount(name); err != nil || m.Remote {
		return false
	}
	switch {
	case how == world.Entering, how == world.Writing && info.Kind == world.Missing:
		return f.closed(path.Dir(name), &info)
	case info.Kind == world.Missing:
		return false
	case how == world.Reading:
		return refused(name, unix.R_OK)
	}
	return refused(name, unix.W_OK)
}

// unreachable reports whether a directory above a name may not be entered.
func (f *files) unreachable(name string) bool {
	dir := path.Dir(name)
	for dir != "/" && refused(dir, unix.F_OK) {
		dir = path.Dir(dir)
	}
	m, err := f.Mount(dir)
	return err == nil && !m.Remote && refused(dir, unix.X_OK)
}

// closed reports whether no name can be put into a directory, or one that is there not be
// taken out: of a sticky directory only the owners can take files (unlink(2), EPERM).
func (f *files) closed(dir string, entry *world.Info) bool {
	info, err := f.Lstat(dir)
	if err != nil || info.Kind != world.Dir {
		return false
	}
	if refused(dir, unix.W_OK|unix.X_OK) {
		return true
	}
	me := os.Geteuid()
	return entry.Kind != world.Missing && info.Mode&fs.ModeSticky != 0 && info.UID != me && entry.UID != me
}

func refused(name string, mode uint32) bool {
	err := unix.Faccessat(unix.AT_FDCWD, name, mode, unix.AT_EACCESS)
	return errors.Is(err, unix.EACCES) || errors.Is(err, unix.EPERM) || errors.Is(err, unix.EROFS)
}
