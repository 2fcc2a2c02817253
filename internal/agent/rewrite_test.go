package agent_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/policy"
)

// TestRewrite holds what each agent that takes another command is told, against recorded
// payloads: the whole input again, with that command, and only where it may run.
func TestRewrite(t *testing.T) {
	t.Parallel()
	payloads := map[string]string{"claude-code": "claude-code-2.1.329.json", "codex": "codex-0.169.0.json", "vscode": "vscode-documented.json"}
	var rewriting []string
	for _, a := range agent.Adapters() {
		if a.Rewrites {
			rewriting = append(rewriting, a.Name)
		}
	}
	if want := []string{"claude-code", "codex", "vscode"}; !slices.Equal(slices.Sorted(slices.Values(rewriting)), want) {
		t.Fatalf("%v rewrite, want %v", rewriting, want)
	}
	const other = `/usr/bin/heed run -c 'ls & "x"'`
	for name, file := range payloads {
		raw, err := os.ReadFile("testdata/payload/" + file)
		if err != nil {
			t.Fatal(err)
		}
		a := agent.Named(name)
		read := func(change func(input map[string]any)) agent.Call {
			var fields map[string]any
			if err := json.Unmarshal(raw, &fields); err != nil {
				t.Fatal(err)
			}
			change(fields["tool_input"].(map[string]any))
			text, err := json.Marshal(fields)
			if err != nil {
				t.Fatal(err)
			}
			p, err := agent.NewPayload(text, func(string) string { return "" })
			if err != nil {
				t.Fatal(err)
			}
			c, err := a.Read(p)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		c := read(func(input map[string]any) { input["description"], input["timeout"] = "a <b>", 5 })
		if !a.CanRewrite(&c) {
			t.Fatalf("%s: cannot be rewritten", name)
		}
		out, err := a.Write(&c, agent.Answer{Decision: policy.Allow, Reason: "it may", Command: other})
		if err != nil {
			t.Fatal(err)
		}
		var said struct {
			Specific struct {
				Decision string         `json:"permissionDecision"`
				Input    map[string]any `json:"updatedInput"`
			} `json:"hookSpecificOutput"`
		}
		if err := json.Unmarshal(out.Stdout, &said); err != nil {
			t.Fatalf("%s: %s: %v", name, out.Stdout, err)
		}
		if in := said.Specific.Input; said.Specific.Decision != "allow" || in["command"] != other || in["description"] != "a <b>" || in["timeout"] != 5.0 {
			t.Errorf("%s: %s", name, out.Stdout)
		}
		if heard, err := a.Heard(out); err != nil || heard.Decision != policy.Allow || heard.Command != other {
			t.Errorf("%s hears %+v, %v", name, heard, err)
		}
		// Not what may not run, and nothing where nothing else is to run.
		for _, answer := range []agent.Answer{{Decision: policy.Ask, Reason: "x", Command: other}, {Decision: policy.Deny, Reason: "x", Command: other}, {Decision: policy.Allow, Reason: "x"}} {
			if out, err := a.Write(&c, answer); err != nil || strings.Contains(string(out.Stdout), "updatedInput") {
				t.Errorf("%s: %+v: %s, %v", name, answer, out.Stdout, err)
			}
		}
		for _, field := range []string{"run_in_background", "isBackground"} {
			if c := read(func(input map[string]any) { input[field] = true }); a.CanRewrite(&c) {
				t.Errorf("%s: what runs in the background is rewritten", name)
			}
		}
	}
}
