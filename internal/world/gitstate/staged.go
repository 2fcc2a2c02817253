package gitstate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

const (
	// maxStagedTrees bounds the trees read for one comparison, maxStaged the
	// paths it lists.
	maxStagedTrees = 20_000
	maxStaged      = 200_000
)

var errManyStaged = errors.New("the index differs from HEAD in more files or directories than are looked at")

// stagedPaths are the paths at which the index and a tree differ.
type stagedPaths struct {
	paths   []string // sorted
	missing error    // why there may be more, nil if there are not
}

func (s *stagedPaths) has(path string) bool {
	_, ok := slices.BinarySearch(s.paths, path)
	return ok
}

// below counts those under dir, "" or ending in a slash.
func (s *stagedPaths) below(dir string) int {
	from, _ := slices.BinarySearch(s.paths, dir)
	n := 0
	for _, p := range s.paths[from:] {
		if !strings.HasPrefix(p, dir) {
			break
		}
		n++
	}
	return n
}

// maxStagedKept bounds the comparisons kept with one index: HEAD moves more often
// than the index changes only where somebody commits elsewhere.
const maxStagedKept = 4

// staged compares the index with HEAD, once for each commit.
func (r *repo) staged(x *index) *stagedPaths {
	head, _ := r.head()
	x.mu.Lock()
	s := x.staged[head]
	x.mu.Unlock()
	if s != nil {
		return s
	}
	s = r.compareHead(x, head)
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.staged == nil || len(x.staged) >= maxStagedKept {
		x.staged = make(map[oid]*stagedPaths)
	}
	x.staged[head] = s
	return s
}

// compareHead lists where the index differs from a commit; without one, from
// nothing.
func (r *repo) compareHead(x *index, head oid) *stagedPaths {
	if head == "" && r.reftable {
		return &stagedPaths{missing: errReftable}
	}
	d := &treeDiff{db: r.objects(), x: x, out: &stagedPaths{}, budget: maxStagedTrees}
	var tree oid
	if head != "" {
		c, err := d.db.commit(head)
		if err != nil {
			return &stagedPaths{missing: fmt.Errorf("reading the commit of HEAD: %w", err)}
		}
		tree = c.tree
	}
	d.dir(tree, "", x.entries, x.tree, 0)
	slices.Sort(d.out.paths)
	return d.out
}

// A treeDiff walks a tree and the index side by side; what the index's own cached
// trees vouch for is not read.
type treeDiff struct {
	db     *objectDB
	x      *index
	out    *stagedPaths
	budget int
}

func (d *treeDiff) add(path string) {
	if len(d.out.paths) >= maxStaged {
		d.fail(errManyStaged)
		return
	}
	d.out.paths = append(d.out.paths, path)
}

// fail says why the list is not whole; the first reason stays.
func (d *treeDiff) fail(why error) {
	if d.out.missing == nil {
		d.out.missing = why
	}
}

// readTree returns a tree's bytes; none for no tree.
func (d *treeDiff) readTree(id oid, prefix string) []byte {
	if id == "" || d.out.missing != nil {
		return nil
	}
	if d.budget--; d.budget < 0 {
		d.fail(errManyStaged)
		return nil
	}
	data, err := d.db.tree(id)
	if err != nil {
		d.fail(fmt.Errorf("reading the directory %q of HEAD: %w", prefix, err))
	}
	return data
}

// dir compares one directory: a tree (or none) and the entries under prefix.
func (d *treeDiff) dir(tree oid, prefix string, entries []entry, known *cacheTree, depth int) {
	if known.is(tree) {
		return
	}
	if depth > maxTreeDepth {
		d.fail(errManyStaged)
		return
	}
	data := d.readTree(tree, prefix)
	t, data, more := nextEntry(data, d.db.algo)
	for more || len(entries) > 0 {
		if d.out.missing != nil {
			return
		}
		n, name := group(entries, prefix)
		c := 0
		switch {
		case !more:
			c = 1
		case n == 0:
			c = -1
		default:
			c = strings.Compare(treeKey(t), name)
		}
		if c < 0 {
			d.gone(t, prefix, depth)
		}
		if c >= 0 {
			d.pair(t, c == 0, prefix, name, entries[:n], known, depth)
			entries = entries[n:]
		}
		if c <= 0 {
			t, data, more = nextEntry(data, d.db.algo)
		}
	}
}

// treeKey is a name as trees and the index sort it: a directory with its slash.
func treeKey(t treeEntry) string {
	if t.mode == modeDir {
		return t.name + "/"
	}
	return t.name
}

// group returns how many of the first entries belong to one name under prefix, and
// that name, with a slash if it is a directory.
func group(entries []entry, prefix string) (n int, name string) {
	if len(entries) == 0 {
		return 0, ""
	}
	rest := entries[0].path[len(prefix):]
	if i := strings.IndexByte(rest, '/'); i >= 0 {
		name = rest[:i+1]
		return endOf(entries, entries[0].path[:len(prefix)+i+1], 0), name
	}
	for n = 1; n < len(entries) && entries[n].path == entries[0].path; n++ {
	}
	return n, rest
}

// pair compares what the index has under one name with what the tree has, if it
// has anything.
func (d *treeDiff) pair(t treeEntry, inTree bool, prefix, name string, entries []entry, known *cacheTree, depth int) {
	e := &entries[0]
	if strings.HasSuffix(name, "/") {
		var tree oid
		if inTree {
			tree = t.id
		}
		below := prefix + name
		if e.path == below { // a sparse directory
			if e.id == tree {
				return
			}
			entries = d.expand(e.id, below)
		}
		d.dir(tree, below, entries, known.kid(strings.TrimSuffix(name, "/")), depth+1)
		return
	}
	switch {
	case e.stage() != 0: // unmerged: counted with the modified
	case e.flags&intentToAdd != 0:
		if inTree {
			d.add(e.path)
		}
	case !inTree || t.id != e.id || t.mode != canonMode(e.mode):
		d.add(e.path)
	}
}

// gone lists what a tree has and the index has not.
func (d *treeDiff) gone(t treeEntry, prefix string, depth int) {
	if t.mode == modeDir {
		d.dir(t.id, prefix+t.name+"/", nil, nil, depth+1)
		return
	}
	d.add(prefix + t.name)
}

// expand makes the entries that stand behind a sparse directory.
func (d *treeDiff) expand(tree oid, prefix string) []entry {
	out, ok := expandTree(d.db, tree, prefix, &d.budget)
	if !ok {
		d.fail(fmt.Errorf("the directory %q of the index cannot be read", prefix))
	}
	return out
}

// expandTree lists the files of a tree as entries without stat data, in the order
// of the index. budget counts trees.
func expandTree(db *objectDB, tree oid, prefix string, budget *int) (out []entry, ok bool) {
	if *budget--; *budget < 0 || len(prefix) > maxPath {
		return nil, false
	}
	data, err := db.tree(tree)
	if err != nil {
		return nil, false
	}
	for {
		t, rest, more := nextEntry(data, db.algo)
		if !more {
			return out, len(data) == 0
		}
		data = rest
		if t.mode == modeDir {
			kids, ok := expandTree(db, t.id, prefix+t.name+"/", budget)
			if !ok || len(out)+len(kids) > maxStaged {
				return nil, false
			}
			out = append(out, kids...)
			continue
		}
		if !validPath(t.name) || len(out) >= maxStaged {
			return nil, false
		}
		out = append(out, entry{path: prefix + t.name, id: t.id, mode: t.mode, flags: noStat | skipWorktree})
	}
}

// stagedAt tells whether one path of the index differs from HEAD, when comparing
// everything was too much: known is false if that cannot be told.
func (r *repo) stagedAt(e *entry) (differs, known bool) {
	head, _ := r.head()
	if head == "" {
		return true, !r.reftable
	}
	db := r.objects()
	c, err := db.commit(head)
	if err != nil {
		return false, false
	}
	id, mode := c.tree, uint32(modeDir)
	for elem := range strings.SplitSeq(e.path, "/") {
		if mode != modeDir {
			return true, true
		}
		data, err := db.tree(id)
		if err != nil {
			return false, false
		}
		found := false
		for t, rest, ok := nextEntry(data, db.algo); ok && !found; t, rest, ok = nextEntry(rest, db.algo) {
			if t.name == elem {
				id, mode, found = t.id, t.mode, true
			}
		}
		if !found {
			return true, true
		}
	}
	return id != e.id || mode != canonMode(e.mode), true
}
