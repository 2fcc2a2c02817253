package foreign

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/heedsh/heed/internal/policy"
)

// gemini reads the tools of Gemini CLI's settings.json, or a file of its policy
// engine. Sources: google-gemini/gemini-cli docs/reference/policy-engine.md and
// docs/tools/shell.md, 2026.
func gemini(name string, text []byte) (*list, error) {
	if strings.HasSuffix(name, ".toml") {
		return geminiPolicy(text)
	}
	_, file, err := settings(text)
	if err != nil {
		return nil, err
	}
	_, tools, err := object(file, "tools")
	if err != nil {
		return nil, err
	}
	l := &list{}
	for _, of := range []struct {
		in     map[string]json.RawMessage
		key    string
		action policy.Action
	}{
		{tools, "exclude", policy.Deny},
		{file, "excludeTools", policy.Deny},
		{tools, "allowed", policy.Allow},
		{file, "allowedTools", policy.Allow},
	} {
		entries, err := texts(of.in, of.key)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			tool, what, bare := rule(e)
			if tool != "run_shell_command" && tool != "ShellTool" {
				l.leave(of.action, e, "not about commands")
				continue
			}
			en := entry{action: of.action, text: e, more: true}
			if !bare {
				en.words = strings.Fields(what)
			}
			l.entries = append(l.entries, en)
		}
	}
	if tools["core"] != nil || file["coreTools"] != nil {
		l.note("tools.core says which tools there are, and lets none run unasked")
	}
	return l, nil
}

// one or several texts.
type oneOrMore []string

// UnmarshalTOML takes a text for a list of one.
func (o *oneOrMore) UnmarshalTOML(v any) error {
	switch v := v.(type) {
	case string:
		*o = oneOrMore{v}
	case []any:
		for _, w := range v {
			text, ok := w.(string)
			if !ok {
				return fmt.Errorf("want texts, not %T", w)
			}
			*o = append(*o, text)
		}
	default:
		return fmt.Errorf("want a text or a list of texts, not %T", v)
	}
	return nil
}

// A geminiRule is a rule of the policy engine.
type geminiRule struct {
	ToolName         oneOrMore `toml:"toolName"`
	CommandPrefix    oneOrMore `toml:"commandPrefix"`
	CommandRegex     string    `toml:"commandRegex"`
	ArgsPattern      string    `toml:"argsPattern"`
	Subagent         string    `toml:"subagent"`
	MCPName          string    `toml:"mcpName"`
	Decision         string    `toml:"decision"`
	Priority         int       `toml:"priority"`
	Modes            oneOrMore `toml:"modes"`
	Interactive      *bool     `toml:"interactive"`
	AllowRedirection bool      `toml:"allowRedirection"`
	DenyMessage      string    `toml:"denyMessage"`
}

// geminiPolicy reads a file of rules, of which the one of the highest priority
// counts.
func geminiPolicy(text []byte) (*list, error) {
	var file struct {
		Rule []geminiRule `toml:"rule"`
	}
	if _, err := toml.Decode(string(text), &file); err != nil {
		return nil, err
	}
	l := &list{}
	loosest := -1
	for i := range file.Rule {
		r := &file.Rule[i]
		action, ok := map[string]policy.Action{"allow": policy.Allow, "deny": policy.Deny, "ask_user": policy.Ask}[r.Decision]
		if !ok {
			l.leave(policy.Ask, fmt.Sprintf("rule %d", i+1), fmt.Sprintf("a decision %.40q that heed does not know", r.Decision))
			continue
		}
		l.geminiRule(i+1, r, action)
		if action == policy.Allow {
			loosest = max(loosest, r.Priority)
		}
	}
	if slices.ContainsFunc(file.Rule, func(r geminiRule) bool { return r.Decision != "allow" && r.Priority < loosest }) {
		l.note("a rule that allows has a higher priority than one that asks or denies: with Gemini CLI it wins, with heed it does not")
	}
	return l, nil
}

func (l *list) geminiRule(n int, r *geminiRule, action policy.Action) {
	text := fmt.Sprintf("rule %d", n)
	prefixes := r.CommandPrefix
	shell := len(prefixes) > 0 || r.CommandRegex != "" || slices.Contains(r.ToolName, "run_shell_command") || slices.Contains(r.ToolName, "*")
	switch {
	case r.MCPName != "" || !shell:
		l.leave(action, text, "not about commands")
		return
	case r.CommandRegex != "" || r.ArgsPattern != "":
		l.leave(action, text, "a regular expression over text")
		return
	case action == policy.Allow && (len(r.Modes) > 0 || r.Interactive != nil || r.Subagent != ""):
		l.leave(action, text, "holds in some modes only, which heed does not know")
		return
	}
	if len(prefixes) == 0 {
		l.entries = append(l.entries, entry{action: action, text: text})
	}
	for _, p := range prefixes {
		e := entry{action: action, text: fmt.Sprintf("%s: %s", text, quote(p)), words: strings.Fields(p), more: true}
		if action == policy.Deny {
			e.reason = r.DenyMessage
		}
		l.entries = append(l.entries, e)
	}
}
