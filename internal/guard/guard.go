package guard

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/session"
	"github.com/heedsh/heed/internal/session/store"
	"github.com/heedsh/heed/risk"
)

// A Guard stands before the commands of one account.
type Guard struct {
	Service *service.Service
	Records Records
	// Store keeps requests; StoreErr says why there is none.
	Store    Requests
	StoreErr error
	// Sessions keeps what the calls of a session leave to the next; nil: nothing is kept.
	// SessionsErr says why it cannot be kept.
	Sessions    *store.Store
	SessionsErr error
	// PIN is this person's PIN, if he has one. nil: he has none.
	PIN func() (PIN, bool)
	// KeepClicks says that whoever waits cannot ask its person: what a click would do for
	// is then kept as a request too, and refused until it is approved.
	KeepClicks bool
	// Agreed is the digest of a yes that was used when permission for this very call was
	// asked, a moment ago: it lets the call run too, in the same world. "": none was.
	Agreed string
	// Decide is replaced by tests of faults; nil is the service's.
	Decide func(context.Context, *session.State, risk.Request, policy.Front) (service.Answer, policy.Decision, error)
}

// An Outcome is what is done about one command.
type Outcome struct {
	Answer   service.Answer
	Decision policy.Decision
	// Shown is what a person is asked to agree to; nil where nothing is asked.
	Shown *consent.Consent
	// Request waits for a person, or was denied by one; nil if none is kept.
	Request *approval.Request
	// Rest waits for a person after the first steps of a line were let run; nil if nothing
	// does.
	Rest *approval.Request
	// Approved says that a person's yes was used.
	Approved bool
	// Agreed is the digest of that yes.
	Agreed string
	// Drifted says what changed since a yes that therefore does not count.
	Drifted []string
	// Trouble says why something that should be kept is not: the record, or the request.
	Trouble string
	// Row is what was recorded of the assessment: later rows are about it.
	Row audit.Row
}

// Call answers a request that waits at a front. With an error nothing is known of the
// command, and it must not run.
func (g *Guard) Call(ctx context.Context, req risk.Request, front policy.Front) (*Outcome, error) {
	decide := g.Decide
	if decide == nil {
		decide = g.Service.DecideInSession
	}
	behind := g.behind(&req)
	a, d, err := decide(ctx, behind, req, front)
	behind.Before(&req)
	if late := ctx.Err(); late != nil {
		return nil, fmt.Errorf("judging it: %w", late) // somebody has answered already
	}
	var failure *service.Failure
	switch {
	case errors.As(err, &failure):
		d = g.Service.Decision(&a.Assessment, &req, front) // as REVIEW, which the answer is then
	case err != nil:
		return nil, err
	}
	o := &Outcome{Answer: a, Decision: d}
	if err := g.settle(ctx, o, &req, a.Level > risk.A); err != nil {
		return nil, err
	}
	g.leave(ctx, o, &req)
	return o, nil
}

// settle looks what a person said, or has to be asked, of what was decided, and records
// that. whole keeps the assessment in the record.
func (g *Guard) settle(ctx context.Context, o *Outcome, req *risk.Request, whole bool) error {
	row, err := audit.AssessedRow(req, &o.Answer.Assessment, whole)
	if err != nil {
		return err
	}
	o.Row = row
	rows := []audit.Row{row}
	if asks(&o.Decision) {
		rows = append(rows, g.consent(ctx, o, req)...)
	}
	g.record(ctx, o, rows)
	return nil
}

// behind is what a request's session has behind it; nil if it names none. What cannot be
// read is lost: anything may have happened.
func (g *Guard) behind(req *risk.Request) *session.State {
	if g.Sessions == nil {
		if g.SessionsErr == nil {
			return nil
		}
		return session.Lost(req.Agent, req.Session, time.Now().Unix())
	}
	st, _ := g.Sessions.Load(req.Agent, req.Session, time.Now()) // with an error it is one that is lost
	return st
}

// leave keeps what a command may leave to the next of its session. Where that is not
// possible, nobody knows later what it did: it is asked about.
func (g *Guard) leave(ctx context.Context, o *Outcome, req *risk.Request) {
	if g.Sessions == nil || req.Session == "" {
		return
	}
	fate := session.MayRun
	if o.Decision.Action == policy.Deny || o.Request != nil {
		fate = session.Refused
	}
	err := g.Sessions.Update(ctx, req.Agent, req.Session, time.Now(), func(st *session.State) {
		st.After(&o.Answer.Assessment, session.Outcome{Call: req.ID, Fate: fate, Left: o.Answer.Left})
	})
	if err != nil && o.Trouble == "" {
		o.Trouble = "heed cannot keep what this session does, so it is not run unasked: " + err.Error()
		o.unasked("builtin.not-kept")
	}
}

// unasked asks about what would have run unasked.
func (o *Outcome) unasked(rule string) {
	if o.Decision.Action == policy.Allow || o.Decision.Action == policy.Leave {
		o.Approved, o.Agreed = false, ""
		o.Decision.Action, o.Decision.Rule, o.Decision.Layer, o.Decision.Warn = policy.Ask, rule, policy.BuiltIn, false
	}
}

// Unjudged is the outcome of a request that could not be assessed: because it took too
// long, or is in a language that is not read. A person can let it run all the same.
func (g *Guard) Unjudged(ctx context.Context, req risk.Request, why string, front policy.Front) (*Outcome, error) {
	a := service.Failed(req, errors.New(why))
	o := &Outcome{Answer: a, Decision: g.Service.Decision(&a.Assessment, &req, front)}
	if err := g.settle(ctx, o, &req, false); err != nil {
		return nil, err
	}
	g.leave(ctx, o, &req)
	return o, nil
}
