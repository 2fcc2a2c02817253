//go:build unix

package approval

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// noFollow makes opening a link, or waiting for a FIFO, fail.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// mine reports whether a file belongs to this account and nobody else may
// write it.
func mine(i fs.FileInfo) bool {
	st, ok := i.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && i.Mode().Perm()&0o022 == 0
}

// syncDir waits until the disk has the names of a directory.
func syncDir(root *os.Root) error {
	d, err := root.Open(".")
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) { // some file systems cannot
		return err
	}
	return nil
}
