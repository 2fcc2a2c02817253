package system

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
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

// unitEnvironment is what systemctl shows of the variables that services are
// given: all with show-environment, those of one with show (systemctl(1)).
func unitEnvironment(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	properties := m.Values("property")
	asked := slices.ContainsFunc(properties, func(v value.Value) bool {
		return !v.IsKnown() || slices.Contains(strings.Split(v.Prefix(), ","), "Environment")
	})
	switch {
	case m.Written() == "show-environment", m.Written() == "show" && asked:
		site.ShowsEnvironmentOf(r, "")
	case m.Written() == "show" && len(properties) == 0, m.Written() == "cat":
		r.Prints = catalog.PrintsPrivate
	}
}
