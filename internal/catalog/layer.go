package catalog

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// With returns the catalog with programs added to it; of a name that both
// describe, the added description counts. digest names what was added, for the
// record.
func (c *Catalog) With(added []*Program, digest string) *Catalog {
	out := FromPrograms(added, c.hooks)
	out.under, out.names, out.sum = c, namesOf(added), digest
	return out
}

// Tightened returns the catalog with descriptions that can only add: what a
// program does is what both descriptions say, and a program that only these
// know does what they say. Whoever uses it must hold that against what the
// catalog without them says (flow.Trace.Join), because an effect that is
// added here can hide another one later in a command.
func (c *Catalog) Tightened(by []*Program, digest string) *Catalog {
	out := &Catalog{hooks: c.hooks, under: c, beside: map[string]*Program{}, names: namesOf(by), sum: digest}
	for _, p := range by {
		for _, n := range p.Names {
			out.beside[n] = p
		}
	}
	return out
}

func namesOf(programs []*Program) []string {
	var names []string
	for _, p := range programs {
		names = append(names, p.Names...)
	}
	return names
}

// lookUnder finds a program in the catalog below this one, or else among the
// descriptions that stand beside it.
func (c *Catalog) lookUnder(name string) (*Program, bool) {
	if p, ok := c.under.Lookup(name); ok {
		return p, true
	}
	p, ok := c.beside[name]
	return p, ok
}

// allNames are the names of this catalog and those under it, sorted.
func (c *Catalog) allNames() []string {
	names := append(c.under.Names(), c.names...)
	slices.Sort(names)
	return slices.Compact(names)
}

// tighten adds what a second description of the same words says.
func (r *Result) tighten(more *Result) {
	r.Effects = append(r.Effects, more.Effects...)
	r.Runs = append(r.Runs, more.Runs...)
	r.ShowsStdin = r.ShowsStdin || more.ShowsStdin
	r.ReadsStdin = r.ReadsStdin || more.ReadsStdin
	if r.Prints == PrintsText {
		r.Prints = more.Prints
	}
}

// extra returns the description that stands beside the catalog's own of a
// program, or nil.
func (c *Catalog) extra(name string) *Program {
	if c.beside == nil {
		return nil
	}
	if e := c.beside[name]; e != nil {
		return e
	}
	return c.beside[strings.TrimSuffix(strings.ToLower(name), ".exe")]
}

// What a description that only adds can say of one invocation: it comes from a
// repository, whose author may want to keep heed busy.
const (
	maxAddedWords   = 256
	maxAddedEffects = 64
	maxAddedRuns    = 8
)

func (c *Catalog) bounded(p *Program, args []value.Value, s *Site) *Result {
	r := c.describe(p, args[:min(len(args), maxAddedWords)], s)
	r.Effects = r.Effects[:min(len(r.Effects), maxAddedEffects)]
	r.Runs = r.Runs[:min(len(r.Runs), maxAddedRuns)]
	r.Unknowns = r.Unknowns[:min(len(r.Unknowns), maxAddedRuns)]
	return r
}
