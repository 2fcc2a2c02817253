package foreign

import (
	"errors"
	"strings"

	"github.com/heedsh/heed/internal/policy"
)

// cursor reads the permissions of Cursor's cli-config.json or cli.json, where a
// denial wins, and the lists of its permissions.json. Sources:
// https://cursor.com/docs/cli/reference/permissions and
// https://cursor.com/docs/reference/permissions, June and July 2026.
func cursor(_ string, text []byte) (*list, error) {
	_, file, err := settings(text)
	if err != nil {
		return nil, err
	}
	_, perm, err := object(file, "permissions")
	if err != nil {
		return nil, err
	}
	if perm == nil && file["terminalAllowlist"] == nil && file["mcpAllowlist"] == nil && file["autoRun"] == nil {
		return nil, errors.New("it has neither permissions (cli-config.json) nor terminalAllowlist (permissions.json)")
	}
	l := &list{}
	for _, of := range []struct {
		key    string
		action policy.Action
	}{{"deny", policy.Deny}, {"allow", policy.Allow}} {
		entries, err := texts(perm, of.key)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			l.cursorRule(of.action, e)
		}
	}
	entries, err := texts(file, "terminalAllowlist")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		what := strings.TrimSuffix(strings.TrimSpace(e), " *")
		l.entries = append(l.entries, entry{action: policy.Allow, text: quote(e), words: strings.Fields(what), more: true})
	}
	if file["mcpAllowlist"] != nil {
		l.note("mcpAllowlist is about tools of servers, not about commands")
	}
	if file["autoRun"] != nil {
		l.note("autoRun is advice to a model, in words: rules decide")
	}
	return l, nil
}

func (l *list) cursorRule(action policy.Action, text string) {
	tool, what, bare := rule(text)
	switch tool {
	case "Shell":
		l.cursorShell(action, text, what, bare)
	case "Read":
		l.files(action, text, what, bare, reads())
	case "Write":
		l.files(action, text, what, bare, changes())
	case "WebFetch":
		l.web(action, text, "domain:"+what)
	default:
		l.leave(action, text, "not about commands")
	}
}

// cursorShell reads what stands in Shell(…): the first word of a command, and after
// a colon its arguments.
func (l *list) cursorShell(action policy.Action, text, what string, bare bool) {
	e := entry{action: action, text: text, more: true}
	base, args, found := strings.Cut(strings.TrimSpace(what), ":")
	switch {
	case bare || base == "" || strings.Trim(base, "*") == "":
		l.entries = append(l.entries, entry{action: action, text: text})
		return
	case len(strings.Fields(base)) != 1:
		l.leave(action, text, "several words: Cursor compares the first word of a command")
		return
	case found && strings.HasSuffix(args, " *"):
		args = strings.TrimSuffix(args, " *")
	case found && args == "*", found && args == "**":
		args = ""
	case found:
		e.more = false
	}
	e.words = append([]string{base}, strings.Fields(args)...)
	l.entries = append(l.entries, e)
}
