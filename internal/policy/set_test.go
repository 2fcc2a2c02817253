package policy_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// doing is an assessment of programs with an effect each.
func doing(effects ...risk.Effect) risk.Assessment {
	a := risk.Assessment{}
	for i, e := range effects {
		program := e.Program
		if program == "" {
			program = "tool"
		}
		a.Invocations = append(a.Invocations, risk.Invocation{Argv: []string{"/usr/bin/" + program}, Subcommand: []string{"remote", "add"}, Options: []string{"-f", "--force"}})
		e.By.Process = i
		a.Effects = append(a.Effects, e)
		if e.Tier > a.Tier {
			a.Tier = e.Tier
		}
		if e.Level > a.Level {
			a.Level = e.Level
		}
	}
	a.Verdict = [...]risk.Verdict{risk.Allow, risk.Warn, risk.Block}[a.Level]
	return a
}

func fetch() risk.Effect {
	return risk.Effect{Verb: risk.NetFetch, Target: "https://example.org/a", Program: "curl", Tier: risk.Caution, Level: risk.B}
}

func lose() risk.Effect {
	return risk.Effect{Verb: risk.FSDelete, Target: "/w/data", Program: "rm", Scope: risk.InWorkspace, Reversible: risk.Lost, Tier: risk.Review, Level: risk.C}
}

// TestRules is what rules of each layer come to.
func TestRules(t *testing.T) {
	t.Parallel()
	rule := func(layer policy.Layer, action policy.Action, m policy.Match) policy.Rule {
		return policy.Rule{ID: layer.String(), Layer: layer, Action: action, Match: m}
	}
	fetches := policy.Match{Verb: []string{"net.*"}, Host: []string{"example.org"}}
	for _, c := range []struct {
		name  string
		rules []policy.Rule
		do    risk.Assessment
		want  policy.Action
	}{
		{"no rule", nil, doing(fetch()), policy.Leave},
		{"allowed", []policy.Rule{rule(policy.User, policy.Allow, fetches)}, doing(fetch()), policy.Allow},
		{"allowed, and more is done", []policy.Rule{rule(policy.User, policy.Allow, fetches)}, doing(fetch(), lose()), policy.Ask},
		{"another host", []policy.Rule{rule(policy.User, policy.Allow, policy.Match{Host: []string{"other.org"}})}, doing(fetch()), policy.Leave},
		{"a workspace allows nothing", []policy.Rule{rule(policy.Workspace, policy.Allow, fetches)}, doing(fetch()), policy.Leave},
		{"a workspace asks", []policy.Rule{rule(policy.Workspace, policy.Ask, fetches), rule(policy.OfSession, policy.Allow, fetches)}, doing(fetch()), policy.Ask},
		{"managed asks", []policy.Rule{rule(policy.Managed, policy.Ask, fetches), rule(policy.User, policy.Allow, fetches)}, doing(fetch()), policy.Ask},
		{"the user overrules a managed yes", []policy.Rule{rule(policy.Managed, policy.Allow, fetches), rule(policy.User, policy.Ask, fetches)}, doing(fetch()), policy.Ask},
		{"the session overrules the user", []policy.Rule{rule(policy.User, policy.Ask, fetches), rule(policy.OfSession, policy.Allow, fetches)}, doing(fetch()), policy.Allow},
		{"a denial wins", []policy.Rule{rule(policy.User, policy.Deny, fetches), rule(policy.OfSession, policy.Allow, fetches)}, doing(fetch()), policy.Deny},
		{"REVIEW is allowed only by name", []policy.Rule{rule(policy.User, policy.Allow, policy.Match{Verb: []string{"fs.delete"}})}, doing(lose()), policy.Ask},
		{"REVIEW by name", []policy.Rule{rule(policy.User, policy.Allow, policy.Match{Verb: []string{"fs.delete"}, Tier: []string{"REVIEW"}})}, doing(lose()), policy.Allow},
		{"a program", []policy.Rule{rule(policy.User, policy.Deny, policy.Match{Program: []string{"cu*"}})}, doing(fetch()), policy.Deny},
		{"another program", []policy.Rule{rule(policy.User, policy.Deny, policy.Match{Program: []string{"wget"}})}, doing(fetch()), policy.Leave},
		{"a subcommand", []policy.Rule{rule(policy.User, policy.Deny, policy.Match{Subcommand: []string{"remote"}})}, doing(fetch()), policy.Deny},
		{"a longer subcommand", []policy.Rule{rule(policy.User, policy.Deny, policy.Match{Subcommand: []string{"remote add x"}})}, doing(fetch()), policy.Leave},
		{"an option by another name", []policy.Rule{rule(policy.User, policy.Deny, policy.Match{Option: []string{"--force"}})}, doing(fetch()), policy.Deny},
		{"a target", []policy.Rule{rule(policy.User, policy.Deny, policy.Match{Target: []string{"/w/*"}})}, doing(fetch(), lose()), policy.Deny},
		{"keys of two effects", []policy.Rule{rule(policy.User, policy.Deny, policy.Match{Verb: []string{"net.fetch"}, Target: []string{"/w/*"}})}, doing(fetch(), lose()), policy.Ask},
	} {
		set := policy.Set{Rules: c.rules}
		if got := set.Decide(&c.do, policy.Session{Front: policy.Agent, Home: "/home/u"}); got.Action != c.want {
			t.Errorf("%s: %s by %s, want %s", c.name, got.Action, got.Rule, c.want)
		}
	}
}

// TestUntil: a rule ends with its day; where the day is not known only what
// loosens has ended.
func TestUntil(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		action policy.Action
		today  string
		want   policy.Action
	}{
		{policy.Allow, "2027-01-31", policy.Allow},
		{policy.Allow, "2027-02-01", policy.Leave},
		{policy.Allow, "", policy.Leave},
		{policy.Deny, "2027-01-31", policy.Deny},
		{policy.Deny, "2027-02-01", policy.Leave},
		{policy.Deny, "", policy.Deny},
	} {
		set := policy.Set{Rules: []policy.Rule{{ID: "x", Layer: policy.User, Action: c.action, Until: "2027-01-31"}}}
		a := doing(fetch())
		if got := set.Decide(&a, policy.Session{Today: c.today}); got.Action != c.want {
			t.Errorf("%s on %q: %s, want %s", c.action, c.today, got.Action, c.want)
		}
	}
}

// TestBrokenAsks: what cannot be read allows nothing, and never takes a denial away.
func TestBrokenAsks(t *testing.T) {
	t.Parallel()
	harmless, never := risk.Assessment{}, doing(risk.Effect{Verb: risk.Exhaust, Kind: risk.KindForkBomb, Tier: risk.Review, Level: risk.C})
	for _, set := range []policy.Set{{Broken: []string{"policy.yaml:3: no such key"}}, {Asks: true}} {
		if got := set.Decide(&harmless, policy.Session{}); got.Action != policy.Ask {
			t.Errorf("%+v: %s, want ask", set, got.Action)
		}
		if got := set.Decide(&never, policy.Session{}); got.Action != policy.Deny || got.Final {
			t.Errorf("%+v: %s, final %t; want a denial that a person may overrule", set, got.Action, got.Final)
		}
	}
}

// TestMoreIsNeverLess: one more program, one more effect of a higher tier, a
// broken file or one more rule that asks or denies never loosens a decision.
func TestMoreIsNeverLess(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	order := []policy.Action{policy.Allow, policy.Leave, policy.Ask, policy.Deny}
	effects := func() (all []risk.Effect) {
		for range 1 + r.IntN(3) {
			e := [...]risk.Effect{fetch(), lose(), {Verb: risk.FSRead, Target: "/w/a"}, {Verb: risk.FSCreate, Target: "/w/b", Tier: risk.Caution}}[r.IntN(4)]
			all = append(all, e)
		}
		return all
	}
	rules := func(actions ...policy.Action) (all []policy.Rule) {
		for range r.IntN(4) {
			m := [...]policy.Match{{}, {Verb: []string{"net.*"}}, {Program: []string{"rm"}}, {Tier: []string{"REVIEW"}}, {Scope: []string{"workspace"}}}[r.IntN(5)]
			all = append(all, policy.Rule{ID: "x", Layer: policy.Layer(1 + r.IntN(4)), Action: actions[r.IntN(len(actions))], Match: m})
		}
		return all
	}
	for range 20_000 {
		set := policy.Set{Rules: rules(policy.Allow, policy.Ask, policy.Deny)}
		at := policy.Session{Front: policy.Front(r.IntN(2)), Home: "/home/u"}
		few := effects()
		a := doing(few...)
		before := set.Decide(&a, at)
		more := doing(append(slices.Clone(few), effects()...)...)
		workspace := rules(policy.Allow, policy.Ask, policy.Deny)
		for i := range workspace {
			workspace[i].Layer = policy.Workspace
		}
		for name, after := range map[string]policy.Decision{
			"more is done":             set.Decide(&more, at),
			"a file is broken":         (&policy.Set{Rules: set.Rules, Broken: []string{"x"}}).Decide(&a, at),
			"a workspace has its say":  (&policy.Set{Rules: append(slices.Clone(set.Rules), workspace...)}).Decide(&a, at),
			"a denial of anybody's":    (&policy.Set{Rules: append(slices.Clone(set.Rules), policy.Rule{Layer: policy.Layer(1 + r.IntN(4)), Action: policy.Deny, Match: policy.Match{Program: []string{"curl"}}})}).Decide(&a, at),
			"a managed rule that asks": (&policy.Set{Rules: append(slices.Clone(set.Rules), policy.Rule{Layer: policy.Managed, Action: policy.Ask, Match: policy.Match{Program: []string{"curl"}}})}).Decide(&a, at),
		} {
			if slices.Index(order, after.Action) < slices.Index(order, before.Action) {
				t.Fatalf("%s: %s became %s\nrules %+v\neffects %+v", name, before.Action, after.Action, set.Rules, few)
			}
		}
	}
}

// BenchmarkDecide is one decision by 200 rules about a command of two programs.
func BenchmarkDecide(b *testing.B) {
	set := policy.Set{}
	for i := range 200 {
		set.Rules = append(set.Rules, policy.Rule{ID: "x", Layer: policy.User, Action: policy.Action(1 + i%3), Match: policy.Match{Verb: []string{"remote.*"}, Cluster: []string{"prod*"}}})
	}
	a := doing(fetch(), lose())
	b.ReportAllocs()
	for b.Loop() {
		set.Decide(&a, policy.Session{Front: policy.Agent, Home: "/home/u"})
	}
}

// TestANameIsNoFile: a yes to a program by its name is none to any file of that name.
func TestANameIsNoFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		argv, target string
		scope        risk.Scope
		match        policy.Match
		want         policy.Action
	}{
		{"tool", "tool", "", policy.Match{Program: []string{"tool"}}, policy.Allow},
		{"tool", "/home/u/.local/bin/tool", risk.InHome, policy.Match{Program: []string{"tool"}}, policy.Allow},
		{"/opt/x/tool", "/opt/x/tool", risk.InSystem, policy.Match{Program: []string{"tool"}}, policy.Allow},
		{"/tmp/x/tool", "/tmp/x/tool", risk.InTemp, policy.Match{Program: []string{"tool"}}, policy.Leave},
		{"tool", "/tmp/x/tool", risk.InTemp, policy.Match{Program: []string{"tool"}}, policy.Leave}, // PATH=/tmp/x:$PATH
		{"./tool", "/w/tool", risk.InWorkspace, policy.Match{Program: []string{"tool"}}, policy.Leave},
		{"/home/u/Downloads/tool", "/home/u/Downloads/tool", risk.InHome, policy.Match{Program: []string{"*"}}, policy.Leave},
		{"./tool", "/w/tool", risk.InWorkspace, policy.Match{Program: []string{"tool"}, Verb: []string{"exec.project"}}, policy.Allow},
		{"./tool", "/w/tool", risk.InWorkspace, policy.Match{Program: []string{"tool"}, Scope: []string{"workspace"}}, policy.Allow},
		{"tool", "/w/build.mk", risk.InWorkspace, policy.Match{Program: []string{"tool"}}, policy.Allow}, // what it was told to run
	} {
		a := risk.Assessment{
			Tier: risk.Caution, Level: risk.B, Verdict: risk.Warn, Invocations: []risk.Invocation{{Argv: []string{c.argv}}},
			Effects: []risk.Effect{{Verb: risk.ExecProject, Target: c.target, Scope: c.scope, Tier: risk.Caution, Level: risk.B}},
		}
		set := policy.Set{Rules: []policy.Rule{{ID: "r", Layer: policy.User, Action: policy.Allow, Match: c.match}}}
		if got := set.Decide(&a, policy.Session{Front: policy.Agent}); got.Action != c.want {
			t.Errorf("%+v: %s", c, got.Action)
		}
		// A rule that denies holds for every file of the name.
		set.Rules[0].Action = policy.Deny
		if got := set.Decide(&a, policy.Session{Front: policy.Agent}); got.Action != policy.Deny {
			t.Errorf("%+v: denied: %s", c, got.Action)
		}
	}
}
