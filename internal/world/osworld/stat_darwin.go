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

func infoOf(st *syscall.Stat_t) world.Info {
	kind, mode := splitMode(uint32(st.Mode))
	return world.Info{
		Kind:  kind,
		Mode:  mode,
		Size:  st.Size,
		MTime: st.Mtimespec.Nano(),
		CTime: st.Ctimespec.Nano(),
		UID:   int(st.Uid),
		GID:   int(st.Gid),
		Dev:   uint64(st.Dev),
		Ino:   st.Ino,
		Links: uint64(st.Nlink),
	}
}
