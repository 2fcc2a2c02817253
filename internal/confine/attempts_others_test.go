//go:build linux && (amd64 || arm64)

package confine_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// stranger is an account that nothing runs as: what is done to all of its processes is done
// to nobody.
const stranger = 64321

// alone becomes an account, all processes of which may be changed by an attempt: root's are
// everything that the machine does.
func alone() (uid int, err error) {
	if os.Getuid() != 0 {
		return os.Getuid(), nil
	}
	return stranger, unix.Setresuid(stranger, stranger, stranger)
}

// changed makes an attempt to change a number of the victim's that can be asked for, and
// looks whether it did.
func changed[T comparable](ask func() (T, error), do func() error) error {
	before, err := ask()
	if err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	if after, err := ask(); err != nil || after == before {
		return errors.New("it is as it was")
	}
	return nil
}

// joined makes this process one of the victim's group.
func joined(f *facts) error { return unix.Setpgid(0, f.Pid) }

// arrived makes an attempt to send the victim SIGUSR2.
func arrived(f *facts, do func() error) error {
	signal.Ignore(unix.SIGUSR2)
	before := received(f)
	if err := do(); err != nil {
		return err
	}
	for range 100 {
		if received(f) > before {
			return nil
		}
		time.Sleep(2 * time.Millisecond)
	}
	return errors.New("it did not arrive")
}

// run runs a program, of which some machines have none.
func run(argv ...string) error {
	if _, err := exec.LookPath(argv[0]); err != nil {
		return unfit(err.Error())
	}
	if out, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// priorities are attempts on how much others get of the machine.
func priorities() map[string]escape {
	nice := func(f *facts) func() (int, error) {
		return func() (int, error) { return unix.Getpriority(unix.PRIO_PROCESS, f.Pid) }
	}
	// The system call counts from 40 downwards: 19 is the nicest.
	nicer := func(f *facts, which int, who func() int) error {
		n, err := nice(f)()
		if err != nil {
			return err
		}
		return changed(nice(f), func() error { return unix.Setpriority(which, who(), 20-n+1) })
	}
	const process, group, account, idle = 1, 2, 3, 3 << 13
	ioprio := func(f *facts) func() (uintptr, error) {
		return func() (uintptr, error) {
			n, _, errno := unix.Syscall(unix.SYS_IOPRIO_GET, process, uintptr(f.Pid), 0)
			if errno != 0 {
				return 0, errno
			}
			return n, nil
		}
	}
	// Best effort, a level lower than before.
	lower := func(f *facts, which, who int) error {
		n, err := ioprio(f)()
		if err != nil {
			return err
		}
		return changed(ioprio(f), func() error { return call(unix.SYS_IOPRIO_SET, uintptr(which), uintptr(who), 2<<13|(n+1)%8) })
	}
	pid := func(f *facts) string { return strconv.Itoa(f.Pid) }
	parent := func() int { return os.Getppid() }
	return map[string]escape{
		"priority of a group": func(f *facts) error { return nicer(f, unix.PRIO_PGRP, func() int { return f.Pid }) },
		"priority of the group that it joins": func(f *facts) error {
			if err := joined(f); err != nil {
				return err
			}
			return nicer(f, unix.PRIO_PGRP, func() int { return 0 })
		},
		"priority of its account": func(*facts) error {
			if _, err := alone(); err != nil {
				return err
			}
			return unix.Setpriority(unix.PRIO_USER, 0, 5)
		},
		"priority of an account": func(*facts) error {
			uid, err := alone()
			if err != nil {
				return err
			}
			return unix.Setpriority(unix.PRIO_USER, uid, 5)
		},
		"priority of who keeps it": func(*facts) error {
			n, err := unix.Getpriority(unix.PRIO_PROCESS, parent())
			if err != nil {
				return err
			}
			return unix.Setpriority(unix.PRIO_PROCESS, parent(), 20-n)
		},
		"renice": func(f *facts) error {
			return changed(nice(f), func() error { return run("renice", "--relative", "1", "-p", pid(f)) })
		},
		"renice a group": func(f *facts) error {
			return changed(nice(f), func() error { return run("renice", "--relative", "1", "-g", pid(f)) })
		},
		"I/O of a group":   func(f *facts) error { return lower(f, group, f.Pid) },
		"ionice a process": func(f *facts) error { return run("ionice", "-c", "2", "-n", "5", "-p", pid(f)) },
		"ionice a group":   func(f *facts) error { return run("ionice", "-c", "2", "-n", "5", "-P", pid(f)) },
		"I/O of the group that it joins": func(f *facts) error {
			if err := joined(f); err != nil {
				return err
			}
			return lower(f, group, 0)
		},
		"I/O of an account": func(*facts) error {
			uid, err := alone()
			if err != nil {
				return err
			}
			return call(unix.SYS_IOPRIO_SET, account, uintptr(uid), idle)
		},
		"parameters of another's scheduling": func(f *facts) error {
			var prio int32
			return call(unix.SYS_SCHED_SETPARAM, uintptr(f.Pid), uintptr(unsafe.Pointer(&prio)))
		},
		"attributes of another's scheduling": func(f *facts) error {
			attr, err := unix.SchedGetAttr(f.Pid, 0)
			if err != nil {
				return err
			}
			return unix.SchedSetAttr(f.Pid, attr, 0)
		},
		"taskset": func(f *facts) error { return run("taskset", "-p", "1", pid(f)) },
		"chrt":    func(f *facts) error { return run("chrt", "-b", "-p", "0", pid(f)) },
		"prlimit": func(f *facts) error { return run("prlimit", "--pid", pid(f), "--core=0:0") },
		"processors of who keeps it": func(*facts) error {
			var set unix.CPUSet
			if err := unix.SchedGetaffinity(parent(), &set); err != nil {
				return err
			}
			return unix.SchedSetaffinity(parent(), &set)
		},
		"limits of who keeps it": func(*facts) error {
			var lim unix.Rlimit
			return unix.Prlimit(parent(), unix.RLIMIT_NOFILE, nil, &lim)
		},
		"pages of another process, moved": func(f *facts) error {
			var page, status uintptr
			return call(unix.SYS_MOVE_PAGES, uintptr(f.Pid), 1, uintptr(unsafe.Pointer(&page)), 0, uintptr(unsafe.Pointer(&status)), 2)
		},
		"memory of another process, migrated": func(f *facts) error {
			from, to := uint64(1), uint64(1)
			return call(unix.SYS_MIGRATE_PAGES, uintptr(f.Pid), 64, uintptr(unsafe.Pointer(&from)), uintptr(unsafe.Pointer(&to)))
		},
		"advice about another's memory": func(f *facts) error {
			fd, err := unix.PidfdOpen(f.Pid, 0)
			if err != nil {
				return err
			}
			at, end, err := mapped(f)
			if err != nil {
				return err
			}
			v := [2]uintptr{at, end - at} // struct iovec, of the other's memory
			return call(unix.SYS_PROCESS_MADVISE, uintptr(fd), uintptr(unsafe.Pointer(&v)), 1, unix.MADV_COLD, 0)
		},
		"another's score for the killer": func(f *facts) error { return puts(f, "oom_score_adj", "500") },
		"another's slack of timers":      func(f *facts) error { return puts(f, "timerslack_ns", "50001") },
		"priority of another's session":  func(f *facts) error { return puts(f, "autogroup", "1") },
		"another's dumps":                func(f *facts) error { return puts(f, "coredump_filter", "0x33") },
		"another's pages, forgotten":     func(f *facts) error { return puts(f, "clear_refs", "1") },
		"another's name":                 func(f *facts) error { return opened(fmt.Sprintf("/proc/%d/comm", f.Pid), unix.O_WRONLY) },
	}
}

// puts writes into a file of the victim's in /proc.
func puts(f *facts, name, text string) error {
	fd, err := unix.Open(fmt.Sprintf("/proc/%d/%s", f.Pid, name), unix.O_WRONLY, 0)
	if errors.Is(err, unix.ENOENT) {
		return unfit(name + " is not there")
	}
	if err != nil {
		return err
	}
	_, err = unix.Write(fd, []byte(text))
	return err
}

// mapped is the first memory that the victim has.
func mapped(f *facts) (from, to uintptr, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", f.Pid))
	if err != nil {
		return 0, 0, err
	}
	_, err = fmt.Sscanf(string(text), "%x-%x", &from, &to)
	return from, to, err
}

// signalled are more ways to reach others by signals.
func signalled() map[string]escape {
	own := func(fd int, typ, pid int32) error {
		owner := struct{ typ, pid int32 }{typ, pid}
		return call(unix.SYS_FCNTL, uintptr(fd), unix.F_SETOWN_EX, uintptr(unsafe.Pointer(&owner)))
	}
	// rings makes a socket of a pair send SIGUSR2 to whom set names.
	rings := func(f *facts, set func(fd int) error) error {
		p, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		return arrived(f, func() error {
			if err := set(p[0]); err != nil {
				return err
			}
			if _, err := unix.FcntlInt(uintptr(p[0]), unix.F_SETSIG, int(unix.SIGUSR2)); err != nil {
				return err
			}
			if _, err := unix.FcntlInt(uintptr(p[0]), unix.F_SETFL, unix.O_ASYNC); err != nil {
				return err
			}
			_, err = unix.Write(p[1], []byte("x"))
			return err
		})
	}
	return map[string]escape{
		"kill the group that it joins": func(f *facts) error {
			return arrived(f, func() error { return errors.Join(joined(f), unix.Kill(0, unix.SIGUSR2)) })
		},
		"kill who keeps it": func(*facts) error { return unix.Kill(os.Getppid(), 0) },
		"kill by a program": func(f *facts) error { return run("sh", "-c", "kill -0 "+strconv.Itoa(f.Pid)) },
		"killall by name": func(f *facts) error {
			return run("sh", "-c", "for p in /proc/[0-9]*; do kill -0 ${p#/proc/} 2>/dev/null && [ ${p#/proc/} = "+strconv.Itoa(f.Pid)+" ] && exit 0; done; exit 1")
		},
		"rt_tgsigqueueinfo": func(f *facts) error {
			var info [128]byte
			*(*int32)(unsafe.Pointer(&info[0])) = int32(unix.SIGWINCH)
			*(*int32)(unsafe.Pointer(&info[8])) = -1 // SI_QUEUE
			return call(unix.SYS_RT_TGSIGQUEUEINFO, uintptr(f.Pid), uintptr(f.Pid), uintptr(unix.SIGWINCH), uintptr(unsafe.Pointer(&info)))
		},
		"pidfd_send_signal to a group": func(f *facts) error {
			fd, err := unix.PidfdOpen(f.Pid, 0)
			if err != nil {
				return err
			}
			return unix.PidfdSendSignal(fd, unix.SIGWINCH, nil, 4 /* PIDFD_SIGNAL_PROCESS_GROUP */)
		},
		"pidfd_send_signal by /proc": func(f *facts) error {
			fd, err := unix.Open("/proc/"+strconv.Itoa(f.Pid), unix.O_DIRECTORY, 0)
			if err != nil {
				return err
			}
			return unix.PidfdSendSignal(fd, unix.SIGWINCH, nil, 0)
		},
		"a signal by a socket's owner": func(f *facts) error {
			return rings(f, func(fd int) error { return unix.IoctlSetPointerInt(fd, 0x8901 /* FIOSETOWN */, f.Pid) })
		},
		"a signal by an owning group": func(f *facts) error {
			return rings(f, func(fd int) error { return own(fd, 2 /* F_OWNER_PGRP */, int32(f.Pid)) })
		},
		"a signal by an owning thread": func(f *facts) error {
			return rings(f, func(fd int) error { return own(fd, 0 /* F_OWNER_TID */, int32(f.Pid)) })
		},
		"a lease":          func(f *facts) error { return leased(f, unix.F_RDLCK) },
		"a lease to write": func(f *facts) error { return leased(f, unix.F_WRLCK) },
		"list of locks held": func(f *facts) error {
			var head, size uintptr
			return call(unix.SYS_GET_ROBUST_LIST, uintptr(f.Pid), uintptr(unsafe.Pointer(&head)), uintptr(unsafe.Pointer(&size)))
		},
	}
}

// leased takes a lease of a file that is only read.
func leased(f *facts, kind int) error {
	fd, err := unix.Open(f.Out+"/lease", unix.O_RDONLY, 0)
	if err != nil {
		return err
	}
	_, err = unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, kind)
	return err
}

// seen are attempts to see what is another process's own.
func seen() map[string]escape {
	link := func(name string) escape {
		return func(f *facts) error { _, err := os.Readlink(fmt.Sprintf("/proc/%d/%s", f.Pid, name)); return err }
	}
	text := func(name string) escape {
		return func(f *facts) error {
			fd, err := unix.Open(fmt.Sprintf("/proc/%d/%s", f.Pid, name), unix.O_RDONLY, 0)
			if errors.Is(err, unix.ENOENT) {
				return unfit(name + " is not there")
			}
			if err != nil {
				return err
			}
			_, err = unix.Read(fd, make([]byte, 64))
			return err
		}
	}
	return map[string]escape{
		"program of another process": link("exe"),
		"another's root, its name":   link("root"),
		"another's mounts":           link("ns/mnt"),
		"another's users":            link("ns/user"),
		"another's memory map":       text("maps"),
		"another's vector":           text("auxv"),
		"another's pages":            text("pagemap"),
		"another's memory, summed":   text("smaps_rollup"),
		"another's files, described": text("fdinfo/0"),
		"another's reading":          text("io"),
		"another's system call":      text("syscall"),
		"another's stack":            text("stack"),
		"another's personality":      text("personality"),
		"another's input":            func(f *facts) error { return opened(fmt.Sprintf("/proc/%d/fd/0", f.Pid), unix.O_RDONLY) },
		"variables of who keeps it": func(*facts) error {
			_, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", os.Getppid()))
			return err
		},
		"memory of who keeps it": func(*facts) error { return opened(fmt.Sprintf("/proc/%d/mem", os.Getppid()), unix.O_RDWR) },
		"setns by /proc": func(f *facts) error {
			fd, err := unix.Open(fmt.Sprintf("/proc/%d/ns/uts", f.Pid), unix.O_RDONLY, 0)
			if err != nil {
				return err
			}
			return unix.Setns(fd, 0)
		},
	}
}

// shared are attempts on what the victim shares with those that know its number.
func shared() map[string]escape {
	return map[string]escape{
		"another's memory, attached": func(f *facts) error { _, err := unix.SysvShmAttach(f.Shm, 0, 0); return err },
		"another's memory, looked at": func(f *facts) error {
			_, err := unix.SysvShmCtl(f.Shm, unix.IPC_STAT, &unix.SysvShmDesc{})
			return err
		},
		"another's semaphore": func(f *facts) error {
			op := struct{ num, op, flags int16 }{0, 1, 0}
			return call(unix.SYS_SEMOP, uintptr(f.Sem), uintptr(unsafe.Pointer(&op)), 1)
		},
		"another's semaphore, set": func(f *facts) error { return call(unix.SYS_SEMCTL, uintptr(f.Sem), 0, 16 /* SETVAL */, 0) },
		"a message to another": func(f *facts) error {
			m := struct {
				kind int
				text [8]byte
			}{kind: 1}
			return call(unix.SYS_MSGSND, uintptr(f.Msg), uintptr(unsafe.Pointer(&m)), 1, unix.O_NONBLOCK)
		},
		"another's queue": func(f *facts) error {
			var desc [256]byte
			return call(unix.SYS_MSGCTL, uintptr(f.Msg), unix.IPC_STAT, uintptr(unsafe.Pointer(&desc)))
		},
		"another's named queue": func(f *facts) error { return call(unix.SYS_MQ_OPEN, ptr(f.Queue), unix.O_WRONLY, 0, 0) },
		"another's shared file": func(f *facts) error {
			return opened("/dev/shm/"+strings.TrimPrefix(f.Queue, "/"), unix.O_RDWR)
		},
		"another's shared file, removed": func(f *facts) error {
			p := "/dev/shm/" + strings.TrimPrefix(f.Queue, "/")
			if err := unix.Rename(p, p); err != nil {
				return err
			}
			return unix.Link(p, p+"-"+strconv.Itoa(os.Getpid()))
		},
	}
}
