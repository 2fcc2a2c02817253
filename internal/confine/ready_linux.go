//go:build amd64 || arm64

package confine

import (
	"reflect"
	"slices"

	"github.com/heedsh/heed/internal/confine/grant"
)

// Ready is what can be found out and made for a box before it is known what the command
// needs, on another processor, while heed still judges: what may be read, which is most of
// Landlock's rules, and the filter. It lasts only until somebody is asked: names that
// are made later are not in it.
type Ready struct {
	grant grant.Grant
	home  string
	done  chan struct{} // closed when the rest is there
	view  *view
	rules *ruleset // nil if they could not be made, or were taken
	made  filter
}

// Prepare begins to prepare a box for a grant that is likely.
func Prepare(g *grant.Grant, home string) *Ready {
	r := &Ready{grant: *g, home: home, done: make(chan struct{}), view: &view{}}
	go func() {
		defer close(r.done)
		if b := (Box{Grant: *g}); b.possible() != nil {
			return // it is said by who needs it
		}
		r.view.reading(g, home)
		if rules, err := readRuleset(g, r.view); err == nil {
			r.rules = rules
		}
		b := Box{Grant: *g}
		r.made = b.program(true)
	}()
	return r
}

// Close lets go of what was not needed.
func (r *Ready) Close() {
	if r == nil {
		return
	}
	<-r.done
	r.rules.close()
	r.rules = nil
}

// reads waits for the end, and reports whether the same may be read under a grant.
func (r *Ready) reads(g *grant.Grant, home string) bool {
	if r == nil || r.home != home || !slices.Equal(r.grant.Read, g.Read) || !slices.Equal(r.grant.Hidden, g.Hidden) ||
		!slices.Equal(r.grant.Search, g.Search) || !slices.Equal(r.grant.Secrets, g.Secrets) {
		return false
	}
	<-r.done
	return r.rules != nil
}

// take takes the rules, if they are those of a grant, or else nil.
func (r *Ready) take(g *grant.Grant, home string) *ruleset {
	if !r.reads(g, home) || (r.grant.Net == grant.NoNet) != (g.Net == grant.NoNet) || r.grant.Signals != g.Signals {
		return nil
	}
	rules := r.rules
	r.rules = nil
	return rules
}

// filter is the filter of a box.
func (b *Box) filter() filter {
	if r := b.Ready; r != nil && b.Observer == nil && b.Started == nil && reflect.DeepEqual(r.grant, b.Grant) {
		<-r.done
		if len(r.made) > 0 {
			return r.made
		}
	}
	return b.program(true)
}
