package confine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/workspace"
	"golang.org/x/sys/unix"
)

// devices are those that a command may use, whatever it is granted: they keep nothing.
func devices() []string {
	return []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}
}

// A view is which files a command sees and changes, by their real paths.
type view struct {
	read, hidden, write []string
	terminal            []string
	home                string
}

// look makes the view of a grant on this machine. temp is a directory of the command's
// own.
func look(g *grant.Grant, home, temp string) *view {
	v := &view{home: home, write: append(devices(), temp)}
	for _, p := range g.Read {
		v.read = append(v.read, real(p))
	}
	for _, p := range g.Hidden {
		if _, err := os.Lstat(p); err == nil {
			v.hide(p)
		}
	}
	for _, dir := range g.Search {
		names, err := readNames(dir)
		if err != nil {
			continue // what cannot be listed, the command cannot list either
		}
		for _, name := range names {
			if p := filepath.Join(dir, name); workspace.Secret(p, home) {
				v.hide(p)
			}
		}
	}
	v.hidden = slices.DeleteFunc(v.hidden, func(p string) bool { return grant.Covers(g.Secrets, p) })
	for _, p := range g.Secrets {
		v.read = append(v.read, real(p))
	}
	for _, p := range g.Write {
		v.write = append(v.write, real(p))
	}
	if g.Terminal {
		v.terminal = append(v.terminal, "/dev/tty")
		for fd := range 3 {
			if name, err := os.Readlink("/proc/self/fd/" + string(rune('0'+fd))); err == nil && strings.HasPrefix(name, "/dev/pts/") {
				v.terminal = append(v.terminal, name)
			}
		}
	}
	slices.Sort(v.hidden)
	v.hidden = slices.Compact(v.hidden)
	return v
}

// hide hides a path, and what it leads to if it is a link.
func (v *view) hide(p string) { v.hidden = append(v.hidden, real(p)) }

// real is a path without links, as far as it is there.
func real(p string) string {
	for rest := ""; ; {
		if r, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(r, rest)
		}
		if p == "/" || p == "." {
			return filepath.Join(p, rest)
		}
		rest = filepath.Join(filepath.Base(p), rest)
		p = filepath.Dir(p)
	}
}

// readNames lists a directory in no order.
func readNames(dir string) ([]string, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// rules gives Landlock what the view shows. Landlock cannot take anything out of what
// it lets be read, so all that stands beside what is hidden is let by itself: names in
// such a directory that are made later cannot be read.
func (v *view) rules(r *ruleset) error {
	for _, p := range v.read {
		if err := v.carve(r, p); err != nil {
			return err
		}
	}
	for _, p := range v.write {
		if err := r.allow(existing(p), readRights|writeRights); err != nil {
			return err
		}
	}
	for _, p := range v.terminal {
		if err := r.allow(p, unix.LANDLOCK_ACCESS_FS_READ_FILE|unix.LANDLOCK_ACCESS_FS_WRITE_FILE|unix.LANDLOCK_ACCESS_FS_IOCTL_DEV); err != nil {
			return err
		}
	}
	return nil
}

// carve lets a path be read but for what is hidden below it.
func (v *view) carve(r *ruleset, p string) error {
	below := false
	for _, h := range v.hidden {
		if h == p && !public(p) {
			return nil
		}
		below = below || grant.Below(h, p)
	}
	switch {
	case p == "/dev":
		for _, d := range append(devices(), "/dev/shm") {
			if err := r.allow(d, readRights); err != nil {
				return err
			}
		}
		return r.allow(p, unix.LANDLOCK_ACCESS_FS_READ_DIR)
	case !below && p != "/":
		return r.allow(p, readRights)
	}
	// The names can be seen; only the contents are kept.
	if err := r.allow(p, unix.LANDLOCK_ACCESS_FS_READ_DIR); err != nil {
		return err
	}
	names, err := readNames(p)
	if err != nil {
		return nil //nolint:nilerr // a file, or what cannot be listed: nothing of it is let
	}
	known := grant.Covers(v.hidden, p)
	for _, name := range names {
		q := filepath.Join(p, name)
		if known && workspace.Secret(q, v.home) {
			continue
		}
		if err := v.carve(r, q); err != nil {
			return err
		}
	}
	return nil
}

// public reports whether a directory of secrets has files that are none, which programs
// cannot do without: known hosts, settings, public keys.
func public(dir string) bool {
	return dir == "/etc/ssh" || slices.Contains([]string{".ssh", ".aws", ".kube"}, filepath.Base(dir))
}

// existing is a path, or the directory in which it would be made.
func existing(p string) string {
	for {
		if _, err := os.Lstat(p); err == nil || p == "/" {
			return p
		}
		p = filepath.Dir(p)
	}
}
