package guard

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// asks reports whether a person's yes lets run what was decided about.
func asks(d *policy.Decision) bool {
	return !d.Final && (d.Action == policy.Ask || d.Action == policy.Deny)
}

// consent looks for a yes that was given, and keeps a request if one has to be given
// elsewhere.
func (g *Guard) consent(ctx context.Context, o *Outcome, req *risk.Request) (rows []audit.Row) {
	d := &o.Decision
	id := ""
	if d.Consent == policy.Typed || g.KeepClicks {
		var trouble error
		if id, rows, trouble = g.request(ctx, o, req); trouble != nil {
			o.Trouble = "it cannot be approved later: " + trouble.Error()
		}
		if o.Approved {
			return rows
		}
	} else if g.StoreErr == nil {
		// Its agent's own dialog asks, unless it is a part of what a person agreed to.
		nameless := *req
		nameless.ID = ""
		if rows, _ = g.part(ctx, o, &nameless, ""); o.Approved {
			return rows
		}
	}
	o.Shown = consent.New(req, &o.Answer.Assessment, d, id, g.HasPIN())
	return rows
}

// request binds a command to this world and looks what a person said of it.
func (g *Guard) request(ctx context.Context, o *Outcome, req *risk.Request) (id string, rows []audit.Row, err error) {
	if g.StoreErr != nil {
		return "", nil, g.StoreErr
	}
	// A call that is tried again has another id, and the yes is to what it does.
	nameless := *req
	nameless.ID, req = "", &nameless
	facts, err := g.factsOf(ctx, o, req)
	if err != nil {
		return "", nil, err
	}
	if id, err = facts.Digest(); err != nil {
		return "", nil, err
	}
	used := error(nil)
	if id != g.Agreed {
		used = g.Store.Use(id, approval.Approved)
	}
	switch {
	case used == nil:
		o.approve(id)
		return id, nil, nil
	case !errors.Is(used, approval.ErrGone):
		return id, nil, used
	}
	if rows, err = g.part(ctx, o, req, id); err != nil || o.Approved {
		return id, rows, err
	}
	rows = append(rows, g.drift(o, req, facts, id)...)
	o.Request, err = g.Store.Keep(approval.Request{
		Front: approval.FrontHook, Row: o.Row.Digest, Facts: *facts, Shown: consent.New(req, &o.Answer.Assessment, &o.Decision, id, g.HasPIN()),
	})
	return id, rows, err
}

// drift looks for a yes to the same words that does not count any more, because the
// world is another one.
func (g *Guard) drift(o *Outcome, req *risk.Request, facts *approval.Facts, id string) []audit.Row {
	all, _, err := g.Store.List()
	if err != nil {
		return nil // what is asked anew says why
	}
	for _, r := range all {
		if r.State != approval.Approved || r.Digest == id || r.Facts.Command != facts.Command || r.Facts.MAC != facts.MAC || r.Facts.Job.Dir != facts.Job.Dir ||
			r.Shown == nil || r.Shown.Agent != explain.Visible(req.Agent) {
			continue
		}
		return []audit.Row{o.drifted(r, facts)}
	}
	return nil
}

// drifted says what changed since a yes that therefore does not count.
func (o *Outcome) drifted(r *approval.Request, now *approval.Facts) audit.Row {
	for _, d := range now.Differences(&r.Facts) {
		o.Drifted = append(o.Drifted, explain.Cut(explain.Visible(d), 120))
	}
	row := o.Row.As(audit.Drifted)
	row.Request, row.Reason = approval.Show(r.Digest), strings.Join(o.Drifted, ", ")
	return row
}

// approve lets run what a person agreed to.
func (o *Outcome) approve(id string) {
	o.Approved, o.Agreed = true, id
	o.Decision.Action, o.Decision.Rule, o.Decision.Reason, o.Decision.Never, o.Decision.Layer = policy.Allow, "approved", "", "", policy.OfSession
}

// factsOf are the facts of the command of an outcome.
func (g *Guard) factsOf(ctx context.Context, o *Outcome, req *risk.Request) (*approval.Facts, error) {
	if o.Answer.Error != "" {
		return g.Unassessed(&approval.Job{Shell: req.Shell, Dir: req.Dir}, "", req)
	}
	return g.facts(ctx, req)
}

// facts looks at a command once more, and keeps what was read: most commands need none of
// this, so that the first look keeps nothing.
func (g *Guard) facts(ctx context.Context, req *risk.Request) (*approval.Facts, error) {
	look := g.Service.Recording(req)
	a, err := look.Assess(ctx, *req)
	if err != nil {
		return nil, err
	}
	return g.Bind(ctx, &Bound{Job: approval.Job{Shell: req.Shell, Dir: req.Dir}, Request: *req, Answer: a.Assessment, Look: look})
}

// Unassessed makes the facts of a command that could not be assessed.
func (g *Guard) Unassessed(job *approval.Job, file string, req *risk.Request) (*approval.Facts, error) {
	facts := approval.Unjudged(job, file, req)
	secrets := mask.For(req.Command, req.Env)
	if !secrets.Masks(req.Command) {
		return facts, nil
	}
	if g.StoreErr != nil {
		return nil, g.StoreErr
	}
	return facts, g.Store.Withhold(facts, secrets.Text(req.Command))
}

// A Bound is a command that a yes is to be bound to.
type Bound struct {
	Job     approval.Job
	File    string // what is known of the program's file
	Request risk.Request
	Answer  risk.Assessment
	Look    *service.Look // the recording that it was answered in
}

// Bind makes the facts that a yes to a command is bound to. Of a command that holds a
// secret they keep what tells it from others.
func (g *Guard) Bind(ctx context.Context, b *Bound) (*approval.Facts, error) {
	record, kept, err := b.Look.Record(ctx, b.Request, &b.Answer)
	if err != nil {
		return nil, fmt.Errorf("binding the command to this world: %w", err)
	}
	facts, secret, err := approval.New(&approval.Input{Job: b.Job, File: b.File, Request: b.Request, Answer: b.Answer, Record: record, Kept: kept})
	if err != nil || !secret {
		return facts, err
	}
	if g.StoreErr != nil {
		return nil, g.StoreErr
	}
	return facts, g.Store.Withhold(facts, mask.For(b.Request.Command, b.Request.Env).Text(b.Request.Command))
}

// HasPIN reports whether this person has a PIN.
func (g *Guard) HasPIN() bool { return g.CheckPIN() != nil }

// CheckPIN is what holds a PIN against this person's; nil if he has none.
func (g *Guard) CheckPIN() func(typed []byte) error {
	if g.PIN == nil {
		return nil
	}
	p, is := g.PIN()
	if !is {
		return nil
	}
	return func(typed []byte) error { return p.Check(context.Background(), typed) }
}
