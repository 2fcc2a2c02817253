package madeup

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/osworld/mountinfo"
)

const (
	maxLinks = 40   // path_resolution(7)
	maxNames = 2048 // names in a path while links are followed: PATH_MAX of "a/"
)

// A tree is a file system in memory, seen by one user.
type tree struct {
	root    *node
	uid     int // who looks; 0 may do everything
	lastIno uint64
	table   mountinfo.Table
}

// A node is an inode.
type node struct {
	kind     world.Kind
	mode     fs.FileMode
	uid, gid int
	ino      uint64
	links    uint64
	data     string // content of a regular file
	size     int64  // its size, if that is more than data
	target   string // of a symbolic link
	kids     map[string]child
	many     *many
	mount    *mountinfo.Mount // what is mounted here
}

// A child is a name in a directory. The map that holds it is keyed by what the
// file system compares: the name, or its lower case where case does not count.
type child struct {
	name string
	node *node
}

// A spot is a node with the name it was reached by and the mount it is in.
type spot struct {
	*node
	name  string
	mount *mountinfo.Mount
}

func newTree(fsType string, uid int) *tree {
	t := &tree{uid: uid}
	t.root = t.newNode(world.Dir, 0o755, 0)
	t.mountAt(spot{node: t.root}, "/", fsType, false)
	return t
}

func (t *tree) newNode(kind world.Kind, mode fs.FileMode, uid int) *node {
	t.lastIno++
	n := &node{kind: kind, mode: mode, uid: uid, gid: uid, ino: t.lastIno, links: 1}
	if kind == world.Dir {
		n.kids = make(map[string]child)
	}
	return n
}

// mountAt makes the directory at a spot a mount point. What the directory holds
// stays in view: a scenario describes what is there, not what is hidden.
func (t *tree) mountAt(at spot, point, fsType string, folds bool) {
	m := mountinfo.New(point, fsType, "", uint64(t.table.Len())+1)
	m.Folds = m.Folds || folds
	if old, ok := t.table.At(point); ok {
		m.Dev = old.Dev
	}
	t.table.Add(m)
	at.node.mount = &m
	refold(at.node, m.Folds)
}

// trust lets the mount that holds a directory be looked into although it is
// remote, as osworld does for the directory that the session stands in.
func (t *tree) trust(dir string) {
	r, _ := t.walk(dir, true, true)
	t.table.Trust(r.path())
	for _, s := range r.spots {
		if m, ok := t.table.At(s.mount.Point); ok && s.node.mount != nil {
			*s.node.mount = m
		}
	}
}

// refold keys the directories of one mount anew.
func refold(n *node, folds bool) {
	kids := make(map[string]child, len(n.kids))
	for _, k := range slices.Sorted(maps.Keys(n.kids)) { // of twins, always the same one stays
		c := n.kids[k]
		kids[key(c.name, folds)] = c
		if c.node.kind == world.Dir && c.node.mount == nil {
			refold(c.node, folds)
		}
	}
	n.kids = kids
}

func key(name string, folds bool) string {
	if folds {
		return strings.ToLower(name)
	}
	return name
}

// child looks up a name in a directory.
func (s spot) child(name string) (spot, bool) {
	c, ok := s.kids[key(name, s.mount.Folds)]
	if !ok {
		n := s.many.node(s.node, name)
		return spot{n, name, s.mount}, n != nil
	}
	if c.node.mount != nil {
		return spot{c.node, c.name, c.node.mount}, true
	}
	return spot{c.node, c.name, s.mount}, true
}

// put gives a node a name in a directory, in place of what had it.
func (s spot) put(name string, n *node) spot {
	k := key(name, s.mount.Folds)
	if old, ok := s.kids[k]; ok {
		name = old.name
		old.node.links--
	}
	s.kids[k] = child{name, n}
	return spot{n, name, s.mount}
}

// A route is what became of a path: the spots it led over, the root first, and
// the names that were left when it ended.
type route struct {
	spots []spot
	rest  []string
}

func (r route) end() spot { return r.spots[len(r.spots)-1] }

// path spells the route: links resolved, names as the directories have them,
// then the names that lead nowhere.
func (r route) path() string {
	var b strings.Builder
	for _, s := range r.spots[1:] {
		b.WriteByte('/')
		b.WriteString(s.name)
	}
	for _, name := range r.rest {
		b.WriteByte('/')
		b.WriteString(name)
	}
	return path.Clean("/" + b.String()) // a link's target may have "." and ".."
}

// walk follows a path. The maker of a world sees all; everybody else needs the
// search permission and gets no further than a mount that may hang. The error
// is one that the kernel would give, or ErrNotRead.
func (t *tree) walk(name string, follow, seeAll bool) (route, error) {
	r := route{spots: []spot{{t.root, "/", t.root.mount}}}
	todo := reversed(name)
	links := 0
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch next {
		case "", ".":
			continue
		case "..":
			r.spots = r.spots[:max(len(r.spots)-1, 1)]
			continue
		}
		at, err := t.look(r.end(), next, seeAll)
		if err != nil {
			r.rest = append([]string{next}, reverse(todo)...)
			return r, err
		}
		if at.kind != world.Symlink || len(todo) == 0 && !follow {
			r.spots = append(r.spots, at)
			continue
		}
		if links++; links > maxLinks || len(todo)+strings.Count(at.target, "/") > maxNames {
			return r, syscall.ELOOP
		}
		if strings.HasPrefix(at.target, "/") {
			r.spots = r.spots[:1]
		}
		todo = append(todo, reversed(at.target)...)
	}
	return r, nil
}

func (t *tree) look(dir spot, name string, seeAll bool) (spot, error) {
	switch {
	case dir.kind != world.Dir:
		return spot{}, syscall.ENOTDIR
	case !seeAll && dir.mount.Class == mountinfo.Served:
		return spot{}, world.ErrNotRead
	case !seeAll && !t.may(dir.node, 1):
		return spot{}, syscall.EACCES
	case len(name) > 255:
		return spot{}, syscall.ENAMETOOLONG
	}
	next, ok := dir.child(name)
	if !ok {
		return spot{}, syscall.ENOENT
	}
	return next, nil
}

// may tells whether the user has a right (4 read, 2 write, 1 search).
func (t *tree) may(n *node, right fs.FileMode) bool {
	switch t.uid {
	case 0:
		return true
	case n.uid:
		return n.mode&(right<<6) != 0
	}
	return n.mode&right != 0 // the users of a fake world share no groups
}

func reversed(name string) []string { return reverse(strings.Split(name, "/")) }

func reverse(names []string) []string {
	slices.Reverse(names)
	return names
}

// canon spells a path the way its directories do. The last element is not
// followed.
func (t *tree) canon(name string) string {
	r, _ := t.walk(name, false, true)
	return r.path()
}

// mkdirAll returns the directory of that name and makes what is missing on the way.
func (t *tree) mkdirAll(dirName string) (spot, error) {
	r, err := t.walk(dirName, true, true)
	if errors.Is(err, syscall.ENOENT) {
		err = nil
	}
	if err != nil {
		return spot{}, err
	}
	for _, name := range r.rest {
		switch name {
		case "", ".":
		case "..":
			r.spots = r.spots[:max(len(r.spots)-1, 1)]
		default:
			dir := r.end()
			if dir.kind != world.Dir {
				return spot{}, syscall.ENOTDIR
			}
			if next, ok := dir.child(name); ok {
				r.spots = append(r.spots, next)
				continue
			}
			r.spots = append(r.spots, dir.put(name, t.newNode(world.Dir, 0o755, t.ownerIn(dir))))
		}
	}
	if r.end().kind != world.Dir {
		return spot{}, syscall.ENOTDIR
	}
	return r.end(), nil
}

// ownerIn is who owns what is made in a directory: its owner, or, where all may
// make files, the user.
func (t *tree) ownerIn(dir spot) int {
	if dir.mode&fs.ModeSticky != 0 {
		return t.uid
	}
	return dir.uid
}
