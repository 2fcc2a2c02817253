package policy_test

import (
	"testing"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// TestRuleConfines: what a rule with confine lets run is confined with all that stands beside
// it; a rule that does not decide, or whose word does not, confines nothing.
func TestRuleConfines(t *testing.T) {
	t.Parallel()
	allow := func(id string, confine bool, program string) policy.Rule {
		return policy.Rule{ID: id, Layer: policy.User, Action: policy.Allow, Confine: confine, Match: policy.Match{Program: []string{program}, Verb: []string{"fs.read", "fs.write"}}}
	}
	a := risk.Assessment{
		Invocations: []risk.Invocation{{Argv: []string{"gofmt"}}, {Argv: []string{"cat"}}},
		Effects: []risk.Effect{
			{Verb: risk.FSRead, Target: "/w/a", By: risk.Maker{Process: 0}},
			{Verb: risk.FSRead, Target: "/w/b", By: risk.Maker{Process: 1}},
		},
	}
	ask := policy.Rule{ID: "ask", Layer: policy.User, Action: policy.Ask, Match: policy.Match{Program: []string{"cat"}}}
	managed := allow("plain", false, "gofmt")
	managed.Layer = policy.OfSession
	for name, test := range map[string]struct {
		rules []policy.Rule
		want  bool
	}{
		"none":            {nil, false},
		"one of two":      {[]policy.Rule{allow("a", true, "gofmt")}, true},
		"without the key": {[]policy.Rule{allow("a", false, "gofmt")}, false},
		"another program": {[]policy.Rule{allow("a", true, "make")}, false},
		"asked about":     {[]policy.Rule{allow("a", true, "gofmt"), ask}, false},
		"overruled":       {[]policy.Rule{allow("a", true, "gofmt"), managed}, false},
	} {
		set := policy.Set{Rules: test.rules}
		if d := set.Decide(&a, policy.Session{Front: policy.Alone}); d.Confined != test.want {
			t.Errorf("%s: confined %t, decided %s by %s", name, d.Confined, d.Action, d.Rule)
		}
	}
}
