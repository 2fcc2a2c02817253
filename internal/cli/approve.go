package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/daemon"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/gate/covers"
	"github.com/heedsh/heed/internal/gate/screen"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/spf13/cobra"
)

func newApprove(s Streams) *cobra.Command {
	step := 0
	c := &cobra.Command{
		Use:   "approve DIGEST [--step N]",
		Short: "Let a command that waits run, once, if it is run again in the same world",
		Long: `approve shows a command that was not run, what would follow and what cannot be
undone, and asks for its decisive word, or the PIN where one is set up (heed pin). Then
the same command runs once, if it is tried again within an hour by who tried it, and if
nothing that it depends on has changed until then. It works at a terminal of a person's
own: not where a coding agent started the session.

With --step N only the first N steps of a line are agreed to: the commands between ;, &&
and line ends, which heed pending DIGEST numbers. They then run as a command of their own;
what follows waits for another yes.`,
		Example: "  heed approve 3f9a-81c2-77de\n  heed approve 3f9a-81c2-77de --step 2",
		Args:    oneDigest("approve"),
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("step") && step < 1 {
				return errors.New("--step: steps are counted from 1")
			}
			return runApprove(s, args[0], step)
		},
	}
	c.Flags().IntVar(&step, "step", 0, "agree to the first `N` steps of the line only")
	return c
}

func newDeny(s Streams) *cobra.Command {
	reason := ""
	c := &cobra.Command{
		Use:     "deny DIGEST [--reason TEXT]",
		Short:   "Refuse a command that waits, with a reason that the agent is told",
		Example: "  heed deny 3f9a-81c2-77de --reason 'use a branch of your own'",
		Args:    oneDigest("deny"),
		RunE: func(c *cobra.Command, args []string) error {
			return runDeny(s, args[0], reason)
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "`TEXT` that whoever asked is told")
	return c
}

func oneDigest(verb string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("name one request by its digest: heed %s 3f9a-81c2-77de (heed pending lists them)", verb)
		}
		return nil
	}
}

// A desk is where a person answers requests.
type desk struct {
	s     Streams
	store guard.Requests
	log   guard.Records
	pin   guard.PIN
	// service judges commands of the log; nil until it is needed.
	service *service.Service
}

func newDesk(s Streams) (*desk, error) {
	if err := s.person(); err != nil {
		return nil, err
	}
	k := own.Keep(s.Env)
	if err := cmp.Or(k.RequestsErr, k.PINErr); err != nil {
		return nil, err
	}
	return &desk{s: s, store: k.Requests, pin: k.PIN, log: guard.Records{Log: k.Log, Err: k.LogErr}}, nil
}

// atDesk opens the desk for one request, which has to wait.
func atDesk(s Streams, given string) (*desk, *approval.Request, error) {
	d, err := newDesk(s)
	if err != nil {
		return nil, nil, err
	}
	prefix, err := approval.Clean(given)
	if err != nil {
		return nil, nil, err
	}
	r, err := d.store.Find(prefix)
	switch {
	case err != nil:
		return nil, nil, err
	case r.State != approval.Pending:
		return nil, nil, fmt.Errorf("%s does not wait: it is %s", approval.Show(r.Digest), r.State)
	}
	return d, r, sound(r)
}

// sound fails for a request that shows something else than it is about: both lie in one
// file, and only the second is covered by the digest.
func sound(r *approval.Request) error {
	line, dialect := requestLine(r)
	if r.Shown == nil || r.Shown.Command != explain.Visible(r.Facts.Command) || !r.Shown.Fits(line, dialect) {
		return errors.New("the request is damaged: what it shows is not what it is about")
	}
	return nil
}

// requestLine is the line of a request whose steps are shown.
func requestLine(r *approval.Request) (line, dialect string) {
	if r.Front == approval.FrontRun {
		line, _ = wrap.Line(&r.Facts.Job)
		return line, r.Facts.Job.Shell
	}
	return r.Facts.Command, r.Facts.Job.Shell
}

func runApprove(s Streams, digest string, step int) error {
	d, r, err := atDesk(s, digest)
	if err != nil {
		return err
	}
	q := d.question(r)
	if step > 0 {
		if q, err = q.Up(step); err != nil {
			return fmt.Errorf("--step %d: %w", step, err)
		}
	}
	g := &gate.Gate{Name: "heed approve", Err: s.Err, Getenv: envOf(s)}
	t, err := g.Terminal()
	if err != nil {
		return fmt.Errorf("approving is for a person at a terminal: %w", err)
	}
	defer t.Close()
	answer, err := screen.At(context.Background(), t, envOf(s), q)
	if err != nil {
		return err
	}
	if step > 0 {
		answer = answer.Of(step)
	}
	return d.answer(r, answer)
}

// hasPIN reports whether this person has a PIN now, whatever he had when the request was
// made. One that cannot be read is one: no word stands in for it.
func (d *desk) hasPIN() bool {
	if d.pin == nil {
		return false
	}
	is, err := d.pin.Exists()
	return is || err != nil
}

// question is what a person is asked about a request.
func (d *desk) question(r *approval.Request) *gate.Question {
	shown := *r.Shown
	shown.ID = r.Digest
	has := d.hasPIN()
	check := func(ctx context.Context, typed []byte) error { return d.pin.Check(ctx, typed) }
	if p, ok := d.pin.(*daemon.PIN); ok {
		check = func(ctx context.Context, typed []byte) error { return p.CheckFor(ctx, r.Digest, typed) }
		if has && r.Owner == os.Geteuid() {
			shown = *shown.ByPINOnly() // whatever the request says of itself
		} else if r.Owner != os.Geteuid() {
			has = false // root answers for somebody else, whose PIN he does not know
		}
	}
	q := &gate.Question{Shown: shown.WithPIN(has), Offers: []gate.Choice{gate.Part}, Exposure: d.log.Exposure(context.Background()), CheckPIN: func(typed []byte) error { return check(context.Background(), typed) }}
	if r.Owner == 0 || r.Owner == os.Geteuid() { // the log is that of who answers
		q.Rule, q.Covers = strings.Join(shown.Narrow, "\n"), d.covers(r, 0)
	}
	return q
}

// covers says what else of the log the narrowest rule for a request would have let run,
// within a time; 0 is that before a question.
func (d *desk) covers(r *approval.Request, within time.Duration) *gate.Covers {
	if r.Shown == nil || len(r.Shown.Narrow) == 0 {
		return nil
	}
	if d.service == nil {
		d.service = newService(d.s)
	}
	look := &covers.Look{Service: d.service, Records: &d.log, Env: d.s.Env, Within: within}
	return look.Of(covers.Parse(r.Shown.Narrow), r.Facts.Command)
}

func runDeny(s Streams, digest, reason string) error {
	d, r, err := atDesk(s, digest)
	if err != nil {
		return err
	}
	return d.answer(r, gate.Answer{Choice: gate.No, By: "person", Reason: reason})
}

// maxReason is the longest reason that is kept, in bytes.
const maxReason = 500

// answer keeps what a person said, and says what comes of it.
func (d *desk) answer(r *approval.Request, a gate.Answer) error {
	state, err := d.keep(r, a)
	if state == "" {
		return err
	}
	text := "denied " + approval.Show(r.Digest)
	switch state {
	case approval.Approved:
		text = fmt.Sprintf("approved %s: it runs once, if it is tried again within %s", approval.Show(r.Digest), approval.ApprovedFor)
	case approval.Partly:
		line, dialect := requestLine(r)
		first, rest, _, _ := consent.Halves(line, dialect, a.Steps) // it was asked about
		text = fmt.Sprintf("approved %s up to step %d of %d: this runs once, if it is tried by itself within %s:\n  %s\nwhat follows waits for another yes then:\n  %s",
			approval.Show(r.Digest), a.Steps, len(r.Shown.Steps), approval.ApprovedFor, explain.Visible(first), explain.Visible(rest))
	}
	return errors.Join(write(d.s.Out, text+"\n"), err)
}

// keep keeps what a person said. With an error and a state it was kept, and could not be
// recorded.
func (d *desk) keep(r *approval.Request, a gate.Answer) (approval.State, error) {
	said := approval.Answer{State: approval.Denied, By: a.By, Reason: explain.Cut(strings.TrimSpace(a.Reason), maxReason)}
	kind, decision := audit.Denied, "deny"
	if a.Choice == gate.Once {
		said.State, kind, decision = approval.Approved, audit.Approved, "allow"
	}
	why := said.Reason
	if a.Choice == gate.Part {
		said.State, said.Steps, said.Reason, kind, decision = approval.Partly, a.Steps, "", audit.Approved, "allow"
		why = fmt.Sprintf("its steps 1 to %d of %d", a.Steps, len(r.Shown.Steps))
	}
	if err := d.store.Answer(r.Digest, said); err != nil {
		return "", err
	}
	return said.State, d.log.Append(context.Background(), audit.Row{
		Kind: kind, Digest: r.Row, Request: approval.Show(r.Digest), Agent: r.Shown.Agent, Session: r.Shown.Session, Provenance: string(r.Shown.Provenance),
		Command: r.Shown.Command, Masked: r.Shown.Masked, Dir: r.Shown.Dir, Shell: r.Shown.Shell, Summary: r.Shown.Explanation,
		Tier: r.Shown.Tier.String(), Level: r.Shown.ReviewLevel.String(), ASI: r.Shown.ASI, ATTACK: r.Shown.ATTACK,
		By: a.By, Decision: decision, Reason: why, WaitedMS: int64(a.Waited / time.Millisecond),
	})
}
