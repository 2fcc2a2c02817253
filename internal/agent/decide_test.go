package agent_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/risk"
)

func TestDecideByBand(t *testing.T) {
	t.Parallel()
	for band, want := range map[risk.Band]agent.Decision{
		risk.BandSafe: agent.Allow, risk.BandCautionA: agent.Allow, risk.BandCautionB: agent.Leave, risk.BandReview: agent.Ask,
	} {
		a := risk.Assessment{Tier: band.Tier(), Level: band.Level(), Summary: "Does something.", Safer: []risk.Safer{{Command: "safer \x1b[2J", Why: "it is"}}}
		got := agent.Decide(&a, "/home/u")
		if got.Decision != want {
			t.Errorf("%s: %s, want %s", band, got.Decision, want)
		}
		if want == agent.Leave && got.Reason != "" {
			t.Errorf("%s: a reason without a decision: %q", band, got.Reason)
		}
		if want != agent.Leave && !strings.HasPrefix(got.Reason, "["+band.Tier().String()+"] Does something.") {
			t.Errorf("%s: the reason is %q", band, got.Reason)
		}
		if want == agent.Ask && (!strings.Contains(got.Reason, "\nSafer: safer ") || strings.Contains(got.Reason, "\x1b")) {
			t.Errorf("the safer command is missing or raw: %q", got.Reason)
		}
	}
	long := risk.Assessment{Tier: risk.Review, Level: risk.C, Safer: []risk.Safer{{Command: strings.Repeat("x", 1000)}, {Command: "short"}}}
	if got := agent.Decide(&long, ""); !strings.Contains(got.Reason, "Safer: short") {
		t.Errorf("a command that is too long to read is offered: %q", got.Reason)
	}
}

// TestNeverMeant is the table of what is denied, with its neighbours that are
// only asked about.
func TestNeverMeant(t *testing.T) {
	t.Parallel()
	const home = "/home/u"
	del := func(change func(*risk.Effect)) risk.Effect {
		e := risk.Effect{Verb: risk.FSDelete, Target: "/", Scope: risk.InSystem, Recursive: true, Root: true, Certainty: risk.Certain}
		change(&e)
		return e
	}
	for _, c := range []struct {
		name   string
		effect risk.Effect
		want   agent.Decision
	}{
		{"rm -rf /", del(func(*risk.Effect) {}), agent.Deny},
		{"sudo rm -rf /", del(func(e *risk.Effect) { e.Privileged, e.Via = true, []string{"sudo"} }), agent.Deny},
		{"rm -rf /*", del(func(e *risk.Effect) { e.Many, e.Pattern = true, "/*" }), agent.Deny},
		{"rm -rf / behind a condition", del(func(e *risk.Effect) {
			e.Certainty, e.Reached = risk.Possible, risk.Condition{Kind: risk.IfTrue, Of: "x"}
		}), agent.Deny},
		{"rm -rf ~", del(func(e *risk.Effect) { e.Target, e.Scope = home, risk.InHome }), agent.Deny},
		{"rm -rf ~ where home is the workspace", del(func(e *risk.Effect) { e.Target, e.Scope = home, risk.InWorkspace }), agent.Deny},
		{`rm -rf "$UNSET"/*`, del(func(e *risk.Effect) { e.Unresolved, e.Cause = "$UNSET", risk.CauseUnset }), agent.Ask},
		{"rmdir ~", del(func(e *risk.Effect) { e.Target, e.Recursive = home, false }), agent.Ask},
		{"find ~ -name x -delete", del(func(e *risk.Effect) { e.Target, e.Kind = home, risk.KindFind }), agent.Ask},
		{"rsync --delete empty/ /", del(func(e *risk.Effect) { e.Kind = risk.KindWhatTheSourceLacks }), agent.Ask},
		{"rm -rf . in the workspace", del(func(e *risk.Effect) { e.Target, e.Scope = "/home/u/p", risk.InWorkspace }), agent.Ask},
		{"rm -rf /tmp", del(func(e *risk.Effect) { e.Target, e.Scope = "/tmp", risk.InTemp }), agent.Ask},
		{"rm -rf /etc", del(func(e *risk.Effect) { e.Target, e.Root = "/etc", false }), agent.Ask},
		{"docker run img rm -rf /", del(func(e *risk.Effect) { e.Host, e.Scope = "img", risk.IsRemote }), agent.Ask},

		{"a fork bomb", risk.Effect{Verb: risk.Exhaust, Kind: risk.KindForkBomb}, agent.Deny},
		{"jobs in a loop", risk.Effect{Verb: risk.Exhaust, Kind: risk.KindJobsWithoutEnd}, agent.Ask},

		{"mkfs /dev/sdb1", risk.Effect{Verb: risk.DiskWrite, Target: "/dev/sdb1", Scope: risk.IsDevice}, agent.Deny},
		{"diskutil eraseDisk", risk.Effect{Verb: risk.DiskWrite}, agent.Deny},
		{"mkfs /dev/loop0", risk.Effect{Verb: risk.DiskWrite, Target: "/dev/loop0", Scope: risk.IsDevice}, agent.Ask},
		{"ssh host mkfs /dev/sda", risk.Effect{Verb: risk.DiskWrite, Target: "/dev/sda", Host: "host"}, agent.Ask},
		{"dd of=/dev/nvme0n1", risk.Effect{Verb: risk.FSWrite, Target: "/dev/nvme0n1", Scope: risk.IsDevice}, agent.Deny},
		{"dd of=/dev/mapper/root", risk.Effect{Verb: risk.FSWrite, Target: "/dev/mapper/root", Scope: risk.IsDevice}, agent.Deny},
		{"echo > /dev/ttyUSB0", risk.Effect{Verb: risk.FSWrite, Target: "/dev/ttyUSB0", Scope: risk.IsDevice}, agent.Ask},
		{"a file called sda", risk.Effect{Verb: risk.FSWrite, Target: "/home/u/dev/sda", Scope: risk.InHome}, agent.Ask},
		{"cat /dev/sda", risk.Effect{Verb: risk.FSRead, Target: "/dev/sda", Scope: risk.IsDevice}, agent.Ask},
	} {
		// It counts wherever it stands among the effects.
		a := risk.Assessment{Tier: risk.Review, Level: risk.C, Summary: "Does it.", Effects: []risk.Effect{{Verb: risk.FSRead, Target: "/"}, c.effect}}
		got := agent.Decide(&a, home)
		if got.Decision != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.Decision, c.want)
		}
		if got.Decision == agent.Deny && !strings.Contains(got.Reason, "a person can") {
			t.Errorf("%s: the refusal shows no way on: %q", c.name, got.Reason)
		}
	}
	// Without a home directory nothing is taken for one.
	a := risk.Assessment{Tier: risk.Review, Effects: []risk.Effect{del(func(e *risk.Effect) { e.Target = "." })}}
	if got := agent.Decide(&a, ""); got.Decision != agent.Ask {
		t.Errorf("without a home: %s", got.Decision)
	}
}
