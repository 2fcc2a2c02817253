package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"os"
	"sync"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/gate/approval"
)

// Socket is where the daemon listens. Its directory belongs to the daemon's account.
const Socket = "/run/heed/heed.sock"

// A Client asks the daemon for the account of this process.
type Client struct {
	Socket string
	// UID is the account that has to listen there.
	UID int
	// Local keeps the key for commands that hold a secret, which the daemon need not see.
	Local *approval.Store

	mu      sync.Mutex
	tickets map[string]string // by request
}

// ask makes one call. each is given what comes before the last reply.
func (c *Client) ask(ctx context.Context, in *call, each func(*reply) error) (*reply, error) {
	out, err := c.try(ctx, in, each)
	if err != nil {
		return nil, fmt.Errorf("asking heed's daemon at %s (heed daemon --system, docs/daemon.md): %w", c.Socket, err)
	}
	if out.Fault != nil {
		return nil, out.Fault.err()
	}
	return out, nil
}

// try is ask, whose errors are those of the way there and back.
func (c *Client) try(ctx context.Context, in *call, each func(*reply) error) (*reply, error) {
	d := net.Dialer{Timeout: patience}
	conn, err := d.DialContext(ctx, "unix", c.Socket)
	if err != nil {
		return nil, err
	}
	defer conn.Close() //nolint:errcheck // the answer is whole, or an error
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	u, ok := conn.(*net.UnixConn)
	if !ok {
		return nil, errors.New("it is no unix socket")
	}
	switch uid, _, err := peerOf(u); {
	case err != nil:
		return nil, err
	case uid != c.UID:
		return nil, fmt.Errorf("the account %d listens there, and it should be %d", uid, c.UID)
	}
	in.V = version
	if err := u.SetWriteDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	r := bufio.NewReaderSize(u, 64<<10)
	sent := encode(u, in) // one that is refused before it was read has an answer all the same
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// Argon2id takes its time, and others may be before us.
		if err := u.SetReadDeadline(time.Now().Add(4 * patience)); err != nil {
			return nil, err
		}
		out, err := readReply(r)
		switch {
		case err != nil && sent != nil:
			return nil, sent
		case err != nil:
			return nil, fmt.Errorf("it went away before it had answered: %w", err)
		case out.Done && sent != nil && out.Fault == nil:
			return nil, sent
		case out.Done:
			return out, nil
		case each == nil:
			return nil, errors.New("it answers what was not asked")
		}
		if err := each(out); err != nil {
			return nil, err
		}
	}
}

// one makes a call that has one request for an answer.
func (c *Client) one(in *call) (*approval.Request, error) {
	out, err := c.ask(context.Background(), in, nil)
	if err != nil {
		return nil, err
	}
	if out.Request == nil {
		return nil, errors.New("heed's daemon answers without the request")
	}
	return out.Request.request()
}

// Keep is [approval.Store.Keep].
func (c *Client) Keep(r approval.Request) (*approval.Request, error) {
	text, err := r.Text()
	if err != nil {
		return nil, err
	}
	return c.one(&call{Do: doKeep, Request: text})
}

// Get is [approval.Store.Get].
func (c *Client) Get(digest string) (*approval.Request, error) {
	return c.one(&call{Do: doGet, Name: digest})
}

// Find is [approval.Store.Find]. Root finds the requests of all accounts.
func (c *Client) Find(prefix string) (*approval.Request, error) {
	return c.one(&call{Do: doFind, Name: prefix})
}

// List is [approval.Store.List]. Root is shown the requests of all accounts.
func (c *Client) List() (all []*approval.Request, damaged int, err error) {
	out, err := c.ask(context.Background(), &call{Do: doList}, func(a *reply) error {
		if a.Request == nil {
			return errors.New("it answers without a request")
		}
		r, err := a.Request.request()
		if err == nil {
			all = append(all, r)
		}
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	return all, out.Damaged, nil
}

// Use is [approval.Store.Use].
func (c *Client) Use(digest string, is approval.State) error {
	_, err := c.ask(context.Background(), &call{Do: doUse, Name: digest, State: is}, nil)
	return err
}

// Answer is [approval.Store.Answer]. Where the account has a PIN, [PIN.CheckFor] comes before a yes.
func (c *Client) Answer(digest string, a approval.Answer) error {
	c.mu.Lock()
	ticket := c.tickets[digest]
	delete(c.tickets, digest)
	c.mu.Unlock()
	_, err := c.ask(context.Background(), &call{Do: doAnswer, Name: digest, Answer: &a, Ticket: ticket}, nil)
	return err
}

// Attend is [approval.Store.Attend].
func (c *Client) Attend() error {
	_, err := c.ask(context.Background(), &call{Do: doAttend}, nil)
	return err
}

// Attended is [approval.Store.Attended].
func (c *Client) Attended() bool {
	out, err := c.ask(context.Background(), &call{Do: doDesk}, nil)
	return err == nil && out.Yes
}

// Await is [approval.Store.Await].
func (c *Client) Await(ctx context.Context, digest string) (*approval.Request, error) {
	for {
		r, err := c.Get(digest)
		if err != nil || r.State != approval.Pending {
			return r, err
		}
		select {
		case <-ctx.Done():
			return r, nil
		case <-time.After(250 * time.Millisecond):
		}
	}
}

// Withhold is [approval.Store.Withhold]; its key stays with the account.
func (c *Client) Withhold(f *approval.Facts, masked string) error {
	if c.Local == nil {
		return errors.New("keeping the request: this account has no directory for the key of commands that hold a secret")
	}
	return c.Local.Withhold(f, masked)
}

// Dir names where requests are.
func (c *Client) Dir() string { return c.Socket }

// What follows would be a yes that lies with the account, where whoever asks can write it
// himself. There is none: the second net and what a command starts ask once more.

// Pass keeps nothing.
func (c *Client) Pass(approval.Pass) error { return nil }

// Passes are none.
func (c *Client) Passes(string) []approval.Pass { return nil }

// UsePass uses none.
func (c *Client) UsePass(approval.Pass) bool { return false }

// Cover covers nothing.
func (c *Client) Cover() (*os.File, error) { return nil, nil }

// Covered reports no cover.
func (c *Client) Covered() bool { return false }

// A Log is the account's log at the daemon.
type Log struct{ Client *Client }

// Dir names where the log is.
func (l *Log) Dir() string { return l.Client.Socket }

// AppendAll is [audit.Log.AppendAll].
func (l *Log) AppendAll(ctx context.Context, rows []audit.Row) ([]audit.Receipt, error) {
	out, err := l.Client.ask(ctx, &call{Do: doRecord, Rows: rows}, nil)
	switch {
	case err != nil:
		return nil, err
	case len(out.Receipts) != len(rows):
		return nil, fmt.Errorf("heed's daemon has recorded %d rows of %d", len(out.Receipts), len(rows))
	}
	return out.Receipts, nil
}

// Head is [audit.Log.Head].
func (l *Log) Head(ctx context.Context) (h audit.Head, ok bool, err error) {
	out, err := l.Client.ask(ctx, &call{Do: doHead}, nil)
	if err != nil || out.Head == nil {
		return h, false, err
	}
	return *out.Head, true, nil
}

// Find is [audit.Log.Find].
func (l *Log) Find(ctx context.Context, name string) (audit.Row, error) {
	out, err := l.Client.ask(ctx, &call{Do: doRow, Name: name}, nil)
	switch {
	case err != nil:
		return audit.Row{}, err
	case out.Row == nil:
		return audit.Row{}, errors.New("heed's daemon answers without the row")
	}
	return *out.Row, nil
}

// errEnough ends a call that nobody listens to any more.
var errEnough = errors.New("enough")

// Rows is [audit.Log.Rows].
func (l *Log) Rows(ctx context.Context, f audit.Filter) iter.Seq2[audit.Row, error] {
	return func(yield func(audit.Row, error) bool) { l.rows(ctx, f, yield) }
}

// rows reports whether more are wanted.
func (l *Log) rows(ctx context.Context, f audit.Filter, yield func(audit.Row, error) bool) bool {
	_, err := l.Client.ask(ctx, &call{Do: doRows, Filter: &f}, func(a *reply) error {
		var row audit.Row
		var err error
		switch {
		case a.Fault != nil:
			err = a.Fault.err()
		case a.Row != nil:
			row = *a.Row
		default:
			err = errors.New("heed's daemon answers without a row")
		}
		if !yield(row, err) {
			return errEnough
		}
		return nil
	})
	switch {
	case errors.Is(err, errEnough):
		return false
	case err != nil:
		return yield(audit.Row{}, err) && isMissing(err)
	}
	return true
}

// Follow is [audit.Log.Follow].
func (l *Log) Follow(ctx context.Context, f audit.Filter, every time.Duration) iter.Seq2[audit.Row, error] {
	return func(yield func(audit.Row, error) bool) {
		for {
			more := l.rows(ctx, f, func(r audit.Row, err error) bool {
				if isMissing(err) {
					return true // it comes with the first row
				}
				f.After = max(f.After, r.Seq)
				return yield(r, err)
			})
			if !more {
				return
			}
			f.Last = 0
			select {
			case <-ctx.Done():
				return
			case <-time.After(every):
			}
		}
	}
}

// A PIN is the account's PIN at the daemon.
type PIN struct{ Client *Client }

// File names where the PIN is.
func (p *PIN) File() string { return p.Client.Socket }

// Exists is [pin.Store.Exists].
func (p *PIN) Exists() (bool, error) {
	out, err := p.Client.ask(context.Background(), &call{Do: doHasPIN}, nil)
	return err == nil && out.Yes, err
}

// Set is [pin.Store.Set].
func (p *PIN) Set(old, pin []byte) error {
	defer clear(old)
	defer clear(pin)
	_, err := p.Client.ask(context.Background(), &call{Do: doSet, Old: old, PIN: pin}, nil)
	return err
}

// Remove is [pin.Store.Remove].
func (p *PIN) Remove(old []byte) error {
	defer clear(old)
	_, err := p.Client.ask(context.Background(), &call{Do: doRemove, Old: old}, nil)
	return err
}

// Check is [pin.Store.Check].
func (p *PIN) Check(ctx context.Context, pin []byte) error { return p.CheckFor(ctx, "", pin) }

// CheckFor is Check for the yes to a request: the daemon remembers for two minutes that
// the PIN was given for it.
func (p *PIN) CheckFor(ctx context.Context, digest string, pin []byte) error {
	defer clear(pin)
	out, err := p.Client.ask(ctx, &call{Do: doTry, Name: digest, PIN: pin}, nil)
	if err != nil || digest == "" {
		return err
	}
	c := p.Client
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tickets == nil {
		c.tickets = map[string]string{}
	}
	c.tickets[digest] = out.Ticket
	return nil
}
