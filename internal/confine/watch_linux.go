//go:build amd64 || arm64

package confine

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unsafe"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// An operand is where a path stands among the arguments of a call: the number of the
// one with the directory, -1 if it has none, and of the one with the path.
type operand struct{ dir, path int }

// operandsAt are the operands of the calls that every machine has.
func operandsAt(nr int) []operand {
	switch nr {
	case unix.SYS_OPENAT, unix.SYS_OPENAT2, unix.SYS_UNLINKAT, unix.SYS_MKDIRAT, unix.SYS_MKNODAT, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT, unix.SYS_SETXATTRAT, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR:
		return []operand{{0, 1}}
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2:
		return []operand{{0, 1}, {2, 3}}
	case unix.SYS_LINKAT:
		return []operand{{2, 3}}
	case unix.SYS_SYMLINKAT:
		return []operand{{1, 2}}
	case unix.SYS_TRUNCATE, unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR:
		return []operand{{-1, 0}}
	case unix.SYS_FCHMOD, unix.SYS_FCHOWN, unix.SYS_FSETXATTR, unix.SYS_FREMOVEXATTR:
		return []operand{{0, -1}}
	}
	return nil
}

// What the kernel asks, and is answered. Source: uapi/linux/seccomp.h.
type (
	notice struct {
		id         uint64
		pid, flags uint32
		nr         int32
		arch       uint32
		ip         uint64
		args       [6]uint64
	}
	answer struct {
		id    uint64
		val   int64
		err   int32
		flags uint32
	}
)

// A watcher answers what the filter asks.
type watcher struct {
	listener int
	calls    func() []call // all that the filter refuses or asks about
	about    map[int]call  // by number; nil until somebody asks
	view     *view
	parents  []string        // where new names may be made
	made     map[string]bool // those that were
	told     map[Refusal]bool
	// held are refusals that matter only where the command fails.
	held     []Refusal
	tell     func(Refusal)
	root     int // the process that was started
	observer *Observer
	own      []string // what it may always change, of which nothing is observed
	// signalsAll is whether all processes may be signalled.
	signalsAll bool
	local      []netip.Addr
	doors      *doors               // nil if there are none
	started    func(program string) // nil where nobody wants to know
	programs   map[string]bool      // those that were told
}

// most is how many refusals of one command are told.
const most = 50

func (b *Box) watcher(v *view, listener int) *watcher {
	return &watcher{
		signalsAll: b.Grant.Signals, listener: listener, view: v, parents: v.parents(), made: map[string]bool{}, told: map[Refusal]bool{},
		tell: b.Refused, started: b.Started, local: b.Local, observer: b.Observer, calls: func() []call { return b.calls(true) },
	}
}

// call is what the filter says about a number. Most commands never ask.
func (w *watcher) call(nr int) (call, bool) {
	if w.about == nil {
		w.about = map[int]call{}
		for _, c := range w.calls() {
			if _, twice := w.about[c.nr]; !twice {
				w.about[c.nr] = c
			}
		}
	}
	c, ok := w.about[nr]
	return c, ok
}

// serve answers until stop can be read, or everybody whom the filter holds is gone.
func (w *watcher) serve(stop int) {
	// Who asks waits: to go on on his processor spares waking another one. Older kernels
	// do not know it, and lose only time.
	unix.Syscall(unix.SYS_IOCTL, uintptr(w.listener), unix.SECCOMP_IOCTL_NOTIF_SET_FLAGS, unix.SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP) //nolint:errcheck // said above
	for {
		polls := []unix.PollFd{{Fd: int32(w.listener), Events: unix.POLLIN}, {Fd: int32(stop), Events: unix.POLLIN}}
		if _, err := unix.Poll(polls, -1); err != nil {
			if errors.Is(err, unix.EINTR) {
				continue
			}
			return
		}
		if polls[0].Revents&unix.POLLIN == 0 {
			return
		}
		var n notice
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(w.listener), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); errno != 0 {
			if errno == unix.ENOENT || errno == unix.EINTR { // who asked is gone
				continue
			}
			return
		}
		a := w.answer(&n)
		a.id = n.id
		// If who asked is gone meanwhile, nobody misses the answer.
		unix.Syscall(unix.SYS_IOCTL, uintptr(w.listener), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&a))) //nolint:errcheck // said above
	}
}

// answer says what becomes of a call. What was read from memory, which can be another by then,
// is let go on only where the kernel decides once more, by Landlock.
func (w *watcher) answer(n *notice) answer {
	nr := int(n.nr)
	if nr == unix.SYS_SOCKET || nr == unix.SYS_SOCKETPAIR {
		if cached(n) {
			w.hold(refusal(n, Socket, ""))
		} else {
			w.refuse(n, socketDeed(n), "")
		}
		return answer{err: -int32(unix.EACCES)}
	}
	c, ok := w.call(nr)
	if !ok {
		return answer{err: -int32(unix.EPERM)}
	}
	if w.observer != nil && c.asks && c.deed != Signal {
		return w.observe(n, &c)
	}
	switch c.deed {
	case Execute:
		w.execute(n)
		return answer{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	case Connect:
		return w.connect(n)
	case Priority:
		if c.own(n) && w.still(n) {
			return answer{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
		}
	}
	path, granted := w.granted(n, &c)
	if c.asks && granted {
		return answer{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	}
	if !w.still(n) { // what was read may have been another's, of which nothing is told
		return answer{err: -int32(unix.EPERM)}
	}
	if refreshes(path) {
		w.hold(refusal(n, c.deed, path))
	} else {
		w.refuse(n, c.deed, path)
	}
	if c.asks && c.deed != Signal {
		return answer{err: -int32(unix.EACCES)}
	}
	return answer{err: -int32(unix.EPERM)}
}

// own reports whether a call names who makes it, by the number of its thread or process. Both
// stand in its registers, which nobody changes while it waits, and are its own as long as it
// does.
func (c *call) own(n *notice) bool {
	args, named := n.args, false
	for _, p := range c.unless {
		if p.self {
			pid := uint32(args[p.arg])
			named = pid == n.pid || pid == processOf(n.pid)
			args[p.arg] = 0
		}
	}
	return named && c.has(&args)
}

// processOf is the process that a thread belongs to, 0 if it is not there.
func processOf(thread uint32) uint32 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(int(thread)) + "/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "\nTgid:\t")
	text, _, _ := strings.Cut(rest, "\n")
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		return 0
	}
	return uint32(n)
}

// cached reports whether a call is what the C library makes for each name of a user, to
// ask a cache that few machines run (nscd(8)); it goes on without. Source: glibc,
// nscd/nscd_helper.c, open_socket. Others make the same call and mean it.
func cached(n *notice) bool {
	return n.nr == unix.SYS_SOCKET && uint32(n.args[0]) == unix.AF_UNIX &&
		uint32(n.args[1]) == unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK && uint32(n.args[2]) == 0
}

// refreshes reports whether a path is the lock that git takes to write down what it saw of the
// files, when it only shows how they differ; it goes on without. Where it has to write it
// fails. Source: git, builtin/diff.c, refresh_index_quietly.
func refreshes(p string) bool { return filepath.Base(p) == "index.lock" }

// hold keeps a refusal back until it is known how the command ended.
func (w *watcher) hold(r Refusal) {
	if len(w.held) < most && !slices.Contains(w.held, r) {
		w.held = append(w.held, r)
	}
}

// ended tells what was held back, where a command has failed.
func (w *watcher) ended() {
	for _, r := range w.held {
		w.once(r)
	}
}

func socketDeed(n *notice) Deed {
	switch uint32(n.args[0]) {
	case unix.AF_UNIX:
		return Socket
	case unix.AF_NETLINK, unix.AF_ALG:
		return Kernel
	}
	return Network
}

// granted finds the path that a call is about, and whether it may be changed. What
// cannot be found out is left to the kernel.
func (w *watcher) granted(n *notice, c *call) (string, bool) {
	if c.deed == Signal {
		return w.signals(n)
	}
	if n.nr == unix.SYS_OPENAT2 && w.reads(n) {
		return "", true
	}
	ops := operands(int(n.nr))
	for _, op := range ops {
		p, ok := w.path(n, op)
		if !ok {
			continue
		}
		if c.deed == Metadata || w.slips(n, c, p) || !w.changeable(p) && !fails(n, c, p) {
			return p, false
		}
	}
	return "", len(ops) > 0
}

// slips reports whether a call puts a whole directory, by a move or a link, where
// something below is to stay as it is, which need not be there yet.
func (w *watcher) slips(n *notice, c *call, p string) bool {
	return (c.deed == Move || isSymlink(int(n.nr))) && leadsTo(w.view.Keep, p)
}

// fails reports whether a call fails without Landlock as well: what is there cannot be
// made, what is not there cannot be changed. Programs try both and go on.
func fails(n *notice, c *call, p string) bool {
	_, err := os.Lstat(p)
	switch there := err == nil; c.deed {
	case Make:
		return there
	case Write:
		return errors.Is(err, os.ErrNotExist) && !creates(n)
	case Delete, Metadata:
		return errors.Is(err, os.ErrNotExist)
	}
	return false
}

// creates reports whether a call makes the file that it opens.
func creates(n *notice) bool {
	switch int(n.nr) {
	case unix.SYS_OPENAT:
		return n.args[2]&(unix.O_CREAT|unix.O_TMPFILE&^unix.O_DIRECTORY) != 0
	case unix.SYS_TRUNCATE:
		return false
	}
	return true
}

// reads reports whether openat2(2) opens for reading, which stands in memory.
func (w *watcher) reads(n *notice) bool {
	var how [8]byte // struct open_how begins with the flags
	if _, ok := readMemory(n.pid, n.args[2], how[:]); !ok {
		return false
	}
	return binary.NativeEndian.Uint64(how[:])&writing == 0
}

// signals reports whether a process that is to be signalled may be one of the box, or is
// none: Landlock knows for sure.
func (w *watcher) signals(n *notice) (string, bool) {
	pid := int(int32(n.args[0]))
	if w.signalsAll || pid <= 0 {
		return "", true
	}
	for p := pid; p > 1; p = parent(p) {
		if p == w.root || p == int(n.pid) {
			return "", true
		}
	}
	// One of the box whose parent is gone has a filter as well.
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil || !strings.Contains(string(status), "\nSeccomp:\t0\n") {
		return "", true
	}
	name, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/comm")
	if err != nil {
		return "", true
	}
	return "process " + strconv.Itoa(pid) + " (" + strings.TrimSpace(string(name)) + ")", false
}

// parent is the process that started another one, 0 if it is not there.
func parent(pid int) int {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text[max(bytes.LastIndexByte(text, ')'), 0):]), " ")
	if fields := strings.Fields(rest); len(fields) > 1 {
		n, err := strconv.Atoi(fields[1])
		if err == nil {
			return n
		}
	}
	return 0
}

// changeable reports whether the grant names a path, or it is none: a pipe has none.
func (w *watcher) changeable(p string) bool {
	switch {
	case grant.Covers(w.view.Keep, p):
		return false
	case !filepath.IsAbs(p), grant.Covers(w.view.Write, p), grant.Covers(w.view.Names, p), grant.Covers(w.view.Terminal, p), w.made[p]:
		return true
	}
	// Programs that replace a file make the new one beside it, and mkdir -p the
	// directories that lead to it.
	if _, err := os.Lstat(p); errors.Is(err, os.ErrNotExist) && (slices.Contains(w.parents, existing(p)) || leadsTo(w.view.Names, p)) {
		w.made[p] = true
		return true
	}
	return false
}

// path reads the path of a call out of the memory of who makes it, and resolves it as far
// as it is there. It is another's if who asked does not wait any more.
func (w *watcher) path(n *notice, op operand) (string, bool) {
	proc := "/proc/" + strconv.Itoa(int(n.pid)) + "/"
	text := ""
	if op.path >= 0 {
		if n.args[op.path] != 0 {
			var ok bool
			if text, ok = readText(n.pid, n.args[op.path]); !ok {
				return "", false
			}
		}
	}
	if !filepath.IsAbs(text) {
		base := proc + "cwd"
		if op.dir >= 0 && int32(n.args[op.dir]) != unix.AT_FDCWD {
			base = proc + "fd/" + strconv.Itoa(int(int32(n.args[op.dir])))
		}
		dir, err := os.Readlink(base)
		if err != nil {
			return "", false
		}
		switch {
		case text == "":
			return dir, true
		case !strings.Contains(text, "/") && text != "." && text != "..":
			// The kernel names a directory without links, and one name has no others.
			return w.last(n, dir, text), true
		}
		text = filepath.Join(dir, text)
	}
	if rest, ok := strings.CutPrefix(text, "/proc/self/"); ok {
		text = proc + rest
	}
	for name, fd := range map[string]string{"/dev/stdin": "fd/0", "/dev/stdout": "fd/1", "/dev/stderr": "fd/2"} {
		if text == name {
			text = proc + fd
		}
	}
	if rest, ok := strings.CutPrefix(text, "/dev/fd/"); ok {
		text = proc + "fd/" + rest
	}
	if strings.HasPrefix(text, proc+"fd/") {
		to, err := os.Readlink(text)
		return to, err == nil
	}
	if text == filepath.Clean(text) && direct(text) {
		return text, true
	}
	text = strings.TrimRight(text, "/")
	switch base := filepath.Base(text); base {
	case "/", ".", "..":
		return real(text + "/"), true
	default:
		return w.last(n, real(filepath.Dir(text)), base), true
	}
}

// direct reports whether a path is there, or its directory is, and no link stands on the way:
// then it is its own real path. A build asks thousands of times, and this is all that most
// need.
func direct(p string) bool {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
	for range 2 {
		fd, err := unix.Openat2(unix.AT_FDCWD, p, &how)
		if err == nil {
			unix.Close(fd) //nolint:errcheck // nothing is lost by it
			return true
		}
		if !errors.Is(err, unix.ENOENT) {
			return false
		}
		p = filepath.Dir(p)
	}
	return false
}

// last is the path of a name in a directory without links: of what it leads to, if the
// call follows it.
func (w *watcher) last(n *notice, dir, name string) string {
	p := filepath.Join(dir, name)
	switch nr := int(n.nr); {
	case nr != unix.SYS_OPENAT && nr != unix.SYS_OPENAT2 && nr != unix.SYS_TRUNCATE && !isOpen(nr):
		return p
	}
	if i, err := os.Lstat(p); err == nil && i.Mode()&os.ModeSymlink == 0 {
		return p
	}
	return real(p)
}

// still reports whether who asked still waits for the answer: otherwise its number can
// be another process's.
func (w *watcher) still(n *notice) bool {
	id := n.id
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(w.listener), unix.SECCOMP_IOCTL_NOTIF_ID_VALID, uintptr(unsafe.Pointer(&id)))
	return errno == 0
}

// readText reads a text that ends in zero out of the memory of a process.
func readText(pid uint32, at uint64) (string, bool) {
	var out []byte
	var first [256]byte // which most texts fit into
	for len(out) < unix.PathMax {
		// Not over the end of a page: the next need not be there.
		buf := first[:min(len(first), int(4096-at%4096))]
		if len(out) > 0 {
			buf = make([]byte, 4096-at%4096)
		}
		n, ok := readMemory(pid, at, buf)
		if i := bytes.IndexByte(buf[:n], 0); i >= 0 {
			return string(append(out, buf[:i]...)), true
		}
		if !ok {
			return "", false
		}
		out, at = append(out, buf[:n]...), at+uint64(n)
	}
	return "", false
}

// readMemory reads as much of a buffer as can be read, and reports whether it is all.
func readMemory(pid uint32, at uint64, buf []byte) (int, bool) {
	if len(buf) == 0 {
		return 0, true
	}
	n, err := unix.ProcessVMReadv(int(pid), []unix.Iovec{{Base: &buf[0], Len: uint64(len(buf))}}, []unix.RemoteIovec{{Base: uintptr(at), Len: len(buf)}}, 0)
	return max(n, 0), err == nil && n == len(buf)
}

// refusal is what was tried by a call.
func refusal(n *notice, deed Deed, path string) Refusal {
	name, err := os.ReadFile("/proc/" + strconv.Itoa(int(n.pid)) + "/comm")
	if err != nil {
		name = nil
	}
	return Refusal{Deed: deed, Path: path, Program: strings.TrimSpace(string(name))}
}

// refuse tells what is refused, once.
func (w *watcher) refuse(n *notice, deed Deed, path string) {
	w.once(refusal(n, deed, path))
}

// once tells a refusal that was not told yet.
func (w *watcher) once(r Refusal) {
	if w.told[r] || len(w.told) >= most {
		return
	}
	w.told[r] = true
	w.tell(r)
}

// execute tells which program is executed, once. Nothing hangs on it: the kernel decides.
func (w *watcher) execute(n *notice) {
	op := operand{dir: -1, path: 0}
	if int(n.nr) == unix.SYS_EXECVEAT {
		op = operand{dir: 0, path: 1}
	}
	p, ok := w.path(n, op)
	if !ok || w.programs[p] || len(w.programs) >= most || !w.still(n) {
		return
	}
	if i, err := os.Stat(p); err != nil || !i.Mode().IsRegular() {
		return // a name on PATH that is not there: the next is tried
	}
	if w.programs == nil {
		w.programs = map[string]bool{}
	}
	w.programs[p] = true
	w.started(p)
}

// connect tells of connections beyond the loopback and refuses them. The network
// namespace, which has nothing else, has the last word: the address that was read can
// be another by then.
func (w *watcher) connect(n *notice) answer {
	at, size := n.args[1], n.args[2]
	if int(n.nr) == unix.SYS_SENDTO {
		at, size = n.args[4], n.args[5]
	}
	raw := make([]byte, min(size, unix.SizeofSockaddrInet6))
	if _, ok := readMemory(n.pid, at, raw); !ok || !w.still(n) {
		return answer{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	}
	to, ok := address(raw)
	if !ok || to.Addr().IsLoopback() || to.Addr().IsUnspecified() || to.Port() == 0 || slices.Contains(w.local, to.Addr()) {
		// Port 0 is for who only wants to know by which way a packet would go.
		w.doors.knock(to)
		return answer{flags: unix.SECCOMP_USER_NOTIF_FLAG_CONTINUE}
	}
	w.refuse(n, Connect, to.String())
	return answer{err: -int32(unix.ENETUNREACH)}
}

// address reads an address of IP. Source: ip(7), ipv6(7).
func address(raw []byte) (netip.AddrPort, bool) {
	if len(raw) < unix.SizeofSockaddrInet4 {
		return netip.AddrPort{}, false
	}
	port := binary.BigEndian.Uint16(raw[2:])
	switch binary.NativeEndian.Uint16(raw) {
	case unix.AF_INET:
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte(raw[4:8])), port), true
	case unix.AF_INET6:
		if len(raw) >= 24 {
			return netip.AddrPortFrom(netip.AddrFrom16([16]byte(raw[8:24])).Unmap(), port), true
		}
	}
	return netip.AddrPort{}, false
}
