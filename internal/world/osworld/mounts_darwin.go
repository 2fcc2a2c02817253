package osworld

import (
	"fmt"
	"syscall"

	"github.com/heedsh/heed/internal/world/osworld/mountinfo"
)

// mntNoWait is MNT_NOWAIT: answer from what the kernel has at hand instead of
// asking the servers, which may not answer. Source: getfsstat(2).
const mntNoWait = 2

// maxMounts bounds the number of mounts that are looked at.
const maxMounts = 16384

// readMounts asks the kernel for its mounts.
func readMounts() (mountinfo.Table, error) {
	var t mountinfo.Table
	for room := 64; ; room *= 2 {
		buf := make([]syscall.Statfs_t, room)
		n, err := syscall.Getfsstat(buf, mntNoWait)
		if err != nil {
			return t, fmt.Errorf("getfsstat: %w", err)
		}
		if n >= room { // there may be more
			if room > maxMounts {
				return t, fmt.Errorf("getfsstat: more than %d mounts", maxMounts)
			}
			continue
		}
		for i := range buf[:n] {
			s := &buf[i]
			dev := uint64(uint32(s.Fsid.Val[0]))
			t.Add(mountinfo.New(cString(s.Mntonname[:]), cString(s.Fstypename[:]), "", dev))
		}
		return t, nil
	}
}

func cString(chars []int8) string {
	b := make([]byte, 0, len(chars))
	for _, c := range chars {
		if c == 0 {
			break
		}
		b = append(b, byte(c))
	}
	return string(b)
}
