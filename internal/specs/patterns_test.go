package specs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/specs"
	"github.com/heedsh/heed/internal/world/fakeworld"
)

const (
	ownRules = "/home/u/.config/heed/patterns"
	rule     = "id: %s\ntitle: '[SAFE] as it is'\ndescription: x\nseverity: high\nattack: [T1485]\nasi: [ASI02]\nmatch: [{program: [x]}]\n"
)

func ruleOf(id string) string { return fmt.Sprintf(rule, id) }

func TestPatterns(t *testing.T) {
	t.Parallel()
	l := specs.New(own, "not/absolute")
	if none := load(t, l, nil); len(none.Patterns) > 0 || none.PatternDigest != "" || len(none.Problems) > 0 {
		t.Fatalf("without rules: %+v", none)
	}
	mine := load(t, l, map[string]string{ownRules + "/a.yaml": ruleOf("acme.a") + "---\n" + ruleOf("acme.b"), ownRules + "/b.txt": "["})
	if len(mine.Patterns) != 2 || mine.Patterns[0].Title != "[SAFE] as it is" || !strings.HasPrefix(mine.PatternDigest, "patterns:sha256:") || len(mine.Problems) > 0 {
		t.Errorf("rules of one's own: %+v", mine.Patterns)
	}
	if mine.Digest != load(t, l, nil).Digest {
		t.Error("rules change the digest of the catalog")
	}
	if again := load(t, l, map[string]string{ownRules + "/renamed.yml": ruleOf("acme.a") + "---\n" + ruleOf("acme.b")}); again.PatternDigest != mine.PatternDigest {
		t.Error("the name of a file changes the digest")
	}
	theirs := load(t, l, map[string]string{".heed/patterns/a.yaml": ruleOf("acme.a")})
	if len(theirs.Patterns) != 1 || theirs.Patterns[0].Title != "a rule of this workspace, acme.a" || theirs.Patterns[0].Description != "" || theirs.PatternDigest == mine.PatternDigest {
		t.Errorf("rules of the workspace: %+v", theirs.Patterns)
	}
}

// TestPatternsLeftOut has each file with a fault left out, told of with its
// name and line, and the others kept.
func TestPatternsLeftOut(t *testing.T) {
	t.Parallel()
	many := strings.Builder{}
	for i := range 101 {
		fmt.Fprintf(&many, "%s---\n", ruleOf(fmt.Sprint("acme.r", i)))
	}
	l := specs.New(own)
	for name, c := range map[string]struct {
		file, text, want string
		own              bool
	}{
		"a mistake":              {ownRules + "/z.yaml", strings.Replace(ruleOf("acme.z"), "high", "grave", 1), ownRules + "/z.yaml:4: severity: want", true},
		"an id that is taken":    {ownRules + "/z.yaml", ruleOf("acme.a"), ownRules + "/z.yaml:1: the id acme.a is taken", true},
		"theirs takes mine":      {".heed/patterns/z.yaml", ruleOf("acme.a"), root + "/.heed/patterns/z.yaml:1: the id acme.a is taken", false},
		"too many of theirs":     {".heed/patterns/z.yaml", many.String(), root + "/.heed/patterns/z.yaml:1: more than 100 rules", false},
		"a long word of theirs":  {".heed/patterns/z.yaml", strings.Replace(ruleOf("acme.z"), "[x]", "["+strings.Repeat("x", 101)+"]", 1), root + "/.heed/patterns/z.yaml:1: acme.z: a word is longer", false},
		"a long list of theirs":  {".heed/patterns/z.yaml", strings.Replace(ruleOf("acme.z"), "[x]", "["+strings.Repeat("x, ", 16)+"x]", 1), root + "/.heed/patterns/z.yaml:1: acme.z: more than 16 words", false},
		"many matches of theirs": {".heed/patterns/z.yaml", strings.Replace(ruleOf("acme.z"), "[{program: [x]}]", "["+strings.Repeat("{program: [x]}, ", 9)+"]", 1), root + "/.heed/patterns/z.yaml:1: acme.z: more than 8 matches", false},
		"a large file of theirs": {".heed/patterns/z.yaml", strings.Repeat("#", 64<<10+1), root + "/.heed/patterns/z.yaml: reading a spec", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := load(t, l, map[string]string{ownRules + "/a.yaml": ruleOf("acme.a"), c.file: c.text})
			if len(got.Patterns) != 1 || got.Patterns[0].ID != "acme.a" {
				t.Errorf("%d rules", len(got.Patterns))
			}
			if len(got.Problems) != 1 || !got.Problems[0].Rule || got.Problems[0].Own != c.own || !strings.HasPrefix(got.Problems[0].Text, c.want) {
				t.Errorf("problems %+v, want %q", got.Problems, c.want)
			}
		})
	}
}

// TestPatternsBehindLinks follows no link to the rules of a workspace.
func TestPatternsBehindLinks(t *testing.T) {
	t.Parallel()
	for name, scene := range map[string]string{
		"the directory": "git\n.heed/x tracked\n.heed/patterns -> ../../elsewhere\n",
		"the folder":    "git\n.heed -> ../elsewhere\n",
		"a file":        "git\n.heed/patterns/b.txt tracked\n.heed/patterns/a.yaml -> ../../../elsewhere/a.yaml\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := fakeworld.New().Add(scene)
			b.File("/home/u/elsewhere/a.yaml", ruleOf("acme.a"))
			b.File("/home/u/elsewhere/patterns/a.yaml", ruleOf("acme.a"))
			w, _, _, err := b.Build()
			if err != nil {
				t.Fatal(err)
			}
			got := specs.New().Load(w, []string{root})
			if len(got.Patterns) > 0 || len(got.Problems) == 0 {
				t.Errorf("%d rules, problems %+v", len(got.Patterns), got.Problems)
			}
		})
	}
}

// TestPatternsOfMineInTheWorkspace are the workspace's: whoever writes there
// could have written them.
func TestPatternsOfMineInTheWorkspace(t *testing.T) {
	t.Parallel()
	got := load(t, specs.New(root+"/cfg/specs"), map[string]string{root + "/cfg/patterns/a.yaml": ruleOf("acme.a")})
	if len(got.Patterns) != 1 || got.Patterns[0].Title != "a rule of this workspace, acme.a" {
		t.Errorf("%+v", got.Patterns)
	}
}
