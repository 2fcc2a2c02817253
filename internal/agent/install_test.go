package agent_test

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/agent"
)

// TestFilesOfAgents shows where the hook of each agent goes, and the files that are made
// for it (testdata/install.golden).
func TestFilesOfAgents(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	for _, name := range agent.Names() {
		a := agent.Named(name)
		for _, s := range agent.Scopes() {
			all, err := a.Install.Targets(&agent.Where{Dir: "/p", Root: "/r", Getenv: func(name string) string { return map[string]string{"HOME": "/h"}[name] }}, s)
			if errors.Is(err, agent.ErrNoScope) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, target := range all {
				fmt.Fprintf(&got, "== %s, %s: %s\n", name, s, target.File)
				if s != agent.User && (s != agent.Project || name != "devin-cli") {
					continue
				}
				text, err := target.Add(nil, heedPath)
				if err != nil {
					t.Fatal(err)
				}
				got.Write(text)
				if p := target.Program(text); p != heedPath && filepath.Base(target.File) != "plugin.json" {
					t.Errorf("%s: %s runs %q", name, target.File, p)
				}
				if back, err := target.Remove(text); err != nil || !target.Empty(back) {
					t.Errorf("%s: %s: uninstalling leaves %q, %v", name, target.File, back, err)
				}
			}
		}
	}
	golden(t, "testdata/install.golden", got.String())
}

// TestSettingsOfAgents: in each agent's settings the hook is put in and taken out again,
// and not a byte of what was there changes.
func TestSettingsOfAgents(t *testing.T) {
	t.Parallel()
	comments := map[string]string{
		"a comment first":          "// mine\n{\n  // the model\n  \"model\": \"x\" // for work\n}\n",
		"a comment behind":         "{\n  \"model\": \"x\" // for, work\n}\n",
		"a comment of two lines":   "{\n  \"model\": \"x\" /* for\n work, */\n}\n",
		"nothing but a comment":    "{\n  // nothing, yet\n}\n",
		"a comma at the end":       "{\n  \"model\": \"x\",\n}\n",
		"comma and comment":        "{\n  \"model\": \"x\", // for work\n  // later\n}\n",
		"slashes that are no such": "{\n  \"model\": \"http://x/*\"\n}\n",
	}
	for _, name := range agent.Names() {
		a := agent.Named(name)
		files := settings()
		if slices.Contains([]string{"gemini-cli", "qwen-code", "amp"}, name) {
			for what, text := range comments {
				files[what] = text
			}
		}
		scope := agent.User
		if name == "devin-cli" {
			scope = agent.Project
		}
		for _, target := range targets(a, scope) {
			for what, before := range files {
				after, err := target.Add([]byte(before), "/opt/a b/it's/heed")
				if strings.Contains(string(mustAdd(t, target)), "Written by") {
					if err == nil {
						t.Errorf("%s: a file of somebody else is overwritten: %s", name, target.File)
					}
					continue
				}
				if name == "kiro" && strings.Contains(before, "\"hooks\"") {
					continue // a list there
				}
				if err != nil {
					t.Errorf("%s, %s: %v", name, what, err)
					continue
				}
				if p := target.Program(after); p != "/opt/a b/it's/heed" && name != agent.Amp || name == agent.Amp && !bytes.Contains(after, []byte(p)) {
					t.Errorf("%s, %s: it runs %q:\n%s", name, what, p, after)
				}
				for line := range strings.Lines(before) {
					if comment := strings.Index(line, "//"); comment >= 0 && !strings.Contains(string(after), strings.TrimSpace(line[comment:])) {
						t.Errorf("%s, %s: a comment is gone:\n%s", name, what, after)
					}
				}
				if again, err := target.Add(after, "/opt/a b/it's/heed"); err != nil || !bytes.Equal(again, after) {
					t.Errorf("%s, %s: again: %v %s", name, what, err, cmp.Diff(string(after), string(again)))
				}
				moved, err := target.Add(after, heedPath)
				if err != nil || bytes.Contains(moved, []byte("/opt/a b")) {
					t.Errorf("%s, %s: moved: %v\n%s", name, what, err, moved)
				}
				back, err := target.Remove(after)
				if err != nil || what != "nothing but a comment" && string(back) != before {
					t.Errorf("%s, %s: uninstalling gives (%v)\n%s", name, what, err, cmp.Diff(before, string(back)))
				}
				if squeezed(string(back)) != squeezed(before) {
					t.Errorf("%s, %s: uninstalling gives\n%s\nof\n%s", name, what, back, before)
				}
				if p := target.Program(back); p != "" {
					t.Errorf("%s, %s: %q is left", name, what, p)
				}
			}
		}
	}
}

func mustAdd(t *testing.T, target agent.Target) []byte {
	t.Helper()
	text, err := target.Add(nil, heedPath)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// squeezed is a text without blanks and commas.
func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n,", r) {
			return -1
		}
		return r
	}, s)
}

// TestAmpComesFirst: of Amp's permissions the first that matches decides.
func TestAmpComesFirst(t *testing.T) {
	t.Parallel()
	target := targets(agent.Named(agent.Amp), agent.User)[0]
	for _, before := range []string{
		"{\n  \"amp.permissions\": [\n    // mine\n    {\"tool\": \"*\", \"action\": \"allow\"}\n  ]\n}\n",
		`{"amp.permissions":[{"tool":"*","action":"allow"}]}`,
	} {
		after, err := target.Add([]byte(before), heedPath)
		if err != nil {
			t.Fatal(err)
		}
		if heed, other := bytes.Index(after, []byte(`"Bash"`)), bytes.Index(after, []byte(`"*"`)); heed < 0 || heed > other {
			t.Errorf("the hook stands behind:\n%s", after)
		}
		if back, err := target.Remove(after); err != nil || squeezed(string(back)) != squeezed(before) {
			t.Errorf("uninstalling gives %v\n%s", err, back)
		}
	}
}
