package gitstate

import (
	"bytes"
	"strconv"
	"strings"
)

// maxTagDepth bounds tags of tags.
const maxTagDepth = 16

// A commit is what is needed of a commit object.
type commit struct {
	tree    oid
	parents []oid
	date    int64 // the committer's, seconds since the epoch
}

func (db *objectDB) key(kind cacheKind, id oid) cacheKey {
	return cacheKey{kind: kind, path: db.own + "\x00" + string(id)}
}

// commit reads a commit.
func (db *objectDB) commit(id oid) (*commit, error) {
	key := db.key(kindCommit, id)
	if v, _, ok := db.g.cache.get(key, db.stamp); ok {
		return v.(*commit), nil
	}
	typ, data, err := db.read(id)
	if err != nil {
		return nil, err
	}
	if typ != typeCommit {
		return nil, errObject
	}
	return db.keepCommit(key, data)
}

func (db *objectDB) keepCommit(key cacheKey, data []byte) (*commit, error) {
	c, err := parseCommit(data, db.algo)
	if err != nil {
		return nil, err
	}
	db.g.cache.put(key, db.stamp, c, nil, int64(128+64*len(c.parents)))
	return c, nil
}

// peel follows tags from an object to a commit; "" if it is none.
func (db *objectDB) peel(id oid) (oid, error) {
	for range maxTagDepth {
		key := db.key(kindCommit, id)
		if _, _, ok := db.g.cache.get(key, db.stamp); ok {
			return id, nil
		}
		typ, data, err := db.read(id)
		if err != nil {
			return "", err
		}
		switch typ {
		case typeCommit:
			_, err := db.keepCommit(key, data)
			return id, err
		case typeTag:
			line, _, _ := bytes.Cut(data, []byte("\n"))
			var ok bool
			if id, ok = db.algo.parse(strings.TrimPrefix(string(line), "object ")); !ok {
				return "", errObject
			}
		default:
			return "", nil
		}
	}
	return "", errObject
}

// parseCommit reads the head of a commit object (git-commit-tree(1)).
func parseCommit(data []byte, algo hashAlgo) (*commit, error) {
	c := &commit{}
	for line := range bytes.Lines(data) {
		if len(line) == 1 {
			break
		}
		name, rest, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
		switch string(name) {
		case "tree", "parent":
			id, ok := algo.parse(string(rest))
			if !ok {
				return nil, errObject
			}
			if string(name) == "tree" {
				c.tree = id
			} else {
				c.parents = append(c.parents, id)
			}
		case "committer":
			stamp := string(rest[bytes.LastIndexByte(rest, '>')+1:])
			seconds, _, _ := strings.Cut(strings.TrimLeft(stamp, " "), " ")
			c.date, _ = strconv.ParseInt(seconds, 10, 64) // 0 as in git if it is none
		}
	}
	if c.tree == "" {
		return nil, errObject
	}
	return c, nil
}

// tree returns the bytes of a tree. The empty one need not be stored (git knows it
// by heart).
func (db *objectDB) tree(id oid) ([]byte, error) {
	key := db.key(kindObject, id)
	if v, _, ok := db.g.cache.get(key, db.stamp); ok {
		return v.([]byte), nil
	}
	typ, data, err := db.read(id)
	if err != nil && id == db.algo.objectID("tree", nil) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if typ != typeTree {
		return nil, errObject
	}
	if len(data) <= maxKeptBase {
		db.g.cache.put(key, db.stamp, data, nil, int64(len(data)))
	}
	return data, nil
}

// A treeEntry is one name in a tree.
type treeEntry struct {
	mode uint32
	name string
	id   oid
}

// nextEntry reads the first entry of data: "mode name\0" and a raw id.
func nextEntry(data []byte, algo hashAlgo) (e treeEntry, rest []byte, ok bool) {
	i := bytes.IndexByte(data, ' ')
	if i < 1 || i > 7 {
		return e, nil, false
	}
	for _, c := range data[:i] {
		if c < '0' || c > '7' {
			return e, nil, false
		}
		e.mode = e.mode<<3 | uint32(c-'0')
	}
	data = data[i+1:]
	i = bytes.IndexByte(data, 0)
	if i < 1 || len(data)-i-1 < algo.size() {
		return e, nil, false
	}
	e.mode = canonMode(e.mode)
	e.name = string(data[:i])
	e.id = oid(data[i+1 : i+1+algo.size()])
	return e, data[i+1+algo.size():], true
}

// The modes of entries (gitformat-index(5)).
const (
	modeType    = 0o170000
	modeDir     = 0o040000
	modeFile    = 0o100000
	modeLink    = 0o120000
	modeGitlink = 0o160000
)

// canonMode drops permissions other than "executable", as git's canon_mode does.
func canonMode(m uint32) uint32 {
	switch m & modeType {
	case modeFile:
		if m&0o100 != 0 {
			return 0o100755
		}
		return 0o100644
	case modeLink, modeDir:
		return m & modeType
	}
	return modeGitlink
}
