package agent

// devinCLI is the adapter of Devin CLI, as documented. Its payload does not say where a
// command runs: its environment names the project, and hooks run there.
func devinCLI() *Adapter {
	f := &form{
		agent: "devin-cli", event: "hook_event_name", tool: "tool_name", input: "tool_input", dir: "cwd", session: "session_id", id: "tool_use_id",
		events: map[string]Event{"PreToolUse": Before, "PostToolUse": After, "SessionEnd": Ended, "Stop": Other, "PermissionRequest": Other},
		dirs:   func(p *Payload) []string { return []string{p.Getenv("DEVIN_PROJECT_DIR"), p.Dir} },
		roots:  []string{"DEVIN_PROJECT_DIR"}, hides: []string{"DEVIN_PROJECT_DIR"}, shell: claudeShell,
	}
	return &Adapter{
		Name: f.agent, Title: "Devin CLI",
		Detect: func(p *Payload) bool {
			_, known := f.events[p.String("hook_event_name")]
			return known && !p.Has("timestamp") && !p.Has("cursor_version") && !p.Has("turn_id") && !p.Has("transcript_path")
		},
		Read: f.read, Write: writeCode, Heard: heardCode,
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"hook_event_name": "PreToolUse", "tool_name": "exec", "tool_input": map[string]string{"command": command, "shell_id": "main"},
			}), []string{"DEVIN_PROJECT_DIR=" + dir}
		},
		Install: &Installer{
			Programs: []string{"devin"}, Homes: []string{".devin"},
			Targets: (&layout{project: ".devin|hooks.v1.json"}).targets(&settings{agent: f.agent, base: "{}\n", entries: func(heed string) []entry {
				hooks := []handler{{Type: "command", Command: line(heed, f.agent), Timeout: HookTimeout}}
				return []entry{
					{at: []string{"PreToolUse"}, value: group{"^(exec|edit|write|read|grep|mcp__.*)$", hooks}},
					{at: []string{"PostToolUse"}, value: group{"^(exec|read|grep|web.*|mcp__.*)$", hooks}},
				}
			}}),
		},
	}
}
