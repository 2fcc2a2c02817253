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
	for action, want := range map[policy.Action]string{
		policy.Leave: "",
		policy.Allow: "[REVIEW] Does something.",
		policy.Ask:   "[REVIEW] Does something.\nSafer: safer \\x1b[2J  (it is)",
		policy.Deny:  "[REVIEW] Does something.\nheed lets no agent write a disk. If it is meant all the same, a person can do it in a terminal: heed run -- COMMAND.",
	} {
		d := policy.Decision{Action: action}
		if action == policy.Deny {
			d.Never = "write a disk"
		}
		if got := agent.AnswerTo(&a, d); got.Decision != action || got.Reason != want {
			t.Errorf("%s: %q, want %q", action, got, want)
		}
	}
	long := risk.Assessment{Tier: risk.Review, Safer: []risk.Safer{{Command: strings.Repeat("x", 1000)}, {Command: "short"}}}
	if got := agent.AnswerTo(&long, policy.Decision{Action: policy.Ask}); !strings.Contains(got.Reason, "Safer: short") {
		t.Errorf("a command that is too long to read is offered: %q", got.Reason)
	}
}
