package osworld

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/heedsh/heed/internal/world"
)

// readDir lists a directory. It stops when there are more than limit entries.
func readDir(path string, limit int) ([]world.Entry, error) {
	dir, err := os.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	var entries []world.Entry
	for err == nil {
		var batch []fs.DirEntry
		batch, err = dir.ReadDir(256)
		for _, e := range batch {
			if len(entries) >= limit {
				return entries, world.ErrTooLarge
			}
			entries = append(entries, world.Entry{Name: e.Name(), Kind: kindOf(e.Type())})
		}
	}
	if errors.Is(err, io.EOF) {
		return entries, nil
	}
	return entries, err
}

func kindOf(t fs.FileMode) world.Kind {
	switch {
	case t.IsRegular():
		return world.Regular
	case t.IsDir():
		return world.Dir
	case t&fs.ModeSymlink != 0:
		return world.Symlink
	case t&fs.ModeCharDevice != 0:
		return world.CharDevice
	case t&fs.ModeDevice != 0:
		return world.BlockDevice
	}
	return world.Other
}
