package gate

// inAgent names the variable that says that a coding agent started this
// session, if one does. It only ever refuses: who wants to hide an agent can
// unset them all (docs/run.md). Sources: the agents' documentation and issues
// (CLAUDECODE: anthropics/claude-code 531; GEMINI_CLI: gemini-cli commands;
// CODEX_*: openai/codex; AGENT: block/goose 7017).
func (g *Gate) inAgent() string { return InAgent(g.Getenv) }

// InAgent is what a gate goes by where nobody is asked: the variable of an environment
// that says that a coding agent started the session, or "".
func InAgent(getenv func(string) string) string {
	for _, name := range []string{
		"CLAUDECODE", "CODEX_SANDBOX", "CODEX_THREAD_ID", "GEMINI_CLI", "QWEN_CODE", "CURSOR_AGENT", "COPILOT_CLI", "OPENCODE",
		"CLINE_ACTIVE", "GOOSE_TERMINAL", "AGENT", "AI_AGENT",
	} {
		if getenv(name) != "" {
			return name
		}
	}
	return ""
}
