// Package self says where this program lies, and whether that is a place for a
// guard.
//
// In go the PATH and the directory of a session; out come absolute paths and, in
// words, what is wrong with one. Files are looked at and never opened.
package self

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/explain"
)

// Path is the absolute path of this program: by the name under which PATH finds
// it, if that is the same file, because that name outlives an upgrade.
func Path(searched string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding heed's own path: %w", err)
	}
	if found := OnPath(searched, "heed"); found != "" && Same(found, self) {
		self = found
	}
	if !filepath.IsAbs(self) || !utf8.ValidString(self) {
		return "", fmt.Errorf("heed's own path is %s: put heed under a plain absolute path first", explain.Visible(self))
	}
	return filepath.Clean(self), nil
}

// OnPath finds a program as a shell would; only absolute directories of the PATH
// count. It is "" if there is none.
func OnPath(searched, name string) string {
	for _, dir := range filepath.SplitList(searched) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if p := filepath.Join(dir, name); Executable(p) == nil {
			return p
		}
	}
	return ""
}

// Executable says why a file cannot be executed, if it cannot.
func Executable(name string) error {
	i, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case !i.Mode().IsRegular():
		return errors.New("it is not a file")
	case i.Mode().Perm()&0o111 == 0:
		return errors.New("it is not executable")
	}
	return nil
}

// Same reports whether two names lead to one file.
func Same(a, b string) bool {
	i, err := os.Stat(a)
	if err != nil {
		return false
	}
	j, err := os.Stat(b)
	return err == nil && os.SameFile(i, j)
}

// Unfit says what is wrong with the place that a heed lies in, for a session in
// dir with this home; "" if nothing is.
func Unfit(heed, dir, home string) string {
	for _, temp := range []string{os.TempDir(), "/tmp", "/var/tmp", "/dev/shm"} {
		if Within(heed, temp) {
			return "is in a directory for temporary files, which may be emptied"
		}
	}
	if Within(heed, dir) && dir != "/" {
		return "is in the current directory, where an agent may replace it"
	}
	for above := filepath.Dir(heed); above != filepath.Dir(above); above = filepath.Dir(above) {
		if _, err := os.Lstat(filepath.Join(above, ".git")); err == nil && above != home {
			return "is in a git work tree, where an agent may replace it"
		}
	}
	return ""
}

// Within reports whether a path is dir or below it.
func Within(name, dir string) bool {
	if dir == "" {
		return false
	}
	rel, err := filepath.Rel(dir, name)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Exists reports whether there is something under a name, a link that leads
// nowhere included.
func Exists(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}

// IsDir reports whether a name is a directory, or a link that leads to one.
func IsDir(name string) bool {
	i, err := os.Stat(name)
	return err == nil && i.IsDir()
}
