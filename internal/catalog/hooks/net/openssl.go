package net

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// opensslCopy says that what is written comes from what is read.
func opensslCopy(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	in := m.Values("in")
	for i := range r.Effects {
		e := &r.Effects[i]
		if e.Verb != risk.FSWrite || e.Arg != "out" {
			continue
		}
		for _, v := range in {
			e.Carries = append(e.Carries, catalog.Source{Path: v})
		}
	}
}
