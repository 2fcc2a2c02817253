//go:build unix

package audit

import (
	"errors"
	"syscall"
)

// full reports whether an error says that there is no room.
func full(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
