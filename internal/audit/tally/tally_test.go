package tally_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/audit/tally"
)

func TestTally(t *testing.T) {
	t.Parallel()
	var c tally.Tally
	for i, r := range []audit.Row{
		{Kind: audit.Begun},
		{Kind: audit.Assessed, Tier: "SAFE", Agent: "a", Session: "s", Programs: []string{"ls"}},
		{Kind: audit.Decided, Tier: "SAFE", Decision: "allow", Rule: "tier"},
		{Kind: audit.Finished, Tier: "SAFE", Outcome: &audit.Outcome{Code: 0}},
		{Kind: audit.Assessed, Tier: "REVIEW", Agent: "b", Session: "t", Programs: []string{"ls", "rm"}, ASI: []string{"ASI02"}},
		{Kind: audit.Decided, Tier: "REVIEW", Decision: "ask", Rule: "mine"},
		{Kind: audit.Asked, Tier: "REVIEW"},
		{Kind: audit.Approved, Tier: "REVIEW", WaitedMS: 900},
		{Kind: audit.Denied, Tier: "REVIEW", WaitedMS: 1900},
		{Kind: audit.Denied, Tier: "REVIEW", WaitedMS: 2900},
		{Kind: audit.Drifted, Tier: "REVIEW"},
		{Kind: audit.Started, Tier: "REVIEW"},
		{Kind: audit.Finished, Tier: "REVIEW", Outcome: &audit.Outcome{Code: 3}},
		{Kind: audit.Decided, Tier: "CAUTION", Decision: "deny", Rule: "mine"},
		{Kind: audit.Assessed, Tier: "a later tier"},
	} {
		r.Time = audit.Stamp(100 - i)
		c.Add(&r)
	}
	want := tally.Report{
		Rows: 15, From: 86, To: 100, Sessions: 2, Commands: 3, Questions: 100.0 / 3,
		Tiers: []tally.Tier{
			{Tier: "SAFE", Commands: 1, Allowed: 1, MedianWaitMS: -1},
			{Tier: "CAUTION", Refused: 1, MedianWaitMS: -1},
			{Tier: "REVIEW", Commands: 1, Asked: 1, Approved: 1, Denied: 2, MedianWaitMS: 1900},
		},
		Outcomes: tally.Ended{Finished: 2, Failed: 1}, Drifted: 1,
		Agents:   []tally.Count{{Name: "a", Count: 1}, {Name: "b", Count: 1, Review: 1}},
		Programs: []tally.Count{{Name: "ls", Count: 2, Review: 1}, {Name: "rm", Count: 1, Review: 1}},
		ASI:      []tally.Count{{Name: "ASI02", Count: 1, Review: 1}},
		Rules:    []tally.Count{{Name: "mine", Count: 2, Review: 1}, {Name: "tier", Count: 1}},
	}
	if d := cmp.Diff(want, c.Report()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	var none tally.Tally
	if r := none.Report(); r.Rows != 0 || len(r.Tiers) != 3 || r.Agents == nil || r.Questions != 0 {
		t.Errorf("%+v", r)
	}
}
