package undo

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
	"golang.org/x/sys/unix"
)

const (
	manifest    = "manifest.json"
	maxManifest = 256 << 20
	lockFile    = "lock"
	wait        = 5 * time.Second
)

// A Store is where entries are. Who keeps, lists and restores holds its lock.
type Store struct {
	root  *os.Root
	Quota int64            // bytes of all entries
	Files int              // items of an entry
	Now   func() time.Time // the clock
	// Secret says which files are never kept; whoever keeps directories has to set it.
	Secret func(path string) bool
}

// Open opens the account's store, and makes it if need be.
func Open(getenv func(string) string) (*Store, error) {
	dir, err := ownfile.State(getenv, "undo")
	if err != nil {
		return nil, err
	}
	root, err := ownfile.Dir(dir, true)
	if err != nil {
		return nil, fmt.Errorf("opening what is kept for undo: %w", err)
	}
	return &Store{root: root, Quota: DefaultQuota, Files: DefaultFiles, Now: time.Now}, nil
}

// Close closes the store.
func (s *Store) Close() error { return s.root.Close() }

func (s *Store) at(name ...string) string {
	return filepath.Join(append([]string{s.root.Name()}, name...)...)
}

// List lists the entries that have not expired, the youngest first, and drops the
// others with what killed processes left.
func (s *Store) List() ([]*Entry, error) {
	lock, err := ownfile.Lock(context.Background(), s.root, lockFile, false, wait)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	return s.list()
}

// list is List for who holds the lock: whatever has no lasting name then is nobody's.
func (s *Store) list() ([]*Entry, error) {
	names, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return nil, err
	}
	var all []*Entry
	for _, n := range names {
		if !n.IsDir() {
			continue
		}
		if strings.HasPrefix(n.Name(), ownfile.Temporary) {
			if err := s.root.RemoveAll(n.Name()); err != nil {
				return nil, fmt.Errorf("removing what was left behind: %w", err)
			}
			continue
		}
		e, err := s.read(n.Name())
		if err != nil {
			return nil, err
		}
		if !s.Now().Before(e.Expires) {
			if err := s.drop(e.ID); err != nil {
				return nil, err
			}
			continue
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b *Entry) int { return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.ID, b.ID)) })
	return all, nil
}

func (s *Store) read(id string) (*Entry, error) {
	text, err := ownfile.Read(s.root, filepath.Join(id, manifest), maxManifest)
	e := &Entry{}
	if err == nil {
		err = json.Unmarshal(text, e)
	}
	if err == nil && e.ID != id {
		err = errors.New("it is another entry's")
	}
	if err != nil {
		return nil, fmt.Errorf("reading what is kept as %s: %w", id, err)
	}
	return e, nil
}

// drop removes an entry: its name goes first, so that it is never there in part.
func (s *Store) drop(id string) error {
	gone := ownfile.Temporary + rand.Text()
	err := s.root.Rename(id, gone)
	if err == nil {
		err = ownfile.SyncDir(s.root)
	}
	if err == nil {
		err = s.root.RemoveAll(gone)
	}
	if err != nil {
		return fmt.Errorf("dropping what is kept as %s: %w", id, err)
	}
	return nil
}

// Keep keeps what is at these paths, and all below it. When it returns an entry, the
// disk has all of it; what is not there need not be kept. On an error nothing is kept.
func (s *Store) Keep(ctx context.Context, dir, command string, targets []Target) (*Entry, error) {
	lock, err := ownfile.Lock(ctx, s.root, lockFile, false, wait)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	kept, err := s.list()
	if err != nil {
		return nil, err
	}
	k := &keeping{ctx: ctx, s: s, room: s.Quota, temp: ownfile.Temporary + rand.Text(), seen: map[string]bool{}, inodes: map[[2]uint64]*Item{}}
	for _, e := range kept {
		k.room -= e.Bytes
	}
	if err := s.root.Mkdir(k.temp, 0o700); err != nil {
		return nil, err
	}
	e, err := k.keep(dir, command, targets)
	if err != nil {
		_ = s.root.RemoveAll(k.temp) // the error that counts is known; the next one sweeps
		return nil, err
	}
	return e, nil
}

// A keeping is an entry that is being made.
type keeping struct {
	ctx    context.Context
	s      *Store
	temp   string
	room   int64
	items  []Item
	bytes  int64
	seen   map[string]bool
	inodes map[[2]uint64]*Item // files of several names
}

func (k *keeping) keep(dir, command string, targets []Target) (*Entry, error) {
	// What is written counts first: a path that is both must not be kept by link.
	targets = slices.Clone(targets)
	slices.SortStableFunc(targets, func(a, b Target) int {
		if a.Written == b.Written {
			return 0
		}
		if a.Written {
			return -1
		}
		return 1
	})
	for _, t := range targets {
		if err := k.tree(t); err != nil {
			return nil, err
		}
	}
	now := k.s.Now()
	e := &Entry{ID: rand.Text()[:12], Made: now, Expires: now.Add(Lasts), Dir: dir, Command: command, Bytes: k.bytes, Items: k.items}
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	sub, err := k.s.root.OpenRoot(k.temp)
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Close() }() // a directory: nothing is buffered
	if err := ownfile.Keep(sub, manifest, text); err != nil {
		return nil, fmt.Errorf("writing what was kept: %w", err)
	}
	d, err := sub.Open(".")
	if err != nil {
		return nil, err
	}
	// One call for all blobs: syncing each costs more than the command itself.
	err = unix.Syncfs(int(d.Fd()))
	_ = d.Close() // a directory: nothing is buffered
	if err != nil {
		return nil, fmt.Errorf("syncing what was kept: %w", err)
	}
	if err := k.s.root.Rename(k.temp, e.ID); err != nil {
		return nil, err
	}
	return e, ownfile.SyncDir(k.s.root)
}

func (k *keeping) tree(t Target) error {
	if !filepath.IsAbs(t.Path) {
		return &Incomplete{Path: t.Path, What: "its path is not absolute"}
	}
	store := k.s.root.Name()
	return filepath.WalkDir(filepath.Clean(t.Path), func(path string, _ fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return &Incomplete{Path: path, What: "it cannot be read", Err: err}
		case k.ctx.Err() != nil:
			return &Incomplete{Path: path, What: "it took too long", Err: context.Cause(k.ctx)}
		case path == store || strings.HasPrefix(path, store+"/"):
			return &Incomplete{Path: path, What: "it is where heed keeps things itself"}
		case k.s.Secret != nil && k.s.Secret(path):
			return &Incomplete{Path: path, What: "secrets are never kept"}
		case k.seen[path]:
			return nil
		case len(k.items) >= k.s.Files:
			return &Incomplete{Path: path, What: "there are more than " + strconv.Itoa(k.s.Files) + " files"}
		}
		k.seen[path] = true
		return k.one(path, t.Written)
	})
}

func (k *keeping) one(path string, written bool) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return &Incomplete{Path: path, What: "it cannot be looked at", Err: err}
	}
	it := Item{Path: path, Mode: st.Mode & 0o7777, UID: int(st.Uid), GID: int(st.Gid), ATime: st.Atim.Nano(), MTime: st.Mtim.Nano()}
	var err error
	if it.XAttrs, err = xattrs(path); err != nil {
		return &Incomplete{Path: path, What: "its extended attributes cannot be read", Err: err}
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		it.Type = Dir
	case unix.S_IFLNK:
		it.Type = Link
		if it.Target, err = os.Readlink(path); err != nil {
			return &Incomplete{Path: path, What: "it cannot be read", Err: err}
		}
	case unix.S_IFREG:
		it.Type, it.Size = File, st.Size
		inode := [2]uint64{st.Dev, st.Ino}
		if first := k.inodes[inode]; first != nil {
			it.Blob, it.Linked = first.Blob, first.Linked
			break
		}
		if st.Size > k.room-k.bytes {
			return &Incomplete{Path: path, What: "there is no room left for it in what is kept for undo"}
		}
		k.bytes += st.Size
		it.Blob = strconv.Itoa(len(k.items))
		// A file of several names could be written by another one.
		if !written && st.Nlink == 1 && os.Link(path, k.s.at(k.temp, it.Blob)) == nil {
			it.Linked = true
		} else if err := copyFile(path, k.s.at(k.temp, it.Blob), &st); err != nil {
			return &Incomplete{Path: path, What: "it cannot be copied", Err: err}
		}
		if st.Nlink > 1 {
			k.inodes[inode] = &it
		}
	default:
		return &Incomplete{Path: path, What: "it is no file, directory or link"}
	}
	k.items = append(k.items, it)
	return nil
}

// copyFile copies a file's content: a clone where the file system can.
func copyFile(from, to string, was *unix.Stat_t) (err error) {
	src, err := os.OpenFile(from, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	if unix.IoctlFileClone(int(dst.Fd()), int(src.Fd())) != nil {
		if n, err := io.Copy(dst, src); err != nil {
			return err
		} else if n != was.Size {
			return errors.New("its size changed meanwhile")
		}
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(src.Fd()), &st); err != nil {
		return err
	}
	if st.Ino != was.Ino || st.Dev != was.Dev || st.Mtim != was.Mtim || st.Size != was.Size {
		return errors.New("it changed meanwhile")
	}
	return nil
}

func xattrs(path string) (map[string][]byte, error) {
	n, err := unix.Llistxattr(path, nil)
	if errors.Is(err, syscall.ENOTSUP) || err == nil && n == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := make([]byte, n)
	if n, err = unix.Llistxattr(path, list); err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for _, name := range strings.Split(strings.TrimRight(string(list[:n]), "\x00"), "\x00") {
		size, err := unix.Lgetxattr(path, name, nil)
		if err != nil {
			return nil, err
		}
		value := make([]byte, size)
		if size > 0 {
			if size, err = unix.Lgetxattr(path, name, value); err != nil {
				return nil, err
			}
		}
		all[name] = value[:size]
	}
	return all, nil
}
