package system

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// cpio reads the names of what it stores from standard input (GNU cpio
// manual, "Copy-out mode" and "Copy-pass mode"); without -O or -F the archive
// is what it prints.
func cpio(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if !m.Has("create") && !m.Has("pass") {
		return
	}
	r.ReadsStdin = true
	shown := m.Has("create") && !m.Has("archive") && !m.Has("out")
	names := []value.Value{value.Unknown(risk.CauseInput, "stdin")}
	open := true
	if s.HasStdin {
		if lines := s.Stdin.Split("\n"); len(lines) <= maxInputRuns && s.Stdin.IsKnown() {
			names, open = lines, false
		} else if holes := s.Stdin.Holes(); len(holes) > 0 {
			names = []value.Value{value.Of(*holes[0]).With(s.Stdin.Taint())}
		}
	}
	for _, n := range names {
		if !n.Empty() {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: n, Arg: "stdin", Shown: shown, Many: open})
		}
	}
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Verb == risk.FSWrite && !open {
			for _, n := range names {
				if !n.Empty() {
					e.Carries = append(e.Carries, catalog.Source{Path: n})
				}
			}
		}
	}
}
