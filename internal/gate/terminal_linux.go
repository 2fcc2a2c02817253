package gate

import "golang.org/x/sys/unix"

// discard throws away what was typed on a terminal and not read.
func discard(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
