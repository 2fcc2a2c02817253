//go:build amd64 || arm64

package confine

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"

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
	dead, err := emptyFile(temp)
	if err != nil {
		return err
	}
	s := &stage{}
	s.mask(r.View.Sockets, dead)
	if err := s.now(); err != nil {
		return err
	}
	if err := os.Remove(dead); err != nil {
		return err
	}
	s = &stage{}
	s.readOnly("/", true)
	for _, p := range r.View.trees() {
		s.attribute(p, false, 0) // not what is mounted below: that stays as it is
	}
	return s.now()
}

// Restrict puts the restrictions of a box on this thread, for ever, and returns where
// its filter asks.
func (r *Room) Restrict(b *Box) (listener int, err error) {
	rules, err := b.ruleset(r.View)
	if err != nil {
		return -1, err
	}
	defer rules.close()
	s, fd := &stage{}, new(int32)
	if err := b.restrictions(s, rules, false, fd); err != nil {
		return -1, err
	}
	if err := s.now(); err != nil {
		return -1, err
	}
	return int(*fd), nil
}

// Watch answers what the filter of a box asks until stop can be read. It runs in the mount
// and process namespaces of the box, before the command is executed: that is asked about
// as well.
func (r *Room) Watch(b *Box, listener, stop int) { b.watcher(r.View, listener).serve(stop) }

// LoopbackUp switches the loopback of a new network namespace on.
func LoopbackUp() error {
	s := &stage{}
	s.loopback()
	return s.now()
}

// Private makes the mounts of a new namespace nobody else's business.
func Private() error {
	s := &stage{}
	s.private()
	return s.now()
}

// Attributes are those of a process in mount and, for a loopback of its own, network
// namespaces of its own, in which it may mount. Root needs no user namespace, and could
// not read files of others in one. A process in one has the capabilities to mount, to set
// up the network and to give up capabilities, and those in more.
func Attributes(net grant.Net, more ...uintptr) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if net.Own() {
		a.Cloneflags |= syscall.CLONE_NEWNET
	}
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 {
		a.Cloneflags |= syscall.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		// Who is not root there loses at execve(2) what is not ambient. It gives all up
		// before it becomes the command.
		a.AmbientCaps = append([]uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}, more...)
	}
	return a
}

// Send gives an order to a process that was started to become a command, as JSON. It is
// the only one.
func Send(ch *os.File, o any) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if _, err := ch.Write(text); err != nil {
		return fmt.Errorf("giving the order: %w", err)
	}
	return unix.Shutdown(int(ch.Fd()), unix.SHUT_WR)
}

// Receive takes an order. It is read to its end: what is left unread when a socket is
// closed breaks it for who reads the answer.
func Receive(ch *os.File, o any) error {
	text, err := io.ReadAll(ch)
	if err == nil {
		err = json.Unmarshal(text, o)
	}
	if err != nil {
		return fmt.Errorf("reading what is to be run: %w", err)
	}
	return nil
}
