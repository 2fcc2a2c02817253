package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/heedsh/heed/internal/ownfile"
)

// Dir is where the log of an account lies: heed/log in $XDG_STATE_HOME, or else in
// ~/.local/state.
func Dir(getenv func(string) string) (string, error) {
	dir, err := ownfile.State(getenv, "log")
	if err != nil {
		return "", fmt.Errorf("looking for the log: %w", err)
	}
	return dir, nil
}

// directory opens the log's directory, and makes it if wanted.
func (l *Log) directory(doing string, create bool) (*os.Root, error) {
	root, err := ownfile.Dir(l.dir, create)
	if err != nil {
		return nil, foreign(doing, l.dir, err)
	}
	return root, nil
}

// openOwn opens a file of the log: a regular one of this account's own.
func (l *Log) openOwn(root *os.Root, doing, name string, flag int) (*os.File, fs.FileInfo, error) {
	f, i, err := ownfile.Open(root, name, flag)
	if err != nil {
		return nil, nil, foreign(doing, filepath.Join(l.dir, name), err)
	}
	return f, i, nil
}

// foreign makes a fault of an error of package ownfile.
func foreign(doing, where string, err error) error {
	var not *ownfile.Foreign
	var busy *ownfile.Busy
	var inner *fs.PathError
	switch {
	case errors.As(err, &not):
		return &Fault{Trouble: Owner, Doing: doing, Where: not.Where, What: not.What, Err: not.Err}
	case errors.As(err, &busy):
		return &Fault{Trouble: Locked, Doing: doing, Where: busy.Where, What: busy.What, Err: busy.Err}
	case errors.As(err, &inner) && filepath.IsAbs(inner.Path):
		where = inner.Path
	}
	return wrap(doing, where, err)
}
