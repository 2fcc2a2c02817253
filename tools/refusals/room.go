//go:build linux && (amd64 || arm64)

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/risk"
	"github.com/heedsh/heed/tools/throwaway"
)

// roomArg is the argument by which this program is started to become a room.
const roomArg = "-inside-a-room"

const (
	home    = "/home/w/home/user"
	project = home + "/project"
)

// environment is what commands and questions have.
func environment() []string {
	return []string{"HOME=" + home, "PATH=/usr/local/bin:/usr/bin:/bin", "USER=user", "LANG=C.UTF-8", "XDG_STATE_HOME=/run/heed", "XDG_CACHE_HOME=/run/heed"}
}

// room makes the mounts of this process, runs the job and prints its result.
func room() error {
	var j job
	if err := json.NewDecoder(os.Stdin).Decode(&j); err != nil {
		return fmt.Errorf("reading a job: %w", err)
	}
	if os.Getpid() != 1 {
		return errors.New("a room is the first of its own processes")
	}
	if err := furnish(); err != nil {
		return err
	}
	if err := confine.LoopbackUp(); err != nil {
		return err
	}
	go throwaway.Guard()
	var r result
	var err error
	if j.Least {
		r, err = j.canaries()
	} else {
		r, err = j.refused()
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// furnish makes everything read-only but what is this room's own.
func furnish() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("keeping mounts private: %w", err)
	}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}); err != nil {
		return fmt.Errorf("making everything read-only: %w", err)
	}
	for _, dir := range []string{"/home", "/run", "/var/tmp", "/root", "/tmp"} {
		if err := unix.Mount("tmpfs", dir, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=256m"); err != nil {
			return fmt.Errorf("making %s: %w", dir, err)
		}
	}
	if err := etc(); err != nil {
		return err
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("making /proc: %w", err)
	}
	if err := devices(); err != nil {
		return err
	}
	return throwaway.Fence("")
}

// etc makes a copy of /etc that may be changed.
func etc() error {
	if out, err := exec.Command("cp", "-a", "/etc", "/run/etc").CombinedOutput(); err != nil {
		return fmt.Errorf("copying /etc: %w: %s", err, out)
	}
	return unix.Mount("/run/etc", "/etc", "", unix.MS_BIND, "")
}

// devices makes a /dev with nothing in it that reaches the machine.
func devices() error {
	if err := unix.Mount("tmpfs", "/dev", "tmpfs", unix.MS_NOSUID, "mode=755,size=16m"); err != nil {
		return fmt.Errorf("making /dev: %w", err)
	}
	if err := throwaway.Devices("/dev"); err != nil {
		return err
	}
	if err := os.Mkdir("/dev/shm", 0o777); err != nil {
		return err
	}
	// This machine's own can be reached by nobody who has no right to make devices.
	return unix.Prctl(unix.PR_CAPBSET_DROP, unix.CAP_MKNOD, 0, 0, 0)
}

// fresh makes the world anew.
func (j *job) fresh() error {
	for _, dir := range []string{"/home", "/tmp", "/var/tmp"} {
		if err := empty(dir); err != nil {
			return err
		}
	}
	const kept = "/run/world"
	text := `cp -a /run/world /home/w`
	if _, err := os.Stat(kept); err != nil {
		text = `bash "$1" /home/w >/dev/null && git config --global --add safe.directory '*' && cd "$2" && git config --global user.email a@example.net && git config --global user.name a && cp -a /home/w /run/world`
	}
	c := exec.Command("bash", "-c", text, "bash", j.World, project)
	c.Env = environment()
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("making a world: %w: %s", err, out)
	}
	return nil
}

func empty(dir string) error {
	all, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range all {
		if err := os.RemoveAll(filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// A ran is how a command ended.
type ran struct {
	out, err string
	code     int
	late     bool
}

// run runs a program in the project and ends what it leaves behind. What it is not
// given to mount with, it cannot undo the room with.
func run(weak bool, argv ...string) ran {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if weak {
		argv = append([]string{"setpriv", "--bounding-set", "-sys_admin,-sys_ptrace,-sys_module,-sys_boot,-sys_time,-sys_rawio,-net_admin,-mknod,-syslog,-bpf,-perfmon,-sys_resource", "--"}, argv...)
	}
	c := exec.CommandContext(ctx, argv[0], argv[1:]...)
	c.Dir, c.Env = project, environment()
	c.WaitDelay = time.Second
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	_ = c.Run()                       // its exit code is what counts
	_ = unix.Kill(-1, unix.SIGKILL)   // all but this, the first of these processes
	for r := (ran{}); r.code != -1; { // reap them
		r.code, _ = unix.Wait4(-1, nil, unix.WNOHANG, nil)
		if r.code == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	return ran{out.String(), errs.String(), c.ProcessState.ExitCode(), ctx.Err() != nil}
}

// refused compares a command of level A with and without a box.
func (j *job) refused() (result, error) {
	if err := j.fresh(); err != nil {
		return result{}, err
	}
	var a risk.Assessment
	if got := run(false, j.Heed, "check", "--json", "--shell", j.shell(), "--", j.Row.Cmd); json.Unmarshal([]byte(got.out), &a) != nil {
		return result{Skip: "without an assessment"}, nil
	}
	if a.Level != risk.A {
		return result{Skip: "not of level A"}, nil
	}
	free := func() (ran, error) {
		if err := errors.Join(j.fresh(), supply(&a)); err != nil {
			return ran{}, err
		}
		return run(true, j.shell(), "-c", j.Row.Cmd), nil
	}
	first, err := free()
	if err != nil {
		return result{}, err
	}
	if first.late || first.code != 0 {
		return result{Skip: "do not end with 0 without a box"}, nil
	}
	if err := errors.Join(j.fresh(), supply(&a)); err != nil {
		return result{}, err
	}
	boxed := run(false, j.Heed, "run", "--confined", "--shell", j.shell(), "-c", j.Row.Cmd)
	if boxed == first {
		return result{}, nil
	}
	again, err := free()
	if err != nil {
		return result{}, err
	}
	if again != first && boxed.code == again.code && !strings.Contains(boxed.err, "heed run: ") {
		return result{Skip: "print something else each time"}, nil
	}
	return result{Differs: difference(&first, &boxed)}, nil
}

// difference says how two ends differ.
func difference(a, b *ran) string {
	short := func(s string) string { return fmt.Sprintf("%.300q", s) }
	s := fmt.Sprintf("exit %d", b.code)
	if a.out != b.out {
		s += " out " + short(a.out) + " / " + short(b.out)
	}
	if a.err != b.err {
		s += " err " + short(a.err) + " / " + short(b.err)
	}
	return s
}

func (j *job) shell() string {
	switch j.Row.Shell {
	case "sh", "zsh", "mksh":
		return j.Row.Shell
	}
	return "bash"
}

// supply makes the files that the assessment says are read and that are not there.
func supply(a *risk.Assessment) error {
	for i := range a.Effects {
		e := &a.Effects[i]
		if e.Verb != risk.FSRead || e.Host != "" || e.Pattern != "" || e.Unresolved != "" || !strings.HasPrefix(e.Target, "/home/") && !strings.HasPrefix(e.Target, "/tmp/") {
			continue
		}
		if _, err := os.Lstat(e.Target); err == nil {
			continue
		}
		var err error
		if filepath.Ext(e.Target) == "" {
			err = os.MkdirAll(e.Target, 0o755)
		} else if err = os.MkdirAll(filepath.Dir(e.Target), 0o755); err == nil {
			err = os.WriteFile(e.Target, []byte("one\ntwo\n"), 0o644)
		}
		if err != nil && !errors.Is(err, unix.ENOTDIR) && !errors.Is(err, unix.EEXIST) && !errors.Is(err, unix.ENAMETOOLONG) {
			return fmt.Errorf("making what is read: %w", err)
		}
	}
	return nil
}
