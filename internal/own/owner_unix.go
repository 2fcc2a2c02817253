//go:build unix

package own

import (
	"io/fs"
	"syscall"
)

// rootsOnly reports whether only root can change a file.
func rootsOnly(i fs.FileInfo) bool {
	s, ok := i.Sys().(*syscall.Stat_t)
	return ok && s.Uid == 0 && i.Mode().Perm()&0o022 == 0
}
