//go:build amd64 || arm64

package preview

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/xattr"
	"golang.org/x/sys/unix"
)

// temporary begins the names of what is staged beside the files that it will replace.
const temporary = ".heed-preview-"

// Apply makes the changes of the preview, and nothing else. What an earlier one left
// unfinished is finished or taken back before. An error that is a [*Conflict] names the
// files that are not those any more that the command saw; before the first change, none is
// made then.
func (v *Preview) Apply(ctx context.Context, getenv func(string) string) error {
	if err := v.applicable(); err != nil {
		return err
	}
	s, err := openStore(ctx, getenv)
	if err != nil {
		return err
	}
	defer s.close()
	s.killed = v.killed
	if _, err := s.resume(); err != nil {
		return err
	}
	if err := v.unmoved(); err != nil {
		return err
	}
	j := v.journal()
	if len(j.Steps) == 0 {
		return nil
	}
	if err := s.keep(j); err != nil {
		return fmt.Errorf("writing the journal: %w", err)
	}
	if err := v.stageAll(s, j); err != nil {
		return errors.Join(err, s.rollBack(j))
	}
	j.Commit = true
	if err := s.keep(j); err != nil {
		return errors.Join(fmt.Errorf("writing the journal: %w", err), s.rollBack(j))
	}
	return s.commit(j)
}

// applicable says why the changes cannot be made as they are.
func (v *Preview) applicable() error {
	if v.Limit != "" {
		return fmt.Errorf("nothing is applied: the command was stopped at the limit of %s, half done", v.Limit)
	}
	if len(v.Secrets) > 0 {
		return fmt.Errorf("nothing is applied: the command read %s, of which it saw a placeholder (--secret lets it be read)", strings.Join(v.Secrets, ", "))
	}
	for i := range v.items {
		switch it := &v.items[i]; {
		case it.Secret:
			return fmt.Errorf("nothing is applied: %s holds a placeholder of a secret (--secret lets it be read)", v.path(it))
		case it.Now != nil && !slices.Contains([]uint32{unix.S_IFREG, unix.S_IFDIR, unix.S_IFLNK, unix.S_IFIFO}, it.Now.kind()):
			return fmt.Errorf("nothing is applied: %s is a %s, which heed does not make", v.path(it), it.Now.typeName())
		}
	}
	return nil
}

// A Conflict is the error of files that somebody else changed.
type Conflict struct {
	Paths []string
	// Part is whether other changes were made.
	Part bool
}

// Error implements error.
func (c *Conflict) Error() string {
	what := "nothing is applied"
	if c.Part {
		what = "all was applied but for these"
	}
	return what + ": changed by somebody else since the command saw it: " + strings.Join(c.Paths, ", ")
}

// unmoved compares what is there with what the command saw.
func (v *Preview) unmoved() error {
	c := &Conflict{}
	for i := range v.items {
		it := &v.items[i]
		p := v.path(it)
		now, err := look(p)
		if err != nil {
			return err
		}
		in, err := v.stillIn(it, p)
		if err != nil {
			return err
		}
		moved := it.Moved || !in || !now.same(it.Was)
		if !moved && it.Held.Digest != "" {
			held, err := measure(p, false)
			if err != nil {
				return err
			}
			moved = held.Digest != it.Held.Digest
		}
		if moved {
			c.Paths = append(c.Paths, p)
		}
	}
	if len(c.Paths) > 0 {
		return c
	}
	return nil
}

// stillIn reports whether a path lies in the directory in which the command saw it.
func (v *Preview) stillIn(it *item, p string) (bool, error) {
	if it.In == nil {
		return true, nil
	}
	in, err := look(filepath.Dir(p) + "/.")
	return in.is(it.In), err
}

// journal makes the steps of the changes.
func (v *Preview) journal() *journal {
	j := &journal{ID: rand.Text()[:12]}
	for i := range v.items {
		it := &v.items[i]
		p := v.path(it)
		s := step{Path: p, Temp: filepath.Join(filepath.Dir(p), temporary+j.ID+"-"+strconv.Itoa(i)), In: it.In, Was: it.Was, Now: it.Now, Held: it.Held.Digest, item: it}
		switch {
		case it.Kind == Attributes:
			s.Do, s.Temp = setAttributes, ""
		case it.Kind == Deleted && it.Was.dir():
			s.Do = moveAway
		case it.Kind == Deleted:
			s.Do, s.Temp = remove, ""
		case it.Kind == Replaced && (it.Was.dir() || it.Now.dir()):
			s.Do = swap
		case it.Kind == Changed && it.Now.file() && it.Was.Links > 1 && it.Link == "":
			s.Do = overwrite
		default:
			s.Do = put
		}
		j.Steps = append(j.Steps, s)
	}
	// Modes of directories come last, and those of inner ones first: they may forbid what
	// comes before.
	slices.SortStableFunc(j.Steps, func(a, b step) int {
		x, y := a.Do == setAttributes && a.Now.dir(), b.Do == setAttributes && b.Now.dir()
		switch {
		case x && y:
			return strings.Compare(b.Path, a.Path)
		case x:
			return 1
		case y:
			return -1
		}
		return 0
	})
	return j
}

// stageAll makes all that is new beside where it will be.
func (v *Preview) stageAll(s *store, j *journal) error {
	temps := map[string]string{} // of paths
	for _, links := range []bool{false, true} {
		for i := range j.Steps {
			st := &j.Steps[i]
			if !st.stages() || links != (st.item.Link != "") {
				continue
			}
			s.point()
			temps[st.Path] = st.Temp
			if err := v.stageOne(st, temps); err != nil {
				return fmt.Errorf("preparing %s: %w", st.Path, err)
			}
			staged, err := look(st.Temp)
			if err != nil {
				return err
			}
			st.Staged = staged
		}
	}
	return j.sync()
}

func (v *Preview) stageOne(st *step, temps map[string]string) error {
	it := st.item
	if it.Link == "" {
		c := copier{}
		return c.tree(v.upper(it), st.Temp, it.Now)
	}
	to := filepath.Join(v.plan.Trees[it.LinkTree].Path, it.Link)
	if temp, ok := temps[to]; ok {
		to = temp
	}
	return os.Link(to, st.Temp)
}

// A copier copies out of the upper layer.
type copier struct{ inodes map[uint64]string }

// tree copies a file, or a directory with all in it.
func (c *copier) tree(from, to string, now *state) error {
	if now.file() && now.Links > 1 {
		if first, ok := c.inodes[now.Ino]; ok {
			return os.Link(first, to)
		}
		if c.inodes == nil {
			c.inodes = map[uint64]string{}
		}
		c.inodes[now.Ino] = to
	}
	if err := c.one(from, to, now); err != nil {
		return err
	}
	attrs, err := xattrs(from)
	if err != nil {
		return err
	}
	return (&state{Mode: trueMode(from, now), UID: now.UID, GID: now.GID, MTime: now.MTime, XAttrs: attrs}).give(to, nil)
}

// one makes what a path is, without its attributes.
func (c *copier) one(from, to string, now *state) error {
	switch now.kind() {
	case unix.S_IFREG:
		return copyFile(from, to)
	case unix.S_IFLNK:
		return os.Symlink(now.Target, to)
	case unix.S_IFIFO:
		return pathErr("making", to, unix.Mkfifo(to, 0o600))
	case unix.S_IFDIR:
		if err := os.Mkdir(to, 0o700); err != nil {
			return err
		}
		names, err := readNames(from)
		if err != nil {
			return err
		}
		for _, name := range names {
			s, err := look(filepath.Join(from, name))
			if err != nil {
				return err
			}
			// What listened on a socket is gone.
			if s == nil || s.whiteout(filepath.Join(from, name)) || s.kind() == unix.S_IFSOCK {
				continue
			}
			if err := c.tree(filepath.Join(from, name), filepath.Join(to, name), s); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("%s is a %s, which heed does not make", to, now.typeName())
}

func pathErr(op, p string, err error) error {
	if err != nil {
		return pathError(op, p, err)
	}
	return nil
}

// trueMode is the mode that the command gave, where [readable] has changed it.
func trueMode(p string, s *state) uint32 {
	if text, err := xattr.Get(p, modeAttr); err == nil && !isRoot() {
		if mode, err := strconv.ParseUint(string(text), 8, 32); err == nil {
			return s.kind() | uint32(mode)
		}
	}
	return s.Mode
}

// copyFile copies a file's content.
func copyFile(from, to string) (err error) {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	_, err = io.Copy(dst, src)
	return err
}

// give gives a path the attributes of a state, in the place of those that it had: nil if it
// is new.
func (s *state) give(p string, was *state) error {
	at, err := look(p)
	if err != nil {
		return err
	}
	if at == nil {
		return pathError("looking at", p, os.ErrNotExist)
	}
	if at.UID != s.UID || at.GID != s.GID {
		if err := os.Lchown(p, int(s.UID), int(s.GID)); err != nil {
			return err
		}
	}
	for name, value := range s.XAttrs {
		if err := setXattr(p, name, value); err != nil {
			return err
		}
	}
	if was != nil {
		for name := range was.XAttrs {
			if _, kept := s.XAttrs[name]; kept {
				continue
			}
			if err := unix.Lremovexattr(p, name); err != nil && !errors.Is(err, unix.ENODATA) {
				return pathError("removing an attribute of", p, err)
			}
		}
	}
	if at.kind() != unix.S_IFLNK {
		if err := unix.Fchmodat(unix.AT_FDCWD, p, s.perm(), 0); err != nil {
			return pathError("changing the mode of", p, err)
		}
	}
	if was != nil && (was.dir() || was.MTime == s.MTime) {
		return nil // names in it have come and gone
	}
	return setTimes(p, s)
}
