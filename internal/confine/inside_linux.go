//go:build amd64 || arm64

package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// insideVerb is the hidden verb by which this program is started once more, in
// namespaces of its own, to become the command there.
const insideVerb = "confined-inside"

// channel is the descriptor on which it is told what to do.
const channel = 3

// An order is what it is told.
type order struct {
	Grant     grant.Grant
	Observing bool
	View      *view
	Temp      string
	Program   string
	Argv      []string
	Env       []string
	Dir       string
}

// IsInside reports whether this process was started to become a confined command.
func IsInside(args []string) bool { return len(args) == 1 && args[0] == insideVerb }

// Inside makes the mounts, restricts this process and becomes the command. It returns
// the exit code of its failure, which it has told who started it.
func Inside() int {
	runtime.LockOSThread()
	ch := os.NewFile(channel, "channel")
	unix.CloseOnExec(channel)
	fmt.Fprint(ch, inside(ch).Error()) // if that fails, who would read it is gone
	return 126
}

// inside returns only if it fails.
func inside(ch *os.File) error {
	var o order
	if err := Receive(ch, &o); err != nil {
		return err
	}
	o.Argv, o.Env = BackAll(o.Argv), BackAll(o.Env)
	o.Program, o.Dir = Back(o.Program), Back(o.Dir)
	if o.Grant.Net.Own() {
		if err := LoopbackUp(); err != nil {
			return err
		}
	}
	handed := []int{}
	if o.Grant.Net == grant.Hosts {
		fd, err := proxySocket()
		if err != nil {
			return err
		}
		handed = append(handed, fd)
	}
	if err := o.View.mount(o.Temp); err != nil {
		return err
	}
	if err := os.Chdir(o.Dir); err != nil {
		return err
	}
	b := Box{Grant: o.Grant}
	if o.Observing {
		b.Observer = &Observer{} // who started this observes; here it decides the filter
	}
	listener, err := b.restrict(o.View)
	if err != nil {
		return err
	}
	handed = append([]int{listener}, handed...)
	if err := unix.Sendmsg(channel, []byte{0}, unix.UnixRights(handed...), nil, 0); err != nil {
		return fmt.Errorf("handing over the filter: %w", err)
	}
	for _, fd := range handed {
		if err := unix.Close(fd); err != nil {
			return err
		}
	}
	return &os.PathError{Op: "exec", Path: o.Program, Err: syscall.Exec(o.Program, o.Argv, o.Env)}
}

// LoopbackUp switches the loopback of a new network namespace on.
func LoopbackUp() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("switching the loopback on: %w", err)
	}
	defer unix.Close(fd) //nolint:errcheck // nothing is lost by it
	req, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	req.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req); err != nil {
		return fmt.Errorf("switching the loopback on: %w", err)
	}
	return nil
}

// Attributes are those of a process in mount and, for a loopback of its own, network
// namespaces of its own, in which it may mount. Root needs no user namespace, and could
// not read files of others in one. A process in one has the capabilities to mount, to set
// up the network and to give up capabilities, and those in more.
func Attributes(net grant.Net, more ...uintptr) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	if net.Own() {
		a.Cloneflags |= syscall.CLONE_NEWNET
	}
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 {
		a.Cloneflags |= syscall.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		// Who is not root there loses at execve(2) what is not ambient. It gives all up
		// before it becomes the command.
		a.AmbientCaps = append([]uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SETPCAP}, more...)
	}
	return a
}

// enter starts this program anew in namespaces, gives it its order, and gets back what it
// hands over once it is about to become the command: the listener of its filter, and where
// hosts are granted the socket on which it asks for them.
func (b *Box) enter(o *order) (pid int, handed []int, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, fmt.Errorf("making a channel: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "channel"), os.NewFile(uintptr(fds[1]), "channel")
	defer ours.Close()
	pid, err = syscall.ForkExec("/proc/self/exe", []string{"heed", insideVerb}, &syscall.ProcAttr{
		Env: []string{}, Files: []uintptr{0, 1, 2, theirs.Fd()}, Sys: Attributes(b.Grant.Net),
	})
	theirs.Close() // a socket loses nothing
	if err != nil {
		return 0, nil, fmt.Errorf("%w: making namespaces: %w", ErrNotConfined, err)
	}
	handed, err = hand(ours, o)
	if err != nil {
		var status syscall.WaitStatus
		syscall.Kill(pid, syscall.SIGKILL)  //nolint:errcheck // it may have ended
		syscall.Wait4(pid, &status, 0, nil) //nolint:errcheck // nothing of it is wanted
		return 0, nil, fmt.Errorf("in namespaces of its own: %w", err)
	}
	return pid, handed, nil
}

// Send gives an order to a process that was started to become a command, as JSON. It is
// the only one.
func Send(ch *os.File, o any) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if _, err := ch.Write(text); err != nil {
		return fmt.Errorf("giving the order: %w", err)
	}
	return unix.Shutdown(int(ch.Fd()), unix.SHUT_WR)
}

// Receive takes an order. It is read to its end: what is left unread when a socket is
// closed breaks it for who reads the answer.
func Receive(ch *os.File, o any) error {
	text, err := io.ReadAll(ch)
	if err == nil {
		err = json.Unmarshal(text, o)
	}
	if err != nil {
		return fmt.Errorf("reading what is to be run: %w", err)
	}
	return nil
}

// hand gives an order and takes what is handed over.
func hand(ch *os.File, o *order) ([]int, error) {
	if err := Send(ch, o); err != nil {
		return nil, err
	}
	buf, oob := make([]byte, 1), make([]byte, unix.CmsgSpace(8))
	n, oobn, _, _, err := unix.Recvmsg(int(ch.Fd()), buf, oob, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return nil, err
	}
	rest, err := io.ReadAll(ch)
	if err != nil {
		return nil, err
	}
	if said := string(buf[:n]) + string(rest); n > 0 && oobn == 0 {
		return nil, errors.New(said)
	} else if len(rest) > 0 {
		return nil, errors.New(string(rest))
	}
	messages, err := unix.ParseSocketControlMessage(oob[:oobn])
	if err != nil || len(messages) != 1 {
		return nil, errors.New("it ended before it had begun")
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	want := 1
	if o.Grant.Net == grant.Hosts {
		want++
	}
	if err != nil || len(fds) != want {
		return nil, errors.New("it did not hand over what was wanted")
	}
	return fds, nil
}
