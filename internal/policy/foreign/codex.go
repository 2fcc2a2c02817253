package foreign

import (
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/heedsh/heed/internal/policy"
)

// maxAlternatives bounds what the alternatives of one rule multiply to.
const maxAlternatives = 64

// codex reads a file of Codex's rules, or its config.toml. Of several rules the
// strictest counts. Source: openai/codex, codex-rs/execpolicy/README.md, 2026.
func codex(name string, text []byte) (*list, error) {
	if strings.HasSuffix(name, ".toml") {
		return codexConfig(text)
	}
	calls, err := starlark(string(text))
	if err != nil {
		return nil, err
	}
	l := &list{}
	for _, c := range calls {
		where := fmt.Sprintf("line %d", c.line)
		switch c.name {
		case "prefix_rule":
			l.codexRule(where, c.args)
		case "network_rule":
			l.codexNetwork(where, c.args)
		case "host_executable":
			l.note("%s: host_executable: heed looks at the program's file itself", where)
		default:
			l.leave(policy.Ask, where, fmt.Sprintf("calls %.40s, which heed does not know", c.name))
		}
	}
	return l, nil
}

// decision reads a rule's decision; none is allow.
func decision(args map[string]any) (policy.Action, bool) {
	word, given := args["decision"]
	if !given {
		return policy.Allow, true
	}
	text, _ := word.(string)
	action, ok := map[string]policy.Action{"allow": policy.Allow, "prompt": policy.Ask, "forbidden": policy.Deny, "deny": policy.Deny}[text]
	return action, ok
}

// codexRule reads prefix_rule(pattern = ["git", ["push", "fetch"]], …).
func (l *list) codexRule(where string, args map[string]any) {
	action, ok := decision(args)
	if !ok {
		l.leave(policy.Ask, where, "a decision that heed does not know")
		return
	}
	pattern, ok := args["pattern"].([]any)
	lines := [][]string{nil}
	for _, element := range pattern {
		words, isList := element.([]any)
		if !isList {
			words = []any{element}
		}
		var next [][]string
		for _, line := range lines {
			for _, w := range words {
				text, isText := w.(string)
				ok = ok && isText && text != "" && len(strings.Fields(text)) == 1
				next = append(next, append(line[:len(line):len(line)], text))
			}
		}
		if lines = next; len(lines) > maxAlternatives || len(lines) == 0 {
			ok = false
			break
		}
	}
	if !ok || len(pattern) == 0 {
		l.leave(action, where, "a pattern that is no list of words, or of too many")
		return
	}
	reason, _ := args["justification"].(string)
	for _, words := range lines {
		l.entries = append(l.entries, entry{action: action, text: where + ": " + strings.Join(words, " "), words: words, more: true, reason: reason})
	}
}

// codexNetwork reads network_rule(host = …, decision = …).
func (l *list) codexNetwork(where string, args map[string]any) {
	action, ok := decision(args)
	host, _ := args["host"].(string)
	if !ok {
		l.leave(policy.Ask, where, "a decision that heed does not know")
		return
	}
	l.web(action, where+": "+host, "domain:"+host)
}

// codexConfig reads what config.toml says about asking.
func codexConfig(text []byte) (*list, error) {
	var file struct {
		ApprovalPolicy any    `toml:"approval_policy"`
		SandboxMode    string `toml:"sandbox_mode"`
	}
	if _, err := toml.Decode(string(text), &file); err != nil {
		return nil, err
	}
	l := &list{}
	switch p := file.ApprovalPolicy; p {
	case nil:
	case "never":
		l.note("approval_policy never asks about nothing: preset: unattended refuses what cannot be taken back, log-only nothing")
	case "on-request":
		l.note("approval_policy on-request asks when the model wants it: preset: balanced asks by what a command does")
	case "untrusted", "on-failure":
		l.note("approval_policy %v: preset: careful or balanced", p)
	default:
		l.note("approval_policy: what it says in full heed does not read")
	}
	if file.SandboxMode == "danger-full-access" {
		l.note("sandbox_mode danger-full-access: nothing but heed stands before a command")
	}
	l.note("config.toml holds no rules about commands: they are in ~/.codex/rules/*.rules")
	return l, nil
}
