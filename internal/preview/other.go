//go:build !linux || !(amd64 || arm64)

package preview

import (
	"context"
	"fmt"
	"runtime"
)

// A Preview is a command that has run, and what it wrote.
type Preview struct{ Result }

// IsInside reports whether this process was started to be the first one of a preview.
func IsInside([]string) bool { return false }

// Inside is for where something is previewed.
func Inside() int { return 126 }

// Possible says why nothing can be previewed here.
func Possible() error { return notHere() }

func notHere() error {
	return fmt.Errorf("%w: heed previews on Linux only, and this is %s/%s", ErrNotHere, runtime.GOOS, runtime.GOARCH)
}

// NewPlan says that nothing is covered here.
func NewPlan(*Where) (*Plan, error) { return nil, notHere() }

// Run runs nothing.
func Run(*Command, *Plan, *Limits) (*Preview, error) { return nil, notHere() }

// Close lets go of nothing.
func (v *Preview) Close() error { return nil }

// Apply changes nothing.
func (v *Preview) Apply(context.Context, func(string) string) error { return notHere() }

// Unfinished is for where something is applied.
func Unfinished(func(string) string) bool { return false }

// Resume has nothing to finish.
func Resume(context.Context, func(string) string) ([]string, error) { return nil, nil }
