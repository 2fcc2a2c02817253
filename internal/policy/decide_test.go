package policy_test

import (
	"reflect"
	"testing"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// TestDecideByBand is what each band comes to at each front.
func TestDecideByBand(t *testing.T) {
	t.Parallel()
	for band, want := range map[risk.Band]map[policy.Front]policy.Decision{
		risk.BandSafe:     {policy.Agent: {Action: policy.Allow, Rule: "builtin.safe"}, policy.Run: {Action: policy.Allow, Rule: "builtin.safe"}},
		risk.BandCautionA: {policy.Agent: {Action: policy.Allow, Rule: "builtin.low-impact"}, policy.Run: {Action: policy.Allow, Rule: "builtin.low-impact"}},
		risk.BandCautionB: {policy.Agent: {Action: policy.Leave, Rule: "builtin.caution"}, policy.Run: {Action: policy.Ask, Rule: "builtin.caution"}, policy.Alone: {Action: policy.Allow, Warn: true, Rule: "builtin.caution"}},
		risk.BandReview:   {policy.Agent: {Action: policy.Ask, Consent: policy.Typed, Rule: "builtin.review"}, policy.Run: {Action: policy.Ask, Consent: policy.Typed, Rule: "builtin.review"}, policy.Alone: {Action: policy.Ask, Consent: policy.Typed, Rule: "builtin.review"}},
	} {
		a := risk.Assessment{Tier: band.Tier(), Level: band.Level(), Verdict: band.Verdict()}
		for front, want := range want {
			got := policy.Decide(&a, policy.Session{Front: front, Home: "/home/u"})
			if got.Parts = nil; !reflect.DeepEqual(got, want) {
				t.Errorf("%s at front %d: %+v, want %+v", band, front, got, want)
			}
		}
	}
}

// TestConfined: what the rules want confined is what of these bands is allowed, and
// nothing else.
func TestConfined(t *testing.T) {
	t.Parallel()
	set := policy.Set{}
	set.Confine[risk.BandSafe], set.Confine[risk.BandCautionA] = true, true
	asks := set
	asks.Asks = true
	for band, want := range map[risk.Band]bool{risk.BandSafe: true, risk.BandCautionA: true, risk.BandCautionB: false, risk.BandReview: false} {
		a := risk.Assessment{Tier: band.Tier(), Level: band.Level(), Verdict: band.Verdict()}
		if got := set.Decide(&a, policy.Session{Front: policy.Alone}); got.Confined != want {
			t.Errorf("%s: confined %t", band, got.Confined)
		}
		if got := asks.Decide(&a, policy.Session{Front: policy.Alone}); got.Confined {
			t.Errorf("%s, which is asked about, is confined without an answer", band)
		}
		if got := policy.Decide(&a, policy.Session{Front: policy.Alone}); got.Confined {
			t.Errorf("%s is confined though nobody wants it", band)
		}
	}
}

// TestRewrite: what an agent that the rules name is let run as SAFE, and nothing else.
func TestRewrite(t *testing.T) {
	t.Parallel()
	set := policy.Set{ConfineAgents: []string{"codex"}}
	for _, c := range []struct {
		band  risk.Band
		front policy.Front
		agent string
		want  bool
	}{
		{risk.BandSafe, policy.Agent, "codex", true},
		{risk.BandSafe, policy.Agent, "claude-code", false},
		{risk.BandSafe, policy.Alone, "codex", false},
		{risk.BandCautionA, policy.Agent, "codex", false},
	} {
		a := risk.Assessment{Tier: c.band.Tier(), Level: c.band.Level(), Verdict: c.band.Verdict()}
		if got := set.Decide(&a, policy.Session{Front: c.front, Agent: c.agent}); got.Rewrite != c.want {
			t.Errorf("%+v: %t", c, got.Rewrite)
		}
	}
}

// TestTheStrictestCounts: an assessment whose parts contradict each other, or
// that was not possible, is taken at its worst.
func TestTheStrictestCounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		a    risk.Assessment
		want policy.Action
	}{
		"nothing":             {risk.Assessment{}, policy.Allow},
		"only the tier":       {risk.Assessment{Tier: risk.Review}, policy.Ask},
		"only the level":      {risk.Assessment{Level: risk.C}, policy.Ask},
		"only the verdict":    {risk.Assessment{Verdict: risk.Block}, policy.Ask},
		"a click":             {risk.Assessment{Level: risk.B}, policy.Leave},
		"a warning":           {risk.Assessment{Verdict: risk.Warn}, policy.Leave},
		"not assessed":        {risk.Assessment{Error: "a fault"}, policy.Ask},
		"a tier to come":      {risk.Assessment{Tier: risk.Review + 1}, policy.Ask},
		"never, and harmless": {risk.Assessment{Effects: []risk.Effect{{Verb: risk.Exhaust, Kind: risk.KindForkBomb}}}, policy.Deny},
	} {
		if got := policy.Decide(&c.a, policy.Session{}); got.Action != c.want {
			t.Errorf("%s: %s, want %s", name, got.Action, c.want)
		}
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
		want   policy.Action
	}{
		{"rm -rf /", del(func(*risk.Effect) {}), policy.Deny},
		{"sudo rm -rf /", del(func(e *risk.Effect) { e.Privileged, e.Via = true, []string{"sudo"} }), policy.Deny},
		{"rm -rf /*", del(func(e *risk.Effect) { e.Many, e.Pattern = true, "/*" }), policy.Deny},
		{"rm -rf / behind a condition", del(func(e *risk.Effect) {
			e.Certainty, e.Reached = risk.Possible, risk.Condition{Kind: risk.IfTrue, Of: "x"}
		}), policy.Deny},
		{"rm -rf ~", del(func(e *risk.Effect) { e.Target, e.Scope = home, risk.InHome }), policy.Deny},
		{"rm -rf ~ where home is the workspace", del(func(e *risk.Effect) { e.Target, e.Scope = home, risk.InWorkspace }), policy.Deny},
		{`rm -rf "$UNSET"/*`, del(func(e *risk.Effect) { e.Unresolved, e.Cause = "$UNSET", risk.CauseUnset }), policy.Ask},
		{"rmdir ~", del(func(e *risk.Effect) { e.Target, e.Recursive = home, false }), policy.Ask},
		{"find ~ -name x -delete", del(func(e *risk.Effect) { e.Target, e.Kind = home, risk.KindFind }), policy.Ask},
		{"rsync --delete empty/ /", del(func(e *risk.Effect) { e.Kind = risk.KindWhatTheSourceLacks }), policy.Ask},
		{"rm -rf . in the workspace", del(func(e *risk.Effect) { e.Target, e.Scope = "/home/u/p", risk.InWorkspace }), policy.Ask},
		{"rm -rf /tmp", del(func(e *risk.Effect) { e.Target, e.Scope = "/tmp", risk.InTemp }), policy.Ask},
		{"rm -rf /etc", del(func(e *risk.Effect) { e.Target, e.Root = "/etc", false }), policy.Ask},
		{"docker run img rm -rf /", del(func(e *risk.Effect) { e.Host, e.Scope = "img", risk.IsRemote }), policy.Ask},

		{"a fork bomb", risk.Effect{Verb: risk.Exhaust, Kind: risk.KindForkBomb}, policy.Deny},
		{"jobs in a loop", risk.Effect{Verb: risk.Exhaust, Kind: risk.KindJobsWithoutEnd}, policy.Ask},

		{"mkfs /dev/sdb1", risk.Effect{Verb: risk.DiskWrite, Target: "/dev/sdb1", Scope: risk.IsDevice}, policy.Deny},
		{"diskutil eraseDisk", risk.Effect{Verb: risk.DiskWrite}, policy.Deny},
		{"mkfs /dev/loop0", risk.Effect{Verb: risk.DiskWrite, Target: "/dev/loop0", Scope: risk.IsDevice}, policy.Ask},
		{"ssh host mkfs /dev/sda", risk.Effect{Verb: risk.DiskWrite, Target: "/dev/sda", Host: "host"}, policy.Ask},
		{"dd of=/dev/nvme0n1", risk.Effect{Verb: risk.FSWrite, Target: "/dev/nvme0n1", Scope: risk.IsDevice}, policy.Deny},
		{"dd of=/dev/mapper/root", risk.Effect{Verb: risk.FSWrite, Target: "/dev/mapper/root", Scope: risk.IsDevice}, policy.Deny},
		{"echo > /dev/ttyUSB0", risk.Effect{Verb: risk.FSWrite, Target: "/dev/ttyUSB0", Scope: risk.IsDevice}, policy.Ask},
		{"a file called sda", risk.Effect{Verb: risk.FSWrite, Target: "/home/u/dev/sda", Scope: risk.InHome}, policy.Ask},
		{"cat /dev/sda", risk.Effect{Verb: risk.FSRead, Target: "/dev/sda", Scope: risk.IsDevice}, policy.Ask},
	} {
		// It counts wherever it stands among the effects.
		a := risk.Assessment{Tier: risk.Review, Level: risk.C, Summary: "Does it.", Effects: []risk.Effect{{Verb: risk.FSRead, Target: "/"}, c.effect}}
		for _, front := range []policy.Front{policy.Agent, policy.Run} {
			got := policy.Decide(&a, policy.Session{Front: front, Home: home})
			if got.Action != c.want {
				t.Errorf("%s at front %d: %s, want %s", c.name, front, got.Action, c.want)
			}
			if (got.Never != "") != (got.Action == policy.Deny) || got.Rule == "" {
				t.Errorf("%s: the decision says %+v", c.name, got)
			}
		}
	}
	// Without a home directory nothing is taken for one.
	a := risk.Assessment{Tier: risk.Review, Effects: []risk.Effect{del(func(e *risk.Effect) { e.Target = "." })}}
	if got := policy.Decide(&a, policy.Session{}); got.Action != policy.Ask {
		t.Errorf("without a home: %s", got.Action)
	}
}
