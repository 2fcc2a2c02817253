//go:build amd64 || arm64

package confine

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/workspace"
	"golang.org/x/sys/unix"
)

// observe tells the observer what a call is about, and lets it go on if it is granted.
// What it tells is read from a memory that can change: it is evidence for a person, and
// keeps nothing. What is kept is kept by mounts and Landlock.
func (w *watcher) observe(n *notice, c *call) answer {
	on := answer{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	if c.deed == Network {
		return w.observeSocket(n)
	}
	reading := c.deed == Write && w.onlyReads(n)
	for _, op := range operands(int(n.nr)) {
		p, ok := w.path(n, op)
		switch {
		case !ok || !w.still(n) || !filepath.IsAbs(p) || grant.Covers(w.own, p) || grant.Covers(w.view.Terminal, p):
		case reading:
			if w.secret(p) {
				w.observer.Saw(refusal(n, Read, p))
			}
		case fails(n, c, p) || !stands(filepath.Dir(p)):
		case !w.changeable(p) || w.slips(n, c, p) || w.observer.Keeps(p):
			w.refuse(n, c.deed, p)
			return answer{err: -int32(unix.EACCES)}
		default:
			w.observer.Saw(refusal(n, c.deed, p))
		}
	}
	return on
}

func stands(p string) bool {
	_, err := os.Stat(p)
	return err == nil
}

// onlyReads reports whether a call that opens does so for reading.
func (w *watcher) onlyReads(n *notice) bool {
	switch int(n.nr) {
	case unix.SYS_OPENAT:
		return n.args[2]&writing == 0
	case unix.SYS_OPENAT2:
		return w.reads(n)
	}
	for _, c := range oldChanges(writing) {
		if c.nr == int(n.nr) && len(c.unless) > 0 {
			return c.unless[0].of(&n.args)
		}
	}
	return false
}

// secret reports whether a path is a file that is hidden.
func (w *watcher) secret(p string) bool {
	if !grant.Covers(w.view.Hidden, p) || !slices.Contains(w.view.Hidden, p) && !workspace.Secret(p, w.view.Home) {
		return false
	}
	i, err := os.Lstat(p)
	return err == nil && i.Mode().IsRegular()
}

// observeSocket tells whom a socket is for. A socket of others is masked, and refused
// here only so that it is told.
func (w *watcher) observeSocket(n *notice) answer {
	at, size := n.args[1], n.args[2]
	if int(n.nr) == unix.SYS_SENDTO {
		at, size = n.args[4], n.args[5]
	}
	on := answer{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	buf := make([]byte, min(size, unix.SizeofSockaddrUnix))
	if _, ok := readMemory(n.pid, at, buf); !ok || len(buf) < 2 {
		return on
	}
	deed, to := Network, ""
	switch family := binary.NativeEndian.Uint16(buf); {
	case family == unix.AF_UNIX:
		deed = Socket
		if to = w.socketPath(n, buf[2:]); to == "" {
			return on
		}
		if grant.Covers(w.view.Sockets, to) {
			w.refuse(n, Socket, to)
			return answer{err: -int32(unix.EACCES)}
		}
		if int(n.nr) != unix.SYS_BIND && !stands(to) {
			return on // nobody is there
		}
	case int(n.nr) == unix.SYS_BIND:
		if family != unix.AF_INET && family != unix.AF_INET6 {
			return on
		}
	default:
		addr, ok := address(buf)
		if !ok || addr.Port() == 0 {
			return on // port 0 is for who only wants to know a way
		}
		to = addr.Addr().String()
	}
	w.observer.Saw(refusal(n, deed, to))
	return on
}

// socketPath is the path of a socket's address, "" if it has none. Source: unix(7).
func (w *watcher) socketPath(n *notice, raw []byte) string {
	name, _, _ := bytes.Cut(raw, []byte{0})
	if len(name) == 0 || !w.still(n) {
		return ""
	}
	p := string(name)
	if !filepath.IsAbs(p) {
		dir, err := os.Readlink("/proc/" + strconv.Itoa(int(n.pid)) + "/cwd")
		if err != nil {
			return ""
		}
		p = filepath.Join(dir, p)
	}
	return real(p)
}
