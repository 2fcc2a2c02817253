package undo

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/ownfile"
)

const (
	manifest    = "manifest.json"
	maxManifest = 256 << 20
	lockFile    = "lock"
	runningFile = "running"
	wait        = 5 * time.Second
)

// A Store is where entries are. Who keeps, lists and restores holds its lock.
type Store struct {
	root   *os.Root
	Quota  int64            // bytes of all entries
	Copies int64            // bytes of an entry that are copied
	Files  int              // items of an entry
	Now    func() time.Time // the clock
	// Secret says which files are never kept; whoever keeps has to set it.
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
	return &Store{root: root, Quota: DefaultQuota, Copies: DefaultCopies, Files: DefaultFiles, Now: time.Now}, nil
}

// Close closes the store.
func (s *Store) Close() error { return s.root.Close() }

func (s *Store) at(name ...string) string {
	return filepath.Join(append([]string{s.root.Name()}, name...)...)
}

// List lists the entries that have not expired, the youngest first, and those that
// cannot be read; it drops the others with what killed processes left.
func (s *Store) List() ([]*Entry, []Damaged, error) {
	lock, err := ownfile.Lock(context.Background(), s.root, lockFile, false, wait)
	if err != nil {
		return nil, nil, err
	}
	defer lock.Close()
	return s.list()
}

// list is List for who holds the lock: whatever has no lasting name then is nobody's.
func (s *Store) list() ([]*Entry, []Damaged, error) {
	names, err := fs.ReadDir(s.root.FS(), ".")
	if err != nil {
		return nil, nil, fmt.Errorf("listing what is kept for undo: %w", err)
	}
	var all []*Entry
	var damaged []Damaged
	for _, n := range names {
		if !n.IsDir() {
			continue
		}
		if strings.HasPrefix(n.Name(), ownfile.Temporary) {
			if err := s.sweep(n.Name()); err != nil {
				return nil, nil, fmt.Errorf("removing what was left behind: %w", err)
			}
			continue
		}
		e, err := s.read(n.Name())
		expires := time.Time{}
		if err == nil {
			expires = e.Expires
		} else if i, err := n.Info(); err == nil {
			expires = i.ModTime().Add(Lasts)
		}
		switch {
		case !s.Now().Before(expires):
			if err := s.drop(n.Name()); err != nil {
				return nil, nil, err
			}
		case err != nil:
			damaged = append(damaged, Damaged{ID: n.Name(), Bytes: size(s.at(n.Name())), Err: err})
		default:
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b *Entry) int { return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(a.ID, b.ID)) })
	return all, damaged, nil
}

// size is how many bytes the files below a directory have, as far as it can be read.
func size(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error { // what cannot be read is not counted
		if err != nil {
			return nil
		}
		if i, err := d.Info(); err == nil && i.Mode().IsRegular() {
			n += i.Size()
		}
		return nil
	})
	return n
}

// read reads the manifest of an entry that has its lasting name.
func (s *Store) read(id string) (*Entry, error) {
	e, err := s.manifest(id)
	if err == nil && e.ID != id {
		err = errors.New("it is another entry's")
	}
	if err != nil {
		return nil, fmt.Errorf("reading what is kept as %s: %w", id, err)
	}
	return e, nil
}

func (s *Store) manifest(dir string) (*Entry, error) {
	text, err := ownfile.Read(s.root, filepath.Join(dir, manifest), maxManifest)
	if err != nil {
		return nil, err
	}
	e := &Entry{}
	return e, json.Unmarshal(text, e)
}

// write writes an entry's manifest, in its directory; put is [ownfile.Keep], or
// [ownfile.Put] where it is synced later.
func (s *Store) write(e *Entry, dir string, put func(*os.Root, string, []byte) error) error {
	text, err := json.Marshal(e)
	if err != nil {
		return err
	}
	sub, err := s.root.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = sub.Close() }() // a directory: nothing is buffered
	if err := put(sub, manifest, text); err != nil {
		return fmt.Errorf("writing what was kept: %w", err)
	}
	return nil
}

// drop removes an entry: its name goes first, so that it is never there in part.
func (s *Store) drop(id string) error {
	gone := ownfile.Temporary + rand.Text()
	err := s.root.Rename(id, gone)
	if err == nil {
		err = ownfile.SyncDir(s.root)
	}
	if err == nil {
		err = s.sweep(gone)
	}
	if err != nil {
		return fmt.Errorf("dropping what is kept as %s: %w", id, err)
	}
	return nil
}

// sweep removes what has no lasting name, and what was held for it.
func (s *Store) sweep(dir string) error {
	if e, err := s.manifest(dir); err == nil { // without one, nothing is held yet
		release(e)
	}
	return s.root.RemoveAll(dir)
}

// find finds an entry by its ID, or the youngest one where that is empty.
func (s *Store) find(id string) (*Entry, error) {
	kept, damaged, err := s.list()
	if err != nil {
		return nil, err
	}
	if id == "" && len(kept) > 0 {
		return kept[0], nil
	}
	for _, e := range kept {
		if e.ID == id {
			return e, nil
		}
	}
	for _, d := range damaged {
		if d.ID == id {
			return nil, d.Err
		}
	}
	return nil, &Unknown{ID: id}
}

// Find finds an entry by its ID, or the youngest one where that is empty; the error is an
// [*Unknown] if there is none.
func (s *Store) Find(id string) (*Entry, error) {
	lock, err := ownfile.Lock(context.Background(), s.root, lockFile, false, wait)
	if err != nil {
		return nil, err
	}
	defer lock.Close()
	return s.find(id)
}
