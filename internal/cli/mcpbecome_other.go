//go:build !unix

package cli

import "fmt"

// become fails: no program can take the place of another one here.
func become(program string, _, _ []string) error {
	return fmt.Errorf("this system has no exec: start %s itself", program)
}
