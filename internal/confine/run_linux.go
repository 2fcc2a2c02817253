//go:build amd64 || arm64

package confine

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/value"
	"golang.org/x/sys/unix"
)

// Probe asks the kernel what it has.
func Probe() Support {
	return Support{Landlock: landlockABI(), Seccomp: seccompNotifies()}
}

// seccompNotifies reports whether a filter can ask. Source: seccomp(2).
func seccompNotifies() bool {
	action := uint32(unix.SECCOMP_RET_USER_NOTIF)
	return seccompOperation(unix.SECCOMP_GET_ACTION_AVAIL, &action) == nil
}

// Possible says what this machine lacks to keep a command to a grant; nil if nothing. An
// error is under [ErrNotConfined].
func Possible(g *grant.Grant) error {
	b := Box{Grant: *g}
	return b.possible()
}

// Run runs a command in the box and waits for its end. An error under [ErrNotConfined]
// says that this system cannot keep the command to its grant; any other that it could
// not be started. It has the streams of this process; signals that this process gets
// are passed on to it.
func (b *Box) Run(c *Command) (End, error) {
	if err := b.possible(); err != nil {
		return End{}, err
	}
	temp, err := os.MkdirTemp("", "heed-confined-")
	if err != nil {
		return End{}, fmt.Errorf("making the command's own temp: %w", err)
	}
	defer os.RemoveAll(temp) //nolint:errcheck // what stays is in a temp directory
	v := b.look(c.Home, temp)
	if b.Grant.Sockets {
		v.Sockets = v.foreignSockets(b.exempt(v, temp))
	}
	env := append(Clean(c.Env, value.CredentialName), "TMPDIR="+temp, "GIT_OPTIONAL_LOCKS=0", "PYTHONDONTWRITEBYTECODE=1")
	if b.Grant.Net == grant.Hosts {
		env = append(slices.DeleteFunc(env, func(kv string) bool {
			name, _, _ := strings.Cut(strings.ToLower(kv), "=")
			return strings.HasSuffix(name, "_proxy")
		}), proxyEnv()...)
	}
	// The command ends with the thread that starts it: nobody else ends that meanwhile.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	p, err := b.start(c, v, env, temp)
	if err != nil {
		return End{}, err
	}
	return p.wait()
}

// possible says why a grant cannot be kept here.
func (b *Box) possible() error {
	s := Probe()
	switch {
	case b.Started != nil:
		return fmt.Errorf("%w: what a command executes is told in a room only", ErrNotConfined)
	case b.Observer != nil && !namespaced(&b.Grant):
		return fmt.Errorf("%w: only what may write something can be observed", ErrNotConfined)
	case s.Landlock < leastABI:
		return fmt.Errorf("%w: the kernel's Landlock has version %d, %d is needed (Linux 6.12)", ErrNotConfined, s.Landlock, leastABI)
	case !s.Seccomp:
		return fmt.Errorf("%w: the kernel has no seccomp with notification", ErrNotConfined)
	}
	for _, p := range slices.Concat(b.Grant.Write, b.Grant.Names) {
		if p == "/" || !filepath.IsAbs(p) {
			return fmt.Errorf("%w: %q cannot be granted for writing", ErrNotConfined, p)
		}
	}
	for fd := range 3 {
		var st unix.Stat_t
		if unix.Fstat(fd, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFDIR {
			return fmt.Errorf("%w: descriptor %d is a directory, from which others can be reached", ErrNotConfined, fd)
		}
	}
	return nil
}

// namespaced reports whether a grant needs namespaces: what may be written has metadata
// that may be changed as well, and only a mount keeps that to it; and only a mount keeps
// from sockets.
func namespaced(g *grant.Grant) bool { return g.Writes() || g.Sockets || g.Net.Own() }

// exempt are the trees in which sockets of others are not masked. Directories for
// temporary files are everybody's.
func (b *Box) exempt(v *view, temp string) []string {
	if b.Observer != nil {
		return []string{temp}
	}
	return slices.DeleteFunc(slices.Clone(v.Write), func(p string) bool { return slices.Contains([]string{"/tmp", "/var/tmp", "/dev/shm"}, p) })
}

// A process is a confined command that runs.
type process struct {
	pid int
	// ended is a descriptor that can be read when it has ended.
	ended   int
	watcher *watcher
	// proxy is its way out to hosts, nil if it has none.
	proxy io.Closer
	// doors lead to ports of this machine's loopback, nil if there are none.
	doors *doors
	// input is the command's standard input, if it is not this process's own, else 0.
	input int
}

// start starts a command.
func (b *Box) start(c *Command, v *view, env []string, temp string) (*process, error) {
	ways := b.doorways()
	pid, handed, err := b.enter(c, v, env, temp, ways)
	if err != nil {
		return nil, err
	}
	p, told := &process{pid: pid}, b.oneAtATime()
	if n := 1 + b.outward(ways); len(handed) > n {
		p.input, handed = handed[n], handed[:n]
	}
	if p.ended, err = unix.PidfdOpen(pid, 0); err == nil {
		if err = p.ways(told, handed[1:], ways, filepath.Base(c.Program)); err != nil {
			unix.Close(p.ended) //nolint:errcheck // nothing is written to it
		}
	}
	if err != nil {
		syscall.Kill(pid, syscall.SIGKILL) //nolint:errcheck // it may have ended
		syscall.Wait4(pid, nil, 0, nil)    //nolint:errcheck // nothing of it is wanted
		unix.Close(handed[0])              //nolint:errcheck // nobody asks any more
		return nil, err
	}
	p.watcher = told.watcher(v, handed[0])
	p.watcher.own = append(devices(), temp)
	p.watcher.root, p.watcher.doors = pid, p.doors
	return p, nil
}

// outward is how many sockets are handed over that lead out.
func (b *Box) outward(ways []netip.AddrPort) int {
	if b.Grant.Net == grant.Hosts {
		return 1 + len(ways)
	}
	return len(ways)
}

// ways opens the ways out of the box's own network, by the sockets that were handed over.
func (p *process) ways(b *Box, sockets []int, at []netip.AddrPort, program string) (err error) {
	if len(at) > 0 {
		if p.doors, err = newDoors(at, sockets[len(sockets)-len(at):]); err != nil {
			return err
		}
	}
	if b.Grant.Net == grant.Hosts {
		p.proxy, err = b.proxy(sockets[0], program)
	}
	return err
}

// Apart runs a function on a thread of its own, which ends with it, and its restrictions
// too. It is never the first thread: what others may do to a process is decided by what
// that one may.
func Apart(f func()) {
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() != unix.Getpid() {
			f() // never unlocked
			return
		}
		// This one is held, so that it is not taken again.
		ended := make(chan struct{})
		Apart(func() {
			defer close(ended)
			f()
		})
		<-ended
		runtime.UnlockOSThread()
	}()
}

// enter starts the command in a process that puts itself into the box, and gets back what
// it hands over: the listener of its filter, where hosts are granted the socket on which
// it asks for them, the sockets of doors, and its standard input if that is another.
func (b *Box) enter(c *Command, v *view, env []string, temp string, ways []netip.AddrPort) (pid int, handed []int, err error) {
	r, err := b.ruleset(v)
	if err != nil {
		return 0, nil, err
	}
	defer r.close()
	if err := lowLimit(); err != nil {
		return 0, nil, err
	}
	channel, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, nil, fmt.Errorf("making a channel: %w", err)
	}
	defer unix.Close(channel[0]) //nolint:errcheck // all was read
	defer unix.Close(channel[1]) //nolint:errcheck // all was written
	s, given, n, flags := &stage{}, &parcel{}, 1, uintptr(0)
	if namespaced(&b.Grant) {
		flags = b.namespaces(s)
		if b.Grant.Net.Own() {
			s.loopback()
		}
		if b.Grant.Net == grant.Hosts {
			s.listen(&given.fds[1])
			n = 2
		}
		for _, at := range ways {
			s.door(at, &given.fds[n])
			n++
		}
		placed, err := v.mount(s, temp)
		if err != nil {
			return 0, nil, err
		}
		if placed {
			given.fds[n] = 0 // standard input itself
			n++
		}
	}
	s.add(say{op: "chdir", path: c.Dir, command: true}, unix.SYS_CHDIR, s.text(c.Dir))
	s.handlers()
	if err := b.restrictions(s, r, flags&unix.CLONE_NEWUSER != 0, &given.fds[0]); err != nil {
		return 0, nil, err
	}
	s.hand(channel[1], given, n)
	s.become(c.Program, c.Argv, env)
	return s.start(flags, channel[0], n)
}

// namespaces are the flags of clone(2) for the namespaces that a grant needs. Root needs no
// user namespace, and could not read files of others in one. Everybody else adds the steps
// by which he stays who he is there.
func (b *Box) namespaces(s *stage) uintptr {
	flags := uintptr(unix.CLONE_NEWNS)
	if b.Grant.Net.Own() {
		flags |= unix.CLONE_NEWNET
	}
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 {
		flags |= unix.CLONE_NEWUSER
		s.write("/proc/self/setgroups", "deny") // or gid_map could not be written: user_namespaces(7)
		s.write("/proc/self/uid_map", fmt.Sprintf("%d %d 1\n", uid, uid))
		s.write("/proc/self/gid_map", fmt.Sprintf("%d %d 1\n", gid, gid))
	}
	return flags
}

// look makes the view of a command, of what was prepared as far as that is the same.
func (b *Box) look(home, temp string) *view {
	if !b.Ready.reads(&b.Grant, home) {
		return look(&b.Grant, home, temp)
	}
	v := &view{Home: home, Read: b.Ready.view.Read, Hidden: b.Ready.view.Hidden}
	v.writing(&b.Grant, temp)
	return v
}

// ruleset makes Landlock's rules. They are about files, not about paths, and hold whatever
// is mounted over these later.
func (b *Box) ruleset(v *view) (*ruleset, error) {
	r, err := b.Ready.take(&b.Grant, v.Home), error(nil)
	if r == nil {
		r, err = readRuleset(&b.Grant, v)
	}
	if err == nil {
		err = v.writable(r)
	}
	if err != nil {
		r.close()
		return nil, fmt.Errorf("making Landlock's rules: %w", err)
	}
	return r, nil
}

// readRuleset makes the rules of what may be read.
func readRuleset(g *grant.Grant, v *view) (*ruleset, error) {
	r, err := newRuleset(g.Net != grant.NoNet, g.Signals)
	if err != nil {
		return nil, err
	}
	if err := v.readable(r); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// restrictions adds the steps that put everything on a thread. Their order matters: without
// new privileges nobody may do the rest, and the filter comes last, because it forbids what
// goes before.
func (b *Box) restrictions(s *stage, r *ruleset, own bool, listener *int32) error {
	s.add(say{op: "giving up new privileges"}, unix.SYS_PRCTL, unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	if err := s.capabilities(own); err != nil {
		return err
	}
	// Whatever this process has inherited or opened stays here.
	s.add(say{op: "keeping open files back"}, unix.SYS_CLOSE_RANGE, 3, uintptr(^uint32(0)), unix.CLOSE_RANGE_CLOEXEC)
	r.restrict(s)
	b.filter().install(s).to = listener
	return nil
}

// wait answers what the filter asks until the end, and passes signals on meanwhile. What the
// terminal sends goes to the whole group, and has reached the command already.
func (p *process) wait() (End, error) {
	signals := make(chan os.Signal, 16)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2)
	defer signal.Stop(signals)
	ended := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				if n, ok := s.(syscall.Signal); ok && n != syscall.SIGINT && n != syscall.SIGQUIT {
					unix.PidfdSendSignal(p.ended, n, nil, 0) //nolint:errcheck // it may have ended just now
				}
			case <-ended:
				return
			}
		}
	}()
	p.watcher.serve(p.ended)
	var status syscall.WaitStatus
	var err error
	for {
		if _, err = syscall.Wait4(p.pid, &status, 0, nil); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	close(ended)
	unix.Close(p.ended) //nolint:errcheck // nothing is written to it
	if p.proxy != nil {
		p.proxy.Close() //nolint:errcheck // who used it is gone
	}
	p.doors.close()
	if p.input > 0 {
		shift(p.input)
	}
	if err == nil && status != 0 {
		p.watcher.ended()
	}
	switch {
	case err != nil:
		return End{}, fmt.Errorf("waiting for the command: %w", err)
	case status.Signaled():
		return End{Code: 128 + int(status.Signal()), Signal: int(status.Signal())}, nil
	}
	return End{Code: status.ExitStatus()}, nil
}
