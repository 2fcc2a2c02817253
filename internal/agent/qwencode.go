package agent

// qwenCode is the adapter of Qwen Code: Claude Code's dialect with Gemini CLI's tools.
// Seen live with 0.24.4.
func qwenCode() *Adapter {
	f := &form{
		agent: "qwen-code", event: "hook_event_name", tool: "tool_name", input: "tool_input", dir: "cwd", session: "session_id", id: "tool_use_id",
		events: map[string]Event{"PreToolUse": Before, "PostToolUse": After, "PostToolUseFailure": After, "SessionEnd": Ended, "Stop": Paused},
		inner:  []string{"directory"},
		roots:  []string{"QWEN_PROJECT_DIR"},
		hides:  []string{"QWEN_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"},
		outcome: func(p *Payload, c *Call) *Outcome {
			if c.event == "PostToolUseFailure" {
				return ended(-1, number(p.Fields, "duration_ms"))
			}
			return geminiOutcome(p)
		},
	}
	return &Adapter{
		Name: f.agent, Title: "Qwen Code", Asks: true, TellsAt: Paused,
		Detect: func(p *Payload) bool {
			return f.events[p.String("hook_event_name")] <= Paused && p.Has("hook_event_name") && p.Has("timestamp") && p.Has("permission_mode")
		},
		Read: f.read, Write: writeNested, Heard: heardNested,
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"session_id": "heed-doctor", "transcript_path": "/dev/null", "cwd": dir, "hook_event_name": "PreToolUse", "timestamp": "2026-01-01T00:00:00.000Z",
				"permission_mode": "default", "prompt_id": "heed-doctor", "tool_name": "run_shell_command", "tool_input": map[string]string{"command": command},
				"tool_use_id": "heed-doctor", "tool_call_id": "heed-doctor",
			}), []string{"QWEN_PROJECT_DIR=" + dir, "CLAUDE_PROJECT_DIR=" + dir}
		},
		Install: &Installer{
			Programs: []string{"qwen"}, Homes: []string{".qwen"},
			Targets: (&layout{user: ".qwen|settings.json", project: ".qwen|settings.json"}).targets(&settings{
				agent: f.agent, base: "{}\n", comments: true, entries: func(heed string) []entry {
					hooks := []handler{{Name: "heed", Type: "command", Command: line(heed, f.agent), Timeout: HookTimeout}} // seconds; from 1000 on ms
					return []entry{
						{at: []string{"hooks", "PreToolUse"}, value: group{"^(run_shell_command|monitor|write_file|edit|replace|read_file|read_many_files|grep_search|search_file_content|mcp__.*)$", hooks}},
						{at: []string{"hooks", "PostToolUse"}, value: group{"^(run_shell_command|monitor|read_file|read_many_files|grep_search|search_file_content|web_fetch|web_search|mcp__.*)$", hooks}},
						{at: []string{"hooks", "Stop"}, value: group{Hooks: []handler{{Name: "heed", Type: "command", Command: plainLine(heed, f.agent), Timeout: HookTimeout}}}},
					}
				},
			}),
			Trust: "In a project, Qwen Code runs hooks only where you trust the folder",
		},
	}
}
