package xattr

import (
	"errors"
	"strings"

	"golang.org/x/sys/unix"
)

// All are the attributes of a path by their names, but for those that are skipped; nil
// where it has none, or the file system knows none.
func All(path string, skip func(name string) bool) (map[string][]byte, error) {
	n, err := unix.Llistxattr(path, nil)
	if errors.Is(err, unix.ENOTSUP) || err == nil && n == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	list := make([]byte, n)
	if n, err = unix.Llistxattr(path, list); err != nil {
		return nil, err
	}
	all := map[string][]byte{}
	for name := range strings.SplitSeq(strings.TrimRight(string(list[:n]), "\x00"), "\x00") {
		if skip(name) {
			continue
		}
		if all[name], err = Get(path, name); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Get is the value of one attribute of a path.
func Get(path, name string) ([]byte, error) {
	size, err := unix.Lgetxattr(path, name, nil)
	if err != nil {
		return nil, err
	}
	value := make([]byte, size)
	if size > 0 {
		if size, err = unix.Lgetxattr(path, name, value); err != nil {
			return nil, err
		}
	}
	return value[:size], nil
}
