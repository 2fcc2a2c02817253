package confine

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// mostBeside is how many names beside one that may be changed are made read-only, one
// by one.
const mostBeside = 2000

// mount makes everything read-only but what may be written, and masks the sockets of
// others. It is called in a mount namespace that nobody else is in. temp is where an
// empty file can be made.
func (v *view) mount(temp string) error {
	if err := Private(); err != nil {
		return err
	}
	trees := append(v.trees(), v.parents()...)
	for _, p := range trees {
		if err := unix.Mount(p, p, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return &os.PathError{Op: "bind", Path: p, Err: err}
		}
	}
	if err := readOnly("/", true); err != nil {
		return err
	}
	for _, p := range trees {
		if err := readOnly(p, false); err != nil {
			return err
		}
	}
	for _, p := range v.parents() {
		if err := v.beside(p); err != nil {
			return err
		}
	}
	for _, p := range v.Keep {
		if err := v.keep(p); err != nil {
			return err
		}
	}
	masks := v.Sockets
	for _, p := range v.Hidden {
		// Landlock lets what may be written be read; elsewhere it keeps secrets itself.
		if grant.Covers(trees, p) {
			masks = append(masks, p)
		}
	}
	return mask(masks, temp)
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

// keep makes a path read-only. The directories that lead to it in a tree that may be
// written become mounts as well, which can be neither moved away nor replaced.
func (v *view) keep(p string) error {
	if _, err := os.Lstat(p); err != nil {
		return nil // it is not there
	}
	for at := filepath.Dir(p); grant.Covers(v.Write, at) && !slices.Contains(v.Write, at); at = filepath.Dir(at) {
		if v.mounted[at] {
			break
		}
		if v.mounted == nil {
			v.mounted = map[string]bool{}
		}
		v.mounted[at] = true
		if err := unix.Mount(at, at, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return &os.PathError{Op: "bind", Path: at, Err: err}
		}
	}
	if err := unix.Mount(p, p, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return &os.PathError{Op: "bind", Path: p, Err: err}
	}
	return readOnly(p, true)
}

// beside makes what stands beside a name that may be changed read-only.
func (v *view) beside(dir string) error {
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
		if err := unix.Mount(p, p, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
			return &os.PathError{Op: "bind", Path: p, Err: err}
		}
		if err := readOnly(p, true); err != nil {
			return err
		}
	}
	return nil
}

// leadsTo reports whether one of the list lies below a path.
func leadsTo(list []string, p string) bool {
	for _, q := range list {
		if grant.Below(q, p) {
			return true
		}
	}
	return false
}

// readOnly makes a tree of mounts read-only, or writable again.
func readOnly(p string, on bool) error {
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if !on {
		attr = unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}
	}
	if err := unix.MountSetattr(-1, p, unix.AT_RECURSIVE, &attr); err != nil {
		return &os.PathError{Op: "read-only", Path: p, Err: err}
	}
	return nil
}

// mask puts an empty file over sockets and secrets, and an empty directory over
// directories of them.
func mask(paths []string, temp string) error {
	if len(paths) == 0 {
		return nil
	}
	dead := filepath.Join(temp, ".heed-mask")
	if err := os.WriteFile(dead, nil, 0); err != nil {
		return err
	}
	for _, p := range paths {
		i, err := os.Lstat(p)
		switch {
		case err != nil:
			continue // it went, or is under a mask already
		case i.IsDir():
			err = unix.Mount("tmpfs", p, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, "size=4k,mode=000")
		default:
			err = unix.Mount(dead, p, "", unix.MS_BIND, "")
		}
		if err != nil {
			return &os.PathError{Op: "mask", Path: p, Err: err}
		}
	}
	return os.Remove(dead)
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

// Private makes the mounts of a new namespace nobody else's business.
func Private() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making the mounts private: %w", err)
	}
	return nil
}
