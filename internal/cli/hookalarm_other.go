//go:build !linux

package cli

import "time"

// alarm is the kernel's on Linux; elsewhere the hook's own clock has to do.
func alarm(time.Duration) {}
