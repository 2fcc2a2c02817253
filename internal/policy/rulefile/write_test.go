package rulefile_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
)

// all is a rule that says everything that a rule can say.
func all() policy.Rule {
	return policy.Rule{
		ID: "a.b-1", Layer: policy.User, Action: policy.Deny,
		Match: policy.Match{
			Program: []string{"git", "g*"}, Subcommand: []string{"remote add"}, Option: []string{"--force", "-f"}, Verb: []string{"fs.*"}, Scope: []string{"home"}, Target: []string{"/a b/*"},
			Host: []string{"*.example.com"}, Branch: []string{"true"}, Cluster: []string{"null"}, Reversible: []string{"lost"}, Tier: []string{"REVIEW"}, Level: []string{"C"},
			Provenance: []string{"web_content"}, Agent: []string{"x: y"},
		},
		Except: &policy.Match{Program: []string{"1"}},
		Reason: "\"so\" it is: a # b\t\u202e é", Owner: "- me", Until: "2027-01-31",
		Examples: policy.Examples{Match: []string{"a 'b' \"c\" \\d", "{x}"}, Not: []string{"[y], z"}},
	}
}

// TestTextIsReadAgain: what is written is read as what it was.
func TestTextIsReadAgain(t *testing.T) {
	t.Parallel()
	rules := []policy.Rule{all(), {ID: "other", Layer: policy.User, Action: policy.Allow, Match: policy.Match{Program: []string{"ls"}}}}
	for _, indent := range []int{0, 2, 5} {
		text := "rules:\n" + rulefile.Text(rules, indent)
		f, err := rulefile.Parse("f", []byte(text), policy.User)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := cmp.Diff(rules, f.Rules, cmpopts.IgnoreFields(policy.Rule{}, "File", "Line")); d != "" {
			t.Errorf("%s\n%s", d, text)
		}
	}
}

func TestAppend(t *testing.T) {
	t.Parallel()
	rules := []policy.Rule{
		{ID: "one", Layer: policy.User, Action: policy.Ask, Match: policy.Match{Program: []string{"ls"}}},
		{ID: "new", Layer: policy.User, Action: policy.Allow, Match: policy.Match{Program: []string{"git"}, Subcommand: []string{"fetch", "pull"}}, Reason: "so"},
	}
	const one = "  - id: one\n    action: ask\n    match: {program: ls}\n"
	const added = "  - id: new\n    action: allow\n    match: {program: git, subcommand: [fetch, pull]}\n    reason: so\n"
	for name, c := range map[string]struct{ text, want string }{
		"nothing":             {"", "rules:\n" + one + added},
		"comments":            {"# mine\n", "# mine\nrules:\n" + one + added},
		"no rules":            {"preset: careful", "preset: careful\nrules:\n" + one + added},
		"rules":               {"rules:\n" + one, "rules:\n" + one + added},
		"no end of line":      {"rules:\n" + strings.TrimSuffix(one, "\n"), "rules:\n" + one + added},
		"other indent":        {"rules:\n- id: one\n  action: ask\n  match:\n    program: ls\n", "rules:\n- id: one\n  action: ask\n  match:\n    program: ls\n- id: new\n  action: allow\n  match: {program: git, subcommand: [fetch, pull]}\n  reason: so\n"},
		"another key":         {"rules:\n" + one + "\n# the preset\npreset: careful\n", "rules:\n" + one + added + "\n# the preset\npreset: careful\n"},
		"a comment":           {"rules: # all\n" + one + "    # why\n", "rules: # all\n" + one + "    # why\n" + added},
		"a text of its lines": {"rules:\n" + one + "    reason: |\n      a\n      b\n", "rules:\n" + one + "    reason: |\n      a\n      b\n" + added},
	} {
		got, _, err := rulefile.Append("f", []byte(c.text), rules, policy.User)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, c.want)
			continue
		}
		again, added, err := rulefile.Append("f", got, rules, policy.User)
		if err != nil || string(again) != string(got) || len(added) != 0 {
			t.Errorf("%s: twice: %v, %d added\n%s", name, err, len(added), again)
		}
	}
	for name, text := range map[string]string{"flow": "rules: []\n", "broken": "rules:\n  - id: X\n", "flow with rules": "rules: [{id: a, action: ask, match: {program: b}}]\n"} {
		if got, _, err := rulefile.Append("f", []byte(text), rules, policy.User); err == nil {
			t.Errorf("%s: %s", name, got)
		}
	}
}
