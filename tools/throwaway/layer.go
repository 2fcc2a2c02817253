//go:build linux

package throwaway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
)

// A Layer is where commands run: everything of this machine's root file system
// can be read in it, and what is written is thrown away. It has no network but
// [Remote], no devices that harm and nobody else's processes.
type Layer struct {
	// Longest is how long a command may run. What it has changed by then counts.
	Longest time.Duration

	dir, upper, work, root, dev string
}

// A Trial is what came of a command.
type Trial struct {
	Changes []witness.Change
	// Stopped is whether the command took longer than it may.
	Stopped bool
	// Exit is the shell's exit status; it means nothing where Stopped is set.
	Exit int
	// Output is what it printed to both streams, and Received what reached
	// [Remote]; the first of it.
	Output, Received []byte
}

// Remote is the address of the only other host that a layer has (TEST-NET-2 of
// RFC 5737), RemoteName a name of it. It answers HTTP on [remotePorts] and
// remembers what it was sent.
const (
	Remote     = "198.51.100.7"
	RemoteName = "collect.example"
)

// most is how much is kept of what a command prints or sends.
const most = 1 << 20

// NewLayer takes the calling goroutine out of the machine's mounts and makes
// room in memory. It is locked to its thread, since namespaces belong to
// threads. It needs root and Linux.
func NewLayer() (*Layer, error) {
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_NEWNS | unix.CLONE_FS); err != nil {
		return nil, fmt.Errorf("leaving the machine's mounts (are you root?): %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return nil, fmt.Errorf("keeping mounts private: %w", err)
	}
	dir, err := os.MkdirTemp("", "layer-")
	if err != nil {
		return nil, fmt.Errorf("making room: %w", err)
	}
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1g"); err != nil {
		return nil, fmt.Errorf("making room: %w", err)
	}
	l := &Layer{Longest: 3 * time.Second, dir: dir, upper: dir + "/upper", work: dir + "/work", root: dir + "/root", dev: dir + "/dev"}
	return l, l.devices()
}

func (l *Layer) hosts() string { return l.dir + "/hosts" }

// devices makes the few that harm nobody.
func (l *Layer) devices() error {
	if err := os.Mkdir(l.dev, 0o755); err != nil {
		return err
	}
	return Devices(l.dev)
}

// Devices makes those that harm nobody in a directory.
func Devices(dir string) error {
	for name, minor := range map[string]uint32{"null": 3, "zero": 5, "full": 7, "random": 8, "urandom": 9} {
		file := filepath.Join(dir, name)
		if err := unix.Mknod(file, unix.S_IFCHR|0o666, int(unix.Mkdev(1, minor))); err != nil {
			return fmt.Errorf("making %s: %w", file, err)
		}
		if err := os.Chmod(file, 0o666); err != nil { // the mask took some of it
			return err
		}
	}
	for name, target := range map[string]string{"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"} {
		if err := os.Symlink("/proc/self/fd"+target, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// Close gives its room back.
func (l *Layer) Close() {
	_ = unix.Unmount(l.dir, unix.MNT_DETACH)
	_ = os.Remove(l.dir)
}

// Try runs the command of a request in a fresh layer.
func (l *Layer) Try(req *risk.Request) (t Trial, err error) { return l.TryAnd(req, nil) }

// TryAnd is Try, and looks at what is there afterwards below root, the layer's
// own root directory, before it is thrown away.
func (l *Layer) TryAnd(req *risk.Request, look func(root string, t *Trial) error) (t Trial, err error) {
	for _, d := range []string{l.upper, l.work, l.root} {
		if err := os.RemoveAll(d); err != nil {
			return t, fmt.Errorf("clearing the layer: %w", err)
		}
		if err := os.Mkdir(d, 0o755); err != nil {
			return t, fmt.Errorf("clearing the layer: %w", err)
		}
	}
	if err := os.WriteFile(l.hosts(), []byte("127.0.0.1 localhost\n"+Remote+" "+RemoteName+"\n"), 0o644); err != nil { // a command may have written it
		return t, fmt.Errorf("naming hosts: %w", err)
	}
	if err := unix.Mount("overlay", l.root, "overlay", unix.MS_NODEV|unix.MS_NOSUID, "lowerdir=/,upperdir="+l.upper+",workdir="+l.work); err != nil {
		return t, fmt.Errorf("mounting the layer: %w", err)
	}
	defer func() {
		err = errors.Join(err, unix.Unmount(l.root, unix.MNT_DETACH))
	}()
	if err := l.mounts(); err != nil {
		return t, err
	}
	if err = l.command(req, &t); err != nil {
		return t, err
	}
	if t.Changes, err = l.changes(); err == nil && look != nil {
		err = look(l.root, &t)
	}
	return t, err
}

// mounts puts devices of its own, hosts of its own and nobody's sockets into the
// layer; they go with it.
func (l *Layer) mounts() error {
	if err := readOnly(l.dev, l.root+"/dev"); err != nil {
		return fmt.Errorf("mounting /dev: %w", err)
	}
	if err := unix.Mount(l.hosts(), l.root+"/etc/hosts", "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mounting /etc/hosts: %w", err)
	}
	for _, name := range sockets() {
		err := unix.Mount(l.dev+"/null", l.root+name, "", unix.MS_BIND, "")
		if err != nil && !errors.Is(err, unix.ENOENT) { // of another file system, which is not in the layer
			return fmt.Errorf("hiding %s: %w", name, err)
		}
	}
	return nil
}

// command runs a command in namespaces of its own.
func (l *Layer) command(req *risk.Request, t *Trial) error {
	ctx, cancel := context.WithTimeout(context.Background(), l.Longest)
	defer cancel()
	shell := req.Shell
	if shell == "" {
		shell = "bash"
	}
	got, sent, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("running: %w", err)
	}
	defer got.Close()
	received := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(io.LimitReader(got, most))
		received <- b
		_, _ = io.Copy(io.Discard, got)
	}()
	c := exec.CommandContext(ctx, "/proc/self/exe", insideArg, l.root, req.Dir, shell, req.Command)
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWPID | unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS, Pdeathsig: unix.SIGKILL,
		Setsid: true, // a group of processes spans namespaces: `kill -9 0` would end us, too
	}
	for k, v := range req.Env {
		c.Env = append(c.Env, k+"="+v)
	}
	c.ExtraFiles = []*os.File{sent}
	c.WaitDelay = time.Second
	var out limited
	c.Stdout, c.Stderr = &out, &out
	err = c.Run()
	sent.Close()
	t.Stopped, t.Output, t.Received = ctx.Err() != nil, out.kept, <-received
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		t.Exit = ended.ExitCode()
	}
	if t.Exit == notRun {
		return fmt.Errorf("could not run: %s", bytes.TrimSpace(t.Output))
	}
	if err != nil && ended == nil && ctx.Err() == nil && !errors.Is(err, exec.ErrWaitDelay) {
		return fmt.Errorf("running: %w", err)
	}
	return nil
}

// limited keeps the first of what is written to it.
type limited struct{ kept []byte }

func (l *limited) Write(b []byte) (int, error) {
	l.kept = append(l.kept, b[:min(len(b), most-len(l.kept))]...)
	return len(b), nil
}

// changes lists what is in the upper directory and not the same below it.
// Times of access and change alone are no change.
func (l *Layer) changes() (all []witness.Change, err error) {
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
			all = append(all, witness.Change{Kind: witness.Deleted, Path: name})
		case err != nil && now.IsDir():
			all = append(all, witness.Change{Kind: witness.Made, Path: name})
		case now.IsDir() && isOpaque(file):
			all = append(all, gone(file, name)...)
		case err != nil:
			all = append(all, witness.Change{Kind: witness.Created, Path: name})
		case !same(now, before):
			all = append(all, witness.Change{Kind: witness.Attributes, Path: name})
		case now.Mode().IsRegular():
			if a, b, err := contents(file, name); err != nil {
				return err
			} else if !bytes.Equal(a, b) {
				all = append(all, witness.Change{Kind: witness.Written, Path: name})
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

// isOpaque reports whether a directory of the upper directory hides what is below
// it: it was deleted, and made again (the same, "opaque directories").
func isOpaque(dir string) bool {
	var is [1]byte
	n, err := unix.Lgetxattr(dir, "trusted.overlay.opaque", is[:])
	return err == nil && n == 1 && is[0] == 'y'
}

// gone lists what a directory that was made again does not have any more.
func gone(dir, below string) (all []witness.Change) {
	entries, _ := os.ReadDir(below)
	for _, e := range entries {
		if _, err := os.Lstat(filepath.Join(dir, e.Name())); err != nil {
			all = append(all, witness.Change{Kind: witness.Deleted, Path: filepath.Join(below, e.Name())})
		}
	}
	return all
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
