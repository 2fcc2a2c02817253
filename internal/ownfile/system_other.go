//go:build !unix && !windows

package ownfile

import (
	"errors"
	"io/fs"
	"os"
)

const noFollow = 0

// Mine cannot tell owners apart here: nothing counts as this account's own.
func Mine(fs.FileInfo) bool { return false }

// TryLock fails: without locks what two write would meet.
func TryLock(*os.File, bool) (bool, error) {
	return false, errors.New("files cannot be locked on this system")
}

// SyncDir does nothing here: the system has no such call.
func SyncDir(*os.Root) error { return nil }
