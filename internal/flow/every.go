package flow

import (
	"path"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/workspace"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// Bounds of looking at the files that one target stands for.
const (
	maxEvery = 3000
	maxNamed = 50000 // of which the names are looked at
	maxApart = 8     // that are told apart, as they are not where the others are; one of each kind of place always is
)

// every looks at all the files that a target stands for, where a search listed
// them: what is lost is what all of them lose, and one that is not where the
// others are is told by itself.
func (sc *Scene) every(st *shell.State, span risk.Span, x *catalog.Effect, e *risk.Effect, target value.Value, follow bool, program string) {
	all, ok := listed(target)
	if !ok || st.Context.Host != "" || st.Context.Container != "" {
		return
	}
	sum := workspace.Recovery{Reversible: risk.NothingThere}
	apart, told := 0, map[risk.Scope]bool{}
	if !sc.Spend(5) {
		return
	}
	for i, name := range all {
		if i >= maxEvery { // what was not looked at may be the worst; its name tells where it is
			sum.Add(workspace.Recovery{Reversible: risk.Lost, Counts: risk.Counts{AtLeast: true}})
			if full, ok := Absolute(st, value.Lit(name)).Known(); i >= maxNamed || !ok || told[sc.Space.Scope(path.Clean(full))] {
				continue
			}
		}
		p := sc.Place(st, value.Lit(name).With(target.Taint()), follow)
		if p.Scope != e.Scope && p.Scope != risk.InWorkspace && !p.Unread && (apart < maxApart || !told[p.Scope]) {
			apart, told[p.Scope] = apart+1, true
			one := *x
			if one.Many = false; one.Kind == risk.KindFind {
				one.Kind = risk.NoKind
			}
			sc.fileEffect(st, span, &one, value.Lit(name).With(target.Taint()), value.Value{}, program)
			continue
		}
		told[p.Scope] = true
		if x.Verb == risk.FSRead || x.Verb == risk.FSAttr || x.Verb == risk.FSCreate || x.Kind == risk.KindAppend {
			continue
		}
		sum.Add(sc.Space.Recover(st.FS, p, x.Recursive && p.Info.Kind == world.Dir))
	}
	switch {
	case x.Kind == risk.KindAppend:
	case x.Verb == risk.FSDelete, x.Verb == risk.FSMove, x.Verb == risk.FSWrite:
		e.Reversible, e.Remedy, e.Counts = sum.Reversible, sum.Remedy, &sum.Counts
	}
}

// listed are the paths that a target stands for, one after the other, if a
// search listed them.
func listed(v value.Value) ([]string, bool) {
	parts := v.Parts()
	for i, p := range parts {
		if p.Hole == nil || len(p.Hole.Among) == 0 {
			continue
		}
		before, after := "", ""
		switch {
		case len(parts) == 1:
			return p.Hole.Among, true
		case len(parts) == 2 && i == 0 && parts[1].Hole == nil:
			after = parts[1].Lit
		case len(parts) == 2 && i == 1 && parts[0].Hole == nil:
			before = parts[0].Lit
		default:
			return nil, false
		}
		all := make([]string, len(p.Hole.Among))
		for i, name := range p.Hole.Among {
			all[i] = before + name + after
			if before != "" {
				all[i] = path.Clean(all[i])
			}
		}
		return all, true
	}
	return nil, false
}
