package system

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// printenv prints the whole environment, or the variables that are named.
func printenv(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	names := m.Values("name")
	if len(names) == 0 {
		r.Prints = catalog.PrintsPrivate
	}
	for _, v := range names {
		if value.CredentialName(v.String()) {
			r.Prints = catalog.PrintsSecret
		}
	}
}
