package system

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
)

// secretNames are what the names of variables that hold credentials contain.
var secretNames = []string{"SECRET", "TOKEN", "PASSWORD", "PASSWD", "PASSPHRASE", "PRIVATE_KEY", "API_KEY", "APIKEY", "ACCESS_KEY", "CREDENTIAL"}

// printenv prints the whole environment, or the variables that are named.
func printenv(m *catalog.Match, _ *catalog.Site, r *catalog.Result) {
	names := m.Values("name")
	if len(names) == 0 {
		r.Prints = catalog.PrintsPrivate
	}
	for _, v := range names {
		upper := strings.ToUpper(v.String())
		for _, s := range secretNames {
			if strings.Contains(upper, s) {
				r.Prints = catalog.PrintsSecret
			}
		}
	}
}
