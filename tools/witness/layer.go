//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heedsh/heed/risk"
)

// longest is how long a command may run. What it has changed by then counts.
const longest = 3 * time.Second

// A layer is where commands run: everything of this machine's root file system
// can be read below root, and what is written lands in upper.
type layer struct {
	dir, upper, work, root, dev string
}

// newLayer takes this process out of the machine's mounts and makes room in
// memory. The thread that does so is kept, since namespaces belong to threads.
func newLayer() (*layer, error) {
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWNS | unix.CLONE_FS); err != nil {
		return nil, fmt.Errorf("leaving the machine's mounts (are you root?): %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return nil, fmt.Errorf("keeping mounts private: %w", err)
	}
	dir, err := os.MkdirTemp("", "witness-")
	if err != nil {
		return nil, err
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1g"); err != nil {
		return nil, fmt.Errorf("making room: %w", err)
	}
	l := &layer{dir: dir, upper: dir + "/upper", work: dir + "/work", root: dir + "/root", dev: dir + "/dev"}
	return l, l.devices()
}

// devices makes the few that harm nobody.
func (l *layer) devices() error {
	if err := os.Mkdir(l.dev, 0o755); err != nil {
		return err
	}
	for name, minor := range map[string]uint32{"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9} {
		file := filepath.Join(l.dev, name)
		if err := unix.Mknod(file, unix.S_IFCHR|0o666, int(unix.Mkdev(1, minor))); err != nil {
			return fmt.Errorf("making %s: %w", file, err)
		}
		if err := os.Chmod(file, 0o666); err != nil { // the mask took some of it
			return err
		}
	}
	for name, target := range map[string]string{"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"} {
		if err := os.Symlink("/proc/self/fd"+target, filepath.Join(l.dev, name)); err != nil {
			return err
		}
	}
	return nil
}

func (l *layer) close() {
	_ = unix.Unmount(l.dir, unix.MNT_DETACH)
	_ = os.Remove(l.dir)
}

// try runs a command in a fresh layer and returns what it changed, and whether
// it was stopped.
func (l *layer) try(req *risk.Request) (changes []change, stopped bool, err error) {
	for _, d := range []string{l.upper, l.work, l.root} {
		if err := os.RemoveAll(d); err != nil {
			return nil, false, err
		}
		if err := os.Mkdir(d, 0o755); err != nil {
			return nil, false, err
		}
	}
	if err := unix.Mount("overlay", l.root, "overlay", 0, "lowerdir=/,upperdir="+l.upper+",workdir="+l.work); err != nil {
		return nil, false, fmt.Errorf("mounting the layer: %w", err)
	}
	defer func() {
		err = errors.Join(err, unix.Unmount(l.root, unix.MNT_DETACH))
	}()
	if err := unix.Mount(l.dev, l.root+"/dev", "", unix.MS_BIND, ""); err != nil {
		return nil, false, fmt.Errorf("mounting devices: %w", err)
	}
	if stopped, err = l.command(req); err != nil {
		return nil, false, err
	}
	changes, err = l.changes()
	return changes, stopped, err
}

// insideArg is the first argument of this program where it is to become a
// command.
const insideArg = "-inside"

// notRun is how the program ends where it could not become the command.
const notRun = 217

// command runs a command in namespaces of its own. How it ends says nothing,
// but for whether it had to be stopped.
func (l *layer) command(req *risk.Request) (stopped bool, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	shell := req.Shell
	if shell == "" {
		shell = "bash"
	}
	c := exec.CommandContext(ctx, "/proc/self/exe", insideArg, l.root, req.Dir, shell, req.Command)
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWPID | unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS, Pdeathsig: unix.SIGKILL,
	}
	for k, v := range req.Env {
		c.Env = append(c.Env, k+"="+v)
	}
	c.WaitDelay = time.Second
	var said bytes.Buffer
	c.Stderr = &said
	err = c.Run()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() == notRun {
		return false, fmt.Errorf("could not run: %s", bytes.TrimSpace(said.Bytes()))
	}
	if err != nil && ended == nil && ctx.Err() == nil && !errors.Is(err, exec.ErrWaitDelay) {
		return false, fmt.Errorf("running: %w", err)
	}
	return ctx.Err() != nil, nil
}

// inside becomes the command, in namespaces that [layer.command] made: with
// the layer as its root and few of root's rights.
func inside(args []string) error {
	root, dir, shell, command := args[0], args[1], args[2], args[3]
	fail := func(err error) error {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(notRun)
		return err
	}
	if err := unix.Mount("proc", root+"/proc", "proc", unix.MS_NOSUID|unix.MS_NOEXEC|unix.MS_NODEV, ""); err != nil {
		return fail(fmt.Errorf("mounting /proc: %w", err))
	}
	if err := errors.Join(unix.Chroot(root), unix.Chdir(dir)); err != nil {
		return fail(fmt.Errorf("entering the layer: %w", err))
	}
	keep := []uintptr{unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID}
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		if !slices.Contains(keep, c) {
			if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil {
				return fail(fmt.Errorf("dropping a capability: %w", err))
			}
		}
	}
	for resource, limit := range map[int]uint64{unix.RLIMIT_FSIZE: 32 << 20, unix.RLIMIT_NPROC: 300, unix.RLIMIT_CORE: 0, unix.RLIMIT_AS: 4 << 30} {
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			return fail(fmt.Errorf("setting a limit: %w", err))
		}
	}
	program, err := exec.LookPath(shell)
	if err != nil {
		return fail(err)
	}
	return fail(unix.Exec(program, []string{shell, "-c", command}, os.Environ()))
}

// changes lists what is in the upper directory and not the same below it.
// Times of access and change alone are no change.
func (l *layer) changes() (all []change, err error) {
	err = filepath.WalkDir(l.upper, func(file string, d fs.DirEntry, err error) error {
		if err != nil || file == l.upper {
			return ignoreLong(err)
		}
		name := file[len(l.upper):]
		now, err := os.Lstat(file)
		if err != nil {
			return ignoreLong(err)
		}
		before, err := os.Lstat(name)
		switch {
		case isWhiteout(now):
			all = append(all, change{"deleted", name})
		case err != nil && now.IsDir():
			all = append(all, change{"made", name})
		case err != nil:
			all = append(all, change{"created", name})
		case !same(now, before):
			all = append(all, change{"attributes", name})
		case now.Mode().IsRegular():
			if a, b, err := contents(file, name); err != nil {
				return err
			} else if !bytes.Equal(a, b) {
				all = append(all, change{"written", name})
			}
		}
		return nil
	})
	return all, err
}

// ignoreLong leaves out trees that are too deep for a path.
func ignoreLong(err error) error {
	if errors.Is(err, unix.ENAMETOOLONG) {
		return fs.SkipDir
	}
	return err
}

// isWhiteout reports whether a file of the upper directory stands for one that
// was deleted (Documentation/filesystems/overlayfs.rst, "whiteouts").
func isWhiteout(info fs.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode()&fs.ModeCharDevice != 0 && st.Rdev == 0
}

func same(a, b fs.FileInfo) bool {
	s, ok := a.Sys().(*syscall.Stat_t)
	t, ok2 := b.Sys().(*syscall.Stat_t)
	return ok && ok2 && a.Mode() == b.Mode() && s.Uid == t.Uid && s.Gid == t.Gid
}

func contents(file, below string) (a, b []byte, err error) {
	if a, err = os.ReadFile(file); err == nil {
		b, err = os.ReadFile(below)
	}
	return a, b, err
}
