//go:build !linux

package argv

import (
	"os"
	"slices"
)

// Take returns a copy of [os.Args], and a function that does nothing: no command is
// confined here, beside which heed would stay.
func Take() (words []string, erase func()) { return slices.Clone(os.Args), func() {} }
