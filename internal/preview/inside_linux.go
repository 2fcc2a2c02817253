//go:build amd64 || arm64

package preview

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/heedsh/heed/internal/confine"
	"golang.org/x/sys/unix"
)

// IsInside reports whether this process was started to be the first one of a preview.
func IsInside(args []string) bool { return len(args) == 1 && args[0] == insideVerb }

// Inside makes the mounts, runs the command, and answers what came of it. It returns an
// exit code that nobody reads.
func Inside() int {
	ch := os.NewFile(channel, "channel")
	unix.CloseOnExec(channel)
	if err := inside(ch); err != nil {
		replyError(ch, err)
		return 126
	}
	return 0
}

func inside(ch *os.File) error {
	var o order
	if err := confine.Receive(ch, &o); err != nil {
		return err
	}
	o.Argv, o.Env = confine.BackAll(o.Argv), confine.BackAll(o.Env)
	o.Program, o.Dir = confine.Back(o.Program), confine.Back(o.Dir)
	s, err := o.enter()
	if err != nil {
		return fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	secrets, err := s.watchSecrets()
	if err != nil {
		return err
	}
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_REALTIME_COARSE, &now); err != nil {
		return fmt.Errorf("reading the clock: %w", err)
	}
	r := &report{}
	if err := o.run(r); err != nil {
		return err
	}
	r.Hidden = slices.Sorted(maps.Values(secrets.paths))
	if r.Secrets, err = secrets.read(); err != nil {
		return err
	}
	if err := s.changes(r, now.Nano()); err != nil {
		return fmt.Errorf("looking at what was written: %w", err)
	}
	if r.Limit == "" && s.full() {
		r.Limit = "size"
	}
	return reply(ch, r, s.dir)
}

// enter makes the mounts and the network of the namespaces.
func (o *order) enter() (*stage, error) {
	if err := confine.LoopbackUp(); err != nil {
		return nil, err
	}
	if err := confine.Private(); err != nil {
		return nil, err
	}
	s, err := o.mount()
	if err != nil {
		return nil, err
	}
	if err := o.Room.Protect(stagePoint); err != nil {
		return nil, err
	}
	if err := s.detach(); err != nil {
		return nil, fmt.Errorf("hiding the upper layers: %w", err)
	}
	// Process numbers are those of the new namespace from here on.
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC|unix.MS_RDONLY, ""); err != nil {
		return nil, fmt.Errorf("mounting /proc: %w", err)
	}
	return s, os.Chdir(o.Dir)
}

// full reports whether no more could be written.
func (s *stage) full() bool {
	var st unix.Statfs_t
	return unix.Fstatfs(s.dir, &st) == nil && (int64(st.Bavail)*st.Bsize < 64<<10 || st.Ffree == 0)
}

// changes finds out what the command wrote.
func (s *stage) changes(r *report, began int64) error {
	for i, t := range s.order.Trees {
		if t.Scratch {
			c, err := measure(s.path("upper", i), true)
			if err != nil {
				return err
			}
			r.Scratch += c.Files
			continue
		}
		w := walker{tree: i, upper: s.path("upper", i), lower: fdPath(s.trees[i]), began: began, closed: s.order.Trees[i].closed}
		if len(s.order.Room.Hidden()) > 0 {
			w.marker = s.order.Marker
		}
		if err := w.top(); err != nil {
			return err
		}
		if err := w.walk("", false); err != nil {
			return err
		}
		w.join()
		r.Items = append(r.Items, w.items...)
	}
	return nil
}

// run runs the command and waits until it, and all that it started, has ended.
func (o *order) run(r *report) error {
	programs := map[string]bool{}
	var mu sync.Mutex // of what was refused
	names := serveNames(func(name string) {
		mu.Lock()
		defer mu.Unlock()
		r.Refused = append(r.Refused, confine.Refusal{Deed: confine.LookUp, Path: name})
	})
	defer names.close()
	b := &confine.Box{
		Grant: o.Room.Grant,
		Local: names.addrs,
		Refused: func(x confine.Refusal) {
			mu.Lock()
			defer mu.Unlock()
			if x.Path != "/dev/tty" { // it has no terminal, and programs ask for one in passing
				r.Refused = append(r.Refused, x)
			}
		},
		Started: func(program string) {
			if name := filepath.Base(program); !programs[name] {
				programs[name] = true
				r.Programs, r.Files = append(r.Programs, name), append(r.Files, confine.Keep(program))
			}
		},
	}
	var stop [2]int
	if err := unix.Pipe2(stop[:], unix.O_CLOEXEC); err != nil {
		return fmt.Errorf("making a pipe: %w", err)
	}
	watched := make(chan struct{})
	pid, done, err := o.start(b, func(listener int) {
		o.Room.Watch(b, listener, stop[0])
		close(watched)
	})
	if err != nil {
		return err
	}
	defer close(done)
	limits := o.guard()
	status, err := reap(pid)
	if err != nil {
		return err
	}
	r.Left = len(processes()) - 1
	killAll()
	if _, err := reap(0); err != nil {
		return err
	}
	r.Limit = limits.end()
	unix.Close(stop[1]) //nolint:errcheck // closing is what is meant
	<-watched
	if r.Exit = status.ExitStatus(); status.Signaled() {
		r.Signal = int(status.Signal())
		r.Exit = 128 + r.Signal
	}
	return nil
}

// start starts the command from a thread that is restricted, and that stays until done is
// closed. watch is begun before.
func (o *order) start(b *confine.Box, watch func(listener int)) (pid int, done chan struct{}, err error) {
	done, ready := make(chan struct{}), make(chan struct{})
	confine.Apart(func() {
		var listener int
		if listener, err = o.Room.Restrict(b); err == nil {
			go watch(listener)
			pid, err = syscall.ForkExec(o.Program, o.Argv, &syscall.ProcAttr{
				Dir: o.Dir, Env: o.Env, Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Setsid: true},
			})
		}
		close(ready)
		<-done
	})
	<-ready
	if err != nil {
		close(done)
		return 0, nil, &os.PathError{Op: "exec", Path: o.Program, Err: err}
	}
	return pid, done, nil
}

// reap waits for a process, or for all if it is 0. Others that end meanwhile are waited
// for as well: this is the first process of its namespace.
func reap(pid int) (syscall.WaitStatus, error) {
	var status syscall.WaitStatus
	for {
		switch ended, err := syscall.Wait4(-1, &status, 0, nil); {
		case errors.Is(err, syscall.EINTR):
		case errors.Is(err, syscall.ECHILD) && pid == 0:
			return status, nil
		case err != nil:
			return status, fmt.Errorf("waiting for the command: %w", err)
		case ended == pid:
			return status, nil
		}
	}
}

// killAll ends everything in this namespace but its first process.
func killAll() {
	syscall.Kill(-1, syscall.SIGKILL) //nolint:errcheck // if nobody is left, that is what is wanted
}

// processes are the processes of this namespace.
func processes() []string {
	names, err := readNames("/proc")
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(names, func(name string) bool { _, err := strconv.Atoi(name); return err != nil })
}

// A limiter ends what takes too long or is too many.
type limiter struct {
	reached atomic.Pointer[string]
	timer   *time.Timer
	ticker  *time.Ticker
	stop    chan struct{}
}

// often is how often processes are counted.
const often = 20 * time.Millisecond

// guard begins to.
func (o *order) guard() *limiter {
	l := &limiter{stop: make(chan struct{}), ticker: time.NewTicker(often)}
	l.timer = time.AfterFunc(o.Time, func() { l.reach("time") })
	go func() {
		for {
			select {
			case <-l.ticker.C:
				if len(processes())-1 > o.Processes {
					l.reach("processes")
				}
			case <-l.stop:
				return
			}
		}
	}()
	return l
}

func (l *limiter) reach(what string) {
	l.reached.CompareAndSwap(nil, &what)
	killAll()
}

// end stops and says which limit was reached, "" if none.
func (l *limiter) end() string {
	l.timer.Stop()
	l.ticker.Stop()
	close(l.stop)
	if what := l.reached.Load(); what != nil {
		return *what
	}
	return ""
}
