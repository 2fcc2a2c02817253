//go:build linux || darwin

package gate

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// IsTerminal reports whether a file descriptor is a terminal: nothing else has a size of
// its window.
func IsTerminal(fd int) bool {
	_, err := unix.IoctlGetWinsize(fd, unix.TIOCGWINSZ)
	return err == nil
}

// A Terminal is the controlling terminal of this process, with a person at it
// as far as can be told.
type Terminal struct{ f *os.File }

// Terminal opens the controlling terminal. It fails if this process may
// not read it, because it is in the background, or if a coding agent runs it or
// can type there.
func (g *Gate) Terminal() (*Terminal, error) {
	if err := g.person(); err != nil {
		return nil, err
	}
	f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, errors.New("this process has no terminal of its own")
	}
	t := &Terminal{f}
	foreground, err := unix.IoctlGetInt(int(f.Fd()), unix.TIOCGPGRP)
	if err != nil || foreground != unix.Getpgrp() {
		t.Close()
		return nil, errors.New("this process is in the background")
	}
	return t, nil
}

// Close closes the terminal, which was only read and written.
func (t *Terminal) Close() { _ = t.f.Close() }

// maxAnswer is the longest answer that is read, in bytes.
const maxAnswer = 256

// File is the terminal as a file, for who draws on it.
func (t *Terminal) File() *os.File { return t.f }

// ask prints a text and reads a line. What was typed before the text was
// printed does not count.
func (t *Terminal) ask(text string) (string, error) {
	if err := Discard(int(t.f.Fd())); err != nil {
		return "", fmt.Errorf("asking: %w", err)
	}
	if _, err := io.WriteString(t.f, text); err != nil {
		return "", fmt.Errorf("asking: %w", err)
	}
	var line []byte
	one := make([]byte, 1)
	for len(line) < maxAnswer {
		if _, err := io.ReadFull(t.f, one); err != nil {
			return "", fmt.Errorf("reading the answer: %w", err)
		}
		if one[0] == '\n' {
			return strings.TrimSpace(string(line)), nil
		}
		line = append(line, one[0])
	}
	return "", errors.New("reading the answer: it is too long")
}

// Secret prints a text and reads a line that the terminal does not show.
func (t *Terminal) Secret(text string) ([]byte, error) {
	fd := int(t.f.Fd())
	state, err := term.GetState(fd)
	if err != nil {
		return nil, fmt.Errorf("asking: %w", err)
	}
	if err := Discard(fd); err != nil {
		return nil, fmt.Errorf("asking: %w", err)
	}
	if _, err := io.WriteString(t.f, text); err != nil {
		return nil, fmt.Errorf("asking: %w", err)
	}
	pin, err := term.ReadPassword(fd)
	_, _ = io.WriteString(t.f, "\n") // the line end was not shown either
	if err != nil {
		_ = term.Restore(fd, state) // the error that counts is known
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	return pin, nil
}
