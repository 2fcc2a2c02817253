package osworld

import (
	"syscall"

	"github.com/heedsh/heed/internal/world"
)

func infoOf(st *syscall.Stat_t) world.Info {
	kind, mode := splitMode(st.Mode)
	return world.Info{
		Kind:  kind,
		Mode:  mode,
		Size:  st.Size,
		MTime: st.Mtim.Nano(),
		CTime: st.Ctim.Nano(),
		UID:   int(st.Uid),
		GID:   int(st.Gid),
		Dev:   st.Dev,
		Ino:   st.Ino,
		Links: uint64(st.Nlink), // 32 bits on arm64
	}
}
