//go:build unix

package audit

import (
	"errors"
	"os"
	"syscall"
)

// full reports whether an error says that there is no room.
func full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}

// syncDir puts the names in a directory on the disk.
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
