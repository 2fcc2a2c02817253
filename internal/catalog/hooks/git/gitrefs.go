package git

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// branch lists, makes, moves and deletes branches (git-branch(1)).
func (g *gitCall) branch() {
	words := g.m.Operands()
	switch {
	case g.m.Has("delete"):
		switch {
		case g.m.Given("-r") || g.m.Given("--remotes"): // what was fetched, and can be again
			for _, w := range words {
				g.effect(risk.VCSLocal, w, risk.KindBranchDelete)
			}
		case g.m.Has("overwrite"):
			g.deletes("refs/heads/", words, risk.KindBranch, risk.NoKind)
		default:
			for _, w := range words {
				g.effect(risk.VCSLocal, w, risk.KindBranchDelete)
			}
		}
	case g.m.Has("rename"):
		if len(words) == 0 {
			return
		}
		to := words[len(words)-1]
		if g.m.Has("overwrite") && g.overwrites(to) {
			g.effect(risk.VCSRewrite, to, risk.KindBranch)
			return
		}
		g.effect(risk.VCSLocal, to, risk.KindBranch)
	case g.m.Has("upstream"), g.m.Has("edit-description"):
		g.effect(risk.VCSLocal, gitFirst(words), risk.KindBranch)
	case g.m.Has("list") || len(words) == 0:
		defer g.listBranches()
		if g.m.Given("--show-current") {
			g.printsBranch()
		}
	case g.m.Has("overwrite") && g.overwrites(words[0]):
		g.effect(risk.VCSRewrite, words[0], risk.KindBranch)
	default:
		g.effect(risk.VCSLocal, words[0], risk.KindBranch)
	}
}

// overwrites reports whether forcing a branch to a name takes that name from
// another branch. It does not if no such branch exists or it is the current one.
func (g *gitCall) overwrites(name value.Value) bool {
	if !g.refExists("refs/heads/", name) {
		return false
	}
	if text, known := name.Known(); known && g.repo != nil {
		branch, _ := g.repo.Head()
		return text != branch
	}
	return true
}

// tag lists, makes and deletes tags (git-tag(1)).
func (g *gitCall) tag() {
	words := g.m.Operands()
	switch {
	case g.m.Has("delete"):
		if g.repo == nil {
			for _, w := range words {
				g.effect(risk.VCSLocal, w, risk.KindTagDelete)
			}
			return
		}
		g.deletes("refs/tags/", words, risk.KindTag, risk.KindTagDelete)
	case g.m.Has("list") || len(words) == 0:
	case g.m.Has("overwrite") && g.refExists("refs/tags/", words[0]):
		g.effect(risk.VCSRewrite, words[0], risk.KindTag)
	default:
		g.effect(risk.VCSLocal, words[0], risk.KindTag)
	}
}

// updateRef moves or deletes any ref (git-update-ref(1)).
func (g *gitCall) updateRef() {
	words := g.m.Operands()
	switch {
	case g.m.Has("stdin"):
		g.updatesRefs()
	case len(words) == 0:
	case g.m.Given("--no-deref") && words[0].String() == "HEAD": // without it there is no repository
		g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.VCSRewrite, Target: words[0], Kind: risk.KindBranch, Loses: &risk.Counts{Commits: 1, AtLeast: true}})
	case g.m.Has("delete") || g.refExists("", words[0]):
		g.effect(risk.VCSRewrite, words[0], risk.KindBranch)
	default:
		g.effect(risk.VCSLocal, words[0], risk.KindUpdateRef)
	}
}

// symbolicRef reads with one operand (git-symbolic-ref(1)).
func (g *gitCall) symbolicRef() {
	words := g.m.Operands()
	switch {
	case g.m.Has("delete"):
		g.effect(risk.VCSRewrite, gitFirst(words), risk.KindBranch)
	case len(words) > 1:
		g.effect(risk.VCSLocal, words[0], risk.KindSymbolicRef)
	case len(words) == 1 && words[0].String() == "HEAD":
		g.printsBranch()
	}
}

// gc deletes unreachable objects at once if --prune says so (git-gc(1)); the
// default keeps them for two weeks.
func (g *gitCall) gc() {
	if v, ok := g.m.Value("prune"); ok && v.String() != "never" && v.String() != "2.weeks.ago" {
		g.effect(risk.VCSRewrite, value.Value{}, risk.KindGc)
	}
}
