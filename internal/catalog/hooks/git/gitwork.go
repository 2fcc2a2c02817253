package git

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/text"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// worktreeDiscard throws away what is not committed in the whole work tree.
func (g *gitCall) worktreeDiscard() {
	target, given := g.m.Value("work-tree")
	if !given && g.s.Env != nil {
		if v, set, changed := g.s.Env("GIT_WORK_TREE"); set && changed {
			target = v
		}
	}
	g.effect(risk.VCSDiscard, target, risk.KindWorktree)
}

func (g *gitCall) discardPaths(paths []value.Value) {
	for _, p := range paths {
		g.effect(risk.VCSDiscard, p, risk.KindPath)
	}
}

// checkout tells switching branches from restoring files (git-checkout(1)).
func (g *gitCall) checkout() {
	before, after, dashes := g.split()
	paths := after
	if list, ok := g.m.Value("list"); ok {
		paths = append(paths, list)
	}
	recreated, again := g.m.Value("recreate")
	created, fresh := g.m.Value("create")
	switch {
	case again || fresh:
		g.branchMade(created, recreated, again, risk.KindCheckout)
		paths = nil
	case dashes || len(paths) > 0:
	case len(before) > 1 && !g.m.Has("patch"):
		if g.isRev(before[0]) || g.repo == nil && !gitPathLike(before[0]) {
			before = before[1:]
		}
		paths = before
	case len(before) == 1 && g.isFile(before[0]):
		paths = before
	}
	if g.m.Has("patch") && len(paths) == 0 {
		paths = []value.Value{value.Lit(".")}
	}
	switch {
	case len(paths) > 0:
		g.discardPaths(paths)
	case !again && !fresh:
		g.effect(risk.VCSLocal, gitFirst(before), risk.KindCheckout)
	}
	if g.m.Has("overwrite") && len(paths) == 0 {
		g.worktreeDiscard()
	}
}

func gitFirst(vs []value.Value) value.Value {
	if len(vs) == 0 {
		return value.Value{}
	}
	return vs[0]
}

// branchMade is checkout -b and -B, switch -c and -C, worktree add -B: a
// branch that exists already is moved.
func (g *gitCall) branchMade(created, recreated value.Value, again bool, detail risk.Kind) {
	if !again {
		g.effect(risk.VCSLocal, created, detail)
		return
	}
	if g.refExists("refs/heads/", recreated) {
		g.effect(risk.VCSRewrite, recreated, risk.KindBranch)
	}
	g.effect(risk.VCSLocal, recreated, detail)
}

// refExists reports whether a ref is there; where nothing is known about the
// repository it may be.
func (g *gitCall) refExists(prefix string, name value.Value) bool {
	text, known := name.Known()
	return g.repo == nil || !known || g.repo.Ref(prefix+text) != ""
}

// isRev reports whether v surely names a revision here.
func (g *gitCall) isRev(v value.Value) bool {
	text, known := v.Known()
	return known && g.repo != nil && (text == "-" || g.repo.Ref(text) != "")
}

// isFile reports whether the only operand of checkout is a path and not a
// branch: it is no ref and a file, or has the form of a path.
func (g *gitCall) isFile(v value.Value) bool {
	if g.isRev(v) {
		return false
	}
	if gitPathLike(v) {
		return true
	}
	full := g.join(v)
	if g.repo == nil || full == "" || g.s.World.FS == nil {
		return g.unread
	}
	if text, _ := v.Known(); g.isDWIM(text) {
		return false
	}
	if text, _ := v.Known(); namesSource(text) {
		return true
	}
	info, err := g.s.World.FS.Lstat(full)
	return err != nil || info.Kind != world.Missing || g.repo.State(full) != world.Untracked && g.repo.State(full) != world.NotInRepo && g.repo.State(full) != world.Ignored
}

// namesSource reports whether a name that is no ref is one of a file in a
// directory, as lib/util.go is, and not of a branch, as release/1.2.
func namesSource(name string) bool {
	ext := strings.TrimPrefix(path.Ext(name), ".")
	return strings.Contains(name, "/") && ext != "" && len(ext) <= 5 && strings.Trim(ext, "abcdefghijklmnopqrstuvwxyz") == ""
}

// isDWIM reports whether a remote has a branch of that name, which checkout
// would then create; git refuses if there is such a file as well.
func (g *gitCall) isDWIM(name string) bool {
	return g.repo.Ref("refs/remotes/origin/"+name) != ""
}

// gitPathLike reports whether a word can only be a pathspec: no ref name has
// these forms (git-check-ref-format(1), gitglossary(7) "pathspec").
func gitPathLike(v value.Value) bool {
	text := v.Prefix()
	switch {
	case text == "." || text == "..", strings.HasPrefix(text, "./"), strings.HasPrefix(text, "../"), strings.HasPrefix(text, "/"), strings.HasPrefix(text, ":"):
		return true
	}
	return v.Pattern() != "" || v.IsKnown() && (strings.HasSuffix(text, "/") || strings.ContainsAny(text, "*?["))
}

// switchTo is git switch.
func (g *gitCall) switchTo() {
	recreated, again := g.m.Value("recreate")
	created, fresh := g.m.Value("create")
	if again || fresh {
		g.branchMade(created, recreated, again, risk.KindSwitch)
	} else {
		g.effect(risk.VCSLocal, gitFirst(g.m.Operands()), risk.KindSwitch)
	}
	if g.m.Has("overwrite") {
		g.worktreeDiscard()
	}
}

// restore writes the work tree unless only --staged is given (git-restore(1)).
func (g *gitCall) restore() {
	paths := g.m.Operands()
	if list, ok := g.m.Value("list"); ok {
		paths = append(paths, list)
	}
	if g.m.Has("staged") && !g.m.Has("worktree") {
		g.effect(risk.VCSLocal, value.Value{}, risk.KindRestore)
		return
	}
	if len(paths) == 0 && g.m.Has("patch") {
		paths = []value.Value{value.Lit(".")}
	}
	g.discardPaths(paths)
}

// reset moves the branch, unstages, or throws the work tree away (git-reset(1)).
func (g *gitCall) reset() {
	before, after, dashes := g.split()
	var rev value.Value
	paths := dashes && len(after) > 0 || g.m.Has("patch") || g.m.Has("list") || len(before) > 1
	if !paths && len(before) == 1 && (g.m.Has("hard") || g.m.Has("keep") || g.m.Has("mode") || g.resetsTo(before[0])) {
		rev = before[0]
	} else if len(before) > 0 {
		paths = true
	}
	moves := !rev.Empty() && !g.isHead(rev)
	switch {
	case g.m.Has("hard") && (!g.m.Given("--merge") || !g.onlyUnstaged()):
		g.worktreeDiscard()
	case paths || !moves && !g.m.Has("mode") && !g.m.Has("keep"):
		g.effect(risk.VCSLocal, value.Value{}, risk.KindUnstage)
	default:
		g.effect(risk.VCSLocal, value.Value{}, risk.KindReset)
	}
	switch {
	case moves && (g.m.Has("hard") || g.m.Has("keep")):
		g.effect(risk.VCSRewrite, rev, risk.KindReset)
	case moves: // the contents stay in the work tree
		g.effect(risk.VCSRewrite, rev, risk.KindUncommit)
	}
}

// onlyUnstaged reports whether all changes of the work tree are such as `reset --merge`
// leaves alone: none is in the index.
func (g *gitCall) onlyUnstaged() bool {
	if !site.SomeWord(g.rest, "--merge") || slices.ContainsFunc(g.rest, func(v value.Value) bool { return strings.HasPrefix(v.Prefix(), "--h") }) || g.repo == nil || g.s.World.FS == nil {
		return false
	}
	s, complete := g.tree()
	return complete && s.Staged == 0
}

// resetsTo reports whether the only operand of a plain reset is a revision.
func (g *gitCall) resetsTo(v value.Value) bool {
	text, known := v.Known()
	switch {
	case !known:
		return !gitPathLike(v)
	case g.repo != nil:
		return g.repo.Ref(text) != ""
	case strings.HasPrefix(text, "HEAD"), strings.HasPrefix(text, "@"), strings.HasPrefix(text, "origin/"), strings.ContainsAny(text, "~^"), text == "ORIG_HEAD":
		return true
	}
	return len(text) >= 7 && len(text) <= 40 && strings.Trim(text, "0123456789abcdef") == ""
}

// isHead reports whether a revision is where the branch is already.
func (g *gitCall) isHead(v value.Value) bool {
	text, known := v.Known()
	if !known {
		return false
	}
	if text == "HEAD" || text == "@" || text == "HEAD~0" || text == "HEAD^0" {
		return true
	}
	if g.repo == nil {
		return false
	}
	branch, commit := g.repo.Head()
	return text == branch && branch != "" || commit != "" && g.repo.Ref(text) == commit
}

// cleanNeedsNoForce reports whether a setting lets clean delete without being forced.
func (g *gitCall) cleanNeedsNoForce() bool {
	for _, c := range g.settingsGiven() {
		if strings.EqualFold(c.key, "clean.requireForce") {
			text, known := c.value.Known()
			return !known || text == "false" || text == "no" || text == "0" || text == "off"
		}
	}
	if g.repo == nil {
		return false
	}
	vs := g.repo.Config("clean.requireForce")
	return len(vs) > 0 && (vs[len(vs)-1] == "false" || vs[len(vs)-1] == "no" || vs[len(vs)-1] == "0")
}

// worktree adds what the grammar of git worktree cannot say.
func (g *gitCall) worktree() {
	switch g.second() {
	case "add":
		if recreated, again := g.m.Value("recreate"); again && g.refExists("refs/heads/", recreated) {
			g.effect(risk.VCSRewrite, recreated, risk.KindBranch)
		}
	case "remove":
		for _, p := range g.m.Operands() {
			g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: p, Recursive: true, Forced: g.m.Has("force"), Kind: risk.KindWorktree})
		}
	}
}

// second returns the name under which the subcommand's subcommand is known.
func (g *gitCall) second() string {
	if len(g.m.Chain) < 3 {
		return ""
	}
	for _, v := range g.rest {
		text, known := v.Known()
		for name := range strings.FieldsSeq(g.m.Chain[2].Name) {
			if known && name == text {
				return text
			}
		}
	}
	return g.m.Chain[2].Name
}

// withoutSubmodules reports whether the repository surely has none: neither does the
// index name one, nor is there a file that does (gitmodules(5)).
func (g *gitCall) withoutSubmodules() bool {
	if g.repo == nil || g.repo.Root() == "" || g.s.World == nil || g.s.World.FS == nil || len(g.repo.Links(1)) > 0 {
		return false
	}
	i, err := g.s.World.FS.Lstat(path.Join(g.repo.Root(), ".gitmodules"))
	return err == nil && i.Kind == world.Missing
}

// submodule runs commands, fetches and makes directories.
func (g *gitCall) submodule() {
	switch g.second() {
	case "foreach":
		words := g.m.Operands()
		if g.repo != nil && g.repo.Root() != "" && len(g.repo.Links(1)) == 0 { // there is none
			return
		}
		run := catalog.Run{Argv: words, Many: true}
		if len(words) == 1 {
			run = catalog.Run{Kind: catalog.RunShell, Text: words[0], Many: true}
		}
		if len(words) > 0 && !g.withoutSubmodules() {
			g.r.Runs = append(g.r.Runs, run)
		}
	case "add":
		url, _ := g.m.Value("url")
		g.transport(url)
		dir, ok := g.m.Value("path")
		if !ok {
			dir = cloneDir(url, false)
		}
		g.effect(risk.FSCreate, dir, risk.NoKind)
	case "set-url":
		url, _ := g.m.Value("url")
		g.laterTransport(url)
	case "deinit":
		g.aim(risk.VCSDiscard)
	case "update":
		g.detaches()
	}
}

// detaches tells of commits in submodules that only a detached HEAD keeps: an
// update checks out another one (git-submodule(1), "update").
func (g *gitCall) detaches() {
	if g.repo == nil || g.m.Has("merge") || g.m.Has("rebase") || g.m.Given("--merge") || g.m.Given("--rebase") {
		return
	}
	for _, link := range g.repo.Links(maxBrought) {
		full := path.Join(g.repo.Root(), link)
		sub, err := g.s.World.Git.Find(full)
		if err != nil || sub == nil || sub.Root() != full || !g.among(full, g.m.Operands()) {
			continue
		}
		branch, head := sub.Head()
		refs, err := sub.Refs("refs/", maxBrought)
		if branch != "" || head == "" || err != nil {
			continue
		}
		var kept []string
		for _, r := range refs {
			kept = append(kept, r.ID)
		}
		if n, complete := sub.Missing([]string{head}, kept, 1); n > 0 || !complete {
			g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.VCSRewrite, Target: value.Lit("HEAD of " + link), Repo: full})
		}
	}
}

// aim names the operands as targets of the effects with that verb.
func (g *gitCall) aim(verb risk.Verb) {
	words := g.m.Operands()
	for i := range g.r.Effects {
		if g.r.Effects[i].Verb == verb && len(words) > 0 {
			g.r.Effects[i].Target = words[0]
		}
	}
}

// stash without a subcommand puts changes aside.
func (g *gitCall) stash() {
	_, paths, _ := g.split() // `git stash -- PATH` is a push
	if len(g.m.Chain) == 2 && len(g.m.Operands()) == len(paths) {
		g.effect(risk.VCSLocal, value.Value{}, risk.KindStashPush)
	}
	switch second := g.second(); {
	case second == "drop":
		g.aim(risk.VCSDiscard)
	case len(g.m.Chain) == 2, second == "push", second == "save":
		g.stashHides()
	}
}

// stashHides tells of changes that a stash takes out of the work tree and does not
// keep: those that git was told not to look for (git-update-index(1),
// "--assume-unchanged", "--skip-worktree").
func (g *gitCall) stashHides() {
	if g.repo == nil || g.repo.Root() == "" {
		return
	}
	if hidden := g.repo.Part(g.repo.Root(), statusBudget, world.WantHidden); hidden.Complete && hidden.Hidden == 0 {
		return
	}
	s := g.repo.Part(g.repo.Root(), statusBudget, world.WantModified)
	if s.Hidden > 0 && s.Modified+s.Staged > s.Hidden { // without others there is nothing to put aside
		g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.VCSDiscard, Kind: risk.KindWorktree, Loses: &risk.Counts{Modified: s.Hidden, AtLeast: !s.Complete}})
	}
}

// pick is cherry-pick and revert.
func (g *gitCall) pick() {
	kind := risk.KindCherryPick
	if g.sub == "revert" {
		kind = risk.KindRevert
	}
	g.effect(risk.VCSLocal, value.Value{}, kind)
}

// remove without the files themselves only changes the index (git-rm(1)).
func (g *gitCall) remove() {
	if g.m.Has("cached") && !g.m.Has("dry") {
		g.effect(risk.VCSLocal, value.Value{}, risk.KindRm)
	}
	for i := range g.r.Effects {
		if e := &g.r.Effects[i]; e.Verb == risk.FSDelete && g.m.Has("force") && g.isRepository(e.Target) {
			e.Recursive, e.Kind = true, risk.NoKind
		} else if e.Verb == risk.FSDelete && e.Recursive {
			e.Loses = g.tracks(e.Target)
		}
	}
}

// maxRemoved is how many entries of directories are looked through for what git tracks.
const maxRemoved = 20000

// tracks counts what git tracks below a directory; nil where that cannot be told.
func (g *gitCall) tracks(word value.Value) *risk.Counts {
	name := g.join(word)
	if name == "" || g.repo == nil || word.Pattern() != "" || strings.ContainsAny(name, "*?[:") {
		return nil
	}
	s := g.repo.Part(name, maxRemoved, world.WantModified)
	if !s.Complete || s.Tracked == 0 {
		return nil
	}
	c := &risk.Counts{Files: s.Tracked, Modified: s.Modified}
	c.Name(g.repo.Root(), s.SomeModified)
	return c
}

// isRepository reports whether a word names a directory that is the work tree of
// a repository of its own: of a submodule all goes without -r (git-rm(1), SUBMODULES).
func (g *gitCall) isRepository(word value.Value) bool {
	name := g.join(word)
	if name == "" || g.s.World == nil || g.s.World.FS == nil || g.repo != nil && name == g.repo.Root() {
		return false
	}
	i, err := g.s.World.FS.Lstat(path.Join(name, ".git"))
	return err == nil && i.Kind != world.Missing
}

// apply writes the files that the patches name, if they can be read; with
// --unsafe-paths outside the work tree, too (git-apply(1)).
func (g *gitCall) apply() {
	if g.m.Has("check") && !g.m.Has("apply") {
		return
	}
	if !g.m.Has("unsafe") {
		g.applies()
		return
	}
	dir, ok := g.m.Value("directory")
	if !ok {
		dir = value.Lit("/")
	}
	g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: dir, Recursive: true, Kind: risk.KindUnsafePaths})
}

// undoes reports whether what is applied in reverse is the difference of the work
// tree itself: the changes go then.
func (g *gitCall) undoes(patches []value.Value) bool {
	if !g.m.Given("-R") && !g.m.Given("--reverse") {
		return false
	}
	if len(patches) == 0 {
		patches = []value.Value{value.Lit("-")}
	}
	return slices.ContainsFunc(patches, func(p value.Value) bool {
		from := value.Value{}
		if site.SameWord(p, "-") {
			from = g.s.Stdin
		} else if name := g.join(p); name != "" && g.s.World != nil && g.s.World.FS != nil {
			from, _, _ = site.MadeHere(g.s, name)
		}
		return slices.ContainsFunc(from.Holes(), func(h *value.Hole) bool { return strings.HasPrefix(h.Name, "git diff") })
	})
}

// applies replaces the effect of applying patches by those on their files.
func (g *gitCall) applies() {
	if g.m.Has("cached") {
		return
	}
	var names []string
	if g.undoes(g.m.Values("patch")) {
		g.worktreeDiscard()
	}
	for _, p := range g.m.Values("patch") {
		diff, known := site.SiteFile(g.s, p)
		if site.SameWord(p, "-") {
			diff, known = site.Input(g.s).Known()
		}
		here := text.PatchNames(diff, text.PatchStrip(g.m, 1))
		if !known || len(here) == 0 {
			return
		}
		names = append(names, here...)
	}
	g.r.Effects = slices.DeleteFunc(g.r.Effects, func(e catalog.Effect) bool { return e.Verb == risk.VCSLocal })
	dir, inDir := g.m.Value("directory")
	for _, n := range names {
		target := value.Lit(n)
		if inDir {
			target = value.Concat(dir, value.Lit("/"+n))
		}
		g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: target, Kind: risk.KindPatch})
	}
}

// cloneDir is the directory that git clone derives from an address
// (git-clone(1), "<directory>").
func cloneDir(url value.Value, bare bool) value.Value {
	text, known := url.Known()
	if !known || strings.Contains(text, "::") {
		return value.Of(value.Hole{Cause: risk.CauseOther, Name: "repository", Shape: value.Word})
	}
	text = strings.TrimSuffix(strings.TrimRight(text, "/"), "/.git")
	if i := strings.LastIndexAny(text, "/:"); i >= 0 {
		text = text[i+1:]
	}
	text = strings.TrimSuffix(strings.TrimSuffix(text, ".git"), ".bundle")
	if bare {
		text += ".git"
	}
	return value.Lit(path.Clean(text))
}
