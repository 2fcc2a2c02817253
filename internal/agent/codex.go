package agent

import (
	"encoding/json"

	"github.com/heedsh/heed/internal/policy"
)

// codex is the adapter of OpenAI's Codex CLI. Seen live with 0.169.0: every shell tool
// is called Bash, a patch is apply_patch with its text in "command", an "ask" lets the
// command run, and so does an answer that comes with another exit code than 0 or 2.
// What is typed into a shell that runs (write_stdin) passes no hook there.
func codex() *Adapter {
	f := &form{
		agent: "codex", event: "hook_event_name", tool: "tool_name", input: "tool_input", dir: "cwd", session: "session_id", id: "tool_use_id",
		events: map[string]Event{"PreToolUse": Before, "PostToolUse": After, "SessionEnd": Ended, "Stop": Paused, "PermissionRequest": Other},
		outcome: func(p *Payload, _ *Call) *Outcome {
			var printed string
			_ = json.Unmarshal(p.Fields["tool_response"], &printed) // another kind tells nothing
			if code, ok := codeIn(printed); ok {
				return ended(code, 0)
			}
			return nil
		},
	}
	return &Adapter{
		Name: f.agent, Title: "Codex", Rewrites: true, TellsAt: Paused,
		Detect: func(p *Payload) bool {
			return p.Has("hook_event_name") && !p.Has("cursor_version") && (p.Has("turn_id") || p.String("hook_event_name") == "SessionEnd" && p.Has("model"))
		},
		Read: f.read,
		// "allow" is of use only where a command is rewritten.
		Write: func(c *Call, a Answer) (Output, error) {
			if a.Decision == policy.Allow && a.Command == "" {
				return Output{}, nil
			}
			return writeNested(c, a)
		},
		Heard: func(out Output) (Answer, error) {
			a, err := heardNested(out)
			if a.Decision == policy.Ask {
				a.Decision = policy.Allow // it runs
			}
			return a, err
		},
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"session_id": "heed-doctor", "turn_id": "heed-doctor", "transcript_path": "/dev/null", "cwd": dir, "hook_event_name": "PreToolUse", "model": "none",
				"permission_mode": "default", "tool_name": "Bash", "tool_input": map[string]string{"command": command}, "tool_use_id": "heed-doctor",
			}), nil
		},
		Install: &Installer{
			Programs: []string{"codex"}, Homes: []string{".codex"},
			Targets: (&layout{user: ".codex|hooks.json", project: ".codex|hooks.json", variable: "CODEX_HOME"}).targets(&settings{
				agent: f.agent, base: "{}\n", entries: func(heed string) []entry {
					hooks := []handler{{Type: "command", Command: line(heed, f.agent), Timeout: HookTimeout}}
					return []entry{
						{at: []string{"hooks", "PreToolUse"}, value: group{"^(Bash|apply_patch|write_stdin|mcp__.*)$", hooks}},
						{at: []string{"hooks", "PostToolUse"}, value: group{"^(Bash|mcp__.*)$", hooks}},
						{at: []string{"hooks", "Stop"}, value: group{Hooks: []handler{{Type: "command", Command: plainLine(heed, f.agent), Timeout: HookTimeout}}}},
					}
				},
			}),
			Trust: "Codex skips hooks that are not trusted, without a word: start codex, type /hooks, and trust heed's; again after every change of them",
		},
	}
}
