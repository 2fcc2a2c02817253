package wrap

import "golang.org/x/sys/unix"

func dup(old, fd int) error { return unix.Dup2(old, fd) }
