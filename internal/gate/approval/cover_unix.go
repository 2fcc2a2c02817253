//go:build linux || darwin

package approval

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/ownfile"
	"golang.org/x/sys/unix"
)

// coverFile begins the names of the files that stand for commands which run with a
// person's yes.
const coverFile = "cover-"

// Cover opens what shows the children of this process that a person agreed to what
// runs here: a descriptor that they inherit. Programs that close what they inherit
// (close_fds of Python) close it too; their children are then asked about by themselves.
// It is given back when the last process that holds it ends.
func (s *Store) Cover() (*os.File, error) {
	root, err := s.open(true)
	if err != nil {
		return nil, fmt.Errorf("covering what it starts: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	sweep(root)
	name := coverFile + rand.Text()
	f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("covering what it starts: %w", err)
	}
	// The lock belongs to the open file, and so to all who inherit it: flock(2).
	if err = unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB); err == nil {
		_, err = unix.FcntlInt(f.Fd(), unix.F_SETFD, 0) // not closed by execve
	}
	if err != nil {
		_ = f.Close()         // the error that counts is known
		_ = root.Remove(name) // likewise
		return nil, fmt.Errorf("covering what it starts: %w", err)
	}
	return f, nil
}

// sweep removes covers that nobody holds any more.
func sweep(root *os.Root) {
	files, err := list(root)
	if err != nil {
		return // what is left is swept another time
	}
	for _, i := range files {
		if !strings.HasPrefix(i.Name(), coverFile) {
			continue
		}
		f, _, err := ownfile.Open(root, i.Name(), os.O_RDWR)
		if err != nil {
			continue
		}
		if unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil {
			_ = root.Remove(i.Name()) // it is swept another time
		}
		_ = f.Close() // nothing was written
	}
}

// maxFD is the highest descriptor that is looked at.
const maxFD = 255

// Covered reports whether this process was started, however many processes lie
// between, by a command that a person agreed to.
func (s *Store) Covered() bool {
	root, err := s.open(false)
	if err != nil {
		return false
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	files, err := list(root)
	if err != nil {
		return false
	}
	var covers []fs.FileInfo
	for _, i := range files {
		if strings.HasPrefix(i.Name(), coverFile) && ownfile.Mine(i) {
			covers = append(covers, i)
		}
	}
	for fd := 3; len(covers) > 0 && fd <= maxFD; fd++ {
		i, err := os.Stat("/dev/fd/" + strconv.Itoa(fd))
		if err != nil {
			continue
		}
		for _, c := range covers {
			if os.SameFile(i, c) {
				return true
			}
		}
	}
	return false
}
