package agent

import (
	"strings"

	"github.com/heedsh/heed/internal/policy"
)

// Amp is the name of the agent in commands, requests and records.
const Amp = "amp"

// ampAsks is the exit code by which a delegate has Amp ask its person.
const ampAsks = 1

// amp is the adapter of Amp, where heed is the program that a permission is delegated
// to: its environment names the tool, its standard input is what the tool is given, and
// the exit code says it all. Seen with 0.0.1790142911.
func amp() *Adapter {
	return &Adapter{
		Name: Amp, Title: "Amp", Asks: true,
		Detect: func(p *Payload) bool { return p.Getenv("AGENT_TOOL_NAME") != "" && !p.Has("hook_event_name") },
		Read: func(p *Payload) (Call, error) {
			c := Call{Agent: Amp, Tool: p.Getenv("AGENT_TOOL_NAME"), Session: p.Getenv("AMP_CURRENT_THREAD_ID"), hides: []string{"AGENT_TOOL_NAME"}, Shell: claudeShell(p.Getenv)}
			if c.Tool == "" {
				c.Tool = "Bash" // it is delegated to heed by that name
			}
			c.Read = untrusted(c.Tool)
			if err := c.use(p.Text); err != nil {
				return Call{}, err
			}
			return c, c.at(below(p.String("cwd"), p.Dir), p.Dir)
		},
		Write: func(c *Call, a Answer) (Output, error) {
			switch {
			case a.Decision == policy.Allow, a.Decision == policy.Leave && c.Language == Files:
				return Output{}, nil
			case a.Decision == policy.Deny:
				return Output{Stderr: a.Reason + "\n", Code: Refused}, nil
			}
			// There is no way to leave it to Amp's other permissions.
			reason := a.Reason
			if reason == "" {
				reason = "heed has nothing to say about this tool"
			}
			return Output{Stderr: reason + "\n", Code: ampAsks}, nil
		},
		Heard: func(out Output) (Answer, error) {
			switch out.Code {
			case 0:
				return Answer{Decision: policy.Allow}, nil
			case ampAsks:
				return Answer{Decision: policy.Ask, Reason: strings.TrimSpace(out.Stderr)}, nil
			}
			return Answer{Decision: policy.Deny, Reason: strings.TrimSpace(out.Stderr)}, nil
		},
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{"cmd": command, "cwd": dir}), []string{"AGENT=amp", "AGENT_TOOL_NAME=Bash"}
		},
		Install: &Installer{
			Programs: []string{"amp"}, Homes: []string{".config/amp"},
			Targets: (&layout{user: ".config/amp|settings.json", project: ".amp|settings.json"}).targets(&settings{
				agent: Amp, base: "{}\n", comments: true, entries: func(heed string) []entry {
					var all []entry
					for _, tool := range []string{"create_file", "edit_file", "Bash"} {
						// The first that matches decides.
						all = append(all, entry{at: []string{"amp.permissions"}, value: ampPermission{tool, "delegate", heed}, first: true})
					}
					return all
				},
			}),
		},
	}
}

type ampPermission struct {
	Tool   string `json:"tool"`
	Action string `json:"action"`
	To     string `json:"to"`
}
