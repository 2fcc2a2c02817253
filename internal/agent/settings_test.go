package agent_test

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/agent"
)

const heedPath = "/usr/local/bin/heed"

// claudeUser is the file of Claude Code's settings of a user.
func claudeUser() agent.Target {
	return targets(agent.Named(agent.ClaudeCode), agent.User)[0]
}

// targets are the files of a scope, in a home and a project of names.
func targets(a *agent.Adapter, s agent.Scope) []agent.Target {
	all, _ := a.Install.Targets(&agent.Where{Dir: "/p", Getenv: func(name string) string { return map[string]string{"HOME": "/h"}[name] }}, s)
	return all
}

// settings are files as people keep them.
func settings() map[string]string {
	return map[string]string{
		"nothing in it":     "{}\n",
		"other settings":    "{\n  \"model\": \"x\",\n  \"env\": {\"A\": \"b\\u0041 ü\"}\n}\n",
		"four spaces":       "{\n    \"model\": \"x\",\n    \"hooks\": {\n        \"Stop\": [\n            {\"hooks\": []}\n        ]\n    }\n}",
		"tabs":              "{\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{\n\t\t\t\t\"matcher\": \"Bash\",\n\t\t\t\t\"hooks\": [{\"type\": \"command\", \"command\": \"a\"}]\n\t\t\t}\n\t\t]\n\t},\n\t\"model\": \"x\"\n}\n",
		"one line":          `{"model":"x","hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"a"}]}]}}`,
		"carriage returns":  "{\r\n  \"model\": \"x\"\r\n}\r\n",
		"odd spacing":       "\n\n{ \"model\" :\"x\" ,\n\"b\":[1,2 ,{ }]\n\n  }",
		"numbers":           "{\n  \"big\": 12345678901234567890.10,\n  \"e\": 1E+2\n}\n",
		"a group without":   "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {}\n    ]\n  }\n}\n",
		"hooks stand first": "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Write\", \"hooks\": []}\n    ]\n  },\n  \"z\": true\n}\n",
	}
}

func TestInstallAndUninstall(t *testing.T) {
	t.Parallel()
	for name, before := range settings() {
		after, err := claudeUser().Add([]byte(before), heedPath)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		golden(t, filepath.Join("testdata/settings", strings.ReplaceAll(name, " ", "-")+".golden"), string(after))
		checkInstalled(t, name, []byte(before), after)
		back, err := claudeUser().Remove(after)
		if err != nil || string(back) != before {
			t.Errorf("%s: uninstalling gives (%v)\n%s", name, err, cmp.Diff(before, string(back)))
		}
	}
}

// checkInstalled checks that a text has the hook, that all else in it means
// what it meant, and that installing again changes nothing.
func checkInstalled(t *testing.T, name string, before, after []byte) {
	t.Helper()
	if got := claudeUser().Program(after); got != heedPath {
		t.Errorf("%s: the hook runs %q", name, got)
	}
	again, err := claudeUser().Add(after, heedPath)
	if err != nil || !bytes.Equal(again, after) {
		t.Errorf("%s: installing again changes it: %v\n%s", name, err, cmp.Diff(string(after), string(again)))
	}
	var old, now map[string]any
	if err := json.Unmarshal(before, &old); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(after, &now); err != nil {
		t.Fatalf("%s: what is written is not JSON: %v\n%s", name, err, after)
	}
	for key := range old {
		if key != "hooks" && !cmp.Equal(old[key], now[key]) {
			t.Errorf("%s: %s changed", name, key)
		}
	}
	s, err := agent.ReadSettings(after)
	if err != nil {
		t.Fatal(err)
	}
	had, err := agent.ReadSettings(before)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Hooks) != len(had.Hooks)+3 {
		t.Errorf("%s: %d hooks, had %d", name, len(s.Hooks), len(had.Hooks))
	}
	for _, h := range s.Hooks {
		if h.Runs() != nil && (h.Event == "Stop" != (h.Matcher == "") || h.Event != "Stop" && !strings.HasPrefix(h.Matcher, "^("+agent.Matcher) || h.Event == "PreToolUse" && h.OnFailure != "block" || h.Timeout != agent.HookTimeout) {
			t.Errorf("%s: the hook is %+v", name, h)
		}
	}
}

// TestInstallWhereItWas: a hook with another path, or in a group that a person
// has added to, is replaced and never doubled.
func TestInstallWhereItWas(t *testing.T) {
	t.Parallel()
	old, err := claudeUser().Add(nil, "/old/heed")
	if err != nil {
		t.Fatal(err)
	}
	mixed := `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "mine"}, {"type": "command", "command": "/old/heed", "args": ["hook", "claude-code"]}]}]}}`
	for name, text := range map[string]string{"another path": string(old), "a mixed group": mixed, "twice": strings.Replace(mixed, `"mine"`, `"/x", "args": ["hook", "claude-code"]`, 1)} {
		after, err := claudeUser().Add([]byte(text), heedPath)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(after, []byte(`"claude-code"`)); n != 3 {
			t.Errorf("%s: heed's hook is there %d times:\n%s", name, n, after)
		}
		if strings.Contains(text, "mine") && !bytes.Contains(after, []byte("mine")) {
			t.Errorf("%s: somebody else's hook is gone:\n%s", name, after)
		}
		if got := claudeUser().Program(after); got != heedPath {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestSettingsThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, want string }{
		"empty":          {"", "line 1 is not JSON"},
		"comments":       {"{\n  // mine\n  \"a\": 1\n}", "line 2 is not JSON (comments"},
		"trailing comma": {"{\n\"a\": 1,\n}", "line 3 is not JSON"},
		"a list":         {"[]", "no JSON object"},
		"hooks twice":    {`{"hooks": {}, "hooks": {}}`, `"hooks" is given twice`},
		"hooks a list":   {`{"hooks": []}`, "not an object"},
		"event a map":    {`{"hooks": {"PreToolUse": {}}}`, "not a list"},
		"too deep":       {`{"a":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + "}", "too deeply"},
	} {
		if after, err := claudeUser().Add([]byte(c.text), heedPath); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q; it gives %s", name, err, c.want, after)
		}
	}
}

func TestReadSettings(t *testing.T) {
	t.Parallel()
	s, err := agent.ReadSettings([]byte(`{"disableAllHooks": true, "allowManagedHooksOnly": true, "enabledPlugins": {"a": true, "b": false},
		"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "'/x/heed' hook claude-code", "once": true}, {"type": "http", "url": "u", "timeout": "odd"}, 7]}, {}],
		"PermissionRequest": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "yes"}]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if !s.DisableAllHooks || !s.ManagedOnly || s.Plugins != 1 || len(s.Hooks) != 4 {
		t.Fatalf("%+v", s)
	}
	if got := s.Hooks[0].Runs(); !cmp.Equal(got, []string{"/x/heed", "hook", "claude-code"}) || !s.Hooks[0].Once {
		t.Errorf("the form for a shell: %q", got)
	}
	if s.Hooks[1].Runs() != nil || s.Hooks[1].Type != "http" {
		t.Errorf("%+v", s.Hooks[1])
	}
	if h := s.Hooks[3]; h.Event != "PermissionRequest" || h.Matcher != "Bash" || h.Command != "yes" {
		t.Errorf("%+v", h)
	}
}

// FuzzInstall changes arbitrary settings: what comes out is JSON with one hook
// of heed's, and uninstalling takes it away again.
func FuzzInstall(f *testing.F) {
	for _, text := range settings() {
		f.Add([]byte(text))
	}
	f.Add([]byte(`{"hooks":{"PreToolUse":[{"hooks":[{"args":["hook","claude-code"]},{"args":["hook","claude-code"]}]},3,null]}}`))
	f.Add([]byte("{\"a\\u0041\":{ \t}\r\n,\"\":[[],{}]}"))
	f.Add([]byte("{\"a\":1, // b,\n /* c */ }"))
	f.Add([]byte("{\"amp.permissions\":[{\"x\":1}/*,*/,],}"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for name, strict := range map[string]bool{agent.ClaudeCode: true, "cursor": true, "kiro": true, "gemini-cli": false, agent.Amp: false} {
			target := targets(agent.Named(name), agent.User)[0]
			after, err := target.Add(text, heedPath)
			if err != nil {
				continue
			}
			if strict && !json.Valid(after) {
				t.Fatalf("%s: %q becomes %q, which is not JSON", name, text, after)
			}
			if got := target.Program(after); got != heedPath {
				t.Errorf("%s: %q becomes %q: the hook runs %q", name, text, after, got)
			}
			if again, err := target.Add(after, heedPath); err != nil || !bytes.Equal(again, after) {
				t.Errorf("%s: %q: installing again: %q, %v", name, after, again, err)
			}
			back, err := target.Remove(after)
			if err != nil || strict && !json.Valid(back) {
				t.Errorf("%s: %q: uninstalling: %q, %v", name, after, back, err)
			}
			if got := target.Program(back); got != "" {
				t.Errorf("%s: %q: after uninstalling the hook runs %q", name, back, got)
			}
			if _, err := target.Add(back, heedPath); err != nil {
				t.Errorf("%s: %q becomes %q, which is no settings: %v", name, text, back, err)
			}
		}
	})
}
