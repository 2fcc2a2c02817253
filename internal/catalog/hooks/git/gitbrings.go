package git

import (
	"path"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/text"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// What a subcommand checks out: the files of the work tree are others
// afterwards. Where the revision is here, the trees say which; else any may be.

// maxBrought bounds the files that are told one by one.
const maxBrought = 500

// A brought is what a subcommand checks out: the difference of two revisions,
// narrowed to some paths.
type brought struct {
	from, to string
	paths    []value.Value // none: all
	more     []string      // other revisions that are merged
	unsure   bool          // more than the difference, or another one
}

// brings says which files have other contents afterwards.
func (g *gitCall) brings() {
	if g.sub == "mv" {
		g.moves()
		return
	}
	b, ok := g.checksOut()
	if !ok || g.m.Has("dry") {
		return
	}
	g.elsewhere()
	root := ""
	if g.repo != nil {
		root = g.repo.Root()
	}
	if root == "" {
		if g.dir != "" {
			g.bring(value.Lit(g.dir), true)
		}
		return
	}
	var names []string
	whole := false
	if b.to != "" && b.to != b.from {
		names, whole = g.repo.Changes(b.from, b.to, maxBrought)
	}
	for _, to := range b.more {
		others, _ := g.repo.Changes("HEAD..."+to, to, maxBrought)
		names = append(names, others...)
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !g.among(path.Join(root, n), b.paths) })
	for _, n := range names {
		g.bring(value.Lit(path.Join(root, n)), false)
	}
	g.replaces(root, names, &b)
	if whole = whole && !b.unsure; !whole {
		g.bring(value.Lit(root), true)
		for _, p := range b.paths { // named ones are told though their contents are not known
			if full := g.join(p); full != "" && !slices.Contains(names, strings.TrimPrefix(full, root+"/")) {
				g.bring(value.Lit(full), false)
			}
		}
	}
	g.hooksBrought(root, names, whole)
}

// replaces tells of files that are brought in the place of others that git does
// not have: ignored ones, which every checkout replaces without a word, and, by
// name or by force, untracked ones (git-checkout(1), "--no-overwrite-ignore").
func (g *gitCall) replaces(root string, names []string, b *brought) {
	forced := len(b.paths) > 0 || g.m.Has("overwrite") || g.m.Has("hard")
	if g.sub == "stash" || slices.ContainsFunc(g.rest, func(v value.Value) bool { return site.SameWord(v, "--no-overwrite-ignore") }) {
		return
	}
	for _, n := range names {
		full := path.Join(root, n)
		if i, err := g.s.World.FS.Lstat(full); err != nil || i.Kind == world.Missing || i.Kind == world.Dir {
			continue
		}
		switch state := g.repo.State(full); {
		case state == world.Ignored, state == world.Untracked && forced:
			g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.VCSDiscard, Target: value.Lit(full), Kind: risk.KindPath, Forced: true})
		}
	}
}

// leaves tells of commits that only a detached HEAD keeps, where another commit
// is checked out.
func (g *gitCall) leaves(to value.Value) {
	if g.repo == nil || g.m.Has("create") || g.m.Has("recreate") || g.m.Has("orphan") {
		return
	}
	if branch, head := g.repo.Head(); branch == "" && head != "" {
		g.effect(risk.VCSRewrite, to, risk.KindReset)
	}
}

// moves is git mv: what is at the new name is what was at the old one.
func (g *gitCall) moves() {
	words := g.m.Operands()
	if len(words) < 2 || g.m.Has("dry") {
		return
	}
	to := words[len(words)-1]
	for _, from := range words[:len(words)-1] {
		at := to
		if base, known := from.Known(); known && (len(words) > 2 || strings.HasSuffix(to.Suffix(), "/") || site.IsDirectory(g.s, to)) {
			at = site.Inside(to, value.Lit(path.Base(base)))
		}
		if full := g.join(at); full != "" {
			g.r.Brings = append(g.r.Brings, catalog.Brought{Path: value.Lit(full), From: value.Lit(g.join(from))})
		}
	}
}

func (g *gitCall) bring(p value.Value, all bool) {
	g.r.Brings = append(g.r.Brings, catalog.Brought{Path: p, All: all})
}

// among reports whether a path is one of some, or below one, as far as that can
// be told (gitglossary(7), "pathspec").
func (g *gitCall) among(full string, paths []value.Value) bool {
	if len(paths) == 0 {
		return true
	}
	for _, p := range paths {
		at := g.join(p)
		text := p.Prefix()
		if at == "" || !p.IsKnown() || strings.ContainsAny(text, "*?[") || strings.HasPrefix(text, ":") || full == at || strings.HasPrefix(full, at+"/") {
			return true
		}
	}
	return false
}

// hooksBrought tells of hooks that come with the files, and that the subcommand
// itself goes on to run (githooks(5), core.hooksPath).
func (g *gitCall) hooksBrought(root string, names []string, whole bool) {
	dir := hooksDir(g.repo)
	below, ok := strings.CutPrefix(path.Clean(dir), root+"/")
	if !ok || below == ".git" || strings.HasPrefix(below, ".git/") {
		return
	}
	run := hooksOf(g.sub, g.m)
	for _, n := range names {
		if base := path.Base(n); slices.Contains(run, base) && (path.Dir(n) == below || path.Dir(n) == path.Dir(below)) {
			g.effect(risk.ExecProject, value.Lit(n), risk.KindHooksThatItBrings)
			return
		}
	}
	if !whole && g.fetches() {
		g.effect(risk.ExecProject, value.Lit(below), risk.KindHooksThatItBrings)
	}
}

// fetches reports whether what is checked out may just have come from elsewhere.
func (g *gitCall) fetches() bool { return g.sub == "pull" || g.sub == "am" || g.sub == "submodule" }

// elsewhere says that the files go into another work tree than the repository's,
// which the command names.
func (g *gitCall) elsewhere() {
	tree, given := g.m.Value("work-tree")
	if v, set := g.own("GIT_WORK_TREE"); set && !given {
		tree, given = v, true
	}
	for _, c := range g.settingsGiven() {
		if strings.EqualFold(c.key, "core.worktree") {
			tree, given = c.value, true
		}
	}
	if !given || tree.Empty() {
		return
	}
	if g.repo != nil && g.repo.Root() != "" && g.join(tree) == g.repo.Root() && !strings.HasSuffix(g.repo.Root(), "/.git") && g.s.Dir != "" && strings.HasPrefix(g.s.Dir+"/", g.repo.Root()+"/") {
		return
	}
	g.r.Effects = slices.DeleteFunc(g.r.Effects, func(e catalog.Effect) bool { return e.Verb == risk.VCSDiscard && e.Kind == risk.KindWorktree })
	g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: tree, Recursive: true, Many: true, Kind: risk.KindBrought})
}

// rev returns the name of a commit that the repository has, "" if it is not
// known; what a remote had last may be another when the command gets there.
func (g *gitCall) rev(v value.Value) (name string, unsure bool) {
	text, known := v.Known()
	if !known || text == "" || g.repo == nil {
		return "", true
	}
	if text == "-" {
		text = "@{-1}"
	}
	if g.repo.Ref(text) == "" {
		if g.repo.Ref("refs/remotes/origin/"+text) == "" {
			return "", true
		}
		return "refs/remotes/origin/" + text, true
	}
	remote := strings.Contains(text, "/") && g.repo.Ref("refs/remotes/"+text) != "" && g.repo.Ref("refs/heads/"+text) == ""
	return text, remote || strings.HasPrefix(text, "refs/remotes/") || strings.Contains(text, "@{u") || strings.HasPrefix(text, "FETCH_HEAD") || strings.HasPrefix(text, "stash")
}

// to is the difference between what is checked out and v.
func (g *gitCall) to(v value.Value) brought {
	name, unsure := g.rev(v)
	return brought{from: "HEAD", to: name, unsure: unsure || name == ""}
}

// checksOut says what a subcommand puts into the work tree, if it does.
func (g *gitCall) checksOut() (brought, bool) {
	before, after, dashes := g.split()
	any := brought{unsure: true}
	switch g.sub {
	case "checkout", "switch":
		return g.switched(before, after, dashes)
	case "restore":
		if g.m.Has("staged") && !g.m.Has("worktree") {
			return any, false
		}
		if src, ok := g.m.Value("source"); ok {
			b := g.to(src)
			b.paths = g.m.Operands()
			return b, true
		}
		return brought{paths: g.m.Operands(), unsure: true}, true
	case "reset":
		if !g.m.Has("hard") && !g.m.Has("keep") {
			return any, false
		}
		if len(before) == 0 {
			return any, true
		}
		return g.to(before[0]), true
	case "merge", "rebase":
		return g.joined(before)
	case "cherry-pick", "revert":
		b := any
		if len(before) == 1 {
			name, _ := g.rev(before[0])
			_, last, several := strings.Cut(before[0].String(), "..")
			switch end, _ := g.rev(value.Lit(last)); {
			case several && end != "":
				b = brought{from: "HEAD..." + end, to: end, unsure: true}
			case !several && name != "":
				b = brought{from: name + "^", to: name}
			}
		}
		return b, len(before) > 0 || slices.ContainsFunc(g.rest, func(v value.Value) bool {
			return v.Prefix() == "--continue" || v.Prefix() == "--abort" || v.Prefix() == "--skip"
		})
	case "stash":
		return g.stashed()
	case "read-tree":
		if !g.m.Has("update") || len(before) == 0 {
			return any, false
		}
		return g.to(before[len(before)-1]), true
	case "am":
		return brought{paths: g.patched(), unsure: true}, true
	case "pull":
		if len(before) == 2 && before[0].Prefix() == "." { // a branch of this repository
			if name, _ := g.rev(before[1]); name != "" {
				return brought{from: "HEAD..." + name, to: name, unsure: true}, true
			}
		}
		return any, true
	case "checkout-index", "merge-index", "mergetool":
		return any, true
	case "bisect":
		second := g.second()
		return any, second != "log" && second != "view" && second != "visualize" && second != "terms" && len(g.rest) > 0
	case "submodule":
		return any, g.second() == "update" || g.second() == "foreach"
	case "sparse-checkout":
		return any, len(g.rest) > 0 && g.rest[0].Prefix() != "list"
	case "filter-branch", "subtree", "flow", "lfs":
		return any, true
	}
	return brought{}, false
}

func (b brought) unsurely() brought { b.unsure = true; return b }

// switched is checkout and switch.
func (g *gitCall) switched(before, after []value.Value, dashes bool) (brought, bool) {
	if slices.ContainsFunc(g.r.Effects, func(e catalog.Effect) bool { return e.Verb == risk.VCSDiscard && e.Kind == risk.KindPath }) {
		b := brought{paths: after, unsure: true}
		words := before
		if !dashes && len(before) > 0 && (len(before) == 1 || !g.isRev(before[0])) {
			b.paths, words = before, nil
		} else if !dashes && len(before) > 1 {
			b.paths = before[1:]
		}
		if len(words) > 0 {
			b.to, b.unsure = g.rev(words[0])
			b.from = "HEAD"
		}
		return b, true
	}
	if g.m.Has("create") || g.m.Has("recreate") { // -b NEW [START]: START is what is checked out
		if len(before) == 0 {
			return brought{}, false
		}
	}
	if len(before) == 0 {
		return brought{unsure: true}, g.m.Has("overwrite")
	}
	g.leaves(before[0])
	return g.to(before[0]), true
}

// joined is merge and rebase: what the others changed since both were one.
func (g *gitCall) joined(before []value.Value) (brought, bool) {
	if g.sub == "merge" && len(before) > 1 {
		b := brought{unsure: true}
		for _, v := range before[:min(len(before), maxPrograms)] {
			if name, _ := g.rev(v); name != "" {
				b.more = append(b.more, name)
			}
		}
		return b, true
	}
	if g.m.Has("abort") || len(before) != 1 {
		return brought{unsure: true}, true
	}
	name, unsure := g.rev(before[0])
	if onto, ok := g.m.Value("onto"); ok {
		return g.to(onto).unsurely(), true
	}
	if name == "" || g.sub == "rebase" && g.m.Has("exec") {
		return brought{unsure: true}, true
	}
	return brought{from: "HEAD..." + name, to: name, unsure: unsure}, true
}

// stashed is stash: what was put aside comes back, or what was committed.
func (g *gitCall) stashed() (brought, bool) {
	switch g.second() {
	case "list", "show", "drop", "clear", "create", "store", "export", "import":
		return brought{}, false
	case "apply", "pop", "branch":
		name := "stash@{0}"
		if words := g.m.Operands(); len(words) > 0 && g.second() != "branch" {
			name, _ = g.rev(words[0])
		}
		if name == "" || g.repo == nil || g.repo.Ref(name) == "" {
			return brought{unsure: true}, true
		}
		return brought{from: name + "^1", to: name, unsure: g.repo.Ref(name+"^3") != ""}, true
	}
	return brought{unsure: true}, true
}

// patched are the files that the mails for git am change, as far as they can be
// read.
func (g *gitCall) patched() []value.Value {
	var all []value.Value
	words := g.m.Operands()
	if len(words) == 0 && g.s.HasStdin {
		words = []value.Value{value.Lit("-")}
	}
	for _, w := range words {
		diff, known := site.SiteFile(g.s, w)
		if site.SameWord(w, "-") {
			diff, known = site.Input(g.s).Known()
		}
		if !known {
			continue
		}
		for _, n := range text.PatchNames(diff, text.PatchStrip(g.m, 1)) {
			all = append(all, value.Lit(n))
		}
	}
	return all
}
