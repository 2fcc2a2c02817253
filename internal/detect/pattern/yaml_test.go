package pattern

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/risk"
)

const good = `id: acme.no-restore
title: Restores a dump over production
severity: critical
attack: [T1485]
asi: [ASI02]
match:
  - program: [pg_restore]
    words: ["*prod*"]
  - effect: {verb: [db.destroy], target: ["*prod*"]}
positive: [pg_restore -d prod dump]
negative: [pg_restore -d test dump]
`

func TestParse(t *testing.T) {
	t.Parallel()
	rules, err := Parse("a.yaml", []byte("# first\n"+good+"---\n"+strings.NewReplacer("acme.no-restore", "acme.other", "T1485", "T1562.001").Replace(good)))
	if err != nil || len(rules) != 2 {
		t.Fatal(rules, err)
	}
	if r := rules[0]; r.Line != 2 || r.Severity != risk.Critical || len(r.Match) != 2 || r.Match[1].Effect.Verb[0] != risk.DBDestroy || len(r.Positive) != 1 {
		t.Errorf("%+v", r)
	}
	if r := rules[1]; r.Line != 14 || !slices.Equal(r.ATTACK, []string{"T1685"}) {
		t.Errorf("an old id of ATT&CK: %+v", r)
	}
	if rules, err := Parse("a.yaml", []byte("---\n"+good+"---\n---\n# the end\n")); err != nil || len(rules) != 1 {
		t.Error("empty documents:", rules, err)
	}
	if rules, err := Parse("empty.yaml", nil); err != nil || len(rules) > 0 {
		t.Error(rules, err)
	}
}

func TestParseProblems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, old, new, want string }{
		{"no id", "id: acme.no-restore\n", "", "a.yaml:1: id: want"},
		{"an id of one word", "acme.no-restore", "restore", "a.yaml:1: id: want"},
		{"an id with capitals", "acme.no-restore", "Acme.restore", "a.yaml:1: id: want"},
		{"an id of heed", "acme.no-restore", "heed.restore", "a.yaml:1: id: heed.… is for"},
		{"a long id", "acme.no-restore", "acme." + strings.Repeat("a", 80), "a.yaml:1: id: want"},
		{"no title", "title: Restores a dump over production\n", "", "a.yaml:1: title: want"},
		{"a title of two lines", "Restores a dump over production", `"Restores\na"`, "a.yaml:2: title: want"},
		{"a long title", "Restores a", strings.Repeat("a", 120), "a.yaml:2: title: want"},
		{"a long description", "severity:", "description: " + strings.Repeat("a", 2001) + "\nseverity:", "a.yaml:3: description: too long"},
		{"another severity", "severity: critical", "severity: grave", "a.yaml:3: severity: want low"},
		{"no such technique", "T1485", "T9999", `a.yaml:4: attack: "T9999" is no technique`},
		{"no technique", "[T1485]", "[]", "a.yaml:4: attack, asi: name at least one"},
		{"no such risk", "ASI02", "ASI99", `a.yaml:5: asi: "ASI99"`},
		{"an unknown key", "severity:", "sevrity:", `a.yaml:3: unknown key "sevrity"`},
		{"an unknown key inside", "words:", "wrds:", `a.yaml:8: unknown key "wrds"`},
		{"a key twice", "severity: critical", "severity: critical\nseverity: low", "a.yaml:4: "},
		{"a list where a word is wanted", "severity: critical", "severity: [critical]", "a.yaml:3: "},
		{"an unknown verb", "db.destroy", "db.explode", `a.yaml:6: match 2: effect: "db.explode" is no verb`},
		{"an unknown scope", "verb: [db.destroy]", "scope: [moon]", `a.yaml:6: match 2: effect: "moon" is no scope`},
		{"a match for everything", `effect: {verb: [db.destroy], target: ["*prod*"]}`, "effect: {many: true}", "a.yaml:6: match 2: it holds for everything"},
		{"too many stars", `"*prod*"]` + "\n  - effect", `"` + strings.Repeat("*a", 11) + `"]` + "\n  - effect", "a.yaml:6: match 1: "},
		{"too many words", "[pg_restore]", "[" + strings.Repeat("a, ", 100) + "a]", "a.yaml:6: match 1: more than 100"},
		{"too many examples", "[pg_restore -d prod dump]", "[" + strings.Repeat("a, ", 50) + "a]", "a.yaml:6: too many"},
		{"no YAML", "title: Restores", "title: [Restores", "a.yaml:"},
		{"no map", good, "- a\n- b\n", "a.yaml:1: a rule is a map"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Replace(good, c.old, c.new, 1)
			if text == good {
				t.Fatal("nothing was replaced")
			}
			rules, err := Parse("a.yaml", []byte(text))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || len(rules) > 0 {
				t.Errorf("%d rules, error %v, want %q", len(rules), err, c.want)
			}
		})
	}
}

// TestParseTellsAll finds the problems of several rules at once, and keeps the
// others.
func TestParseTellsAll(t *testing.T) {
	t.Parallel()
	bad := strings.Replace(good, "critical", "grave", 1)
	rules, err := Parse("a.yaml", []byte(bad+"---\n"+good+"---\n"+good))
	if len(rules) != 1 || err == nil || err.Error() != "a.yaml:3: severity: want low, medium, high or critical\na.yaml:25: the id acme.no-restore is taken" {
		t.Errorf("%d rules, %v", len(rules), err)
	}
	var many strings.Builder
	for i := range maxRules + 1 {
		fmt.Fprintf(&many, "%s---\n", strings.Replace(good, "no-restore", fmt.Sprint("r", i), 1))
	}
	if _, err := Parse("a.yaml", []byte(many.String())); err == nil || !strings.Contains(err.Error(), "more than 500 rules") {
		t.Errorf("501 rules: %v", err)
	}
}

// FuzzParse reads any bytes as rules: it never panics, every error names the
// file and a line, and what is accepted is accepted again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte(good + "---\n" + good))
	f.Add([]byte("id: [x\nmatch: ["))
	f.Add([]byte("a: &a [*a, *a]\nid: *a"))
	f.Add([]byte("<<: {id: a.b}\ntitle: \xff"))
	f.Add([]byte("--- !!binary x\n...\n---\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		rules, err := Parse("a.yaml", text)
		if err != nil {
			n := 0
			if _, scan := fmt.Sscanf(err.Error(), "a.yaml:%d: ", &n); scan != nil {
				t.Errorf("%q has no line", err)
			}
		}
		for i := range rules {
			if _, err := rules[i].check(); err != nil {
				t.Errorf("accepted once, refused again: %v", err)
			}
			if rules[i].Line < 1 {
				t.Errorf("%s has no line", rules[i].ID)
			}
		}
		Find(context(), rules)
	})
}
