package agent_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/heedsh/heed/internal/agent"
)

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
		if got := agent.IsNet(func(name string) string { return map[string]string{c.name: c.value}[name] }); got != c.want {
			t.Errorf("%s=%s: %v", c.name, c.value, got)
		}
	}
}

// TestSecondNet: there is one for every agent that was seen to let commands run.
func TestSecondNet(t *testing.T) {
	t.Parallel()
	for _, name := range []string{agent.ClaudeCode, "codex", "gemini-cli", "qwen-code", "copilot-cli", "opencode"} {
		if agent.SecondNet(name) == "" {
			t.Errorf("%s has none", name)
		}
	}
	for _, name := range agent.Names() {
		if agent.SecondNet(name) != "" && len(agent.FailsOpen(name)) == 0 {
			t.Errorf("%s needs none", name)
		}
	}
}

// TestNetOfSettings: a second net is put into settings and taken out again with the hook,
// and not a byte of what was there changes (testdata/net).
func TestNetOfSettings(t *testing.T) {
	t.Parallel()
	const net, moved = "/usr/local/bin/heed-net", "/opt/heed-1.0/heed-net"
	files := settings()
	files["a variable in one line"] = `{"env":{"A":"b"}}`
	files["variables in lines"] = "{\n  \"env\": {\n    \"A\": \"b\"\n  },\n  \"model\": \"x\"\n}\n"
	for name, before := range files {
		hooked, err := claudeUser().Add([]byte(before), heedPath)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		after, err := claudeUser().AddNet(hooked, net)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		golden(t, filepath.Join("testdata/net", strings.ReplaceAll(name, " ", "-")+".golden"), string(after))
		if got := claudeUser().Net(after); got != net {
			t.Errorf("%s: the net is %q", name, got)
		}
		if again, err := claudeUser().AddNet(after, net); err != nil || !bytes.Equal(again, after) {
			t.Errorf("%s: again: %v %s", name, err, cmp.Diff(string(after), string(again)))
		}
		if again, err := claudeUser().Add(after, heedPath); err != nil || !bytes.Equal(again, after) {
			t.Errorf("%s: the hook again: %v %s", name, err, cmp.Diff(string(after), string(again)))
		}
		if other, err := claudeUser().AddNet(after, moved); err != nil || claudeUser().Net(other) != moved || bytes.Contains(other, []byte(net)) {
			t.Errorf("%s: moved: %v\n%s", name, err, other)
		}
		back, err := claudeUser().Remove(after)
		if err != nil || string(back) != before || claudeUser().Net(back) != "" {
			t.Errorf("%s: uninstalling gives (%v)\n%s", name, err, cmp.Diff(before, string(back)))
		}
	}
}

// TestNetThatIsNotWritten: what is somebody else's stays, and no path that a shell would
// take apart is written.
func TestNetThatIsNotWritten(t *testing.T) {
	t.Parallel()
	const foreign = `{"env":{"CLAUDE_CODE_SHELL_PREFIX":"/usr/bin/other"}}`
	for name, c := range map[string]struct{ text, net string }{
		"another's":      {foreign, "/usr/local/bin/heed-net"},
		"no text":        {`{"env":{"CLAUDE_CODE_SHELL_PREFIX":7}}`, "/usr/local/bin/heed-net"},
		"no object":      {`{"env":[]}`, "/usr/local/bin/heed-net"},
		"no JSON":        {`{"env":`, "/usr/local/bin/heed-net"},
		"a blank":        {`{}`, "/opt/a b/heed-net"},
		"a substitution": {`{}`, "/opt/$(id)/heed-net"},
		"not absolute":   {`{}`, "heed-net"},
	} {
		if after, err := claudeUser().AddNet([]byte(c.text), c.net); err == nil {
			t.Errorf("%s: it gives %s", name, after)
		}
	}
	if back, err := claudeUser().Remove([]byte(foreign)); err != nil || string(back) != foreign {
		t.Errorf("another's is taken out: %v %s", err, back)
	}
	for _, name := range agent.Names() {
		for _, target := range targets(agent.Named(name), agent.User) {
			if has := target.AddNet != nil; has != (name == agent.ClaudeCode) || has != (target.Net != nil) {
				t.Errorf("%s: a second net: %t", name, has)
			}
		}
	}
}
