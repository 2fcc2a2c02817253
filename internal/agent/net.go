package agent

import "path"

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
	return path.Base(getenv("BASH_ENV")) == NetFile || path.Base(getenv("CLAUDE_CODE_SHELL_PREFIX")) == NetName
}

// SecondNet says how an agent is given a second net, "" where none is known to work. Seen
// live in November 2026, each with a wrapper that wrote down what it was given.
func SecondNet(name string) string {
	const file = "BASH_ENV=~/.config/heed/" + NetFile
	switch name {
	case ClaudeCode:
		return `"env": {"CLAUDE_CODE_SHELL_PREFIX": "/usr/local/bin/` + NetName + `"} in its settings.json`
	case "codex", "gemini-cli", "qwen-code", "opencode":
		return "start it with " + file
	case "copilot-cli":
		return "start it with " + file + " and --bash-env"
	}
	return ""
}
