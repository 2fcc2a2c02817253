package agent

import (
	"encoding/json"
	"fmt"

	"github.com/heedsh/heed/internal/policy"
)

type antigravityAnswer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason,omitempty"`
}

// forceAsk has Antigravity ask whatever its person has let run always; "ask" goes by
// that.
const forceAsk = "force_ask"

// antigravity is the adapter of Google's Antigravity. Its words are those that others
// have seen with agy 1.1.2: docs.rs/safe-chains, targets/agy. An answer without a
// decision stops the tool there.
func antigravity() *Adapter {
	return &Adapter{
		Name: "antigravity", Title: "Antigravity", Asks: true,
		Detect: func(p *Payload) bool { return p.Has("toolCall") && !p.Has("clineVersion") },
		Read: func(p *Payload) (Call, error) {
			c := Call{Agent: "antigravity", Session: p.String("conversationId"), Shell: claudeShell(p.Getenv)}
			tool, err := object(p.Fields["toolCall"])
			if err != nil {
				return Call{}, fmt.Errorf("reading toolCall: %w", err)
			}
			if c.Tool, err = text(tool, "name"); err != nil {
				return Call{}, err
			}
			c.Workspaces, _ = list(p.Fields["workspacePaths"])
			c.Read = untrusted(c.Tool)
			if err := c.use(tool["args"]); err != nil || c.idle() {
				return c, err
			}
			session := p.Dir
			if len(c.Workspaces) > 0 {
				session = c.Workspaces[0]
			}
			args, _ := members(tool["args"]) // read by use already
			inner, _ := text(args, "Cwd")
			return c, c.at(below(inner, session), session)
		},
		Write: func(c *Call, a Answer) (Output, error) {
			word := a.Decision.String()
			switch {
			case a.Decision == policy.Ask:
				word = forceAsk
			case a.Decision == policy.Leave && (c.Language == None || c.Language == Files):
				word = policy.Allow.String() // which leaves its own dialogs as they are
			case a.Decision == policy.Leave:
				word = policy.Ask.String()
			}
			return jsonOutput(antigravityAnswer{word, a.Reason})
		},
		Heard: func(out Output) (Answer, error) {
			var o antigravityAnswer
			if out.Code != 0 || json.Unmarshal(out.Stdout, &o) != nil || o.Decision == "" {
				return Answer{Decision: policy.Deny, Reason: out.Stderr}, nil
			}
			if o.Decision == forceAsk {
				o.Decision = policy.Ask.String()
			}
			return decision(o.Decision, o.Reason)
		},
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"conversationId": "heed-doctor", "workspacePaths": []string{dir}, "toolCall": map[string]any{"name": "run_command", "args": map[string]string{"CommandLine": command, "Cwd": dir}},
			}), nil
		},
		Install: &Installer{
			Programs: []string{"agy", "antigravity"}, Homes: []string{".gemini/antigravity", ".antigravity"},
			Targets: (&layout{user: ".gemini/config|hooks.json", project: ".agents|hooks.json"}).targets(&settings{
				agent: "antigravity", base: "{}\n", entries: func(heed string) []entry {
					return []entry{{at: []string{"heed", "PreToolUse"}, value: group{
						"run_command|write_to_file|replace_file_content|multi_replace_file_content|view_file", []handler{{Type: "command", Command: plainLine(heed, "antigravity"), Timeout: HookTimeout}},
					}}}
				},
			}),
			Trust: "Others report that Antigravity's CLI reads hooks of plugins only: try it before you rely on it",
		},
	}
}
