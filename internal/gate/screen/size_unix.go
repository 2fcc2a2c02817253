//go:build linux || darwin

package screen

import (
	"os"

	"golang.org/x/sys/unix"
)

// size is that of a terminal's window, in characters.
func size(tty *os.File) (w, h int) {
	s, err := unix.IoctlGetWinsize(int(tty.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, 0
	}
	return int(s.Col), int(s.Row)
}
