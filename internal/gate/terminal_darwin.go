package gate

import "golang.org/x/sys/unix"

// Discard throws away what was typed on a terminal and not read. FREAD of
// sys/fcntl.h is 1.
func Discard(fd int) error { return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, 1) }
