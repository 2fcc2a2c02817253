package git

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// hooksOf are the hooks that a subcommand may run (githooks(5)). One that
// changes a ref runs reference-transaction, one that writes the index
// post-index-change, one that may start an automatic gc pre-auto-gc.
func hooksOf(sub string, m *catalog.Match) []string {
	const refs, index, upkeep = "reference-transaction", "post-index-change", "pre-auto-gc"
	verify := func(names ...string) []string {
		if m != nil && m.Has("no-verify") {
			return nil
		}
		return names
	}
	switch sub {
	case "commit":
		names := append([]string{"prepare-commit-msg", "post-commit", refs, index, upkeep}, verify("pre-commit", "commit-msg")...)
		if m.Has("amend") {
			names = append(names, "post-rewrite")
		}
		return names
	case "merge":
		return append([]string{"post-merge", "prepare-commit-msg", refs, index, upkeep}, verify("pre-merge-commit", "commit-msg")...)
	case "rebase":
		return append([]string{"post-rewrite", "post-checkout", "prepare-commit-msg", "post-commit", refs, index, upkeep, "commit-msg"}, verify("pre-rebase")...)
	case "pull":
		return append([]string{"post-merge", "prepare-commit-msg", "post-checkout", refs, index, upkeep, "post-rewrite", "pre-rebase"}, verify("pre-merge-commit", "commit-msg")...)
	case "am":
		return []string{"applypatch-msg", "pre-applypatch", "post-applypatch", "post-rewrite", refs, index, upkeep}
	case "cherry-pick", "revert":
		return []string{"prepare-commit-msg", "commit-msg", "post-commit", refs, index}
	case "checkout", "switch":
		return []string{"post-checkout", refs, index}
	case "restore", "submodule":
		return []string{"post-checkout", index}
	case "worktree", "clone":
		return []string{"post-checkout", refs, index}
	case "bisect", "filter-branch", "flow", "subtree":
		return []string{"post-checkout", refs, index, "prepare-commit-msg", "commit-msg", "post-commit", "pre-commit", "post-merge", "pre-merge-commit"}
	case "stash", "reset":
		return []string{refs, index}
	case "status", "diff", "add", "stage", "rm", "mv", "update-index", "read-tree", "checkout-index", "apply", "describe", "sparse-checkout", "mergetool", "difftool", "merge-index":
		return []string{index}
	case "fetch":
		return []string{refs, upkeep}
	case "branch", "tag", "update-ref", "symbolic-ref", "notes", "replace", "remote", "reflog", "fast-import", "bundle", "send-pack", "fetch-pack", "rerere", "unpack-file":
		return []string{refs}
	case "push":
		return append([]string{refs}, verify("pre-push")...)
	case "gc", "maintenance":
		return []string{upkeep, refs}
	case "send-email":
		return []string{"sendemail-validate"}
	}
	return nil
}

// hooks adds those of the named hooks that are installed.
func (g *gitCall) hooks(names ...string) {
	if g.repo != nil {
		g.hooksIn(g.repo, names)
	}
}

func (g *gitCall) hooksIn(repo world.Repo, names []string) {
	if len(names) == 0 || g.m.Has("dry") && g.sub != "push" || g.onlyLists() {
		return
	}
	for _, c := range g.settingsGiven() {
		if strings.EqualFold(c.key, "core.hooksPath") {
			return // those of another directory, which settings() has named
		}
	}
	for _, h := range repo.Hooks() {
		if slices.Contains(names, h) {
			g.effect(risk.ExecProject, value.Lit(path.Join(hooksDir(repo), h)), risk.KindHook)
		}
	}
}

// onlyLists reports whether the call of a subcommand that may change refs only
// lists them.
func (g *gitCall) onlyLists() bool {
	switch g.sub {
	case "branch", "tag", "notes", "replace", "remote", "reflog", "symbolic-ref", "bundle", "worktree", "stash", "bisect", "submodule", "describe":
	default:
		return false
	}
	return !slices.ContainsFunc(g.r.Effects, func(e catalog.Effect) bool { return !strings.HasPrefix(string(e.Verb), "fs.read") }) &&
		(g.sub != "describe" || g.obeyed()&useTree == 0)
}

// hooksDir is core.hooksPath, or hooks in the common directory.
func hooksDir(repo world.Repo) string {
	dir := ""
	if vs := repo.Config("core.hooksPath"); len(vs) > 0 {
		dir = vs[len(vs)-1]
	}
	switch {
	case dir == "":
		return path.Join(repo.CommonDir(), "hooks")
	case path.IsAbs(dir) || strings.HasPrefix(dir, "~"):
		return dir
	}
	return path.Join(repo.Root(), dir)
}
