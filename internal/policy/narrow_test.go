package policy_test

import (
	"testing"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

func deedOf(effects ...risk.Effect) *risk.Assessment {
	a := &risk.Assessment{Invocations: []risk.Invocation{{Argv: []string{"/usr/bin/npm", "install", "left-pad"}, Subcommand: []string{"install"}}}}
	for _, e := range effects {
		a.Tier, a.Level = max(a.Tier, e.Tier), max(a.Level, e.Level)
		a.Effects = append(a.Effects, e)
	}
	return a
}

// TestNarrow: the narrowest rule covers what it was made of, and no neighbour.
func TestNarrow(t *testing.T) {
	t.Parallel()
	install := risk.Effect{Verb: risk.PkgInstall, Target: "left-pad", Tier: risk.Caution, Level: risk.B}
	a := deedOf(install, risk.Effect{Verb: risk.FSWrite, Target: "/w/package.json", Tier: risk.Caution, Level: risk.A})
	deed := policy.Deeds(a)[0]
	r, ok := policy.Narrow(&deed, "2026-11-26")
	if !ok {
		t.Fatal("there is no rule")
	}
	r.Layer = policy.User
	set := &policy.Set{Rules: []policy.Rule{r}}
	at := policy.Session{Front: policy.Run, Today: "2026-11-26"}
	if d := set.Decide(a, at); d.Action != policy.Allow || d.Rule != r.ID {
		t.Errorf("%s by %s", d.Action, d.Rule)
	}
	other := install
	other.Target = "right-pad"
	worse := install
	worse.Tier, worse.Level = risk.Review, risk.C
	for name, neighbour := range map[string]*risk.Assessment{
		"another target": deedOf(other), "both": deedOf(install, other), "REVIEW": deedOf(worse),
		"another deed": deedOf(risk.Effect{Verb: risk.PkgRemove, Target: "left-pad", Tier: risk.Caution, Level: risk.B}),
	} {
		if d := set.Decide(neighbour, at); d.Action == policy.Allow {
			t.Errorf("%s is allowed by %s", name, d.Rule)
		}
	}
	at.Today = "2026-11-27"
	if d := set.Decide(a, at); d.Action == policy.Allow {
		t.Error("it holds beyond its day")
	}
	for name, none := range map[string]*risk.Assessment{
		"REVIEW": deedOf(worse), "harmless": deedOf(), "many": deedOf(risk.Effect{Verb: risk.FSDelete, Target: "/w", Many: true, Tier: risk.Caution, Level: risk.B}),
		"not known": deedOf(risk.Effect{Verb: risk.NetSend, Target: "/w", Unresolved: "$X", Tier: risk.Caution, Level: risk.B}),
		"a star":    deedOf(risk.Effect{Verb: risk.PkgInstall, Target: "*", Tier: risk.Caution, Level: risk.B}),
		"blind":     deedOf(risk.Effect{Verb: risk.Blind, Target: "x", Tier: risk.Caution, Level: risk.B}),
	} {
		deed := policy.Deeds(none)[0]
		if r, ok := policy.Narrow(&deed, ""); ok {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
