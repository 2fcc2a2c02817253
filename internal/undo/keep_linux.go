package undo

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/heedsh/heed/internal/ownfile"
	"github.com/heedsh/heed/internal/xattr"
	"golang.org/x/sys/unix"
)

// reserve is how many bytes of the disk copies leave free.
const reserve = 256 << 20

// Keep keeps what is at these paths, and all below it. When it returns an entry, the
// disk has all of it, but for what the entry calls open; what is not there need not be
// kept, and if nothing is there the entry is nil. On an error nothing is kept.
func (s *Store) Keep(ctx context.Context, o Order) (*Entry, error) {
	lock, err := ownfile.Lock(ctx, s.root, lockFile, false, wait)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	return s.keep(ctx, o)
}

// keep is Keep for who holds the lock.
func (s *Store) keep(ctx context.Context, o Order) (*Entry, error) {
	kept, damaged, err := s.list()
	if err != nil {
		return nil, err
	}
	k := &keeping{ctx: ctx, s: s, room: s.Quota, copies: min(s.Copies, s.free()), temp: ownfile.Temporary + rand.Text(), open: slices.Clone(o.Open), seen: map[string]bool{}, inodes: map[[2]uint64]*linked{}, others: map[string]string{}}
	for _, e := range kept {
		k.room -= e.Bytes
	}
	for _, d := range damaged {
		k.room -= d.Bytes
	}
	if err := s.root.Mkdir(k.temp, 0o700); err != nil {
		return nil, fmt.Errorf("making room for what is kept: %w", err)
	}
	e, err := k.keep(o)
	if e == nil {
		_ = s.sweep(k.temp) // the error that counts is known; the next one sweeps
	}
	return e, err
}

// free is how many bytes copies may take of the disk.
func (s *Store) free() int64 {
	var st unix.Statfs_t
	if unix.Statfs(s.root.Name(), &st) != nil {
		return math.MaxInt64 // a write says it then
	}
	return int64(st.Bavail)*int64(st.Bsize) - reserve //nolint:unconvert // its type differs by processor
}

// A keeping is an entry that is being made.
type keeping struct {
	ctx    context.Context
	s      *Store
	temp   string
	room   int64 // bytes that are left of the quota
	copies int64 // bytes that may still be copied
	items  []Item
	files  []pending
	// copying is how many bytes are copied, unless the file system can clone.
	copying int64
	bytes   int64
	open    []string
	left    *Incomplete // the last of those that were found here
	seen    map[string]bool
	inodes  map[[2]uint64]*linked // files of several names
	others  map[string]string     // blobs of those that are written, to one of their names, while some are not kept
}

// A pending file is an item of which the content is not kept yet.
type pending struct {
	item    int
	st      unix.Stat_t
	written bool
}

// A linked file has several names.
type linked struct {
	*Item
	names int // that were not kept yet
}

func (k *keeping) keep(o Order) (*Entry, error) {
	// What is written counts first: a path that is both must not be kept by link. What only
	// gets other attributes comes last.
	targets := slices.Clone(o.Targets)
	slices.SortStableFunc(targets, func(a, b Target) int { return cmp.Compare(rank(a), rank(b)) })
	for _, t := range targets {
		if err := k.tree(t); err != nil {
			return nil, err
		}
	}
	if err := k.contents(); err != nil {
		return nil, err
	}
	for _, blob := range slices.Sorted(maps.Keys(k.others)) {
		_ = k.leave(k.others[blob], "it has other names, of which some are not kept", nil) // always nil
	}
	if len(k.items) == 0 {
		if k.left != nil {
			return nil, k.left
		}
		return nil, nil
	}
	slices.SortFunc(k.items, func(a, b Item) int { return cmp.Compare(a.Path, b.Path) })
	now := k.s.Now()
	e := &Entry{ID: rand.Text()[:12], Made: now, Expires: now.Add(Lasts), Dir: o.Dir, Command: o.Command, Bytes: k.bytes, Open: k.open, Guarded: o.Guarded, Items: k.items}
	for i, h := range o.Holds {
		e.Holds = append(e.Holds, filepath.Join(h.Dir, Refs, e.ID, strconv.Itoa(i)))
	}
	if err := k.s.write(e, k.temp, ownfile.Put); err != nil {
		return nil, err
	}
	for i, h := range o.Holds {
		if err := os.MkdirAll(filepath.Dir(e.Holds[i]), 0o755); err != nil {
			return nil, fmt.Errorf("holding what git has: %w", err)
		}
		if err := os.WriteFile(e.Holds[i], []byte(h.ID+"\n"), 0o644); err != nil {
			return nil, fmt.Errorf("holding what git has: %w", err)
		}
	}
	d, err := k.s.root.Open(k.temp)
	if err != nil {
		return nil, err
	}
	// One call for all of it: syncing each costs more than the command itself.
	err = unix.Syncfs(int(d.Fd()))
	_ = d.Close() // a directory: nothing is buffered
	if err != nil {
		return nil, fmt.Errorf("syncing what was kept: %w", err)
	}
	if err := k.s.root.Rename(k.temp, e.ID); err != nil {
		return nil, err
	}
	if err := ownfile.SyncDir(k.s.root); err != nil {
		return nil, errors.Join(err, k.s.drop(e.ID))
	}
	return e, nil
}

func rank(t Target) int {
	switch {
	case t.Attr:
		return 2
	case t.Written:
		return 0
	}
	return 1
}

// leave says that something is not kept, though the rest is.
func (k *keeping) leave(path, what string, err error) error {
	k.left = &Incomplete{Path: path, What: what, Err: err}
	k.open = append(k.open, k.left.Error())
	return nil
}

func (k *keeping) tree(t Target) error {
	if !filepath.IsAbs(t.Path) {
		return &Incomplete{Path: t.Path, What: "its path is not absolute"}
	}
	// Whoever puts it back follows no link.
	top, err := filepath.EvalSymlinks(filepath.Dir(filepath.Clean(t.Path)))
	if errors.Is(err, fs.ErrNotExist) && t.Ref == "" {
		return nil
	}
	if t.Ref != "" {
		top, err = filepath.Dir(filepath.Clean(t.Path)), nil // the directory of a packed ref need not be there
	}
	if err != nil {
		return k.leave(t.Path, "it cannot be looked at", err)
	}
	top = filepath.Join(top, filepath.Base(filepath.Clean(t.Path)))
	if t.Ref != "" {
		if !k.seen[top] {
			k.seen[top] = true
			k.items = append(k.items, Item{Path: top, Type: Ref, Target: t.Ref, Packed: t.Packed})
		}
		return nil
	}
	store := k.s.root.Name()
	return filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
			return nil
		case err != nil:
			return k.leave(path, "it cannot be read", err)
		case k.ctx.Err() != nil:
			return &Incomplete{Path: path, What: "it took too long", Err: context.Cause(k.ctx)}
		case path == store || strings.HasPrefix(path, store+"/"):
			return &Incomplete{Path: path, What: "it is where heed keeps things itself"}
		case t.Part != nil && path != top && !t.Part.Has(path, d.IsDir()):
			return skip(d)
		case !t.Attr && k.s.Secret != nil && k.s.Secret(path):
			_ = k.leave(path, "secrets are never kept", nil) // always nil
			return skip(d)
		case k.seen[path]:
			return nil
		case len(k.items) >= k.s.Files:
			return &Incomplete{Path: path, What: "there are more than " + strconv.Itoa(k.s.Files) + " files"}
		}
		k.seen[path] = true
		if err := k.one(path, t); err != nil || !t.Alone {
			return err
		}
		return skip(d)
	})
}

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

func (k *keeping) one(path string, t Target) error {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return k.leave(path, "it cannot be looked at", err)
	}
	it := Item{Path: path, Mode: st.Mode & 0o7777, UID: int(st.Uid), GID: int(st.Gid), ATime: st.Atim.Nano(), MTime: st.Mtim.Nano(), CTime: st.Ctim.Nano(), Ino: st.Ino, Attr: t.Attr, Yields: t.Yields}
	var err error
	if it.XAttrs, err = xattrs(path); err != nil {
		return k.leave(path, "its extended attributes cannot be read", err)
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		it.Type = Dir
	case unix.S_IFLNK:
		it.Type = Link
		if it.Target, err = os.Readlink(path); err != nil {
			return k.leave(path, "it cannot be read", err)
		}
	case unix.S_IFREG:
		it.Type, it.Size = File, st.Size
		if !t.Attr {
			k.files = append(k.files, pending{len(k.items), st, t.Written})
			if t.Written || st.Nlink > 1 {
				k.copying += st.Size
			}
		}
	default:
		if !t.Attr {
			return k.leave(path, "it is no file, directory or link", nil)
		}
		return nil
	}
	k.items = append(k.items, it)
	return nil
}

// contents keeps the contents of all files that were found.
func (k *keeping) contents() error {
	for i := range k.files {
		f := &k.files[i]
		it := &k.items[f.item]
		if k.ctx.Err() != nil {
			return &Incomplete{Path: it.Path, What: "it took too long", Err: context.Cause(k.ctx)}
		}
		if err := k.content(it, strconv.Itoa(f.item), &f.st, f.written); err != nil {
			return err
		}
		if it.Blob == "" {
			it.Type = None
		}
	}
	k.items = slices.DeleteFunc(k.items, func(it Item) bool { return it.Type == None })
	return nil
}

// content keeps the content of a file; without a blob it could not be kept.
func (k *keeping) content(it *Item, blob string, st *unix.Stat_t, written bool) error {
	inode := [2]uint64{st.Dev, st.Ino}
	if first := k.inodes[inode]; first != nil {
		it.Blob, it.Linked = first.Blob, first.Linked
		if first.names--; first.names == 0 {
			delete(k.others, first.Blob)
		}
		return nil
	}
	if st.Size > k.room-k.bytes {
		return &Incomplete{Path: it.Path, What: "there is no room left for it in what is kept for undo"}
	}
	// A file of several names could be written by another one.
	if !written && st.Nlink == 1 && os.Link(it.Path, k.s.at(k.temp, blob)) == nil {
		it.Linked = true
	} else {
		if st.Size > k.copies {
			return &Incomplete{Path: it.Path, What: "it is more than may be copied before a command, or than the disk has room for"}
		}
		cloned, err := copyFile(it.Path, k.s.at(k.temp, blob), st)
		switch {
		case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
			return &Incomplete{Path: it.Path, What: "the disk is full", Err: err}
		case err != nil:
			_ = os.Remove(k.s.at(k.temp, blob)) // half a copy, or none
			return k.leave(it.Path, "it cannot be copied", err)
		case cloned:
		case k.copying > k.copies:
			// All that was found beforehand: what cannot be ended is not begun.
			return &Incomplete{Path: it.Path, What: "it and the others are more than may be copied before a command, or than the disk has room for"}
		default:
			k.copies, k.copying = k.copies-st.Size, k.copying-st.Size
		}
	}
	k.bytes += st.Size
	it.Blob = blob
	if st.Nlink > 1 {
		k.inodes[inode] = &linked{Item: it, names: int(st.Nlink) - 1}
		if written {
			k.others[blob] = it.Path
		}
	}
	return nil
}

// copyFile copies a file's content: a clone where the file system can.
func copyFile(from, to string, was *unix.Stat_t) (cloned bool, err error) {
	src, err := os.OpenFile(from, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return false, err
	}
	defer src.Close()
	dst, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, dst.Close()) }()
	if cloned = unix.IoctlFileClone(int(dst.Fd()), int(src.Fd())) == nil; !cloned {
		if n, err := io.Copy(dst, src); err != nil {
			return false, err
		} else if n != was.Size {
			return false, errors.New("its size changed meanwhile")
		}
	}
	var st unix.Stat_t
	if err := unix.Fstat(int(src.Fd()), &st); err != nil {
		return cloned, err
	}
	if st.Ino != was.Ino || st.Dev != was.Dev || st.Mtim != was.Mtim || st.Size != was.Size {
		return cloned, errors.New("it changed meanwhile")
	}
	return cloned, nil
}

// xattrs are the extended attributes of a path.
func xattrs(path string) (map[string][]byte, error) {
	return xattr.All(path, func(string) bool { return false })
}
