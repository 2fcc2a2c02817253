package prompt

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// newBoard makes an empty board in memory.
func newBoard() (board, error) {
	const name = "heed-answers"
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_NOEXEC_SEAL)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3
		fd, err = unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	}
	if err != nil {
		return board{}, fmt.Errorf("making a file in memory: %w", err)
	}
	b := board{os.NewFile(uintptr(fd), name)}
	if _, err := b.Write([]byte{0}); err != nil {
		b.f.Close()
		return board{}, err
	}
	return b, nil
}
