//go:build amd64 || arm64

package confine

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A stage is what a process does between its start and the program that it becomes, as a
// list of system calls. All that they are about is found out and laid into memory
// beforehand. So no second heed has to be started for it: a copy of this process, of which
// nothing but one thread goes on, can make system calls and no more, since everything else
// of Go could need a thread that is not there.
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
type say struct{ op, path string }

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
	about := say{"write", path}
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

// A failure is what a copy of this process tells of the step at which it failed.
type failure struct{ step, errno int32 }

// start makes the steps in a process of its own, in new namespaces as far as the flags of
// clone(2) say. The last step is to become a program. What the process hands over comes
// through ours; it is there once the program has started, and if it has not, start says why.
func (s *stage) start(flags uintptr, ours, theirs int) (pid int, handed []int, err error) {
	if s.err != nil {
		return 0, nil, s.err
	}
	if pid, err = s.fork(flags, theirs); err != nil {
		return 0, nil, err
	}
	unix.Close(theirs) //nolint:errcheck // what is lost by it is said by reading
	handed, err = s.handed(ours)
	if err != nil {
		for _, fd := range handed {
			unix.Close(fd) //nolint:errcheck // nobody asks there any more
		}
		syscall.Kill(pid, syscall.SIGKILL) //nolint:errcheck // it may have ended
		syscall.Wait4(pid, nil, 0, nil)    //nolint:errcheck // nothing of it is wanted
		return 0, nil, err
	}
	return pid, handed, nil
}

// handed takes what is handed over and waits until the program has started.
func (s *stage) handed(ours int) (fds []int, err error) {
	buf, oob := make([]byte, unsafe.Sizeof(failure{})), make([]byte, unix.CmsgSpace(8))
	for {
		n, oobn, _, _, err := unix.Recvmsg(ours, buf, oob, unix.MSG_CMSG_CLOEXEC)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return fds, fmt.Errorf("waiting for the start: %w", err)
		case oobn > 0:
			messages, err := unix.ParseSocketControlMessage(oob[:oobn])
			if err != nil {
				return fds, fmt.Errorf("reading what was handed over: %w", err)
			}
			for i := range messages {
				more, err := unix.ParseUnixRights(&messages[i])
				if err != nil {
					return fds, fmt.Errorf("reading what was handed over: %w", err)
				}
				fds = append(fds, more...)
			}
		case n == len(buf):
			at, errno := int(binary.NativeEndian.Uint32(buf)), syscall.Errno(binary.NativeEndian.Uint32(buf[4:]))
			if at < 0 || at >= len(s.says) {
				return fds, errno
			}
			return fds, s.says[at].error(errno)
		case len(fds) == 0:
			return fds, errors.New("it ended before it had begun")
		default:
			return fds, nil
		}
	}
}

// fork makes the copy of this process. No signal reaches it before it has made its last
// step but one: a handler is Go's, and what it would need is not there.
func (s *stage) fork(flags uintptr, theirs int) (int, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all, before unix.Sigset_t
	for i := range all.Val {
		all.Val[i] = ^all.Val[i]
	}
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &all, &before); err != nil {
		return 0, fmt.Errorf("holding signals back: %w", err)
	}
	last := &s.steps[len(s.steps)-1]
	mask := step{nr: unix.SYS_RT_SIGPROCMASK, args: [6]uintptr{unix.SIG_SETMASK, hold(s, &before), 0, 8}}
	s.steps = append(s.steps[:len(s.steps)-1], mask, *last)
	s.says = append(s.says[:len(s.says)-1], say{op: "letting signals in"}, s.says[len(s.says)-1])
	c := &child{steps: s.steps, channel: uintptr(theirs), parent: uintptr(unix.Getpid())}
	pid, errno := c.clone(flags)
	runtime.KeepAlive(s)
	err := unix.PthreadSigmask(unix.SIG_SETMASK, &before, nil)
	if errno != 0 {
		return 0, fmt.Errorf("%w: making a process, and namespaces: %w", ErrNotConfined, errno)
	}
	if err != nil {
		return 0, fmt.Errorf("letting signals in: %w", err)
	}
	return int(pid), nil
}

// A child is what a copy of this process has to know.
type child struct {
	steps           []step
	channel, parent uintptr
	failed          failure
}

// clone returns only in this process. The copy ends with whoever started it, the thread.
//
//go:nosplit
//go:norace
//go:noinline
func (c *child) clone(flags uintptr) (uintptr, syscall.Errno) {
	pid, _, errno := syscall.RawSyscall6(unix.SYS_CLONE, flags|uintptr(unix.SIGCHLD), 0, 0, 0, 0, 0)
	if pid != 0 || errno != 0 {
		return pid, errno
	}
	syscall.RawSyscall6(unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0, 0)
	if now, _, _ := syscall.RawSyscall6(unix.SYS_GETPPID, 0, 0, 0, 0, 0, 0); now == c.parent {
		at, errno := walk(c.steps)
		c.failed.step, c.failed.errno = int32(at), int32(errno)
		syscall.RawSyscall6(unix.SYS_WRITE, c.channel, uintptr(unsafe.Pointer(&c.failed)), unsafe.Sizeof(c.failed), 0, 0, 0)
	}
	for {
		syscall.RawSyscall6(unix.SYS_EXIT_GROUP, 126, 0, 0, 0, 0, 0)
	}
}

// handlers adds the steps that take this process's handlers of signals from a copy of it;
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
	fds [2]int32
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
	s.add(say{"exec", program}, unix.SYS_EXECVE, s.text(program), s.texts(argv), s.texts(env))
}
