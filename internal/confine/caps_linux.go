//go:build amd64 || arm64

package confine

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// kept are the capabilities that a confined root keeps: those to read and write files of
// others, within Landlock's rules, and to become somebody else.
const kept = 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH | 1<<unix.CAP_CHOWN | 1<<unix.CAP_FOWNER | 1<<unix.CAP_FSETID |
	1<<unix.CAP_SETUID | 1<<unix.CAP_SETGID | 1<<unix.CAP_KILL | 1<<unix.CAP_NET_BIND_SERVICE

// capabilities adds the steps that take all others from a thread and from what it starts.
// In a user namespace of its own, where a process has all of them, it keeps none. It says
// nothing of who has none.
func (s *stage) capabilities(own bool) error {
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	data := &[2]unix.CapUserData{}
	if err := unix.Capget(header, &data[0]); err != nil {
		return fmt.Errorf("reading capabilities: %w", err)
	}
	if !own && data[0].Permitted == 0 && data[1].Permitted == 0 {
		return nil
	}
	keep := uint32(kept)
	if own {
		keep = 0
	}
	about := say{op: "giving up capabilities"}
	for c := range uintptr(64) {
		if keep>>c&1 == 1 {
			continue
		}
		if _, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, c, 0, 0, 0); errors.Is(err, unix.EINVAL) {
			break // there are no more
		}
		s.add(about, unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, c, 0, 0, 0)
	}
	data[0].Permitted &= keep
	data[0].Effective &= keep
	data[0].Inheritable, data[1] = 0, unix.CapUserData{}
	s.add(about, unix.SYS_CAPSET, hold(s, header), hold(s, &data[0]))
	return nil
}

// seccompOperation asks about one of the operations of seccomp(2).
func seccompOperation(op uintptr, value *uint32) error {
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, op, 0, uintptr(unsafe.Pointer(value))); errno != 0 {
		return errno
	}
	return nil
}
