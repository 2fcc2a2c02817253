package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/caller"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/ownfile"
	"github.com/heedsh/heed/internal/pin"
)

// The bounds of the whole.
const (
	maxCalls   = 128             // that are answered at once
	maxOfOne   = 16              // of one account, so that none keeps the others out
	ticketFor  = 2 * time.Minute // between the PIN and the answer that it is for
	maxTickets = 64
)

// A Server answers for all accounts of this machine.
type Server struct {
	// State is the directory that it keeps everything in, its account's own.
	State string
	// Managed are root's settings of the log.
	Managed audit.Managed
	// Who says who started a process; nil asks the system.
	Who func(pid int) caller.Finding

	mu      sync.Mutex
	calls   map[int]int // now, by account
	tickets map[string]ticket
}

// A ticket says that the PIN of an account was given for a request, a moment ago.
type ticket struct {
	owner  int
	digest string
	until  time.Time
}

// Listen opens the socket, once its directory's lock is had: of two daemons one runs. What
// a daemon that was killed left at the socket's place is removed, if it is its own.
// done gives the lock back.
func (s *Server) Listen(ctx context.Context, socket string) (l *net.UnixListener, done func(), err error) {
	root, err := ownfile.Dir(filepath.Join(s.State, "daemon"), true)
	if err != nil {
		return nil, nil, fmt.Errorf("opening the daemon's directory: %w", err)
	}
	lock, err := ownfile.Lock(ctx, root, "lock", false, time.Second)
	_ = root.Close() // the lock is a file of its own
	if err != nil {
		return nil, nil, fmt.Errorf("another daemon runs: %w", err)
	}
	defer func() {
		if err != nil {
			_ = lock.Close() // the error that counts is known
		}
	}()
	switch i, err := os.Lstat(socket); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, nil, fmt.Errorf("looking for the socket: %w", err)
	case i.Mode().Type() != fs.ModeSocket || !ownsFile(i):
		return nil, nil, fmt.Errorf("%s is no socket of this account: remove it first", socket)
	default:
		if err := os.Remove(socket); err != nil {
			return nil, nil, fmt.Errorf("removing a socket that nobody listens on: %w", err)
		}
	}
	l, err = net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return nil, nil, fmt.Errorf("listening: %w", err)
	}
	if err = os.Chmod(socket, 0o666); err != nil { // the kernel says who calls
		_ = l.Close()
		return nil, nil, fmt.Errorf("opening the socket to others: %w", err)
	}
	return l, func() { _ = lock.Close() }, nil
}

// Serve answers calls until the context ends, and then those that it has begun.
func (s *Server) Serve(ctx context.Context, l *net.UnixListener) error {
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	var all sync.WaitGroup
	defer all.Wait()
	for {
		c, err := l.AcceptUnix()
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, net.ErrClosed):
			return err
		case err != nil:
			time.Sleep(50 * time.Millisecond) // no descriptor is left: they come back
			continue
		}
		all.Go(func() {
			defer c.Close() //nolint:errcheck // what was acknowledged was written
			s.serve(ctx, c)
		})
	}
}

// enter counts a call of an account, if it is not one too many.
func (s *Server) enter(uid int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls == nil {
		s.calls, s.tickets = map[int]int{}, map[string]ticket{}
	}
	sum := 0
	for _, n := range s.calls {
		sum += n
	}
	if s.calls[uid] >= maxOfOne || sum >= maxCalls && uid != 0 {
		return false
	}
	s.calls[uid]++
	return true
}

func (s *Server) leave(uid int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.calls[uid]--; s.calls[uid] == 0 {
		delete(s.calls, uid)
	}
}

// serve answers one call.
func (s *Server) serve(ctx context.Context, c *net.UnixConn) {
	h := &handler{Server: s, send: func(r *reply) error {
		r.V = version
		if err := c.SetWriteDeadline(time.Now().Add(patience)); err != nil {
			return err
		}
		return encode(c, r)
	}}
	var err error
	if h.uid, h.pid, err = peerOf(c); err != nil {
		return // nobody that could be told
	}
	if !s.enter(h.uid) {
		_ = h.send(&reply{Done: true, Fault: faultOf(errors.New("too many calls at once: try again"))}) // it is not there any more
		return
	}
	defer s.leave(h.uid)
	last := &reply{}
	if err = c.SetReadDeadline(time.Now().Add(patience)); err == nil {
		var in *call
		if in, err = readCall(bufio.NewReaderSize(c, 64<<10)); err == nil {
			err = h.handle(ctx, in, last)
			clear(in.PIN)
			clear(in.Old)
		}
	}
	if err != nil {
		last = &reply{Fault: faultOf(err)}
	}
	last.Done = true
	_ = h.send(last) // who does not listen any more takes it for no
}

// A handler answers one call of one process.
type handler struct {
	*Server
	uid, pid int
	send     func(*reply) error
}

// getenv is the environment in which the stores of an account are found.
func (s *Server) getenv(uid int) func(string) string {
	return func(name string) string {
		if name == "XDG_STATE_HOME" {
			return filepath.Join(s.State, strconv.Itoa(uid))
		}
		return ""
	}
}

func (s *Server) requests(uid int) (*approval.Store, error) { return approval.Open(s.getenv(uid)) }

func (s *Server) pin(uid int) (*pin.Store, error) { return pin.Open(s.getenv(uid)) }

func (s *Server) log(uid int) (*audit.Log, error) {
	dir, err := audit.Dir(s.getenv(uid))
	if err != nil {
		return nil, err
	}
	return audit.Open(dir, audit.Options{Managed: s.Managed})
}

// shown are the accounts whose requests the caller is shown, its own first.
func (h *handler) shown() []int {
	out := []int{h.uid}
	if h.uid != 0 {
		return out
	}
	entries, err := os.ReadDir(h.State)
	if err != nil {
		return out
	}
	for _, e := range entries {
		if uid, err := strconv.Atoi(e.Name()); err == nil && uid > 0 && !slices.Contains(out, uid) {
			out = append(out, uid)
		}
	}
	return out
}

// person fails where an agent started the caller, or that cannot be looked at.
func (h *handler) person() error {
	look := h.Who
	if look == nil {
		look = func(pid int) caller.Finding { return caller.Of(pid, func(string) string { return "" }) }
	}
	if err := look(h.pid).Refuse(); err != nil {
		return err
	}
	if _, err := os.Lstat(filepath.Join("/proc", strconv.Itoa(h.pid))); err != nil {
		return fmt.Errorf("only a person may do this, and the daemon does not see who asks: %w", err)
	}
	return nil
}
