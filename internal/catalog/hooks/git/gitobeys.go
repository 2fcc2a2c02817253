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

// A use is a set of groups of settings that name programs.
type use uint32

const (
	useMonitor  use = 1 << iota // core.fsmonitor, asked when the index is compared with the work tree
	useClean                    // what turns files into objects: filter.*.clean and .process
	useSmudge                   // what turns objects into files: filter.*.smudge and .process
	useMerge                    // merge.*.driver
	useExternal                 // diff.external, diff.*.command
	useText                     // diff.*.textconv
	useVerify                   // programs that check signatures
	useSign                     // programs that make them
	useEditor                   // core.editor
	useSequence                 // sequence.editor
	useNet                      // what talks to other repositories, or gives them passwords
	useManual                   // what shows manual pages
	useTrailers                 // trailer.*.cmd
	useMail                     // what sends mail
	useArchive                  // tar.*.command
	useTools                    // difftool.*, mergetool.*
	usePatch                    // interactive.diffFilter
	useModules                  // submodule.*.update, and the settings of submodules that are looked into
	useUpkeep                   // gc.recentObjectsHook
	usePager                    // core.pager, pager.*
	useWeb                      // instaweb.*, browser.*

	useTree = useMonitor | useClean | useModules
	useAll  = 1<<iota - 1
)

// uses is the table of which subcommand obeys which settings that name programs
// (git-config(1), gitattributes(5), githooks(5), and the page of each). One that
// is not in it may obey all.
func uses(sub string) use {
	switch sub {
	case "status", "ls-files", "update-index", "rm", "mv", "clean", "describe", "diff-files", "diff-index":
		return useTree
	case "add", "stage":
		return useTree | useEditor | usePatch
	case "commit":
		return useTree | useEditor | useSign | usePatch | useTrailers | useUpkeep
	case "checkout", "switch", "restore", "reset", "read-tree", "checkout-index", "stash", "sparse-checkout":
		u := useTree | useSmudge | useMerge | usePatch
		if sub == "stash" {
			u |= useText | useExternal
		}
		return u
	case "merge", "pull", "rebase", "cherry-pick", "revert", "am":
		u := useTree | useSmudge | useMerge | useEditor | useSign | useVerify | useUpkeep | useTrailers
		switch sub {
		case "pull":
			u |= useNet | useSequence
		case "rebase":
			u |= useSequence
		}
		return u
	case "apply", "hash-object", "merge-file", "blame", "annotate", "format-patch", "range-diff", "grep", "cat-file", "diff-tree":
		return useClean | useSmudge | useText | useExternal | useMonitor | usePager
	case "diff", "difftool":
		return useTree | useText | useExternal | usePager | useTools
	case "log", "show", "whatchanged", "reflog", "shortlog", "rev-list", "for-each-ref", "verify-commit", "verify-tag":
		return useModules | useMerge | useText | useExternal | useVerify | usePager
	case "branch", "tag", "notes":
		return useTrailers | useEditor | useSign | useVerify | usePager
	case "config", "bugreport", "diagnose", "replace":
		return useEditor
	}
	return usesToo(sub)
}

func usesToo(sub string) use {
	switch sub {
	case "fetch":
		return useNet | useUpkeep | useModules
	case "ls-remote", "remote", "fetch-pack", "request-pull", "credential":
		return useNet | useUpkeep
	case "merge-tree", "rerere":
		return useMerge
	case "push", "send-pack":
		return useNet | useSign
	case "clone", "submodule", "worktree":
		return useNet | useSmudge | useModules | useMonitor | useClean
	case "archive":
		return useNet | useSmudge | useArchive
	case "bisect", "filter-branch", "merge-index", "merge-one-file", "merge-recursive", "subtree", "lfs", "flow", "replay":
		return useAll &^ (useManual | useWeb | useMail)
	case "mergetool":
		return useTree | useTools | useMerge
	case "send-email", "imap-send":
		return useMail | useEditor
	case "interpret-trailers", "commit-tree":
		return useTrailers | useSign
	case "help":
		return useManual | usePager
	case "instaweb":
		return useWeb
	case "gc", "maintenance", "prune", "repack", "pack-objects":
		return useUpkeep | useNet
	case "rev-parse", "ls-tree", "show-ref", "show-branch", "merge-base", "name-rev", "var", "count-objects", "check-ignore", "check-attr", "check-ref-format",
		"check-mailmap", "symbolic-ref", "update-ref", "fsck", "init", "init-db", "bundle", "column", "stripspace", "cherry", "show-index", "verify-pack",
		"patch-id", "get-tar-commit-id", "fmt-merge-msg", "version", "pack-refs", "prune-packed", "commit-graph", "multi-pack-index", "update-server-info",
		"write-tree", "mktree", "mktag", "unpack-objects", "index-pack", "fast-export", "hook", "mailinfo", "mailsplit", "refs":
		return 0
	}
	return useAll &^ useManual
}

// useKeys are the settings of a group; one that ends in a dot stands for all
// below it.
func useKeys(u use) []string {
	switch u {
	case useMonitor:
		return []string{"core.fsmonitor"}
	case useClean, useSmudge:
		return []string{"filter.", "lfs."}
	case useMerge:
		return []string{"merge."}
	case useExternal, useText:
		return []string{"diff."}
	case useVerify, useSign:
		return []string{"gpg."}
	case useEditor:
		return []string{"core.editor"}
	case useSequence:
		return []string{"sequence.editor"}
	case useNet:
		return []string{"core.sshCommand", "core.gitProxy", "core.askPass", "credential.", "remote.", "core.alternateRefsCommand", "url.", "lfs."}
	case useManual:
		return []string{"man.", "browser.", "help.browser", "web.browser"}
	case useTrailers:
		return []string{"trailer."}
	case useMail:
		return []string{"sendemail.", "imap.tunnel"}
	case useArchive:
		return []string{"tar."}
	case useTools:
		return []string{"difftool.", "mergetool."}
	case usePatch:
		return []string{"interactive.diffFilter"}
	case useModules:
		return []string{"submodule."}
	case useUpkeep:
		return []string{"gc.recentObjectsHook"}
	case usePager:
		return []string{"core.pager", "pager."}
	case useWeb:
		return []string{"instaweb.", "browser."}
	}
	return nil
}

// obeyed are the groups that this call obeys: those of the subcommand, but for
// what its options surely switch off or on.
func (g *gitCall) obeyed() use {
	u := uses(g.sub)
	switch g.sub {
	case "log", "whatchanged", "reflog", "rev-list", "shortlog":
		u = u.only(useText, g.differs()).only(useExternal, g.m.Has("ext-diff")).only(useModules, g.says("submodule")).only(useMerge, g.says("remerge"))
	case "show":
		brief := (g.m.Has("brief") || g.m.Has("names")) && !g.m.Has("patch")
		u = u.only(useText, !brief).only(useExternal, g.m.Has("ext-diff")).only(useModules, g.says("submodule")).only(useMerge, g.says("remerge"))
	case "diff":
		u = u.only(useExternal, !g.m.Has("no-ext-diff")).only(useTools, false)
	case "diff-tree", "diff-index", "diff-files", "format-patch", "range-diff":
		u = u.only(useExternal, g.m.Has("ext-diff")).only(useText, g.m.Has("textconv"))
	case "grep", "cat-file":
		u = u.only(useText, g.m.Has("textconv")).only(useExternal, false).only(useClean, false).only(useMonitor, g.sub == "grep").
			only(useSmudge, g.m.Has("filters"))
	case "checkout", "switch", "reset", "read-tree", "checkout-index", "restore":
		u = u.only(useMerge, slices.ContainsFunc(g.rest, func(v value.Value) bool {
			return v.Prefix() == "-m" || v.Prefix() == "--merge" || strings.HasPrefix(v.Prefix(), "--conflict")
		}))
	case "blame", "annotate":
		u = u.only(useExternal|useSmudge, false)
	case "hash-object", "merge-file":
		u = u.only(useSmudge|useText|useExternal|useMonitor, false)
	case "describe":
		u = u.only(useTree, slices.ContainsFunc(g.rest, func(v value.Value) bool {
			return strings.HasPrefix(v.Prefix(), "--dirty") || strings.HasPrefix(v.Prefix(), "--broken") || !v.IsKnown()
		}))
	case "commit":
		u = u.only(useEditor, g.edits())
	case "remote":
		u = u.only(useNet, g.remoteConnects())
	case "archive":
		u = u.only(useNet, g.m.Has("repository"))
	case "branch":
		u = u.only(useEditor, g.m.Has("edit-description"))
	case "tag", "notes":
		u = u.only(useEditor, !g.m.Has("message") && !g.m.Has("list"))
	case "config":
		u = u.only(useEditor, g.m.Has("edit") || len(g.rest) > 0 && strings.HasPrefix(g.rest[0].Prefix(), "edit"))
	case "worktree":
		u = u.only(useAll, g.second() == "add" || g.second() == "remove").only(useNet, false)
	}
	u = u.only(useText, !g.m.Has("no-textconv"))
	u = u.only(useVerify, g.verifies()).only(useSign, g.signs())
	return u.only(usePager, !g.m.Has("no-pager"))
}

// only drops groups unless a condition holds.
func (u use) only(groups use, holds bool) use {
	if holds {
		return u
	}
	return u &^ groups
}

// edits reports whether git commit asks for a message in an editor.
func (g *gitCall) edits() bool {
	given := g.m.Has("message") || g.m.Has("file") || g.m.Has("reuse") || g.m.Has("no-edit")
	return !given || g.m.Has("edit") || g.m.Has("reedit")
}

// remoteConnects reports whether git remote talks to a remote.
func (g *gitCall) remoteConnects() bool {
	switch g.second() {
	case "update", "show", "prune", "set-head":
		return true
	case "add":
		return g.m.Has("fetch")
	}
	return false
}

// verifies reports whether signatures are looked at: where that is asked for, by
// an option, a format or a setting (git-log(1), "%G"; git-merge(1)).
func (g *gitCall) verifies() bool {
	switch g.sub {
	case "verify-commit", "verify-tag":
		return true
	}
	for _, v := range g.rest {
		text := v.Prefix()
		if text == "--show-signature" || text == "--verify-signatures" || text == "-v" && g.sub == "tag" || text == "--verify" && g.sub == "tag" ||
			strings.Contains(v.String(), "%G") || strings.Contains(v.String(), "signature") || !v.IsKnown() && strings.HasPrefix(text, "--") {
			return true
		}
	}
	if g.settingTrue("log.showSignature") || (g.sub == "merge" || g.sub == "pull") && g.settingTrue("merge.verifySignatures") {
		return true
	}
	return g.repo != nil && (strings.Contains(g.lastConfig("format.pretty"), "%G") || g.mayBeSet("pretty."))
}

// settingTrue reports whether a boolean setting is on, by the command's own
// settings or the repository's.
func (g *gitCall) settingTrue(key string) bool {
	on := g.lastConfig(key)
	for _, c := range g.settingsGiven() {
		if strings.EqualFold(c.key, key) {
			if on, _ = c.value.Known(); c.on || !c.value.IsKnown() {
				on = "true"
			}
		}
	}
	return gitBoolean(on) && on != "" && on != "false" && on != "no" && on != "off" && on != "0"
}

// signs reports whether commits, tags or pushes are signed.
func (g *gitCall) signs() bool {
	return g.m.Has("sign") || g.m.Has("key") || g.settingTrue("commit.gpgSign") || g.settingTrue("tag.gpgSign") || g.settingTrue("push.gpgSign") ||
		slices.ContainsFunc(g.rest, func(v value.Value) bool { return v.Prefix() == "-s" || v.Prefix() == "-u" || v.Prefix() == "--signed" })
}

// runsHere adds programs that settings make the subcommand run: what a hostile
// repository plants (git(1), "SECURITY"). What the settings of the user name is
// judged as that program.
func (g *gitCall) runsHere() {
	if g.repo == nil || len(g.m.Chain) < 2 {
		return
	}
	u := g.obeyed()
	g.planted(g.repo, u)
	if key := "pager." + g.sub; u&usePager == 0 && !g.m.Has("no-pager") && g.mayBeSet(key) {
		g.program(g.repo, usePager, key)
	}
	if u&useModules != 0 && !g.passesOver() {
		g.submodules(u)
	}
	g.hooks(hooksOf(g.sub, g.m)...)
}

// passesOver reports whether the work trees of submodules are surely not looked
// at (git-diff(1), git-status(1)).
func (g *gitCall) passesOver() bool {
	for _, v := range g.rest {
		switch text, _ := v.Known(); text {
		case "--ignore-submodules", "--ignore-submodules=all", "--ignore-submodules=dirty":
			return true
		case "--cached", "--staged":
			if g.sub == "diff" {
				return true
			}
		}
	}
	return false
}

// maxSubmodules bounds the submodules whose settings are looked at.
const maxSubmodules = 20

// submodules adds what git would run in the submodules that it looks into: git
// status there obeys their own settings.
func (g *gitCall) submodules(u use) {
	root := g.repo.Root()
	if root == "" || g.s.World.Git == nil {
		return
	}
	for _, link := range g.repo.Links(maxSubmodules) {
		at := path.Join(root, link)
		repo, err := g.s.World.Git.Find(at)
		if err != nil || repo == nil || repo.GitDir() == g.repo.GitDir() {
			continue
		}
		g.planted(repo, u&(useMonitor|useClean|useSmudge|useNet|useText|useExternal))
		g.hooksIn(repo, hooksOf(g.sub, g.m))
	}
}

// maxPrograms bounds the configured programs that are reported of one group.
const maxPrograms = 50

// planted adds the programs that a repository's settings name in some groups.
func (g *gitCall) planted(repo world.Repo, u use) {
	told := map[string]bool{}
	for bit := use(1); bit < useAll; bit <<= 1 {
		if u&bit == 0 {
			continue
		}
		for _, key := range useKeys(bit) {
			for _, name := range g.keysOf(repo, key) {
				if !told[name] && inUse(bit, name) && (bit != usePager || name == "core.pager" || strings.EqualFold(name, "pager."+g.sub)) {
					told[name] = true
					g.program(repo, bit, name)
				}
			}
		}
	}
}

// keysOf are the keys that a repository's configuration may have of a setting; of
// all below it, if it ends in a dot.
func (g *gitCall) keysOf(repo world.Repo, key string) []string {
	below := strings.HasSuffix(key, ".")
	switch {
	case repo == g.repo && !g.mayBeSet(key):
		return nil
	case below:
		return repo.ConfigKeys(key, maxPrograms)
	}
	return []string{key}
}

// maxKeys bounds the keys of a configuration that are looked through at once:
// each question about one has its files looked at anew.
const maxKeys = 1000

// mayBeSet reports whether the configuration may have a key, or one below it.
func (g *gitCall) mayBeSet(key string) bool {
	if !g.read {
		g.read = true
		g.set = g.repo.ConfigKeys("", maxKeys)
	}
	if len(g.set) >= maxKeys {
		return true
	}
	section, _, _ := strings.Cut(key, ".")
	section = strings.ToLower(section) + "."
	exact := strings.Count(key, ".") == 1 && !strings.HasSuffix(key, ".")
	return slices.ContainsFunc(g.set, func(k string) bool {
		return strings.HasPrefix(k, section) && (!exact || strings.EqualFold(k, key))
	})
}

// inUse tells apart the settings of groups that share a section.
func inUse(bit use, name string) bool {
	_, sub, variable := gitKey(name)
	switch bit {
	case useClean:
		return variable == "clean" || variable == "process"
	case useSmudge:
		return variable == "smudge" || variable == "process" || variable == "path"
	case useExternal:
		return sub == "" && variable == "external" || variable == "command"
	case useText:
		return variable == "textconv"
	}
	return true
}

// program says what one setting makes git run.
func (g *gitCall) program(repo world.Repo, bit use, name string) {
	vs := repo.Config(name)
	if len(vs) == 0 || vs[len(vs)-1] == "" || g.overridden(name) {
		return
	}
	cmd := vs[len(vs)-1]
	kind, general := gitKind(name)
	section, sub, variable := gitKey(name)
	switch {
	case section == "url" && strings.Contains(sub, "::") && (variable == "insteadof" || variable == "pushinsteadof"):
		kind, cmd = shellSetting, sub
	case kind == plainSetting, gitBoolean(cmd),
		kind == helperSetting && ownHelper(value.Lit(cmd)),
		kind == bangSetting && !strings.HasPrefix(cmd, "!"),
		kind == pathSetting && !strings.Contains(cmd, "/"),
		strings.HasPrefix(cmd, "git-lfs ") && !shellSyntax(cmd), strings.HasPrefix(cmd, "git lfs ") && !shellSyntax(cmd):
		return
	}
	choice := bit&(usePager|useEditor|useSequence|useManual|useWeb|useTools|usePatch) != 0 || kind == helperSetting || general == "core.sshCommand"
	usual := usualSetting(kind, cmd) && (kind != helperSetting || ownHelper(value.Lit(cmd)))
	switch {
	case repo.Own(name) && choice && usual: // an editor, a pager: as people set them
	case repo.Own(name):
		word := settingWord(general)
		if section == "filter" {
			word = risk.KindFilter
		}
		g.effect(risk.ExecProject, value.Lit(cmd), word)
	case choice || usual: // the user's own choice
	case kind == shellSetting:
		g.r.Runs = append(g.r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(cmd)})
	default:
		g.r.Runs = append(g.r.Runs, catalog.Run{Kind: catalog.RunExec, Text: value.Lit(cmd)})
	}
}

// overridden reports whether the command itself sets key.
func (g *gitCall) overridden(key string) bool {
	return slices.ContainsFunc(g.settingsGiven(), func(c gitSetting) bool { return strings.EqualFold(c.key, key) })
}

// manual is git help and --help: the viewer that the settings name is run
// (git-help(1), "CONFIGURATION VARIABLES").
func (g *gitCall) manual() {
	if g.repo == nil {
		return
	}
	asked := g.sub == "help" && len(g.rest) > 0 && !strings.HasPrefix(g.rest[0].Prefix(), "-")
	for _, v := range g.s.Args {
		text, _ := v.Known()
		asked = asked || text == "--help" || g.sub == "help" && (text == "-m" || text == "--man" || text == "-w" || text == "--web" || text == "-i" || text == "--info")
	}
	if asked {
		g.planted(g.repo, useManual)
	}
}
