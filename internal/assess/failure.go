package assess

import (
	"context"
	"fmt"

	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/risk"
)

// A Failure says why a request could not be assessed. With it comes an
// assessment that is REVIEW and says the same.
type Failure struct {
	// Reason is what went wrong. The assessment's Error holds the same text.
	Reason string
	// Cause is the error behind it, nil for a fault inside heed.
	Cause error
}

// Error implements error.
func (f *Failure) Error() string { return f.Reason }

// Unwrap returns the cause: context.Canceled, for one.
func (f *Failure) Unwrap() error { return f.Cause }

// Failed is the assessment of a request that could not be assessed: REVIEW,
// with the reason.
func Failed(req risk.Request, err error) risk.Assessment {
	band := risk.BandReview
	_, high := band.Scores()
	return risk.Assessment{
		ID: req.ID, Tier: band.Tier(), Level: band.Level(), Verdict: band.Verdict(), Score: high,
		Summary: "Cannot be inspected: heed could not assess it.", Command: req.Command, Shell: req.Shell, Dir: req.Dir, Provenance: req.Provenance,
		Invocations: []risk.Invocation{}, Effects: []risk.Effect{}, Findings: []risk.Finding{}, Layers: []risk.Layer{}, Unknowns: []risk.Unknown{},
		ATTACK: []string{}, ASI: []string{}, Reasons: []string{}, Safer: []risk.Safer{}, NotInspected: []string{},
		Consequences: risk.Consequences{Direct: []string{}, Indirect: []string{}},
		Inputs:       risk.Inputs{Engine: Version, Rules: []string{}},
		Error:        err.Error(),
	}
}

// fail is the answer to a request that could not be assessed.
func fail(req *risk.Request, f *Failure) (risk.Assessment, Detail, error) {
	return Failed(*req, f), Detail{Trace: &flow.Trace{}}, f
}

// Fault is the failure of a panic inside heed.
func Fault(value any) *Failure {
	return &Failure{Reason: fmt.Sprintf("a fault inside heed: %v", value)}
}

// hopeless says why it is no use to begin: no program could run in such a
// session, or nobody waits for the answer.
func hopeless(ctx context.Context, req *risk.Request) *Failure {
	if err := impossible(req); err != nil {
		return &Failure{Reason: err.Error(), Cause: err}
	}
	return cancelled(ctx)
}

// cancelled says that nobody waits for the answer any more. What was found so
// far may not be all.
func cancelled(ctx context.Context) *Failure {
	if err := ctx.Err(); err != nil {
		return &Failure{Reason: "assessing: " + err.Error(), Cause: err}
	}
	return nil
}
