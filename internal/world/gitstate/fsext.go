package gitstate

import (
	"sync/atomic"

	"github.com/heedsh/heed/internal/world"
)

// A RangeReader is an FS that can also read a part of a regular file: at most n
// bytes from off, fewer at its end. Pack files are far larger than what is
// wanted from them; without it, packs above 64 MiB are not read at all.
type RangeReader interface {
	ReadRange(path string, off int64, n int) ([]byte, error)
}

// A DirStater is an FS that can also describe many files of one directory at
// once, as Lstat would each. names are single elements, which nobody changes
// afterwards; out is as long. With an
// error nothing in out counts. It saves the kernel the walk to the directory for
// every file, which is half of the cost of a Status.
type DirStater interface {
	LstatIn(dir string, names []string, out []world.Info) error
}

// A Settler is an FS that is one look at the files, which says the same whenever it is
// asked again. It can also tell, of a directory that it has just described, that the next
// change of its entries will give it other times.
type Settler interface {
	Settled(dir string, info world.Info) bool
}

// settled reports whether what is read of a directory from now on may be kept for as
// long as its times stay.
func (g *Git) settled(dir string, info *world.Info) bool {
	if info.Kind != world.Dir || info.Ino == 0 {
		return false
	}
	if g.seen.at.Load()-info.CTime >= settle {
		return true
	}
	s, ok := g.fs.(Settler)
	return ok && s.Settled(dir, *info)
}

// A highWater remembers the latest change time that any file has shown. It tells,
// without a clock, that at least so much time had passed when something was read.
type highWater struct{ at atomic.Int64 }

func (h *highWater) see(i *world.Info) {
	for {
		old := h.at.Load()
		if i.CTime <= old || h.at.CompareAndSwap(old, i.CTime) {
			return
		}
	}
}

// settle is longer than the kernel's timestamps stand still (one tick, at most
// 10 ms): what is changed later than that has other times.
const settle = 20e6

// lstat describes one file.
func (g *Git) lstat(name string) (world.Info, error) {
	info, err := g.fs.Lstat(name)
	if err == nil {
		g.seen.see(&info)
	}
	return info, err
}

// lstatIn describes files of one directory; failed names the positions where that
// was not possible.
func (g *Git) lstatIn(dir string, names []string, out []world.Info) (failed []int) {
	if len(names) == 0 {
		return nil
	}
	if g.dirs == nil || len(names) < 2 || g.dirs.LstatIn(dir, names, out) != nil {
		for i, name := range names {
			var err error
			if out[i], err = g.fs.Lstat(join(dir, name)); err != nil {
				failed = append(failed, i)
			}
		}
	}
	for i := range names {
		g.seen.see(&out[i])
	}
	return failed
}

// join adds a clean relative path to a clean absolute one.
func join(dir, name string) string {
	if dir == "/" {
		return "/" + name
	}
	return dir + "/" + name
}

// list returns the entries of a directory whose facts have just been read. A
// listing is kept as long as the directory's change time stays, if it was made
// surely after the instant of that change: adding two files in one tick of the
// clock looks like adding one.
func (g *Git) list(dir string, info *world.Info, limit int) ([]world.Entry, error) {
	key, st := cacheKey{kind: kindDir, path: dir}, stampOf(*info)
	if v, _, ok := g.cache.get(key, st); ok {
		all := v.([]world.Entry)
		if len(all) > limit {
			return all[:limit], world.ErrTooLarge
		}
		return all, nil
	}
	settled := g.settled(dir, info)
	entries, err := g.fs.ReadDir(dir, limit)
	if err == nil && settled {
		g.cache.put(key, st, entries, nil, int64(64*len(entries)))
	}
	return entries, err
}
