//go:build amd64 || arm64

package confine

import (
	"os"
	"slices"
	"strconv"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// streams adds the steps that open the standard streams of a command once more, where its own
// mounts keep what it may not change: whoever holds a file that was opened on another mount
// can change its mode, owner and times through it, though he opened it for reading only. It
// reports whether that was done with a standard input that has a place in it, which others
// who read from it have as well: see [shift].
//
// Left as they are: what may be changed anyway; files that are open for writing, which are
// given to the command; pipes and sockets, which are nobody's; what has lost its name or
// cannot be opened by it.
func (v *view) streams(s *stage) (placed bool) {
	for fd := range 3 {
		file, flags, kind := v.stream(fd)
		if file == "" {
			continue
		}
		again := new(int32)
		about := say{op: "opening it again on the command's own mounts", path: file}
		s.add(about, unix.SYS_OPENAT, here, s.text(file), flags).to = again
		if kind == unix.S_IFREG {
			if at, err := unix.Seek(fd, 0, unix.SEEK_CUR); err == nil && at > 0 {
				t := s.add(about, unix.SYS_LSEEK, 0, uintptr(at), unix.SEEK_SET)
				t.from, t.at = again, 0
			}
			placed = true
		}
		t := s.add(about, unix.SYS_DUP3, 0, uintptr(fd), 0)
		t.from, t.at = again, 0
		s.close(again)
	}
	return placed
}

// stream is the file that a standard stream has to be opened as, and how, "" if it stays.
func (v *view) stream(fd int) (file string, flags uintptr, kind uint32) {
	var is, named unix.Stat_t
	how, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err != nil || unix.Fstat(fd, &is) != nil {
		return "", 0, 0
	}
	file, err = os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	if err != nil {
		return "", 0, 0
	}
	switch kind = is.Mode & unix.S_IFMT; {
	case kind == unix.S_IFREG && how&unix.O_ACCMODE != unix.O_RDONLY:
		return "", 0, 0
	case kind == unix.S_IFREG && (grant.Covers(v.Names, file) || grant.Covers(v.Write, file) && !grant.Covers(v.Keep, file)):
		return "", 0, 0
	case kind == unix.S_IFREG, kind == unix.S_IFCHR && (slices.Contains(devices(), file) || unix.Major(is.Rdev) == ptySlaves):
	default:
		return "", 0, 0
	}
	flags = uintptr(how&(unix.O_ACCMODE|unix.O_NONBLOCK|unix.O_APPEND)) | unix.O_NOCTTY | unix.O_CLOEXEC
	try, err := unix.Open(file, int(flags), 0)
	if err != nil {
		return "", 0, 0
	}
	defer unix.Close(try) //nolint:errcheck // nothing was written
	if unix.Fstat(try, &named) != nil || named.Dev != is.Dev || named.Ino != is.Ino {
		return "", 0, 0
	}
	return file, flags, kind
}

// ptySlaves is the first number of terminals below /dev/pts, which every kernel gives 136.
// Source: Documentation/admin-guide/devices.txt.
const ptySlaves = 136

// shift moves who reads on from heed's standard input to where the command left its own, as
// if it had been the same one.
func shift(input int) {
	if at, err := unix.Seek(input, 0, unix.SEEK_CUR); err == nil {
		unix.Seek(0, at, unix.SEEK_SET) //nolint:errcheck // it has a place, as the other
	}
	unix.Close(input) //nolint:errcheck // nothing was written
}
