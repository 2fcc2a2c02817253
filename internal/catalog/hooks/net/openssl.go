package net

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// opensslCopy says that what is written comes from what is read, and that certificates and
// their lists may be fetched (openssl-x509(1), "-in filename|uri").
func opensslCopy(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	in := m.Values("in")
	for i := range r.Effects {
		e := &r.Effects[i]
		if e.Verb == risk.FSRead && strings.HasPrefix(strings.ToLower(e.Target.Prefix()), "http://") {
			*e = catalog.Effect{Verb: risk.NetFetch, Target: e.Target, Arg: e.Arg}
			continue
		}
		if e.Verb != risk.FSWrite || e.Arg != "out" {
			continue
		}
		for _, v := range in {
			e.Carries = append(e.Carries, catalog.Source{Path: v})
		}
	}
}
