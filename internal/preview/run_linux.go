//go:build amd64 || arm64

package preview

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/confine"
	"github.com/heedsh/heed/internal/confine/grant"
	"github.com/heedsh/heed/internal/value"
	"golang.org/x/sys/unix"
)

// A Preview is a command that has run, and what it wrote.
type Preview struct {
	Result
	plan  *Plan
	items []item
	stage int
	// hidden are the secrets of which the command saw placeholders.
	hidden []string
	shown  int    // bytes of differences
	killed func() // see store
}

// Possible says what this machine's kernel lacks for a preview; nil if nothing.
func Possible() error {
	if err := confine.Possible(&grant.Grant{Net: grant.Loopback, Sockets: true}); err != nil {
		return fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	return nil
}

// Run runs a command in a preview and waits for its end. An error under [ErrNotHere] says
// that this system has no preview of it; any other that the command could not be started.
func Run(c *Command, p *Plan, l *Limits) (*Preview, error) {
	o, err := newOrder(c, p, l)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	x := &exchange{limit: l.Output}
	r, stage, err := x.run(o, c.Stdin)
	if err != nil {
		return nil, err
	}
	v := &Preview{plan: p, items: r.Items, stage: stage, hidden: r.Hidden}
	v.Result = Result{
		Exit: r.Exit, Signal: r.Signal, Limit: r.Limit, Scratch: r.Scratch, Left: r.Left,
		Secrets: r.Secrets, Programs: r.Programs, Files: confine.BackAll(r.Files), Stdout: x.out.output(), Stderr: x.err.output(),
	}
	for i := range r.Refused {
		v.Refused = append(v.Refused, refusal(&r.Refused[i]))
	}
	v.describe(l)
	v.Took = time.Since(began)
	return v, nil
}

// Close lets go of what the command wrote.
func (v *Preview) Close() error { return unix.Close(v.stage) }

// newOrder says to the first process of the namespaces what to do.
func newOrder(c *Command, p *Plan, l *Limits) (*order, error) {
	g := grant.Least(grant.Where{Home: p.Home, Workspaces: p.Workspaces, Secrets: confine.Secrets(p.Home)})
	g.Net, g.Sockets, g.Terminal, g.Secrets = grant.Loopback, true, false, p.Secrets
	for _, t := range p.Trees {
		g.Write = append(g.Write, t.Path)
	}
	room, err := confine.NewRoom(&g, p.Home, p.Trees[0].Path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotHere, err)
	}
	for _, p := range slices.Concat(g.Write, room.Hidden(), p.Uncovered) {
		if !utf8.ValidString(p) {
			return nil, fmt.Errorf("%w: %q is no text, and would be mistaken for another path", ErrNotHere, p)
		}
	}
	return &order{
		Room: room, Trees: p.Trees, Uncovered: p.Uncovered, Marker: []byte("hidden by heed preview " + rand.Text()),
		Bytes: l.Bytes, Time: l.Time, Processes: l.Processes, Program: confine.Keep(c.Program), Argv: confine.KeepAll(c.Argv), Dir: confine.Keep(c.Dir),
		Env: confine.KeepAll(append(confine.Clean(c.Env, value.CredentialName), "GIT_OPTIONAL_LOCKS=0")),
	}, nil
}

// capabilities are what the first process of a user namespace needs to look at files as
// their overlay does. The command has none of them.
func capabilities() []uintptr {
	return []uintptr{unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH, unix.CAP_FOWNER, unix.CAP_CHOWN, unix.CAP_FSETID, unix.CAP_MKNOD, unix.CAP_SETFCAP, unix.CAP_KILL, unix.CAP_NET_BIND_SERVICE}
}

// An exchange is what is sent to and from the namespaces.
type exchange struct {
	limit    int
	out, err *sink
	wait     sync.WaitGroup
}

// run starts this program anew in namespaces, gives it its order, and takes what it
// answers.
func (x *exchange) run(o *order, stdin io.Reader) (*report, int, error) {
	runtime.LockOSThread() // whose end would be that of the new process
	defer runtime.UnlockOSThread()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, -1, fmt.Errorf("making a channel: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "channel"), os.NewFile(uintptr(fds[1]), "channel")
	defer ours.Close()
	in, err := x.input(stdin)
	if err != nil {
		return nil, -1, errors.Join(err, theirs.Close())
	}
	files := []*os.File{in}
	for _, to := range []**sink{&x.out, &x.err} {
		w, err := x.sink(to)
		if err != nil {
			return nil, -1, err
		}
		files = append(files, w)
	}
	files = append(files, theirs)
	a := confine.Attributes(grant.Loopback, capabilities()...)
	a.Cloneflags |= syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC
	var raw []uintptr
	for _, f := range files {
		raw = append(raw, f.Fd())
	}
	pid, err := syscall.ForkExec("/proc/self/exe", []string{"heed", insideVerb}, &syscall.ProcAttr{Env: []string{}, Files: raw, Sys: a})
	for _, f := range files {
		f.Close() // the other end has them
	}
	if err != nil {
		return nil, -1, fmt.Errorf("%w: making namespaces: %w", ErrNotHere, err)
	}
	r, stage, err := x.talk(ours, o)
	if err != nil {
		syscall.Kill(pid, syscall.SIGKILL) //nolint:errcheck // it may have ended
	}
	var status syscall.WaitStatus
	for {
		if _, werr := syscall.Wait4(pid, &status, 0, nil); !errors.Is(werr, syscall.EINTR) {
			break
		}
	}
	x.wait.Wait()
	return r, stage, err
}

// talk gives the order and takes the answer.
func (x *exchange) talk(ch *os.File, o *order) (*report, int, error) {
	if err := confine.Send(ch, o); err != nil {
		return nil, -1, err
	}
	return receive(ch)
}

// input is a pipe with what the command reads: never a descriptor of this process's own,
// which could be written to.
func (x *exchange) input(from io.Reader) (*os.File, error) {
	if from == nil {
		return os.Open(os.DevNull)
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	go func() {
		io.Copy(w, from) //nolint:errcheck // the command need not read it to its end
		w.Close()        // nothing of it is kept
	}()
	return r, nil
}

// A sink keeps the beginning of what is written to it.
type sink struct {
	limit   int
	text    bytes.Buffer
	dropped int64
}

// sink makes a pipe of which the beginning is kept.
func (x *exchange) sink(to **sink) (*os.File, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("making a pipe: %w", err)
	}
	s := &sink{limit: x.limit}
	*to = s
	x.wait.Go(func() {
		defer r.Close()
		io.Copy(s, r) //nolint:errcheck // it ends with who writes
	})
	return w, nil
}

// Write keeps what there is room for.
func (s *sink) Write(b []byte) (int, error) {
	n := min(len(b), s.limit-s.text.Len())
	s.text.Write(b[:n])
	s.dropped += int64(len(b) - n)
	return len(b), nil
}

func (s *sink) output() Output {
	return Output{Text: strings.ToValidUTF8(s.text.String(), "\uFFFD"), Dropped: s.dropped}
}
