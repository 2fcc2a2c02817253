package gitstate

import (
	"container/list"
	"errors"
	"fmt"
	"path"
	"strings"
	"sync"

	"github.com/heedsh/heed/internal/world"
)

// cacheLimit bounds, roughly, the bytes that a Git keeps.
const cacheLimit = 256 << 20

// maxLinks bounds the symbolic links followed for one path (Linux: 40).
const maxLinks = 40

var (
	errNotRegular = errors.New("not a regular file")
	errLinks      = errors.New("too many levels of symbolic links")
)

// A cacheKind tells apart the different things made of one file.
type cacheKind uint8

const (
	kindRef cacheKind = iota + 1
	kindLine
	kindConfigFile
	kindConfig
	kindIgnore
	kindIgnoreFold
	kindIndex
	kindPackedRefs
	kindReflog
	kindPackDir
	kindPack
	kindPage
	kindObject
	kindCommit
	kindBlobID
	kindAlternates
	kindShallow
	kindDir
	kindLinks
	kindGitDir
)

type cacheKey struct {
	kind cacheKind
	path string
	at   int64 // page number, or offset in a pack
}

// A stamp is what must be unchanged for a file to count as unchanged.
type stamp struct {
	kind               world.Kind
	size, mtime, ctime int64
	dev, ino           uint64
}

func stampOf(i world.Info) stamp {
	return stamp{i.Kind, i.Size, i.MTime, i.CTime, i.Dev, i.Ino}
}

type cacheItem struct {
	key   cacheKey
	stamp stamp
	value any
	err   error
	cost  int64
}

// A cache keeps parsed things, the least recently used go first.
type cache struct {
	mu          sync.Mutex
	items       map[cacheKey]*list.Element
	order       *list.List // front: most recently used
	cost, limit int64
}

func newCache(limit int64) *cache {
	return &cache{items: make(map[cacheKey]*list.Element), order: list.New(), limit: limit}
}

func (c *cache) get(key cacheKey, s stamp) (value any, err error, ok bool) { //nolint:revive // the error is a cached value
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.items[key]
	if !ok {
		return nil, nil, false
	}
	it := el.Value.(*cacheItem)
	if it.stamp != s {
		return nil, nil, false
	}
	c.order.MoveToFront(el)
	return it.value, it.err, true
}

func (c *cache) put(key cacheKey, s stamp, value any, err error, cost int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.items[key]; ok {
		c.remove(el)
	}
	it := &cacheItem{key, s, value, err, cost + 256}
	c.items[key] = c.order.PushFront(it)
	c.cost += it.cost
	for c.cost > c.limit && c.order.Len() > 1 {
		c.remove(c.order.Back())
	}
}

func (c *cache) drop(key cacheKey) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.items[key]; ok {
		c.remove(el)
	}
}

func (c *cache) remove(el *list.Element) {
	it := c.order.Remove(el).(*cacheItem)
	delete(c.items, it.key)
	c.cost -= it.cost
}

// load answers with what parse makes of the regular file at name (links are
// followed), from the cache if the file is unchanged. A missing file answers
// world.ErrNotExist itself. The inode facts are taken before the bytes: a file
// that changes in between is kept under its old facts and read again next time.
func load[T any](g *Git, kind cacheKind, name string, limit int64, parse func([]byte) (T, error)) (T, world.Info, error) {
	info, err := g.stat(name)
	if err != nil {
		var zero T
		return zero, info, err
	}
	v, err := loadInfo(g, kind, name, info, limit, parse)
	return v, info, err
}

// loadInfo is load for a file whose facts have just been read.
func loadInfo[T any](g *Git, kind cacheKind, name string, info world.Info, limit int64, parse func([]byte) (T, error)) (T, error) {
	var zero T
	if info.Kind == world.Missing {
		return zero, world.ErrNotExist
	}
	if info.Kind != world.Regular {
		return zero, errNotRegular
	}
	key, st := cacheKey{kind: kind, path: name}, stampOf(info)
	if v, err, ok := g.cache.get(key, st); ok {
		t, _ := v.(T)
		return t, err
	}
	data, err := g.fs.ReadFile(name, limit)
	if err != nil {
		return zero, fmt.Errorf("reading %s: %w", name, err)
	}
	v, err := parse(data)
	if err != nil {
		err = fmt.Errorf("parsing %s: %w", name, err)
	}
	g.cache.put(key, st, v, err, 2*int64(len(data)))
	return v, err
}

// stat describes name, following links in its last element.
func (g *Git) stat(name string) (world.Info, error) {
	info, err := g.lstat(name)
	if err != nil || info.Kind != world.Symlink {
		return info, err
	}
	_, info, err = g.follow(name)
	return info, err
}

// follow resolves links in the last element of name, lexically for "..".
func (g *Git) follow(name string) (string, world.Info, error) {
	for range maxLinks {
		info, err := g.lstat(name)
		if err != nil || info.Kind != world.Symlink {
			return name, info, err
		}
		text, err := g.fs.Readlink(name)
		if err != nil {
			return name, info, fmt.Errorf("reading link %s: %w", name, err)
		}
		name = absolute(path.Dir(name), text)
	}
	return name, world.Info{}, fmt.Errorf("%s: %w", name, errLinks)
}

// realpath resolves every link in name; what does not exist is kept as it is.
func (g *Git) realpath(name string) (string, error) {
	done, rest := "/", strings.TrimPrefix(path.Clean(name), "/")
	for links := 0; rest != ""; {
		elem, tail, _ := strings.Cut(rest, "/")
		next := path.Join(done, elem)
		info, err := g.lstat(next)
		if err != nil {
			return "", err
		}
		if info.Kind != world.Symlink {
			done, rest = next, tail
			continue
		}
		if links++; links > maxLinks {
			return "", errLinks
		}
		text, err := g.fs.Readlink(next)
		if err != nil {
			return "", fmt.Errorf("reading link %s: %w", next, err)
		}
		target := path.Join(absolute(done, text), tail)
		done, rest = "/", strings.TrimPrefix(target, "/")
	}
	return done, nil
}

// absolute joins name to dir unless it is absolute already.
func absolute(dir, name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(dir, name)
}

// within reports whether name is dir or below it.
func within(name, dir string) bool {
	if dir == "/" {
		return true
	}
	return dir != "" && strings.HasPrefix(name, dir) && (len(name) == len(dir) || name[len(dir)] == '/')
}
