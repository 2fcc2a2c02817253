package agent

// kiro is the adapter of Kiro, as documented. A live record of others has its CLI 2.19.2
// call the hook and run the command all the same.
func kiro() *Adapter {
	f := &form{
		agent: "kiro", event: "hook_event_name", tool: "tool_name", input: "tool_input", dir: "cwd", session: "session_id",
		events: map[string]Event{"preToolUse": Before, "postToolUse": After, "PreToolUse": Before, "PostToolUse": After},
		shell:  claudeShell,
	}
	return &Adapter{
		Name: f.agent, Title: "Kiro",
		Detect: func(p *Payload) bool {
			switch p.String("hook_event_name") {
			case "preToolUse", "postToolUse":
				return !p.Has("cursor_version") && !p.Has("conversation_id")
			}
			return false
		},
		Read: f.read, Write: writeCode, Heard: heardCode,
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"hook_event_name": "preToolUse", "cwd": dir, "session_id": "heed-doctor", "tool_name": "execute_bash", "tool_input": map[string]string{"command": command},
			}), nil
		},
	}
}
