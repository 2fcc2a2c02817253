package agent

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/policy"
)

// openCodePlugin is the plugin that calls heed: OpenCode runs no hooks but JavaScript.
// It throws, which stops the tool, unless heed says in words that it may run.
//
//go:embed opencode.js
var openCodePlugin string

type openCodeAnswer struct {
	Decision string `json:"decision"`
	Reason   string `json:"reason,omitempty"`
}

// openCode is the adapter of heed's plugin in OpenCode. Seen live with 1.18.33: what is
// thrown in tool.execute.before reaches the model, and the typed hook that would ask a
// person is never called.
func openCode() *Adapter {
	return &Adapter{
		Name: "opencode", Title: "OpenCode", TellsAt: Paused,
		Detect: func(p *Payload) bool { return p.Has("event") && p.Has("input") },
		Read:   readOpenCode,
		Write: func(_ *Call, a Answer) (Output, error) {
			return jsonOutput(openCodeAnswer{a.Decision.String(), a.Reason})
		},
		Heard: func(out Output) (Answer, error) {
			var o openCodeAnswer
			if out.Code != 0 || json.Unmarshal(out.Stdout, &o) != nil {
				return Answer{Decision: policy.Deny, Reason: out.Stderr}, nil // the plugin throws
			}
			if o.Decision == policy.Leave.String() {
				return Answer{Decision: policy.Leave, Reason: o.Reason}, nil
			}
			a, err := decision(o.Decision, o.Reason)
			if err != nil || a.Decision == policy.Ask {
				return Answer{Decision: policy.Deny, Reason: o.Reason}, nil
			}
			return a, nil
		},
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"event": "tool.execute.before", "directory": dir, "input": map[string]string{"tool": "bash", "sessionID": "heed-doctor", "callID": "heed-doctor"},
				"output": map[string]any{"args": map[string]string{"command": command}},
			}), nil
		},
		Install: &Installer{
			Programs: []string{"opencode"}, Homes: []string{".config/opencode"},
			Targets: func(w *Where, scope Scope) ([]Target, error) {
				l := &layout{user: ".config/opencode|plugin/heed.js", project: ".opencode|plugin/heed.js", variable: "OPENCODE_CONFIG_DIR"}
				file, inside, err := l.find(w, scope)
				if err != nil {
					return nil, err
				}
				return []Target{whole(file, inside, 0, func(heed string) string {
					name := string(probe(heed))
					return strings.NewReplacer(`"@HEED@"`, name, "@LIMIT@", strconv.Itoa(HookTimeout)).Replace(openCodePlugin)
				}, func(text string) (heed string) {
					_, rest, _ := strings.Cut(text, "const HEED = ")
					name, _, _ := strings.Cut(rest, "\n")
					_ = json.Unmarshal([]byte(name), &heed) // not heed's own text: ""
					return heed
				})}, nil
			},
		},
	}
}

func readOpenCode(p *Payload) (Call, error) {
	event, err := text(p.Fields, "event")
	if err != nil {
		return Call{}, err
	}
	input, err := object(p.Fields["input"])
	if err != nil {
		return Call{}, fmt.Errorf("reading input: %w", err)
	}
	output, err := object(p.Fields["output"])
	if err != nil {
		return Call{}, fmt.Errorf("reading output: %w", err)
	}
	c := Call{Agent: "opencode", Shell: claudeShell(p.Getenv), Workspaces: []string{p.String("directory")}}
	args := output["args"]
	switch event {
	case "session.idle":
		c.Event = Paused
		c.Session, _ = text(input, "sessionID") // absent: not told
		return c, c.at(p.String("directory"), p.Dir)
	case "tool.execute.before":
	case "tool.execute.after":
		c.Event = After
		args = input["args"]
		var metadata struct {
			Metadata struct {
				Exit *int `json:"exit"`
			} `json:"metadata"`
		}
		if json.Unmarshal(p.Fields["output"], &metadata) == nil && metadata.Metadata.Exit != nil {
			c.Outcome = ended(*metadata.Metadata.Exit, 0)
		}
	default:
		return Call{}, fmt.Errorf("heed answers the event tool.execute.before, and this is %s", quoted(event))
	}
	if c.Tool, err = text(input, "tool"); err != nil {
		return Call{}, err
	}
	if args == nil {
		return Call{}, fmt.Errorf("the arguments of the tool %s are missing", quoted(c.Tool))
	}
	c.Session, _ = text(input, "sessionID") // absent: not told
	c.ID, _ = text(input, "callID")         // absent: not told
	c.Read = untrusted(c.Tool)
	if err := c.use(args); err != nil {
		return Call{}, err
	}
	fields, _ := members(args) // read by use already
	inner, _ := text(fields, "workdir")
	directory := p.String("directory")
	if directory == "" {
		directory = p.Dir
	}
	return c, c.at(below(inner, directory), directory)
}
