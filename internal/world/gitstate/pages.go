package gitstate

import (
	"errors"
	"fmt"
	"io"

	"github.com/heedsh/heed/internal/world"
)

const (
	pageSize = 64 << 10
	// maxWhole bounds a pack or its index where ranges cannot be read.
	maxWhole = 64 << 20
)

var errShort = errors.New("file ends early")

// A pagedFile is a large file that is read in parts.
type pagedFile struct {
	g     *Git
	path  string
	size  int64
	stamp stamp
}

func (g *Git) paged(name string) (*pagedFile, error) {
	info, err := g.stat(name)
	switch {
	case err != nil:
		return nil, err
	case info.Kind == world.Missing:
		return nil, world.ErrNotExist
	case info.Kind != world.Regular:
		return nil, errNotRegular
	}
	return &pagedFile{g: g, path: name, size: info.Size, stamp: stampOf(info)}, nil
}

// page returns the page that holds off, and the offset at which it begins.
func (f *pagedFile) page(off int64) ([]byte, int64, error) {
	if off < 0 || off >= f.size {
		return nil, 0, errShort
	}
	key, start := cacheKey{kindPage, f.path, -1}, int64(0)
	if f.g.ranges != nil {
		key.at = off / pageSize
		start = key.at * pageSize
	}
	v, _, ok := f.g.cache.get(key, f.stamp)
	data, _ := v.([]byte)
	if !ok {
		var err error
		if f.g.ranges != nil {
			data, err = f.g.ranges.ReadRange(f.path, start, pageSize)
		} else {
			data, err = f.g.fs.ReadFile(f.path, maxWhole)
		}
		if err != nil {
			return nil, 0, fmt.Errorf("reading %s: %w", f.path, err)
		}
		f.g.cache.put(key, f.stamp, data, nil, int64(len(data)))
	}
	if off-start >= int64(len(data)) {
		return nil, 0, errShort
	}
	return data, start, nil
}

// at returns the n bytes at off. They must not be changed.
func (f *pagedFile) at(off int64, n int) ([]byte, error) {
	data, start, err := f.page(off)
	if err != nil {
		return nil, err
	}
	if data = data[off-start:]; len(data) >= n {
		return data[:n], nil
	}
	if off+int64(n) > f.size {
		return nil, errShort
	}
	out := make([]byte, n)
	_, err = io.ReadFull(&pageReader{f: f, off: off}, out)
	return out, err
}

// A pageReader reads a pagedFile on from an offset.
type pageReader struct {
	f    *pagedFile
	off  int64
	data []byte
}

func (r *pageReader) fill() error {
	if len(r.data) > 0 {
		return nil
	}
	if r.off >= r.f.size {
		return io.EOF
	}
	data, start, err := r.f.page(r.off)
	if err != nil {
		return err
	}
	r.data = data[r.off-start:]
	return nil
}

func (r *pageReader) Read(p []byte) (int, error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	n := copy(p, r.data)
	r.data, r.off = r.data[n:], r.off+int64(n)
	return n, nil
}

// ReadByte keeps the inflater from reading ahead.
func (r *pageReader) ReadByte() (byte, error) {
	if err := r.fill(); err != nil {
		return 0, err
	}
	c := r.data[0]
	r.data, r.off = r.data[1:], r.off+1
	return c, nil
}
