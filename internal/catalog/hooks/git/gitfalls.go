package git

import (
	"slices"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Commits that fall out of every ref when several go at once: each alone may be kept
// by another that goes too.

// maxLost is how many commits are counted.
const maxLost = 10000

// fallsOut counts the commits that nothing names once some refs are gone, by their
// full names; known is false where that cannot be told.
func (g *gitCall) fallsOut(gone []string) (n int, known bool) {
	if g.repo == nil {
		return 0, false
	}
	refs, err := g.repo.Refs("refs/", 5000)
	if err != nil || len(refs) == 5000 {
		return 0, false
	}
	var from, by []string
	for _, r := range refs {
		if slices.Contains(gone, r.Name) {
			from = append(from, r.ID)
		} else {
			by = append(by, r.ID)
		}
	}
	if branch, head := g.repo.Head(); head != "" && !slices.Contains(gone, "refs/heads/"+branch) {
		by = append(by, head)
	}
	if len(from) == 0 {
		return 0, true
	}
	n, complete := g.repo.Missing(from, by, maxLost)
	return n, complete
}

// deletes records that refs below a prefix go: an effect of one kind where their
// commits stay reachable, VCSRewrite where they do not, or where that is not known.
func (g *gitCall) deletes(prefix string, words []value.Value, kind, gentle risk.Kind) {
	var gone []string
	for _, w := range words {
		name, known := w.Known()
		if !known {
			gone = nil
			break
		}
		gone = append(gone, prefix+name)
	}
	n, known := g.fallsOut(gone)
	for i, w := range words {
		e := catalog.Effect{Verb: risk.VCSRewrite, Target: w, Kind: kind}
		switch {
		case known && n == 0 && gentle != risk.NoKind && len(gone) > 0:
			e.Verb, e.Kind = risk.VCSLocal, gentle
		case known && n > 0 && i == 0 && len(words) > 1: // what goes with all of them
			e.Loses = &risk.Counts{Commits: n}
		}
		g.r.Effects = append(g.r.Effects, e)
	}
}
