package prompt

import "errors"

// newBoard fails: macOS lends no open files by name.
func newBoard() (board, error) { return board{}, errors.ErrUnsupported }
