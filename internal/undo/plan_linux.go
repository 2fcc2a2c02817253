package undo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// plan looks at what is there now, before anything is changed.
func (s *Store) plan(e *Entry, paths []string) ([]*Item, []Step, error) {
	var items []*Item
	var steps []Step
	for i := range e.Items {
		it := &e.Items[i]
		if !meant(it, e.Items[i+1:], paths) {
			continue
		}
		deed, err := s.deed(e, it)
		if err != nil {
			return nil, nil, err
		}
		items, steps = append(items, it), append(steps, Step{Path: it.Path, Type: it.Type, Deed: deed})
	}
	if len(items) == 0 && len(paths) > 0 {
		return nil, nil, fmt.Errorf("%s holds nothing at %s", e.ID, strings.Join(paths, ", "))
	}
	return items, steps, nil
}

// meant reports whether an item is at or below one of the paths, or is a directory of
// one that is and is not there.
func meant(it *Item, after []Item, paths []string) bool {
	within := func(path, dir string) bool {
		return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
	}
	for _, p := range paths {
		if within(it.Path, p) {
			return true
		}
		if it.Type == Dir && within(p, it.Path) && slices.ContainsFunc(after, func(other Item) bool { return within(other.Path, p) }) {
			if _, err := os.Lstat(it.Path); errors.Is(err, fs.ErrNotExist) {
				return true
			}
		}
	}
	return len(paths) == 0
}

// deed says what putting one name back comes to.
func (s *Store) deed(e *Entry, it *Item) (Deed, error) {
	if err := straight(it.Path); err != nil {
		return "", err
	}
	now, st, err := look(it)
	if err != nil {
		return "", err
	}
	if it.Linked {
		var blob unix.Stat_t
		if err := unix.Lstat(s.at(e.ID, it.Blob), &blob); err != nil {
			return "", fmt.Errorf("what was kept of %s is not there: %w", it.Path, err)
		}
		if blob.Size != it.Size || blob.Mtim.Nano() != it.MTime {
			byCommand := it.After != nil && (it.After.Size != it.Size || it.After.MTime != it.MTime)
			if now.Type == File && blob.Ino == st.Ino && blob.Dev == st.Dev && !byCommand {
				return Nothing, nil // it was not deleted, and written later
			}
			return "", fmt.Errorf("%s was still written after it was kept to be deleted: it cannot be put back as it was", it.Path)
		}
	}
	asLeft := s.half(e, it) || it.After != nil && (*it.After == *now || it.After.Type == Dir && now.Type == Dir)
	switch {
	case now.Type == None && it.Attr:
		return Gone, nil
	case now.Type == None:
		return Makes, nil
	case (now.Type == Dir) != (it.Type == Dir) && (!asLeft || now.Type == Dir):
		if now.Type == Dir {
			return "", fmt.Errorf("%s is a directory now: move it away first", it.Path)
		}
		return "", fmt.Errorf("%s is no directory any more: move it away first", it.Path)
	}
	same, err := s.same(e, it, now)
	switch {
	case err != nil:
		return "", err
	case !same && (asLeft || it.Yields):
		return Replaces, nil
	case !same:
		return Moved, nil
	case it.Type == Ref:
		return Nothing, nil
	case it.dressed(now) && (it.Type == Dir || now.MTime == it.MTime || it.rewritten(now)):
		if have, err := xattrs(it.Path); err == nil && sameAttributes(have, it.XAttrs) {
			return Nothing, nil
		}
	}
	if !it.halfDressed(now) && (it.Type != Dir || now.Mode != making) {
		return Moved, nil
	}
	return Dresses, nil
}

// making is the mode of a directory while its content is put into it.
const making = 0o700

// rewritten reports whether the content of a file of which only the attributes were kept
// is another one than the command left: it has a time of its own.
func (it *Item) rewritten(now *State) bool {
	return it.Attr && it.After != nil && now.MTime != it.MTime && now.MTime != it.After.MTime
}

// halfDressed reports whether each of mode and owner is what was kept or what the
// command left: a process that was killed while it put them back leaves some of each.
func (it *Item) halfDressed(now *State) bool {
	a := it.After
	if a == nil {
		return true // what the command left is not known; the content is what was kept
	}
	const permissions = 0o777 // the others go when the owner changes
	return (now.Mode&permissions == it.Mode&permissions || now.Mode&permissions == a.Mode&permissions) && (now.UID == it.UID || now.UID == a.UID) && (now.GID == it.GID || now.GID == a.GID)
}

// same reports whether the content of what is there is that which was kept.
func (s *Store) same(e *Entry, it *Item, now *State) (bool, error) {
	switch {
	case now.Type != it.Type:
		return false, nil
	case it.Type == Dir || it.Attr:
		return true, nil
	case it.Type == Ref:
		return now.Ref == it.Target, nil
	case it.Type == Link:
		target, err := os.Readlink(it.Path)
		return err == nil && target == it.Target, nil
	case now.Size != it.Size:
		return false, nil
	case it.Linked && it.Ino == now.Ino && now.MTime == it.MTime:
		return true, nil
	}
	same, err := equal(it.Path, s.at(e.ID, it.Blob))
	if errors.Is(err, fs.ErrPermission) { // it lets nobody read it now
		return it.Ino == now.Ino && it.MTime == now.MTime, nil
	}
	return same, err
}

// straight fails where a link leads elsewhere on the way to a path: nothing is put where
// it was not.
func straight(path string) error {
	for dir := filepath.Dir(path); dir != "/"; dir = filepath.Dir(dir) {
		real, err := filepath.EvalSymlinks(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
			if i, err := os.Lstat(dir); err == nil && i.Mode()&fs.ModeSymlink != 0 {
				return fmt.Errorf("%s is a link now: move it away first", dir)
			}
			continue
		case errors.Is(err, fs.ErrPermission):
			continue // whoever puts something there opens the directory without links
		case err != nil:
			return err
		case real != dir:
			return fmt.Errorf("%s leads to %s now: move the link away first", dir, real)
		}
		return nil
	}
	return nil
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
