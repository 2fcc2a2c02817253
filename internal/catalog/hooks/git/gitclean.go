package git

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/gitstate"
	"github.com/heedsh/heed/risk"
)

// clean deletes untracked files when it is told to (git-clean(1)).
func (g *gitCall) clean() {
	switch {
	case g.m.Has("dry"):
		return
	case !g.m.Has("clean") && !g.cleanNeedsNoForce():
		g.r.Lacks = "neither -f, -n nor -i is given"
		return
	}
	paths := g.m.Operands()
	detail := risk.KindUntracked
	switch {
	case g.m.Has("only"):
		detail = risk.KindIgnored
	case g.m.Has("ignored"):
		detail = risk.KindUntrackedAndIgnored
	}
	loses := (*risk.Counts)(nil)
	switch {
	case detail == risk.KindUntracked:
		loses = g.cleans(paths)
	case len(paths) == 0 && !g.m.Has("directories") && len(g.m.Values("exclude")) == 0:
		loses = g.cleansShallow(detail)
	}
	if len(paths) == 0 {
		paths = []value.Value{value.Lit(".")}
	}
	for _, p := range paths {
		g.r.Effects = append(g.r.Effects, catalog.Effect{Verb: risk.VCSDiscard, Target: p, Kind: detail, Recursive: g.m.Has("directories"), Loses: loses})
	}
}

// cleans counts what a clean takes that leaves ignored files alone: those below the
// paths or the current directory that no pattern of its own spares, and of
// directories without anything tracked only what it is told to go into. It is nil
// where that cannot be told.
func (g *gitCall) cleans(paths []value.Value) *risk.Counts {
	if g.repo == nil || len(g.settingsGiven()) > 0 || g.elsewhereByEnv() || g.s.World == nil || g.s.World.FS == nil {
		return nil
	}
	s, complete := g.tree()
	if !complete || s.Staged > 0 {
		return nil
	}
	var spare []*gitstate.Rules
	for _, v := range g.m.Values("exclude") {
		text, known := v.Known()
		rules, ok := gitstate.ParseRules([]byte(text))
		if !known || !ok || strings.HasPrefix(text, "!") {
			return nil
		}
		spare = append(spare, rules)
	}
	tracked, ok := g.trackedDirs()
	if !ok {
		return nil
	}
	n := 0
	for _, name := range g.named(g.repo.Root(), s.SomeUntracked, true, paths) {
		inside := topmost(name, tracked) != name && !g.m.Has("directories") && len(paths) == 0
		if !inside && !spared(spare, name) {
			n++
		}
	}
	return &risk.Counts{Untracked: n}
}

// cleansShallow counts what a clean takes that goes for ignored files and is not told to
// take directories. It is nil where that cannot be told.
func (g *gitCall) cleansShallow(detail risk.Kind) *risk.Counts {
	if g.repo == nil || g.dir == "" || len(g.settingsGiven()) > 0 || g.elsewhereByEnv() || g.between() {
		return nil
	}
	want := world.WantIgnored | world.WantShallow
	if detail == risk.KindUntrackedAndIgnored {
		want |= world.WantUntracked
	}
	s := g.repo.Part(g.dir, statusBudget, want)
	switch {
	case !s.Complete:
		return nil
	case detail == risk.KindIgnored:
		return &risk.Counts{Untracked: s.Ignored}
	}
	return &risk.Counts{Untracked: s.Ignored + s.Untracked}
}

// spared reports whether a pattern leaves a file alone, or a directory above it.
func spared(rules []*gitstate.Rules, name string) bool {
	return slices.ContainsFunc(rules, func(r *gitstate.Rules) bool {
		for i := range len(name) {
			if name[i] == '/' {
				if decided, keep := r.Decide(name[:i], true); decided && !keep {
					return true
				}
			}
		}
		decided, keep := r.Decide(strings.TrimSuffix(name, "/"), strings.HasSuffix(name, "/"))
		return decided && !keep
	})
}
