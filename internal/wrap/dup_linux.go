package wrap

import "golang.org/x/sys/unix"

// dup is dup2(2), which some of Linux's architectures do not have.
func dup(old, fd int) error { return unix.Dup3(old, fd, 0) }
