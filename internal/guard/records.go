package guard

import (
	"context"
	"errors"
	"fmt"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/policy"
)

// Records is the log that rows go to, or why there is none.
type Records struct {
	Log Log
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
