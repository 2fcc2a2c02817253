//go:build unix

package cli

import (
	"fmt"
	"syscall"
)

// become puts another program in the place of this one. It returns only if that fails.
func become(program string, argv, env []string) error {
	return fmt.Errorf("starting %s: %w", program, syscall.Exec(program, argv, env))
}
