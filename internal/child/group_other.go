//go:build !unix

package child

import (
	"os"
	"os/exec"
)

// together leaves a command as it is: there are no groups of processes here.
func together(*exec.Cmd) {}

func code(s *os.ProcessState) int { return s.ExitCode() }
