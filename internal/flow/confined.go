package flow

import (
	"path"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// confined narrows what is not known of the name of a new file, where it stands
// behind the beginning of that name: log-$x.txt lies beside the others, whatever x
// is, as long as there is no other log-… that it may be, or lead through.
func (sc *Scene) confined(st *shell.State, x *catalog.Effect, target value.Value) value.Value {
	parts := target.Parts()
	if x.Verb != risk.FSWrite && x.Verb != risk.FSCreate || x.Recursive || len(parts) < 2 || parts[0].Hole != nil || parts[1].Hole.Shape != value.AnyText {
		return target
	}
	for _, p := range parts[1:] {
		if strings.Contains(p.Lit, "/") || p.Hole != nil && p.Hole.Cause == risk.CauseUnset {
			return target
		}
	}
	dir, stem := path.Split(parts[0].Lit)
	if stem == "" || stem[0] == '.' || strings.HasPrefix(stem, "-") { // names that others rely on begin so
		return target
	}
	full, known := Absolute(st, value.Lit(dir)).Known()
	if !known || st.Context.Host != "" || st.Context.Container != "" || !sc.Spend(1) {
		return target
	}
	at := sc.Space.Locate(st.FS, path.Clean(full), true)
	if at.Unread || at.Scope != risk.InWorkspace && at.Scope != risk.InTemp {
		return target
	}
	entries, err := st.FS.ReadDir(at.Path, maxLooked)
	if err != nil && !at.Missing {
		return target
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name, stem) {
			return target // it may be that one, or lead through it
		}
	}
	var b value.Builder
	for _, p := range parts {
		if p.Hole == nil {
			b.WriteString(p.Lit)
			continue
		}
		h := *p.Hole
		if h.Shape == value.AnyText {
			h.Shape = value.Word
		}
		b.Add(value.Of(h))
	}
	b.Taint(target.Taint())
	return b.Value()
}
