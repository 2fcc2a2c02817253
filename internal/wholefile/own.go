package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrNotOurs is given where a name is taken by what this program did not write.
var ErrNotOurs = errors.New("it holds something else: give another name, or remove it first")

// maxOwn is how much of a file is looked at to tell whose it is, in bytes.
const maxOwn = 64 << 20

// Replace writes a file whole, where there is none yet or one that ours says this
// program wrote before. Links and what is no regular file stay as they are.
func Replace(name string, text []byte, mode fs.FileMode, ours func(text []byte) bool) error {
	check := func() error {
		i, err := os.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case !i.Mode().IsRegular():
			return fmt.Errorf("%s: it is no regular file: give another name", name)
		case i.Size() > maxOwn:
			return fmt.Errorf("%s: %w", name, ErrNotOurs)
		}
		old, err := os.ReadFile(name)
		if err == nil && len(old) > 0 && !ours(old) {
			err = fmt.Errorf("%s: %w", name, ErrNotOurs)
		}
		return err
	}
	if err := check(); err != nil {
		return err
	}
	return Write(name, text, mode, check)
}
