package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/strictjson"
)

// ClaudeCode is the name of the agent in commands, requests and records.
const ClaudeCode = "claude-code"

// claudeCode is the adapter of Claude Code.
func claudeCode() *Adapter {
	return &Adapter{
		Name: ClaudeCode, Title: "Claude Code", Asks: true, Shared: true, Rewrites: true, TellsAt: Paused,
		Detect: func(p *Payload) bool {
			switch p.String("hook_event_name") {
			case "PreToolUse", "PostToolUse", "PostToolUseFailure", "SessionEnd", "Stop", "PermissionRequest":
				// Codex, Qwen Code and Copilot CLI, Cursor, and Devin CLI read or write this
				// dialect too.
				return !p.Has("turn_id") && !p.Has("timestamp") && !p.Has("cursor_version") && (p.Has("session_id") || p.Has("transcript_path"))
			}
			return false
		},
		Read:  claudeForm().read,
		Write: writeNested,
		Heard: heardNested,
		Probe: func(command, dir string) ([]byte, []string) {
			return ClaudeCodePayload(command, dir), []string{"CLAUDE_PROJECT_DIR=" + dir}
		},
		Install: claudeInstaller(),
	}
}

func claudeForm() *form {
	return &form{
		agent: ClaudeCode, event: "hook_event_name", tool: "tool_name", input: "tool_input", dir: "cwd", session: "session_id", id: "tool_use_id",
		events: map[string]Event{"PreToolUse": Before, "PostToolUse": After, "PostToolUseFailure": After, "SessionEnd": Ended, "Stop": Paused},
		roots:  []string{"CLAUDE_PROJECT_DIR"}, shell: claudeShell,
		// Hooks have these, commands do not (seen with Claude Code 2.1.329): a command that
		// uses one finds it unset.
		hides:   []string{"CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_ENV_FILE"},
		outcome: claudeOutcome,
	}
}

// claudeOutcome is how a tool ended: an interrupted command has no exit code, and one
// that failed only a text.
func claudeOutcome(p *Payload, c *Call) *Outcome {
	o := &Outcome{MS: number(p.Fields, "duration_ms")}
	var response struct {
		Interrupted bool `json:"interrupted"`
	}
	_ = json.Unmarshal(p.Fields["tool_response"], &response) // a text has no such field
	if c.event == "PostToolUseFailure" || response.Interrupted {
		o.Code, o.Failed = -1, true
	}
	return o
}

// object reads the members of a JSON object, of which no two may have one name.
func object(raw []byte) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	var twice error
	err := strictjson.Object(raw, func(name string, value json.RawMessage, again bool) error {
		if again {
			twice = fmt.Errorf("the field %s is given twice", quoted(name))
			return twice
		}
		fields[name] = value
		return nil
	})
	switch {
	case twice != nil:
		return nil, twice
	case err != nil:
		return nil, fmt.Errorf("it %w", err)
	}
	return fields, nil
}

// text reads a field that must be a string.
func text(fields map[string]json.RawMessage, name string) (string, error) {
	raw, ok := fields[name]
	if !ok {
		return "", fmt.Errorf("the field %q is missing", name)
	}
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil || s == nil {
		return "", fmt.Errorf("the field %q is not a string", name)
	}
	return *s, nil
}

// quoted shows foreign text in a message.
func quoted(s string) string { return `"` + explain.Cut(explain.Visible(s), 40) + `"` }

// claudeShell is the shell that Claude Code runs commands with: that of
// CLAUDE_CODE_SHELL or SHELL, if it is bash or zsh by its name.
func claudeShell(getenv func(string) string) string {
	shell := cmp.Or(getenv("CLAUDE_CODE_SHELL"), getenv("SHELL"))
	if strings.Contains(path.Base(shell), "zsh") {
		return "zsh"
	}
	return "bash"
}

// ClaudeCodePayload is what Claude Code would hand to a PreToolUse hook for a
// Bash command, as recorded from 2.1.329.
func ClaudeCodePayload(command, dir string) []byte {
	return probe(map[string]any{
		"session_id": "heed-doctor", "transcript_path": "/dev/null", "cwd": dir, "prompt_id": "heed-doctor",
		"permission_mode": "default", "effort": map[string]string{"level": "high"}, "hook_event_name": "PreToolUse",
		"tool_name": "Bash", "tool_input": map[string]string{"command": command, "description": "heed doctor"}, "tool_use_id": "toolu_heed_doctor",
	})
}

// claudeInstaller writes hooks for the tools that run commands, write or show files or
// belong to a server, before they are used and after. onFailure makes Claude Code refuse the
// command if the hook cannot start or dies (known since about 2.1.295; earlier ones
// ignore it).
func claudeInstaller() *Installer {
	l := &layout{
		user: ".claude|settings.json", project: ".claude|settings.json", local: ".claude|settings.local.json",
		managed: "etc/claude-code|managed-settings.d/heed.json", darwin: "Library/Application Support/ClaudeCode|managed-settings.d/heed.json", variable: "CLAUDE_CONFIG_DIR",
	}
	s := &settings{agent: ClaudeCode, base: "{}\n", entries: func(heed string) []entry {
		h := handler{Type: "command", Command: heed, Args: hookArgs(ClaudeCode), Timeout: HookTimeout}
		after := h // which stops nothing
		h.OnFailure = "block"
		return []entry{
			{at: []string{"hooks", "PreToolUse"}, value: group{"^(" + Matcher + "|Write|Edit|MultiEdit|NotebookEdit|Read|Grep|NotebookRead|mcp__.*)$", []handler{h}}},
			{at: []string{"hooks", "PostToolUse"}, value: group{"^(" + Matcher + "|Read|Grep|NotebookRead|WebFetch|WebSearch|ReadMcpResourceTool|mcp__.*)$", []handler{after}}},
			{at: []string{"hooks", "Stop"}, value: group{Hooks: []handler{after}}},
		}
	}}
	targets := func(w *Where, scope Scope) ([]Target, error) {
		all, err := l.targets(s)(w, scope)
		for i := range all {
			all[i] = netted(all[i])
		}
		return all, err
	}
	return &Installer{Programs: []string{"claude"}, Homes: []string{".claude"}, Targets: targets}
}
