package site

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// ShowsVariables says that a program prints those variables of its environment
// that a text names.
func ShowsVariables(r *catalog.Result, text string) {
	switch {
	case value.NamesCredential(text) != "":
		r.Prints = catalog.PrintsSecret
	case r.Prints != catalog.PrintsSecret:
		r.Prints = catalog.PrintsPrivate
	}
}

// ShowsEnvironment says that a program prints its whole environment.
func ShowsEnvironment(r *catalog.Result) {
	if r.Prints != catalog.PrintsSecret {
		r.Prints = catalog.PrintsPrivate
	}
	r.Traits |= catalog.Environment
}

// ShowsEnvironmentOf says that a program prints the environment of something else,
// a service or a container: all of it, or what text, a format or the names of
// properties, leaves of it.
func ShowsEnvironmentOf(r *catalog.Result, text string) {
	ShowsVariables(r, text)
	r.Lists = value.Listing{Of: value.OfEnvironment}
}
