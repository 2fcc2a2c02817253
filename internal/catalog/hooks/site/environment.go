package site

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// ShowsVariables says that a program prints those variables of its environment
// that a text names.
func ShowsVariables(r *catalog.Result, text string) {
	r.Prints = catalog.PrintsPrivate
	if value.NamesCredential(text) != "" {
		r.Prints = catalog.PrintsSecret
	}
}

// ShowsEnvironment says that a program prints its whole environment.
func ShowsEnvironment(r *catalog.Result) {
	if r.Prints != catalog.PrintsSecret {
		r.Prints = catalog.PrintsPrivate
	}
	r.Traits |= catalog.Environment
}
