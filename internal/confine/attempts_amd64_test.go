//go:build linux

package confine_test

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// segments asks for this process's own segments, which modify_ldt(2) also changes.
func segments() error {
	var buf [16]byte
	return call(unix.SYS_MODIFY_LDT, 0, uintptr(unsafe.Pointer(&buf)), uintptr(len(buf)))
}

// ports asks for a port that only delays.
func ports() error { return call(unix.SYS_IOPERM, 0x80, 1, 1) }
