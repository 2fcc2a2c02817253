package text

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// search marks what a program that searches directories by itself reads as
// the whole tree below it (rg(1), ag(1), ack(1)).
func search(_ *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Verb == risk.FSRead && (e.Arg == "file" || e.Arg == "" || e.Arg == "=.") {
			e.Recursive = true
		}
	}
}
