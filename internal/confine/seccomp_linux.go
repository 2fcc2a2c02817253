//go:build amd64 || arm64

package confine

import (
	"cmp"
	"slices"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// newest is the last system call that was looked at. What a later kernel adds does not
// exist in a box: it could do again what was refused under another number.
const newest = unix.SYS_RSEQ_SLICE_YIELD

// namespaces are the flags of clone(2) and unshare(2) that make one.
const namespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// A call is a system call that is refused: by itself, or for what its arguments are.
type call struct {
	nr   int
	deed Deed
	// unless are what its arguments have to be, all of them, for it not to be refused;
	// without, it always is.
	unless []part
	// asks is whether the kernel goes on if the watcher finds that it is granted;
	// without, it is refused whatever it is about.
	asks bool
}

// A part is what one argument of a call is: of its bits in mask, those in is. Only its lower
// half counts, as for the kernel, unless it is an address.
type part struct {
	arg      int
	mask, is uint32
	address  bool
	// self is whether the argument names a process or thread, and the number of who calls
	// is as good.
	self bool
}

// all is the mask of an argument that counts as a whole.
const all = ^uint32(0)

// of reports whether the arguments of a call have the part.
func (p part) of(args *[6]uint64) bool {
	return uint32(args[p.arg])&p.mask == p.is && (!p.address || args[p.arg]>>32 == 0)
}

// has reports whether a call with these arguments is not refused.
func (c *call) has(args *[6]uint64) bool {
	for _, p := range c.unless {
		if !p.of(args) {
			return false
		}
	}
	return len(c.unless) > 0
}

// none are the parts of a call of which one argument has none of some bits.
func none(arg int, bits uint32) []part { return []part{{arg: arg, mask: bits}} }

// nowhere are the parts of a call that names no address.
func nowhere(arg int) []part { return []part{{arg: arg, mask: all, address: true}} }

// itself are the parts of a call that names a process by one argument, and is about who
// calls. what is the argument that says what the number means, -1 if it means a process,
// and process is what it is then: others mean its group, or all processes of an account.
func itself(arg, what int, process uint32) []part {
	own := []part{{arg: arg, mask: all, self: true}}
	if what >= 0 {
		own = append(own, part{arg: what, mask: all, is: process})
	}
	return own
}

// always are the calls that no grant lets through.
func always() []call {
	out := make([]call, 0, 192) // for all that a box adds
	add := func(d Deed, nrs ...int) {
		for _, nr := range nrs {
			out = append(out, call{nr: nr, deed: d})
		}
	}
	add(Trace, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD, unix.SYS_PROCESS_MADVISE, unix.SYS_PROCESS_MRELEASE, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD)
	add(Mount, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE, unix.SYS_OPEN_TREE_ATTR, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR, unix.SYS_CHROOT, unix.SYS_OPEN_BY_HANDLE_AT)
	add(Isolate, unix.SYS_SETNS)
	add(Keys, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY)
	add(Machine, unix.SYS_BPF, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE, unix.SYS_KEXEC_LOAD, unix.SYS_REBOOT, unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_SYSLOG, unix.SYS_VHANGUP, unix.SYS_FANOTIFY_INIT, unix.SYS_NFSSERVCTL, unix.SYS_LOOKUP_DCOOKIE)
	add(Share, unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_SEMGET, unix.SYS_MSGGET, unix.SYS_MQ_OPEN, unix.SYS_MQ_UNLINK, unix.SYS_SHMCTL, unix.SYS_SEMCTL, unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_MSGCTL, unix.SYS_MSGRCV, unix.SYS_MSGSND)
	for nr, d := range oldMachine() {
		add(d, nr)
	}
	about := func(of []part, nrs ...int) {
		for _, nr := range nrs {
			out = append(out, call{nr: nr, deed: Priority, unless: of})
		}
	}
	about(itself(0, -1, 0), unix.SYS_PRLIMIT64, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER, unix.SYS_SCHED_SETPARAM, unix.SYS_SCHED_SETATTR, unix.SYS_MIGRATE_PAGES, unix.SYS_MOVE_PAGES)
	about(itself(1, 0, unix.PRIO_PROCESS), unix.SYS_SETPRIORITY)
	about(itself(1, 0, ioprioProcess), unix.SYS_IOPRIO_SET)
	out = append(
		out,
		call{nr: unix.SYS_CLONE, deed: Isolate, unless: none(0, namespaces)},
		call{nr: unix.SYS_UNSHARE, deed: Isolate, unless: none(0, namespaces|unix.CLONE_NEWTIME)}, // for clone(2) a bit of a signal's number
	)
	return out
}

// typing are the requests of a terminal that put input into it, or take it from others.
// Source: ioctl_tty(2).
func typing() []uint32 {
	return []uint32{unix.TIOCSTI, unix.TIOCLINUX, unix.TIOCSETD, unix.TIOCCONS, unix.TIOCVHANGUP}
}

// ioctls refuses requests. File systems have many of their own that change what a
// directory holds, though it is open for reading only (a snapshot of btrfs is one), and
// Landlock handles none: only a read-only mount does. So without one there are those of
// terminals, of sockets, and few that ask.
func (f *filter) ioctls(no uint32, mounts bool) {
	const letter, terminal, socket = 0xff00, 'T' << 8, 0x8900
	const keyboard, screens = 'K' << 8, 'V' << 8 // of a console: what its keys type, which is shown
	f.load(offArgs + 8)
	for _, request := range typing() {
		f.when(unix.BPF_JEQ, request, func(f *filter) { f.ret(no) })
	}
	// It lasts when the command has ended, and keeps everybody else from the terminal.
	f.when(unix.BPF_JEQ, unix.TIOCEXCL, func(f *filter) { f.ret(denied) })
	if mounts {
		f.and(letter)
		for _, of := range []uint32{keyboard, screens} {
			f.when(unix.BPF_JEQ, of, func(f *filter) { f.ret(noTerminal) })
		}
		f.ret(allow)
		return
	}
	for _, request := range []uint32{unix.FS_IOC_GETFLAGS, fsGetXattr, blockSize} {
		f.when(unix.BPF_JEQ, request, func(f *filter) { f.ret(allow) })
	}
	f.and(letter)
	for _, of := range []uint32{terminal, socket} {
		f.when(unix.BPF_JEQ, of, func(f *filter) { f.ret(allow) })
	}
	f.ret(noTerminal)
}

// ioprioProcess says that ioprio_set(2) is told of a process: IOPRIO_WHO_PROCESS of
// uapi/linux/ioprio.h, which x/sys does not name.
const ioprioProcess = 1

// What x/sys does not name: FS_IOC_FSGETXATTR and FIGETBSZ of uapi/linux/fs.h.
const (
	fsGetXattr = 0x801c581f
	blockSize  = 2
)

// metadata are the calls that change what Landlock does not handle.
func metadata() []call {
	var out []call
	for _, nr := range append([]int{
		unix.SYS_FCHMOD, unix.SYS_FCHMODAT, unix.SYS_FCHMODAT2, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
		unix.SYS_SETXATTR, unix.SYS_LSETXATTR, unix.SYS_FSETXATTR, unix.SYS_SETXATTRAT,
		unix.SYS_REMOVEXATTR, unix.SYS_LREMOVEXATTR, unix.SYS_FREMOVEXATTR, unix.SYS_REMOVEXATTRAT, unix.SYS_FILE_SETATTR,
	}, oldMetadata()...) {
		out = append(out, call{nr: nr, deed: Metadata})
	}
	return out
}

// writing are the flags of open(2) of which a file that is only read has none.
const writing = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC

// changes are the calls that change files, about which Landlock decides and the watcher
// tells.
func changes() []call {
	out := []call{
		{nr: unix.SYS_OPENAT, deed: Write, unless: none(2, writing)},
		{nr: unix.SYS_OPENAT2, deed: Write},
		{nr: unix.SYS_TRUNCATE, deed: Write},
		{nr: unix.SYS_UNLINKAT, deed: Delete},
		{nr: unix.SYS_RENAMEAT2, deed: Move},
		{nr: unix.SYS_MKDIRAT, deed: Make},
		{nr: unix.SYS_MKNODAT, deed: Make},
		{nr: unix.SYS_LINKAT, deed: Make},
		{nr: unix.SYS_SYMLINKAT, deed: Make},
		{nr: unix.SYS_KILL, deed: Signal},
	}
	out = append(out, oldChanges(writing)...)
	for i := range out {
		out[i].asks = true
	}
	return out
}

// needed are the calls about which the watcher is asked besides, where it is found out
// what a command needs: those that change metadata, all that open, and those that name
// whom a socket is for. Of sendmsg(2) nothing is seen.
func needed() []call {
	out := metadata()
	for i := range out {
		out[i].asks = true
	}
	for _, c := range changes() {
		if c.deed == Write {
			c.unless = nil
			out = append(out, c)
		}
	}
	return append(
		out,
		call{nr: unix.SYS_CONNECT, deed: Network, asks: true},
		call{nr: unix.SYS_BIND, deed: Network, asks: true},
		call{nr: unix.SYS_SENDTO, deed: Network, unless: nowhere(4), asks: true},
	)
}

// observed are the calls of which a preview tells: programs that are executed, and
// connections, which its network namespace refuses.
func observed() []call {
	return append(
		connects(),
		call{nr: unix.SYS_EXECVE, deed: Execute, asks: true},
		call{nr: unix.SYS_EXECVEAT, deed: Execute, asks: true},
	)
}

// connects are the calls that name whom they connect or send to.
func connects() []call {
	return []call{
		{nr: unix.SYS_CONNECT, deed: Connect, asks: true},
		// Only with an address: everything else goes where it is connected to.
		{nr: unix.SYS_SENDTO, deed: Connect, unless: nowhere(4), asks: true},
	}
}

// calls are all that a box refuses or asks about. Of two about the same number the first
// counts.
func (b *Box) calls(watched bool) []call {
	g := &b.Grant
	out := append(always(), call{nr: unix.SYS_IOCTL, deed: Type})
	if !namespaced(g) {
		out = append(out, metadata()...)
	}
	if b.Observer != nil {
		out = append(out, needed()...)
	}
	if watched {
		out = append(out, changes()...)
		if g.Net == grant.Hosts || g.Net == grant.Loopback && len(g.Ports) > 0 {
			out = append(out, connects()...)
		}
		if b.Started != nil {
			out = append(out, observed()...)
		}
	}
	return out
}

// A filter is a program of seccomp in the making.
type filter []unix.SockFilter

// Where things stand in what a filter reads. Source: seccomp(2), struct seccomp_data.
const (
	offNr, offArch, offArgs = 0, 4, 16
)

func (f *filter) load(off uint32) {
	*f = append(*f, unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: off})
}

func (f *filter) and(mask uint32) {
	*f = append(*f, unix.SockFilter{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: mask})
}

func (f *filter) ret(action uint32) {
	*f = append(*f, unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action})
}

// when runs then if the comparison holds, and goes on behind it if not. then has to end
// in a return.
func (f *filter) when(cmp uint16, k uint32, then func(*filter)) {
	at := len(*f)
	*f = append(*f, unix.SockFilter{Code: unix.BPF_JMP | cmp | unix.BPF_K, K: k})
	then(f)
	(*f)[at].Jf = uint8(len(*f) - at - 1)
}

// unless runs then if a call has all parts, and goes on behind it if one is missing or there
// are none.
func (f *filter) unless(parts []part, then func(*filter)) {
	if len(parts) == 0 {
		return
	}
	p := parts[0]
	rest := func(f *filter) {
		if len(parts) == 1 {
			then(f)
			return
		}
		f.unless(parts[1:], then)
	}
	f.load(offArgs + 8*uint32(p.arg))
	if p.mask != all {
		f.and(p.mask)
	}
	f.when(unix.BPF_JEQ, p.is, func(f *filter) {
		if !p.address {
			rest(f)
			return
		}
		f.load(offArgs + 8*uint32(p.arg) + 4)
		f.when(unix.BPF_JEQ, 0, rest)
	})
}

const (
	allow      = unix.SECCOMP_RET_ALLOW
	missing    = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	refused    = unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)
	denied     = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	noTerminal = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOTTY)
)

// program makes the filter of a box.
func (b *Box) program(watched bool) filter {
	no := denied
	if watched {
		no = unix.SECCOMP_RET_USER_NOTIF
	}
	f := make(filter, 0, 512)
	f.load(offArch)
	// Other ABIs of this machine number their calls otherwise, and are not let in.
	f = append(f, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: arch, Jt: 1})
	f.ret(unix.SECCOMP_RET_KILL_PROCESS)
	f.body(b, watched, no)
	return f
}

func (f *filter) body(b *Box, watched bool, no uint32) {
	g := &b.Grant
	calls := b.calls(watched)
	about := make([]rule, 0, len(calls)+8)
	put := func(nr int, then func(*filter)) { about = append(about, rule{nr: uint32(nr), then: then}) }
	// They say in memory what they do, where no filter sees it; libraries go on without them.
	absent := func(f *filter) { f.ret(missing) }
	for _, nr := range []int{unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER, unix.SYS_CLONE3} {
		put(nr, absent)
	}
	put(unix.SYS_SOCKET, func(f *filter) { f.socket(g, watched) })
	if !g.Sockets {
		put(unix.SYS_SOCKETPAIR, func(f *filter) { f.kinds(watched, unix.SOCK_STREAM, unix.SOCK_SEQPACKET) })
	}
	put(unix.SYS_IOCTL, func(f *filter) { f.ioctls(no, namespaced(g)) })
	put(unix.SYS_FCNTL, func(f *filter) {
		// A lease, which can be had of what is only read, keeps all who open the file
		// waiting: fcntl(2), F_SETLEASE.
		f.load(offArgs + 8)
		f.when(unix.BPF_JEQ, unix.F_SETLEASE, func(f *filter) { f.ret(refused) })
		f.ret(allow)
	})
	for i := range calls {
		about = append(about, rule{nr: uint32(calls[i].nr), unless: calls[i].unless})
	}
	// Of two about the same number the first counts.
	slices.SortStableFunc(about, func(a, b rule) int { return cmp.Compare(a.nr, b.nr) })
	about = slices.CompactFunc(about, func(a, b rule) bool { return a.nr == b.nr })
	f.load(offNr)
	f.when(unix.BPF_JGT, newest, func(f *filter) { f.ret(missing) })
	f.search(about, no)
}

// A rule is what a filter does about a number: then, or else no but for what a call is not
// refused for.
type rule struct {
	nr     uint32
	then   func(*filter)
	unless []part
}

// search finds a number among sorted rules by halves: the kernel goes through the filter for
// every number there is when it is installed, and for every call that it may refuse.
func (f *filter) search(about []rule, no uint32) {
	const few = 3
	if len(about) <= few {
		for i := range about {
			f.when(unix.BPF_JEQ, about[i].nr, func(f *filter) {
				if about[i].then != nil {
					about[i].then(f)
					return
				}
				f.unless(about[i].unless, func(f *filter) { f.ret(allow) })
				f.ret(no)
			})
		}
		f.ret(allow)
		return
	}
	middle := len(about) / 2
	at := len(*f)
	*f = append(*f, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, K: about[middle].nr})
	f.search(about[:middle], no)
	if over := len(*f) - at - 1; over <= 255 {
		(*f)[at].Jt = uint8(over)
	} else { // too far for a comparison
		*f = slices.Insert(*f, at+1, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: uint32(over)})
		(*f)[at].Jf = 1
	}
	f.search(about[middle:], no)
}

// kinds lets sockets be made of some types.
func (f *filter) kinds(watched bool, let ...uint32) {
	const kind = 0xf // SOCK_TYPE_MASK, without SOCK_CLOEXEC and SOCK_NONBLOCK
	f.load(offArgs + 8)
	f.and(kind)
	for _, k := range let {
		f.when(unix.BPF_JEQ, k, func(f *filter) { f.ret(allow) })
	}
	f.ret(noSocket(watched))
}

func noSocket(watched bool) uint32 {
	if watched {
		return unix.SECCOMP_RET_USER_NOTIF
	}
	return refused
}

// socket lets sockets be made of the families that are granted. A pair of Unix sockets
// is a pipe; one of datagrams could send to any path.
func (f *filter) socket(g *grant.Grant, watched bool) {
	no := noSocket(watched)
	f.load(offArgs)
	if g.Net != grant.NoNet {
		for _, family := range []uint32{unix.AF_INET, unix.AF_INET6} {
			f.when(unix.BPF_JEQ, family, func(f *filter) { f.kinds(watched, unix.SOCK_STREAM, unix.SOCK_DGRAM) })
		}
	}
	if g.Sockets {
		f.when(unix.BPF_JEQ, unix.AF_UNIX, func(f *filter) { f.ret(allow) })
	}
	f.when(unix.BPF_JEQ, unix.AF_NETLINK, func(f *filter) {
		// What interfaces and sockets there are; to change them is for who may
		// administer, which is taken away.
		f.load(offArgs + 16)
		for _, protocol := range []uint32{unix.NETLINK_ROUTE, unix.NETLINK_SOCK_DIAG} {
			f.when(unix.BPF_JEQ, protocol, func(f *filter) { f.ret(allow) })
		}
		f.ret(no)
	})
	f.ret(no)
}

// install adds the step that puts the filter on a thread, for ever. It returns where it is
// asked what is to be done.
func (f filter) install(s *stage) *step {
	prog := &unix.SockFprog{Len: uint16(len(f)), Filter: &f[0]}
	return s.add(say{op: "applying the filter of system calls"}, unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER|unix.SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, hold(s, prog))
}
