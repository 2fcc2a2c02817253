package daemon

import (
	"fmt"
	"net"

	"golang.org/x/sys/unix"
)

// peerOf asks the kernel who is at the other end, as it was when the connection, or the
// socket, was made. Source: unix(7), SO_PEERCRED.
func peerOf(c *net.UnixConn) (uid, pid int, err error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, 0, fmt.Errorf("asking who is at the other end: %w", err)
	}
	var cred *unix.Ucred
	var inner error
	err = raw.Control(func(fd uintptr) { cred, inner = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) })
	if err == nil {
		err = inner
	}
	if err != nil {
		return 0, 0, fmt.Errorf("asking who is at the other end: %w", err)
	}
	return int(cred.Uid), int(cred.Pid), nil
}
