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

// maxHeld is how many entries a directory may have for its listing to be kept.
const maxHeld = 128

// absences remembers between looks which names a directory did not hold, and all
// that a small one did. Most questions about files are about files that are not
// there, the same ones for every command; a directory whose inode and times are the
// same has the same names, and each is of the same kind (the Linux file systems of
// [stamps]: inode_operations that change entries update st_mtime and st_ctime,
// stat(2), POSIX.1-2024 4.12). It is safe for concurrent use.
type absences struct {
	mu   sync.Mutex
	dirs map[inode]*vacancy
}

type inode struct{ dev, ino uint64 }

// A vacancy is what one directory does not hold, as long as its times are these,
// and what it holds, if that was listed.
type vacancy struct {
	mtime, ctime int64
	names        map[string]struct{}
	listed       bool
	held         []world.Entry
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

// before returns when a directory must have changed last, in nanoseconds since 1970, for
// a look at a moment to keep what it sees of it.
func before(moment time.Time) int64 { return moment.Add(-settled).UnixNano() }

// quiet reports whether a directory has not changed since a moment.
func quiet(dir *world.Info, last int64) bool {
	return dir.Kind == world.Dir && dir.Ino != 0 && dir.MTime < last && dir.CTime < last
}

// of returns what is known of a directory as it is now, nil if nothing is. It
// wants the lock.
func (a *absences) of(dir world.Info) *vacancy {
	v := a.dirs[inode{dir.Dev, dir.Ino}]
	if v == nil || v.mtime != dir.MTime || v.ctime != dir.CTime {
		return nil
	}
	return v
}

// made returns what is known of a directory, to be added to. It wants the lock.
func (a *absences) made(dir world.Info) *vacancy {
	v := a.of(dir)
	if v == nil {
		at := inode{dir.Dev, dir.Ino}
		if a.dirs == nil || a.dirs[at] == nil && len(a.dirs) >= maxVacancies {
			a.dirs = make(map[inode]*vacancy)
		}
		v = &vacancy{mtime: dir.MTime, ctime: dir.CTime}
		a.dirs[at] = v
	}
	return v
}

// lacks reports whether a directory is known not to hold a name.
func (a *absences) lacks(dir world.Info, name string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	v := a.of(dir)
	if v == nil {
		return false
	}
	_, absent := v.names[name]
	return absent
}

// without drops the names that a directory is known not to hold.
func (a *absences) without(dir world.Info, names []string) (rest []string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	v := a.of(dir)
	if v == nil {
		return names
	}
	for _, name := range names {
		if _, absent := v.names[name]; !absent {
			rest = append(rest, name)
		}
	}
	return rest
}

// learn remembers that a directory, described before the look for it, does not
// hold a name.
func (a *absences) learn(dir world.Info, name string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	v := a.made(dir)
	if v.names == nil || len(v.names) >= maxNames {
		v.names = make(map[string]struct{})
	}
	v.names[name] = struct{}{}
}

// held returns the whole listing of a directory, if it is known.
func (a *absences) held(dir world.Info) ([]world.Entry, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	v := a.of(dir)
	if v == nil {
		return nil, false
	}
	return v.held, v.listed
}

// hold remembers the whole listing of a directory, described before it was read.
// Nobody changes it from here on.
func (a *absences) hold(dir world.Info, entries []world.Entry) {
	if len(entries) > maxHeld {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	v := a.made(dir)
	v.listed, v.held = true, entries
}
