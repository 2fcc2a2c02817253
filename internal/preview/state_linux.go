//go:build amd64 || arm64

package preview

import (
	"errors"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/xattr"
	"golang.org/x/sys/unix"
)

// A state is what tells a file from another, and from itself after a change.
type state struct {
	Dev, Ino           uint64
	Mode, UID, GID     uint32
	Links              uint64
	Size, MTime, CTime int64
	Device             uint64            `json:",omitempty"` // that it stands for
	Target             string            `json:",omitempty"` // of a link
	XAttrs             map[string]string `json:",omitempty"`
}

// look looks at a path; nil if nothing is there.
func look(p string) (*state, error) {
	var st unix.Stat_t
	if err := unix.Lstat(p, &st); errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
		return nil, nil
	} else if err != nil {
		return nil, pathError("looking at", p, err)
	}
	s := &state{
		Dev: st.Dev, Ino: st.Ino, Mode: st.Mode, UID: st.Uid, GID: st.Gid, Links: uint64(st.Nlink), Size: st.Size,
		MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(), Device: st.Rdev,
	}
	if s.kind() == unix.S_IFLNK {
		buf := make([]byte, unix.PathMax)
		n, err := unix.Readlink(p, buf)
		if err != nil {
			return nil, pathError("reading", p, err)
		}
		s.Target = string(buf[:n])
	}
	return s, nil
}

func (s *state) kind() uint32 { return s.Mode & unix.S_IFMT }
func (s *state) perm() uint32 { return s.Mode & 0o7777 }
func (s *state) dir() bool    { return s.kind() == unix.S_IFDIR }
func (s *state) file() bool   { return s.kind() == unix.S_IFREG }

// same reports whether it is the same file, unchanged. Access times do not count, and of
// a directory only what it is: names in it come and go.
func (s *state) same(as *state) bool {
	switch {
	case s == nil || as == nil:
		return s == as
	case s.Dev != as.Dev || s.Ino != as.Ino || s.Mode != as.Mode || s.UID != as.UID || s.GID != as.GID:
		return false
	case s.dir():
		return true
	}
	return s.Size == as.Size && s.MTime == as.MTime && s.CTime == as.CTime
}

// typeName is what people call the type of a file.
func (s *state) typeName() string {
	switch s.kind() {
	case unix.S_IFREG:
		return "file"
	case unix.S_IFDIR:
		return "directory"
	case unix.S_IFLNK:
		return "link"
	case unix.S_IFIFO:
		return "pipe"
	case unix.S_IFSOCK:
		return "socket"
	}
	return "device"
}

// xattrs are the extended attributes of a path, but for those that belong to overlays or
// to the system's own labels.
func xattrs(p string) (map[string]string, error) {
	all, err := xattr.All(p, func(name string) bool {
		return strings.HasPrefix(name, "user.overlay.") || strings.HasPrefix(name, "trusted.") || slices.Contains([]string{"security.selinux", "security.ima", "security.evm"}, name)
	})
	if err != nil {
		return nil, pathError("reading the attributes of", p, err)
	}
	if len(all) == 0 {
		return nil, nil
	}
	out := make(map[string]string, len(all))
	for name, value := range all {
		out[name] = string(value)
	}
	return out, nil
}
