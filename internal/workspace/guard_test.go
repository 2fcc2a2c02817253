package workspace_test

import (
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/risk"
)

func TestGuarded(t *testing.T) {
	t.Parallel()
	for p, want := range map[string]risk.Scope{
		"/home/u/.bashrc":             risk.IsStartup,
		"/w/.git/hooks/pre-commit":    risk.IsStartup,
		"/w/.git/config":              risk.IsStartup,
		"/w/.git/index":               "",
		"/w/.claude/settings.json":    risk.IsAgentConfig,
		"/home/u/.config/heed/p.yaml": risk.IsAgentConfig,
		"/home/u/.ssh/id_ed25519":     risk.IsSecret,
		"/home/u/.npmrc":              risk.IsSecret,
		"/etc/passwd":                 risk.IsAccounts,
		"/w/main.go":                  "",
		"/home/u/.cache/x":            "",
	} {
		if got := workspace.Guarded(p, "/home/u"); got != want {
			t.Errorf("%s is %q, want %q", p, got, want)
		}
	}
}

// TestGuards: what is listed is guarded, by its name too.
func TestGuards(t *testing.T) {
	t.Parallel()
	all := workspace.Guards("/home/u", []string{"/w"})
	for _, want := range []string{"/home/u/.bashrc", "/home/u/.config/heed", "/w/.git/hooks", "/w/.git/config", "/w/.claude/settings.json"} {
		if !slices.Contains(all, want) {
			t.Errorf("%s is not listed", want)
		}
	}
	for _, p := range all {
		if workspace.Guarded(p, "/home/u") == "" && workspace.Guarded(p+"/x", "/home/u") == "" {
			t.Errorf("%s is listed and not guarded", p)
		}
	}
	if got := workspace.Guards("", nil); len(got) != 0 {
		t.Errorf("without a home and roots: %q", got)
	}
}
