package net

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/risk"
)

// nsupdate reads its commands from a file or from standard input; update delete
// takes names out of the zone (BIND 9 nsupdate(1)).
func nsupdate(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	e := catalog.Effect{Verb: risk.RemoteChange}
	if !m.Has("script") {
		r.ReadsStdin = true
		text, _ := site.Input(s).Known()
		for line := range strings.Lines(text) {
			words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "update "))
			if len(words) > 0 && (words[0] == "delete" || words[0] == "del") {
				e = catalog.Effect{Verb: risk.RemoteDestroy, Kind: risk.KindNames}
			}
		}
	}
	r.Effects = append(r.Effects, e)
}
