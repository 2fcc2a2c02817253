package rulefile_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
	"github.com/heedsh/heed/risk"
)

const good = `preset: careful
rules:
  - id: no-prod
    action: deny
    match:
      verb: [remote.destroy, remote.change]
      cluster: "prod*"
    except: {program: kubectl, subcommand: get}
    reason: production is changed by the pipeline
    owner: platform@example.org
    until: 2027-01-31
    examples:
      match: [kubectl --context prod-eu delete ns web]
      not: kubectl get pods
`

// TestParse reads every key.
func TestParse(t *testing.T) {
	t.Parallel()
	f, err := rulefile.Parse("policy.yaml", []byte(good), policy.User)
	if err != nil {
		t.Fatal(err)
	}
	r := f.Rules[0]
	if f.Preset != "careful" || len(f.Rules) != 1 || r.Action != policy.Deny || r.Layer != policy.User || r.Line != 3 || r.File != "policy.yaml" ||
		len(r.Match.Verb) != 2 || r.Match.Cluster[0] != "prod*" || r.Except.Program[0] != "kubectl" || r.Until != "2027-01-31" || len(r.Examples.Not) != 1 {
		t.Errorf("%+v", f)
	}
	for _, empty := range []string{"", "# nothing\n", "rules: []\n"} {
		if f, err := rulefile.Parse("x", []byte(empty), policy.Workspace); err != nil || len(f.Rules) != 0 {
			t.Errorf("%q: %+v, %v", empty, f, err)
		}
	}
}

// TestFaults: each says in which line it is.
func TestFaults(t *testing.T) {
	t.Parallel()
	rule := func(lines string) string { return "rules:\n  - id: x\n" + lines }
	for _, c := range []struct {
		text  string
		layer policy.Layer
		want  string
	}{
		{"rules: [", policy.User, "p.yaml:2: this is no YAML"},
		{"rulez: []\n", policy.User, `p.yaml:1: unknown key "rulez"`},
		{"a: 1\n---\nb: 2\n", policy.User, "a second document"},
		{rule("    action: maybe\n    match: {program: rm}\n"), policy.User, `p.yaml:3: action: "maybe"`},
		{rule("    action: ask\n"), policy.User, "p.yaml:2: match: it speaks of every command"},
		{rule("    action: ask\n    match: {programme: rm}\n"), policy.User, `p.yaml:4: unknown key "programme"`},
		{rule("    action: ask\n    match: {verb: fs.remove}\n"), policy.User, `p.yaml:4: verb: there is no "fs.remove"`},
		{rule("    action: ask\n    match: {tier: review}\n"), policy.User, `tier: there is no "review"`},
		{rule("    action: ask\n    match: {program: \"\"}\n"), policy.User, "program: an empty word"},
		{rule("    action: ask\n    match: {program: rm}\n    until: tomorrow\n"), policy.User, "p.yaml:5: until: want a day"},
		{rule("    action: ask\n    match: {program: rm}\n    except: {}\n"), policy.User, "except: it takes every command out"},
		{rule("    action: allow\n    match: {program: rm}\n"), policy.Workspace, "p.yaml:3: action: a workspace can only add rules that ask or deny"},
		{"preset: careful\n", policy.Workspace, "p.yaml:1: preset: a workspace"},
		{"preset: brave\n", policy.User, `p.yaml:1: preset: there is no "brave", want careful, balanced`},
		{"ask-always: true\n", policy.User, "p.yaml:1: ask-always: only for the managed file"},
		{"confine: review\n", policy.User, `p.yaml:1: confine: "review": want safe, caution-a or both`},
		{"rules:\n  - id: a\n    action: ask\n    match: {program: make}\n    confine: true\n", policy.User, "p.yaml:5: confine: only for a rule that allows"},
		{"rules:\n  - id: a\n    action: allow\n    match: {program: make}\n    confine: safe\n", policy.User, "p.yaml:5"},
		{"confine-agents: claude-code\n", policy.Workspace, "p.yaml:1: confine-agents: a workspace changes no command"},
		{"confine-agents: ['']\n", policy.User, "p.yaml:1: confine-agents: want names of agents"},
		{"bands: {safe: {agent: allow, run: allow}}\n", policy.User, "p.yaml:1: bands: only presets"},
		{"rules:\n  - {id: x, action: ask, match: {program: rm}}\n  - {id: x, action: ask, match: {program: mv}}\n", policy.User, "p.yaml:3: the id x is taken"},
		{"rules:\n  - {id: builtin.safe, action: ask, match: {program: rm}}\n", policy.User, "p.yaml:2: id: builtin."},
		{"rules:\n  - rm\n", policy.User, "p.yaml:2: a rule is a map"},
	} {
		_, err := rulefile.Parse("p.yaml", []byte(c.text), c.layer)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	if f, err := rulefile.Parse("p.yaml", []byte("ask-always: true\n"), policy.Managed); err != nil || !f.AskAlways {
		t.Errorf("managed: %+v, %v", f, err)
	}
}

// TestPresets: each can be read, is the stricter the earlier it stands, and asks
// about REVIEW or refuses it, but for the one that only logs.
func TestPresets(t *testing.T) {
	t.Parallel()
	for _, name := range rulefile.Presets() {
		p, rules, err := rulefile.Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		fromFile, rulesOfFile, err := rulefile.ReadPreset(name)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(p, fromFile) || !reflect.DeepEqual(rules, rulesOfFile) {
			t.Errorf("%s: what was laid out is not what its file says: go generate ./internal/policy/rulefile", name)
		}
		if p.At[risk.BandSafe][policy.Run] != policy.Allow {
			t.Errorf("%s: what is harmless does not run", name)
		}
		for _, front := range []policy.Front{policy.Agent, policy.Run} {
			if a := p.At[risk.BandReview][front]; name != "log-only" && a != policy.Ask && a != policy.Deny {
				t.Errorf("%s: REVIEW comes to %s", name, a)
			}
		}
		for i := range rules {
			if r := &rules[i]; r.Reason == "" || r.Layer != policy.BuiltIn {
				t.Errorf("%s: the rule %s has no reason, or another layer", name, r.ID)
			}
		}
	}
	if _, _, err := rulefile.Preset("../presets"); err == nil {
		t.Error("a preset outside of the presets was read")
	}
}

// FuzzParse: no text of a file brings it down, and what a workspace says never
// allows.
func FuzzParse(f *testing.F) {
	f.Add(good)
	f.Add("rules: [{id: x, action: allow, match: {program: '*'}}]")
	f.Add("&a rules: *a")
	f.Fuzz(func(t *testing.T, text string) {
		got, err := rulefile.Parse("x", []byte(text), policy.Workspace)
		if err != nil {
			return
		}
		for i := range got.Rules {
			if got.Rules[i].Action == policy.Allow {
				t.Fatalf("a workspace allows: %q", text)
			}
		}
	})
}
