package cli

import (
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// TestHookAlarm: a hook that is stopped, so that nothing in it runs, is ended by the kernel.
// Agents take that for a refusal ([TestInstalledWithoutHeed] of package agent).
func TestHookAlarm(t *testing.T) {
	t.Parallel()
	const role = "HEED_TEST_STOPPED_HOOK"
	if os.Getenv(role) != "" {
		alarm(500 * time.Millisecond)
		_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP) // it waits below if that fails
		time.Sleep(time.Hour)
	}
	c := exec.Command(os.Args[0], "-test.run=^TestHookAlarm$")
	c.Env = append(os.Environ(), role+"=1")
	begin := time.Now()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(time.Minute, func() { _ = c.Process.Kill() }).Stop()
	_ = c.Wait() // it was killed
	status, ok := c.ProcessState.Sys().(syscall.WaitStatus)
	if took := time.Since(begin); !ok || !status.Signaled() || status.Signal() != syscall.SIGKILL || took > 50*time.Second {
		t.Errorf("after %s: %s", took, c.ProcessState)
	}
}
