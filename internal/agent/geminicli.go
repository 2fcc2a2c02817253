package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/heedsh/heed/internal/policy"
)

// A flatAnswer is Gemini CLI's. It shows its person the message, and its model the
// reason.
type flatAnswer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason,omitempty"`
	Message  string `json:"systemMessage,omitempty"`
}

// geminiCLI is the adapter of Gemini CLI. Seen live with 0.61.0: it takes no answer of
// Claude Code's form, and one that is printed counts whatever the exit code is, so that
// nothing may be printed where the code is to refuse.
func geminiCLI() *Adapter {
	f := &form{
		agent: "gemini-cli", event: "hook_event_name", tool: "tool_name", input: "tool_input", dir: "cwd", session: "session_id",
		events:  map[string]Event{"BeforeTool": Before, "AfterTool": After, "SessionEnd": Ended},
		inner:   []string{"dir_path", "directory"},
		roots:   []string{"GEMINI_PROJECT_DIR"},
		hides:   []string{"GEMINI_PROJECT_DIR", "GEMINI_PLANS_DIR", "GEMINI_CWD", "GEMINI_SESSION_ID", "CLAUDE_PROJECT_DIR"},
		outcome: func(p *Payload, _ *Call) *Outcome { return geminiOutcome(p) },
	}
	return &Adapter{
		Name: f.agent, Title: "Gemini CLI", Asks: true, TellsAt: Ended,
		Detect: func(p *Payload) bool {
			switch p.String("hook_event_name") {
			case "BeforeTool", "AfterTool":
				return true
			case "SessionEnd":
				return p.Has("timestamp") && !p.Has("permission_mode")
			}
			return false
		},
		Read: f.read,
		Write: func(_ *Call, a Answer) (Output, error) {
			if a.Decision == policy.Leave {
				return Output{}, nil
			}
			answer := flatAnswer{a.Decision.String(), a.Reason, ""}
			if a.Decision != policy.Allow {
				answer.Message = a.Reason
			}
			return jsonOutput(answer)
		},
		Heard: func(out Output) (Answer, error) {
			if len(bytes.TrimSpace(out.Stdout)) == 0 {
				return heardCode(out)
			}
			var o flatAnswer
			if err := json.Unmarshal(out.Stdout, &o); err != nil {
				return Answer{}, fmt.Errorf("reading the hook's answer: %w", err)
			}
			return decision(o.Decision, o.Reason)
		},
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"session_id": "heed-doctor", "transcript_path": "/dev/null", "cwd": dir, "hook_event_name": "BeforeTool", "timestamp": "2026-01-01T00:00:00.000Z",
				"tool_name": "run_shell_command", "tool_input": map[string]string{"command": command},
			}), []string{"GEMINI_PROJECT_DIR=" + dir, "CLAUDE_PROJECT_DIR=" + dir}
		},
		Install: &Installer{
			Programs: []string{"gemini"}, Homes: []string{".gemini"},
			Targets: (&layout{
				user: ".gemini|settings.json", project: ".gemini|settings.json",
				managed: "etc/gemini-cli|settings.json", darwin: "Library/Application Support/GeminiCli|settings.json",
			}).targets(&settings{agent: f.agent, base: "{}\n", comments: true, entries: func(heed string) []entry {
				hooks := []handler{{Name: "heed", Type: "command", Command: line(heed, f.agent), Timeout: HookTimeout * 1000}}
				return []entry{
					{at: []string{"hooks", "BeforeTool"}, value: group{"^(run_shell_command|write_file|replace|read_file|read_many_files|grep_search|search_file_content|mcp_.*)$", hooks}},
					{at: []string{"hooks", "AfterTool"}, value: group{"^(run_shell_command|read_file|read_many_files|grep_search|search_file_content|web_fetch|google_web_search|mcp_.*)$", hooks}},
					{at: []string{"hooks", "SessionEnd"}, value: group{Hooks: []handler{{Name: "heed", Type: "command", Command: plainLine(heed, f.agent), Timeout: HookTimeout * 1000}}}},
				}
			}}),
			Trust: "In a project, Gemini CLI runs hooks only where you trust the folder",
		},
	}
}

// geminiOutcome is how a tool ended, by the text that the model reads; Qwen Code, which
// came from this agent, writes the same.
func geminiOutcome(p *Payload) *Outcome {
	var response struct {
		Content json.RawMessage `json:"llmContent"`
		Error   json.RawMessage `json:"error"`
	}
	if json.Unmarshal(p.Fields["tool_response"], &response) != nil {
		return nil
	}
	ms := number(p.Fields, "duration_ms")
	var content string
	if json.Unmarshal(response.Content, &content) == nil {
		if code, ok := codeIn(content); ok {
			return ended(code, ms)
		}
	}
	if e := strings.TrimSpace(string(response.Error)); e != "" && e != "null" {
		return ended(-1, ms)
	}
	return ended(0, ms) // it prints the code of what failed
}
