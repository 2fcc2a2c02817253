//go:build unix

package ownfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// noFollow makes opening a link, or waiting for a FIFO, fail.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// Mine reports whether a file belongs to this account and nobody else may write
// it.
func Mine(i fs.FileInfo) bool {
	st, ok := i.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid() && i.Mode().Perm()&0o022 == 0
}

// TryLock takes a file's lock, alone or shared, if nobody has it. The lock ends
// with the process, whatever becomes of it.
func TryLock(f *os.File, shared bool) (taken bool, err error) {
	how := syscall.LOCK_EX
	if shared {
		how = syscall.LOCK_SH
	}
	for {
		err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		}
		return err == nil, err
	}
}

// SyncDir waits until the disk has the names in a directory.
func SyncDir(root *os.Root) error {
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
