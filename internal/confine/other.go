//go:build !linux || !(amd64 || arm64)

package confine

import (
	"fmt"
	"runtime"
)

// Probe says that there is nothing to confine with.
func Probe() Support { return Support{} }

// Run starts nothing: what would not be kept is not promised.
func (b *Box) Run(*Command) (End, error) {
	return End{}, fmt.Errorf("%w: heed confines on Linux only, and this is %s/%s", ErrNotConfined, runtime.GOOS, runtime.GOARCH)
}
