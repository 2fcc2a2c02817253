//go:build amd64 || arm64

package preview

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// A secretWatch is told when placeholders are read.
type secretWatch struct {
	fd    int
	paths map[int32]string
}

// watchSecrets begins to watch the placeholders, where the command will find them.
func (s *stage) watchSecrets() (*secretWatch, error) {
	w := &secretWatch{fd: -1, paths: map[int32]string{}}
	var err error
	if w.fd, err = unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK); err != nil {
		return nil, fmt.Errorf("watching what is hidden: %w", err)
	}
	for i, t := range s.order.Trees {
		top := s.path("hidden", i)
		err := filepath.WalkDir(top, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			rel, err := filepath.Rel(top, name)
			if err != nil {
				return err
			}
			p := filepath.Join(t.Path, rel)
			// Who closes what he has not written has read it, or mapped it.
			wd, err := unix.InotifyAddWatch(w.fd, p, unix.IN_ACCESS|unix.IN_CLOSE_NOWRITE)
			if err != nil {
				return pathError("watching", p, err)
			}
			w.paths[int32(wd)] = p
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return w, nil
}

// read returns the secrets that were read, and ends watching.
func (w *secretWatch) read() ([]string, error) {
	defer unix.Close(w.fd) //nolint:errcheck // nothing is lost by it
	var out []string
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(w.fd, buf)
		if errors.Is(err, unix.EAGAIN) {
			slices.Sort(out)
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("reading which secrets were read: %w", err)
		}
		for at := 0; at+unix.SizeofInotifyEvent <= n; {
			wd := int32(binary.NativeEndian.Uint32(buf[at:]))
			mask := binary.NativeEndian.Uint32(buf[at+4:])
			if p, ok := w.paths[wd]; ok && mask&(unix.IN_ACCESS|unix.IN_CLOSE_NOWRITE) != 0 && !slices.Contains(out, p) {
				out = append(out, p)
			}
			at += unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(buf[at+12:]))
		}
	}
}
