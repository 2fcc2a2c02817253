//go:build linux || darwin

package prompt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
	lockName = "lock" // held as long as the helper lives; says which process that is
	pidName  = "pid"  // the helper's process; a shell that gives up on it takes this away
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
// returns at once; one that the shell has given up on it ends. between is called after
// each answer.
//
// The shell opens the FIFOs for each request, for reading and writing, so that it never
// waits for a helper that is gone, and nothing that it starts inherits them. fish, which
// cannot open a file for both, has a [board] to read answers from.
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
	taken, err := ownfile.TryLock(lock, false)
	if err == nil && !taken {
		taken, err = replace(root, lock)
	}
	if err != nil || !taken {
		return err // another helper is at work
	}
	if err := sign(lock); err != nil {
		return fmt.Errorf("serving a shell: %w", err)
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
	text := fmt.Sprintf("%d\n", os.Getpid())
	var to io.Writer = answers{out}
	if h.Shell == "fish" {
		b, err := newBoard()
		if err != nil {
			return fmt.Errorf("serving fish: %w", err)
		}
		defer b.f.Close()
		to = b
		text += fmt.Sprintf("%s\n%s\n%s\n", started(os.Getpid()), lent(in), lent(b.f))
	}
	if err := ownfile.Put(root, pidName, []byte(text)); err != nil {
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
	return h.loop(ctx, in, to, between)
}

// lent is the name by which others open a file that this process has open, where the
// system has such names: it is gone with the process.
func lent(f *os.File) string {
	n := uintptr(0)
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { n = fd }) // a closed file has no name
	}
	return fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), n)
}

// sign writes into the lock who has it.
func sign(lock *os.File) error {
	if err := lock.Truncate(0); err != nil {
		return err
	}
	_, err := lock.WriteAt(fmt.Appendf(nil, "%d %s", os.Getpid(), started(os.Getpid())), 0)
	return err
}

// replace ends the helper that has the lock and that its shell asks no more, and takes the
// lock. What it ends is the very process that wrote its name into the lock, and no later
// one of its number.
func replace(root *os.Root, lock *os.File) (taken bool, err error) {
	if text, err := ownfile.Read(root, pidName, 1<<10); err == nil && len(bytes.TrimSpace(text)) > 0 {
		return false, nil // it is asked
	}
	text := make([]byte, 64)
	n, err := lock.ReadAt(text, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	name, since, _ := strings.Cut(string(text[:n]), " ")
	pid, err := strconv.Atoi(name)
	if err != nil || pid < 2 {
		return false, nil // it has not said yet who it is
	}
	p, err := os.FindProcess(pid) // from here on its number is nobody else's
	if err != nil {
		return false, err
	}
	defer p.Release() //nolint:errcheck // letting go of a process loses nothing
	if started(pid) != since {
		return false, nil // it has ended, and another begins
	}
	if err := p.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return false, fmt.Errorf("ending a helper that says nothing: %w", err)
	}
	for give := time.Now().Add(watch); !taken && err == nil && time.Now().Before(give); time.Sleep(10 * time.Millisecond) {
		taken, err = ownfile.TryLock(lock, false)
	}
	return taken, err
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
