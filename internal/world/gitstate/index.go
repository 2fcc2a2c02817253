package gitstate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
)

// maxIndex bounds an index: a million files take about 100 MiB.
const maxIndex = 200 << 20

var (
	errIndex     = errors.New("malformed index")
	errUnordered = errors.New("unordered index entries")
)

// An entry is one file of the index (gitformat-index(5)), with the facts about the
// file in the work tree at the time it was added or refreshed.
type entry struct {
	path         string
	id           oid
	mtime, ctime int64 // nanoseconds since the epoch; 0: not recorded
	mtimeNsec    bool  // mtime has more than whole seconds
	mode         uint32
	size         uint32 // truncated
	ino          uint32 // truncated
	flags        entryFlags
}

type entryFlags uint16

// The flags of an entry that matter here; the lowest two bits are the stage.
const (
	stageMask    entryFlags = 3
	skipWorktree entryFlags = 1 << 2 // the file need not be in the work tree
	intentToAdd  entryFlags = 1 << 3 // git add -N: the path without content
	noStat       entryFlags = 1 << 4 // made from a tree, never seen on disk
	assumeValid  entryFlags = 1 << 5 // git takes the file for unchanged
)

func (e *entry) stage() int      { return int(e.flags & stageMask) }
func (e *entry) isGitlink() bool { return e.mode&modeType == modeGitlink }
func (e *entry) isSparse() bool  { return e.mode&modeType == modeDir }

// An index is a parsed index file. It is not changed once it is made, apart from
// what it remembers under mu.
type index struct {
	entries []entry // sorted by path, then stage
	tree    *cacheTree
	link    *indexLink // set: some entries are in another file
	base    *dep       // that file

	mu     sync.Mutex
	staged map[oid]*stagedPaths // by the commit it was compared with
	folded map[string]int
}

// parseIndex reads an index of version 2, 3 or 4. Its checksum is not verified, as
// git does not when it reads one.
func parseIndex(data []byte, algo hashAlgo) (*index, error) {
	const headLen = 12
	if len(data) < headLen+algo.size() || string(data[:4]) != "DIRC" {
		return nil, errIndex
	}
	version := binary.BigEndian.Uint32(data[4:])
	count := binary.BigEndian.Uint32(data[8:])
	if version < 2 || version > 4 {
		return nil, fmt.Errorf("%w: version %d", errIndex, version)
	}
	p := &indexParser{data: data[:len(data)-algo.size()], algo: algo, v4: version == 4, at: headLen}
	if int64(count) > int64(len(data))/int64(p.fixed()) {
		return nil, errIndex
	}
	p.raw = string(p.data)
	x := &index{entries: make([]entry, count)}
	if err := p.readEntries(x.entries); err != nil {
		return nil, err
	}
	if err := p.extensions(x); err != nil {
		return nil, err
	}
	if x.link == nil {
		return x, x.check()
	}
	return x, nil
}

// check refuses an index that is not in order or holds paths that are none.
func (x *index) check() error {
	for i := range x.entries {
		e := &x.entries[i]
		if !validPath(strings.TrimSuffix(e.path, dirMark(e))) {
			return fmt.Errorf("%w: path %q", errIndex, e.path)
		}
		if i > 0 && !before(&x.entries[i-1], e) {
			return errUnordered
		}
	}
	return nil
}

// dirMark is the slash that ends the path of a sparse directory.
func dirMark(e *entry) string {
	if e.isSparse() {
		return "/"
	}
	return ""
}

func before(a, b *entry) bool {
	if c := strings.Compare(a.path, b.path); c != 0 {
		return c < 0
	}
	return a.stage() < b.stage()
}

// validPath refuses what git's verify_path does: paths that would leave the work
// tree or enter .git.
func validPath(p string) bool {
	if len(p) > 0 && len(p) <= maxPath && p[0] != '.' && p[0] != '/' && p[len(p)-1] != '/' &&
		!strings.Contains(p, "/.") && !strings.Contains(p, "//") {
		return true // as nearly all are
	}
	start := 0
	for i := 0; i <= len(p); i++ {
		if i < len(p) && p[i] != '/' {
			continue
		}
		switch elem := p[start:i]; {
		case elem == "", elem == ".", elem == "..", len(elem) == 4 && asciiLower(elem) == ".git":
			return false
		}
		start = i + 1
	}
	return len(p) <= maxPath
}

// indexParser reads the entries of one file.
type indexParser struct {
	data []byte
	raw  string // the same bytes; paths and ids are parts of it
	algo hashAlgo
	v4   bool
	at   int

	// Version 4 writes a path as what it changes of the one before; the paths
	// are put together here, and cut into entries at the end.
	names []byte
	ends  []int
}

// fixed is the length of an entry before its path: 40 bytes of stat data, the id,
// and two bytes of flags.
func (p *indexParser) fixed() int { return 40 + p.algo.size() + 2 }

func (p *indexParser) readEntries(out []entry) error {
	for i := range out {
		if err := p.entry(&out[i]); err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
	}
	if p.v4 {
		names, start := string(p.names), 0
		for i := range out {
			out[i].path = names[start:p.ends[i]]
			start = p.ends[i]
		}
		p.names = nil
	}
	return nil
}

func (p *indexParser) entry(e *entry) error {
	if len(p.data)-p.at < p.fixed() {
		return errIndex
	}
	b := p.data[p.at:]
	u32 := func(i int) uint32 { return binary.BigEndian.Uint32(b[i:]) }
	e.ctime, _ = timestamp(u32(0), u32(4))
	e.mtime, e.mtimeNsec = timestamp(u32(8), u32(12))
	e.ino, e.mode, e.size = u32(20), u32(24), u32(36)
	idAt := p.at + 40
	e.id = oid(p.raw[idAt : idAt+p.algo.size()])
	flags := binary.BigEndian.Uint16(b[p.fixed()-2:])
	e.flags = entryFlags(flags >> 12 & 3)
	if flags&0x8000 != 0 {
		e.flags |= assumeValid
	}
	nameAt := p.fixed()
	if flags&0x4000 != 0 { // extended
		if len(b) < nameAt+2 {
			return errIndex
		}
		more := binary.BigEndian.Uint16(b[nameAt:])
		if more&0x4000 != 0 {
			e.flags |= skipWorktree
		}
		if more&0x2000 != 0 {
			e.flags |= intentToAdd
		}
		nameAt += 2
	}
	if p.v4 {
		return p.shortPath(nameAt)
	}
	return p.longPath(e, nameAt, int(flags&0xfff))
}

func timestamp(sec, nsec uint32) (ns int64, fine bool) {
	return int64(sec)*1e9 + int64(nsec), nsec != 0
}

// longPath reads the path of a version 2 or 3 entry; one to eight NUL bytes after
// it bring the entry to a multiple of eight.
func (p *indexParser) longPath(e *entry, nameAt, length int) error {
	name := p.raw[p.at+nameAt:]
	if length < 0xfff {
		if length >= len(name) || name[length] != 0 {
			return errIndex
		}
	} else if length = strings.IndexByte(name, 0); length < 0xfff {
		return errIndex
	}
	e.path = name[:length]
	p.at += (nameAt + length + 8) &^ 7
	if p.at > len(p.data) {
		return errIndex
	}
	return nil
}

// shortPath reads the path of a version 4 entry: how many bytes to drop from the
// end of the one before, and what to add.
func (p *indexParser) shortPath(nameAt int) error {
	rest := p.raw[p.at+nameAt:]
	drop, n := parseOffset(p.data[p.at+nameAt:])
	if n == 0 {
		return errIndex
	}
	end := strings.IndexByte(rest[n:], 0)
	start, last := 0, len(p.names)
	if len(p.ends) > 1 {
		start = p.ends[len(p.ends)-2]
	}
	if end < 0 || drop > int64(last-start) {
		return errIndex
	}
	// Shared beginnings must not make much out of little.
	if keep := last - start - int(drop); last+keep+end > 4*len(p.data)+1<<20 {
		return errIndex
	}
	p.names = append(p.names, p.names[start:last-int(drop)]...)
	p.names = append(p.names, rest[n:n+end]...)
	p.ends = append(p.ends, len(p.names))
	p.at += nameAt + n + end + 1
	return nil
}

// find returns the first entry of path, at any stage.
func (x *index) find(path string) (int, bool) {
	i := sort.Search(len(x.entries), func(i int) bool { return x.entries[i].path >= path })
	return i, i < len(x.entries) && x.entries[i].path == path
}

// below returns the range of entries whose path begins with dir, which ends in a
// slash; an empty dir is the whole index.
func (x *index) below(dir string) (lo, hi int) {
	if dir == "" {
		return 0, len(x.entries)
	}
	lo = sort.Search(len(x.entries), func(i int) bool { return x.entries[i].path >= dir })
	return lo, endOf(x.entries, dir, lo)
}

// endOf returns the end of the run of entries at from that begin with dir. The run
// is most often short: it is looked for in growing steps.
func endOf(entries []entry, dir string, from int) int {
	in := func(i int) bool { return strings.HasPrefix(entries[i].path, dir) }
	lo, step := from, 1
	for lo+step <= len(entries) && in(lo+step-1) {
		lo += step
		step *= 2
	}
	end := min(lo+step-1, len(entries))
	return lo + sort.Search(end-lo, func(i int) bool { return !in(lo + i) })
}

// findFold finds a path without regard to the case of ASCII letters.
func (x *index) findFold(path string) (int, bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.folded == nil {
		x.folded = make(map[string]int, len(x.entries))
		for i := len(x.entries) - 1; i >= 0; i-- {
			x.folded[asciiLower(x.entries[i].path)] = i
		}
	}
	i, ok := x.folded[asciiLower(path)]
	return i, ok
}
