//go:build unix

package child

import (
	"os"
	"os/exec"
	"syscall"
)

// together puts a command and all that it starts into a group of their own, which ends
// together.
func together(c *exec.Cmd) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
}

// code is the exit code as shells count.
func code(s *os.ProcessState) int {
	if w, ok := s.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return s.ExitCode()
}
