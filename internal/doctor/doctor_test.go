package doctor

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMatchers(t *testing.T) {
	t.Parallel()
	for matcher, want := range map[string]string{
		"":                        "Bash PowerShell Monitor",
		"*":                       "Bash PowerShell Monitor",
		"Bash":                    "Bash",
		"Bash|PowerShell|Monitor": "Bash PowerShell Monitor",
		"Bash, Monitor":           "Bash Monitor",
		"Edit|Write":              "",
		"B.*":                     "Bash",
		"^(Bash|Power.*)$":        "Bash PowerShell",
		"o":                       "", // a name, not a pattern
		"o+":                      "PowerShell Monitor",
		"mcp__.*":                 "",
		"(?=Bash)":                "? ? ?",
	} {
		var got []string
		for _, tool := range shellTools() {
			switch hit, known := matches(matcher, tool); {
			case !known:
				got = append(got, "?")
			case hit:
				got = append(got, tool)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q matches %q, want %q", matcher, got, want)
		}
	}
}

// TestDoctorManaged lets an administrator allow managed hooks only: a hook in
// the user's settings is then not run, one in the managed settings is.
func TestDoctorManaged(t *testing.T) {
	t.Parallel()
	const hook = `"hooks": {"PreToolUse": [{"matcher": "Bash|PowerShell|Monitor", "hooks": [{"type": "command", "command": "/nowhere/heed", "args": ["hook", "claude-code"], "onFailure": "block"}]}]}`
	for name, c := range map[string]struct {
		managed map[string]string
		want    []string
	}{
		"no administrator": {nil, []string{"hook: cannot be started"}},
		"managed only":     {map[string]string{"managed-settings.json": `{"allowManagedHooksOnly": true}`}, []string{"switched: managed hooks only", "hook: cannot be started"}},
		"heed is managed":  {map[string]string{"managed-settings.json": `{"allowManagedHooksOnly": true}`, "managed-settings.d/heed.json": "{" + hook + "}"}, []string{"hook: cannot be started", "hook: cannot be started"}},
		"a broken file":    {map[string]string{"managed-settings.d/a.json": `{`}, []string{"settings: is not JSON", "hook: cannot be started"}},
		"switched off":     {map[string]string{"managed-settings.json": `{"disableAllHooks": true}`}, []string{"switched: no hook runs", "hook: cannot be started"}},
	} {
		home, managed := t.TempDir(), t.TempDir()
		for file, text := range c.managed {
			put(t, filepath.Join(managed, managedDir(), file), text)
		}
		put(t, filepath.Join(home, ".claude/settings.json"), "{"+hook+"}")
		d := &doctor{Session: Session{Env: []string{"HOME=" + home, "PATH=/usr/bin:/bin"}, Dir: home, Root: managed}}
		d.claude(t.Context(), "/nowhere/heed", nil)
		var got []string
		for _, check := range d.checks {
			if check.Status == Problem {
				got = append(got, check.Name+": "+check.Detail)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %s", name, cmp.Diff(c.want, got))
			continue
		}
		for i, want := range c.want {
			check, text, _ := strings.Cut(want, ": ")
			if !strings.HasPrefix(got[i], check+": ") || !strings.Contains(got[i], text) {
				t.Errorf("%s: %q, want %q", name, got[i], want)
			}
		}
	}
}

// TestDoctorShowsNoRawBytes: what settings say reaches the terminal made
// visible.
func TestDoctorShowsNoRawBytes(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	put(t, filepath.Join(home, ".claude/settings.json"), `{"hooks": {"PermissionRequest": [{"hooks": [{"type": "command", "command": "\u001b[2J"}]}],
		"PreToolUse": [{"hooks": [{"type": "command", "command": "/no\u001b[2J", "args": ["hook", "claude-code"]}]}]}}`)
	d := &doctor{Session: Session{Env: []string{"HOME=" + home}, Dir: home, Root: t.TempDir()}}
	d.claude(t.Context(), "", nil)
	seen := false
	for _, c := range d.checks {
		if strings.ContainsRune(c.Detail+c.Next, 0x1b) {
			t.Errorf("%q", c)
		}
		seen = seen || strings.Contains(c.Detail, `\x1b`)
	}
	if !seen {
		t.Errorf("no byte is shown: %q", d.checks)
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestDoctorAdditions finds what a person has added and broken.
func TestDoctorAdditions(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]Status{
		"":                              OK,
		".config/heed/specs/x.yaml":     Problem,
		".config/heed/patterns/x.yaml":  Problem,
		".local/share/heed/sigma.bin":   Problem,
		".config/heed/specs/notes.txt":  OK,
		".config/heed/unrelated/x.yaml": OK,
	} {
		home := t.TempDir()
		if file != "" {
			put(t, filepath.Join(home, file), "title: [broken\n")
		}
		d := &doctor{Session: Session{Env: []string{"HOME=" + home, "PATH=/usr/bin:/bin"}, Dir: home}}
		d.additions(t.Context())
		if len(d.checks) != 1 || d.checks[0].Status != want {
			t.Errorf("%s: %+v, want %s", file, d.checks, want)
		}
	}
}

func managedDir() string {
	if runtime.GOOS == "darwin" {
		return "Library/Application Support/ClaudeCode"
	}
	return "etc/claude-code"
}
