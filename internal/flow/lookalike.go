package flow

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/lookalike"
	"github.com/heedsh/heed/risk"
)

// lookalikes tells of the packages and hosts of a deed whose names only look like
// those of others.
func (d *Deed) lookalikes() {
	if d.Result.Help {
		return
	}
	told := map[string]bool{}
	tell := func(name, like string) {
		if like != "" && !told[name] && len(told) < maxLookalikes {
			told[name] = true
			d.tell(risk.Effect{Verb: risk.ExecKnown, Kind: risk.KindLookalikeName, Target: Clip(name, 80) + ", which looks like " + like, Program: d.Program})
		}
	}
	for i := range d.Result.Effects {
		e := &d.Result.Effects[i]
		name, known := e.Target.Known()
		if !known || name == "" {
			continue
		}
		registry := d.registry()
		switch {
		case registry != "" && (e.Verb == risk.PkgInstall || registry == lookalike.Images && e.Verb != risk.FSRead && !strings.Contains(name, "://")):
			tell(name, lookalike.Package(registry, name))
		case strings.HasPrefix(string(e.Verb), "net."):
			if host := site.NetHost(e.Target); strings.Contains(host, ".") {
				tell(host, lookalike.Host(host))
			}
		}
	}
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
