//go:build amd64 || arm64

package confine

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// A stage is what a process does between its start and the program that it becomes, as a
// list of system calls. All that they are about is found out and laid into memory
// beforehand. So no second heed has to be started for it: the process has this one's memory,
// and while it has, it can make system calls and no more, since everything else of Go could
// need a thread that it does not have.
type stage struct {
	steps []step
	says  []say
	hold  []any // what the arguments point to
	err   error // of the first step that could not be made
}

// A step is one system call. It is made where nothing may be allocated.
type step struct {
	nr   uintptr
	args [6]uintptr
	// from, if it is there, is what an earlier step returned, which becomes the argument at.
	from *int32
	at   uintptr
	to   *int32        // where what it returns goes, if somebody needs it
	fine syscall.Errno // an error that does not matter, 0 if all do
}

// A say tells of a step that failed: as "op path: error", or as "op: error".
type say struct {
	op, path string
	// command is whether the step is the command's own: it could not be started. Any other
	// keeps it to its grant.
	command bool
}

func (s say) error(errno syscall.Errno) error {
	if s.path != "" {
		return &os.PathError{Op: s.op, Path: s.path, Err: errno}
	}
	return fmt.Errorf("%s: %w", s.op, errno)
}

// add adds a step, which can be said more about until the next is added.
func (s *stage) add(say say, nr uintptr, args ...uintptr) *step {
	t := step{nr: nr}
	copy(t.args[:], args)
	s.steps, s.says = append(s.steps, t), append(s.says, say)
	return &s.steps[len(s.steps)-1]
}

// text is an argument that points to a text.
func (s *stage) text(text string) uintptr {
	p, err := unix.BytePtrFromString(text)
	if err != nil && s.err == nil {
		s.err = fmt.Errorf("%.80q: %w", text, err)
	}
	return hold(s, p)
}

// texts is an argument that points to a list of texts, as execve(2) takes them.
func (s *stage) texts(list []string) uintptr {
	p, err := syscall.SlicePtrFromStrings(list)
	if err != nil {
		if s.err == nil {
			s.err = err
		}
		return 0
	}
	s.hold = append(s.hold, p)
	return uintptr(unsafe.Pointer(&p[0]))
}

// hold is an argument that points to a value, which stays where it is: what is held on
// the heap is never moved.
func hold[T any](s *stage, v *T) uintptr {
	s.hold = append(s.hold, v)
	return uintptr(unsafe.Pointer(v))
}

// minusOne and here are arguments: no descriptor, and the directory that a process is in.
const (
	minusOne = ^uintptr(0)
	here     = ^uintptr(99) // AT_FDCWD, -100
)

// write adds the steps that write a text into a file.
func (s *stage) write(path, text string) {
	fd := new(int32)
	about := say{op: "write", path: path}
	s.add(about, unix.SYS_OPENAT, here, s.text(path), unix.O_WRONLY|unix.O_CLOEXEC).to = fd
	t := s.add(about, unix.SYS_WRITE, 0, s.text(text), uintptr(len(text)))
	t.from, t.at = fd, 0
	s.close(fd)
}

// close adds the step that closes what an earlier one opened.
func (s *stage) close(fd *int32) {
	t := s.add(say{op: "closing a file"}, unix.SYS_CLOSE, 0)
	t.from, t.at = fd, 0
}

// now makes the steps in this thread.
func (s *stage) now() error {
	if s.err != nil || len(s.steps) == 0 {
		return s.err
	}
	i, errno := walk(s.steps)
	runtime.KeepAlive(s)
	if errno != 0 {
		return s.says[i].error(errno)
	}
	return nil
}

// walk makes steps, and returns the one that failed with its error.
//
//go:nosplit
//go:norace
//go:noinline
func walk(steps []step) (int, syscall.Errno) {
	for i := range steps {
		t := &steps[i]
		if t.from != nil {
			t.args[t.at%6] = uintptr(*t.from)
		}
		r, _, errno := syscall.RawSyscall6(t.nr, t.args[0], t.args[1], t.args[2], t.args[3], t.args[4], t.args[5])
		if errno != 0 && errno != t.fine {
			return i, errno
		}
		if t.to != nil {
			*t.to = int32(r)
		}
	}
	return -1, 0
}

// start makes the steps in a process of its own, in new namespaces as far as the flags of
// clone(2) say, and waits until the last has made a program of it. What the process hands
// over, want descriptors, comes through a channel: it is the one that [stage.hand] was told
// of. Nobody answers what a filter asks meanwhile: the last step must not be asked about.
func (s *stage) start(flags uintptr, channel, want int) (pid int, handed []int, err error) {
	if s.err != nil {
		return 0, nil, s.err
	}
	c, err := s.fork(flags)
	if err != nil {
		return 0, nil, err
	}
	if c.errno != 0 {
		syscall.Wait4(c.pid, nil, 0, nil) //nolint:errcheck // nothing of it is wanted
		about := s.says[c.failed]
		if err = about.error(c.errno); !about.command {
			// As text: what it says about a file is not about the command's.
			err = fmt.Errorf("%w: %s", ErrNotConfined, err.Error())
		}
		return 0, nil, err
	}
	if handed, err = unpack(channel, want); err != nil {
		syscall.Kill(c.pid, syscall.SIGKILL) //nolint:errcheck // it may have ended
		syscall.Wait4(c.pid, nil, 0, nil)    //nolint:errcheck // nothing of it is wanted
		return 0, nil, err
	}
	return c.pid, handed, nil
}

// unpack takes what was handed over.
func unpack(channel, want int) ([]int, error) {
	buf, oob := make([]byte, 1), make([]byte, unix.CmsgSpace(int(unsafe.Sizeof(parcel{}.fds))))
	_, n, _, _, err := unix.Recvmsg(channel, buf, oob, unix.MSG_CMSG_CLOEXEC|unix.MSG_DONTWAIT)
	if err != nil {
		return nil, fmt.Errorf("taking what was handed over: %w", err)
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) != 1 {
		return nil, errors.New("it handed nothing over")
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err == nil && len(fds) == want {
		return fds, nil
	}
	for _, fd := range fds {
		unix.Close(fd) //nolint:errcheck // nothing is lost by it
	}
	return nil, errors.New("it did not hand over all that was wanted")
}

// fork makes the process. No signal reaches it before the last step but one: a handler is
// Go's, and what it would need is not there.
func (s *stage) fork(flags uintptr) (*child, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all, before unix.Sigset_t
	for i := range all.Val {
		all.Val[i] = ^all.Val[i]
	}
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &all, &before); err != nil {
		return nil, fmt.Errorf("holding signals back: %w", err)
	}
	end := len(s.steps) - 1
	mask := step{nr: unix.SYS_RT_SIGPROCMASK, args: [6]uintptr{unix.SIG_SETMASK, hold(s, &before), 0, 8}}
	s.steps, s.says = slices.Insert(s.steps, end, mask), slices.Insert(s.says, end, say{op: "letting signals in"})
	c := &child{steps: s.steps, parent: uintptr(unix.Getpid())}
	pid, errno := c.start(flags | unix.CLONE_VFORK | unix.CLONE_VM | uintptr(unix.SIGCHLD))
	runtime.KeepAlive(s)
	err := unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil)
	switch {
	case errno != 0:
		return nil, fmt.Errorf("%w: making a process, and namespaces: %w", ErrNotConfined, syscall.Errno(errno))
	case err != nil:
		return nil, fmt.Errorf("letting signals in: %w", err)
	}
	c.pid = int(pid)
	return c, nil
}

// A child is what a process has to know, and what it tells if it fails.
type child struct {
	steps  []step
	parent uintptr
	failed int
	errno  syscall.Errno
	pid    int
}

// vfork is clone(2) for a process that has the memory, and the stack, of this one, which
// goes on when the other has become a program or has ended.
func vfork(flags uintptr) (pid, errno uintptr)

// start returns only in this process, at once: the other has used its stack. The process
// ends with whoever started it, the thread.
//
//go:nosplit
//go:norace
//go:noinline
func (c *child) start(flags uintptr) (pid, errno uintptr) {
	pid, errno = vfork(flags)
	if pid != 0 || errno != 0 {
		return pid, errno
	}
	syscall.RawSyscall6(unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0, 0) //nolint:errcheck // of a signal that there is, it cannot fail
	c.errno = syscall.ESRCH                                                                       // the parent is gone, and nobody reads this
	if now, _, _ := syscall.RawSyscall6(unix.SYS_GETPPID, 0, 0, 0, 0, 0, 0); now == c.parent {
		c.errno = 0
		c.failed, c.errno = walk(c.steps)
	}
	for {
		syscall.RawSyscall6(unix.SYS_EXIT_GROUP, 126, 0, 0, 0, 0, 0) //nolint:errcheck // it does not return
	}
}

// handlers adds the steps that take this process's handlers of signals from the other;
// what is ignored stays so.
func (s *stage) handlers() {
	type action struct{ handler, flags, restorer, mask uintptr }
	const most, ignore = 64, 1 // _NSIG, SIG_IGN
	none := hold(s, &action{})
	for sig := uintptr(1); sig <= most; sig++ {
		a := &action{}
		if _, _, errno := syscall.RawSyscall6(unix.SYS_RT_SIGACTION, sig, 0, uintptr(unsafe.Pointer(a)), 8, 0, 0); errno == 0 && a.handler > ignore {
			s.add(say{op: "letting signals go"}, unix.SYS_RT_SIGACTION, sig, none, 0, 8)
		}
	}
}

// A parcel is descriptors that are handed over: each is put in by the step that makes it.
type parcel struct {
	unix.Cmsghdr
	fds [3 + 2*grant.MostPorts]int32
}

// hand adds the step that hands a parcel with the first n of its descriptors over.
func (s *stage) hand(channel int, p *parcel, n int) {
	p.Level, p.Type = unix.SOL_SOCKET, unix.SCM_RIGHTS
	p.SetLen(unix.CmsgLen(4 * n))
	one := new(byte)
	iov := &unix.Iovec{Base: one}
	iov.SetLen(1)
	h := &unix.Msghdr{Iov: iov, Control: (*byte)(unsafe.Pointer(p))}
	h.SetIovlen(1)
	h.SetControllen(unix.CmsgSpace(4 * n))
	s.add(say{op: "handing over"}, unix.SYS_SENDMSG, uintptr(channel), hold(s, h), 0)
}

// lowLimit gives this process the limit of open files back that it was started with, which
// Go has raised. Only what package syscall starts gets it otherwise, and only package
// syscall knows it: what becomes a program gives it back, even if there is no such one.
func lowLimit() error {
	if err := syscall.Exec("", []string{""}, nil); !errors.Is(err, syscall.ENOENT) {
		return fmt.Errorf("giving the limit of open files back: %w", err)
	}
	return nil
}

// become adds the last step.
func (s *stage) become(program string, argv, env []string) {
	if strings.IndexByte(program, 0) >= 0 && s.err == nil {
		s.err = syscall.EINVAL
	}
	s.add(say{op: "exec", path: program, command: true}, unix.SYS_EXECVE, s.text(program), s.texts(argv), s.texts(env))
}
