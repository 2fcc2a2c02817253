// Package wholefile writes files whole or not at all.
//
// In go a name, a text and a mode; out comes a file that holds all of the text
// under that name, or the file that was there before and an error. Nobody ever
// reads a part of it.
package wholefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Write writes a file beside its place and moves it there, if check, where there
// is one, still agrees.
func Write(name string, text []byte, mode fs.FileMode, check func() error) (err error) {
	t, err := os.CreateTemp(filepath.Dir(name), ".heed-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(t.Name()) // the first error counts
		}
	}()
	_, err = t.Write(text)
	err = errors.Join(err, t.Chmod(mode), t.Sync(), t.Close())
	if err == nil && check != nil {
		err = check()
	}
	if err != nil {
		return err
	}
	return os.Rename(t.Name(), name)
}
