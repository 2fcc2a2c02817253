package git

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Refs of one's own that a fetch moves or takes away: by the refspecs of its words
// and those that the settings have for the remote (git-fetch(1), "CONFIGURED
// REMOTE-TRACKING BRANCHES", "PRUNING").

// fetched records what a fetch of a remote with these refspecs does to refs that are
// not of remotes.
func (g *gitCall) fetched(remote string, specs []value.Value, prune bool) {
	own := "remote." + remote + ".prune"
	prune = prune || g.settingTrue(own) || g.lastConfig(own) == "" && g.settingTrue("fetch.prune")
	for _, w := range specs {
		g.fetchSpec(w, prune)
	}
	if g.repo == nil || g.repo.Root() == "" { // a mirror has nothing of its own
		return
	}
	for _, spec := range g.repo.Config("remote." + remote + ".fetch") {
		g.fetchSpec(value.Lit(spec), prune && len(specs) == 0)
	}
}

// fetchSpec notices refspecs that force a local branch (git-fetch(1)), or below whose
// pattern one goes that the remote does not have.
func (g *gitCall) fetchSpec(spec value.Value, prune bool) {
	text := spec.Prefix()
	_, dst, ok := gitCut(spec, ":")
	if !ok || dst.Empty() || strings.HasPrefix(dst.Prefix(), "refs/remotes/") {
		return
	}
	pattern, known := dst.Known()
	several := known && strings.Contains(pattern, "*")
	forced := strings.HasPrefix(text, "+") || g.m.Has("overwrite") || g.m.Given("--force")
	switch {
	case !forced && !(several && prune):
	case several:
		g.matched(pattern)
	default:
		g.effect(risk.VCSRewrite, dst, risk.KindBranch)
	}
}

// matched records that each ref that a pattern fits may go, or lead elsewhere.
func (g *gitCall) matched(pattern string) {
	e := catalog.Effect{Verb: risk.VCSRewrite, Target: value.Lit(pattern), Kind: risk.KindBranch, Loses: &risk.Counts{Commits: 1, AtLeast: true}}
	before, after, _ := strings.Cut(pattern, "*")
	if !strings.HasPrefix(before, "refs/") {
		before = "refs/heads/" + before
	}
	if g.repo != nil {
		if refs, err := g.repo.Refs(before, 5000); err == nil && len(refs) < 5000 {
			var gone []string
			for _, r := range refs {
				if strings.HasPrefix(r.Name, before) && strings.HasSuffix(r.Name, after) {
					gone = append(gone, r.Name)
				}
			}
			if n, known := g.fallsOut(gone); known {
				e.Loses = &risk.Counts{Commits: n}
			}
		}
	}
	g.r.Effects = append(g.r.Effects, e)
}

// remoteRefs records what git remote does to refs that are not of remotes.
func (g *gitCall) remoteRefs() {
	words := g.m.Operands()
	if g.second() == "prune" {
		for _, w := range words {
			name, _ := w.Known()
			g.fetched(name, nil, true)
		}
		return
	}
	if len(words) == 0 {
		words = []value.Value{value.Lit(g.remoteOf(nil))}
	}
	for _, w := range words {
		name, _ := w.Known()
		g.fetched(name, nil, g.m.Given("--prune"))
	}
}

// remoteOf is the remote that the words of a fetch name, or the one that it takes.
func (g *gitCall) remoteOf(words []value.Value) string {
	if len(words) > 0 {
		name, _ := words[0].Known()
		return name
	}
	if r := g.defaultRemote(); r != "" {
		return r
	}
	return "origin"
}

// updatesRefs reads the commands of update-ref --stdin (git-update-ref(1)).
func (g *gitCall) updatesRefs() {
	g.r.ReadsStdin = true
	text, known := g.s.Stdin.Known()
	known = known && g.s.HasStdin && !g.m.Given("-z")
	var moved []value.Value
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case len(words) > 1 && (words[0] == "update" || words[0] == "delete") && !strings.Contains(line, `"`):
			moved = append(moved, value.Lit(words[1]))
		case words[0] == "create" || words[0] == "verify" || words[0] == "option" || words[0] == "start" || words[0] == "prepare" || words[0] == "commit" || words[0] == "abort":
		default:
			known = false
		}
	}
	if !known {
		g.effect(risk.VCSRewrite, value.Unknown(risk.CauseInput, "stdin"), risk.KindBranch)
		return
	}
	g.deletes("", moved, risk.KindBranch, risk.KindUpdateRef)
}
