package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/policy"
)

// A form says where the payloads of an agent have what. Most agents copied Claude
// Code's, and spell it in ways of their own.
type form struct {
	agent string
	// fields of the payload
	event, tool, input, dir, session, id string
	events                               map[string]Event
	// dirs say where a command runs if the payload does not.
	dirs func(p *Payload) []string
	// inner are fields of the tool's input that say where the command runs.
	inner []string
	// roots are variables of the hook's environment that name the project.
	roots []string
	// hides are variables that hooks have and commands do not.
	hides   []string
	shell   func(getenv func(string) string) string
	outcome func(p *Payload, c *Call) *Outcome
}

// read reads a payload. It takes the fields that it needs by their exact names, each
// at most once, and ignores all others: a description or a transcript is the agent's
// own story and no part of a request.
func (f *form) read(p *Payload) (Call, error) {
	name, err := text(p.Fields, f.event)
	if err != nil {
		return Call{}, fmt.Errorf("this is no payload of %s: %w", f.agent, err)
	}
	c := Call{Agent: f.agent, Session: p.String(f.session), ID: p.String(f.id), hides: f.hides, event: name}
	if f.shell != nil {
		c.Shell = f.shell(p.Getenv)
	}
	for _, v := range f.roots {
		c.Workspaces = append(c.Workspaces, p.Getenv(v))
	}
	var known bool
	if c.Event, known = f.events[name]; !known {
		return Call{}, fmt.Errorf("heed answers the event %s, and this is %s: correct the agent's settings", f.before(), quoted(name))
	}
	if c.Event > After {
		return c, nil
	}
	if c.Tool, err = text(p.Fields, f.tool); err != nil {
		return Call{}, err
	}
	c.Read = untrusted(c.Tool)
	if err := c.use(p.Fields[f.input]); err != nil {
		return Call{}, err
	}
	if c.Language == POSIX {
		c.input = plainInput(p.Fields[f.input], c.Command)
	}
	if c.Event == After && f.outcome != nil {
		c.Outcome = f.outcome(p, &c)
	}
	return c, f.place(p, &c)
}

// plainInput is the input of a tool that has the command in its field "command", and
// waits for its end; nil for any other.
func plainInput(input json.RawMessage, command string) json.RawMessage {
	fields, err := object(input)
	if err != nil {
		return nil
	}
	for _, name := range []string{"run_in_background", "isBackground", "is_background"} {
		if raw, there := fields[name]; there && string(bytes.TrimSpace(raw)) != "false" {
			return nil
		}
	}
	if text, err := text(fields, "command"); err != nil || text != command {
		return nil
	}
	return input
}

// before is the agent's name for the event before a tool is used.
func (f *form) before() string {
	var names []string
	for name, e := range f.events {
		if e == Before {
			names = append(names, name)
		}
	}
	return slices.Min(names)
}

// place finds where the command runs.
func (f *form) place(p *Payload, c *Call) error {
	if c.idle() {
		return nil
	}
	session := ""
	if f.dir != "" && (p.Has(f.dir) || f.dirs == nil) {
		var err error
		if session, err = text(p.Fields, f.dir); err != nil && c.Language != None {
			return err
		}
	}
	if session == "" && f.dirs != nil {
		for _, dir := range f.dirs(p) {
			if session = dir; dir != "" {
				break
			}
		}
	}
	input, err := members(p.Fields[f.input])
	if err != nil {
		return err
	}
	for _, name := range f.inner {
		if dir, err := text(input, name); err == nil && dir != "" {
			return c.at(below(dir, session))
		}
	}
	return c.at(session)
}

// jsonOutput is an answer that is printed as one line of JSON.
func jsonOutput(v any) (Output, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return Output{}, fmt.Errorf("writing the answer: %w", err)
	}
	return Output{Stdout: b.Bytes()}, nil
}

// A nested answer is Claude Code's, which several agents take.
type nested struct {
	Specific nestedDecision `json:"hookSpecificOutput"`
}

type nestedDecision struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision"`
	Reason   string `json:"permissionDecisionReason"`
	// Input takes the place of the whole input of the tool.
	Input map[string]json.RawMessage `json:"updatedInput,omitempty"`
}

// writeNested answers in Claude Code's way: nothing if nothing is decided.
func writeNested(c *Call, a Answer) (Output, error) {
	if a.Decision == policy.Leave {
		return Output{}, nil
	}
	d := nestedDecision{Event: "PreToolUse", Decision: a.Decision.String(), Reason: a.Reason}
	if a.Command != "" && a.Decision == policy.Allow {
		fields, err := object(c.input)
		if err != nil {
			return Output{}, fmt.Errorf("writing another command: %w", err)
		}
		if fields["command"], err = json.Marshal(a.Command); err != nil {
			return Output{}, fmt.Errorf("writing another command: %w", err)
		}
		d.Input = fields
	}
	return jsonOutput(nested{d})
}

// writeCode answers by the exit code alone: 2 is a refusal.
func writeCode(_ *Call, a Answer) (Output, error) {
	if a.Decision == policy.Deny || a.Decision == policy.Ask {
		return Output{Stderr: a.Reason + "\n", Code: Refused}, nil
	}
	return Output{}, nil
}

// heardCode is what agents make of an exit code that most of them know: 2 refuses,
// and any other lets the command run.
func heardCode(out Output) (Answer, error) {
	switch {
	case out.Code == Refused:
		return Answer{Decision: policy.Deny, Reason: strings.TrimSpace(out.Stderr)}, nil
	case out.Code != 0:
		return Answer{}, fmt.Errorf("it ends with code %d", out.Code)
	case len(bytes.TrimSpace(out.Stdout)) > 0:
		return Answer{}, errors.New("it prints what nobody reads")
	}
	return Answer{}, nil
}

// heardNested is what agents make of an answer in Claude Code's way.
func heardNested(out Output) (Answer, error) {
	if out.Code != 0 || len(bytes.TrimSpace(out.Stdout)) == 0 {
		return heardCode(out)
	}
	var o nested
	if err := json.Unmarshal(out.Stdout, &o); err != nil {
		return Answer{}, fmt.Errorf("reading the hook's answer: %w", err)
	}
	a, err := decision(o.Specific.Decision, o.Specific.Reason)
	if raw, there := o.Specific.Input["command"]; err == nil && there {
		if err := json.Unmarshal(raw, &a.Command); err != nil {
			return a, fmt.Errorf("reading the hook's other command: %w", err)
		}
	}
	return a, err
}

// decision reads the word of a decision.
func decision(word, reason string) (Answer, error) {
	for _, d := range []policy.Action{policy.Allow, policy.Ask, policy.Deny} {
		if word == d.String() {
			return Answer{Decision: d, Reason: reason}, nil
		}
	}
	return Answer{}, fmt.Errorf("the hook's answer has no decision that heed knows: %s", quoted(word))
}

// probe writes JSON of what cannot fail: texts, lists and maps of them.
func probe(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// number reads a field that is a whole number; 0 if it is none.
func number(fields map[string]json.RawMessage, name string) (n int64) {
	_ = json.Unmarshal(fields[name], &n) // absent: not told
	return n
}

// codeIn finds an exit code in what an agent prints of a command: "Exit Code: 1",
// "completed with exit code 1".
func codeIn(text string) (code int, ok bool) {
	lower := strings.ToLower(text)
	for at := len(lower); ; {
		if at = strings.LastIndex(lower[:at], "exit code"); at < 0 {
			return 0, false
		}
		rest := strings.TrimLeft(lower[at+len("exit code"):], ": ")
		if n, err := fmt.Sscanf(rest, "%d", &code); n == 1 && err == nil {
			return code, true
		}
	}
}

// ended is an outcome of an exit code.
func ended(code int, ms int64) *Outcome { return &Outcome{Code: code, MS: ms, Failed: code != 0} }
