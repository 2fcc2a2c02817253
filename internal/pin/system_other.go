//go:build !unix

package pin

import (
	"errors"
	"io/fs"
	"os"
)

const noFollow = 0

// mine cannot tell owners apart here: nothing counts as this account's own.
func mine(fs.FileInfo) bool { return false }

func tryLock(*os.File) (bool, error) {
	return false, errors.New("heed keeps a PIN on Linux and macOS only")
}

func syncDir(*os.Root) error { return nil }
