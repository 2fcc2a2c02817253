package undo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
	"golang.org/x/sys/unix"
)

// sealing is how long the end of a command waits for the store.
const sealing = time.Minute

// Running locks an entry for as long as its command runs, until the last copy of the
// descriptor is closed.
func (s *Store) Running(ctx context.Context, id string) (*os.File, error) {
	sub, err := s.root.OpenRoot(id)
	if err != nil {
		return nil, fmt.Errorf("opening what is kept as %s: %w", id, err)
	}
	defer func() { _ = sub.Close() }() // a directory: nothing is buffered
	return ownfile.Lock(ctx, sub, runningFile, false, wait)
}

// Seal waits until ended returns: then the command has ended for which an entry was kept.
// What it has not changed is dropped, and what it left of the rest is remembered, so that
// it can be told from what was changed later.
func (s *Store) Seal(ctx context.Context, id string, ended func() error) error {
	e, err := s.read(id)
	if err != nil {
		return err
	}
	if err := ended(); err != nil {
		return err
	}
	// Everything is looked at before anything else: somebody may go on at once.
	after, err := lookAll(e)
	if err != nil {
		return err
	}
	lock, err := ownfile.Lock(ctx, s.root, lockFile, false, sealing)
	if err != nil {
		return err
	}
	defer lock.Close()
	if now, err := s.read(id); err != nil || len(now.Items) != len(e.Items) {
		return err // somebody did not wait, and has put some of it back
	}
	return s.seal(e, after)
}

// lookAll looks at all that an entry holds.
func lookAll(e *Entry) ([]found, error) {
	after := make([]found, len(e.Items))
	var err error
	for i := range e.Items {
		if after[i].State, after[i].st, err = look(&e.Items[i]); err != nil {
			return nil, fmt.Errorf("looking at what the command left: %w", err)
		}
	}
	return after, nil
}

// seal is Seal for who holds the lock.
func (s *Store) seal(e *Entry, after []found) error {
	e.Ended = s.Now()
	var left []Item
	holds := map[string]bool{} // directories in which something is left
	for i := len(e.Items) - 1; i >= 0; i-- {
		it := e.Items[i]
		if !holds[it.Path] && s.untouched(e, &it, &after[i]) {
			continue
		}
		holds[filepath.Dir(it.Path)] = true
		it.After = after[i].State
		left = append(left, it)
	}
	slices.Reverse(left)
	return s.reduce(e, left)
}

// reduce leaves an entry with these items.
func (s *Store) reduce(e *Entry, items []Item) error {
	blobs := map[string]bool{}
	e.Bytes = 0
	for i := range items {
		if it := &items[i]; it.Blob != "" && !blobs[it.Blob] {
			blobs[it.Blob] = true
			e.Bytes += it.Size
		}
	}
	gone := e.Items
	e.Items = items
	if err := s.write(e, e.ID, ownfile.Keep); err != nil {
		return err
	}
	for i := range gone {
		if b := gone[i].Blob; b != "" && !blobs[b] {
			blobs[b] = true
			if err := s.root.Remove(filepath.Join(e.ID, b)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("dropping what need not be kept: %w", err)
			}
		}
	}
	return nil
}

// found is what was found at a path.
type found struct {
	*State
	st *unix.Stat_t
}

// look is what is there now of an item.
func look(it *Item) (*State, *unix.Stat_t, error) {
	var st unix.Stat_t
	path := it.Path
	err := unix.Lstat(path, &st)
	if it.Type == Ref && (err != nil || st.Mode&unix.S_IFMT == unix.S_IFREG) {
		id, err := readRef(it)
		if err != nil || id == "" {
			return &State{}, &st, err
		}
		return &State{Type: Ref, Ref: id}, &st, nil
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) {
		return &State{}, &st, nil
	}
	if errors.Is(err, fs.ErrPermission) { // a directory on the way lets nobody in
		return &State{Type: "unseen"}, &st, nil
	}
	if err != nil {
		return nil, nil, &os.PathError{Op: "lstat", Path: path, Err: err}
	}
	s := &State{Type: "other", Mode: st.Mode & 0o7777, UID: int(st.Uid), GID: int(st.Gid), MTime: st.Mtim.Nano(), Ino: st.Ino, Size: st.Size}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		s.Type = File
	case unix.S_IFDIR:
		s.Type, s.Size = Dir, 0
	case unix.S_IFLNK:
		s.Type = Link
	}
	return s, &st, nil
}

// dressed reports whether a name has the mode and owner that were kept.
func (it *Item) dressed(now *State) bool {
	return now.Mode == it.Mode && now.UID == it.UID && now.GID == it.GID
}

// untouched reports whether a command surely has not changed what was kept.
func (s *Store) untouched(e *Entry, it *Item, now *found) bool {
	if now.Type != it.Type {
		return false
	}
	switch {
	case it.Type == Ref:
		return now.Ref == it.Target
	case it.Type == Dir && !it.Attr:
		return it.dressed(now.State) // what is in it stands for itself
	case now.Ino != it.Ino || now.Size != it.Size || now.MTime != it.MTime || !it.dressed(now.State):
		return false
	case now.st.Ctim.Nano() == it.CTime:
		return true
	case it.Linked && !s.is(e, it, now.st):
		return false
	case it.Linked || it.Attr:
		have, err := xattrs(it.Path)
		return err == nil && sameAttributes(have, it.XAttrs)
	}
	return false
}

// is reports whether the blob of a linked item is the file that was looked at.
func (s *Store) is(e *Entry, it *Item, st *unix.Stat_t) bool {
	var blob unix.Stat_t
	return unix.Lstat(s.at(e.ID, it.Blob), &blob) == nil && blob.Ino == st.Ino && blob.Dev == st.Dev
}

func sameAttributes(a, b map[string][]byte) bool {
	if len(a) != len(b) {
		return false
	}
	for name := range a {
		if v, ok := b[name]; !ok || !bytes.Equal(a[name], v) {
			return false
		}
	}
	return true
}
