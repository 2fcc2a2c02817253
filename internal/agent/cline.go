package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/policy"
)

type clineAnswer struct {
	Cancel  bool   `json:"cancel"`
	Message string `json:"errorMessage,omitempty"`
}

// cline is the adapter of Cline. Seen live with 3.0.65: no exit code stops anything,
// only "cancel" does, and it ends the run.
func cline() *Adapter {
	return &Adapter{
		Name: "cline", Title: "Cline",
		Detect: func(p *Payload) bool { return p.Has("clineVersion") },
		Read:   readCline,
		Write: func(_ *Call, a Answer) (Output, error) {
			stops := a.Decision == policy.Deny || a.Decision == policy.Ask
			if !stops {
				a.Reason = ""
			}
			return jsonOutput(clineAnswer{stops, a.Reason})
		},
		Refuse: func(reason string) Output {
			out, err := jsonOutput(clineAnswer{true, reason})
			if err != nil {
				out.Stdout = []byte(`{"cancel":true}` + "\n")
			}
			return out
		},
		Heard: func(out Output) (Answer, error) {
			var o clineAnswer
			if err := json.Unmarshal(out.Stdout, &o); err != nil {
				return Answer{}, fmt.Errorf("reading the hook's answer: %w", err)
			}
			if o.Cancel {
				return Answer{Decision: policy.Deny, Reason: o.Message}, nil
			}
			return Answer{Decision: policy.Leave}, nil
		},
		Probe: func(command, dir string) ([]byte, []string) {
			return probe(map[string]any{
				"clineVersion": "", "timestamp": "2026-01-01T00:00:00.000Z", "taskId": "heed-doctor", "workspaceRoots": []string{dir}, "hookName": "tool_call",
				"tool_call": map[string]any{"id": "heed-doctor", "name": "run_commands", "input": map[string]any{"commands": []string{command}}},
			}), nil
		},
		Install: &Installer{Programs: []string{"cline"}, Homes: []string{".cline", "Documents/Cline"}, Targets: clineHooks},
	}
}

// clineHooks are two programs, called as the events are. Cline goes by what is printed
// alone: where heed says nothing, the first of them does.
func clineHooks(w *Where, scope Scope) (all []Target, err error) {
	const head = "#!/bin/sh\n# heed reads every command before Cline runs it. " + written + " cline`.\n"
	const refuses = `answer=$(HEED)
case $?$answer in
'0{"cancel":'*'}') ;;
*) answer='{"cancel":true,"errorMessage":"heed gave no answer: not run"}' ;;
esac
printf '%s\n' "$answer"
`
	for event, call := range map[string]string{
		"PreToolUse": refuses, "PostToolUse": "exec HEED\n",
	} {
		l := &layout{user: ".cline|hooks/" + event, project: ".clinerules|hooks/" + event}
		file, inside, err := l.find(w, scope)
		if err != nil {
			return nil, err
		}
		all = append(all, whole(file, inside, 0o755, func(heed string) string {
			return head + strings.Replace(call, "HEED", plainLine(heed, "cline"), 1)
		}, func(text string) string {
			for line := range strings.Lines(text) {
				line = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(line), "answer=$("), "exec ")
				if p := programOf(strings.Replace(line, ")", " ", 1), "cline"); p != "" {
					return p
				}
			}
			return ""
		}))
	}
	slices.SortFunc(all, func(a, b Target) int { return strings.Compare(b.File, a.File) }) // the one that refuses first
	return all, nil
}

func readCline(p *Payload) (Call, error) {
	c := Call{Agent: "cline", Session: p.String("taskId"), Shell: claudeShell(p.Getenv)}
	roots, _ := list(p.Fields["workspaceRoots"])
	c.Workspaces = roots
	name, err := text(p.Fields, "hookName")
	if err != nil {
		return Call{}, err
	}
	part := "" // where the tool is
	switch name {
	case "tool_call", "PreToolUse":
		part = "tool_call"
	case "tool_result", "PostToolUse":
		c.Event, part = After, "tool_result"
	default:
		return Call{}, fmt.Errorf("heed answers the event PreToolUse, and this is %s: remove the file of that name", quoted(name))
	}
	input, toolField := "input", "name"
	if !p.Has(part) { // the extension's older form
		input, toolField, part = "parameters", "toolName", map[string]string{"tool_call": "preToolUse", "tool_result": "postToolUse"}[part]
	}
	tool, err := object(p.Fields[part])
	if err != nil {
		return Call{}, fmt.Errorf("reading %s: %w", part, err)
	}
	if c.Tool, err = text(tool, toolField); err != nil {
		return Call{}, err
	}
	c.ID, _ = text(tool, "id") // absent: not told
	if c.Event == After {
		c.Outcome = clineOutcome(tool)
	}
	c.Read = untrusted(c.Tool)
	if err := c.use(unfolded(tool[input])); err != nil || c.idle() {
		return c, err
	}
	dir := p.Dir
	if len(roots) > 0 {
		dir = roots[0]
	}
	return c, c.at(dir)
}

// unfolded is a tool's input in which a list is not written as a text.
func unfolded(input json.RawMessage) json.RawMessage {
	fields, err := object(input)
	if err != nil {
		return input
	}
	if s, err := text(fields, "commands"); err == nil {
		if _, ok := list(json.RawMessage(s)); ok {
			fields["commands"] = json.RawMessage(s)
			if b, err := json.Marshal(fields); err == nil {
				return b
			}
		}
	}
	return input
}

func clineOutcome(tool map[string]json.RawMessage) *Outcome {
	var output []struct {
		Success *bool `json:"success"`
	}
	ms := number(tool, "durationMs")
	if json.Unmarshal(tool["output"], &output) != nil {
		return nil
	}
	for _, o := range output {
		if o.Success != nil && !*o.Success {
			return ended(-1, ms)
		}
	}
	return ended(0, ms)
}
