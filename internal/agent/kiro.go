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
		Install: &Installer{
			Programs: []string{"kiro", "kiro-cli"}, Homes: []string{".kiro"},
			Targets: (&layout{user: ".kiro|hooks/heed.json", project: ".kiro|hooks/heed.json"}).targets(&settings{
				agent: f.agent, base: "{\n  \"version\": \"v1\"\n}\n", entries: func(heed string) []entry {
					return []entry{
						{at: []string{"hooks"}, value: kiroHook{
							"heed", "PreToolUse", "^(execute_bash|execute_cmd|shell|fs_.*|str_replace|write.*|read.*|grep.*|@.*)$", kiroAction{"command", line(heed, f.agent)}, HookTimeout, true,
						}},
						{at: []string{"hooks"}, value: kiroHook{
							"heed-after", "PostToolUse", "^(fs_read|read.*|grep.*|web_.*|@.*)$", kiroAction{"command", plainLine(heed, f.agent)}, HookTimeout, true,
						}},
					}
				},
			}),
			Trust: "Kiro's CLI before 3.0 reads no such files: put heed into the agent's own (docs/agents.md), and keep Kiro's permissions strict",
		},
	}
}

type kiroHook struct {
	Name    string     `json:"name"`
	Trigger string     `json:"trigger"`
	Matcher string     `json:"matcher"`
	Action  kiroAction `json:"action"`
	Timeout int        `json:"timeout"`
	Enabled bool       `json:"enabled"`
}

type kiroAction struct {
	Type    string `json:"type"`
	Command string `json:"command"`
}
