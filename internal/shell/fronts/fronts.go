// Package fronts is the composition of the shells that heed evaluates.
//
// It is the one place that names the fronts: out comes a [shell.Fronts] with all of
// them, and whoever wants to know whether a shell is evaluated, and as what, asks
// that. A new front is a line here.
package fronts

import (
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/shell/posix"
)

// All returns the fronts of bash, sh, mksh and zsh.
func All() *shell.Fronts { return shell.NewFronts(posix.Front()) }
