package undo

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	maxRef    = 4 << 10  // bytes of the file of a ref
	maxPacked = 64 << 20 // bytes of packed refs
)

// readRef is what a ref names now: its own file counts before the packed ones. It is ""
// if there is no such ref. Source: gitrepository-layout(5), git-pack-refs(1).
func readRef(it *Item) (string, error) {
	text, err := readSome(it.Path, maxRef)
	if err == nil {
		return strings.TrimSpace(string(text)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, unix.ENOTDIR) {
		return "", err
	}
	name, err := filepath.Rel(filepath.Dir(it.Packed), it.Path)
	if err != nil {
		return "", err
	}
	text, err = readSome(it.Packed, maxPacked)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	for line := range bytes.Lines(text) {
		if id, rest, ok := strings.Cut(strings.TrimSuffix(string(line), "\n"), " "); ok && rest == name {
			return id, nil
		}
	}
	return "", nil
}

func readSome(name string, limit int64) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, fmt.Errorf("%s is too large", name)
	}
	return text, err
}

// putRef lets a ref name what it did, in a file of its own. git takes no file for a ref
// whose name begins with a dot.
func putRef(it *Item, temp string) error {
	if err := os.WriteFile(temp, []byte(it.Target+"\n"), 0o644); err != nil {
		return err
	}
	return os.Rename(temp, it.Path)
}

// release removes the refs that hold objects for an entry. The repository may be gone, or
// be locked by git: what is held then is no more than a name too many.
func release(e *Entry) {
	repos := map[string]bool{}
	for _, name := range e.Holds {
		common, _, ok := strings.Cut(name, "/"+Refs+"/")
		if !ok || filepath.Dir(name) != filepath.Join(common, Refs, e.ID) {
			continue
		}
		repos[common] = true
		_ = os.Remove(name)
	}
	for common := range repos {
		_ = os.Remove(filepath.Join(common, Refs, e.ID))
		_ = unpack(filepath.Join(common, "packed-refs"), Refs+"/"+e.ID+"/")
	}
}

// unpack takes the refs that begin so out of the packed ones, as git would: it writes the
// lock, and gives that their name.
func unpack(packed, prefix string) (err error) {
	text, err := readSome(packed, maxPacked)
	if err != nil || !bytes.Contains(text, []byte(" "+prefix)) {
		return err
	}
	lock, err := os.OpenFile(packed+".lock", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(packed + ".lock")
		}
	}()
	if text, err = readSome(packed, maxPacked); err != nil { // nobody changes it any more
		return errors.Join(err, lock.Close())
	}
	var left []byte
	dropped := false
	for line := range bytes.Lines(text) {
		if _, name, ok := bytes.Cut(line, []byte(" ")); line[0] != '^' { // what a tag names belongs to the line before
			dropped = ok && line[0] != '#' && bytes.HasPrefix(name, []byte(prefix))
		}
		if !dropped {
			left = append(left, line...)
		}
	}
	_, err = lock.Write(left)
	if err = errors.Join(err, lock.Sync(), lock.Close()); err != nil {
		return err
	}
	return os.Rename(packed+".lock", packed)
}
