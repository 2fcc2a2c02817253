package flow

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/lookalike"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// lookalikes tells of the packages and hosts of a deed whose names only look like
// those of others.
func (d *Deed) lookalikes() {
	if d.Result.Help {
		return
	}
	registry := d.registry()
	var told []string
	for i := range d.Result.Effects {
		e := &d.Result.Effects[i]
		name, known := e.Target.Known()
		if !known || name == "" || len(told) == maxLookalikes {
			continue
		}
		like := ""
		fetches := e.Verb == risk.ExecUnknown || e.Verb == risk.NetFetch // an image, that is run or pulled
		switch {
		case registry == lookalike.Images && fetches && !strings.Contains(name, "://"), registry != "" && e.Verb == risk.PkgInstall:
			like = lookalike.Package(registry, name)
		case strings.HasPrefix(string(e.Verb), "net."):
			if name = site.NetHost(e.Target); strings.Contains(name, ".") {
				like = lookalike.Host(name)
			}
		}
		if like != "" && d.names(name) && !slices.Contains(told, name) {
			told = append(told, name)
			d.tell(risk.Effect{Verb: risk.ExecKnown, Kind: risk.KindLookalikeName, Target: Clip(name, 80) + ", which looks like " + like})
		}
	}
}

// names reports whether a name stands in the words of the deed, and is not the
// catalog's own for what has none.
func (d *Deed) names(name string) bool {
	return slices.ContainsFunc(d.Inv.Words(), func(w value.Value) bool {
		text, known := w.Known()
		return !known || strings.Contains(text, name)
	})
}

// maxLookalikes is how many names of one program are told of.
const maxLookalikes = 4

// registry is where a program takes packages or images from, or "".
func (d *Deed) registry() string {
	switch t := d.Result.Traits; {
	case t.Has(catalog.FromPyPI):
		return lookalike.PyPI
	case t.Has(catalog.FromNPM):
		return lookalike.NPM
	case t.Has(catalog.FromCrates):
		return lookalike.Crates
	case t.Has(catalog.FromRubyGems):
		return lookalike.Gems
	case t.Has(catalog.FromImages):
		return lookalike.Images
	}
	return ""
}
