package gitstate

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/world"
)

// mustBeClean enforces the contract of world.FS.
func mustBeClean(name string) {
	if !path.IsAbs(name) || path.Clean(name) != name {
		panic(fmt.Sprintf("path %q is not absolute and clean", name))
	}
}

// memFS is a file system made of a map, for synthetic tests. Directories are
// those that a file's path implies.
type memFS map[string]string

func (m memFS) Lstat(name string) (world.Info, error) {
	mustBeClean(name)
	if data, ok := m[name]; ok {
		return world.Info{Kind: world.Regular, Mode: 0o644, Size: int64(len(data)), MTime: 1, CTime: 1, Dev: 1, Ino: inode(name)}, nil
	}
	for f := range m {
		if strings.HasPrefix(f, strings.TrimSuffix(name, "/")+"/") {
			return world.Info{Kind: world.Dir, Mode: 0o755, Dev: 1, Ino: inode(name)}, nil
		}
	}
	return world.Info{}, nil
}

func inode(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h
}

func (m memFS) Readlink(string) (string, error) { return "", world.ErrNotExist }

func (m memFS) ReadDir(name string, limit int) ([]world.Entry, error) {
	mustBeClean(name)
	kinds := map[string]world.Kind{}
	for f := range m {
		rest, ok := strings.CutPrefix(f, strings.TrimSuffix(name, "/")+"/")
		if !ok {
			continue
		}
		elem, _, isDir := strings.Cut(rest, "/")
		kinds[elem] = world.Regular
		if isDir {
			kinds[elem] = world.Dir
		}
	}
	if len(kinds) == 0 {
		return nil, world.ErrNotExist
	}
	return sortedEntries(kinds, limit)
}

func (m memFS) ReadFile(name string, limit int64) ([]byte, error) {
	mustBeClean(name)
	data, ok := m[name]
	switch {
	case !ok:
		return nil, world.ErrNotExist
	case int64(len(data)) > limit:
		return nil, world.ErrTooLarge
	}
	return []byte(data), nil
}

func (m memFS) Lines(string, string) (world.Lines, error) { return world.Lines{}, world.ErrNotRead }

func (m memFS) Mount(string) (world.Mount, error) { return world.Mount{Point: "/", Type: "mem"}, nil }

func sortedEntries(kinds map[string]world.Kind, limit int) ([]world.Entry, error) {
	var out []world.Entry
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		out = append(out, world.Entry{Name: name, Kind: kinds[name]})
	}
	if len(out) > limit {
		return out[:limit], world.ErrTooLarge
	}
	return out, nil
}
