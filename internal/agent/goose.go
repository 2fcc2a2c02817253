package agent

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
	}
}
