package undo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/heedsh/heed/internal/ownfile"
	"golang.org/x/sys/unix"
)

// Restore puts back what an entry holds, and drops the entry. Where something else is
// now, nothing is put back and a [*Conflict] says what, unless force is set. A process
// that is killed meanwhile leaves each file old or new and the entry in its place:
// Restore again goes on.
func (s *Store) Restore(ctx context.Context, id string, force bool) (*Entry, error) {
	lock, err := ownfile.Lock(ctx, s.root, lockFile, false, wait)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	kept, err := s.list()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(kept, func(e *Entry) bool { return e.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("nothing is kept as %s", id)
	}
	e := kept[i]
	if err := s.check(e, force); err != nil {
		return nil, err
	}
	done := map[string]string{} // blob to the path that has it now
	for i := range e.Items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.put(e, &e.Items[i], done); err != nil {
			return nil, fmt.Errorf("putting %s back: %w", e.Items[i].Path, err)
		}
	}
	// Directories get their modes and times last, the deepest first: what is put into
	// them changes them.
	for _, it := range slices.Backward(e.Items) {
		if it.Type != Dir {
			continue
		}
		if err := dress(it.Path, &it); err != nil {
			return nil, fmt.Errorf("putting %s back: %w", it.Path, err)
		}
	}
	// One call for all of it, on whatever file systems it is.
	unix.Sync()
	return e, s.drop(e.ID)
}

// check reports what stands in the way, before anything is changed.
func (s *Store) check(e *Entry, force bool) error {
	var c Conflict
	for i := range e.Items {
		it := &e.Items[i]
		if it.Linked {
			var st unix.Stat_t
			if err := unix.Lstat(s.at(e.ID, it.Blob), &st); err != nil {
				return fmt.Errorf("what was kept of %s is not there: %w", it.Path, err)
			}
			if st.Size != it.Size || st.Mtim.Nano() != it.MTime {
				return fmt.Errorf("%s was still written after it was deleted: it cannot be put back as it was", it.Path)
			}
		}
		now, err := os.Lstat(it.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
			continue
		case err != nil:
			return err
		}
		same := false
		switch {
		case it.Type == Dir:
			if same = now.IsDir(); !same {
				return fmt.Errorf("%s is no directory any more: move it away first", it.Path)
			}
		case now.IsDir():
			return fmt.Errorf("%s is a directory now: move it away first", it.Path)
		case it.Type == Link && now.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(it.Path)
			same = err == nil && target == it.Target
		case it.Type == File && now.Mode().IsRegular() && now.Size() == it.Size:
			if same, err = equal(it.Path, s.at(e.ID, it.Blob)); err != nil {
				return err
			}
		}
		if !same {
			c.Paths = append(c.Paths, it.Path)
		}
	}
	if len(c.Paths) > 0 && !force {
		return &c
	}
	return nil
}

// put puts one name back.
func (s *Store) put(e *Entry, it *Item, done map[string]string) error {
	dir := filepath.Dir(it.Path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	// The same name each time: who resumes removes what a killed process left.
	temp := filepath.Join(dir, ".heed-undo-"+e.ID)
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var err error
	switch it.Type {
	case Dir:
		if err := os.Mkdir(it.Path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		// It must let its content in; its own mode comes last.
		return os.Chmod(it.Path, 0o700)
	case Link:
		err = os.Symlink(it.Target, temp)
	case File:
		blob := s.at(e.ID, it.Blob)
		switch first, again := done[it.Blob]; {
		case again:
			err = os.Link(first, temp)
		case it.Linked:
			if err = os.Link(blob, temp); errors.Is(err, unix.EXDEV) {
				err = copyBlob(blob, temp)
			}
		default:
			err = copyBlob(blob, temp)
		}
		done[it.Blob] = it.Path
	}
	if err == nil {
		err = dress(temp, it)
	}
	if err == nil {
		err = os.Rename(temp, it.Path)
	}
	// A rename of one name over another of the same file does nothing and leaves both.
	if gone := os.Remove(temp); err == nil && gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = gone
	}
	return err
}

func copyBlob(from, to string) error {
	var st unix.Stat_t
	if err := unix.Lstat(from, &st); err != nil {
		return err
	}
	return copyFile(from, to, &st)
}

// dress gives a name the owner, mode, attributes and times that were kept.
func dress(path string, it *Item) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return err
	}
	if int(st.Uid) != it.UID || int(st.Gid) != it.GID {
		if err := os.Lchown(path, it.UID, it.GID); err != nil {
			return err
		}
	}
	now, err := xattrs(path)
	if err != nil {
		return err
	}
	for name := range now {
		if _, kept := it.XAttrs[name]; !kept {
			if err := unix.Lremovexattr(path, name); err != nil {
				return err
			}
		}
	}
	for name, value := range it.XAttrs {
		if have, ok := now[name]; ok && bytes.Equal(have, value) {
			continue
		}
		if err := unix.Lsetxattr(path, name, value, 0); err != nil {
			return err
		}
	}
	if it.Type != Link {
		if err := unix.Chmod(path, it.Mode); err != nil {
			return err
		}
	}
	times := []unix.Timespec{unix.NsecToTimespec(it.ATime), unix.NsecToTimespec(it.MTime)}
	return unix.UtimesNanoAt(unix.AT_FDCWD, path, times, unix.AT_SYMLINK_NOFOLLOW)
}

func equal(a, b string) (bool, error) {
	x, err := os.Open(a)
	if err != nil {
		return false, err
	}
	defer x.Close()
	y, err := os.Open(b)
	if err != nil {
		return false, err
	}
	defer y.Close()
	p, q := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errX := io.ReadFull(x, p)
		m, errY := io.ReadFull(y, q)
		if !bytes.Equal(p[:n], q[:m]) {
			return false, nil
		}
		if errX != nil || errY != nil {
			end := func(err error) bool {
				return err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
			}
			if !end(errX) || !end(errY) {
				return false, errors.Join(errX, errY)
			}
			return true, nil
		}
	}
}
