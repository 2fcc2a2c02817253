package hooks

import (
	"testing"

	"github.com/heedsh/heed/internal/catalog"
)

// TestEveryNameIsOfOneFamily: a hook that two families had would be the first
// one's, whichever the spec meant.
func TestEveryNameIsOfOneFamily(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	var visit func(c *catalog.Command)
	visit = func(c *catalog.Command) {
		if c.Hook != "" {
			names[c.Hook] = true
		}
		for _, sub := range c.Sub {
			visit(sub.Command())
		}
	}
	c := catalog.New(nil)
	for _, n := range c.Names() {
		p, _ := c.Lookup(n)
		visit(&p.Command)
	}
	if len(names) < 200 {
		t.Errorf("specs name only %d hooks", len(names))
	}
	for name := range names {
		owners := 0
		for _, family := range families() {
			if family(name) != nil {
				owners++
			}
		}
		if owners != 1 {
			t.Errorf("%d families have a hook %q", owners, name)
		}
	}
	if Find("no such hook") != nil {
		t.Error("a name that nobody has finds a hook")
	}
}
