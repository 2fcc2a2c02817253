package guard

import (
	"context"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/mask"
	"github.com/heedsh/heed/internal/session"
	"github.com/heedsh/heed/risk"
)

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
		err := g.Sessions.Update(ctx, req.Agent, req.Session, time.Now(), func(st *session.State) {
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
