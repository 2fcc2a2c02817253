package agent

import "path/filepath"

// goose is the adapter of Goose, as documented.
func goose() *Adapter {
	f := &form{
		agent: "goose", event: "event", tool: "tool_name", input: "tool_input", dir: "working_dir", session: "session_id", id: "tool_call_id",
		events: map[string]Event{"PreToolUse": Before, "PostToolUse": After, "PostToolUseFailure": After, "SessionEnd": Ended},
		hides:  []string{"PLUGIN_ROOT"}, shell: claudeShell,
	}
	return &Adapter{
		Name: f.agent, Title: "Goose",
		Detect: func(p *Payload) bool { return p.Has("event") && !p.Has("hook_event_name") && !p.Has("input") },
		Read:   f.read, Write: writeCode, Heard: heardCode,
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"event": "PreToolUse", "session_id": "heed-doctor", "matcher_context": "developer__shell", "tool_name": "developer__shell",
				"tool_input": map[string]any{"command": command, "timeout_secs": 30}, "working_dir": dir, "tool_call_id": "heed-doctor",
			}), nil
		},
		Install: &Installer{Programs: []string{"goose"}, Homes: []string{".config/goose"}, Targets: goosePlugin},
	}
}

// goosePlugin is a plugin of two files.
func goosePlugin(w *Where, scope Scope) ([]Target, error) {
	l := &layout{user: ".agents|plugins/heed/plugin.json", project: ".agents|plugins/heed/plugin.json"}
	plugin, inside, err := l.find(w, scope)
	if err != nil {
		return nil, err
	}
	s := &settings{agent: "goose", base: "{}\n", entries: func(heed string) []entry {
		h := handler{Type: "command", Command: plainLine(heed, "goose"), Timeout: HookTimeout}
		after := h
		h.OnFail = "block"
		return []entry{
			{at: []string{"hooks", "PreToolUse"}, value: group{"^.+__.+$", []handler{h}}},
			{at: []string{"hooks", "PostToolUse"}, value: group{"^.+__.+$", []handler{after}}},
		}
	}}
	manifest := whole(plugin, inside, 0, func(string) string {
		return "{\n  \"name\": \"heed\",\n  \"version\": \"1.0.0\",\n  \"description\": \"heed reads every command before it runs. " + written + " goose`.\"\n}\n"
	}, func(string) string { return "heed" })
	return []Target{s.target(filepath.Join(filepath.Dir(plugin), "hooks", "hooks.json"), inside), manifest}, nil
}
