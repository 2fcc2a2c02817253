package agent

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/strictjson"
	"github.com/heedsh/heed/risk"
)

// ClaudeCode is the name of the agent in commands, requests and records.
const ClaudeCode = "claude-code"

// A Language says what kind of text a tool runs.
type Language uint8

// The languages.
const (
	None       Language = iota // the tool runs no command
	POSIX                      // a command for bash or zsh
	PowerShell                 // heed does not read it
)

// language tells the tools that run commands. Claude Code 2.1.329 has Bash,
// PowerShell and Monitor, which all carry "command". The other names are those
// of agents that read Claude Code's settings or write its dialect.
func language(tool string) Language {
	switch tool {
	case "Bash", "Monitor",
		"exec", "shell", "Shell", "run_shell_command", "run_command", "run_in_terminal", "runTerminalCommand", "execute_bash", "developer__shell":
		return POSIX
	case "PowerShell":
		return PowerShell
	}
	return None
}

// claudeCode is the adapter of Claude Code.
func claudeCode() *Adapter {
	return &Adapter{
		Name: ClaudeCode, Title: "Claude Code", Asks: true,
		Detect: func(p *Payload) bool {
			switch p.String("hook_event_name") {
			case "PreToolUse", "PostToolUse", "PostToolUseFailure", "SessionEnd", "PermissionRequest":
				return !p.Has("turn_id") && !p.Has("timestamp") && !p.Has("cursor_version")
			}
			return false
		},
		Read: readClaudeCode,
		Write: func(c *Call, a Answer) (Output, error) {
			out, err := ClaudeCodeOutput(a)
			return Output{Stdout: out}, err
		},
		Install: &Installer{Add: InstallClaudeCode, Remove: UninstallClaudeCode},
	}
}

// ReadClaudeCode reads what Claude Code hands to a PreToolUse hook. It takes
// the fields that it needs by their exact names, each at most once, and
// ignores all others: a description or a transcript is the agent's own story
// and no part of a request. An error means that the payload is not
// understood; then nothing may be allowed.
func ReadClaudeCode(payload []byte, environ []string) (Call, error) {
	p, err := NewPayload(payload, lookup(environ))
	if err != nil {
		return Call{}, err
	}
	return readClaudeCode(p)
}

// lookup looks variables of an environment up.
func lookup(environ []string) func(string) string {
	return func(name string) string {
		for _, kv := range environ {
			if n, value, ok := strings.Cut(kv, "="); ok && n == name {
				return value
			}
		}
		return ""
	}
}

func readClaudeCode(p *Payload) (Call, error) {
	top := p.Fields
	event, err := text(top, "hook_event_name")
	if err != nil {
		return Call{}, fmt.Errorf("this is no payload of Claude Code: %w", err)
	}
	if _, codex := top["turn_id"]; codex {
		// Codex 0.169.0 writes this dialect, but runs the command on "ask".
		return Call{}, errors.New("this is a payload of Codex, which does not ask when a hook tells it to: remove the hook there")
	}
	c := Call{
		Agent: ClaudeCode, Shell: claudeShell(p.Getenv), Workspaces: []string{p.Getenv("CLAUDE_PROJECT_DIR")}, Session: p.String("session_id"), ID: p.String("tool_use_id"),
		// Hooks have these, commands do not (seen with Claude Code 2.1.329): a command that
		// uses one finds it unset.
		hides: []string{"CLAUDE_PROJECT_DIR", "CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA", "CLAUDE_ENV_FILE"},
	}
	switch event {
	case "PreToolUse":
	case "PostToolUse", "PostToolUseFailure":
		c.Event = After
		c.Outcome = claudeOutcome(event, top)
	case "SessionEnd":
		c.Event = Ended
		return c, nil
	default:
		return Call{}, fmt.Errorf("heed answers the event PreToolUse, and this is %s: correct the agent's settings", quoted(event))
	}
	if c.Tool, err = text(top, "tool_name"); err != nil {
		return Call{}, err
	}
	c.Read = untrusted(c.Tool)
	if c.Language = language(c.Tool); c.Language == None && !c.shellLike(top["tool_input"]) {
		return c, nil
	}
	return c, c.complete(top)
}

// untrusted says what text of others a tool brings into the session. The names are
// Claude Code's; a tool of an MCP server brings whatever that server says. A file of the
// workspace is not counted: agents read them all day, and every test that they run then
// would be one that a file has asked for.
func untrusted(tool string) risk.Provenance {
	switch {
	case tool == "WebFetch" || tool == "WebSearch":
		return risk.WebContent
	case strings.HasPrefix(tool, "mcp__"):
		return risk.ToolOutput
	}
	return ""
}

// claudeOutcome is how a tool ended: an interrupted command has no exit code, and one
// that failed only a text.
func claudeOutcome(event string, top map[string]json.RawMessage) *Outcome {
	o := &Outcome{}
	var response struct {
		Interrupted bool `json:"interrupted"`
	}
	_ = json.Unmarshal(top["tool_response"], &response) // a text has no such field
	_ = json.Unmarshal(top["duration_ms"], &o.MS)       // absent: not told
	if event == "PostToolUseFailure" || response.Interrupted {
		o.Code, o.Failed = -1, true
	}
	return o
}

// commandFields are what tools call a command line that they run: Claude Code's
// own, and those of MCP servers.
var commandFields = []string{"command", "cmd", "shell_command", "commandLine", "command_line", "bash", "script"}

// shellLike takes a tool of a name that nobody knows for a shell where its input
// has a command line: a server may call its tool what it likes.
// Where there is a file beside it, or the tool is known, it is the name of what an
// editor does or of a prompt.
func (c *Call) shellLike(input json.RawMessage) bool {
	fields, err := object(input)
	if err != nil || c.Tool == "SlashCommand" || c.Tool == "Skill" {
		return false
	}
	for _, name := range []string{"path", "file_path"} {
		if _, err := text(fields, name); err == nil {
			return false
		}
	}
	for _, name := range commandFields {
		if _, err := text(fields, name); err == nil {
			c.Language, c.field = POSIX, name
			return true
		}
	}
	return false
}

// complete reads what a tool that runs commands must come with.
func (c *Call) complete(top map[string]json.RawMessage) error {
	input, err := object(top["tool_input"])
	if err != nil {
		return fmt.Errorf("reading tool_input: %w", err)
	}
	if c.Command, err = text(input, cmp.Or(c.field, "command")); err != nil {
		return fmt.Errorf("reading tool_input: %w", err)
	}
	if c.Dir, err = text(top, "cwd"); err != nil {
		return err
	}
	if !path.IsAbs(c.Dir) {
		return fmt.Errorf("the field \"cwd\" is no absolute path: %s", quoted(c.Dir))
	}
	return nil
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

type claudeOutput struct {
	Specific claudeDecision `json:"hookSpecificOutput"`
}

type claudeDecision struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision"`
	Reason   string `json:"permissionDecisionReason"`
}

// ClaudeCodeOutput is what a PreToolUse hook prints for an answer: nothing if
// nothing is decided.
func ClaudeCodeOutput(a Answer) ([]byte, error) {
	if a.Decision == policy.Leave {
		return nil, nil
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(claudeOutput{claudeDecision{"PreToolUse", a.Decision.String(), a.Reason}}); err != nil {
		return nil, fmt.Errorf("writing the answer: %w", err)
	}
	return b.Bytes(), nil
}

// ReadClaudeCodeOutput reads what a PreToolUse hook printed, as Claude Code
// does.
func ReadClaudeCodeOutput(out []byte) (Answer, error) {
	if len(bytes.TrimSpace(out)) == 0 {
		return Answer{}, nil
	}
	var o claudeOutput
	if err := json.Unmarshal(out, &o); err != nil {
		return Answer{}, fmt.Errorf("reading the hook's answer: %w", err)
	}
	for _, d := range []policy.Action{policy.Allow, policy.Ask, policy.Deny} {
		if o.Specific.Decision == d.String() {
			return Answer{d, o.Specific.Reason}, nil
		}
	}
	return Answer{}, fmt.Errorf("the hook's answer has no decision that heed knows: %s", quoted(o.Specific.Decision))
}

// ClaudeCodePayload is what Claude Code would hand to a PreToolUse hook for a
// Bash command, as recorded from 2.1.329. Doctor tries hooks with it.
func ClaudeCodePayload(command, dir string) ([]byte, error) {
	b, err := json.Marshal(map[string]any{
		"session_id": "heed-doctor", "transcript_path": "/dev/null", "cwd": dir, "prompt_id": "heed-doctor",
		"permission_mode": "default", "effort": map[string]string{"level": "high"}, "hook_event_name": "PreToolUse",
		"tool_name": "Bash", "tool_input": map[string]string{"command": command, "description": "heed doctor"}, "tool_use_id": "toolu_heed_doctor",
	})
	if err != nil {
		return nil, fmt.Errorf("making a payload: %w", err)
	}
	return b, nil
}
