package git

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/value"
)

// Settings that name programs are none that are inert, and of the rest only those
// that are listed are.
func TestSettingsAreInertByList(t *testing.T) {
	t.Parallel()
	for name, kind := range settingKinds() {
		section, sub, variable := gitKey(strings.ReplaceAll(name, "*", "x"))
		if section == "alias" || section == "pager" {
			sub, variable = "", "x"
		}
		if kind != plainSetting && inertSetting(section, sub, variable) {
			t.Errorf("%s names a program and is said to be inert", name)
		}
	}
	for key, want := range map[string]bool{
		"color.ui": true, "COLOR.Branch.Local": true, "user.name": true, "pull.rebase": true, "branch.main.merge": true, "core.quotePath": true,
		"branch.main.remote": true, "diff.x.wordRegex": true, "core.abbrev": true,
		"http.proxy": false, "remote.origin.pushurl": false, "remote.origin.proxy": false, "core.worktree": false, "core.attributesFile": false,
		"transfer.fsckObjects": false, "gc.reflogExpire": false, "gc.pruneExpire": false, "http.extraHeader": false, "http.cookieFile": false,
		"no.such": false, "core.no": false, "fsck.skipList": false, "safe.directory": true, "receive.denyCurrentBranch": false,
		"sendemail.smtpServerPort": false, "includeIf.gitdir:/.path": false, "log.showSignature": true,
	} {
		if got := settingKnown(key, value.Lit("x")); got != want {
			t.Errorf("settingKnown(%s) = %v", key, got)
		}
	}
	for key, c := range map[string]struct {
		value string
		want  bool
	}{
		"branch.main.remote":  {"https://evil.example/x", false},
		"remote.origin.fetch": {"+refs/heads/*:refs/remotes/origin/*", true},
		"safe.directory":      {"*", false},
		"http.extraHeader":    {"Authorization: Bearer x", true},
		"submodule.x.update":  {"rebase", true},
	} {
		if got := settingKnown(key, value.Lit(c.value)); got != c.want {
			t.Errorf("settingKnown(%s, %s) = %v", key, c.value, got)
		}
	}
}

// Programs that people set are known with options that give them no code.
func TestUsualSettings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"code --wait": true, "vim": true, "less -FRX": true, "delta --dark": true, "nvim": true, "ssh -i ~/.ssh/key -o IdentitiesOnly=yes": true,
		"vim -c !sh": false, "less -o/etc/x": false, "less +!x": false, "ssh -F x": false, "ssh -o ProxyCommand=x": false, "sh": false, "delta; x": false,
		"emacs --eval x": false, "./vim.sh x": false, "frobnicate": false, "git-lfs clean -- %f": true, "git-lfs clean; x": false, "ssh -E log": false,
	} {
		if got := usualSetting(shellSetting, text); got != want {
			t.Errorf("usualSetting(%q) = %v", text, got)
		}
	}
	for text, want := range map[string]bool{"checkout": true, "log --oneline -c x": true, "-c core.pager=x log": false, "!git push": true, "!sh -c x": false, "!git -c a.b=c status": false} {
		if got := usualSetting(bangSetting, text); got != want {
			t.Errorf("alias %q: %v", text, got)
		}
	}
}
