package ownfile

import (
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// A Foreign is the error of a file or directory that is not, or not only, this
// account's own.
type Foreign struct {
	Where, What string
	Err         error // may be nil
}

// Error implements error.
func (f *Foreign) Error() string {
	text := f.Where + ": " + f.What
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	return text
}

// Unwrap returns the error of the system.
func (f *Foreign) Unwrap() error { return f.Err }

// ErrNoState says that the environment names no place to keep things in.
var ErrNoState = errors.New("neither XDG_STATE_HOME nor HOME names a directory to keep it in: set one to an absolute path")

// State is where things of a name are kept: heed/NAME in $XDG_STATE_HOME, or else in
// ~/.local/state. Nothing is looked at. Source: XDG Base Directory Specification 0.8,
// which has relative paths ignored.
func State(getenv func(string) string, name string) (string, error) {
	state := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return "", ErrNoState
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "heed", name), nil
}

// Dir opens a directory, and makes it if wanted. It and the one above it must be
// directories of this account that nobody else can write, and no links.
func Dir(dir string, create bool) (*os.Root, error) {
	above := filepath.Dir(dir)
	if create {
		// Who can make the directory can make what holds it; state directories are
		// private by their specification.
		if err := os.MkdirAll(filepath.Dir(above), 0o700); err != nil {
			return nil, err
		}
	}
	var before fs.FileInfo
	for _, d := range []string{above, dir} {
		i, err := os.Lstat(d)
		if create && errors.Is(err, fs.ErrNotExist) {
			if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, err
			}
			i, err = os.Lstat(d)
		}
		switch {
		case err != nil:
			return nil, err
		case !i.IsDir():
			return nil, &Foreign{Where: d, What: "it is no directory, or a link to one"}
		case !Mine(i):
			return nil, &Foreign{Where: d, What: "it belongs to another account, or others may write there"}
		}
		before = i
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	// What was opened must be what was looked at.
	if now, err := root.Stat("."); err != nil || !os.SameFile(before, now) {
		_ = root.Close() // it is not used
		return nil, &Foreign{Where: dir, What: "it was exchanged while it was opened", Err: err}
	}
	return root, nil
}

// Open opens a file of such a directory: a regular one of this account's own. flag
// may create it.
func Open(root *os.Root, name string, flag int) (*os.File, fs.FileInfo, error) {
	where := filepath.Join(root.Name(), name)
	f, err := root.OpenFile(name, flag|noFollow, 0o600)
	if err != nil {
		if i, lerr := root.Lstat(name); lerr == nil && !i.Mode().IsRegular() {
			return nil, nil, &Foreign{Where: where, What: "it is no regular file"}
		}
		return nil, nil, err
	}
	i, err := f.Stat()
	if err == nil && (!i.Mode().IsRegular() || !Mine(i)) {
		err = &Foreign{Where: where, What: "it is no regular file of this account's own, or others may write it"}
	}
	// os.Root follows a link that stays inside, whatever the flag says.
	if named, lerr := root.Lstat(name); err == nil && lerr == nil && !named.Mode().IsRegular() {
		err = &Foreign{Where: where, What: "it is no regular file"}
	}
	if err != nil {
		_ = f.Close() // it is not used
		return nil, nil, err
	}
	return f, i, nil
}

// ErrTooLarge says that a file is larger than it can be.
var ErrTooLarge = errors.New("it is too large")

// Read reads a file whole, of at most limit bytes.
func Read(root *os.Root, name string, limit int64) ([]byte, error) {
	f, _, err := Open(root, name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, ErrTooLarge
	}
	return text, err
}

// Temporary begins the names of files that are not whole yet, or were left behind.
const Temporary = "new-"

// Put writes a file, all of it or nothing: whoever reads it meanwhile reads what was
// there before. After a power failure it may be what was there before.
func Put(root *os.Root, name string, text []byte) error { return replace(root, name, text, false) }

// Keep is Put for what must not be lost: when it returns, the disk has the file.
func Keep(root *os.Root, name string, text []byte) error {
	if err := replace(root, name, text, true); err != nil {
		return err
	}
	return SyncDir(root)
}

// KeepNew is Keep for a file that is not there yet: of several who write it at the same
// time one succeeds, and the others get [fs.ErrExist].
func KeepNew(root *os.Root, name string, text []byte) error {
	temp, err := write(root, text, true)
	if err != nil {
		return err
	}
	err = root.Link(temp, name)
	_ = root.Remove(temp) // it has its lasting name, or is not wanted
	if err != nil {
		return err
	}
	return SyncDir(root)
}

// replace writes a file in the place of another.
func replace(root *os.Root, name string, text []byte, sync bool) error {
	temp, err := write(root, text, sync)
	if err != nil {
		return err
	}
	if err := root.Rename(temp, name); err != nil {
		_ = root.Remove(temp) // the error that counts is known
		return err
	}
	return nil
}

// write writes a file of no lasting name.
func write(root *os.Root, text []byte, sync bool) (temp string, err error) {
	temp = Temporary + rand.Text()
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	if err == nil && sync {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = root.Remove(temp) // the error that counts is known
	}
	return temp, err
}
