package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/policy"
)

// cursorAsks is the first version of Cursor that is not said to let pass, or to get
// wrong, what a hook asks about: the reports are of 2.4.21 to 3.2.16.
var cursorAsks = [3]int{3, 2, 17}

type cursorAnswer struct {
	Permission string `json:"permission"`
	User       string `json:"user_message,omitempty"`
	Agent      string `json:"agent_message,omitempty"`
	// Specific is for a hook of Claude Code's settings, which Cursor runs too.
	Specific *nestedDecision `json:"hookSpecificOutput,omitempty"`
}

// cursor is the adapter of Cursor, as documented in August 2026. It asks its person
// about commands of its shell only.
func cursor() *Adapter {
	f := &form{
		agent: "cursor", event: "hook_event_name", tool: "tool_name", input: "tool_input", dir: "cwd", session: "conversation_id", id: "tool_use_id",
		events: map[string]Event{
			"beforeShellExecution": Before, "beforeMCPExecution": Before, "preToolUse": Before, "PreToolUse": Before,
			"afterShellExecution": After, "afterMCPExecution": After, "postToolUse": After, "postToolUseFailure": After, "PostToolUse": After,
			"sessionEnd": Ended, "SessionEnd": Ended, "stop": Other, "Stop": Other,
		},
		inner: []string{"working_directory"},
		roots: []string{"CURSOR_PROJECT_DIR"},
		hides: []string{"CURSOR_PROJECT_DIR", "CLAUDE_PROJECT_DIR", "CURSOR_PLUGIN_ROOT"},
		dirs:  func(p *Payload) []string { return cursorRoots(p) },
	}
	return &Adapter{
		Name: f.agent, Title: "Cursor", Asks: true,
		Detect: func(p *Payload) bool {
			return p.Has("cursor_version") || p.Has("conversation_id") && p.Has("generation_id")
		},
		Read: func(p *Payload) (Call, error) {
			like := *p
			like.Fields = maps.Clone(p.Fields)
			switch p.String("hook_event_name") {
			case "beforeShellExecution", "afterShellExecution":
				// The command lies beside the event, and there is no tool.
				delete(like.Fields, "working_directory")
				like.Fields["tool_name"] = json.RawMessage(`"Shell"`)
				like.Fields["tool_input"] = json.RawMessage("{}")
				if command, ok := p.Fields["command"]; ok {
					like.Fields["tool_input"] = slices.Concat(json.RawMessage(`{"command":`), command, json.RawMessage("}"))
				}
			case "beforeMCPExecution", "afterMCPExecution":
				tool, err := text(p.Fields, "tool_name")
				if err != nil {
					return Call{}, err
				}
				like.Fields["tool_name"] = probe("mcp__" + p.String("mcp_server_name") + "__" + tool)
			}
			c, err := f.read(&like)
			c.Workspaces = append(c.Workspaces, cursorRoots(p)...)
			c.unasked = c.event != "beforeShellExecution" || !since(p.String("cursor_version"), cursorAsks)
			return c, err
		},
		Write: func(c *Call, a Answer) (Output, error) {
			if a.Decision == policy.Leave {
				return Output{}, nil
			}
			answer := cursorAnswer{Permission: a.Decision.String()}
			if a.Decision != policy.Allow {
				answer.User, answer.Agent = a.Reason, a.Reason
			}
			if c.event == "PreToolUse" {
				answer.Specific = &nestedDecision{Event: "PreToolUse", Decision: a.Decision.String(), Reason: a.Reason}
			}
			return jsonOutput(answer)
		},
		Heard: func(out Output) (Answer, error) {
			if out.Code != 0 || len(out.Stdout) == 0 {
				return heardCode(out)
			}
			var o cursorAnswer
			if err := json.Unmarshal(out.Stdout, &o); err != nil {
				return Answer{}, fmt.Errorf("reading the hook's answer: %w", err)
			}
			return decision(o.Permission, o.User)
		},
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"conversation_id": "heed-doctor", "generation_id": "heed-doctor", "model": "none", "hook_event_name": "beforeShellExecution", "cursor_version": "0.0.0",
				"workspace_roots": []string{dir}, "command": command, "cwd": dir, "sandbox": false,
			}), []string{"CURSOR_PROJECT_DIR=" + dir, "CLAUDE_PROJECT_DIR=" + dir}
		},
		Install: &Installer{
			Programs: []string{"cursor", "cursor-agent"}, Homes: []string{".cursor"},
			Targets: (&layout{
				user: ".cursor|hooks.json", project: ".cursor|hooks.json", managed: "etc/cursor|hooks.json", darwin: "Library/Application Support/Cursor|hooks.json",
			}).targets(&settings{agent: f.agent, base: "{\n  \"version\": 1\n}\n", entries: func(heed string) []entry {
				h := handler{Command: plainLine(heed, f.agent), Timeout: HookTimeout}
				before := h
				before.Closed = true
				files := before
				files.Matcher = "^(Write|Edit|Delete|Read|Grep)$" // its shell has an event of its own, at which Cursor asks
				shows := h
				shows.Matcher = "^(Read|Grep|WebFetch|WebSearch)$"
				return []entry{
					{at: []string{"hooks", "beforeShellExecution"}, value: before},
					{at: []string{"hooks", "beforeMCPExecution"}, value: before},
					{at: []string{"hooks", "preToolUse"}, value: files},
					{at: []string{"hooks", "afterMCPExecution"}, value: h},
					{at: []string{"hooks", "postToolUse"}, value: shows},
				}
			}}),
		},
	}
}

// cursorRoots are the directories that are open.
func cursorRoots(p *Payload) []string {
	roots, _ := list(p.Fields["workspace_roots"])
	return roots
}

// since reports whether a version (3.2.17) is this one or a later one.
func since(version string, first [3]int) bool {
	var v [3]int
	if n, err := fmt.Sscanf(strings.TrimPrefix(version, "v"), "%d.%d.%d", &v[0], &v[1], &v[2]); n < 3 || err != nil {
		return false
	}
	for i := range v {
		if v[i] != first[i] {
			return v[i] > first[i]
		}
	}
	return true
}
