package git

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// hooks adds those of the named hooks that are installed (githooks(5)).
func (g *gitCall) hooks(names ...string) {
	if g.repo == nil || g.m.Has("dry") && g.sub != "push" {
		return
	}
	for _, c := range g.settingsGiven() {
		if strings.EqualFold(c.key, "core.hooksPath") {
			return // those of another directory, which settings() has named
		}
	}
	for _, h := range g.repo.Hooks() {
		if slices.Contains(names, h) {
			g.effect(risk.ExecProject, value.Lit(path.Join(g.hooksDir(), h)), risk.KindHook)
		}
	}
}

// hooksDir is core.hooksPath, or hooks in the common directory.
func (g *gitCall) hooksDir() string {
	dir := g.lastConfig("core.hooksPath")
	switch {
	case dir == "":
		return path.Join(g.repo.CommonDir(), "hooks")
	case path.IsAbs(dir) || strings.HasPrefix(dir, "~"):
		return dir
	}
	return path.Join(g.repo.Root(), dir)
}

// usesIndex lists the subcommands that compare or update the work tree, and so
// ask core.fsmonitor and may run filters (git-update-index(1), gitattributes(5)).
func usesIndex() []string {
	return []string{
		"status", "diff", "add", "stage", "commit", "checkout", "switch", "restore", "reset", "stash", "rm", "mv", "merge", "pull",
		"rebase", "cherry-pick", "revert", "apply", "am", "ls-files", "update-index", "read-tree", "checkout-index", "describe",
		"grep", "diff-files", "diff-index", "clean", "sparse-checkout", "bisect", "mergetool", "difftool", "blame", "submodule",
	}
}

// runsHere adds programs that this repository's own configuration makes the
// subcommand run: what a hostile repository plants (git(1), "SECURITY").
func (g *gitCall) runsHere() {
	if g.repo == nil || len(g.m.Chain) < 2 {
		return
	}
	if slices.Contains(usesIndex(), g.sub) {
		if cmd := g.lastConfig("core.fsmonitor"); cmd != "" && !gitBoolean(cmd) && !g.overridden("core.fsmonitor") {
			g.effect(risk.ExecProject, value.Lit(cmd), risk.KindCoreFsmonitor)
		}
		g.filters()
	}
	g.diffPrograms()
	g.committing()
}

// overridden reports whether the command itself sets key.
func (g *gitCall) overridden(key string) bool {
	return slices.ContainsFunc(g.settingsGiven(), func(c gitSetting) bool { return strings.EqualFold(c.key, key) })
}

// maxPrograms bounds the configured filters and drivers that are reported.
const maxPrograms = 50

// filters are content filters, which attributes switch on. Git LFS is known
// and only moves large files.
func (g *gitCall) filters() {
	if !g.hasAttributes() {
		return
	}
	for _, key := range g.repo.ConfigKeys("filter.", maxPrograms) {
		_, _, variable := gitKey(key)
		cmd := g.lastConfig(key)
		if cmd == "" || strings.HasPrefix(cmd, "git-lfs ") || strings.HasPrefix(cmd, "git lfs ") {
			continue
		}
		if variable == "clean" || variable == "smudge" || variable == "process" {
			g.effect(risk.ExecProject, value.Lit(cmd), risk.KindFilter)
		}
	}
	if !slices.Contains([]string{"merge", "pull", "rebase", "cherry-pick", "revert", "stash", "am"}, g.sub) {
		return
	}
	for _, key := range g.repo.ConfigKeys("merge.", maxPrograms) {
		if _, sub, variable := gitKey(key); sub != "" && variable == "driver" && g.lastConfig(key) != "" {
			g.effect(risk.ExecProject, value.Lit(g.lastConfig(key)), risk.KindMergeEachDriver)
		}
	}
}

func (g *gitCall) hasAttributes() bool {
	if g.s.World.FS == nil {
		return true
	}
	files := []string{path.Join(g.repo.CommonDir(), "info/attributes")}
	if root := g.repo.Root(); root != "" {
		files = append(files, path.Join(root, ".gitattributes"))
	}
	if g.dir != "" && g.dir != g.repo.Root() {
		files = append(files, path.Join(g.dir, ".gitattributes"))
	}
	for _, f := range files {
		if info, err := g.s.World.FS.Lstat(f); err == nil && info.Kind != world.Missing {
			return true
		}
	}
	return g.lastConfig("core.attributesFile") != ""
}

// diffPrograms are external diffs and text converters (gitattributes(5)):
// git diff uses both unless told not to, the others only the converters.
func (g *gitCall) diffPrograms() {
	external, text := false, false
	switch g.sub {
	case "diff":
		external, text = !g.m.Has("no-ext-diff"), true
	case "log", "show", "whatchanged":
		external, text = g.m.Has("ext-diff"), g.sub == "show" || g.m.Has("patch")
	case "blame", "annotate":
		text = true
	case "grep", "cat-file":
		text = g.m.Has("textconv")
	case "diff-tree", "diff-index", "diff-files":
		external, text = g.m.Has("ext-diff"), g.m.Has("textconv")
	}
	text = text && !g.m.Has("no-textconv")
	if cmd := g.lastConfig("diff.external"); external && cmd != "" && !g.overridden("diff.external") {
		g.effect(risk.ExecProject, value.Lit(cmd), risk.KindDiffExternal)
	}
	if !(external || text) || !g.hasAttributes() {
		return
	}
	for _, key := range g.repo.ConfigKeys("diff.", maxPrograms) {
		_, sub, variable := gitKey(key)
		cmd := g.lastConfig(key)
		switch {
		case sub == "" || cmd == "":
		case variable == "textconv" && text:
			g.effect(risk.ExecProject, value.Lit(cmd), risk.KindDiffEachTextconv)
		case variable == "command" && external:
			g.effect(risk.ExecProject, value.Lit(cmd), risk.KindDiffEachCommand)
		}
	}
}

// committing adds what making commits runs: hooks, a signing program and an
// editor that the repository itself names.
func (g *gitCall) committing() {
	verify := !g.m.Has("no-verify")
	switch g.sub {
	case "commit":
		names := []string{"prepare-commit-msg", "post-commit", "reference-transaction", "post-index-change"}
		if verify {
			names = append(names, "pre-commit", "commit-msg")
		}
		if g.m.Has("amend") {
			names = append(names, "post-rewrite")
		}
		g.hooks(names...)
		if !g.m.Has("message") && !g.m.Has("file") && !g.m.Has("reuse") && !g.m.Has("no-edit") || g.m.Has("edit") || g.m.Has("reedit") {
			g.planted("core.editor")
		}
	case "merge":
		names := []string{"post-merge", "prepare-commit-msg", "reference-transaction"}
		if verify {
			names = append(names, "pre-merge-commit", "commit-msg")
		}
		g.hooks(names...)
	case "rebase":
		names := []string{"post-rewrite", "post-checkout", "prepare-commit-msg", "post-commit", "reference-transaction"}
		if verify {
			names = append(names, "pre-rebase")
		}
		g.hooks(names...)
		g.planted("sequence.editor")
	case "am":
		g.hooks("applypatch-msg", "pre-applypatch", "post-applypatch", "post-rewrite")
	case "add", "stage", "rm", "mv", "status":
		g.hooks("post-index-change")
		return
	default:
		return
	}
	g.signs()
}

// signs adds a signing program that the repository itself names.
func (g *gitCall) signs() {
	if g.m.Has("sign") || g.m.Has("key") || g.lastConfig("commit.gpgSign") == "true" {
		g.planted("gpg.program")
	}
}

// maxConfigFile bounds the repository's own configuration file.
const maxConfigFile = 1 << 18

// planted adds programs named by the repository's own configuration file;
// those of the user's are the user's choice. A key that ends in a dot stands
// for all below it.
func (g *gitCall) planted(keys ...string) {
	if g.repo == nil || g.s.World.FS == nil {
		return
	}
	var local []byte
	for _, key := range keys {
		names := []string{key}
		if strings.HasSuffix(key, ".") {
			names = g.repo.ConfigKeys(key, maxPrograms)
		}
		for _, name := range names {
			cmd := g.lastConfig(name)
			if cmd == "" {
				continue
			}
			kind, general := gitKind(name)
			if kind == plainSetting || kind >= helperSetting && !strings.HasPrefix(cmd, "!") && !strings.HasPrefix(cmd, "/") || g.overridden(name) {
				continue
			}
			if local == nil {
				local, _ = g.s.World.FS.ReadFile(path.Join(g.repo.CommonDir(), "config"), maxConfigFile)
			}
			// The file escapes quotes and backslashes: the plain beginning is enough.
			if plain, _, _ := strings.Cut(cmd, `"`); strings.Contains(string(local), plain) && plain != "" {
				g.effect(risk.ExecProject, value.Lit(cmd), settingWord(general))
			}
		}
	}
}
