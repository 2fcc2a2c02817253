//go:build linux || darwin

package prompt

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heedsh/heed/internal/ownfile"
)

// The files of a helper's directory.
const (
	inName   = "in"   // a FIFO: requests
	outName  = "out"  // a FIFO: answers
	lockName = "lock" // held as long as the helper lives
	pidName  = "pid"  // the helper's process
	dirStart = "shell-"
)

// watch is how often a helper looks whether its shell is there, and idle how long it
// stays without a request: the shell starts another then.
const (
	watch = 5 * time.Second
	idle  = 4 * time.Hour
)

// Serve answers the requests of the shell that is process pid, through FIFOs in a
// directory of its own, until the shell ends. Where a helper serves there already it
// returns at once. between is called after each answer.
//
// The shell opens the FIFOs for each request, for reading and writing, so that it never
// waits for a helper that is gone, and nothing that it starts inherits them.
func (h *Helper) Serve(ctx context.Context, dir string, pid int, between func()) error {
	// What is typed at the terminal is the shell's.
	signal.Ignore(syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGTSTP, syscall.SIGTTOU, syscall.SIGTTIN, syscall.SIGPIPE)
	root, err := ownfile.Dir(dir, true)
	if err != nil {
		return fmt.Errorf("serving a shell: %w", err)
	}
	defer root.Close() //nolint:errcheck // closing a directory loses nothing
	lock, _, err := ownfile.Open(root, lockName, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return fmt.Errorf("serving a shell: %w", err)
	}
	defer lock.Close()
	if taken, err := ownfile.TryLock(lock, false); err != nil || !taken {
		return err // another helper is at work
	}
	began := started(pid)
	sweep(filepath.Dir(dir))
	in, out, err := pipes(dir)
	if err != nil {
		return fmt.Errorf("serving a shell: %w", err)
	}
	defer remove(dir, in)
	defer in.Close()
	defer out.Close()
	if err := ownfile.Put(root, pidName, []byte(strconv.Itoa(os.Getpid())+"\n")); err != nil {
		return fmt.Errorf("serving a shell: %w", err)
	}
	// A program that is told to end removes what it made.
	ended, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	go func() {
		since := time.Now()
		for time.Since(since) < idle && alive(pid) && started(pid) == began && mine(dir, in) {
			select {
			case <-ended.Done():
				since = time.Time{}
			case <-time.After(watch):
			}
		}
		_ = in.SetReadDeadline(time.Unix(1, 0)) // the loop ends
	}()
	return h.loop(ctx, in, answers{out}, between)
}

// answers is the FIFO that answers go to.
type answers struct{ f *os.File }

// Write implements [io.Writer]. What a shell has not read it does not wait for any more:
// that is taken away, so that there is always room.
func (a answers) Write(b []byte) (int, error) {
	c, err := a.f.SyscallConn()
	if err != nil {
		return 0, err
	}
	old := make([]byte, 64<<10)
	if err := c.Read(func(fd uintptr) bool {
		for n, err := 1, error(nil); n > 0 && err == nil; {
			n, err = unix.Read(int(fd), old)
		}
		return true
	}); err != nil {
		return 0, err
	}
	if err := a.f.SetWriteDeadline(time.Now().Add(time.Second)); err != nil {
		return 0, err
	}
	return a.f.Write(b)
}

// pipes makes the FIFOs and opens both ends of each: so that opening does not wait, and
// nothing ends when a shell closes its end.
func pipes(dir string) (in, out *os.File, err error) {
	var files [2]*os.File
	for i, name := range []string{inName, outName} {
		file := filepath.Join(dir, name)
		if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
		if err := unix.Mkfifo(file, 0o600); err != nil {
			return nil, nil, &fs.PathError{Op: "mkfifo", Path: file, Err: err}
		}
		if files[i], err = os.OpenFile(file, os.O_RDWR|unix.O_NONBLOCK, 0); err != nil {
			return nil, nil, err
		}
	}
	return files[0], files[1], nil
}

// mine reports whether the FIFO that requests come by still has its name.
func mine(dir string, in *os.File) bool {
	named, err := os.Lstat(filepath.Join(dir, inName))
	if err != nil {
		return false
	}
	open, err := in.Stat()
	return err == nil && os.SameFile(named, open)
}

// remove takes a directory away that still is this helper's.
func remove(dir string, in *os.File) {
	if mine(dir, in) {
		_ = os.RemoveAll(dir) // what is left is swept by the next one
	}
}

// sweep removes what helpers left that were killed.
func sweep(above string) {
	entries, err := os.ReadDir(above)
	if err != nil {
		return // it is swept another time
	}
	for _, e := range entries {
		digits, ok := strings.CutPrefix(e.Name(), dirStart)
		pid, err := strconv.Atoi(digits)
		if !ok || err != nil || alive(pid) {
			continue
		}
		dir := filepath.Join(above, e.Name())
		if i, err := os.Lstat(dir); err == nil && i.IsDir() && ownfile.Mine(i) {
			_ = os.RemoveAll(dir) // it is swept another time
		}
	}
}

// alive reports whether a process is there.
func alive(pid int) bool {
	err := unix.Kill(pid, 0)
	return err == nil || errors.Is(err, unix.EPERM)
}

// started tells a process from a later one of its number, where the system shows that: by
// the time when it was started, the 22nd field of proc_pid_stat(5).
func started(pid int) string {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return ""
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 20 {
		return ""
	}
	return fields[19]
}
