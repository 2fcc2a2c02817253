//go:build linux || darwin

package gitstate

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/heedsh/heed/internal/world"
)

// diskFS is the real file system, for tests. It counts what is asked of it.
type diskFS struct {
	lstats, readDirs, readFiles, ranges atomic.Int64
	bytes                               atomic.Int64
}

func (d *diskFS) Lstat(name string) (world.Info, error) {
	d.lstats.Add(1)
	mustBeClean(name)
	var st syscall.Stat_t
	err := syscall.Lstat(name, &st)
	switch {
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.ENAMETOOLONG):
		return world.Info{}, nil
	case err != nil:
		return world.Info{}, err
	}
	return infoOf(&st), nil
}

// mustBeClean enforces the contract of world.FS.
func mustBeClean(name string) {
	if !path.IsAbs(name) || path.Clean(name) != name {
		panic(fmt.Sprintf("path %q is not absolute and clean", name))
	}
}

func infoOf(st *syscall.Stat_t) world.Info {
	i := world.Info{
		Kind: world.Other, Mode: fs.FileMode(st.Mode & 0o777), Size: st.Size,
		MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(),
		UID: int(st.Uid), GID: int(st.Gid), Dev: uint64(st.Dev), Ino: st.Ino, Links: uint64(st.Nlink),
	}
	switch st.Mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		i.Kind = world.Regular
	case syscall.S_IFDIR:
		i.Kind = world.Dir
	case syscall.S_IFLNK:
		i.Kind = world.Symlink
	}
	return i
}

func (d *diskFS) Readlink(name string) (string, error) {
	mustBeClean(name)
	return os.Readlink(name)
}

func (d *diskFS) ReadDir(name string, limit int) ([]world.Entry, error) {
	d.readDirs.Add(1)
	mustBeClean(name)
	list, err := os.ReadDir(name)
	if err != nil {
		return nil, err
	}
	if len(list) > limit {
		list, err = list[:limit], world.ErrTooLarge
	}
	out := make([]world.Entry, 0, len(list))
	for _, e := range list {
		kind := world.Other
		switch t := e.Type(); {
		case t.IsRegular():
			kind = world.Regular
		case t.IsDir():
			kind = world.Dir
		case t&fs.ModeSymlink != 0:
			kind = world.Symlink
		}
		out = append(out, world.Entry{Name: e.Name(), Kind: kind})
	}
	return out, err
}

func (d *diskFS) ReadFile(name string, limit int64) ([]byte, error) {
	d.readFiles.Add(1)
	mustBeClean(name)
	data, err := os.ReadFile(name)
	if err == nil && int64(len(data)) > limit {
		return nil, world.ErrTooLarge
	}
	d.bytes.Add(int64(len(data)))
	return data, err
}

func (d *diskFS) Mount(string) (world.Mount, error) {
	return world.Mount{Point: "/", Type: "ext4"}, nil
}

// rangeFS is diskFS with what an FS may offer besides.
type rangeFS struct{ diskFS }

func (d *rangeFS) ReadRange(name string, off int64, n int) ([]byte, error) {
	d.ranges.Add(1)
	mustBeClean(name)
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buf := make([]byte, n)
	got, err := f.ReadAt(buf, off)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return buf[:got], err
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

func (m memFS) Mount(string) (world.Mount, error) { return world.Mount{Point: "/", Type: "mem"}, nil }
