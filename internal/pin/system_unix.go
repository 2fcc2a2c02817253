//go:build unix

package pin

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// noFollow makes opening a link, or waiting for a FIFO, fail.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// mine reports whether a file belongs to this account and nobody else may write
// it.
func mine(i fs.FileInfo) bool {
	st, ok := i.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && i.Mode().Perm()&0o022 == 0
}

// tryLock takes a file's lock if nobody has it.
func tryLock(f *os.File) (taken bool, err error) {
	for {
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		}
		return err == nil, err
	}
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
