//go:build !linux && !darwin

package gate

import (
	"errors"
	"os"
)

// errUnsupported says that heed asks at no terminal of other systems: it runs
// nothing there.
var errUnsupported = errors.New("heed runs commands on Linux and macOS only")

// A Terminal is none here.
type Terminal struct{}

// IsTerminal reports whether a file descriptor is a terminal.
func IsTerminal(int) bool { return false }

// Terminal opens none here.
func (g *Gate) Terminal() (*Terminal, error) { return nil, errUnsupported }

// Close closes the terminal.
func (t *Terminal) Close() {}

func (t *Terminal) ask(string) (string, error) { return "", errUnsupported }

func (t *Terminal) Secret(string) ([]byte, error) { return nil, errUnsupported }

// File is none here.
func (t *Terminal) File() *os.File { return nil }

// Discard throws away nothing here.
func Discard(int) error { return errUnsupported }
