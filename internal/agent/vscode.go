package agent

// vsCode is the adapter of the agent that runs in VS Code itself, called Local there;
// its other agents have hooks of their own. As documented in October 2026; the
// terminal tool's name differs between releases.
func vsCode() *Adapter {
	f := &form{
		agent: "vscode", event: "hookEventName", tool: "tool_name", input: "tool_input", dir: "cwd", session: "sessionId", id: "tool_use_id",
		events: map[string]Event{"PreToolUse": Before, "PostToolUse": After, "SessionEnd": Ended, "Stop": Paused},
		hides:  []string{"CLAUDE_PROJECT_DIR"}, shell: claudeShell, outcome: claudeOutcome,
	}
	return &Adapter{
		Name: f.agent, Title: "VS Code", Asks: true, Rewrites: true, TellsAt: Paused,
		Detect: func(p *Payload) bool { return p.Has("hookEventName") && !p.Has("toolName") },
		Read:   f.read, Write: writeNested, Heard: heardNested,
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"timestamp": "2026-01-01T00:00:00.000Z", "cwd": dir, "sessionId": "heed-doctor", "hookEventName": "PreToolUse", "transcript_path": "/dev/null",
				"tool_name": "run_in_terminal", "tool_input": map[string]string{"command": command}, "tool_use_id": "heed-doctor",
			}), nil
		},
		Install: &Installer{
			Programs: []string{"code", "code-insiders", "codium"}, Homes: []string{".vscode", ".vscode-server"},
			Targets: (&layout{user: ".copilot|hooks/heed-vscode.json", project: ".github|hooks/heed-vscode.json"}).targets(&settings{
				agent: f.agent, base: "{}\n", entries: func(heed string) []entry {
					h := handler{Type: "command", Command: line(heed, f.agent), Timeout: HookTimeout}
					stop := h
					stop.Command = plainLine(heed, f.agent)
					return []entry{{at: []string{"hooks", "PreToolUse"}, value: h}, {at: []string{"hooks", "PostToolUse"}, value: h}, {at: []string{"hooks", "Stop"}, value: stop}}
				},
			}),
			Trust: "The hooks of VS Code are for VS Code's Local agent; Copilot CLI runs the same files, and a command that was approved once is then asked about by the second",
		},
	}
}
