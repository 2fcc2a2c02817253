//go:build linux && (amd64 || arm64)

package confine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The facts of a machine on which an attempt is made. They travel in the variable
// ESCAPE.
type facts struct {
	Home, Out string // Out is a directory that is granted to nobody, with a file f
	Pid       int    // a process of the same account, in the directory Dir, which listens:
	Dir       string
	TCP, TCP6 int
	UDP, UDP6 int
	Stream    string // at sockets with these paths,
	Datagram  string
	Abstract  string // and with these abstract names
	AbstractD string
	Shm, Sem  int // memory, a semaphore and messages of System V, by number
	Msg       int
	Queue     string // a queue with this name, and a file in /dev/shm
	Suid      string // a program that belongs to root, with the bit
	Capable   string // a program with a capability
	Disk      string // a block device
}

func (f *facts) file() string   { return f.Out + "/f" }
func (f *facts) secret() string { return f.Home + "/.ssh/id_ed25519" }

// temp is where the attempt may write: its own.
func temp() string { return os.TempDir() }

// An escape makes one attempt. No error says that it did what it should not.
type escape func(f *facts) error

func unfit(why string) error { return fmt.Errorf("%w: %s", errUnfit, why) }

// call makes an escape of a system call whose success is one.
func call(nr uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if _, _, errno := unix.Syscall6(nr, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
		return errno
	}
	return nil
}

func ptr(p string) uintptr {
	b, err := unix.BytePtrFromString(p)
	if err != nil {
		panic(err)
	}
	pins = append(pins, b)
	return uintptr(unsafe.Pointer(b))
}

// pins keeps what only a system call knows of.
var pins []*byte

// written opens a file with these flags, writes, and looks whether it is there.
func written(dirfd int, name string, flags int, really string) error {
	fd, err := unix.Openat(dirfd, name, flags|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return err
	}
	defer unix.Close(fd) // nothing is lost by it
	if _, err := unix.Write(fd, []byte("escaped")); err != nil {
		return err
	}
	text, err := os.ReadFile(really)
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), "escaped") {
		return errors.New("it is not there")
	}
	return nil
}

func opened(name string, flags int) error {
	fd, err := unix.Open(name, flags|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}

// read reads a secret.
func read(name string) error {
	text, err := os.ReadFile(name)
	if err == nil && string(text) != "KEY" {
		return errors.New("it is empty")
	}
	return err
}

func readOld(name string) error {
	text, err := os.ReadFile(name)
	if err == nil && string(text) != "old" {
		return errors.New("it is empty")
	}
	return err
}

func attempts() map[string]escape {
	all := map[string]escape{}
	for _, group := range []map[string]escape{writing(), racing(), secrets(), metadata(), processes(), sockets(), kernel(), priorities(), signalled(), seen(), shared(), given(), administer()} {
		for name, e := range group {
			if all[name] != nil {
				panic(name + " is there twice")
			}
			all[name] = e
		}
	}
	return all
}

func writing() map[string]escape {
	return map[string]escape{
		"write":    func(f *facts) error { return written(unix.AT_FDCWD, f.file(), unix.O_WRONLY, f.file()) },
		"truncate": func(f *facts) error { return opened(f.file(), unix.O_WRONLY|unix.O_TRUNC) },
		"truncate while reading": func(f *facts) error {
			if err := opened(f.file(), unix.O_RDONLY|unix.O_TRUNC); err != nil {
				return err
			}
			return empty(f.file())
		},
		"append": func(f *facts) error { return written(unix.AT_FDCWD, f.file(), unix.O_WRONLY|unix.O_APPEND, f.file()) },
		"create": func(f *facts) error {
			return written(unix.AT_FDCWD, f.Out+"/n", unix.O_WRONLY|unix.O_CREAT, f.Out+"/n")
		},
		"create only": func(f *facts) error { return opened(f.Out+"/n", unix.O_RDONLY|unix.O_CREAT) },
		"openat2": func(f *facts) error {
			fd, err := unix.Openat2(unix.AT_FDCWD, f.file(), &unix.OpenHow{Flags: unix.O_RDWR})
			if err != nil {
				return err
			}
			_, err = unix.Write(fd, []byte("x"))
			return err
		},
		"openat a directory": func(f *facts) error {
			fd, err := unix.Open(f.Out, unix.O_PATH|unix.O_DIRECTORY, 0)
			if err != nil {
				return err
			}
			return written(fd, "f", unix.O_WRONLY, f.file())
		},
		"truncate(2)": func(f *facts) error { return unix.Truncate(f.file(), 0) },
		"unnamed file, then a name": func(f *facts) error {
			fd, err := unix.Open(f.Out, unix.O_TMPFILE|unix.O_WRONLY, 0o600)
			if err != nil {
				return err
			}
			return unix.Linkat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(fd), unix.AT_FDCWD, f.Out+"/n", unix.AT_SYMLINK_FOLLOW)
		},
		"unlink":         func(f *facts) error { return call(unix.SYS_UNLINKAT, cwd, ptr(f.file()), 0) },
		"rmdir":          func(f *facts) error { return unix.Rmdir(f.Out + "/d") },
		"unlink a link":  func(f *facts) error { return unix.Unlink(f.Out + "/link") },
		"mkdir":          func(f *facts) error { return unix.Mkdir(f.Out+"/n", 0o755) },
		"fifo":           func(f *facts) error { return unix.Mkfifo(f.Out+"/n", 0o644) },
		"mknod a file":   func(f *facts) error { return unix.Mknod(f.Out+"/n", unix.S_IFREG|0o644, 0) },
		"mknod a socket": func(f *facts) error { return unix.Mknod(f.Out+"/n", unix.S_IFSOCK|0o644, 0) },
		"symlink":        func(f *facts) error { return unix.Symlink("f", f.Out+"/n") },
		"hard link":      func(f *facts) error { return unix.Link(f.file(), f.Out+"/n") },
		"rename":         func(f *facts) error { return unix.Rename(f.file(), f.Out+"/n") },
		"rename over a file": func(f *facts) error {
			if err := os.WriteFile(temp()+"/new", []byte("escaped"), 0o644); err != nil {
				return err
			}
			return unix.Rename(temp()+"/new", f.file())
		},
		"rename away": func(f *facts) error { return unix.Rename(f.file(), temp()+"/taken") },
		"exchange": func(f *facts) error {
			if err := os.WriteFile(temp()+"/new", []byte("escaped"), 0o644); err != nil {
				return err
			}
			return unix.Renameat2(unix.AT_FDCWD, temp()+"/new", unix.AT_FDCWD, f.file(), unix.RENAME_EXCHANGE)
		},
		"through a link": func(f *facts) error {
			if err := os.Symlink(f.file(), temp()+"/l"); err != nil {
				return err
			}
			return written(unix.AT_FDCWD, temp()+"/l", unix.O_WRONLY, f.file())
		},
		"through a link to the directory": func(f *facts) error {
			if err := os.Symlink(f.Out, temp()+"/l"); err != nil {
				return err
			}
			return written(unix.AT_FDCWD, temp()+"/l/f", unix.O_WRONLY, f.file())
		},
		"through a hard link": func(f *facts) error {
			if err := os.Link(f.file(), temp()+"/l"); err != nil {
				return err
			}
			return written(unix.AT_FDCWD, temp()+"/l", unix.O_WRONLY, f.file())
		},
		"open again through /proc/self/fd": func(f *facts) error {
			fd, err := unix.Open(f.file(), unix.O_RDONLY, 0)
			if err != nil {
				return err
			}
			return written(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(fd), unix.O_WRONLY, f.file())
		},
		"open again through /dev/fd, from a path only": func(f *facts) error {
			fd, err := unix.Open(f.file(), unix.O_PATH, 0)
			if err != nil {
				return err
			}
			return written(unix.AT_FDCWD, "/dev/fd/"+strconv.Itoa(fd), unix.O_WRONLY, f.file())
		},
		"/proc/self/root": func(f *facts) error {
			return written(unix.AT_FDCWD, "/proc/self/root"+f.file(), unix.O_WRONLY, f.file())
		},
		"/proc/thread-self/root": func(f *facts) error {
			return written(unix.AT_FDCWD, "/proc/thread-self/root"+f.file(), unix.O_WRONLY, f.file())
		},
		"/proc/self/cwd": func(f *facts) error {
			if err := os.Chdir(f.Out); err != nil {
				return err
			}
			return written(unix.AT_FDCWD, "/proc/self/cwd/f", unix.O_WRONLY, f.file())
		},
		"up and down": func(f *facts) error {
			return written(unix.AT_FDCWD, temp()+strings.Repeat("/..", strings.Count(temp(), "/"))+f.file(), unix.O_WRONLY, f.file())
		},
		"an inherited file": func(f *facts) error {
			_, err := unix.Write(9, []byte("escaped"))
			return err
		},
		"an inherited directory": func(f *facts) error { return written(8, "n", unix.O_WRONLY|unix.O_CREAT, f.Out+"/n") },
		"another process's root": func(f *facts) error {
			return written(unix.AT_FDCWD, fmt.Sprintf("/proc/%d/root%s", f.Pid, f.file()), unix.O_WRONLY, f.file())
		},
		"another process's directory": func(f *facts) error {
			return written(unix.AT_FDCWD, fmt.Sprintf("/proc/%d/cwd/f", f.Pid), unix.O_WRONLY, f.Dir+"/f")
		},
		"another thread": func(f *facts) error {
			done := make(chan error)
			go func() {
				runtime.LockOSThread()
				done <- written(unix.AT_FDCWD, f.file(), unix.O_WRONLY, f.file())
			}()
			return <-done
		},
		"a child":  func(f *facts) error { return inChild(f, "/proc/self/exe", "attempt", "write") },
		"a shell":  func(f *facts) error { return inChild(f, "/bin/sh", "-c", "echo escaped >"+f.file()) },
		"a daemon": func(f *facts) error { return inChild(f, "/bin/sh", "-c", "setsid sh -c 'echo escaped >"+f.file()+"'") },
		"a program in memory": func(f *facts) error {
			text, err := os.ReadFile("/proc/self/exe")
			if err != nil {
				return err
			}
			fd, err := unix.MemfdCreate("m", 0)
			if err != nil {
				return err
			}
			if _, err := unix.Write(fd, text); err != nil {
				return err
			}
			return inChild(f, fmt.Sprintf("/proc/%d/fd/%d", os.Getpid(), fd), "attempt", "write")
		},
		"a program of its temp": func(f *facts) error {
			text, err := os.ReadFile("/proc/self/exe")
			if err != nil {
				return err
			}
			if err := os.WriteFile(temp()+"/exe", text, 0o755); err != nil { // it is executed
				return err
			}
			return inChild(f, temp()+"/exe", "attempt", "write")
		},
	}
}

var cwd = func() uintptr { n := unix.AT_FDCWD; return uintptr(n) }()

func empty(file string) error {
	i, err := os.Stat(file)
	if err == nil && i.Size() > 0 {
		return errors.New("it still holds something")
	}
	return err
}

func inChild(f *facts, argv ...string) error {
	c := exec.Command(argv[0], argv[1:]...)
	out, err := c.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	text, err := os.ReadFile(f.file())
	if err == nil && !strings.Contains(string(text), "escaped") {
		return errors.New("it is not there")
	}
	return err
}

// racing are attempts in which a path is another thing each time that it is looked at.
func racing() map[string]escape {
	// until tries again and again while another thread changes what stands there.
	until := func(flip func() error, try func() error) error {
		stop := make(chan struct{})
		defer close(stop)
		go func() {
			for {
				select {
				case <-stop:
					return
				default:
					flip() // the other state is as good
				}
			}
		}()
		err := errors.New("it never came through")
		for end := time.Now().Add(400 * time.Millisecond); time.Now().Before(end); {
			if err = try(); err == nil {
				return nil
			}
		}
		return err
	}
	read := func(f *facts) error {
		text, err := os.ReadFile(f.file())
		if err == nil && !strings.Contains(string(text), "escaped") {
			return errors.New("it is not there")
		}
		return err
	}
	return map[string]escape{
		"race of a link": func(f *facts) error {
			a, b, at := temp()+"/a", temp()+"/b", temp()+"/at"
			if err := os.WriteFile(temp()+"/own", nil, 0o644); err != nil {
				return err
			}
			if err := errors.Join(os.Symlink(temp()+"/own", at), os.Symlink(f.file(), a)); err != nil {
				return err
			}
			return until(func() error {
				return errors.Join(os.Rename(at, b), os.Rename(a, at), os.Rename(at, a), os.Rename(b, at))
			}, func() error {
				if fd, err := unix.Open(at, unix.O_WRONLY, 0); err == nil {
					unix.Write(fd, []byte("escaped")) // looked at below
					unix.Close(fd)                    // as well
				}
				return read(f)
			})
		},
		"race of directories": func(f *facts) error {
			d, l := temp()+"/d", temp()+"/l"
			if err := errors.Join(os.Mkdir(d, 0o755), os.WriteFile(d+"/f", nil, 0o644), os.Symlink(f.Out, l)); err != nil {
				return err
			}
			return until(func() error { return unix.Renameat2(unix.AT_FDCWD, d, unix.AT_FDCWD, l, unix.RENAME_EXCHANGE) }, func() error {
				if fd, err := unix.Open(d+"/f", unix.O_WRONLY, 0); err == nil {
					unix.Write(fd, []byte("escaped")) // looked at below
					unix.Close(fd)                    // as well
				}
				return read(f)
			})
		},
		"race of the text of a path": func(f *facts) error {
			own, at := temp()+"/own", make([]byte, 4096)
			if err := os.WriteFile(own, nil, 0o644); err != nil {
				return err
			}
			copy(at, own)
			return until(func() error {
				copy(at, own+"\x00")
				copy(at, f.file()+"\x00")
				return nil
			}, func() error {
				dir := unix.AT_FDCWD
				fd, _, errno := unix.Syscall6(unix.SYS_OPENAT, uintptr(dir), uintptr(unsafe.Pointer(&at[0])), unix.O_WRONLY, 0, 0, 0)
				if errno == 0 {
					unix.Write(int(fd), []byte("escaped")) // looked at below
					unix.Close(int(fd))                    // as well
				}
				return read(f)
			})
		},
		"race of the path of a deletion": func(f *facts) error {
			at := make([]byte, 4096)
			return until(func() error {
				copy(at, temp()+"/own\x00")
				copy(at, f.file()+"\x00")
				return nil
			}, func() error {
				os.WriteFile(temp()+"/own", nil, 0o644) // it is there already, or will be
				dir := unix.AT_FDCWD
				unix.Syscall(unix.SYS_UNLINKAT, uintptr(dir), uintptr(unsafe.Pointer(&at[0])), 0) // looked at below
				if _, err := os.Lstat(f.file()); errors.Is(err, os.ErrNotExist) {
					return nil
				}
				return errors.New("it is still there")
			})
		},
	}
}

func secrets() map[string]escape {
	return map[string]escape{
		"secret": func(f *facts) error { return read(f.secret()) },
		"secret through a link": func(f *facts) error {
			if err := os.Symlink(f.secret(), temp()+"/l"); err != nil {
				return err
			}
			return read(temp() + "/l")
		},
		"secret through a hard link": func(f *facts) error {
			if err := os.Link(f.secret(), temp()+"/l"); err != nil {
				return err
			}
			return read(temp() + "/l")
		},
		"secret through /proc/self/root": func(f *facts) error { return read("/proc/self/root" + f.secret()) },
		"secret through a path only": func(f *facts) error {
			fd, err := unix.Open(f.secret(), unix.O_PATH, 0)
			if err != nil {
				return err
			}
			return read("/proc/self/fd/" + strconv.Itoa(fd))
		},
		"secret that is moved": func(f *facts) error {
			if err := os.Rename(f.Home+"/.ssh", f.Home+"/open"); err != nil {
				return err
			}
			return read(f.Home + "/open/id_ed25519")
		},
		"secret by its directory": func(f *facts) error {
			fd, err := unix.Open(f.Home+"/.ssh", unix.O_PATH|unix.O_DIRECTORY, 0)
			if err != nil {
				return err
			}
			return read(fmt.Sprintf("/proc/self/fd/%d/id_ed25519", fd))
		},
		"secret by an inherited file": func(f *facts) error {
			buf := make([]byte, 3)
			if _, err := unix.Pread(7, buf, 0); err != nil {
				return err
			}
			return nil
		},
		"secret by cat":         func(f *facts) error { return exec.Command("cat", f.secret()).Run() },
		"secret of a workspace": func(f *facts) error { return readOld(f.Home + "/work/.env") },
		"secret of a workspace, moved": func(f *facts) error {
			if err := os.Rename(f.Home+"/work", f.Home+"/open"); err != nil {
				return err
			}
			return readOld(f.Home + "/open/.env")
		},
		"secret of a workspace, copied": func(f *facts) error {
			if err := exec.Command("cp", f.Home+"/work/.env", temp()+"/taken").Run(); err != nil {
				return err
			}
			return readOld(temp() + "/taken")
		},
		"secret variable of another process": func(f *facts) error {
			text, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", f.Pid))
			if err == nil && !strings.Contains(string(text), "ESCAPE") {
				return errors.New("it is empty")
			}
			return err
		},
		"secret variable": func(f *facts) error {
			if os.Getenv("GITHUB_TOKEN") == "" {
				return errors.New("there is none")
			}
			return nil
		},
		"address of the ssh agent": func(f *facts) error {
			if os.Getenv("SSH_AUTH_SOCK") == "" {
				return errors.New("there is none")
			}
			return nil
		},
	}
}

func metadata() map[string]escape {
	now := []unix.Timespec{{Sec: 1}, {Sec: 1}}
	fd := func(f *facts) int {
		n, err := unix.Open(f.file(), unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return -1
		}
		return n
	}
	uid, gid := os.Getuid(), os.Getgid()
	val := []byte("escaped")
	return map[string]escape{
		"chmod":                func(f *facts) error { return unix.Chmod(f.file(), 0o777) },
		"fchmod":               func(f *facts) error { return unix.Fchmod(fd(f), 0o777) },
		"fchmodat2":            func(f *facts) error { return call(unix.SYS_FCHMODAT2, cwd, ptr(f.file()), 0o777, 0) },
		"chmod of a directory": func(f *facts) error { return unix.Chmod(f.Out, 0o777) },
		"chmod of a secret":    func(f *facts) error { return unix.Chmod(f.secret(), 0o644) },
		"chmod through /proc":  func(f *facts) error { return unix.Chmod("/proc/self/fd/"+strconv.Itoa(fd(f)), 0o777) },
		"chown":                func(f *facts) error { return unix.Chown(f.file(), uid, gid) },
		"fchown":               func(f *facts) error { return unix.Fchown(fd(f), uid, gid) },
		"lchown of a link":     func(f *facts) error { return unix.Lchown(f.Out+"/link", uid, gid) },
		"fchownat": func(f *facts) error {
			return unix.Fchownat(unix.AT_FDCWD, f.file(), uid, gid, unix.AT_SYMLINK_NOFOLLOW)
		},
		"utimensat": func(f *facts) error { return unix.UtimesNanoAt(unix.AT_FDCWD, f.file(), now, 0) },
		"utimensat of a link": func(f *facts) error {
			return unix.UtimesNanoAt(unix.AT_FDCWD, f.Out+"/link", now, unix.AT_SYMLINK_NOFOLLOW)
		},
		"futimens":      func(f *facts) error { return call(unix.SYS_UTIMENSAT, uintptr(fd(f)), 0, 0, 0) },
		"setxattr":      func(f *facts) error { return unix.Setxattr(f.file(), "user.x", val, 0) },
		"fsetxattr":     func(f *facts) error { return unix.Fsetxattr(fd(f), "user.x", val, 0) },
		"lsetxattr":     func(f *facts) error { return unix.Lsetxattr(f.file(), "user.x", val, 0) },
		"removexattr":   func(f *facts) error { return unix.Removexattr(f.file(), "user.set") },
		"fremovexattr":  func(f *facts) error { return unix.Fremovexattr(fd(f), "user.set") },
		"lremovexattr":  func(f *facts) error { return unix.Lremovexattr(f.file(), "user.set") },
		"removexattrat": func(f *facts) error { return call(unix.SYS_REMOVEXATTRAT, cwd, ptr(f.file()), 0, ptr("user.set")) },
		"flags of a file": func(f *facts) error {
			return unix.IoctlSetPointerInt(fd(f), unix.FS_IOC_SETFLAGS, 0x80 /* FS_NOATIME_FL */)
		},
	}
}

func processes() map[string]escape {
	pidfd := func(f *facts) (int, error) { return unix.PidfdOpen(f.Pid, 0) }
	word := new([8]byte)
	stack := func(f *facts) (uintptr, error) { // an address that is mapped there
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", f.Pid))
		if err != nil {
			return 0, err
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "[stack]") {
				n, err := strconv.ParseUint(line[strings.Index(line, "-")+1:strings.Index(line, " ")], 16, 64)
				return uintptr(n - 64), err
			}
		}
		return 0, errors.New("it has no stack")
	}
	return map[string]escape{
		"kill":         func(f *facts) error { return unix.Kill(f.Pid, unix.SIGWINCH) },
		"kill to look": func(f *facts) error { return unix.Kill(f.Pid, 0) },
		"kill a group": func(f *facts) error { return unix.Kill(-f.Pid, unix.SIGWINCH) },
		"tgkill":       func(f *facts) error { return unix.Tgkill(f.Pid, f.Pid, unix.SIGWINCH) },
		"tkill":        func(f *facts) error { return call(unix.SYS_TKILL, uintptr(f.Pid), uintptr(unix.SIGWINCH)) },
		"pidfd_send_signal": func(f *facts) error {
			fd, err := pidfd(f)
			if err != nil {
				return err
			}
			return unix.PidfdSendSignal(fd, unix.SIGWINCH, nil, 0)
		},
		"rt_sigqueueinfo": func(f *facts) error {
			var info [128]byte
			*(*int32)(unsafe.Pointer(&info[0])) = int32(unix.SIGWINCH)
			*(*int32)(unsafe.Pointer(&info[8])) = -1 // SI_QUEUE
			return call(unix.SYS_RT_SIGQUEUEINFO, uintptr(f.Pid), uintptr(unix.SIGWINCH), uintptr(unsafe.Pointer(&info)))
		},
		"ptrace": func(f *facts) error {
			runtime.LockOSThread()
			if err := unix.PtraceSeize(f.Pid); err != nil {
				return err
			}
			return nil
		},
		"process_vm_readv": func(f *facts) error {
			at, err := stack(f)
			if err != nil {
				return err
			}
			local := unix.Iovec{Base: &word[0]}
			local.SetLen(8)
			_, err = unix.ProcessVMReadv(f.Pid, []unix.Iovec{local}, []unix.RemoteIovec{{Base: at, Len: 8}}, 0)
			return err
		},
		"process_vm_writev": func(f *facts) error {
			at, err := stack(f)
			if err != nil {
				return err
			}
			local := unix.Iovec{Base: &word[0]}
			local.SetLen(8)
			_, err = unix.ProcessVMWritev(f.Pid, []unix.Iovec{local}, []unix.RemoteIovec{{Base: at, Len: 8}}, 0)
			return err
		},
		"memory through /proc":       func(f *facts) error { return opened(fmt.Sprintf("/proc/%d/mem", f.Pid), unix.O_RDWR) },
		"memory through /proc, read": func(f *facts) error { return opened(fmt.Sprintf("/proc/%d/mem", f.Pid), unix.O_RDONLY) },
		"files of another process": func(f *facts) error {
			_, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/0", f.Pid))
			return err
		},
		"pidfd_getfd": func(f *facts) error {
			fd, err := pidfd(f)
			if err != nil {
				return err
			}
			_, err = unix.PidfdGetfd(fd, 0, 0)
			return err
		},
		"kcmp": func(f *facts) error { return call(unix.SYS_KCMP, uintptr(os.Getpid()), uintptr(f.Pid), 1, 0, 0) },
		"limits of another process": func(f *facts) error {
			var lim unix.Rlimit
			if err := unix.Prlimit(f.Pid, unix.RLIMIT_CORE, nil, &lim); err != nil {
				return err
			}
			return unix.Prlimit(f.Pid, unix.RLIMIT_CORE, &lim, nil)
		},
		"priority of another process": func(f *facts) error { return unix.Setpriority(unix.PRIO_PROCESS, f.Pid, 5) },
		"processors of another process": func(f *facts) error {
			var set unix.CPUSet
			if err := unix.SchedGetaffinity(f.Pid, &set); err != nil {
				return err
			}
			return unix.SchedSetaffinity(f.Pid, &set)
		},
		"scheduling of another process": func(f *facts) error {
			var prio int32
			return call(unix.SYS_SCHED_SETSCHEDULER, uintptr(f.Pid), 3 /* SCHED_BATCH */, uintptr(unsafe.Pointer(&prio)))
		},
		"I/O priority of another process": func(f *facts) error { return call(unix.SYS_IOPRIO_SET, 1, uintptr(f.Pid), 2<<13|7) },
		"a signal by a pipe's owner": func(f *facts) error {
			var p [2]int
			if err := unix.Pipe(p[:]); err != nil {
				return err
			}
			if _, err := unix.FcntlInt(uintptr(p[0]), unix.F_SETOWN, f.Pid); err != nil {
				return err
			}
			return arrived(f, func() error {
				if _, err := unix.FcntlInt(uintptr(p[0]), unix.F_SETSIG, int(unix.SIGUSR2)); err != nil {
					return err
				}
				if _, err := unix.FcntlInt(uintptr(p[0]), unix.F_SETFL, unix.O_ASYNC); err != nil {
					return err
				}
				_, err := unix.Write(p[1], []byte("x"))
				return err
			})
		},
	}
}

// received is how often the victim got SIGUSR2: it tells by the size of a file.
func received(f *facts) int64 {
	i, err := os.Stat(f.Dir + "/usr2")
	if err != nil {
		return 0
	}
	return i.Size()
}

func sockets() map[string]escape {
	dial := func(network, address string) error {
		c, err := net.DialTimeout(network, address, time.Second)
		if err != nil {
			return err
		}
		if _, err := c.Write([]byte("x")); err != nil {
			return err
		}
		return c.Close()
	}
	local := func(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }
	local6 := func(port int) string { return "[::1]:" + strconv.Itoa(port) }
	open := func(family, kind, protocol int) error {
		fd, err := unix.Socket(family, kind|unix.SOCK_CLOEXEC, protocol)
		if err != nil {
			return err
		}
		return unix.Close(fd)
	}
	return map[string]escape{
		"TCP":               func(f *facts) error { return dial("tcp4", local(f.TCP)) },
		"TCP of IPv6":       func(f *facts) error { return dial("tcp6", local6(f.TCP6)) },
		"UDP":               func(f *facts) error { return dial("udp4", local(f.UDP)) },
		"UDP of IPv6":       func(f *facts) error { return dial("udp6", local6(f.UDP6)) },
		"Unix socket":       func(f *facts) error { return dial("unix", f.Stream) },
		"Unix datagram":     func(f *facts) error { return dial("unixgram", f.Datagram) },
		"abstract socket":   func(f *facts) error { return dial("unix", f.Abstract) },
		"abstract datagram": func(f *facts) error { return dial("unixgram", f.AbstractD) },
		"Unix socket by a link": func(f *facts) error {
			if err := os.Symlink(f.Stream, temp()+"/s"); err != nil {
				return err
			}
			return dial("unix", temp()+"/s")
		},
		"Unix socket by /proc/self/root": func(f *facts) error { return dial("unix", "/proc/self/root"+f.Stream) },
		"datagram from one of a pair": func(f *facts) error {
			p, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
			if err != nil {
				return err
			}
			// Its own peer stands in the way of sendto, not of connect.
			return unix.Connect(p[0], &unix.SockaddrUnix{Name: f.Datagram})
		},
		"datagram sent from one of a pair": func(f *facts) error {
			p, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_DGRAM, 0)
			if err != nil {
				return err
			}
			return unix.Sendto(p[0], []byte("x"), 0, &unix.SockaddrUnix{Name: f.Datagram})
		},
		"TCP by fast open": func(f *facts) error {
			fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, 0)
			if err != nil {
				return err
			}
			return unix.Sendto(fd, []byte("x"), unix.MSG_FASTOPEN, &unix.SockaddrInet4{Port: f.TCP, Addr: [4]byte{127, 0, 0, 1}})
		},
		"multipath TCP": func(f *facts) error {
			fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP)
			if err != nil {
				return err
			}
			return unix.Connect(fd, &unix.SockaddrInet4{Port: f.TCP, Addr: [4]byte{127, 0, 0, 1}})
		},
		"listening": func(f *facts) error {
			l, err := net.Listen("tcp4", "127.0.0.1:0")
			if err != nil {
				return err
			}
			return l.Close()
		},
		"listening for datagrams": func(f *facts) error {
			l, err := net.ListenPacket("udp4", "127.0.0.1:0")
			if err != nil {
				return err
			}
			return l.Close()
		},
		"listening at a path": func(f *facts) error {
			l, err := net.Listen("unix", f.Out+"/listen")
			if err != nil {
				return err
			}
			return l.Close()
		},
		"raw packets":        func(*facts) error { return open(unix.AF_INET, unix.SOCK_RAW, unix.IPPROTO_ICMP) },
		"raw IPv6":           func(*facts) error { return open(unix.AF_INET6, unix.SOCK_RAW, unix.IPPROTO_ICMPV6) },
		"link layer":         func(*facts) error { return open(unix.AF_PACKET, unix.SOCK_RAW, 0x300) },
		"ping":               func(*facts) error { return open(unix.AF_INET, unix.SOCK_DGRAM, unix.IPPROTO_ICMP) },
		"virtual machine":    func(*facts) error { return open(unix.AF_VSOCK, unix.SOCK_STREAM, 0) },
		"kernel's ciphers":   func(*facts) error { return open(unix.AF_ALG, unix.SOCK_SEQPACKET, 0) },
		"netlink of devices": func(*facts) error { return open(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_KOBJECT_UEVENT) },
		"netlink of audit":   func(*facts) error { return open(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_AUDIT) },
	}
}

func kernel() map[string]escape {
	return map[string]escape{
		"io_uring": func(*facts) error {
			var params [120]byte
			return call(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)))
		},
		"user namespace": func(*facts) error {
			c := exec.Command("/bin/true")
			c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
			return c.Run()
		},
		"namespace of mounts, by another of users": func(*facts) error {
			c := exec.Command("/bin/true")
			c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS}
			return c.Run()
		},
		"namespaces by clone3": func(*facts) error {
			var args [11]uint64
			args[0], args[4] = unix.CLONE_NEWUSER, uint64(unix.SIGCHLD)
			pid, _, errno := unix.RawSyscall(unix.SYS_CLONE3, uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args), 0)
			if errno != 0 {
				return errno
			}
			if pid == 0 {
				unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
			}
			return nil
		},
		"unshare of System V": func(*facts) error { runtime.LockOSThread(); return unix.Unshare(unix.CLONE_NEWIPC) },
		"unshare of mounts":   func(*facts) error { runtime.LockOSThread(); return unix.Unshare(unix.CLONE_NEWNS) },
		"unshare of names":    func(*facts) error { runtime.LockOSThread(); return unix.Unshare(unix.CLONE_NEWUTS) },
		"setns": func(f *facts) error {
			runtime.LockOSThread()
			fd, err := unix.PidfdOpen(f.Pid, 0)
			if err != nil {
				return err
			}
			return unix.Setns(fd, unix.CLONE_NEWUTS)
		},
		"mount": func(*facts) error { return unix.Mount("tmpfs", temp(), "tmpfs", 0, "") },
		"bind mount over a file": func(f *facts) error {
			if err := os.WriteFile(temp()+"/n", nil, 0o644); err != nil {
				return err
			}
			return unix.Mount(temp()+"/n", f.file(), "", unix.MS_BIND, "")
		},
		"remount": func(*facts) error {
			return unix.Mount("", "/proc", "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
		},
		"mount_setattr": func(*facts) error {
			return unix.MountSetattr(-1, "/proc", 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})
		},
		"open_tree": func(f *facts) error {
			_, err := unix.OpenTree(unix.AT_FDCWD, f.Out, unix.OPEN_TREE_CLONE)
			return err
		},
		"fsopen": func(*facts) error { _, err := unix.Fsopen("tmpfs", 0); return err },
		"umount": func(*facts) error {
			err := unix.Unmount("/dev/shm", unix.MNT_DETACH|0x80000)
			if errors.Is(err, unix.EINVAL) { // who may unmount is told that there is no such flag
				return nil
			}
			return err
		},
		"chroot": func(*facts) error { return unix.Chroot("/") },
		"bpf": func(*facts) error {
			attr := [16]uint32{1 /* hash */, 4, 4, 1}
			return call(unix.SYS_BPF, 0, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr))
		},
		"perf_event_open": func(*facts) error {
			attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: unix.PERF_COUNT_SW_TASK_CLOCK, Size: uint32(unsafe.Sizeof(unix.PerfEventAttr{})), Bits: unix.PerfBitExcludeKernel | unix.PerfBitExcludeHv}
			_, err := unix.PerfEventOpen(&attr, 0, -1, -1, 0)
			return err
		},
		"userfaultfd": func(*facts) error { return call(unix.SYS_USERFAULTFD, 1 /* UFFD_USER_MODE_ONLY */) },
		"keys": func(*facts) error {
			_, err := unix.AddKey("user", "heed-escape", []byte("x"), unix.KEY_SPEC_PROCESS_KEYRING)
			return err
		},
		"keyring": func(*facts) error { _, err := unix.KeyctlJoinSessionKeyring("heed-escape"); return err },
		"file by a handle": func(f *facts) error {
			h, _, err := unix.NameToHandleAt(unix.AT_FDCWD, f.secret(), 0)
			if err != nil {
				return err
			}
			dir, err := unix.Open(f.Out, unix.O_RDONLY|unix.O_DIRECTORY, 0)
			if err != nil {
				return err
			}
			fd, err := unix.OpenByHandleAt(dir, h, unix.O_RDONLY)
			if err != nil {
				return err
			}
			return read("/proc/self/fd/" + strconv.Itoa(fd))
		},
		"typing into the terminal": func(*facts) error {
			runtime.LockOSThread()
			m, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY, 0)
			if err != nil {
				return err
			}
			if err := unix.IoctlSetPointerInt(m, unix.TIOCSPTLCK, 0); err != nil {
				return err
			}
			n, err := unix.IoctlGetInt(m, unix.TIOCGPTN)
			if err != nil {
				return err
			}
			s, err := unix.Open("/dev/pts/"+strconv.Itoa(n), unix.O_RDWR|unix.O_NOCTTY, 0)
			if err != nil {
				return err
			}
			c := byte('x')
			return call(unix.SYS_IOCTL, uintptr(s), unix.TIOCSTI, uintptr(unsafe.Pointer(&c)))
		},
		"name of the machine": func(*facts) error {
			name, err := os.Hostname()
			if err != nil {
				return err
			}
			return unix.Sethostname([]byte(name))
		},
		"core pattern":   func(*facts) error { return opened("/proc/sys/kernel/core_pattern", unix.O_WRONLY) },
		"module path":    func(*facts) error { return opened("/proc/sys/kernel/modprobe", unix.O_WRONLY) },
		"magic requests": func(*facts) error { return opened("/proc/sysrq-trigger", unix.O_WRONLY) },
		"memory limits":  func(*facts) error { return opened("/proc/sys/vm/overcommit_memory", unix.O_WRONLY) },
		"control groups": func(*facts) error {
			for _, file := range []string{"/sys/fs/cgroup/cgroup.procs", "/sys/fs/cgroup/tasks", "/sys/fs/cgroup/memory/tasks", "/sys/fs/cgroup/unified/cgroup.procs"} {
				if _, err := os.Stat(file); err == nil {
					return opened(file, unix.O_WRONLY)
				}
			}
			return unfit("there are none")
		},
		"own score for the killer": func(*facts) error {
			fd, err := unix.Open("/proc/self/oom_score_adj", unix.O_WRONLY, 0)
			if err != nil {
				return err
			}
			_, err = unix.Write(fd, []byte("100"))
			return err
		},
		"kernel's log":         func(*facts) error { return opened("/dev/kmsg", unix.O_WRONLY) },
		"kernel's log, read":   func(*facts) error { return call(unix.SYS_SYSLOG, 10 /* size */) },
		"memory of the kernel": func(*facts) error { return opened("/proc/kcore", unix.O_RDONLY) },
		"disk": func(f *facts) error {
			if f.Disk == "" {
				return unfit("there is none")
			}
			return opened(f.Disk, unix.O_RDONLY)
		},
		"a device of its own": func(f *facts) error { return unix.Mknod(temp()+"/dev", unix.S_IFBLK|0o600, int(unix.Mkdev(7, 200))) },
		"a program of root": func(f *facts) error {
			if f.Suid == "" || os.Getuid() == 0 {
				return unfit("there is none")
			}
			out, err := exec.Command(f.Suid, "attempt", "is root").CombinedOutput()
			if err != nil {
				return fmt.Errorf("%w: %s", err, out)
			}
			return nil
		},
		"is root": func(*facts) error {
			if os.Geteuid() != 0 {
				return errors.New("it is not")
			}
			return nil
		},
		"shared memory": func(*facts) error {
			id, err := unix.SysvShmGet(0, 4096, unix.IPC_CREAT|0o600)
			if err == nil {
				_, err = unix.SysvShmCtl(id, unix.IPC_RMID, nil)
			}
			return err
		},
		"messages":   func(*facts) error { return call(unix.SYS_MSGGET, 0x4711, unix.IPC_CREAT|0o600) },
		"semaphores": func(*facts) error { return call(unix.SYS_SEMGET, 0x4711, 1, unix.IPC_CREAT|0o600) },
		"message queue": func(*facts) error {
			if err := call(unix.SYS_MQ_OPEN, ptr("heed-escape"), unix.O_CREAT|unix.O_RDWR, 0o600, 0); err != nil {
				return err
			}
			return call(unix.SYS_MQ_UNLINK, ptr("heed-escape"))
		},
		"watching all files": func(*facts) error { return call(unix.SYS_FANOTIFY_INIT, 0x200 /* FAN_REPORT_FID */, 0) },
		"shared memory by a file": func(*facts) error {
			defer os.Remove("/dev/shm/heed-escape")
			return os.WriteFile("/dev/shm/heed-escape", nil, 0o600)
		},
		"another terminal": func(f *facts) error {
			m, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY, 0)
			if err != nil {
				return err
			}
			return unix.Close(m)
		},
	}
}

// shares makes what a victim shares.
func (f *facts) shares() (err error) {
	const private, mode = 0, unix.IPC_CREAT | 0o600
	if f.Shm, err = unix.SysvShmGet(private, 4096, mode); err != nil {
		return err
	}
	for id, nr := range map[*int]uintptr{&f.Sem: unix.SYS_SEMGET, &f.Msg: unix.SYS_MSGGET} {
		args := [3]uintptr{private, mode, 0}
		if nr == unix.SYS_SEMGET {
			args = [3]uintptr{private, 1, mode}
		}
		n, _, errno := unix.Syscall(nr, args[0], args[1], args[2])
		if errno != 0 {
			return errno
		}
		*id = int(n)
	}
	f.Queue = fmt.Sprintf("heed-escape-%d", f.Pid)
	if err := call(unix.SYS_MQ_OPEN, ptr(f.Queue), unix.O_CREAT|unix.O_RDWR, 0o600, 0); err != nil {
		return err
	}
	return os.WriteFile("/dev/shm/"+f.Queue, []byte("old"), 0o600)
}

// unshares removes it; what is not there any more is no matter.
func (f *facts) unshares() {
	const remove = 0 // IPC_RMID
	call(unix.SYS_SHMCTL, uintptr(f.Shm), remove, 0)
	call(unix.SYS_SEMCTL, uintptr(f.Sem), 0, remove)
	call(unix.SYS_MSGCTL, uintptr(f.Msg), remove, 0)
	call(unix.SYS_MQ_UNLINK, ptr(f.Queue))
	left, err := filepath.Glob("/dev/shm/" + f.Queue + "*")
	if err != nil {
		return
	}
	for _, p := range left {
		os.Remove(p)
	}
}

// victim is a process that attempts are made on: it listens, and counts a signal.
func victim(out string) int {
	var f facts
	fail := func(err error) int { fmt.Fprintln(os.Stderr, err); return 1 }
	if err := os.Chdir(out); err != nil {
		return fail(err)
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return fail(err)
	}
	u, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		return fail(err)
	}
	f.TCP, f.UDP = l.Addr().(*net.TCPAddr).Port, u.LocalAddr().(*net.UDPAddr).Port
	keep := []any{l, u}
	if l, err := net.Listen("tcp6", "[::1]:0"); err == nil {
		f.TCP6, keep = l.Addr().(*net.TCPAddr).Port, append(keep, l)
	}
	if u, err := net.ListenPacket("udp6", "[::1]:0"); err == nil {
		f.UDP6, keep = u.LocalAddr().(*net.UDPAddr).Port, append(keep, u)
	}
	f.Dir, f.Stream, f.Datagram, f.Pid = out, out+"/stream", out+"/datagram", os.Getpid()
	f.Abstract, f.AbstractD = fmt.Sprintf("@heed-%d", f.Pid), fmt.Sprintf("@heed-d-%d", f.Pid)
	for _, name := range []string{f.Stream, f.Abstract} {
		l, err := net.Listen("unix", name)
		if err != nil {
			return fail(err)
		}
		keep = append(keep, l)
	}
	for _, name := range []string{f.Datagram, f.AbstractD} {
		c, err := net.ListenPacket("unixgram", name)
		if err != nil {
			return fail(err)
		}
		go func() { // or its queue would be full in the end
			for buf := make([]byte, 64); ; {
				if _, _, err := c.ReadFrom(buf); err != nil {
					return
				}
			}
		}()
	}
	if err := f.shares(); err != nil {
		return fail(err)
	}
	counted(filepath.Join(out, "usr2"))
	if err := json.NewEncoder(os.Stdout).Encode(&f); err != nil {
		return fail(err)
	}
	buf := make([]byte, 1)
	os.Stdin.Read(buf) // it ends when the test closes it
	runtime.KeepAlive(keep)
	f.unshares()
	return 0
}
