package foreign

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/heedsh/heed/internal/policy"
)

// vscode reads what VS Code's settings.json says about the terminal. A key is the
// beginning of a command, up to the end of a word, or a regular expression between
// slashes; true runs it, false asks, null takes a default away. Source:
// microsoft/vscode, terminalChatAgentToolsConfiguration.ts and
// commandLineAutoApprover.ts, 2026.
func vscode(_ string, text []byte) (*list, error) {
	_, file, err := settings(text)
	if err != nil {
		return nil, err
	}
	l := &list{}
	for _, key := range []string{"chat.tools.terminal.autoApprove", "chat.agent.terminal.autoApprove", "chat.agent.terminal.allowList", "chat.agent.terminal.denyList", "github.copilot.chat.agent.terminal.allowList", "github.copilot.chat.agent.terminal.denyList"} {
		names, values, err := object(file, key)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			l.vscodeRule(name, values[name], strings.HasSuffix(key, "denyList"))
		}
	}
	for _, key := range []string{"chat.tools.autoApprove", "chat.tools.global.autoApprove"} {
		var on bool
		if file[key] != nil && json.Unmarshal(file[key], &on) == nil && on {
			l.note("%s lets every tool run: preset: log-only comes close", key)
		}
	}
	if file["chat.tools.terminal.ignoreDefaultAutoApproveRules"] == nil && len(l.entries)+len(l.left) > 0 {
		l.note("VS Code's own defaults (ls, cat, find …) hold beside these, and are not in the file: heed has no need of them")
	}
	return l, nil
}

func (l *list) vscodeRule(key string, value json.RawMessage, deny bool) {
	action, line := policy.Ask, false
	var approve bool
	var more struct {
		Approve          *bool `json:"approve"`
		MatchCommandLine bool  `json:"matchCommandLine"`
	}
	switch {
	case string(value) == "null":
		return // it takes a default of VS Code's away
	case json.Unmarshal(value, &approve) == nil:
	case json.Unmarshal(value, &more) == nil && more.Approve != nil:
		approve, line = *more.Approve, more.MatchCommandLine
	default:
		l.leave(action, quote(key), "neither true nor false")
		return
	}
	switch {
	case deny && !approve:
		return // no entry of a list of what is asked about
	case approve && !deny:
		action = policy.Allow
	}
	text := quote(key)
	switch {
	case regexp.MustCompile(`^/.+/[dgimsuvy]*$`).MatchString(key):
		l.leave(action, text, "a regular expression over text")
	case line:
		l.leave(action, text, "holds for whole command lines: rules speak of each program")
	case key == "":
	default:
		// A word may end where no space is: git also begins git-lfs.
		l.entries = append(l.entries, entry{action: action, text: text, words: strings.Fields(key), more: true})
	}
}

// quote writes a key as the file has it.
func quote(key string) string {
	text, err := json.Marshal(key)
	if err != nil {
		return key
	}
	return string(text)
}
