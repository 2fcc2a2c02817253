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
	"strings"

	"github.com/heedsh/heed/internal/ownfile"
	"golang.org/x/sys/unix"
)

// Check says what [Store.Restore] would do about the names at and below some paths, or
// about all where there are none. Nothing is changed.
func (s *Store) Check(ctx context.Context, id string, paths []string) (*Undone, error) {
	e, lock, err := s.settled(ctx, id, true)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	u := &Undone{Entry: e}
	_, u.Steps, err = s.plan(e, paths)
	return u, err
}

// settled finds an entry whose command has ended, and locks the store; who goes on
// anyway may have one whose command still runs after a while.
func (s *Store) settled(ctx context.Context, id string, anyway bool) (*Entry, *os.File, error) {
	e, err := s.Find(id)
	if err != nil {
		return nil, nil, err
	}
	if e.Ended.IsZero() {
		running, err := s.Running(ctx, e.ID)
		var busy *ownfile.Busy
		switch {
		case errors.As(err, &busy) && anyway:
		case errors.As(err, &busy):
			return nil, nil, ErrRuns
		case err != nil:
			return nil, nil, err
		default:
			running.Close()
		}
	}
	lock, err := ownfile.Lock(ctx, s.root, lockFile, false, wait)
	if err != nil {
		return nil, nil, err
	}
	if e, err = s.find(e.ID); err != nil {
		lock.Close()
		return nil, nil, err
	}
	return e, lock, nil
}

// Restore puts back what an entry holds at and below some paths, or all where there are
// none, and drops that from the entry. Where something else is now, nothing is put back
// and a [*Conflict] says what; by force that is kept as another entry, and overwritten. A
// process that is killed meanwhile leaves each file old or new and the entry in its place:
// Restore again goes on.
func (s *Store) Restore(ctx context.Context, id string, paths []string, force bool) (*Undone, error) {
	e, lock, err := s.settled(ctx, id, force)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	u := &Undone{Entry: e}
	items, steps, err := s.plan(e, paths)
	if err != nil {
		return nil, err
	}
	u.Steps = steps
	if u.Instead, err = s.instead(ctx, e, items, steps, force); err != nil {
		return nil, err
	}
	done := map[string]string{} // blob to the path that has it now
	for i, it := range items {
		if it.Blob != "" && steps[i].Deed == Nothing {
			done[it.Blob] = it.Path
		}
	}
	for i, it := range items {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if steps[i].Deed == Nothing || steps[i].Deed == Gone {
			continue
		}
		if err := s.put(e, it, done); err != nil {
			return nil, fmt.Errorf("putting %s back: %w", it.Path, err)
		}
	}
	// Directories get their modes and times last, the deepest first: what is put into
	// them changes them.
	for _, it := range slices.Backward(items) {
		if it.Type != Dir || it.Attr {
			continue
		}
		if err := dress(it.Path, it); err != nil {
			return nil, fmt.Errorf("putting %s back: %w", it.Path, err)
		}
	}
	// One call for all of it, on whatever file systems it is.
	unix.Sync()
	if u.Instead != nil {
		after, err := lookAll(u.Instead)
		if err == nil {
			err = s.seal(u.Instead, after)
		}
		if err != nil {
			return nil, err
		}
	}
	return u, s.finish(e, items)
}

// instead keeps what is about to be overwritten by force; without force it is the error.
func (s *Store) instead(ctx context.Context, e *Entry, items []*Item, steps []Step, force bool) (*Entry, error) {
	var c Conflict
	for i := range steps {
		if steps[i].Deed == Moved {
			c.Paths = append(c.Paths, steps[i].Path)
		}
	}
	switch {
	case len(c.Paths) == 0:
		return nil, nil
	case !force:
		return nil, &c
	}
	o := Order{Dir: e.Dir, Command: "heed undo " + e.ID, Guarded: e.Guarded}
	for i := range steps {
		if steps[i].Deed != Moved {
			continue
		}
		t := Target{Path: steps[i].Path, Written: true, Alone: true}
		if it := items[i]; it.Type == Ref {
			now, _, err := look(it)
			if err != nil {
				return nil, err
			}
			t.Ref, t.Packed = now.Ref, it.Packed
		}
		o.Targets = append(o.Targets, t)
	}
	kept, err := s.keep(ctx, o)
	switch {
	case err != nil:
		return nil, fmt.Errorf("keeping what is there now: %w", err)
	case kept != nil && len(kept.Open) > 0:
		return nil, errors.Join(fmt.Errorf("keeping what is there now: %s", kept.Open[0]), s.drop(kept.ID))
	}
	return kept, nil
}

// finish drops what was put back from an entry.
func (s *Store) finish(e *Entry, done []*Item) error {
	if len(done) == len(e.Items) {
		return s.drop(e.ID)
	}
	back := map[string]bool{}
	for _, it := range done {
		back[it.Path] = true
	}
	var left []Item
	for i := range e.Items {
		if !back[e.Items[i].Path] || e.Items[i].Type == Dir {
			left = append(left, e.Items[i])
		}
	}
	if !slices.ContainsFunc(left, func(it Item) bool { return !back[it.Path] }) {
		return s.drop(e.ID)
	}
	was := *e
	return s.reduce(&was, left)
}

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
	return equal(it.Path, s.at(e.ID, it.Blob))
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
		case err != nil:
			return err
		case real != dir:
			return fmt.Errorf("%s leads to %s now: move the link away first", dir, real)
		}
		return nil
	}
	return nil
}

// put puts one name back.
func (s *Store) put(e *Entry, it *Item, done map[string]string) error {
	if err := straight(it.Path); err != nil {
		return err
	}
	if it.Attr {
		now, _, err := look(it)
		if err != nil {
			return err
		}
		only := *it
		if it.rewritten(now) {
			only.MTime = now.MTime
		}
		return dress(it.Path, &only)
	}
	dir := filepath.Dir(it.Path)
	if done[it.Blob] == "" && it.Type == File {
		if again, err := s.inPlace(e, it); again {
			done[it.Blob] = it.Path
			return err
		}
	}
	mode := fs.FileMode(making)
	if it.Type == Ref {
		mode = 0o755 // it is not kept what git had it as
	}
	if err := os.MkdirAll(dir, mode); err != nil {
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
		return makeDir(it.Path)
	case Ref:
		return putRef(it, temp)
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

// inPlace gives a file of several names its content back, so that all of them have it:
// some may not have been kept. A process that is killed meanwhile leaves half of it, and a
// mark that says so.
func (s *Store) inPlace(e *Entry, it *Item) (is bool, err error) {
	now, st, err := look(it)
	if err != nil || now.Type != File || now.Ino != it.Ino || st.Nlink < 2 || it.Linked {
		return false, err
	}
	if err := ownfile.Put(s.root, filepath.Join(e.ID, halfOf(it)), nil); err != nil {
		return true, err
	}
	if err := os.Chmod(it.Path, fs.FileMode(now.Mode&0o777|0o200)); err != nil {
		return true, err
	}
	src, err := os.Open(s.at(e.ID, it.Blob))
	if err != nil {
		return true, err
	}
	defer src.Close()
	dst, err := os.OpenFile(it.Path, os.O_WRONLY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return true, err
	}
	_, err = io.Copy(dst, src)
	if err = errors.Join(err, dst.Truncate(it.Size), dst.Close()); err != nil {
		return true, err
	}
	return true, dress(it.Path, it)
}

// halfOf is the mark of a file that is written in place.
func halfOf(it *Item) string { return "half-" + it.Blob }

// half reports whether a process was killed while it wrote a file in place.
func (s *Store) half(e *Entry, it *Item) bool {
	if it.Blob == "" {
		return false
	}
	_, err := s.root.Lstat(filepath.Join(e.ID, halfOf(it)))
	return err == nil
}

// makeDir makes a directory that lets its content in: its own mode comes last. What the
// command put in its place goes.
func makeDir(path string) error {
	if i, err := os.Lstat(path); err == nil && !i.IsDir() {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	if err := os.Mkdir(path, making); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return os.Chmod(path, making)
}

func copyBlob(from, to string) error {
	var st unix.Stat_t
	if err := unix.Lstat(from, &st); err != nil {
		return err
	}
	_, err := copyFile(from, to, &st)
	return err
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
