package guard

import (
	"context"
	"errors"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// An Agreed is the part of a line that a person agreed to.
type Agreed struct {
	Steps int // how many of its steps
	// First is that part, as a command of its own, and Rest what waits for another yes.
	First, Rest string
	succeeded   bool
}

// Divide divides a line behind its first n steps. An error is for people: it cannot be
// divided there.
func Divide(line, shell string, n int) (*Agreed, error) {
	first, rest, joined, err := consent.Halves(line, shell, n)
	if err != nil {
		return nil, err
	}
	return &Agreed{n, first, rest, joined == "&&"}, nil
}

// AgreedOf is the part of a request's line that a person agreed to; nil where it is none,
// or the whole.
func AgreedOf(r *approval.Request, line, shell string) *Agreed {
	if r.State != approval.Partly || r.Facts.MAC != "" {
		return nil
	}
	part, err := Divide(line, shell, r.Answer.Steps)
	if err != nil {
		return nil // it cannot have been asked
	}
	return part
}

// Follows is what the rest of a line is said to follow.
func (a *Agreed) Follows() *consent.Follows {
	return &consent.Follows{Command: explain.Visible(a.First), Succeeded: a.succeeded}
}

// Covers reports whether a command that was judged by itself is no worse than the steps
// that a person was shown.
func (a *Agreed) Covers(r *approval.Request, is risk.Tier) bool {
	if r.Shown == nil || len(r.Shown.Steps) < a.Steps {
		return false
	}
	worst := risk.Safe
	for _, s := range r.Shown.Steps[:a.Steps] {
		worst = max(worst, s.Tier)
	}
	return is <= worst
}

// part looks for a line to whose first steps a person agreed, where these are what is to
// run now. The yes is to the line in its world: all of it is held against that again. It
// takes the yes, and keeps a request for the rest. own is the digest of what is to run.
func (g *Guard) part(ctx context.Context, o *Outcome, req *risk.Request, own string) (rows []audit.Row, err error) {
	all, _, err := g.Store.List()
	if err != nil {
		return nil, nil // it is asked about by itself
	}
	for _, r := range all {
		if r.State != approval.Partly || r.Front != approval.FrontHook || r.Facts.Job.Dir != req.Dir || r.Shown == nil || r.Shown.Agent != explain.Visible(req.Agent) {
			continue
		}
		part := AgreedOf(r, r.Facts.Command, req.Shell)
		if part == nil || part.First != req.Command || !part.Covers(r, o.Answer.Tier) {
			continue
		}
		line := *req
		line.Command = r.Facts.Command
		facts, err := g.facts(ctx, &line)
		if err != nil {
			return nil, err
		}
		id, err := facts.Digest()
		if err != nil {
			return nil, err
		}
		if id != r.Digest {
			return []audit.Row{o.drifted(r, facts)}, nil
		}
		switch err := g.Store.Use(id, approval.Partly); {
		case errors.Is(err, approval.ErrGone):
			continue
		case err != nil:
			return nil, err
		}
		o.approve(own)
		rows, err = g.rest(ctx, o, req, part)
		if err != nil {
			o.Trouble = "what follows of the line does not wait: " + err.Error() // it is asked about when it is run
		}
		return rows, nil
	}
	return nil, nil
}

// rest keeps a request for what remains of a line, where somebody has to agree to it
// elsewhere.
func (g *Guard) rest(ctx context.Context, o *Outcome, req *risk.Request, part *Agreed) ([]audit.Row, error) {
	rest := *req
	rest.Command = part.Rest
	look := g.Service.Recording(&rest)
	a, err := look.Assess(ctx, rest)
	if err != nil {
		return nil, err
	}
	d := g.Service.Decision(&a.Assessment, &rest, policy.Agent)
	if !asks(&d) || d.Consent != policy.Typed && !g.KeepClicks {
		return nil, nil // its turn comes without a request
	}
	facts, err := g.Bind(ctx, &Bound{Job: approval.Job{Shell: rest.Shell, Dir: rest.Dir}, Request: rest, Answer: a.Assessment, Look: look})
	if err != nil {
		return nil, err
	}
	id, err := facts.Digest()
	if err != nil {
		return nil, err
	}
	row, err := audit.AssessedRow(&rest, &a.Assessment, false)
	if err != nil {
		return nil, err
	}
	shown := consent.New(&rest, &a.Assessment, &d, id, g.HasPIN())
	shown.Follows = part.Follows()
	if o.Rest, err = g.Store.Keep(approval.Request{Front: approval.FrontHook, Row: row.Digest, Facts: *facts, Shown: shown}); err != nil {
		return nil, err
	}
	decided := DecidedRow(row, &d)
	decided.Request = approval.Show(id)
	return []audit.Row{row, decided, decided.As(audit.Asked)}, nil
}
