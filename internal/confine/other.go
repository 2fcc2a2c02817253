//go:build !linux || !(amd64 || arm64)

package confine

import (
	"fmt"
	"runtime"

	"github.com/heedsh/heed/internal/confine/grant"
)

// Probe says that there is nothing to confine with.
func Probe() Support { return Support{} }

// Possible says why nothing can be kept to a grant here.
func Possible(*grant.Grant) error {
	return fmt.Errorf("%w: heed confines on Linux only, and this is %s/%s", ErrNotConfined, runtime.GOOS, runtime.GOARCH)
}

// Run starts nothing: what would not be kept is not promised.
func (b *Box) Run(*Command) (End, error) { return End{}, Possible(&b.Grant) }

// Ready is what was prepared for a box: nothing.
type Ready struct{}

// Prepare prepares nothing.
func Prepare(*grant.Grant, string) *Ready { return nil }

// Close lets go of nothing.
func (r *Ready) Close() {}
