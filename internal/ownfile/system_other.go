//go:build !unix && !windows

package ownfile

import (
	"errors"
	"io/fs"
	"os"
)

const noFollow = 0

// mine cannot tell owners apart here: nothing counts as this account's own.
func mine(fs.FileInfo) bool { return false }

// TryLock fails: without locks what two write would meet.
func TryLock(*os.File, bool) (bool, error) {
	return false, errors.New("files cannot be locked on this system")
}
