package gate

// InAgent names the variable that says that a coding agent started this
// session, if one does. It only ever refuses: who wants to hide an agent can
// unset them all (docs/run.md). Sources: the agents' documentation and issues
// (CLAUDECODE: anthropics/claude-code 531; GEMINI_CLI: gemini-cli commands;
// CODEX_*: openai/codex; AGENT: block/goose 7017).
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
