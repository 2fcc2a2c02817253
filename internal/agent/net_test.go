package agent

import "testing"

func TestIsNet(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, value string
		want        bool
	}{
		{"BASH_ENV", "/x/net.bash", true},
		{"CLAUDE_CODE_SHELL_PREFIX", "/usr/local/bin/heed-net", true},
		{"BASH_ENV", "/x/rc", false},
		{"BASH_ENV", "", false},
		{"CLAUDE_CODE_SHELL_PREFIX", "/x/other", false},
	} {
		if got := IsNet(func(name string) string { return map[string]string{c.name: c.value}[name] }); got != c.want {
			t.Errorf("%s=%s: %v", c.name, c.value, got)
		}
	}
}

// TestSecondNet: there is one for every agent that was seen to let commands run.
func TestSecondNet(t *testing.T) {
	t.Parallel()
	for _, name := range []string{ClaudeCode, "codex", "gemini-cli", "qwen-code", "copilot-cli", "opencode"} {
		if SecondNet(name) == "" {
			t.Errorf("%s has none", name)
		}
	}
	for _, name := range Names() {
		if SecondNet(name) != "" && len(FailsOpen(name)) == 0 {
			t.Errorf("%s needs none", name)
		}
	}
}
