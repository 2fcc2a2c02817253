package guard

import (
	"context"
	"fmt"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/audit/dialogs"
	"github.com/heedsh/heed/internal/audit/tally"
	"github.com/heedsh/heed/internal/session"
	"github.com/heedsh/heed/risk"
)

// maxSummed is how many rows are summed up.
const maxSummed = 100_000

// A Summary is what became of the commands of a session since its person was last told.
type Summary struct {
	Text  string      // [tally.Session]
	Worst audit.Row   // the assessment that was worst
	Since audit.Stamp // of the first row
}

// Summary sums up what the log has of a request's session since it was last summed up.
// There is none without commands, and, unless the session is over, none where nobody was
// asked and nothing refused: whoever reads it after every turn would not read it for long.
func (g *Guard) Summary(ctx context.Context, req *risk.Request, over bool) (*Summary, error) {
	if g.Records.Err != nil || g.Records.Log == nil || req.Session == "" || g.Sessions == nil {
		return nil, nil
	}
	st, err := g.Sessions.Load(req.Agent, req.Session, time.Now())
	if err != nil {
		return nil, err
	}
	head, some, err := g.Records.Log.Head(ctx)
	if err != nil || !some {
		return nil, err
	}
	var rows []audit.Row
	var d dialogs.Dialogs
	add := func(r *audit.Row) { rows = append(rows, *r) }
	for r, err := range g.Records.Log.Rows(ctx, audit.Filter{Agent: req.Agent, Session: req.Session, After: st.Told}) {
		switch {
		case audit.IsDamage(err):
			continue // heed log verify says where
		case err != nil:
			return nil, fmt.Errorf("summing a session up: %w", err)
		case len(rows) >= maxSummed:
			continue
		}
		r.Whole = nil
		d.Add(&r, add)
	}
	d.End(add)
	sum := &Summary{Text: tally.Session(rows)}
	told, notable := head.Seq, over
	for i := range rows {
		r := &rows[i]
		told = max(told, r.Seq) // it may have come since
		notable = notable || answered(r)
		if r.Kind == audit.Assessed && (sum.Worst.Tier == "" || worse(r, &sum.Worst)) {
			sum.Worst = *r
		}
	}
	if len(rows) > 0 {
		sum.Since = rows[0].Time
	}
	shown := notable && sum.Text != ""
	if !shown && len(rows) > 0 {
		told = rows[0].Seq - 1 // the next one begins where this would have
	}
	if told != st.Told {
		if err := g.Sessions.Update(ctx, req.Agent, req.Session, time.Now(), func(st *session.State) { st.Told = max(st.Told, told) }); err != nil {
			return nil, err
		}
	}
	if !shown {
		return nil, nil
	}
	return sum, nil
}

// answered reports whether a row is one of a question, an answer or a refusal.
func answered(r *audit.Row) bool {
	switch r.Kind {
	case audit.Asked, audit.Approved, audit.Denied, audit.Drifted, audit.Mispredicted:
		return true
	}
	return r.Kind == audit.Decided && r.Decision == "deny"
}

// worse reports whether an assessment is worse than another.
func worse(r, than *audit.Row) bool {
	rank := map[string]int{risk.Caution.String(): 1, risk.Review.String(): 2}
	if a, b := rank[r.Tier], rank[than.Tier]; a != b {
		return a > b
	}
	return r.Level > than.Level || r.Level == than.Level && r.Score > than.Score
}
