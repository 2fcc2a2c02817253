package rulefile_test

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
)

// learned is a rule with every kind of word that has to be quoted.
func learned() *policy.Rule {
	return &policy.Rule{
		ID: "learned.curl.1a2b", Layer: policy.User, Action: policy.Allow, Reason: `seen: 4 times, "never" rejected # so far`, Owner: "no",
		Match:    policy.Match{Program: []string{"curl"}, Verb: []string{"net.fetch", "fs.write"}, Target: []string{"https://example.org/a/*", "*", "~/x: y", "- z"}},
		Except:   &policy.Match{Provenance: []string{"web_content"}},
		Examples: policy.Examples{Match: []string{"curl -s 'https://example.org/a/b'\n# and so on\t\"\u00e9\u2028"}},
	}
}

const written = `  # it rests on: two
  # lines
  - id: learned.curl.1a2b
    action: allow
    match: {program: curl, verb: [net.fetch, fs.write], target: ["https://example.org/a/*", "*", "~/x: y", "- z"]}
    except: {provenance: web_content}
    reason: "seen: 4 times, \"never\" rejected # so far"
    owner: "no"
    examples:
      match: ["curl -s 'https://example.org/a/b'\n# and so on\t\"é\u2028"]
`

// TestAppend: a rule is added, and every byte that was there stays where it was.
func TestAppend(t *testing.T) {
	t.Parallel()
	const one = "  - id: a\n    action: deny\n    match: {program: x} # why\n"
	for name, c := range map[string]struct{ text, want string }{
		"nothing":        {"", "rules:\n" + written},
		"comments":       {"# mine\n", "# mine\nrules:\n" + written},
		"no newline":     {"preset: careful", "preset: careful\nrules:\n" + written},
		"no rules":       {"# mine\npreset: careful\n\n", "# mine\npreset: careful\n\nrules:\n" + written},
		"rules":          {"rules:\n" + one, "rules:\n" + one + written},
		"blank lines":    {"rules:\n\n" + one + "\n\n", "rules:\n\n" + one + written + "\n\n"},
		"a last comment": {"rules:\n" + one + "  # the end\n", "rules:\n" + one + "  # the end\n" + written},
		"more follows":   {"rules:\n" + one + "\n# the preset\npreset: careful\n", "rules:\n" + one + written + "\n# the preset\npreset: careful\n"},
		"no indentation": {"rules:\n- id: a\n  action: deny\n  match: {program: x}\n", "rules:\n- id: a\n  action: deny\n  match: {program: x}\n" + unindented(written)},
		"other ends":     {"preset: careful\r\nrules:\r\n" + strings.ReplaceAll(one, "\n", "\r\n"), "preset: careful\r\nrules:\r\n" + strings.ReplaceAll(one+written, "\n", "\r\n")},
		"a block":        {"rules:\n  - id: a\n    action: deny\n    match: {program: x}\n    reason: |\n      one\n\n      two\n", "rules:\n  - id: a\n    action: deny\n    match: {program: x}\n    reason: |\n      one\n\n      two\n" + written},
	} {
		got, err := rulefile.Append("policy.yaml", []byte(c.text), policy.User, learned(), []string{"it rests on: two", "lines"})
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, c.want)
		}
	}
}

func unindented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimPrefix(line, "  "))
	}
	return b.String()
}

// TestAppendRefuses what it cannot add to without changing what is there.
func TestAppendRefuses(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"rules: []\n": "by hand",
		"rules: [{id: a, action: deny, match: {program: x}}]\n": "by hand",
		"{preset: careful}\n": "by hand",
		"rules:\n":            "by hand",
		"rules:\n  -\n    id: a\n    action: deny\n    match: {program: x}\n": "by hand",
		"preset: loud\n": "there is no",
		"rules: [\n":     "policy.yaml:",
		"rules:\n  - id: learned.curl.1a2b\n    action: deny\n    match: {program: x}\n": "there already",
		"preset: careful\n...\n": "",
	} {
		got, err := rulefile.Append("policy.yaml", []byte(text), policy.User, learned(), nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q\n%s", text, err, want, got)
		}
	}
	if _, err := rulefile.Append("policy.yaml", nil, policy.Workspace, learned(), nil); err == nil {
		t.Error("a workspace was given a rule that allows")
	}
}

// FuzzAppend: whatever the file and the words of the rule are, what was there stays, or
// nothing is written.
func FuzzAppend(f *testing.F) {
	f.Add("rules:\n  - id: a\n    action: deny\n    match: {program: x}\n", "curl", "a comment\n- id: b")
	f.Add("preset: careful\r\n", "\u0085", "\u2028x: y")
	f.Add("a: &x [*x]", "{}", "")
	f.Fuzz(func(t *testing.T, text, word, comment string) {
		before, err := rulefile.Parse("p", []byte(text), policy.User)
		if err != nil {
			return
		}
		r := learned()
		r.Match.Target, r.Reason = []string{word}, word
		got, err := rulefile.Append("p", []byte(text), policy.User, r, []string{comment})
		if err != nil {
			return
		}
		after, err := rulefile.Parse("p", got, policy.User)
		if err != nil || len(after.Rules) != len(before.Rules)+1 || after.Preset != before.Preset {
			t.Errorf("%v: %q became %q", err, text, got)
			return
		}
		if last := after.Rules[len(after.Rules)-1]; last.Match.Target[0] != word || last.Reason != word {
			t.Errorf("%q became %q", word, last.Match.Target[0])
		}
	})
}
