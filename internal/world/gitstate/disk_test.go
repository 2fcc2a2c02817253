//go:build linux

package gitstate

import (
	"errors"
	"io"
	"io/fs"
	"os"
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

func (d *diskFS) Lines(string, string) (world.Lines, error) { return world.Lines{}, world.ErrNotRead }

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
