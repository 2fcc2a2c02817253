package caller

import (
	"slices"
	"strings"
)

// An agent is a program that runs commands for a model, and how it shows.
type agent struct {
	name string
	// shared says that people type into its terminals as well: an editor, say.
	shared bool
	// names are those of its programs and scripts, in small letters.
	names []string
	// paths are parts of the paths at which its programs and scripts lie, in small
	// letters. Who installs Claude Code finds a program called 2.1.329.
	paths []string
	// vars are variables that it sets for what it starts: NAME, or NAME=VALUE.
	vars []string
}

// agents are those that are known. Sources: the environment that commands found
// when Claude Code 2.1.329, Codex 0.169.0, Gemini CLI 0.61.0, OpenCode 1.18.33 and
// Copilot CLI 1.0.102 ran them, seen live; the agents' own documentation and issues
// (CLAUDECODE: anthropics/claude-code 531; AGENT: block/goose 7017); the bin entries
// of their npm packages; am-i-vibing 0.5.0 for the variables of the others.
func agents() []agent {
	return []agent{
		{
			name: "Claude Code", names: []string{"claude"}, paths: []string{"/claude/versions/", "/@anthropic-ai/claude-code/"},
			vars: []string{"CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_CHILD_SESSION"},
		},
		{
			name: "Codex", names: []string{"codex"}, paths: []string{"/@openai/codex/"},
			vars: []string{"CODEX_SANDBOX", "CODEX_THREAD_ID", "CODEX_SESSION_ID", "CODEX_TOOL_CALL_ID", "CODEX_CI"},
		},
		{name: "Gemini CLI", names: []string{"gemini"}, paths: []string{"/@google/gemini-cli"}, vars: []string{"GEMINI_CLI"}},
		{name: "Qwen Code", names: []string{"qwen"}, paths: []string{"/@qwen-code/qwen-code"}, vars: []string{"QWEN_CODE"}},
		{name: "GitHub Copilot", names: []string{"copilot"}, paths: []string{"/@github/copilot"}, vars: []string{"COPILOT_CLI", "COPILOT_AGENT_SESSION_ID"}},
		{name: "Cursor's agent", names: []string{"cursor-agent"}, paths: []string{"/cursor-agent/versions/"}, vars: []string{"CURSOR_AGENT"}},
		{name: "OpenCode", names: []string{"opencode"}, paths: []string{"/opencode-ai/"}, vars: []string{"OPENCODE"}},
		{name: "Cline", names: []string{"cline"}, paths: []string{"/node_modules/cline/", "/@cline/"}, vars: []string{"CLINE_ACTIVE"}},
		{name: "Amp", names: []string{"amp"}, paths: []string{"/@sourcegraph/amp/", "/@ampcode/cli/"}, vars: []string{"AMP_CURRENT_THREAD_ID"}},
		{name: "Goose", names: []string{"goose", "goosed"}, vars: []string{"GOOSE_TERMINAL"}},
		{name: "Kiro's agent", names: []string{"kiro-cli", "kiro-cli-chat", "qchat"}},
		{name: "Devin", names: []string{"devin"}},
		{name: "Crush", names: []string{"crush"}, vars: []string{"CRUSH"}},
		{name: "Aider", names: []string{"aider"}},
		{name: "Auggie", names: []string{"auggie"}, paths: []string{"/@augmentcode/auggie"}, vars: []string{"AUGMENT_AGENT"}},
		{name: "Droid", names: []string{"droid"}},
		{name: "Kimi Code", names: []string{"kimi"}},
		{name: "OpenHands", names: []string{"openhands"}},
		{name: "Pi", paths: []string{"/pi-coding-agent/"}, vars: []string{"PI_CODING_AGENT"}},
		{name: "Antigravity's agent", vars: []string{"ANTIGRAVITY_AGENT"}},
		{name: "a coding agent", vars: []string{"AI_AGENT", "AGENT"}},

		// These hold terminals in which their agent types, and people as well.
		{
			name: "VS Code", shared: true, names: []string{"code", "code-insiders", "code-oss", "codium", "vscodium", "code-server", "openvscode-server"},
			paths: []string{"/.vscode-server/", "/.vscode-server-insiders/", "/.vscode-server-oss/", "/visual studio code.app/", "/visual studio code - insiders.app/"},
			vars:  []string{"TERM_PROGRAM=vscode"},
		},
		{name: "Cursor", shared: true, names: []string{"cursor"}, paths: []string{"/.cursor-server/", "/cursor.app/"}, vars: []string{"CURSOR_TRACE_ID"}},
		{name: "Windsurf", shared: true, names: []string{"windsurf"}, paths: []string{"/.windsurf-server/", "/windsurf.app/"}, vars: []string{"CODEIUM_EDITOR_APP_ROOT"}},
		{name: "Kiro", shared: true, names: []string{"kiro"}, paths: []string{"/.kiro-server/", "/kiro.app/"}},
		{name: "Antigravity", shared: true, names: []string{"antigravity"}, paths: []string{"/.antigravity-server/", "/antigravity.app/"}},
		{name: "Trae", shared: true, names: []string{"trae"}, paths: []string{"/.trae-server/", "/trae.app/"}},
		{name: "Zed", shared: true, names: []string{"zed", "zed-editor"}, paths: []string{"/zed.app/"}, vars: []string{"TERM_PROGRAM=zed"}},
		{name: "Warp", shared: true, names: []string{"warp", "warp-terminal"}, paths: []string{"/warp.app/"}, vars: []string{"TERM_PROGRAM=WarpTerminal"}},
		{
			name: "a JetBrains editor", shared: true, names: []string{"idea", "goland", "pycharm", "webstorm", "phpstorm", "clion", "rubymine", "rider", "rustrover"},
			vars: []string{"TERMINAL_EMULATOR=JetBrains-JediTerm"},
		},
	}
}

// byVariable finds an agent by a variable of an environment.
func byVariable(getenv func(string) string) (a agent, variable string, ok bool) {
	for _, a := range agents() {
		for _, v := range a.vars {
			name, want, exact := strings.Cut(v, "=")
			if is := getenv(name); is != "" && (!exact || is == want) {
				return a, name, true
			}
		}
	}
	return agent{}, "", false
}

// byProgram finds an agent by the names and paths of a process.
func byProgram(p *process) (agent, bool) {
	for _, a := range agents() {
		if slices.ContainsFunc(a.names, p.called) {
			return a, true
		}
		for _, part := range a.paths {
			if slices.ContainsFunc(p.paths, func(path string) bool { return strings.Contains(strings.ToLower(path), part) }) {
				return a, true
			}
		}
	}
	return agent{}, false
}
