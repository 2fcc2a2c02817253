//go:build linux && !amd64

package osworld

import (
	"syscall"

	"github.com/heedsh/heed/internal/world"
)

// lstat asks the kernel about path, without the allocations of os.Lstat.
func lstat(path string) (world.Info, error) {
	var st syscall.Stat_t
	for {
		err := syscall.Lstat(path, &st)
		if err == syscall.EINTR { // as package os does; see go.dev/issue/38033
			continue
		}
		if err != nil {
			return world.Info{}, err
		}
		return infoOf(&st), nil
	}
}
