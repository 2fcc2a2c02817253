package guard

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/pin"
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
	Store    *approval.Store
	StoreErr error
	// Sessions keeps what the calls of a session leave to the next; nil: nothing is kept.
	// SessionsErr says why it cannot be kept.
	Sessions    *store.Store
	SessionsErr error
	// Now is the clock; nil means the system's.
	Now func() time.Time
	// PIN is this person's PIN, if he has one. nil: he has none.
	PIN func() (*pin.Store, bool)
	// KeepClicks says that whoever waits cannot ask its person: what a click would do for
	// is then kept as a request too, and refused until it is approved.
	KeepClicks bool
	// Decide is replaced by tests of faults; nil is the service's.
	Decide func(context.Context, *session.State, risk.Request, policy.Front) (service.Answer, policy.Decision, error)
}

// Records is the log that rows go to, or why there is none.
type Records struct {
	Log *audit.Log
	Err error
}

// Append keeps rows. An error says, for people, why that was not possible.
func (r *Records) Append(ctx context.Context, rows ...audit.Row) error {
	if r.Err != nil {
		return errors.New("heed cannot record this, so it is not run unasked: " + r.Err.Error())
	}
	_, err := r.Log.AppendAll(ctx, rows)
	var fault *audit.Fault
	switch {
	case errors.As(err, &fault):
		return errors.New(fault.Ask())
	case err != nil:
		return fmt.Errorf("heed cannot record this, so it is not run unasked: %w", err)
	}
	return nil
}

// Exposure is another number for each question: how many rows the log has. It varies how
// questions look.
func (r *Records) Exposure(ctx context.Context) int {
	if r.Err != nil || r.Log == nil {
		return 0
	}
	h, _, err := r.Log.Head(ctx)
	if err != nil {
		return 0 // it varies by the command alone
	}
	return int(h.Seq)
}

// An Outcome is what is done about one command.
type Outcome struct {
	Answer   service.Answer
	Decision policy.Decision
	// Shown is what a person is asked to agree to; nil where nothing is asked.
	Shown *consent.Consent
	// Request waits for a person, or was denied by one; nil if none is kept.
	Request *approval.Request
	// Approved says that a person's yes was used.
	Approved bool
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
	if o.Row, err = audit.AssessedRow(&req, &a.Assessment, a.Level > risk.A); err != nil {
		return nil, err
	}
	rows := []audit.Row{o.Row}
	if asks(&d) {
		rows = append(rows, g.consent(ctx, o, &req)...)
	}
	g.record(ctx, o, rows)
	g.leave(ctx, o, &req)
	return o, nil
}

func (g *Guard) now() time.Time {
	if g.Now != nil {
		return g.Now()
	}
	return time.Now()
}

// behind is what a request's session has behind it; nil if it names none. What cannot be
// read is lost: anything may have happened.
func (g *Guard) behind(req *risk.Request) *session.State {
	if g.Sessions == nil {
		if g.SessionsErr == nil {
			return nil
		}
		return session.Lost(req.Agent, req.Session, g.now().Unix())
	}
	st, _ := g.Sessions.Load(req.Agent, req.Session, g.now()) // with an error it is one that is lost
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
	err := g.Sessions.Update(ctx, req.Agent, req.Session, g.now(), func(st *session.State) {
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
		o.Approved = false
		o.Decision.Action, o.Decision.Rule, o.Decision.Layer, o.Decision.Warn = policy.Ask, rule, policy.BuiltIn, false
	}
}

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
	}
	o.Shown = consent.New(req, &o.Answer.Assessment, d, id, g.HasPIN())
	return rows
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

// request binds a command to this world and looks what a person said of it.
func (g *Guard) request(ctx context.Context, o *Outcome, req *risk.Request) (id string, rows []audit.Row, err error) {
	if g.StoreErr != nil {
		return "", nil, g.StoreErr
	}
	var facts *approval.Facts
	job := approval.Job{Shell: req.Shell, Dir: req.Dir}
	if o.Answer.Error != "" {
		facts, err = g.Unassessed(&job, "", req)
	} else {
		look := g.Service.Recording(req)
		// Once more, because the first look kept nothing: most commands need none of this.
		a, again := look.Assess(ctx, *req)
		if again != nil {
			return "", nil, again
		}
		facts, err = g.Bind(ctx, &Bound{Job: job, Request: *req, Answer: a.Assessment, Look: look})
	}
	if err != nil {
		return "", nil, err
	}
	if id, err = facts.Digest(); err != nil {
		return "", nil, err
	}
	switch err := g.Store.Use(id, approval.Approved); {
	case err == nil:
		o.Approved = true
		o.Decision.Action, o.Decision.Rule, o.Decision.Reason, o.Decision.Never, o.Decision.Layer = policy.Allow, "approved", "", "", policy.OfSession
		return id, nil, nil
	case !errors.Is(err, approval.ErrGone):
		return id, nil, err
	}
	rows = g.drift(o, req, facts, id)
	o.Request, err = g.Store.Keep(approval.Request{
		Front: approval.FrontHook, Row: o.Row.Digest, Facts: *facts, Shown: consent.New(req, &o.Answer.Assessment, &o.Decision, id, g.HasPIN()),
	})
	return id, rows, err
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

// Unjudged is the outcome of a request that could not be assessed: because it took too
// long, or is in a language that is not read. A person can let it run all the same.
func (g *Guard) Unjudged(ctx context.Context, req risk.Request, why string, front policy.Front) (*Outcome, error) {
	a := service.Failed(req, errors.New(why))
	o := &Outcome{Answer: a, Decision: g.Service.Decision(&a.Assessment, &req, front)}
	var err error
	if o.Row, err = audit.AssessedRow(&req, &a.Assessment, false); err != nil {
		return nil, err
	}
	rows := []audit.Row{o.Row}
	if asks(&o.Decision) {
		rows = append(rows, g.consent(ctx, o, &req)...)
	}
	g.record(ctx, o, rows)
	return o, nil
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
		for _, d := range facts.Differences(&r.Facts) {
			o.Drifted = append(o.Drifted, explain.Cut(explain.Visible(d), 120))
		}
		row := o.Row.As(audit.Drifted)
		row.Request, row.Reason = approval.Show(r.Digest), strings.Join(o.Drifted, ", ")
		return []audit.Row{row}
	}
	return nil
}

// DecidedRow is the row of what was decided about an assessed command. What is left to
// others has no decision.
func DecidedRow(assessed audit.Row, d *policy.Decision) audit.Row {
	r := assessed.As(audit.Decided)
	r.Rule, r.Reason, r.By = d.Rule, d.Reason, "policy"
	if d.Action != policy.Leave {
		r.Decision = d.Action.String()
	}
	return r
}

// record keeps the rows of an outcome. Where that is not possible a person is asked.
func (g *Guard) record(ctx context.Context, o *Outcome, rows []audit.Row) {
	decided := DecidedRow(o.Row, &o.Decision)
	if o.Approved {
		decided.By = "person"
	}
	if o.Request != nil {
		decided.Request = approval.Show(o.Request.Digest)
	}
	rows = append(rows, decided)
	if o.Decision.Action == policy.Ask || o.Request != nil && o.Request.State == approval.Pending {
		rows = append(rows, decided.As(audit.Asked))
	}
	err := g.Records.Append(ctx, rows...)
	if err == nil {
		return
	}
	o.Trouble = err.Error()
	o.unasked("builtin.not-recorded")
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

// A Report is what an agent tells of a call afterwards.
type Report struct {
	// Read says what untrusted text the call brought into the session, and from where;
	// "" if none.
	Read risk.Provenance
	From string
	// Outcome is how its command ended; nil if it is not told, or had none.
	Outcome *audit.Outcome
	// Dir is where the session is now.
	Dir string
}

// Told takes in what an agent tells afterwards. How a command ended is kept as what the
// agent says, and only of a call that was asked about; nothing goes by it.
func (g *Guard) Told(ctx context.Context, req *risk.Request, r *Report) error {
	waited := req.Session == "" || req.ID == "" || g.Sessions == nil
	if g.Sessions != nil && req.Session != "" {
		err := g.Sessions.Update(ctx, req.Agent, req.Session, g.now(), func(st *session.State) {
			waited = waited || st.Waits(req.ID)
			if r.Read != "" {
				st.Read(r.Read, r.From)
			}
			if r.Outcome != nil {
				st.After(nil, session.Outcome{Call: req.ID, Fate: session.Ran, Dir: r.Dir})
			}
		})
		if err != nil {
			return err
		}
	}
	if r.Outcome == nil || !waited {
		return nil
	}
	secrets := mask.For(req.Command, req.Env)
	return g.Records.Append(ctx, audit.Row{
		Kind: audit.Finished, Agent: req.Agent, Session: req.Session, Request: req.ID, Provenance: string(req.Provenance),
		Dir: secrets.Text(req.Dir), Shell: req.Shell, Command: secrets.Text(req.Command), Masked: secrets.Masks(req.Command), Outcome: r.Outcome,
	})
}
