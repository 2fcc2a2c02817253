package preimage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"

	"github.com/heedsh/heed/internal/undo"
	"golang.org/x/sys/unix"
)

// The hidden verbs by which this program is started once more, to wait for the end of a
// command: first as a child that leaves another process behind, which is no child of the
// command.
const (
	leaveVerb = "undo-watch"
	waitVerb  = "undo-watching"
)

// The descriptors that it gets: the lock that says that the command runs, and the process
// that becomes the command.
const (
	lockFD    = 3
	processFD = 4
)

// watch starts the process that waits for the end of this one, which becomes the command.
func watch(ctx context.Context, s *undo.Store, c *Command, id string) error {
	lock, err := s.Running(ctx, id)
	if err != nil {
		return err
	}
	defer lock.Close() // of this process: the other one has it too
	process, err := unix.PidfdOpen(os.Getpid(), 0)
	if err != nil {
		return fmt.Errorf("opening this process: %w", err)
	}
	defer func() { _ = unix.Close(process) }() // nothing is written there
	var env []string
	for _, name := range []string{"HOME", "XDG_STATE_HOME"} { // where the store is
		if value, ok := c.Env[name]; ok {
			env = append(env, name+"="+value)
		}
	}
	pid, err := again(leaveVerb, id, env, lock.Fd(), uintptr(process))
	if err != nil {
		return err
	}
	var status syscall.WaitStatus
	for {
		_, err := syscall.Wait4(pid, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case err != nil:
			return fmt.Errorf("waiting for the process that waits: %w", err)
		case status.ExitStatus() != 0:
			return fmt.Errorf("starting the process that waits: it ended with %d", status.ExitStatus())
		}
		return nil
	}
}

// again starts this program once more, without a terminal.
func again(verb, id string, env []string, lock, process uintptr) (int, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer null.Close()
	pid, err := syscall.ForkExec("/proc/self/exe", []string{os.Args[0], verb, id}, &syscall.ProcAttr{
		Dir: "/", Env: env, Files: []uintptr{null.Fd(), null.Fd(), null.Fd(), lock, process}, Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return 0, fmt.Errorf("starting heed once more: %w", err)
	}
	return pid, nil
}

// IsWatch reports whether this process was started to wait for the end of a command.
func IsWatch(args []string) bool {
	return len(args) == 2 && (args[0] == leaveVerb || args[0] == waitVerb)
}

// Watch waits for the end of the command and seals its entry. It returns the exit code.
func Watch(args []string) int {
	if err := watching(args[0], args[1]); err != nil {
		return 1
	}
	return 0
}

func watching(verb, id string) error {
	unix.CloseOnExec(lockFD)
	unix.CloseOnExec(processFD)
	if verb == leaveVerb {
		_, err := again(waitVerb, id, os.Environ(), lockFD, processFD)
		return err
	}
	s, err := undo.Open(os.Getenv)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }() // a directory: nothing is buffered
	return s.Seal(context.Background(), id, ended)
}

// ended waits for the end of the command.
func ended() error {
	for {
		wait := []unix.PollFd{{Fd: processFD, Events: unix.POLLIN}}
		n, err := unix.Poll(wait, -1)
		switch {
		case err != nil && !errors.Is(err, unix.EINTR):
			return fmt.Errorf("waiting for the end of the command: %w", err)
		case n > 0 && wait[0].Revents&unix.POLLIN == 0:
			return errors.New("there is no command to wait for")
		case n > 0:
			return nil
		}
	}
}
