package foreign

import (
	"regexp"
	"strings"

	"github.com/heedsh/heed/internal/policy"
)

// claude reads the permissions of Claude Code's settings.json. A deny wins, then an
// ask, then an allow. Source: https://code.claude.com/docs/en/permissions of
// 2026-08-14.
func claude(_ string, text []byte) (*list, error) {
	_, file, err := settings(text)
	if err != nil {
		return nil, err
	}
	_, perm, err := object(file, "permissions")
	if err != nil {
		return nil, err
	}
	l := &list{}
	for _, of := range []struct {
		key    string
		action policy.Action
	}{{"deny", policy.Deny}, {"ask", policy.Ask}, {"allow", policy.Allow}} {
		entries, err := texts(perm, of.key)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			l.claudeRule(of.action, e)
		}
	}
	switch mode := word(perm, "defaultMode"); mode {
	case "bypassPermissions":
		l.note("defaultMode %s asks about nothing: preset: log-only comes close, unattended refuses what cannot be taken back", mode)
	case "dontAsk":
		l.note("defaultMode %s refuses instead of asking: preset: unattended", mode)
	case "acceptEdits":
		l.note("defaultMode %s lets edits of the working directory run: preset: balanced does that too", mode)
	}
	if perm["additionalDirectories"] != nil {
		l.note("additionalDirectories: heed takes directories beside the workspace with --workspace")
	}
	return l, nil
}

// rule splits "Tool(what)".
func rule(text string) (tool, what string, bare bool) {
	text = strings.TrimSpace(text)
	tool, what, found := strings.Cut(text, "(")
	if !found {
		return text, "", true
	}
	return strings.TrimSpace(tool), strings.TrimSuffix(what, ")"), false
}

func (l *list) claudeRule(action policy.Action, text string) {
	tool, what, bare := rule(text)
	switch tool {
	case "Bash":
		l.bash(action, text, what, bare)
	case "Read":
		l.files(action, text, what, bare, reads())
	case "Edit", "Write", "MultiEdit", "NotebookEdit":
		l.files(action, text, what, bare, changes())
	case "WebFetch":
		l.web(action, text, what)
	default:
		l.leave(action, text, "not about commands")
	}
}

// bash reads what stands in Bash(…): * is any text, also spaces; at the end, behind
// a space or as :*, it may also be nothing.
func (l *list) bash(action policy.Action, text, what string, bare bool) {
	e := entry{action: action, text: text}
	what = strings.TrimSpace(what)
	if bare || what == "*" || what == "" {
		l.entries = append(l.entries, e)
		return
	}
	// The fields of the tool: agent-sdk 0.3.329, sdk-tools.d.ts.
	if regexp.MustCompile(`^(command|timeout|description|run_in_background|dangerouslyDisableSandbox)\s*:\s*[^*]`).MatchString(what) {
		l.leave(action, text, "about another field than the command")
		return
	}
	switch {
	case strings.HasSuffix(what, ":*"):
		what, e.more = strings.TrimSuffix(what, ":*"), true
	case strings.HasSuffix(what, " *"):
		what, e.more = strings.TrimSuffix(what, " *"), true
	case strings.HasSuffix(what, "*"):
		what, e.more, e.glued = strings.TrimSuffix(what, "*"), true, true
	}
	e.words = strings.Fields(what)
	l.entries = append(l.entries, e)
}
