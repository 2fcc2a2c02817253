//go:build amd64 || arm64

package preview

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// stagePoint is where the upper layers are mounted until the overlays are: a directory
// that every Linux has, and that is never covered.
const stagePoint = "/sys"

// mostSecrets is how many files of secrets are hidden one by one.
const mostSecrets = 2000

// A stage is where upper layers are, and what they lie over.
type stage struct {
	dir   int   // the file system of the upper layers
	trees []int // the directories below each, without anything over them
	order *order
}

// mount lays overlays over the trees. It is called in a mount namespace that nobody else
// is in, and that is private.
func (o *order) mount() (*stage, error) {
	s := &stage{order: o}
	for _, t := range o.Trees {
		fd, err := unix.Open(t.Path, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return nil, pathError("opening", t.Path, err)
		}
		s.trees = append(s.trees, fd)
	}
	kept, err := o.keepMounts()
	if err != nil {
		return nil, err
	}
	options := fmt.Sprintf("mode=0700,size=%d,nr_inodes=%d", o.Bytes, 1<<20)
	if err := unix.Mount("heed-preview", stagePoint, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return nil, fmt.Errorf("mounting a file system in memory: %w", err)
	}
	if s.dir, err = unix.Open(stagePoint, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
		return nil, pathError("opening", stagePoint, err)
	}
	for i, t := range o.Trees {
		if err := s.overlay(i, t); err != nil {
			return nil, err
		}
		for p, fd := range kept {
			if nearest(o.Trees, p) != i {
				continue
			}
			if err := unix.MoveMount(fd, "", unix.AT_FDCWD, p, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
				return nil, pathError("mounting", p, err)
			}
		}
	}
	return s, nil
}

// isRoot reports whether there is no user namespace around this process, and overlays have
// attributes that no command can write. In a user namespace they are those of users, and
// those that a command writes are kept under other names.
func isRoot() bool { return os.Geteuid() == 0 }

// detach takes the upper layers out of sight. They can be reached through the stage only,
// and written, although all mounts were made read-only.
func (s *stage) detach() error {
	if err := unix.MountSetattr(-1, fdPath(s.dir), 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return err
	}
	return unix.Unmount(fdPath(s.dir), unix.MNT_DETACH)
}

// keepMounts opens the mounts that stay as they are.
func (o *order) keepMounts() (map[string]int, error) {
	kept := map[string]int{}
	for _, p := range o.Uncovered {
		fd, err := unix.OpenTree(unix.AT_FDCWD, p, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
		if err != nil {
			return nil, pathError("opening", p, err)
		}
		kept[p] = fd
	}
	return kept, nil
}

// nearest is the number of the innermost tree around a path.
func nearest(trees []Tree, p string) int {
	at := -1
	for i, t := range trees {
		if grant.Below(p, t.Path) {
			at = i
		}
	}
	return at
}

// path is a directory of the stage: upper, work or hidden, of a tree.
func (s *stage) path(what string, i int) string {
	return fdPath(s.dir) + "/" + what + "/" + strconv.Itoa(i)
}

// fdPath is a path by which an open directory is reached.
func fdPath(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

// overlay lays one over a tree.
func (s *stage) overlay(i int, t Tree) error {
	for _, what := range []string{"upper", "work", "hidden"} {
		if err := os.MkdirAll(s.path(what, i), 0o700); err != nil {
			return err
		}
	}
	if err := s.like(fdPath(s.trees[i])+"/.", s.path("upper", i)); err != nil {
		return err
	}
	if err := s.closed(i, t); err != nil {
		return err
	}
	lower := fdPath(s.trees[i])
	hidden, err := s.hide(i, t)
	if err != nil {
		return err
	}
	if hidden {
		lower = s.path("hidden", i) + ":" + lower
	}
	options := "lowerdir=" + lower + ",upperdir=" + s.path("upper", i) + ",workdir=" + s.path("work", i)
	if !isRoot() {
		// A user namespace has neither of the two options.
		options += ",userxattr"
	} else {
		options += ",redirect_dir=nofollow,metacopy=off,index=off"
	}
	if err := unix.Mount("heed-preview", t.Path, "overlay", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return fmt.Errorf("laying an overlay over %s: %w", t.Path, err)
	}
	return nil
}

// closed takes the right to write from the top of an upper layer where this account may
// not change the tree's own: who makes a directory could. What is not as it is below is
// not compared afterwards.
func (s *stage) closed(i int, t Tree) error {
	up := s.path("upper", i)
	if unix.Faccessat(unix.AT_FDCWD, t.Path, unix.W_OK, unix.AT_EACCESS) != nil {
		top, err := look(up)
		if err != nil {
			return err
		}
		if err := unix.Fchmodat(unix.AT_FDCWD, up, top.perm()&^0o222, 0); err != nil {
			return pathError("changing the mode of", up, err)
		}
	}
	top, err := look(up)
	if err != nil {
		return err
	}
	below, err := look(fdPath(s.trees[i]) + "/.")
	if err != nil {
		return err
	}
	s.order.Trees[i].closed = top.Mode != below.Mode || top.UID != below.UID || top.GID != below.GID
	return nil
}

// dress gives a path the owner and mode of another one, as far as this process may.
func dress(p string, as *state) error {
	if err := unix.Fchownat(unix.AT_FDCWD, p, int(as.UID), int(as.GID), unix.AT_SYMLINK_NOFOLLOW); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EPERM) {
		return pathError("changing the owner of", p, err)
	}
	if as.kind() != unix.S_IFLNK {
		if err := unix.Fchmodat(unix.AT_FDCWD, p, as.perm(), 0); err != nil {
			return pathError("changing the mode of", p, err)
		}
	}
	return nil
}

// hide makes a layer over a tree in which each secret is a placeholder: it can be moved,
// deleted and overwritten as itself, and not be read.
func (s *stage) hide(i int, t Tree) (bool, error) {
	n := 0
	for _, p := range s.order.Room.Hidden() {
		if nearest(s.order.Trees, p) != i {
			continue
		}
		rel, err := filepath.Rel(t.Path, p)
		if err != nil {
			return false, err
		}
		err = filepath.WalkDir(filepath.Join(fdPath(s.trees[i]), rel), func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // what this account cannot read, the command cannot either
			}
			at := strings.TrimPrefix(name, fdPath(s.trees[i])+"/")
			if d.IsDir() || !d.Type().IsRegular() || confine.Public(filepath.Join(t.Path, at)) {
				return nil
			}
			if n++; n > mostSecrets {
				return fmt.Errorf("%s holds more than %d secrets", t.Path, mostSecrets)
			}
			return s.placeholder(i, at)
		})
		if err != nil {
			return false, err
		}
	}
	return n > 0, nil
}

// placeholder makes the placeholder of one secret, and the directories to it as they are.
func (s *stage) placeholder(i int, rel string) error {
	low, over := fdPath(s.trees[i]), s.path("hidden", i)
	at := ""
	for dir := range strings.SplitSeq(filepath.Dir(rel), "/") {
		if at = filepath.Join(at, dir); at == "." {
			break
		}
		if err := unix.Mkdir(filepath.Join(over, at), 0o700); errors.Is(err, unix.EEXIST) {
			continue
		} else if err != nil {
			return pathError("making", filepath.Join(over, at), err)
		}
		if err := s.like(filepath.Join(low, at), filepath.Join(over, at)); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(over, rel), []byte(placeholder(s.order.Marker, rel)), 0o600); err != nil {
		return err
	}
	return s.like(filepath.Join(low, rel), filepath.Join(over, rel))
}

// like gives a name the owner, mode, attributes and times of another one.
func (s *stage) like(from, to string) error {
	was, err := look(from)
	if err != nil || was == nil {
		return err
	}
	if was.XAttrs, err = xattrs(from); err != nil {
		return err
	}
	for name, value := range was.XAttrs {
		if err := setXattr(to, name, value); err != nil {
			return err
		}
	}
	if err := dress(to, was); err != nil {
		return err
	}
	return setTimes(to, was)
}

// setTimes gives a name the time of change of a state.
func setTimes(p string, as *state) error {
	times := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, unix.NsecToTimespec(as.MTime)}
	if err := unix.UtimesNanoAt(unix.AT_FDCWD, p, times, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return pathError("changing the times of", p, err)
	}
	return nil
}
