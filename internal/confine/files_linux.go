//go:build amd64 || arm64

package confine

import (
	"errors"
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
	Read, Hidden []string
	Write        []string // trees that may be changed
	Names        []string // single names that may be
	Keep         []string // what stays as it is in what may be changed
	Terminal     []string
	Home         string
	Sockets      []string // sockets of others, and directories with some, that are masked
}

// look makes the view of a grant on this machine. temp is a directory of the command's
// own.
func look(g *grant.Grant, home, temp string) *view {
	v := &view{}
	v.reading(g, home)
	v.writing(g, temp)
	return v
}

// reading finds out what of a view may be read.
func (v *view) reading(g *grant.Grant, home string) {
	v.Home = home
	for _, p := range g.Read {
		v.Read = append(v.Read, real(p))
	}
	for _, p := range g.Hidden {
		// What the account cannot read anyway need not be kept from it: it gets no
		// new privileges.
		if reads(p) && !v.closed(p) {
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
	v.Hidden = slices.DeleteFunc(v.Hidden, func(p string) bool { return grant.Covers(g.Secrets, p) })
	for _, p := range g.Secrets {
		v.Read = append(v.Read, real(p))
	}
	slices.Sort(v.Hidden)
	v.Hidden = slices.Compact(v.Hidden)
}

// writing finds out what of a view may be changed, and which terminal it has.
func (v *view) writing(g *grant.Grant, temp string) {
	v.Write = append(devices(), temp)
	for _, p := range g.Write {
		// What is not there is left out: to make it would need its directory.
		if _, err := os.Stat(p); err == nil {
			v.Write = append(v.Write, real(p))
		}
	}
	for _, p := range g.Keep {
		v.Keep = append(v.Keep, real(p))
	}
	for _, p := range g.Names {
		v.Names = append(v.Names, filepath.Join(real(filepath.Dir(p)), filepath.Base(p)))
	}
	if g.Terminal {
		v.Terminal = append(v.Terminal, "/dev/tty")
		for fd := range 3 {
			if name, err := os.Readlink("/proc/self/fd/" + string(rune('0'+fd))); err == nil && strings.HasPrefix(name, "/dev/pts/") {
				v.Terminal = append(v.Terminal, name)
			}
		}
	}
}

// reads reports whether the account can read a path, or what has a name below it, or can
// give itself the right to.
func reads(p string) bool {
	err := access(p, unix.R_OK)
	return err == nil || errors.Is(err, unix.EACCES) && (access(p, unix.X_OK) == nil || owns(p))
}

func access(p string, right uint32) error {
	return unix.Faccessat(unix.AT_FDCWD, p, right, unix.AT_EACCESS)
}

func owns(p string) bool {
	var st unix.Stat_t
	return unix.Stat(p, &st) == nil && int(st.Uid) == os.Geteuid()
}

// closed reports whether a directory holds no secret that the account can read, and the
// account cannot make one there either: the keys of a machine, for all but root.
func (v *view) closed(dir string) bool {
	if !public(dir) || access(dir, unix.W_OK) == nil || owns(dir) {
		return false
	}
	names, err := readNames(dir)
	return err == nil && !slices.ContainsFunc(names, func(name string) bool {
		p := filepath.Join(dir, name)
		return workspace.Secret(p, v.Home) && reads(p)
	})
}

// hide hides a path, and what it leads to if it is a link.
func (v *view) hide(p string) { v.Hidden = append(v.Hidden, real(p)) }

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

// leadsTo reports whether one of the list lies below a path.
func leadsTo(list []string, p string) bool {
	for _, q := range list {
		if grant.Below(q, p) {
			return true
		}
	}
	return false
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

// readable gives Landlock what of the view may be read. Landlock cannot take anything out of
// what it lets be read, so all that stands beside what is hidden is let by itself: names in
// such a directory that are made later cannot be read.
func (v *view) readable(r *ruleset) error {
	for _, p := range v.Read {
		if err := v.carve(r, p); err != nil {
			return err
		}
	}
	return nil
}

// writable gives Landlock what of the view may be changed, and the terminal.
func (v *view) writable(r *ruleset) error {
	for _, p := range v.Write {
		rights := uint64(readRights | writeRights)
		if slices.Contains(devices(), p) {
			rights |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV // or isatty(3) would fail otherwise than it should
		}
		if err := r.allow(p, rights); err != nil {
			return err
		}
	}
	for _, p := range v.parents() {
		if err := r.allow(p, readRights|writeRights); err != nil {
			return err
		}
	}
	for _, p := range v.Terminal {
		if err := r.allow(p, unix.LANDLOCK_ACCESS_FS_READ_FILE|unix.LANDLOCK_ACCESS_FS_WRITE_FILE|unix.LANDLOCK_ACCESS_FS_IOCTL_DEV); err != nil {
			return err
		}
	}
	return nil
}

// carve lets a path be read but for what is hidden below it.
func (v *view) carve(r *ruleset, p string) error {
	below := false
	for _, h := range v.Hidden {
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
	dir, err := unix.Open(p, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil // a file, or what cannot be listed: nothing of it is let
	}
	defer unix.Close(dir) //nolint:errcheck // nothing is lost by it
	in := strings.TrimSuffix(p, "/")
	known, hidden := grant.Covers(v.Hidden, p), inside(v.Hidden, in)
	var deeper []string
	err = r.list(dir, func(e entry) error {
		switch {
		case e.kind == unix.DT_LNK:
			return nil
		case known && workspace.Secret(in+"/"+string(e.name), v.Home):
			return nil
		case in == "" && string(e.name) == "dev", slices.ContainsFunc(hidden, func(h string) bool { return begins(h, e.name) }):
			deeper = append(deeper, in+"/"+string(e.name))
			return nil
		}
		return r.allowAt(dir, e, in, readRights)
	})
	for _, q := range deeper {
		if err == nil {
			err = v.carve(r, q)
		}
	}
	return err
}

// inside are those of a list that lie in a directory, from there.
func inside(list []string, dir string) []string {
	var out []string
	for _, p := range list {
		if rest, ok := strings.CutPrefix(p, dir+"/"); ok {
			out = append(out, rest)
		}
	}
	return out
}

// begins reports whether the first name of a path is this one.
func begins(p string, name []byte) bool {
	return strings.HasPrefix(p, string(name)) && (len(p) == len(name) || p[len(name)] == '/')
}

// public reports whether a directory of secrets has files that are none, which programs
// cannot do without: known hosts, settings, public keys.
func public(dir string) bool {
	return dir == "/etc/ssh" || slices.Contains([]string{".ssh", ".aws", ".kube"}, filepath.Base(dir))
}

// parents are the directories in which the names stand, or would be made. What else
// stands there is read-only in the box ([view.mount]).
func (v *view) parents() []string {
	var out []string
	for _, p := range v.Names {
		if dir := existing(filepath.Dir(p)); !grant.Covers(v.Write, dir) && !slices.Contains(out, dir) {
			out = append(out, dir)
		}
	}
	return out
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
