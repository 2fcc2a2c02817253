package tally_test

import (
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/audit/tally"
)

// TestSession is the paragraph at the end of a session.
func TestSession(t *testing.T) {
	t.Parallel()
	of := func(n int, r audit.Row) (rows []audit.Row) {
		for range n {
			rows = append(rows, r)
		}
		return rows
	}
	day := of(40, audit.Row{Kind: audit.Assessed, Tier: "SAFE"})
	day = append(day, of(5, audit.Row{Kind: audit.Assessed, Tier: "CAUTION"})...)
	day = append(day, of(2, audit.Row{Kind: audit.Asked, Tier: "CAUTION"})...)
	day = append(day, of(3, audit.Row{Kind: audit.Assessed, Tier: "REVIEW"})...)
	day = append(day, of(2, audit.Row{Kind: audit.Asked, Tier: "REVIEW"})...)
	day = append(
		day, audit.Row{Kind: audit.Approved, Tier: "REVIEW", WaitedMS: 130_000}, audit.Row{Kind: audit.Denied, Tier: "REVIEW", WaitedMS: 4200},
		audit.Row{Kind: audit.Decided, Tier: "REVIEW", Decision: "deny"}, audit.Row{Kind: audit.Finished, Tier: "SAFE", Outcome: &audit.Outcome{Code: 1}},
		audit.Row{Kind: audit.Drifted, Tier: "REVIEW"},
	)
	for want, rows := range map[string][]audit.Row{
		"":                                   {{Kind: audit.Begun}},
		"1 command: 1 SAFE.":                 of(1, audit.Row{Kind: audit.Assessed, Tier: "SAFE"}),
		"2 commands: 2 CAUTION (1 refused).": append(of(2, audit.Row{Kind: audit.Assessed, Tier: "CAUTION"}), audit.Row{Kind: audit.Decided, Decision: "deny", Tier: "CAUTION"}),
		// An agent is refused what waits for its person: that is one question, and no refusal.
		"3 commands: 3 REVIEW (1 asked, 1 approved, 1 refused).": append(
			of(3, audit.Row{Kind: audit.Assessed, Tier: "REVIEW"}),
			slices.Concat(
				of(3, audit.Row{Kind: audit.Decided, Tier: "REVIEW", Decision: "deny"}), of(2, audit.Row{Kind: audit.Asked, Tier: "REVIEW", Decision: "deny"}),
				of(1, audit.Row{Kind: audit.Approved, Tier: "REVIEW", Decision: "allow"}),
			)...),
		"48 commands: 40 SAFE, 5 CAUTION (2 asked), 3 REVIEW (1 approved, 1 denied, 1 refused). 2 answers took 2 min in all, the median 2 min. " +
			"1 command failed. 1 command did not run because the world had changed since the yes.": day,
		"1 command: 1 REVIEW (1 approved). The answer took 0.4 s.": {{Kind: audit.Assessed, Tier: "REVIEW"}, {Kind: audit.Asked, Tier: "REVIEW"}, {Kind: audit.Approved, Tier: "REVIEW", WaitedMS: 400}},
	} {
		if got := tally.Session(rows); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}
