package text

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/hooks/system"
	"github.com/heedsh/heed/risk"
)

// search marks what a program that searches directories by itself reads as
// the whole tree below it (rg(1), ag(1), ack(1)).
func search(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	system.SearchesOnly(m, r)
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Verb == risk.FSRead && (e.Arg == "file" || e.Arg == "" || e.Arg == "=.") {
			e.Recursive = true
		}
	}
}

// ripgrep is search that may only name files.
func ripgrep(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	search(m, s, r)
	if !m.Help {
		system.RipgrepNames(s, r)
	}
}

// envsubst puts the variables that its input names in their places (envsubst(1)).
func envsubst(_ *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if text, known := s.Stdin.Known(); known {
		site.ShowsVariables(r, text)
	}
}
