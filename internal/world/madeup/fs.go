package madeup

import (
	"errors"
	"hash/fnv"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/heedsh/heed/internal/world"
)

// epoch is when everything in a fake world was last changed, give or take the
// nanoseconds that tell one content from another: 2024-01-01T00:00:00Z.
const epoch = 1_704_067_200_000_000_000

// maxRead is the most that is ever read, whatever the limit: 256 MiB.
const maxRead = 256 << 20

var (
	errPath  = errors.New("path is not absolute and clean")
	errClass = errors.New("not in the table of mounts")
)

// find walks to a path on behalf of the user.
func (t *tree) find(op, name string, follow bool) (spot, error) {
	if !path.IsAbs(name) || path.Clean(name) != name {
		return spot{}, &fs.PathError{Op: op, Path: name, Err: errPath}
	}
	r, err := t.walk(name, follow, false)
	if err != nil {
		return spot{}, &fs.PathError{Op: op, Path: name, Err: err}
	}
	return r.end(), nil
}

// Lstat implements world.FS.
func (t *tree) Lstat(name string) (world.Info, error) {
	s, err := t.find("lstat", name, false)
	if isAbsent(err) {
		return world.Info{}, nil
	}
	if err != nil {
		return world.Info{}, err
	}
	return s.info(), nil
}

func (s spot) info() world.Info {
	i := world.Info{
		Kind: s.kind, Mode: s.mode, UID: s.uid, GID: s.gid,
		Dev: s.mount.Dev, Ino: s.ino, Links: s.links,
		MTime: epoch, CTime: epoch,
	}
	switch s.kind {
	case world.Dir:
		i.Size = 4096
		i.Links = 2
		for _, c := range s.kids {
			if c.node.kind == world.Dir {
				i.Links++
			}
		}
	case world.Symlink:
		i.Size = int64(len(s.target))
	case world.Regular:
		i.Size = max(s.size, int64(len(s.data)))
		h := fnv.New32a()
		_, _ = h.Write([]byte(s.data)) // never fails
		i.MTime += int64(h.Sum32() % 1_000_000_000)
		i.CTime = i.MTime
	}
	return i
}

// Readlink implements world.FS.
func (t *tree) Readlink(name string) (string, error) {
	s, err := t.find("readlink", name, false)
	if err == nil && s.kind != world.Symlink {
		err = &fs.PathError{Op: "readlink", Path: name, Err: syscall.EINVAL}
	}
	if err != nil {
		return "", err
	}
	return s.target, nil
}

// ReadDir implements world.FS.
func (t *tree) ReadDir(name string, limit int) ([]world.Entry, error) {
	s, err := t.find("read directory", name, true)
	switch {
	case err != nil:
		return nil, err
	case s.kind != world.Dir:
		err = syscall.ENOTDIR
	case s.mount.Remote:
		err = world.ErrNotRead
	case !t.may(s.node, 4):
		err = syscall.EACCES
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read directory", Path: name, Err: err}
	}
	limit = max(limit, 0)
	entries := s.entries(limit)
	if len(entries) <= limit {
		return entries, nil
	}
	return entries[:limit], &fs.PathError{Op: "read directory", Path: name, Err: world.ErrTooLarge}
}

// entries lists a directory; of generated files no more than one above the limit.
func (s spot) entries(limit int) []world.Entry {
	entries := make([]world.Entry, 0, len(s.kids))
	for _, c := range s.kids {
		entries = append(entries, world.Entry{Name: c.name, Kind: c.node.kind})
	}
	if m := s.many; m != nil {
		for i := 1; i <= m.n && i-1 <= limit; i++ {
			if _, taken := s.kids[key(m.name(i), s.mount.Folds)]; !taken {
				entries = append(entries, world.Entry{Name: m.name(i), Kind: world.Regular})
			}
		}
	}
	slices.SortFunc(entries, func(a, b world.Entry) int { return strings.Compare(a.Name, b.Name) })
	return entries
}

// Denied implements world.Denier.
func (t *tree) Denied(name string, how world.Access) bool {
	s, err := t.find("access", name, how == world.Reading)
	there := err == nil && s.node != nil && s.kind != world.Missing
	switch {
	case there && s.mount.Remote:
		return false
	case how == world.Entering, how == world.Writing && !there:
		dir, err := t.find("access", path.Dir(name), true)
		if err != nil || dir.kind != world.Dir || dir.mount.Remote {
			return false
		}
		sticky := there && dir.mode&fs.ModeSticky != 0 && dir.uid != t.uid && s.uid != t.uid && t.uid != 0
		return !t.may(dir.node, 2) || !t.may(dir.node, 1) || sticky
	case !there:
		return false
	case how == world.Reading:
		return !t.may(s.node, 4)
	}
	return !t.may(s.node, 2)
}

// ReadFile implements world.FS.
func (t *tree) ReadFile(name string, limit int64) ([]byte, error) {
	s, err := t.find("read", name, true)
	if err != nil {
		return nil, err
	}
	size := s.info().Size
	switch {
	case s.kind != world.Regular || s.mount.Remote:
		err = world.ErrNotRead
	case !t.may(s.node, 4):
		err = syscall.EACCES
	case size > min(limit, maxRead):
		err = world.ErrTooLarge
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	content := make([]byte, size)
	copy(content, s.data)
	return content, nil
}

// Lines implements [world.FS].
func (t *tree) Lines(name, prefix string) (world.Lines, error) {
	text, err := t.ReadFile(name, world.MaxLineFile)
	return world.LinesOf(string(text), prefix), err
}

// Mount implements world.FS.
func (t *tree) Mount(name string) (world.Mount, error) {
	if !path.IsAbs(name) || path.Clean(name) != name {
		return world.Mount{}, &fs.PathError{Op: "mount", Path: name, Err: errPath}
	}
	m, ok := t.table.Holding(name)
	if !ok {
		return world.Mount{}, &fs.PathError{Op: "mount", Path: name, Err: errClass}
	}
	return m.Mount, nil
}

// isAbsent tells the errors that mean: there is nothing under that name.
func isAbsent(err error) bool {
	for _, absent := range []error{syscall.ENOENT, syscall.ENOTDIR, syscall.ELOOP, syscall.ENAMETOOLONG} {
		if errors.Is(err, absent) {
			return true
		}
	}
	return false
}
