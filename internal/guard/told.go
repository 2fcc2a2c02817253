package guard

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/session"
	"github.com/heedsh/heed/risk"
)

// A Report is what an agent tells of a call afterwards.
type Report struct {
	// Read says what untrusted text the call brought into the session, and from where;
	// "" if none.
	Read risk.Provenance
	From string
	// Shown is a command that reads the files which the call showed to the agent; "" if
	// it showed none.
	Shown string
	// Outcome is how its command ended; nil if it is not told, or had none.
	Outcome *audit.Outcome
	// Dir is where the session is now.
	Dir string
}

// Told takes in what an agent tells afterwards. How a command ended is kept as what the
// agent says, and only of a call that was asked about; nothing goes by it.
func (g *Guard) Told(ctx context.Context, req *risk.Request, r *Report) error {
	shown, err := g.shown(ctx, req, r)
	if err != nil {
		return err
	}
	waited := req.Session == "" || req.ID == "" || g.Sessions == nil
	if g.Sessions != nil && req.Session != "" {
		err := g.Sessions.Update(ctx, req.Agent, req.Session, time.Now(), func(st *session.State) {
			waited = waited || st.Waits(req.ID)
			if r.Read != "" {
				st.Read(r.Read, r.From)
			}
			st.Showed(shown)
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

// shown is what it comes to that a call showed files: what it would for a command that
// prints them. Only the session learns from it.
func (g *Guard) shown(ctx context.Context, req *risk.Request, r *Report) (*risk.Assessment, error) {
	if r.Shown == "" || g.Sessions == nil || req.Session == "" {
		return nil, nil
	}
	look := *req
	look.Command, look.Shell = r.Shown, "bash"
	a, err := g.Service.Assess(ctx, look)
	var failure *service.Failure
	if err != nil && !errors.As(err, &failure) {
		return nil, fmt.Errorf("looking at what %s showed: %w", r.From, err)
	}
	return &a.Assessment, nil
}
