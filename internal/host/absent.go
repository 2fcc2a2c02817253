package host

import (
	"sync"
	"time"

	"github.com/heedsh/heed/internal/world"
)

// settled is how old the last change of a directory must be for what is not in it
// to be remembered: the file systems of [stamps] take the time of the kernel's last
// tick (ktime_get_coarse_real_ts64; at the slowest, CONFIG_HZ=100, every 10 ms), and
// two changes within a tick look like one.
const settled = 100 * time.Millisecond

// Bounds of what is remembered; past them it begins anew.
const (
	maxVacancies = 256
	maxNames     = 256
)

// absences remembers between looks which names a directory did not hold. Most
// questions about files are about files that are not there, the same ones for every
// command; a directory whose inode and times are the same has the same names
// (the Linux file systems of [stamps]: inode_operations that change entries
// update st_mtime and st_ctime, stat(2), POSIX.1-2024 4.12). It is safe for
// concurrent use.
type absences struct {
	mu   sync.Mutex
	dirs map[inode]*vacancy
}

type inode struct{ dev, ino uint64 }

// A vacancy is what one directory does not hold, as long as its times are these.
type vacancy struct {
	mtime, ctime int64
	names        map[string]struct{}
}

// stamps reports whether a file system of a type keeps the times of directories
// exactly, on this machine alone.
func stamps(m world.Mount) bool {
	if m.Remote {
		return false
	}
	switch m.Type {
	case "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "tmpfs", "overlay", "zfs", "apfs":
		return true
	}
	return false
}

// quiet reports whether a directory has not changed for long enough before a
// moment.
func quiet(dir world.Info, now time.Time) bool {
	last := now.Add(-settled).UnixNano()
	return dir.Kind == world.Dir && dir.Ino != 0 && dir.MTime < last && dir.CTime < last
}

// lacks reports whether a directory is known not to hold a name.
func (a *absences) lacks(dir world.Info, name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	v := a.dirs[inode{dir.Dev, dir.Ino}]
	if v == nil || v.mtime != dir.MTime || v.ctime != dir.CTime {
		return false
	}
	_, absent := v.names[name]
	return absent
}

// learn remembers that a directory, described before the look for it, does not
// hold a name.
func (a *absences) learn(dir world.Info, name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at := inode{dir.Dev, dir.Ino}
	v := a.dirs[at]
	if v == nil || v.mtime != dir.MTime || v.ctime != dir.CTime || len(v.names) >= maxNames {
		if a.dirs == nil || v == nil && len(a.dirs) >= maxVacancies {
			a.dirs = make(map[inode]*vacancy)
		}
		v = &vacancy{mtime: dir.MTime, ctime: dir.CTime, names: make(map[string]struct{})}
		a.dirs[at] = v
	}
	v.names[name] = struct{}{}
}
