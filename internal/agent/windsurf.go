package agent

import (
	"encoding/json"
	"fmt"
	"slices"
)

// windsurf is the adapter of Windsurf, which is called Devin Desktop now, as
// documented. Only exit code 2 stops anything there; what is said on standard error is
// shown.
func windsurf() *Adapter {
	return &Adapter{
		Name: "windsurf", Title: "Windsurf (Devin Desktop)",
		Detect: func(p *Payload) bool { return p.Has("agent_action_name") },
		Read:   readWindsurf, Write: writeCode, Heard: heardCode,
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"agent_action_name": "pre_run_command", "trajectory_id": "heed-doctor", "execution_id": "heed-doctor", "timestamp": "2026-01-01T00:00:00Z", "model_name": "none",
				"tool_info": map[string]string{"command_line": command, "cwd": dir},
			}), nil
		},
		Install: &Installer{
			Programs: []string{"windsurf"}, Homes: []string{".codeium/windsurf"},
			Targets: (&layout{
				user: ".codeium/windsurf|hooks.json", project: ".windsurf|hooks.json", managed: "etc/windsurf|hooks.json", darwin: "Library/Application Support/Windsurf|hooks.json",
			}).targets(&settings{agent: "windsurf", base: "{}\n", entries: func(heed string) []entry {
				var all []entry
				for _, event := range []string{"pre_run_command", "pre_mcp_tool_use", "pre_write_code", "pre_read_code", "post_mcp_tool_use", "post_read_code"} {
					all = append(all, entry{at: []string{"hooks", event}, value: handler{Command: line(heed, "windsurf"), Show: true}})
				}
				return all
			}}),
		},
	}
}

func readWindsurf(p *Payload) (Call, error) {
	action, err := text(p.Fields, "agent_action_name")
	if err != nil {
		return Call{}, err
	}
	c := Call{Agent: "windsurf", Session: p.String("trajectory_id"), ID: p.String("execution_id"), Shell: claudeShell(p.Getenv)}
	info, err := object(p.Fields["tool_info"])
	if err != nil {
		return Call{}, fmt.Errorf("reading tool_info: %w", err)
	}
	input := p.Fields["tool_info"]
	switch action {
	case "pre_run_command", "post_run_command":
		c.Tool = "run_command"
	case "pre_write_code", "post_write_code":
		c.Tool = "write"
	case "pre_mcp_tool_use", "post_mcp_tool_use":
		tool, err := text(info, "mcp_tool_name")
		if err != nil {
			return Call{}, err
		}
		server, _ := text(info, "mcp_server_name") // only for the name
		c.Tool, input = "mcp__"+server+"__"+tool, info["mcp_tool_arguments"]
	case "pre_read_code", "post_read_code":
		c.Tool = "read"
	default:
		return Call{}, fmt.Errorf("heed answers the event pre_run_command, and this is %s: correct the agent's settings", quoted(action))
	}
	if !slices.Contains([]string{"pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use"}, action) {
		c.Event = After
	}
	c.Read = untrusted(c.Tool)
	if err := c.use(input); err != nil || c.idle() {
		return c, err
	}
	var dir string
	if raw, ok := info["cwd"]; ok {
		if err := json.Unmarshal(raw, &dir); err != nil {
			return Call{}, fmt.Errorf("the field \"cwd\" is not a string")
		}
	} else if c.Tool == "run_command" {
		return Call{}, fmt.Errorf("the field \"cwd\" is missing")
	}
	return c, c.at(dir, p.Dir)
}
