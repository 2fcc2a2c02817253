package agent

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/heedsh/heed/internal/policy"
)

// copilotCLI is the adapter of GitHub Copilot CLI. An event that its settings spell
// preToolUse comes in a form of its own, without the event's name, and takes a flat
// answer only; PreToolUse comes in Claude Code's form. Both seen with 1.0.102.
func copilotCLI() *Adapter {
	like := &form{
		agent: "copilot-cli", event: "hook_event_name", tool: "tool_name", input: "tool_input", dir: "cwd", session: "session_id", id: "tool_use_id",
		events: map[string]Event{"PreToolUse": Before, "PostToolUse": After, "PostToolUseFailure": After, "SessionEnd": Ended, "Stop": Other, "PermissionRequest": Other},
		roots:  []string{"COPILOT_PROJECT_DIR"}, hides: copilotHides(), outcome: claudeOutcome,
	}
	return &Adapter{
		Name: like.agent, Title: "GitHub Copilot CLI", Asks: true, Shared: true,
		Detect: func(p *Payload) bool {
			if p.Has("hook_event_name") {
				_, known := like.events[p.String("hook_event_name")]
				return known && p.Has("timestamp") && !p.Has("permission_mode") && !p.Has("turn_id") && (p.Has("tool_name") || p.Getenv("COPILOT_CLI") != "")
			}
			return !p.Has("hookEventName") && p.Has("sessionId") && (p.Has("toolName") || number(p.Fields, "timestamp") > 0)
		},
		Read: func(p *Payload) (Call, error) {
			if p.Has("hook_event_name") {
				return like.read(p)
			}
			return readCopilot(p)
		},
		Write: func(c *Call, a Answer) (Output, error) {
			if a.Decision == policy.Leave || c.event != "" {
				return writeNested(c, a)
			}
			return jsonOutput(copilotAnswer{a.Decision.String(), a.Reason})
		},
		Heard: func(out Output) (Answer, error) {
			var flat copilotAnswer
			switch {
			case out.Code != 0:
				return Answer{Decision: policy.Deny, Reason: out.Stderr}, nil
			case json.Unmarshal(out.Stdout, &flat) == nil && flat.Decision != "":
				return decision(flat.Decision, flat.Reason)
			}
			return heardNested(out)
		},
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"sessionId": "heed-doctor", "timestamp": 1, "cwd": dir, "toolName": "bash", "toolArgs": map[string]any{"command": command, "is_background": false},
			}), []string{"COPILOT_CLI=1", "COPILOT_PROJECT_DIR=" + dir, "CLAUDE_PROJECT_DIR=" + dir}
		},
		Install: &Installer{
			Programs: []string{"copilot"}, Homes: []string{".copilot"},
			Targets: (&layout{
				user: ".copilot|hooks/heed.json", project: ".github|hooks/heed.json", managed: "etc/github-copilot|policy.d/heed.json", variable: "COPILOT_HOME",
				darwin: "etc/github-copilot|policy.d/heed.json",
			}).targets(&settings{agent: like.agent, base: "{\n  \"version\": 1\n}\n", entries: func(heed string) []entry {
				h := copilotHandler{"command", plainLine(heed, like.agent), HookTimeout}
				return []entry{{at: []string{"hooks", "preToolUse"}, value: h}, {at: []string{"hooks", "postToolUse"}, value: h}}
			}}),
			Trust: "In a project, Copilot CLI runs hooks only where you trust the folder; its cloud agent reads .github/hooks of the default branch",
		},
	}
}

type copilotHandler struct {
	Type    string `json:"type"`
	Bash    string `json:"bash"`
	Timeout int    `json:"timeoutSec"`
}

type copilotAnswer struct {
	Decision string `json:"permissionDecision"`
	Reason   string `json:"permissionDecisionReason"`
}

func copilotHides() []string {
	return []string{"COPILOT_PROJECT_DIR", "COPILOT_HOOK_DIR", "CLAUDE_PROJECT_DIR", "PLUGIN_ROOT", "COPILOT_PLUGIN_ROOT", "CLAUDE_PLUGIN_ROOT"}
}

// readCopilot reads a payload of an event of the form preToolUse.
func readCopilot(p *Payload) (Call, error) {
	c := Call{Agent: "copilot-cli", Session: p.String("sessionId"), Workspaces: []string{p.Getenv("COPILOT_PROJECT_DIR")}, hides: copilotHides()}
	switch {
	case p.String("hookName") == "permissionRequest":
		c.Event = Other // preToolUse has come before it, and the person is asked
		return c, nil
	case p.String("hookName") != "" && p.String("hookName") != "preToolUse" && p.String("hookName") != "postToolUse":
		return c, fmt.Errorf("heed answers the event preToolUse, and this is %s: correct the agent's settings", quoted(p.String("hookName")))
	case !p.Has("toolName") && p.Has("reason"):
		c.Event = Ended
		return c, nil
	case p.Has("toolResult"), p.Has("error"):
		c.Event, c.Outcome = After, copilotOutcome(p)
	}
	var err error
	if c.Tool, err = text(p.Fields, "toolName"); err != nil {
		return Call{}, err
	}
	if !p.Has("toolArgs") {
		return Call{}, errors.New("the field \"toolArgs\" is missing")
	}
	c.Read = untrusted(c.Tool)
	if err := c.use(p.Fields["toolArgs"]); err != nil || c.idle() {
		return c, err
	}
	dir, err := text(p.Fields, "cwd")
	if err != nil {
		return Call{}, err
	}
	return c, c.at(dir)
}

func copilotOutcome(p *Payload) *Outcome {
	var result struct {
		Type string `json:"resultType"`
		Text string `json:"textResultForLlm"`
	}
	if json.Unmarshal(p.Fields["toolResult"], &result) != nil || result.Type == "" {
		return ended(-1, 0)
	}
	if code, ok := codeIn(result.Text); ok {
		return ended(code, 0)
	}
	if result.Type != "success" {
		return ended(-1, 0)
	}
	return ended(0, 0)
}
