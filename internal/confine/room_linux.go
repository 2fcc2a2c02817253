//go:build amd64 || arm64

package confine

import (
	"os"
	"path/filepath"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// A Room is a [Box] of which another package makes the namespaces and the mounts: what a
// command sees and may change there. It can be handed to another process as JSON.
type Room struct {
	Grant grant.Grant
	View  *view
}

// NewRoom finds out what a grant comes to on this machine. An error is under
// [ErrNotConfined].
func NewRoom(g *grant.Grant, home, temp string) (*Room, error) {
	b := Box{Grant: *g}
	if err := b.possible(); err != nil {
		return nil, err
	}
	r := &Room{Grant: *g, View: look(g, home, temp)}
	r.View.Sockets = r.View.foreignSockets(r.View.Write)
	return r, nil
}

// Hidden are the secrets in what may be written, by their real paths. Landlock does not
// keep them: who makes the mounts has to.
func (r *Room) Hidden() []string {
	var out []string
	for _, p := range r.View.Hidden {
		if grant.Covers(r.View.Write, p) {
			out = append(out, p)
		}
	}
	return out
}

// Public reports whether a name in a directory of secrets is none: known hosts, settings,
// public keys.
func Public(p string) bool {
	if !public(filepath.Dir(p)) {
		return false
	}
	ok, err := filepath.Match("*.pub", filepath.Base(p))
	return err == nil && ok || filepath.Base(p) == "known_hosts" || filepath.Base(p) == "config"
}

// Protect makes all mounts read-only but those of what may be written, and masks the
// sockets of others. temp is where an empty file can be made.
func (r *Room) Protect(temp string) error {
	if err := mask(r.View.Sockets, temp); err != nil {
		return err
	}
	if err := readOnly("/", true); err != nil {
		return err
	}
	for _, p := range r.View.trees() {
		// Not what is mounted below: that stays as it is.
		if err := unix.MountSetattr(-1, p, 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}); err != nil {
			return &os.PathError{Op: "read-only", Path: p, Err: err}
		}
	}
	return nil
}

// Restrict puts the restrictions of a box on this thread, for ever, and returns where
// its filter asks.
func (r *Room) Restrict(b *Box) (listener int, err error) { return b.restrict(r.View) }

// Watch answers what the filter of a box asks until stop can be read. It runs in the mount
// and process namespaces of the box, before the command is executed: that is asked about
// as well.
func (r *Room) Watch(b *Box, listener, stop int) { b.watcher(r.View, listener).serve(stop) }
