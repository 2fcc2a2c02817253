package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Matcher names the tools of Claude Code that run commands.
const Matcher = "Bash|PowerShell|Monitor"

// HookTimeout is how many seconds Claude Code gives the hook: far more than
// heed takes for itself, because a hook that runs into it lets the command
// run where onFailure is not known.
const HookTimeout = 120

// HookPatience is how many seconds the hook waits at most for a person who looks at
// the requests.
const HookPatience = 90

// HookLimit is how many seconds heed takes for an answer at most. The agent's own
// limit is far above it: an agent that has waited too long may run the command.
const HookLimit = 5

// hookArgs are the arguments by which heed knows its own entry again.
func hookArgs() []string { return []string{"hook", ClaudeCode} }

// The entry that heed adds to PreToolUse. onFailure makes Claude Code refuse
// the command if the hook cannot start or dies (known since about 2.1.295;
// earlier ones ignore it).
type hookGroup struct {
	Matcher string        `json:"matcher"`
	Hooks   []hookHandler `json:"hooks"`
}

type hookHandler struct {
	Type      string   `json:"type"`
	Command   string   `json:"command"`
	Args      []string `json:"args"`
	Timeout   int      `json:"timeout"`
	OnFailure string   `json:"onFailure"`
}

func groupFor(heed string) hookGroup {
	return hookGroup{Matcher, []hookHandler{{"command", heed, hookArgs(), HookTimeout, "block"}}}
}

// render writes a value as the end of a line that is already indented by
// prefix; without a unit it is one line.
func render(v any, prefix, unit string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if unit != "" {
		e.SetIndent(prefix, unit)
	}
	// The values are structs of strings and numbers: nothing can fail.
	_ = e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}

// InstallClaudeCode returns Claude Code's settings with a hook that runs the
// heed of this path before every command, and the same text if it is there
// already. A nil text stands for a file that does not exist.
func InstallClaudeCode(text []byte, heed string) ([]byte, error) {
	if _, err := ReadSettings(text); err != nil && len(bytes.TrimSpace(text)) > 0 {
		return nil, fmt.Errorf("%w: correct it first", err) // the agent might not read the rest either
	}
	if text == nil {
		text = []byte("{}\n")
	}
	if present, err := upToDate(text, heed); err != nil || present {
		return text, err
	}
	text, err := UninstallClaudeCode(text)
	if err != nil {
		return nil, err
	}
	root, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	return insert(text, root, groupFor(heed)), nil
}

// insert adds the group, with as much around it as is missing. A member is
// written as a struct of one field, without its braces.
func insert(text []byte, root *node, group hookGroup) []byte {
	s := styleOf(text, root)
	groups := []hookGroup{group}
	hooks := root.get("hooks")
	if hooks == nil {
		type events struct {
			PreToolUse []hookGroup `json:"PreToolUse"`
		}
		return root.with(text, s, func(prefix, unit string) string { return `"hooks": ` + render(events{groups}, prefix, unit) })
	}
	event := hooks.get("PreToolUse")
	if event == nil {
		return hooks.with(text, s, func(prefix, unit string) string { return `"PreToolUse": ` + render(groups, prefix, unit) })
	}
	return event.with(text, s, func(prefix, unit string) string { return render(group, prefix, unit) })
}

// UninstallClaudeCode returns the settings without the hooks that
// InstallClaudeCode adds, and without the containers that are empty then.
func UninstallClaudeCode(text []byte) ([]byte, error) {
	for {
		root, err := parseJSON(text)
		if err != nil {
			return nil, err
		}
		where, err := findOwn(text, root)
		if err != nil || where == nil {
			return text, err
		}
		text = where.remove(text)
	}
}

// A spot is where a handler of heed's stands: the containers from the root to
// the list of handlers, and which entry of each leads on.
type spot struct {
	boxes   []*node
	entries []int
}

// remove cuts the handler out, or the outermost container that would be empty
// without it.
func (s *spot) remove(text []byte) []byte {
	at := len(s.boxes) - 1
	for at > 0 && s.leavesNothing(at) {
		at--
	}
	return s.boxes[at].without(text, s.entries[at])
}

// leavesNothing reports whether a container is worth nothing without its
// entry: it is empty, or a group of hooks without hooks.
func (s *spot) leavesNothing(at int) bool {
	box := s.boxes[at]
	return len(box.kids) == 1 || box.kind == '{' && at == len(s.boxes)-2
}

// findOwn finds the first handler that InstallClaudeCode wrote.
func findOwn(text []byte, root *node) (*spot, error) {
	event, err := preToolUse(root)
	if event == nil || err != nil {
		return nil, err
	}
	hooks := root.get("hooks")
	for i, group := range event.kids {
		list := group.get("hooks")
		if list == nil || list.kind != '[' {
			continue
		}
		for j, h := range list.kids {
			if own(text, h) {
				return &spot{
					boxes:   []*node{root, hooks, event, group, list},
					entries: []int{index(root, "hooks"), index(hooks, "PreToolUse"), i, index(group, "hooks"), j},
				}, nil
			}
		}
	}
	return nil, nil
}

func index(n *node, key string) int { return slices.Index(n.keys, key) }

// preToolUse finds the list of PreToolUse hooks, nil if there is none. What
// stands in its place and is no list is an error: it is not heed's to mend.
func preToolUse(root *node) (*node, error) {
	hooks := root.get("hooks")
	if hooks == nil {
		return nil, nil
	}
	if hooks.kind != '{' {
		return nil, errors.New(`"hooks" is not an object: correct it first`)
	}
	event := hooks.get("PreToolUse")
	if event != nil && event.kind != '[' {
		return nil, errors.New(`"hooks.PreToolUse" is not a list: correct it first`)
	}
	return event, nil
}

// own reports whether a handler is one that heed wrote: its arguments are
// heed's, whatever the program is called.
func own(text []byte, h *node) bool {
	var v struct{ Args []string }
	return h.kind == '{' && json.Unmarshal(text[h.start:h.end], &v) == nil && slices.Equal(v.Args, hookArgs())
}

// upToDate reports whether the settings hold exactly the group that would be
// written, and no other of heed's.
func upToDate(text []byte, heed string) (bool, error) {
	root, err := parseJSON(text)
	if err != nil {
		return false, err
	}
	event, err := preToolUse(root)
	if err != nil || event == nil {
		return false, err
	}
	want, owned, same := render(groupFor(heed), "", ""), 0, false
	for _, group := range event.kids {
		if list := group.get("hooks"); list != nil && list.kind == '[' {
			for _, h := range list.kids {
				if own(text, h) {
					owned++
				}
			}
		}
		var b bytes.Buffer
		if json.Compact(&b, text[group.start:group.end]) == nil && b.String() == want {
			same = true
		}
	}
	return same && owned == 1, nil
}

// OwnCommand returns the program of the first hook that InstallClaudeCode
// wrote, "" if there is none.
func OwnCommand(text []byte) (string, error) {
	s, err := ReadSettings(text)
	if err != nil {
		return "", err
	}
	for i := range s.Hooks {
		if h := &s.Hooks[i]; h.Event == "PreToolUse" && slices.Equal(h.Args, hookArgs()) {
			return h.Command, nil
		}
	}
	return "", nil
}

// Settings are what decides, in one settings file of Claude Code, whether and
// which hooks run.
type Settings struct {
	Hooks           []Hook
	DisableAllHooks bool
	ManagedOnly     bool // allowManagedHooksOnly: hooks of users and projects are not run
	Plugins         int  // enabled plugins, which may bring hooks of their own
}

// A Hook is one handler of one event.
type Hook struct {
	Event     string
	Matcher   string
	Type      string   `json:"type"`
	Command   string   `json:"command"`
	Args      []string `json:"args"`
	If        string   `json:"if"`
	Async     bool     `json:"async"`
	Once      bool     `json:"once"`
	Timeout   float64  `json:"timeout"`
	OnFailure string   `json:"onFailure"`
}

// ReadSettings reads a settings file. Handlers of a form that is not known are
// kept as far as they can be read: they count as somebody's hooks.
func ReadSettings(text []byte) (Settings, error) {
	var s Settings
	root, err := parseJSON(text)
	if err != nil {
		return s, err
	}
	s.DisableAllHooks = isTrue(text, root.get("disableAllHooks"))
	s.ManagedOnly = isTrue(text, root.get("allowManagedHooksOnly"))
	if p := root.get("enabledPlugins"); p != nil {
		for _, on := range p.kids {
			if isTrue(text, on) {
				s.Plugins++
			}
		}
	}
	hooks := root.get("hooks")
	if hooks == nil {
		return s, nil
	}
	if hooks.kind != '{' {
		return s, errors.New(`"hooks" is not an object`)
	}
	for i, groups := range hooks.kids {
		if groups.kind != '[' {
			return s, fmt.Errorf(`"hooks.%s" is not a list`, hooks.keys[i])
		}
		for _, group := range groups.kids {
			s.Hooks = append(s.Hooks, handlers(text, hooks.keys[i], group)...)
		}
	}
	return s, nil
}

func handlers(text []byte, event string, group *node) []Hook {
	matcher := ""
	if m := group.get("matcher"); m != nil {
		_ = json.Unmarshal(text[m.start:m.end], &matcher) // no string: every tool
	}
	list := group.get("hooks")
	if list == nil {
		return nil
	}
	var found []Hook
	for _, n := range list.kids {
		var h Hook
		_ = json.Unmarshal(text[n.start:n.end], &h) // what fits is kept
		h.Event, h.Matcher = event, matcher
		found = append(found, h)
	}
	return found
}

func isTrue(text []byte, n *node) bool { return n != nil && string(text[n.start:n.end]) == "true" }

// Runs returns the words of a command hook that calls heed for Claude Code,
// also one that a person wrote in the form for a shell, and nil for others.
func (h *Hook) Runs() []string {
	words := append([]string{h.Command}, h.Args...)
	if len(h.Args) == 0 {
		words = strings.Fields(h.Command)
		for i := range words {
			words[i] = strings.Trim(words[i], `"'`)
		}
	}
	if n := len(words) - len(hookArgs()); n < 1 || !slices.Equal(words[n:], hookArgs()) {
		return nil
	}
	return words
}
