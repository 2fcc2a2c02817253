package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Matcher names the tools of Claude Code that run commands; the hook is called for
// others too.
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

// Settings are what decides, in one settings file of Claude Code, whether and
// which hooks run.
type Settings struct {
	Hooks           []Hook
	DisableAllHooks bool
	ManagedOnly     bool   // allowManagedHooksOnly: hooks of users and projects are not run
	Plugins         int    // enabled plugins, which may bring hooks of their own
	Net             string // the second net of heed's; "" if there is none
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
	s.Net = netIn(text, root)
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
	if n := len(words) - 2; n < 1 || !slices.Equal(words[n:], hookArgs(ClaudeCode)) {
		return nil
	}
	return words
}
