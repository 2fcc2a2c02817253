package cli

import (
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/scan"
	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v4"
)

// parses holds words after heed against its command line.
func parses(t *testing.T, words []string) {
	t.Helper()
	root := newRoot(Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard})
	c, rest, err := root.Find(words)
	if err == nil && c == root {
		t.Errorf("%q names no verb", words)
		return
	}
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err != nil {
		t.Errorf("%q: %v", words, err)
	}
}

// decode reads a file of the repository's top.
func decode(t *testing.T, name string, to any) {
	t.Helper()
	text, err := os.ReadFile("../../" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestPreCommitHooks holds .pre-commit-hooks.yaml against the command line, and the
// names that it hands over against the files that a scan reads: more would be told as
// not inspected, fewer would be left out.
func TestPreCommitHooks(t *testing.T) {
	t.Parallel()
	var hooks []struct {
		ID, Entry, Language, Files, Exclude string
		PassFilenames                       *bool `yaml:"pass_filenames"`
	}
	decode(t, ".pre-commit-hooks.yaml", &hooks)
	byName := 0
	for _, h := range hooks {
		words := strings.Fields(h.Entry)
		if words[0] != "heed" {
			t.Errorf("%s runs %s", h.ID, words[0])
		}
		parses(t, words[1:])
		staged := strings.Contains(h.Entry, "--staged")
		if given := h.PassFilenames == nil || *h.PassFilenames; given == staged {
			t.Errorf("%s: --staged is %v and names are given is %v", h.ID, staged, given)
		}
		if staged {
			continue
		}
		byName++
		// (?x) lets the expression have blanks, which Go has not.
		files := regexp.MustCompile(strings.Join(strings.Fields(strings.TrimPrefix(h.Files, "(?x)")), ""))
		exclude := regexp.MustCompile(h.Exclude)
		for name := range strings.FieldsSeq(`a.sh d/a.bash a.KSH a.zsh a.dash a.ash a.mksh Makefile d/makefile GNUmakefile a.mk d/package.json
			.github/workflows/a.yml d/.github/workflows/a.yaml action.yml d/action.yaml .gitlab-ci.yml .gitlab-ci.yaml d/a.gitlab-ci.yml
			Dockerfile d/dockerfile Containerfile Dockerfile.dev a.dockerfile a.Containerfile justfile .justfile Justfile a.just README.md a.markdown
			a.go sh a.sh.txt .sh Dockerfile.dockerignore Containerfile.ignore xgitlab-ci.yml a.gitlab-ci.yaml .github/a.yml .github/workflows/d/a.yml
			a.yml package.json5 Makefile.am xMakefile Dockerfiles a.mkd a.md.txt dockerfile.dev my-package.json`) {
			_, read := scan.KindOf(name, "")
			if given := files.MatchString(name) && !exclude.MatchString(name); given != read {
				t.Errorf("%s gives %s to heed: %v; heed knows its kind: %v", h.ID, name, given, read)
			}
		}
	}
	if byName == 0 || byName == len(hooks) {
		t.Errorf("%d of %d hooks are given names", byName, len(hooks))
	}
}

// action is action.yml.
type action struct {
	Inputs map[string]struct{ Description, Default string }
	Runs   struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	ID, Name, If, Uses, Shell, Run string
	Env, With                      map[string]string
}

// step returns the step of a name.
func (a *action) step(name string) (actionStep, bool) {
	i := slices.IndexFunc(a.Runs.Steps, func(s actionStep) bool { return s.Name == name })
	if i < 0 {
		return actionStep{}, false
	}
	return a.Runs.Steps[i], true
}

// TestAction holds action.yml against the command line and the page that describes
// it. That it works is in testdata/script/action.txtar.
func TestAction(t *testing.T) {
	t.Parallel()
	var a action
	decode(t, "action.yml", &a)
	used := map[string]bool{}
	expression := regexp.MustCompile(`inputs\.([a-z-]+)`)
	for _, s := range a.Runs.Steps {
		texts := append(slices.Collect(maps.Values(s.Env)), slices.Collect(maps.Values(s.With))...)
		for _, m := range expression.FindAllStringSubmatch(strings.Join(append(texts, s.If), "\n"), -1) {
			used[m[1]] = true
		}
		if strings.Contains(s.Run, "${{") {
			t.Errorf("step %q has an expression in its script: whoever writes the value writes code", s.Name)
		}
		if (s.Run == "") == (s.Uses == "") || (s.Run == "") != (s.Shell == "") {
			t.Errorf("step %q: run %v, uses %q, shell %q", s.Name, s.Run != "", s.Uses, s.Shell)
		}
	}
	page, err := os.ReadFile("../../docs/scan.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, in := range a.Inputs {
		if !used[name] {
			t.Errorf("the input %s is not used", name)
		}
		row := "| `" + name + "` | "
		if in.Default != "" {
			row += "`" + in.Default + "` "
		}
		if !strings.Contains(string(page), row+"| ") {
			t.Errorf("docs/scan.md has no row %q", row)
		}
	}
	for name := range used {
		if _, ok := a.Inputs[name]; !ok {
			t.Errorf("the input %s is not declared", name)
		}
	}
	scanStep, ok := a.step("Scan")
	flags := regexp.MustCompile(`--[a-z][a-z-]*`).FindAllString(scanStep.Run, -1)
	if !ok || len(flags) < 3 {
		t.Fatalf("the step that scans has the flags %q", flags)
	}
	known := newScan(Streams{}).Flags()
	for _, f := range flags {
		if known.Lookup(strings.TrimPrefix(f, "--")) == nil {
			t.Errorf("heed scan has no flag %s", f)
		}
	}
}

// cmdActionStep writes the script of a step of action.yml to a file: action-step
// NAME FILE.
func cmdActionStep(ts *testscript.TestScript, _ bool, args []string) {
	text, err := os.ReadFile("../../action.yml")
	ts.Check(err)
	var a action
	ts.Check(yaml.Unmarshal(text, &a))
	step, ok := a.step(args[0])
	if !ok {
		ts.Fatalf("action.yml has no step %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(step.Run), 0o644))
}
