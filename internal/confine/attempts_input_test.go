//go:build linux && (amd64 || arm64)

package confine_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/sys/unix"
)

// given are attempts on what a command is given: its standard input, which is a file that
// it may not change, or a terminal where the name of the attempt begins so.
func given() map[string]escape {
	now := []unix.Timespec{{Sec: 1}, {Sec: 1}}
	uid, gid := os.Getuid(), os.Getgid()
	request := func(fd int, what uintptr, about unsafe.Pointer) error {
		return call(unix.SYS_IOCTL, uintptr(fd), what, uintptr(about))
	}
	x := byte('x')
	return map[string]escape{
		"mode of its input":               func(*facts) error { return unix.Fchmod(0, 0o777) },
		"mode of its input, by its name":  func(*facts) error { return unix.Chmod("/dev/stdin", 0o777) },
		"owner of its input":              func(*facts) error { return unix.Fchown(0, uid, gid) },
		"times of its input":              func(*facts) error { return call(unix.SYS_UTIMENSAT, 0, 0, 0, 0) },
		"times of its input, by its name": func(*facts) error { return unix.UtimesNanoAt(unix.AT_FDCWD, "/proc/self/fd/0", now, 0) },
		"attribute of its input":          func(*facts) error { return unix.Fsetxattr(0, "user.x", []byte("x"), 0) },
		"attribute of its input, removed": func(*facts) error { return unix.Fremovexattr(0, "user.set") },
		"flags of its input":              func(*facts) error { return unix.IoctlSetPointerInt(0, unix.FS_IOC_SETFLAGS, 0x80) },
		"its input, open again":           func(f *facts) error { return written(unix.AT_FDCWD, "/proc/self/fd/0", unix.O_WRONLY, f.file()) },
		"its input, truncated":            func(*facts) error { return unix.Truncate("/proc/self/fd/0", 1) },
		"mode of a copy of its input":     func(*facts) error { return errors.Join(unix.Dup3(0, 20, 0), unix.Fchmod(20, 0o777)) },
		"mode of its input, by another":   func(*facts) error { return exec.Command("sh", "-c", "chmod 777 /proc/$PPID/fd/0").Run() },
		"terminal: typing":                func(*facts) error { return request(0, unix.TIOCSTI, unsafe.Pointer(&x)) },
		"terminal: mode":                  func(*facts) error { return unix.Fchmod(0, 0o600) },
		"device: mode":                    func(*facts) error { return unix.Fchmod(0, 0o666) },
		"device: times":                   func(*facts) error { return call(unix.SYS_UTIMENSAT, 0, 0, 0, 0) },
		"terminal: for itself":            func(*facts) error { return request(0, unix.TIOCEXCL, nil) },
		"terminal: discipline":            func(*facts) error { return unix.IoctlSetPointerInt(0, unix.TIOCSETD, 0) },
		"terminal: typing by its other name": func(*facts) error {
			fd, err := unix.Open("/dev/tty", unix.O_RDWR, 0)
			if err != nil {
				return err
			}
			return request(fd, unix.TIOCSTI, unsafe.Pointer(&x))
		},
	}
}

// asked reports an error with which the kernel refuses what it was asked by somebody who may
// ask: it went further than it does for who may not.
func asked(err error, further ...error) error {
	for _, e := range further {
		if errors.Is(err, e) {
			return nil
		}
	}
	return err
}

// administer are attempts on the machine, its devices and its mounts.
func administer() map[string]escape {
	writes := func(p string) escape {
		return func(*facts) error {
			if _, err := os.Stat(p); err != nil {
				return unfit(err.Error())
			}
			return opened(p, unix.O_WRONLY)
		}
	}
	reads := func(p string) escape {
		return func(*facts) error {
			if _, err := os.Stat(p); err != nil {
				return unfit(err.Error())
			}
			return opened(p, unix.O_RDONLY)
		}
	}
	apart := func(flag int) escape {
		return func(*facts) error { runtime.LockOSThread(); return unix.Unshare(flag) }
	}
	speaks := func(protocol int) escape {
		return func(*facts) error {
			fd, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, protocol)
			if errors.Is(err, unix.EPROTONOSUPPORT) {
				return unfit(err.Error())
			}
			if err != nil {
				return err
			}
			return unix.Close(fd)
		}
	}
	family := func(family, kind int) escape {
		return func(*facts) error {
			fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC, 0)
			if errors.Is(err, unix.EAFNOSUPPORT) {
				return unfit(err.Error())
			}
			if err != nil {
				return err
			}
			return unix.Close(fd)
		}
	}
	return map[string]escape{
		"name of the machine, by /proc": writes("/proc/sys/kernel/hostname"),
		"forwarding":                    writes("/proc/sys/net/ipv4/ip_forward"),
		"huge pages":                    writes("/sys/kernel/mm/transparent_hugepage/enabled"),
		"length of a queue, by /sys":    writes("/sys/class/net/lo/tx_queue_len"),
		"scheduler of a disk":           writes("/sys/block/vda/queue/nr_requests"),
		"a control group of its own": func(*facts) error {
			for _, dir := range []string{"/sys/fs/cgroup/unified", "/sys/fs/cgroup/pids", "/sys/fs/cgroup"} {
				p := dir + "/heed-escape-" + strconv.Itoa(os.Getpid())
				if err := unix.Mkdir(p, 0o755); err == nil {
					return unix.Rmdir(p)
				} else if !errors.Is(err, unix.ENOENT) {
					return err
				}
			}
			return unfit("there are none")
		},
		"loop devices":             reads("/dev/loop-control"),
		"a loop device":            reads("/dev/loop0"),
		"a file system of its own": reads("/dev/fuse"),
		"packets":                  reads("/dev/net/tun"),
		"faults by a device":       reads("/dev/userfaultfd"),
		"screen of a console":      reads("/dev/vcs1"),
		"a console":                func(*facts) error { return opened("/dev/tty1", unix.O_RDONLY|unix.O_NOCTTY) },
		"registers of a processor": reads("/dev/cpu/0/cpuid"),
		"latency of processors":    writes("/dev/cpu_dma_latency"),
		"entropy, counted": func(*facts) error {
			fd, err := unix.Open("/dev/random", unix.O_RDWR, 0)
			if err != nil {
				return err
			}
			return unix.IoctlSetPointerInt(fd, 0x40045201 /* RNDADDTOENTCNT */, 0)
		},
		"mode of a device":  func(*facts) error { return unix.Chmod("/dev/null", 0o666) },
		"times of a device": func(*facts) error { return call(unix.SYS_UTIMENSAT, cwd, ptr("/dev/zero"), 0, 0) },
		"a character device of its own": func(*facts) error {
			return unix.Mknod(temp()+"/console", unix.S_IFCHR|0o600, int(unix.Mkdev(5, 1)))
		},
		"whiteout": func(f *facts) error {
			return unix.Renameat2(unix.AT_FDCWD, f.file(), unix.AT_FDCWD, f.Out+"/n", unix.RENAME_WHITEOUT)
		},
		"link by a descriptor": func(f *facts) error {
			fd, err := unix.Open(f.file(), unix.O_PATH, 0)
			if err != nil {
				return err
			}
			return unix.Linkat(fd, "", unix.AT_FDCWD, temp()+"/n", unix.AT_EMPTY_PATH)
		},
		"project of a file": func(f *facts) error {
			fd, err := unix.Open(f.file(), unix.O_RDONLY, 0)
			if err != nil {
				return err
			}
			var attr [28]byte
			if err := call(unix.SYS_IOCTL, uintptr(fd), 0x801c581f /* FS_IOC_FSGETXATTR */, uintptr(unsafe.Pointer(&attr))); err != nil {
				return err
			}
			return call(unix.SYS_IOCTL, uintptr(fd), 0x401c5820 /* FS_IOC_FSSETXATTR */, uintptr(unsafe.Pointer(&attr)))
		},
		"version of a file": func(f *facts) error {
			fd, err := unix.Open(f.file(), unix.O_RDONLY, 0)
			if err != nil {
				return err
			}
			return unix.IoctlSetPointerInt(fd, 0x40087602 /* FS_IOC_SETVERSION */, 7)
		},
		"a file system, picked": func(*facts) error { _, err := unix.Fspick(unix.AT_FDCWD, "/proc", 0); return err },
		"a file system, put together": func(*facts) error {
			fd, err := unix.Fsopen("tmpfs", 0)
			if err != nil {
				return err
			}
			if err := call(unix.SYS_FSCONFIG, uintptr(fd), 6 /* FSCONFIG_CMD_CREATE */, 0, 0, 0); err != nil {
				return err
			}
			m, err := unix.Fsmount(fd, 0, 0)
			if err != nil {
				return err
			}
			return unix.MoveMount(m, "", unix.AT_FDCWD, temp(), unix.MOVE_MOUNT_F_EMPTY_PATH)
		},
		"a tree, moved": func(f *facts) error {
			fd, err := unix.OpenTree(unix.AT_FDCWD, f.Out, unix.OPEN_TREE_CLONE)
			if err != nil {
				return err
			}
			return unix.MoveMount(fd, "", unix.AT_FDCWD, temp(), unix.MOVE_MOUNT_F_EMPTY_PATH)
		},
		"another root":          func(*facts) error { return asked(unix.PivotRoot(temp(), temp()), unix.EINVAL, unix.EBUSY) },
		"its own processes":     apart(unix.CLONE_NEWPID),
		"its own network":       apart(unix.CLONE_NEWNET),
		"its own groups":        apart(unix.CLONE_NEWCGROUP),
		"its own clocks":        apart(unix.CLONE_NEWTIME),
		"a module":              func(*facts) error { return asked(call(unix.SYS_FINIT_MODULE, ^uintptr(0), ptr(""), 0), unix.EBADF) },
		"swapping":              func(*facts) error { return asked(call(unix.SYS_SWAPON, ptr(temp()+"/none"), 0), unix.ENOENT) },
		"accounting":            func(*facts) error { return asked(call(unix.SYS_ACCT, ptr(temp()+"/none")), unix.ENOENT) },
		"restarting":            func(*facts) error { return asked(call(unix.SYS_REBOOT, 0, 0, 0, 0), unix.EINVAL) }, // with numbers that do nothing
		"domain of the machine": func(*facts) error { return unix.Setdomainname([]byte("(none)")) },
		"clock": func(*facts) error {
			var t unix.Timex
			if _, err := unix.Adjtimex(&t); err != nil {
				return err
			}
			t.Modes = 0x4000 // ADJ_TICK, as it is
			_, err := unix.Adjtimex(&t)
			return err
		},
		"an interface": func(*facts) error {
			fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
			if err != nil {
				return err
			}
			r, err := unix.NewIfreq("lo")
			if err != nil {
				return err
			}
			if err := unix.IoctlIfreq(fd, unix.SIOCGIFMTU, r); err != nil {
				return err
			}
			return unix.IoctlIfreq(fd, unix.SIOCSIFMTU, r)
		},
		"netlink of all":        speaks(unix.NETLINK_GENERIC),
		"netlink between users": speaks(unix.NETLINK_USERSOCK),
		"netlink of processes":  speaks(unix.NETLINK_CONNECTOR),
		"netlink of filters":    speaks(unix.NETLINK_NETFILTER),
		"netlink of tunnels":    speaks(unix.NETLINK_XFRM),
		"keys of tunnels":       family(unix.AF_KEY, unix.SOCK_RAW),
		"cluster":               family(unix.AF_TIPC, unix.SOCK_STREAM),
		"packets by a ring":     family(unix.AF_XDP, unix.SOCK_RAW),
		"bus of a car":          family(unix.AF_CAN, unix.SOCK_RAW),
		"short range":           family(unix.AF_BLUETOOTH, unix.SOCK_RAW),
		"points":                family(unix.AF_PPPOX, unix.SOCK_STREAM),
		"key, asked for": func(*facts) error {
			return asked(call(unix.SYS_REQUEST_KEY, ptr("user"), ptr("heed-none"), 0, 0), unix.ENOKEY)
		},
		"keyring, listed": func(*facts) error {
			_, err := unix.KeyctlInt(unix.KEYCTL_GET_KEYRING_ID, unix.KEY_SPEC_USER_KEYRING, 1, 0, 0)
			return err
		},
		"segments of a processor": func(*facts) error { return segments() },
		"ports of the machine":    func(*facts) error { return ports() },
		"another machine's calls": func(f *facts) error {
			program := older(f.file())
			if program == nil {
				return unfit("there is no older one")
			}
			if err := os.WriteFile(temp()+"/old", program, 0o755); err != nil { // it is executed
				return err
			}
			if err := exec.Command(temp() + "/old").Run(); err != nil {
				return err
			}
			if i, err := os.Stat(f.file()); err != nil || i.Mode().Perm() != 0o700 {
				return errors.New("it did nothing")
			}
			return nil
		},
		"capabilities by a program of root": func(*facts) error {
			if os.Getuid() != 0 {
				return unfit("it is not root")
			}
			out, err := exec.Command("/proc/self/exe", "attempt", "a file system, picked").CombinedOutput()
			if err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
			return nil
		},
		"capabilities by a file": func(f *facts) error {
			if f.Capable == "" || os.Getuid() == 0 {
				return unfit("there is none")
			}
			out, err := exec.Command(f.Capable, "attempt", "chroot").CombinedOutput()
			if err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
			return nil
		},
	}
}

// older is a program of this machine's 64 bits that changes the mode of a file to 0700 by a
// call of its 32 bits, nil where there are none. Its file is an ELF header, one program
// header, the code, the path; source: elf(5), and for the call 15, chmod, that machine's table.
func older(path string) []byte {
	if runtime.GOARCH != "amd64" {
		return nil
	}
	const base, headers = 0x400000, 64 + 56
	code := []byte{
		0xb8, 15, 0, 0, 0, // mov eax, chmod
		0xbb, 0, 0, 0, 0, // mov ebx, path
		0xb9, 0xc0, 0x01, 0, 0, // mov ecx, 0700
		0xcd, 0x80, // int 0x80
		0x89, 0xc7, // mov edi, eax
		0xb8, 60, 0, 0, 0, // mov eax, exit
		0x0f, 0x05, // syscall
	}
	binary.LittleEndian.PutUint32(code[6:], uint32(base+headers+len(code)))
	size := uint64(headers + len(code) + len(path) + 1)
	e := append([]byte{0x7f, 'E', 'L', 'F', 2, 1, 1}, make([]byte, 9)...)
	half := func(n ...uint16) {
		for _, n := range n {
			e = binary.LittleEndian.AppendUint16(e, n)
		}
	}
	word := func(n uint32) { e = binary.LittleEndian.AppendUint32(e, n) }
	long := func(n ...uint64) {
		for _, n := range n {
			e = binary.LittleEndian.AppendUint64(e, n)
		}
	}
	half(2, 62) // executable, x86-64
	word(1)
	long(base+headers, 64, 0)
	word(0)
	half(64, 56, 1, 0, 0, 0)
	word(1) // PT_LOAD
	word(5) // readable, executable
	long(0, base, base, size, size, 0x1000)
	return append(append(append(e, code...), path...), 0)
}
