package wrap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// errNotFound says that no program has the name.
var errNotFound = errors.New("not found")

// findProgram looks a program up as execvp(3) does: a name with a slash is a
// path, others are looked for in the directories of PATH.
func findProgram(name, path, dir string) (string, error) {
	if strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			name = dir + "/" + name
		}
		_, err := executable(name)
		return name, err
	}
	found := fmt.Errorf("%s: %w", name, errNotFound)
	for _, in := range filepath.SplitList(path) {
		if !filepath.IsAbs(in) {
			in = filepath.Join(dir, in)
		}
		file := filepath.Join(in, name)
		_, err := executable(file)
		if err == nil {
			return file, nil
		}
		if errors.Is(err, fs.ErrPermission) {
			found = err
		}
	}
	return "", found
}

// executable looks at a file that is to be executed.
func executable(file string) (fs.FileInfo, error) {
	i, err := os.Stat(file)
	switch {
	case err != nil:
		return nil, err
	case !i.Mode().IsRegular():
		return nil, &fs.PathError{Op: "exec", Path: file, Err: fs.ErrPermission}
	case i.Mode().Perm()&0o111 == 0:
		return nil, &fs.PathError{Op: "exec", Path: file, Err: fs.ErrPermission}
	}
	return i, nil
}

// findShell finds the real shell of a name: the first on PATH that is not heed
// itself, or one of the usual places.
func findShell(name, path string) (string, error) {
	var places []string
	for _, in := range filepath.SplitList(path) {
		if filepath.IsAbs(in) { // a relative directory is another one everywhere
			places = append(places, filepath.Join(in, name))
		}
	}
	for _, in := range []string{"/bin", "/usr/bin", "/usr/local/bin"} {
		places = append(places, filepath.Join(in, name))
	}
	for _, file := range places {
		if realShell(file) == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("there is no real %s: %w", name, errNotFound)
}

// realShell says why a file cannot be the shell that heed executes: it is not a
// program, it is heed under another name, a script, which could lead back here,
// or others may write it.
func realShell(file string) error {
	i, err := executable(file)
	switch {
	case err != nil:
		return err
	case i.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("%s: others may write it", file)
	}
	own, err := os.Executable()
	if err != nil {
		return fmt.Errorf("looking for heed itself: %w", err)
	}
	self, err := os.Stat(own)
	if err != nil {
		return fmt.Errorf("looking for heed itself: %w", err)
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	start := make([]byte, 2)
	if _, err := io.ReadFull(f, start); err != nil || string(start) == "#!" {
		return fmt.Errorf("%s: a script is no real shell", file)
	}
	if os.SameFile(i, self) || i.Size() == self.Size() && sameText(file, own) {
		return fmt.Errorf("%s: that is heed itself", file)
	}
	return nil
}

// sameText reports whether two files hold the same, or cannot be told apart.
func sameText(a, b string) bool {
	f, err := os.Open(a)
	if err != nil {
		return true
	}
	defer f.Close()
	g, err := os.Open(b)
	if err != nil {
		return true
	}
	defer g.Close()
	x, y := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, errF := io.ReadFull(f, x)
		m, errG := io.ReadFull(g, y)
		if !bytes.Equal(x[:n], y[:m]) {
			return false
		}
		if errF != nil || errG != nil {
			return true
		}
	}
}
