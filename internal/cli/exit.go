package cli

import (
	"errors"
	"syscall"
)

// The exit codes of heed.
const (
	ExitOK      = 0 // done; for check: below the --fail-on tier
	ExitUsage   = 2 // the arguments, the input or a file are not right
	ExitCaution = 3 // check, scan --fail-on caution: the command, or the worst, is CAUTION
	ExitReview  = 4 // check, scan --fail-on: the command, or the worst, is REVIEW
	ExitWorse   = 5 // eval --baseline: a class got worse
	ExitProblem = 6 // doctor, log: something is wrong
	ExitDiffers = 7 // replay: the answer is not the recorded one
	// ExitNotApplied is for preview: the changes were not made.
	ExitNotApplied = 8
)

// An exitError ends the program with a code, after its message, if it has one,
// was printed.
type exitError struct {
	code int
	msg  string
}

func (e *exitError) Error() string { return e.msg }

func exitCode(err error) int {
	var e *exitError
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &e):
		return e.code
	}
	return ExitUsage
}

// quiet reports whether an error is not worth a message: it has none, or the
// reader of our output went away, which is its right.
func quiet(err error) bool {
	return err == nil || err.Error() == "" || errors.Is(err, syscall.EPIPE)
}
