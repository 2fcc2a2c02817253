//go:build amd64 || arm64

package confine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The rights of Landlock, as this package groups them. Source: landlock(7).
const (
	readRights  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	fileWrites  = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	writeRights = fileWrites | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
	deviceRights = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	// fileRights are those that a rule about a file, which is no directory, may have.
	fileRights = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | fileWrites | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	allRights  = readRights | writeRights | deviceRights
)

// leastABI is the first version that keeps signals and abstract sockets in as well, with
// Linux 6.12. Without it a box would need a pid namespace, too.
const leastABI = 6

// landlockABI asks for the version, 0 if there is no Landlock or it is switched off.
func landlockABI() int {
	v, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

// A ruleset is one of Landlock's, that is being made.
type ruleset struct {
	fd  int
	buf []byte // for names of directories
}

// newRuleset handles every right of files, so that what no rule gives is refused, and
// scopes.
func newRuleset(net, signals bool) (*ruleset, error) {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: allRights, Scoped: unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL}
	if !net {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if signals {
		attr.Scoped &^= unix.LANDLOCK_SCOPE_SIGNAL
	}
	// The first three fields, which version 6 knows: a longer one would be refused.
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Offsetof(attr.Quiet_access_fs), 0)
	if errno != 0 {
		return nil, errno
	}
	return &ruleset{fd: int(fd)}, nil
}

// allow lets a file, or all below a directory, be used with these rights. A link is not
// followed: what it leads to has a path of its own. What is not there is left out, as
// nothing can be done with it.
func (r *ruleset) allow(path string, rights uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	switch {
	case err == nil:
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.EACCES):
		return nil
	default:
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd) //nolint:errcheck // nothing is lost by it
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return &os.PathError{Op: "stat", Path: path, Err: err}
	}
	if st.Mode&unix.S_IFMT == unix.S_IFLNK {
		return nil
	}
	return r.add(fd, path, rights, st.Mode&unix.S_IFMT == unix.S_IFDIR)
}

// An entry is a name in a directory, as the kernel lists it. It is there until the next.
type entry struct {
	name []byte // with the zero that ends it behind it
	kind uint8
}

// list calls a function with each name of an open directory, as far as it can be listed.
// There are hundreds, of which nothing is kept.
func (r *ruleset) list(dir int, f func(e entry) error) error {
	// Where the fields of struct linux_dirent64 stand: getdents64(2).
	const reclen, kind, name = 16, 18, 19
	if r.buf == nil {
		r.buf = make([]byte, 8<<10)
	}
	for {
		n, err := unix.Getdents(dir, r.buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n <= 0 {
			return nil
		}
		for b := r.buf[:n]; len(b) > name; {
			size := int(binary.NativeEndian.Uint16(b[reclen:]))
			end := bytes.IndexByte(b[name:size], 0)
			e := entry{b[name : name+end : size], b[kind]}
			b = b[size:]
			if s := string(e.name); s == "." || s == ".." {
				continue
			}
			if e.kind == unix.DT_UNKNOWN {
				var st unix.Stat_t
				if unix.Fstatat(dir, string(e.name), &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
					continue // it went
				}
				e.kind = uint8(st.Mode & unix.S_IFMT >> 12)
			}
			if err := f(e); err != nil {
				return err
			}
		}
	}
}

// allowAt is allow for a name in a directory that was just seen to be a file, or a directory.
// If it is something else by now, Landlock refuses a rule that does not fit.
func (r *ruleset) allowAt(at int, e entry, in string, rights uint64) error {
	// Hundreds of names: none waits for anything, and the scheduler need not know of it.
	fd, _, errno := unix.RawSyscall6(unix.SYS_OPENAT, uintptr(at), uintptr(unsafe.Pointer(&e.name[0])), unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0, 0, 0)
	if errno != 0 {
		return nil // it went
	}
	err := r.rule(int(fd), rights, e.kind == unix.DT_DIR)
	unix.RawSyscall(unix.SYS_CLOSE, fd, 0, 0) //nolint:errcheck // nothing is lost by it
	if err != nil {
		return &os.PathError{Op: "allow", Path: in + "/" + string(e.name), Err: err}
	}
	return nil
}

// add adds the rule of an open path.
func (r *ruleset) add(fd int, path string, rights uint64, dir bool) error {
	if err := r.rule(fd, rights, dir); err != nil {
		return &os.PathError{Op: "allow", Path: path, Err: err}
	}
	return nil
}

func (r *ruleset) rule(fd int, rights uint64, dir bool) error {
	if !dir {
		rights &= fileRights
	}
	attr := unix.LandlockPathBeneathAttr{Allowed_access: rights, Parent_fd: int32(fd)}
	if _, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(r.fd), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&attr)), 0, 0, 0); errno != 0 {
		return errno
	}
	return nil
}

// restrict adds the step that puts the rules on a thread, for ever.
func (r *ruleset) restrict(s *stage) {
	s.add(say{op: "applying Landlock's rules"}, unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(r.fd), 0)
}

// close closes the rules, if there are some.
func (r *ruleset) close() {
	if r != nil {
		unix.Close(r.fd) //nolint:errcheck // nothing is written through it
	}
}
