package audit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Dir is where the log of an account lies: heed/log in $XDG_STATE_HOME, or else in
// ~/.local/state. Source: XDG Base Directory Specification 0.8, which has relative
// paths ignored.
func Dir(getenv func(string) string) (string, error) {
	state := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return "", errors.New("neither XDG_STATE_HOME nor HOME names a directory to keep the log in: set one to an absolute path")
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(state, "heed", "log"), nil
}

// directory opens the log's directory, and makes it if wanted. It and the one
// above it must be directories of this account that nobody else can write, and no
// links.
func (l *Log) directory(doing string, create bool) (*os.Root, error) {
	above := filepath.Dir(l.dir)
	if create {
		// Who can make the log can make what holds it; state directories are
		// private by their specification.
		if err := os.MkdirAll(filepath.Dir(above), 0o700); err != nil {
			return nil, wrap(doing, filepath.Dir(above), err)
		}
	}
	var before fs.FileInfo
	for _, dir := range []string{above, l.dir} {
		i, err := os.Lstat(dir)
		if create && errors.Is(err, fs.ErrNotExist) {
			if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
				return nil, wrap(doing, dir, err)
			}
			i, err = os.Lstat(dir)
		}
		switch {
		case err != nil:
			return nil, wrap(doing, dir, err)
		case !i.IsDir():
			return nil, &Fault{Trouble: Owner, Doing: doing, Where: dir, What: "it is no directory, or a link to one"}
		case !mine(i):
			return nil, &Fault{Trouble: Owner, Doing: doing, Where: dir, What: "it belongs to another account, or others may write there"}
		}
		before = i
	}
	root, err := os.OpenRoot(l.dir)
	if err != nil {
		return nil, wrap(doing, l.dir, err)
	}
	// What was opened must be what was looked at.
	if now, err := root.Stat("."); err != nil || !os.SameFile(before, now) {
		_ = root.Close() // it is not used
		return nil, &Fault{Trouble: Owner, Doing: doing, Where: l.dir, What: "it was exchanged while it was opened", Err: err}
	}
	return root, nil
}

// openOwn opens a file of the log: a regular one of this account's own.
func (l *Log) openOwn(root *os.Root, doing, name string, flag int) (*os.File, fs.FileInfo, error) {
	where := filepath.Join(l.dir, name)
	f, err := root.OpenFile(name, flag|noFollow, 0o600)
	if err != nil {
		if i, lerr := root.Lstat(name); lerr == nil && !i.Mode().IsRegular() {
			return nil, nil, &Fault{Trouble: Owner, Doing: doing, Where: where, What: "it is no regular file"}
		}
		return nil, nil, wrap(doing, where, err)
	}
	i, err := f.Stat()
	if err == nil && (!i.Mode().IsRegular() || !mine(i)) {
		err = &Fault{Trouble: Owner, Doing: doing, Where: where, What: "it is no regular file of this account's own, or others may write it"}
	}
	if err != nil {
		_ = f.Close() // it is not used
		return nil, nil, wrap(doing, where, err)
	}
	return f, i, nil
}
