//go:build unix

package daemon

import (
	"io/fs"
	"os"
	"syscall"
)

// ownsFile reports whether a file is this account's.
func ownsFile(i fs.FileInfo) bool {
	s, ok := i.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}
