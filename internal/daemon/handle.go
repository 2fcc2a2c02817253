package daemon

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/gate/approval"
)

// handle does what is called for. What it returns without an error in out is on the disk.
func (h *handler) handle(ctx context.Context, in *call, out *reply) error {
	switch in.Do {
	case doKeep, doUse, doAnswer, doGet, doFind, doList, doAttend, doDesk:
		return h.ofRequests(in, out)
	case doRecord, doHead, doRows, doRow:
		return h.ofLog(ctx, in, out)
	case doHasPIN, doTry, doSet, doRemove:
		return h.ofPIN(ctx, in, out)
	}
	return fmt.Errorf("this daemon does not know %.40q", in.Do)
}

func (h *handler) ofRequests(in *call, out *reply) error {
	own, err := h.requests(h.uid)
	if err != nil {
		return err
	}
	switch in.Do {
	case doKeep:
		r, err := approval.Parse(in.Request)
		if err != nil {
			return fmt.Errorf("keeping the request: %w", err)
		}
		r, err = own.Keep(*r)
		if err != nil {
			return err
		}
		out.Request, err = keptOf(h.uid, r)
		return err
	case doUse:
		return own.Use(in.Name, in.State)
	case doAnswer:
		return h.answer(in)
	case doGet, doFind:
		owner, r, err := h.find(in)
		if err != nil {
			return err
		}
		out.Request, err = keptOf(owner, r)
		return err
	case doList:
		return h.list(out)
	case doAttend:
		if err := h.person(); err != nil {
			return err
		}
		for _, uid := range h.shown() {
			s, err := h.requests(uid)
			if err == nil {
				err = s.Attend()
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	out.Yes = own.Attended()
	return nil
}

func keptOf(owner int, r *approval.Request) (*kept, error) {
	text, err := r.Text()
	if err != nil {
		return nil, err
	}
	return &kept{owner, text, r.State, r.Answer}, nil
}

// find finds a request among those that the caller is shown.
func (h *handler) find(in *call) (owner int, found *approval.Request, err error) {
	for _, uid := range h.shown() {
		s, err := h.requests(uid)
		if err != nil {
			return 0, nil, err
		}
		var r *approval.Request
		if in.Do == doFind {
			r, err = s.Find(in.Name)
		} else {
			r, err = s.Get(in.Name)
		}
		switch {
		case errors.Is(err, approval.ErrGone):
		case err != nil:
			return 0, nil, err
		case found != nil:
			return 0, nil, errors.New("two accounts have a request that begins like that: give more of the digest")
		default:
			owner, found = uid, r
		}
	}
	if found == nil {
		return 0, nil, approval.ErrGone
	}
	return owner, found, nil
}

func (h *handler) list(out *reply) error {
	for _, uid := range h.shown() {
		s, err := h.requests(uid)
		if err != nil {
			return err
		}
		all, damaged, err := s.List()
		if err != nil {
			return err
		}
		out.Damaged += damaged
		for _, r := range all {
			k, err := keptOf(uid, r)
			if err != nil {
				return err
			}
			if err := h.send(&reply{Request: k}); err != nil {
				return err
			}
		}
	}
	return nil
}

// answer keeps what a person said. Where the account has a PIN every yes takes it,
// whatever the request says of itself: the account wrote that.
func (h *handler) answer(in *call) error {
	if in.Answer == nil {
		return errors.New("answering the request: there is no answer")
	}
	if !in.Answer.Sound() {
		return fmt.Errorf("answering the request: there is no answer %.40q", in.Answer.State)
	}
	if err := h.person(); err != nil {
		return err
	}
	in.Do = doGet
	owner, r, err := h.find(in)
	if err != nil {
		return err
	}
	a := *in.Answer
	a.By = "person"
	if a.State != approval.Denied && owner == h.uid {
		p, err := h.pin(owner)
		if err != nil {
			return err
		}
		switch is, err := p.Exists(); {
		case err != nil:
			return err
		case is && !h.redeem(in.Ticket, r.Digest):
			return errors.New("a yes takes the PIN, which was not given for this request, or too long ago")
		case is:
			a.By = "pin"
		}
	}
	s, err := h.requests(owner)
	if err != nil {
		return err
	}
	return s.Answer(r.Digest, a)
}

// redeem takes a ticket, which counts once.
func (h *handler) redeem(name, digest string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	t, ok := h.tickets[name]
	delete(h.tickets, name)
	return ok && t.owner == h.uid && t.digest == digest && time.Now().Before(t.until)
}

// issue makes a ticket.
func (h *handler) issue(digest string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	for name, t := range h.tickets {
		if now.After(t.until) || len(h.tickets) >= maxTickets && t.owner == h.uid {
			delete(h.tickets, name)
		}
	}
	name := rand.Text()
	h.tickets[name] = ticket{h.uid, digest, now.Add(ticketFor)}
	return name
}

func (h *handler) ofPIN(ctx context.Context, in *call, out *reply) error {
	p, err := h.pin(h.uid)
	if err != nil {
		return err
	}
	if in.Do == doHasPIN {
		out.Yes, err = p.Exists()
		return err
	}
	if err := h.person(); err != nil {
		return err
	}
	switch in.Do {
	case doSet:
		return p.Set(in.Old, in.PIN)
	case doRemove:
		return p.Remove(in.Old)
	}
	if err := p.Check(ctx, in.PIN); err != nil {
		return err
	}
	if in.Name != "" {
		out.Ticket = h.issue(in.Name)
	}
	return nil
}

func (h *handler) ofLog(ctx context.Context, in *call, out *reply) error {
	l, err := h.log(h.uid)
	if err != nil {
		return err
	}
	switch in.Do {
	case doRecord:
		if len(in.Rows) > maxRows {
			return fmt.Errorf("recording: %d rows at once, %d allowed", len(in.Rows), maxRows)
		}
		for i := range in.Rows {
			r := &in.Rows[i]
			if (r.Kind == audit.Approved || r.Kind == audit.Denied) && (r.By == "person" || r.By == "pin") {
				if err := h.person(); err != nil {
					return fmt.Errorf("recording what a person said: %w", err)
				}
			}
		}
		out.Receipts, err = l.AppendAll(ctx, in.Rows)
		return err
	case doHead:
		head, some, err := l.Head(ctx)
		if err == nil && some {
			out.Head = &head
		}
		return err
	case doRow:
		r, err := l.Find(ctx, in.Name)
		out.Row = &r
		return err
	}
	f := audit.Filter{}
	if in.Filter != nil {
		f = *in.Filter
	}
	for r, err := range l.Rows(ctx, f) {
		next := &reply{Row: &r}
		if err != nil {
			if !audit.IsDamage(err) {
				return err
			}
			next = &reply{Fault: faultOf(err)}
		}
		if err := h.send(next); err != nil {
			return err
		}
	}
	return nil
}
