package hooks

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// tar says which way the data flows: whether the archive or the members are
// written depends on the operation (GNU tar manual, chapter 2).
func tar(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	members := m.Values("member")
	archive, named := m.Value("archive")
	if text, ok := archive.Known(); ok && text == "-" {
		named = false
	}
	switch {
	case m.Has("extract"):
		tarExtract(m, r, archive, named)
	case m.Has("create"), m.Has("append"):
		e := catalog.Effect{Verb: risk.FSWrite, Target: archive, Arg: "archive"}
		if m.Has("append") {
			e.Detail = "append"
		}
		for _, v := range members {
			e.Carries = append(e.Carries, catalog.Source{Path: v})
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v, Arg: "member", Shown: !named})
		}
		if named {
			r.Effects = append(r.Effects, e)
		}
		if m.Has("remove") {
			for _, v := range members {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSDelete, Target: v, Recursive: true, Detail: "--remove-files"})
			}
		}
	case m.Has("delete-members"):
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: archive, Detail: "members removed"})
	default:
		if named {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: archive})
		}
		r.ReadsStdin = !named
	}
	for _, v := range m.Values("action") {
		if command, ok := strings.CutPrefix(v.Prefix(), "exec="); ok {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v.Cut(len(v.Prefix()) - len(command))})
		}
	}
}

func tarExtract(m *catalog.Match, r *catalog.Result, archive value.Value, named bool) {
	if named {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: archive, Shown: m.Has("stdout")})
	} else {
		r.ReadsStdin = true
	}
	if m.Has("stdout") {
		return
	}
	dir, ok := m.Value("directory")
	if !ok {
		dir = value.Lit(".")
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: dir, Recursive: true, Detail: "extract"})
}
