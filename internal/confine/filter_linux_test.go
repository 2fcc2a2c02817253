//go:build amd64 || arm64

package confine

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/heedsh/heed/internal/confine/grant"
	"golang.org/x/sys/unix"
)

// TestFilter compares what the filter says of every number, and of what its arguments may
// be, with the list that it is made of.
func TestFilter(t *testing.T) {
	boxes := map[string]Box{
		"nothing":  {Grant: grant.Grant{Net: grant.NoNet}},
		"write":    {Grant: grant.Grant{Net: grant.NoNet, Write: []string{"/w"}}},
		"hosts":    {Grant: grant.Grant{Net: grant.Hosts}},
		"any":      {Grant: grant.Grant{Net: grant.AnyNet, Sockets: true, Signals: true}},
		"observed": {Grant: grant.Grant{Net: grant.Loopback, Write: []string{"/w"}}, Observer: &Observer{}},
		"room":     {Grant: grant.Grant{Net: grant.Loopback, Write: []string{"/w"}}, Started: func(string) {}},
	}
	for name, b := range boxes {
		for _, watched := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/watched=%v", name, watched), func(t *testing.T) {
				f := b.program(watched)
				if len(f) > unix.BPF_MAXINSNS {
					t.Fatalf("%d instructions", len(f))
				}
				first := map[int]call{}
				for _, c := range b.calls(watched) {
					if _, twice := first[c.nr]; !twice {
						first[c.nr] = c
					}
				}
				no := denied
				if watched {
					no = unix.SECCOMP_RET_USER_NOTIF
				}
				for nr := range newest + 3 {
					for bits := range 65 {
						d := seccompData{nr: uint32(nr), arch: arch}
						for i := range d.args {
							d.args[i] = 1 << bits // none of 64
						}
						want := uint32(allow)
						c, listed := first[nr]
						switch {
						case nr == unix.SYS_SOCKET, nr == unix.SYS_SOCKETPAIR, nr == unix.SYS_IOCTL, nr == unix.SYS_FCNTL:
							continue // what they say besides is tried in a box
						case nr > newest, nr == unix.SYS_CLONE3, nr == unix.SYS_IO_URING_SETUP, nr == unix.SYS_IO_URING_ENTER, nr == unix.SYS_IO_URING_REGISTER:
							want = missing
						case listed && !c.has(&d.args):
							want = no
						}
						if got := f.decide(t, &d); got != want {
							t.Errorf("call %d with bit %d: %#x, want %#x", nr, bits, got, want)
						}
					}
				}
				if got := f.decide(t, &seccompData{arch: arch + 1}); got != unix.SECCOMP_RET_KILL_PROCESS {
					t.Errorf("another machine: %#x", got)
				}
			})
		}
	}
}

// TestArguments: what one argument means hangs on another.
func TestArguments(t *testing.T) {
	const self, other = 0, 4711
	safe := Box{Grant: grant.Grant{Net: grant.NoNet}}
	mounts := Box{Grant: grant.Grant{Net: grant.Hosts}}
	for _, test := range []struct {
		name string
		box  *Box
		nr   int
		args [6]uint64
		want uint32
	}{
		{"own priority", &safe, unix.SYS_SETPRIORITY, [6]uint64{unix.PRIO_PROCESS, self, 5}, allow},
		{"own priority, in an int", &safe, unix.SYS_SETPRIORITY, [6]uint64{1<<32 | unix.PRIO_PROCESS, 1<<32 | self, 5}, allow},
		{"another's", &safe, unix.SYS_SETPRIORITY, [6]uint64{unix.PRIO_PROCESS, other, 5}, denied},
		{"of its group", &safe, unix.SYS_SETPRIORITY, [6]uint64{unix.PRIO_PGRP, self, 5}, denied},
		{"of its account", &safe, unix.SYS_SETPRIORITY, [6]uint64{unix.PRIO_USER, self, 5}, denied},
		{"own I/O priority", &safe, unix.SYS_IOPRIO_SET, [6]uint64{ioprioProcess, self, 5}, allow},
		{"of nothing", &safe, unix.SYS_IOPRIO_SET, [6]uint64{0, self, 5}, denied},
		{"I/O of another", &safe, unix.SYS_IOPRIO_SET, [6]uint64{ioprioProcess, other, 5}, denied},
		{"I/O of its group", &safe, unix.SYS_IOPRIO_SET, [6]uint64{2, self, 5}, denied},
		{"I/O of its account", &safe, unix.SYS_IOPRIO_SET, [6]uint64{3, self, 5}, denied},
		{"own limits", &safe, unix.SYS_PRLIMIT64, [6]uint64{self}, allow},
		{"another's limits", &safe, unix.SYS_PRLIMIT64, [6]uint64{other}, denied},
		{"other clocks", &safe, unix.SYS_UNSHARE, [6]uint64{unix.CLONE_NEWTIME}, denied},
		{"a signal's number", &safe, unix.SYS_CLONE, [6]uint64{unix.CLONE_NEWTIME | 0x11}, allow},
		{"sent to nobody by name", &mounts, unix.SYS_SENDTO, [6]uint64{3}, allow},
		{"sent to an address", &mounts, unix.SYS_SENDTO, [6]uint64{3, 0, 0, 0, 0x7f00_0000_1000}, denied},
		{"sent to a round address", &mounts, unix.SYS_SENDTO, [6]uint64{3, 0, 0, 0, 1 << 32}, denied},
		{"a lock", &safe, unix.SYS_FCNTL, [6]uint64{3, unix.F_SETLK}, allow},
		{"a lease", &safe, unix.SYS_FCNTL, [6]uint64{3, unix.F_SETLEASE}, refused},
		{"size of the terminal", &safe, unix.SYS_IOCTL, [6]uint64{0, unix.TIOCGWINSZ}, allow},
		{"size of the terminal", &mounts, unix.SYS_IOCTL, [6]uint64{0, unix.TIOCGWINSZ}, allow},
		{"typing", &safe, unix.SYS_IOCTL, [6]uint64{0, unix.TIOCSTI}, denied},
		{"typing", &mounts, unix.SYS_IOCTL, [6]uint64{0, unix.TIOCSTI}, denied},
		{"the terminal for itself", &safe, unix.SYS_IOCTL, [6]uint64{0, unix.TIOCEXCL}, denied},
		{"the terminal for itself", &mounts, unix.SYS_IOCTL, [6]uint64{0, unix.TIOCEXCL}, denied},
		{"what a key types (KDSKBENT)", &safe, unix.SYS_IOCTL, [6]uint64{0, 0x4b47}, noTerminal},
		{"what a key types (KDSKBENT)", &mounts, unix.SYS_IOCTL, [6]uint64{0, 0x4b47}, noTerminal},
		{"which screen is shown (VT_ACTIVATE)", &mounts, unix.SYS_IOCTL, [6]uint64{0, 0x5606}, noTerminal},
		{"a file system's", &safe, unix.SYS_IOCTL, [6]uint64{0, 0x40086602}, noTerminal},
		{"a file system's", &mounts, unix.SYS_IOCTL, [6]uint64{0, 0x40086602}, allow},
	} {
		f := test.box.program(test.nr == unix.SYS_SENDTO)
		want := test.want
		if test.nr == unix.SYS_SENDTO && want == denied {
			want = unix.SECCOMP_RET_USER_NOTIF
		}
		if got := f.decide(t, &seccompData{nr: uint32(test.nr), arch: arch, args: test.args}); got != want {
			t.Errorf("%s: %#x, want %#x", test.name, got, want)
		}
	}
}

// TestOwn: a process that names itself by its number is the same as one that names none.
func TestOwn(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	pid, tid := uint64(unix.Getpid()), uint32(unix.Gettid())
	for _, test := range []struct {
		name string
		nr   int
		args [6]uint64
		want bool
	}{
		{"process", unix.SYS_SETPRIORITY, [6]uint64{unix.PRIO_PROCESS, pid}, true},
		{"thread", unix.SYS_SETPRIORITY, [6]uint64{unix.PRIO_PROCESS, uint64(tid)}, true},
		{"group of that number", unix.SYS_SETPRIORITY, [6]uint64{unix.PRIO_PGRP, pid}, false},
		{"account of that number", unix.SYS_IOPRIO_SET, [6]uint64{3, pid}, false},
		{"parent", unix.SYS_PRLIMIT64, [6]uint64{uint64(unix.Getppid())}, false},
		{"limits", unix.SYS_PRLIMIT64, [6]uint64{pid}, true},
		{"processors of a thread", unix.SYS_SCHED_SETAFFINITY, [6]uint64{uint64(tid)}, true},
		{"a call without a process", unix.SYS_PTRACE, [6]uint64{pid, pid}, false},
	} {
		for _, c := range always() {
			if c.nr == test.nr && c.own(&notice{pid: tid, args: test.args}) != test.want {
				t.Errorf("%s: want %v", test.name, test.want)
			}
		}
	}
}

// seccompData is what a filter reads, seccomp(2).
type seccompData struct {
	nr, arch uint32
	args     [6]uint64
}

// load is what stands at an offset.
func (d *seccompData) load(off uint32) uint32 {
	switch {
	case off == offNr:
		return d.nr
	case off == offArch:
		return d.arch
	case off%8 == 0:
		return uint32(d.args[(off-offArgs)/8])
	}
	return uint32(d.args[(off-offArgs)/8] >> 32)
}

// decide goes through a filter as the kernel does.
func (f filter) decide(t *testing.T, d *seccompData) uint32 {
	t.Helper()
	var a uint32
	for at := 0; at < len(f); at++ {
		i := f[at]
		jump := func(holds bool) {
			if holds {
				at += int(i.Jt)
			} else {
				at += int(i.Jf)
			}
		}
		switch i.Code {
		case unix.BPF_LD | unix.BPF_W | unix.BPF_ABS:
			a = d.load(i.K)
		case unix.BPF_ALU | unix.BPF_AND | unix.BPF_K:
			a &= i.K
		case unix.BPF_JMP | unix.BPF_JA:
			at += int(i.K)
		case unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K:
			jump(a == i.K)
		case unix.BPF_JMP | unix.BPF_JGT | unix.BPF_K:
			jump(a > i.K)
		case unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K:
			jump(a >= i.K)
		case unix.BPF_RET | unix.BPF_K:
			return i.K
		default:
			t.Fatalf("instruction %d is unknown: %#v", at, i)
		}
	}
	t.Fatal("it does not end")
	return 0
}
