package gitstate

import "github.com/heedsh/heed/internal/world"

// maxHash bounds a file that is hashed to see whether it has changed.
const maxHash = 1 << 20

// A match says how an entry's stat data compare with a file's.
type match uint8

const (
	same    match = iota // the file is as the index knows it
	changed              // it is not
	unsure               // only its bytes can tell
)

// compare follows git's ce_match_stat: type, executable bit and size decide;
// other differences, and a file that may have been written after the index in the
// same instant, leave it to the bytes ("racy git", in git's technical documentation).
func (e *entry) compare(info *world.Info, set *settings, indexTime int64) match {
	switch e.mode & modeType {
	case modeFile:
		if info.Kind != world.Regular || (set.fileMode && (e.mode&0o100 != 0) != (info.Mode&0o100 != 0)) {
			return changed
		}
	case modeLink:
		if info.Kind != world.Symlink && (set.symlinks || info.Kind != world.Regular) {
			return changed
		}
	default:
		return changed
	}
	if e.flags&intentToAdd != 0 {
		return changed
	}
	if e.flags&noStat != 0 {
		return unsure
	}
	if e.size != uint32(info.Size) {
		if e.size == 0 { // also how git marks an entry that it could not be sure of
			return unsure
		}
		return changed
	}
	if !e.sameTimes(info, set) || e.racy(indexTime) {
		return unsure
	}
	return same
}

const second = int64(1e9)

func (e *entry) sameTimes(info *world.Info, set *settings) bool {
	if e.mtimeNsec && set.fullStat {
		if e.mtime != info.MTime {
			return false
		}
	} else if e.mtime/second != info.MTime/second {
		return false
	}
	// What a writer of the index did not record is 0.
	if set.trustCTime && set.fullStat && e.ctime != 0 && e.ctime/second != info.CTime/second {
		return false
	}
	return !set.fullStat || e.ino == 0 || e.ino == uint32(info.Ino)
}

// racy reports whether the file may have changed after the index was written
// without its times showing it.
func (e *entry) racy(indexTime int64) bool {
	if e.mtimeNsec {
		return e.mtime >= indexTime
	}
	return e.mtime/second >= indexTime/second
}

// sameBytes hashes a file that is small enough and compares it with the entry's
// blob. The id is kept under the file's inode facts.
func (r *repo) sameBytes(e *entry, abs string, info *world.Info) bool {
	if info.Size > maxHash {
		return false
	}
	key, st := cacheKey{kind: kindBlobID, path: abs, at: int64(r.algo)}, stampOf(*info)
	if v, _, ok := r.g.cache.get(key, st); ok {
		return v.(oid) == e.id
	}
	var data []byte
	var err error
	if info.Kind == world.Symlink {
		var text string
		text, err = r.g.fs.Readlink(abs)
		data = []byte(text)
	} else {
		data, err = r.g.fs.ReadFile(abs, maxHash)
	}
	if err != nil {
		return false
	}
	id := r.algo.blobID(data)
	r.g.cache.put(key, st, id, nil, 256)
	return id == e.id
}

// gitlinkModified compares a submodule's HEAD with the commit the index wants. One
// that is not checked out is as it should be.
func (r *repo) gitlinkModified(e *entry, abs string) bool {
	info, err := r.g.lstat(join(abs, ".git"))
	if err != nil {
		return true
	}
	if info.Kind == world.Missing {
		return false
	}
	sub, err := r.g.With(r.g.fs, Options{}).at(abs)
	if err != nil || sub == nil {
		return true
	}
	id, _ := sub.head()
	return id != e.id
}
