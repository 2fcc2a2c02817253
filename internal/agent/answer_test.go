package agent_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

func TestAnswerTo(t *testing.T) {
	t.Parallel()
	a := risk.Assessment{Tier: risk.Review, Level: risk.C, Verdict: risk.Block, Summary: "Does something.", Safer: []risk.Safer{{Command: "safer \x1b[2J", Why: "it is"}}}
	for name, c := range map[string]struct {
		d    policy.Decision
		n    agent.Note
		want policy.Action
		says string
	}{
		"left":        {policy.Decision{Action: policy.Leave}, agent.Note{}, policy.Leave, ""},
		"allowed":     {policy.Decision{Action: policy.Allow}, agent.Note{}, policy.Allow, "[REVIEW] Does something."},
		"approved":    {policy.Decision{Action: policy.Allow}, agent.Note{Approved: true}, policy.Allow, "[REVIEW] Does something.\nA person approved exactly this, once."},
		"a click":     {policy.Decision{Action: policy.Ask}, agent.Note{}, policy.Ask, "[REVIEW] Does something.\nSafer: safer \\x1b[2J  (it is)"},
		"not kept":    {policy.Decision{Action: policy.Ask}, agent.Note{Trouble: "full \x1b"}, policy.Ask, "[REVIEW] Does something.\nfull \\x1b\nSafer: safer \\x1b[2J  (it is)"},
		"consent":     {policy.Decision{Action: policy.Ask, Consent: policy.Typed}, agent.Note{Digest: "ab-cd"}, policy.Deny, "heed approve ab-cd"},
		"drifted":     {policy.Decision{Action: policy.Ask, Consent: policy.Typed}, agent.Note{Digest: "ab-cd", Changed: []string{"the file x"}}, policy.Deny, "since then this changed: the file x.\nNot run yet"},
		"no request":  {policy.Decision{Action: policy.Ask, Consent: policy.Typed}, agent.Note{}, policy.Deny, "heed run -- COMMAND"},
		"by a person": {policy.Decision{Action: policy.Ask, Consent: policy.Typed}, agent.Note{Denied: true, Reason: "not today", Digest: "ab"}, policy.Deny, "[REVIEW] Does something.\nA person denied this: not today"},
		"never":       {policy.Decision{Action: policy.Deny, Never: "write a disk"}, agent.Note{Digest: "ab"}, policy.Deny, "heed lets no agent write a disk.\nNot run yet: a person has to agree"},
		"a rule":      {policy.Decision{Action: policy.Deny, Final: true, Layer: policy.User, Rule: "r", Reason: "so."}, agent.Note{}, policy.Deny, "[REVIEW] Does something.\nDenied by the user rule r: so.\nSafer"},
	} {
		if got := agent.AnswerTo(&a, &c.d, &c.n, true); got.Decision != c.want || !strings.Contains(got.Reason, c.says) || c.says == "" && got.Reason != "" {
			t.Errorf("%s: %s %q, want %s %q", name, got.Decision, got.Reason, c.want, c.says)
		}
	}
	long := risk.Assessment{Tier: risk.Review, Safer: []risk.Safer{{Command: strings.Repeat("x", 1000)}, {Command: "short"}}}
	if got := agent.AnswerTo(&long, &policy.Decision{Action: policy.Ask}, &agent.Note{}, true); !strings.Contains(got.Reason, "Safer: short") {
		t.Errorf("a command that is too long to read is offered: %q", got.Reason)
	}
}
