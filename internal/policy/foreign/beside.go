package foreign

import (
	"strings"

	"github.com/heedsh/heed/internal/policy"
)

// reads and changes are the verbs of what programs do to files.
func reads() []string { return []string{"fs.read", "secret.read"} }

func changes() []string { return []string{"fs.write", "fs.create", "fs.delete", "fs.move", "fs.attr"} }

// files reads an entry about an agent's own file tools. One that asks or denies
// becomes a rule about the programs that would do the same; one that allows is about
// the tool, and says nothing of commands. Paths are written as for gitignore, with
// // for the root and ~ for the home.
func (l *list) files(action policy.Action, text, what string, bare bool, verbs []string) {
	switch {
	case action == policy.Allow:
		l.leave(action, text, "about the agent's own tool, not about commands")
		return
	case bare || what == "" || what == "*" || what == "**":
		l.leave(action, text, "about every file")
		return
	}
	target, ok := glob(what)
	if !ok {
		l.leave(action, text, "a pattern of paths that rules cannot say")
		return
	}
	l.rules = append(l.rules, policy.Rule{Action: action, Match: policy.Match{Verb: verbs, Target: target}, Reason: cut("was: " + action.String() + " " + text)})
}

// glob makes targets of a pattern of gitignore: what asks or denies may hold for
// more, and not for less.
func glob(pattern string) (targets []string, ok bool) {
	if strings.ContainsAny(pattern, "?[]{}!\\") {
		return nil, false
	}
	switch {
	case strings.HasPrefix(pattern, "//"):
		pattern = pattern[1:]
	case strings.HasPrefix(pattern, "~/"):
		pattern = "*" + pattern[1:]
	default:
		pattern = strings.TrimPrefix(pattern, "./")
		pattern = strings.TrimPrefix(strings.TrimPrefix(pattern, "/"), "**/")
		pattern = "*/" + pattern
	}
	inside := strings.HasSuffix(pattern, "/**") || strings.HasSuffix(pattern, "/")
	pattern = strings.TrimRight(strings.TrimSuffix(pattern, "/**"), "/")
	for strings.Contains(pattern, "**") {
		pattern = strings.ReplaceAll(pattern, "**", "*")
	}
	if strings.Trim(pattern, "*/") == "" {
		return nil, false
	}
	if inside || !strings.Contains(pattern[strings.LastIndexByte(pattern, '/')+1:], "*") {
		return []string{pattern, pattern + "/*"}, true // a directory's name holds for what is in it
	}
	return []string{pattern}, true
}

// web reads an entry about an agent's own way of fetching pages.
func (l *list) web(action policy.Action, text, what string) {
	host, ok := strings.CutPrefix(what, "domain:")
	switch host = strings.TrimSpace(host); {
	case action == policy.Allow:
		l.leave(action, text, "about the agent's own tool, not about commands: a program that fetches can send as well")
	case !ok || host == "" || strings.Trim(host, "*.") == "" || strings.ContainsAny(host, " /?[]{}"):
		l.leave(action, text, "names no host")
	default:
		l.rules = append(l.rules, policy.Rule{
			Action: action, Match: policy.Match{Verb: []string{"net.*"}, Host: []string{strings.ToLower(host)}}, Reason: cut("was: " + action.String() + " " + text),
		})
	}
}
