//go:build amd64 || arm64

package confine

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// mostBeside is how many names beside one that may be changed are made read-only, one
// by one.
const mostBeside = 2000

// mount adds the steps that make everything read-only but what may be written, and mask
// the sockets of others. They are made in a mount namespace that nobody else is in. temp is
// where an empty file can be made. It reports whether standard input has become another one
// with the same place in its file.
func (v *view) mount(s *stage, temp string) (placed bool, err error) {
	s.private()
	parents := v.parents()
	trees := append(v.trees(), parents...)
	for _, p := range trees {
		s.bind(p)
	}
	s.readOnly("/", true)
	for _, p := range trees {
		s.readOnly(p, false)
	}
	for _, p := range parents {
		if err := v.beside(s, p); err != nil {
			return false, err
		}
	}
	v.kept(s)
	placed = v.streams(s) // before something is masked that is given to it
	masks := v.Sockets
	for _, p := range v.Hidden {
		// Landlock lets what may be written be read; elsewhere it keeps secrets itself.
		if grant.Covers(trees, p) {
			masks = append(masks, p)
		}
	}
	if len(masks) == 0 {
		return placed, nil
	}
	dead, err := emptyFile(temp)
	if err != nil {
		return false, fmt.Errorf("making an empty file: %w", err)
	}
	s.mask(masks, dead)
	s.add(say{op: "remove", path: dead}, unix.SYS_UNLINKAT, here, s.text(dead), 0)
	return placed, nil
}

// private adds the step that makes the mounts of a new namespace nobody else's business.
func (s *stage) private() {
	s.add(say{op: "making the mounts private"}, unix.SYS_MOUNT, 0, s.text("/"), 0, unix.MS_REC|unix.MS_PRIVATE, 0)
}

// bind adds the step that makes a mount of a path.
func (s *stage) bind(p string) {
	at := s.text(p)
	s.add(say{op: "bind", path: p}, unix.SYS_MOUNT, at, at, 0, unix.MS_BIND|unix.MS_REC, 0)
}

// readOnly adds the step that makes a tree of mounts read-only, or writable again.
func (s *stage) readOnly(p string, on bool) { s.attribute(p, on, unix.AT_RECURSIVE) }

func (s *stage) attribute(p string, on bool, flags uintptr) {
	attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if !on {
		attr = &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	}
	s.add(say{op: "read-only", path: p}, unix.SYS_MOUNT_SETATTR, minusOne, s.text(p), flags, hold(s, attr), unsafe.Sizeof(*attr))
}

// mask adds the steps that put an empty file over sockets and secrets, and an empty
// directory over directories of them. What goes meanwhile need not be masked.
func (s *stage) mask(paths []string, dead string) {
	var dirs []string
	for _, p := range paths {
		i, err := os.Lstat(p)
		switch {
		case err != nil || grant.Covers(dirs, p):
			continue // it went, or is under a mask already
		case i.IsDir():
			dirs = append(dirs, p)
			tmpfs := s.text("tmpfs")
			s.add(say{op: "mask", path: p}, unix.SYS_MOUNT, tmpfs, s.text(p), tmpfs, unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, s.text("size=4k,mode=000")).fine = unix.ENOENT
		default:
			s.add(say{op: "mask", path: p}, unix.SYS_MOUNT, s.text(dead), s.text(p), 0, unix.MS_BIND, 0).fine = unix.ENOENT
		}
	}
}

// emptyFile makes the file that masks others. Nothing is left of it but what is masked by
// it, once it is removed.
func emptyFile(temp string) (string, error) {
	p := filepath.Join(temp, ".heed-mask")
	return p, os.WriteFile(p, nil, 0)
}

// trees are what may be written but devices, which can be on read-only mounts as well.
func (v *view) trees() []string {
	var out []string
	for _, p := range v.Write {
		if !strings.HasPrefix(p, "/dev/") || p == sharedMemory {
			out = append(out, p)
		}
	}
	return out
}

// sharedMemory is the directory that shm_open(3) makes its files in.
const sharedMemory = "/dev/shm"

// kept adds the steps that make paths in what may be written read-only. The directories
// that lead to them there become mounts as well, which can be neither moved away nor
// replaced.
func (v *view) kept(s *stage) {
	mounted := map[string]bool{}
	for _, p := range v.Keep {
		if _, err := os.Lstat(p); err != nil {
			continue // it is not there
		}
		for at := filepath.Dir(p); grant.Covers(v.Write, at) && !slices.Contains(v.Write, at) && !mounted[at]; at = filepath.Dir(at) {
			mounted[at] = true
			s.bind(at)
		}
		s.bind(p)
		s.readOnly(p, true)
	}
}

// beside adds the steps that make what stands beside a name that may be changed read-only.
func (v *view) beside(s *stage, dir string) error {
	names, err := readNames(dir)
	if err != nil {
		return err
	}
	if len(names) > mostBeside {
		return fmt.Errorf("%w: %s has more than %d entries, which cannot all be kept from changes", ErrNotConfined, dir, mostBeside)
	}
	for _, name := range names {
		p := filepath.Join(dir, name)
		if grant.Covers(v.Names, p) || grant.Covers(v.Write, p) || leadsTo(slices.Concat(v.Names, v.Write), p) {
			continue
		}
		if i, err := os.Lstat(p); err != nil || i.Mode()&os.ModeSymlink != 0 {
			continue // a link can only be removed
		}
		s.bind(p)
		s.readOnly(p, true)
	}
	return nil
}

// foreignSockets finds where others listen, but for these trees.
func (v *view) foreignSockets(exempt []string) []string {
	out := []string{}
	add := func(p string) {
		if p = real(p); !grant.Covers(exempt, p) && !grant.Covers(out, p) {
			if _, err := os.Lstat(p); err == nil {
				out = append(out, p)
			}
		}
	}
	for _, dir := range []string{"/run/user", "/run/dbus", "/run/docker", "/run/containerd", "/run/podman", "/run/snapd", "/run/lxd", "/run/postgresql", "/run/mysqld", "/run/cups", "/run/avahi-daemon", "/run/pcscd", "/run/libvirt", "/tmp/.X11-unix", "/tmp/.ICE-unix"} {
		add(dir)
	}
	f, err := os.Open("/proc/net/unix")
	if err != nil {
		return out
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if fields := strings.SplitN(lines.Text(), " /", 2); len(fields) == 2 {
			add("/" + fields[1])
		}
	}
	return out
}
