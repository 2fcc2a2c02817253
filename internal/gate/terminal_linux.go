package gate

import "golang.org/x/sys/unix"

// Discard throws away what was typed on a terminal and not read.
func Discard(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
