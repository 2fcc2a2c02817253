package gitstate

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// An objectType is a type of object as packs number it (gitformat-pack(5)).
type objectType uint8

const (
	typeCommit   objectType = 1
	typeTree     objectType = 2
	typeBlob     objectType = 3
	typeTag      objectType = 4
	typeOfsDelta objectType = 6
	typeRefDelta objectType = 7
)

const (
	// minAbbrev is MINIMUM_ABBREV of git.
	minAbbrev = 4
	// maxAlternateDepth is the bound in git's link_alt_odb_entry.
	maxAlternateDepth = 5
	maxAlternates     = 32
	maxAlternateFile  = 64 << 10
	maxPackDir        = 20_000
	// maxPacks bounds the packs that are opened.
	maxPacks = 2_000
	// maxCandidates bounds the ids that share an abbreviation.
	maxCandidates = 64
	// maxQuestion bounds the bytes inflated for one question: objects are named by
	// their hash, but nobody has checked, and one small file can be named a
	// million times.
	maxQuestion = 512 << 20
	// maxKeptBase bounds the delta bases and trees that are kept.
	maxKeptBase = 1 << 20
)

var errQuestion = errors.New("too much to inflate")

// An objectDB reads the objects of one repository, for one question.
type objectDB struct {
	g     *Git
	algo  hashAlgo
	own   string   // its own directory
	all   []string // that one and those it borrows from, once asked for
	stamp stamp    // of the objects directory: tells two repositories at one path apart
	packs []*pack
	read1 bool // packs has been filled
	fresh bool // packs has been read from the disk, not from the cache
	work  int  // bytes inflated so far
}

func (r *repo) objects() *objectDB {
	db := &objectDB{g: r.g, algo: r.algo, own: r.objectsDir}
	if info, err := r.g.stat(r.objectsDir); err == nil {
		db.stamp = stamp{kind: info.Kind, dev: info.Dev, ino: info.Ino}
	}
	return db
}

// dirs returns the directories that objects are in. What was read before is asked of
// none of them.
func (db *objectDB) dirs() []string {
	if len(db.all) > 0 {
		return db.all
	}
	db.addDir(db.own, 0)
	for dir := range strings.SplitSeq(db.g.opt.Env["GIT_ALTERNATE_OBJECT_DIRECTORIES"], ":") {
		if path.IsAbs(dir) {
			db.addDir(path.Clean(dir), 1)
		}
	}
	return db.all
}

// addDir adds an objects directory and those it borrows from
// (gitrepository-layout(5), objects/info/alternates).
func (db *objectDB) addDir(dir string, depth int) {
	if depth > maxAlternateDepth || len(db.all) >= maxAlternates || slices.Contains(db.all, dir) {
		return
	}
	db.all = append(db.all, dir)
	lines, _, _ := load(db.g, kindAlternates, join(dir, "info/alternates"), maxAlternateFile, parseLines)
	for _, line := range lines {
		if line != "" && line[0] != '#' && line[0] != '"' {
			db.addDir(absolute(dir, line), depth+1)
		}
	}
}

func parseLines(data []byte) ([]string, error) {
	return strings.Split(strings.TrimRight(string(data), "\n"), "\n"), nil
}

// loadPacks lists the packs; again reads the directories even if they look the same.
func (db *objectDB) loadPacks(again bool) {
	db.read1, db.packs, db.fresh = true, nil, again
	for _, dir := range db.dirs() {
		dir = join(dir, "pack")
		info, err := db.g.stat(dir)
		if err != nil || info.Kind != world.Dir {
			continue
		}
		key, st := cacheKey{kind: kindPackDir, path: dir}, stampOf(info)
		if v, _, ok := db.g.cache.get(key, st); ok && !again {
			db.packs = append(db.packs, v.([]*pack)...)
			continue
		}
		packs := db.openPacks(dir)
		db.g.cache.put(key, st, packs, nil, int64(2048*len(packs)))
		db.packs = append(db.packs, packs...)
	}
}

// openPacks opens every pack of a directory that can be opened.
func (db *objectDB) openPacks(dir string) []*pack {
	var out []*pack
	entries, err := db.g.fs.ReadDir(dir, maxPackDir)
	if err != nil && !errors.Is(err, world.ErrTooLarge) {
		return nil
	}
	for _, e := range entries {
		base, ok := strings.CutSuffix(e.Name, ".idx")
		if !ok || !strings.HasPrefix(base, "pack-") || len(out) >= maxPacks {
			continue
		}
		if p, err := db.g.openPack(join(dir, base), db.algo); err == nil {
			out = append(out, p)
		}
	}
	return out
}

// locate finds the pack that holds id.
func (db *objectDB) locate(id oid) (*pack, int64, bool) {
	if !db.read1 {
		db.loadPacks(false)
	}
	for _, p := range db.packs {
		if off, ok, err := p.idx.find(id); err == nil && ok {
			return p, off, true
		}
	}
	return nil, 0, false
}

func loosePath(dir string, id oid) string {
	hex := id.hex()
	return join(dir, hex[:2]+"/"+hex[2:])
}

// has reports whether the object is there now.
func (db *objectDB) has(id oid) bool {
	if _, _, ok := db.locate(id); ok {
		return true
	}
	for _, dir := range db.dirs() {
		if info, err := db.g.stat(loosePath(dir, id)); err == nil && info.Kind == world.Regular {
			return true
		}
	}
	return false
}

// read returns an object. Its bytes must not be changed.
func (db *objectDB) read(id oid) (objectType, []byte, error) {
	if len(id) != db.algo.size() {
		return 0, nil, errObject
	}
	for db.work < maxQuestion {
		if p, off, ok := db.locate(id); ok {
			typ, data, err := p.read(db, off)
			db.work += len(data)
			if err == nil || db.fresh {
				return typ, data, err
			}
		}
		for _, dir := range db.dirs() {
			data, err := db.g.fs.ReadFile(loosePath(dir, id), maxObject)
			if err == nil {
				typ, data, err := db.loose(data)
				db.work += len(data)
				return typ, data, err
			}
		}
		if db.fresh {
			return 0, nil, fmt.Errorf("object %s: %w", id.hex(), world.ErrNotExist)
		}
		db.loadPacks(true) // it may have been packed a moment ago
	}
	return 0, nil, errQuestion
}

// loose inflates a loose object: "type size\0" and its bytes.
func (db *objectDB) loose(data []byte) (typ objectType, body []byte, err error) {
	err = db.g.pool.with(bytes.NewReader(data), func(z io.Reader) (err error) {
		var size int64
		if typ, size, err = looseHead(z); err != nil {
			return err
		}
		if size > maxObject {
			return errObjectSize
		}
		body, err = readExactly(z, size)
		return err
	})
	if err == nil && typ == 0 {
		err = errObject
	}
	if err != nil {
		return 0, nil, fmt.Errorf("loose object: %w", err)
	}
	return typ, body, nil
}

func typeNamed(s string) objectType {
	switch s {
	case "commit":
		return typeCommit
	case "tree":
		return typeTree
	case "blob":
		return typeBlob
	case "tag":
		return typeTag
	}
	return 0
}

// A keptObject is an object in the cache.
type keptObject struct {
	typ  objectType
	data []byte
}

func baseKey(p *pack, e packEntry) cacheKey { return cacheKey{kindObject, p.data.path, e.base} }

// cachedBase returns the base of an ofs-delta if it has been kept.
func (db *objectDB) cachedBase(p *pack, e packEntry) (objectType, []byte, bool) {
	if e.typ != typeOfsDelta {
		return 0, nil, false
	}
	v, _, ok := db.g.cache.get(baseKey(p, e), p.data.stamp)
	if !ok {
		return 0, nil, false
	}
	k := v.(keptObject)
	return k.typ, k.data, true
}

// keepBase keeps the base of an ofs-delta; neighbours in a pack share it.
func (db *objectDB) keepBase(p *pack, e packEntry, typ objectType, data []byte) {
	if e.typ == typeOfsDelta && typ != typeBlob && len(data) <= maxKeptBase {
		db.g.cache.put(baseKey(p, e), p.data.stamp, keptObject{typ, data}, nil, int64(len(data)))
	}
}

// withPrefix lists the objects whose id begins with hex digits.
func (db *objectDB) withPrefix(prefix string) ([]oid, error) {
	if !db.read1 {
		db.loadPacks(false)
	}
	var out []oid
	raw, err := hex.DecodeString(prefix[:len(prefix)&^1])
	if err != nil {
		return nil, err
	}
	for _, p := range db.packs {
		ids, err := p.idx.withPrefix(raw, 16*maxCandidates)
		if err != nil {
			return nil, err
		}
		out = append(out, ids...)
	}
	for _, dir := range db.dirs() {
		entries, err := db.g.fs.ReadDir(join(dir, prefix[:2]), maxPackDir)
		if err != nil && !errors.Is(err, world.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			if id, ok := db.algo.parse(prefix[:2] + e.Name); ok {
				out = append(out, id)
			}
		}
	}
	out = slices.DeleteFunc(out, func(id oid) bool { return !strings.HasPrefix(id.hex(), prefix) })
	slices.Sort(out)
	out = slices.Compact(out)
	return out[:min(len(out), maxCandidates)], nil
}
