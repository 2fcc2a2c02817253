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
	"time"

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

// settling is how long the end of a command may take to be seen.
const settling = 2 * time.Second

// settled finds an entry whose command has ended, and locks the store; who goes on
// anyway may have one whose command still runs after a while.
func (s *Store) settled(ctx context.Context, id string, anyway bool) (*Entry, *os.File, error) {
	e, err := s.Find(id)
	if err != nil {
		return nil, nil, err
	}
	if e.Ended.IsZero() {
		ctx, cancel := context.WithTimeout(ctx, settling)
		running, err := s.Running(ctx, e.ID)
		cancel()
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
		here, dir, err := reach(it)
		if err == nil {
			err = dress(here.Path, here)
			dir.Close()
		}
		if err != nil {
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

// put puts one name back.
func (s *Store) put(e *Entry, it *Item, done map[string]string) error {
	here, dir, err := reach(it)
	if err != nil {
		return err
	}
	defer dir.Close()
	if it.Attr {
		now, _, err := look(here)
		if err == nil && it.rewritten(now) {
			here.MTime = now.MTime
		}
		return errors.Join(err, dress(here.Path, here))
	}
	first := done[it.Blob]
	if it.Type == File {
		done[it.Blob] = it.Path
		if first == "" {
			if again, err := s.inPlace(e, here); again {
				return err
			}
		}
	}
	// The same name each time: who resumes removes what a killed process left.
	temp := filepath.Join(filepath.Dir(here.Path), ".heed-undo-"+e.ID)
	if err := os.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if it.Type == Ref || it.Yields {
		if _, err := os.Lstat(here.Path + ".lock"); err == nil {
			return errors.New("git is changing it: its lock is there")
		}
	}
	switch it.Type {
	case Dir:
		return makeDir(here.Path)
	case Ref:
		return putRef(here, temp)
	}
	err = s.make(e, it, temp, first)
	if err == nil {
		err = dress(temp, it)
	}
	if err == nil {
		err = os.Rename(temp, here.Path)
	}
	// A rename of one name over another of the same file does nothing and leaves both.
	if gone := os.Remove(temp); err == nil && gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = gone
	}
	return err
}

// reach opens the directory of an item, and makes it if need be. The item that it returns
// has a path by way of that: whoever puts a link on the way meanwhile leads nobody
// elsewhere.
func reach(it *Item) (*Item, *os.File, error) {
	if err := straight(it.Path); err != nil {
		return nil, nil, err
	}
	name := filepath.Dir(it.Path)
	mode := fs.FileMode(making)
	if it.Type == Ref {
		mode = 0o755 // it is not kept what git had it as
	}
	if err := os.MkdirAll(name, mode); err != nil {
		return nil, nil, err
	}
	fd, err := unix.Openat2(unix.AT_FDCWD, name, &unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS})
	if errors.Is(err, unix.ENOSYS) { // before Linux 5.6: the look above has to do
		fd, err = unix.Open(name, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	}
	if err != nil {
		return nil, nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	here := *it
	here.Path = fmt.Sprintf("/proc/self/fd/%d/%s", fd, filepath.Base(it.Path))
	return &here, os.NewFile(uintptr(fd), name), nil
}

// make makes a file or a link anew; first is another name that has the file already.
func (s *Store) make(e *Entry, it *Item, temp, first string) error {
	if it.Type == Link {
		return os.Symlink(it.Target, temp)
	}
	blob := s.at(e.ID, it.Blob)
	if first != "" {
		return os.Link(first, temp)
	}
	if it.Linked {
		if err := os.Link(blob, temp); !errors.Is(err, unix.EXDEV) {
			return err
		}
	}
	return copyBlob(blob, temp)
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
	err := attribute(path, it)
	if errors.Is(err, fs.ErrPermission) && it.Type != Link {
		// Its mode lets nobody at it; its own comes next.
		err = unix.Chmod(path, st.Mode&0o777|0o600)
		if err == nil {
			err = attribute(path, it)
		}
	}
	if err != nil {
		return err
	}
	if it.Type != Link {
		if err := unix.Chmod(path, it.Mode); err != nil {
			return err
		}
	}
	times := []unix.Timespec{unix.NsecToTimespec(it.ATime), unix.NsecToTimespec(it.MTime)}
	return unix.UtimesNanoAt(unix.AT_FDCWD, path, times, unix.AT_SYMLINK_NOFOLLOW)
}

// attribute gives a name the extended attributes that were kept.
func attribute(path string, it *Item) error {
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
	return nil
}
