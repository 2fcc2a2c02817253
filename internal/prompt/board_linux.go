package prompt

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// A board has the last answer, in memory. Reading it never waits, so that a shell that can
// give reading no limit opens it again and again until the answer is its own.
type board struct{ f *os.File }

// newBoard makes a board without an answer.
func newBoard() (board, error) {
	fd, err := memory([]byte{0})
	return board{os.NewFile(uintptr(fd), boardName)}, err
}

// boardName is what the system shows as the name of a board.
const boardName = "heed-answers"

// memory makes a file in memory.
func memory(text []byte) (fd int, err error) {
	fd, err = unix.MemfdCreate(boardName, unix.MFD_CLOEXEC|unix.MFD_NOEXEC_SEAL)
	if errors.Is(err, unix.EINVAL) { // before Linux 6.3
		fd, err = unix.MemfdCreate(boardName, unix.MFD_CLOEXEC)
	}
	if err != nil {
		return -1, fmt.Errorf("making a file in memory: %w", err)
	}
	if _, err := unix.Write(fd, text); err != nil {
		unix.Close(fd) //nolint:errcheck // it holds nothing
		return -1, fmt.Errorf("writing a file in memory: %w", err)
	}
	return fd, nil
}

// Write implements [io.Writer]: another file takes the place of the one with the answer
// before, so that nobody ever reads half of one.
func (b board) Write(text []byte) (int, error) {
	fd, err := memory(text)
	if err != nil {
		return 0, err
	}
	defer unix.Close(fd) //nolint:errcheck // the board has it
	c, err := b.f.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	if err := c.Control(func(to uintptr) { failed = unix.Dup3(fd, int(to), unix.O_CLOEXEC) }); err != nil {
		return 0, err
	}
	if failed != nil {
		return 0, fmt.Errorf("putting up an answer: %w", failed)
	}
	return len(text), nil
}
