package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
)

// A second net stands between an agent and its shell, for what its hook does not stop:
// where heed was not asked, or did not answer. internal/wrap has what it does.

// The programs and files of a second net, by their last names.
const (
	NetName = "heed-net" // stands before a shell, and takes one word: a command line
	NetFile = "net.bash" // is named by BASH_ENV
)

// IsNet reports whether a second net is set up in an environment: hooks of an agent have
// that of its commands.
func IsNet(getenv func(string) string) bool {
	return path.Base(getenv("BASH_ENV")) == NetFile || path.Base(getenv(shellPrefix)) == NetName
}

// shellPrefix names what Claude Code puts before the line of a command. Like every
// variable it is taken from "env" in settings of each scope. Source:
// code.claude.com/docs/en/env-vars.
const shellPrefix = "CLAUDE_CODE_SHELL_PREFIX"

// addNet returns settings of Claude Code with a second net, the program of this path, in
// the environment of its commands; the same text if it is there already.
func addNet(text []byte, net string) ([]byte, error) {
	if !regexp.MustCompile(`^/[\w./+@-]+$`).MatchString(net) {
		return nil, fmt.Errorf("a second net is named in a line of a shell, and %s is no plain path: put heed elsewhere", quoted(net))
	}
	root, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	switch is := netIn(text, root); {
	case is == net:
		return text, nil
	case is != "":
		if text, err = removeNet(text); err != nil {
			return nil, err
		}
		if root, err = parseJSON(text); err != nil {
			return nil, err
		}
	}
	member := func(string, string) string { return render(shellPrefix, "", "") + ": " + render(net, "", "") }
	switch env := root.get("env"); {
	case env == nil:
		value := map[string]string{shellPrefix: net}
		return root.with(text, styleOf(text, root), false, func(prefix, unit string) string { return `"env": ` + render(value, prefix, unit) }), nil
	case env.kind != '{':
		return nil, errors.New(`"env" is not an object: correct it first`)
	case env.get(shellPrefix) != nil:
		return nil, fmt.Errorf("%q in \"env\" is another program's: take it out first", shellPrefix)
	default:
		return env.with(text, styleOf(text, root), false, member), nil
	}
}

// removeNet returns settings without a second net of heed's.
func removeNet(text []byte) ([]byte, error) {
	root, err := parseJSON(text)
	if err != nil || netIn(text, root) == "" {
		return text, err
	}
	env := root.get("env")
	if len(env.kids) == 1 {
		return root.without(text, slices.Index(root.keys, "env")), nil
	}
	return env.without(text, slices.Index(env.keys, shellPrefix)), nil
}

// netIn is the second net of heed's that settings name, "" if they name none.
func netIn(text []byte, root *node) string {
	var net string
	n := root.get("env").get(shellPrefix)
	if n == nil || json.Unmarshal(text[n.start:n.end], &net) != nil || path.Base(net) != NetName {
		return ""
	}
	return net
}

// netted is a target whose settings can have a second net: it is taken out with the hook,
// and put in for itself.
func netted(t Target) Target {
	hook := t.Remove
	t.Remove = func(text []byte) ([]byte, error) {
		text, err := hook(text)
		if err != nil {
			return nil, err
		}
		return removeNet(text)
	}
	t.AddNet = addNet
	t.Net = func(text []byte) string {
		root, err := parseJSON(text)
		if err != nil {
			return ""
		}
		return netIn(text, root)
	}
	return t
}

// SecondNet says how an agent is given a second net, "" where none is known to work. Seen
// live in November 2026, each with a wrapper that wrote down what it was given.
func SecondNet(name string) string {
	const file = "BASH_ENV=~/.config/heed/" + NetFile
	switch name {
	case ClaudeCode:
		return "heed install " + ClaudeCode + " --net"
	case "codex", "gemini-cli", "qwen-code", "opencode":
		return "start it with " + file
	case "copilot-cli":
		return "start it with " + file + " and --bash-env"
	}
	return ""
}
