//go:build amd64 || arm64

package preview

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
	"golang.org/x/sys/unix"
)

// A journal is what an apply is about to do. It is on the disk before anything is made,
// and once more, as committed, before anything that was there is touched: what is not
// committed is taken back, what is is finished.
type journal struct {
	ID     string
	Commit bool
	Steps  []step
}

// A deed is what a step does to its path.
type deed string

const (
	put           deed = "put"       // renames what is staged over it
	swap          deed = "exchange"  // exchanges it with what is staged, which is removed then
	overwrite     deed = "overwrite" // writes into it: it has other names
	remove        deed = "remove"    // removes a file
	moveAway      deed = "move"      // renames a directory, which is removed then
	setAttributes deed = "attributes"
)

// A step is one change of a path, which is done or not done.
type step struct {
	Do   deed
	Path string
	Temp string `json:",omitempty"` // beside it
	In   *state `json:",omitempty"` // the directory that it is in
	Was  *state `json:",omitempty"`
	Now  *state `json:",omitempty"`
	// Staged is what Temp is, once it is complete.
	Staged *state `json:",omitempty"`
	Held   string `json:",omitempty"` // what a directory held, as a digest
	item   *item
}

// stages reports whether something is made beside the path before.
func (s *step) stages() bool { return s.Do == put || s.Do == swap || s.Do == overwrite }

// sync brings all on the disk that the steps have changed.
func (j *journal) sync() error {
	done := map[uint64]bool{}
	for i := range j.Steps {
		dir := filepath.Dir(j.Steps[i].Path)
		st, err := look(dir)
		if err != nil || st == nil || done[st.Dev] {
			continue // it went with what was in it
		}
		done[st.Dev] = true
		f, err := os.Open(dir)
		if err != nil {
			return err
		}
		err = unix.Syncfs(int(f.Fd()))
		f.Close() // it was only read
		if err != nil {
			return pathError("bringing to the disk", dir, err)
		}
	}
	return nil
}

// A store is where journals are kept. It is locked as long as it is open.
type store struct {
	root *os.Root
	lock *os.File
	// killed is called between any two things that are done; tests end the process there.
	killed func()
}

// point is between two things that are done.
func (s *store) point() {
	if s.killed != nil {
		s.killed()
	}
}

// patience is how long another apply is waited for.
const patience = 10 * time.Second

func openStore(ctx context.Context, getenv func(string) string) (*store, error) {
	dir, err := ownfile.State(getenv, "preview")
	if err != nil {
		return nil, err
	}
	root, err := ownfile.Dir(dir, true)
	if err != nil {
		return nil, fmt.Errorf("opening the journals: %w", err)
	}
	lock, err := ownfile.Lock(ctx, root, "lock", false, patience)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("opening the journals: %w", err), root.Close())
	}
	return &store{root: root, lock: lock}, nil
}

func (s *store) close() {
	s.lock.Close() // which gives it back
	s.root.Close() //nolint:errcheck // nothing was written to it
}

const suffix = ".journal"

// keep writes a journal; when it returns, the disk has it.
func (s *store) keep(j *journal) error {
	s.point()
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	return ownfile.Keep(s.root, j.ID+suffix, text)
}

// drop removes a journal that is done with.
func (s *store) drop(j *journal) error {
	s.point()
	if err := s.root.Remove(j.ID + suffix); err != nil {
		return fmt.Errorf("removing the journal: %w", err)
	}
	return ownfile.SyncDir(s.root)
}

// mostJournal is how long a journal can be, in bytes.
const mostJournal = 1 << 30

// Resume finishes, or takes back, what an apply left that was ended. It returns what it
// did, one sentence for each.
func Resume(ctx context.Context, getenv func(string) string) ([]string, error) {
	s, err := openStore(ctx, getenv)
	if err != nil {
		return nil, err
	}
	defer s.close()
	return s.resume()
}

// Unfinished reports whether an apply was ended in the middle. It waits for nobody: one
// that is at work is none that was ended.
func Unfinished(getenv func(string) string) bool {
	dir, err := ownfile.State(getenv, "preview")
	if err != nil {
		return false
	}
	root, err := ownfile.Dir(dir, false)
	if err != nil {
		return false // there is none yet, or it is not this account's
	}
	defer root.Close() //nolint:errcheck // it was only read
	names, err := fs.Glob(root.FS(), "*"+suffix)
	if err != nil || len(names) == 0 {
		return false
	}
	lock, _, err := ownfile.Open(root, "lock", os.O_RDWR)
	if err != nil {
		return true
	}
	defer lock.Close()
	taken, err := ownfile.TryLock(lock, false)
	return err != nil || taken
}

func (s *store) resume() (did []string, err error) {
	names, err := fs.Glob(s.root.FS(), "*"+suffix)
	if err != nil {
		return nil, fmt.Errorf("looking for journals: %w", err)
	}
	for _, name := range names {
		text, err := ownfile.Read(s.root, name, mostJournal)
		if err != nil {
			return did, fmt.Errorf("reading the journal: %w", err)
		}
		j := &journal{}
		if err := json.Unmarshal(text, j); err != nil || j.ID+suffix != name || !j.sound() {
			return did, fmt.Errorf("the journal %s is damaged", filepath.Join(s.root.Name(), name))
		}
		if !j.Commit {
			if err := s.rollBack(j); err != nil {
				return did, err
			}
			did = append(did, "took back an apply that had changed nothing yet")
			continue
		}
		if err := s.commit(j); err != nil {
			return did, fmt.Errorf("finishing an apply that was ended: %w", err)
		}
		did = append(did, fmt.Sprintf("finished an apply of %d changes", len(j.Steps)))
	}
	return did, nil
}

// sound reports whether a journal is one of heed's: nothing is removed but what it made.
func (j *journal) sound() bool {
	for i := range j.Steps {
		s := &j.Steps[i]
		if !filepath.IsAbs(s.Path) || s.Temp != "" && (filepath.Dir(s.Temp) != filepath.Dir(s.Path) || !strings.HasPrefix(filepath.Base(s.Temp), temporary+j.ID+"-")) {
			return false
		}
		if s.Was == nil && s.Do != put || s.Now == nil && (s.Do == overwrite || s.Do == setAttributes) || j.Commit && s.stages() && s.Staged == nil {
			return false
		}
	}
	return j.ID != ""
}

// rollBack removes what was staged.
func (s *store) rollBack(j *journal) error {
	for i := range j.Steps {
		if st := &j.Steps[i]; st.stages() {
			s.point()
			if err := removeTree(st.Temp); err != nil {
				return fmt.Errorf("taking back: %w", err)
			}
		}
	}
	return s.drop(j)
}

// commit does the steps that are not done yet.
func (s *store) commit(j *journal) error {
	c := &Conflict{Part: true}
	for i := range j.Steps {
		st := &j.Steps[i]
		s.point()
		ok, err := st.do(s)
		if err != nil {
			// The journal stays: who resumes tries again.
			return fmt.Errorf("applying to %s: %w", st.Path, err)
		}
		if !ok {
			c.Paths = append(c.Paths, st.Path)
		}
	}
	if err := j.sync(); err != nil {
		return err
	}
	for i := range j.Steps {
		if st := &j.Steps[i]; st.Temp != "" {
			s.point()
			if err := errors.Join(removeTree(st.Temp), removeTree(st.away())); err != nil {
				return fmt.Errorf("cleaning up: %w", err)
			}
		}
	}
	if err := s.drop(j); err != nil {
		return err
	}
	if len(c.Paths) > 0 {
		return c
	}
	return nil
}

// is reports whether a path is this file, whatever has changed of it.
func (s *state) is(as *state) bool {
	return s != nil && as != nil && s.Dev == as.Dev && s.Ino == as.Ino && s.kind() == as.kind()
}

// stands reports whether a path is as the command saw it. The other names of a file may
// have been changed by this very apply.
func (s *step) stands(now *state) bool {
	if s.Was != nil && now != nil && s.Was.file() && s.Was.Links > 1 {
		return now.is(s.Was) && now.Size == s.Was.Size && now.MTime == s.Was.MTime
	}
	return now.same(s.Was)
}

// do does a step, if it is not done. It reports false where somebody else has changed what
// it is about.
func (s *step) do(in *store) (bool, error) {
	if s.In != nil {
		if in, err := look(filepath.Dir(s.Path) + "/."); err != nil || !in.is(s.In) {
			return false, err
		}
	}
	now, err := look(s.Path)
	if err != nil {
		return false, err
	}
	if s.stages() && s.Do != overwrite && now.is(s.Staged) {
		return true, nil
	}
	switch s.Do {
	case put:
		if !s.stands(now) {
			return false, nil
		}
		return true, os.Rename(s.Temp, s.Path)
	case swap:
		return s.swap(now)
	case overwrite:
		return s.overwrite(in, now)
	case remove:
		if now == nil {
			return true, nil
		}
		if !s.stands(now) {
			return false, nil
		}
		return true, os.Remove(s.Path)
	case moveAway:
		return s.moveAway(now)
	case setAttributes:
		if !now.is(s.Was) {
			return false, nil
		}
		return true, s.Now.give(s.Path, s.Was)
	}
	return false, fmt.Errorf("there is no step %q", s.Do)
}

// away is where lies what was replaced, on file systems that cannot exchange two names.
func (s *step) away() string { return s.Temp + "-old" }

// swap puts what is staged in the place of something of another type.
func (s *step) swap(now *state) (bool, error) {
	old, err := look(s.away())
	if err != nil {
		return false, err
	}
	if now == nil && old.is(s.Was) {
		return true, os.Rename(s.Temp, s.Path) // it was ended between the two below
	}
	if !s.stands(now) {
		return false, nil
	}
	err = unix.Renameat2(unix.AT_FDCWD, s.Temp, unix.AT_FDCWD, s.Path, unix.RENAME_EXCHANGE)
	if !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.ENOSYS) {
		return true, pathErr("exchanging", s.Path, err)
	}
	if err := os.Rename(s.Path, s.away()); err != nil {
		return false, err
	}
	return true, os.Rename(s.Temp, s.Path)
}

// moveAway takes a directory out of sight.
func (s *step) moveAway(now *state) (bool, error) {
	if away, err := look(s.Temp); err != nil || away != nil {
		return away.is(s.Was), err
	}
	if now == nil {
		return true, nil // it is removed already
	}
	if !now.is(s.Was) {
		return false, nil
	}
	return true, os.Rename(s.Path, s.Temp)
}

// overwrite writes what is staged into a file that has other names. It is the one change
// that can be seen half done; until it is done, what is staged stays.
func (s *step) overwrite(in *store, now *state) (done bool, err error) {
	if temp, err := look(s.Temp); err != nil || temp == nil {
		return err == nil, err // it is cleaned up already
	}
	if !now.is(s.Was) {
		return false, nil
	}
	src, err := os.Open(s.Temp)
	if err != nil {
		return false, err
	}
	defer src.Close()
	dst, err := os.OpenFile(s.Path, os.O_WRONLY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	in.point()
	n, err := io.Copy(dst, src)
	if err != nil {
		return false, err
	}
	in.point()
	if err := dst.Truncate(n); err != nil {
		return false, err
	}
	return true, s.Now.give(s.Path, s.Was)
}

// removeTree removes a name and all below it, also where directories are read-only.
func removeTree(p string) error {
	err := os.RemoveAll(p)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	err = filepath.WalkDir(p, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		return os.Chmod(name, 0o700) // before it is read
	})
	return errors.Join(err, os.RemoveAll(p))
}
