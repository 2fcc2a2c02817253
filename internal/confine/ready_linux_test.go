//go:build amd64 || arm64

package confine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/confine/grant"
)

// TestReady: what was prepared is taken once, and only by a box that may read the same.
func TestReady(t *testing.T) {
	t.Parallel()
	if (&Box{Grant: grant.Grant{Net: grant.NoNet}}).possible() != nil {
		t.Skip("this kernel cannot confine")
	}
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, ".env"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	least := grant.Least(grant.Where{Home: home, Secrets: Secrets(home)})
	for name, c := range map[string]struct {
		change func(g *grant.Grant)
		home   string
		view   bool // what may be read is the same
		rules  bool // and how the network and signals are kept
		filter bool // and all else
	}{
		"the same":         {home: home, view: true, rules: true, filter: true},
		"one name":         {func(g *grant.Grant) { g.Names = []string{home + "/x"} }, home, true, true, false},
		"network":          {func(g *grant.Grant) { g.Net = grant.AnyNet }, home, true, false, false},
		"signals":          {func(g *grant.Grant) { g.Signals = true }, home, true, false, false},
		"a secret":         {func(g *grant.Grant) { g.Secrets = []string{home + "/.env"} }, home, false, false, false},
		"less":             {func(g *grant.Grant) { g.Read = []string{"/usr"} }, home, false, false, false},
		"hides more":       {func(g *grant.Grant) { g.Hidden = append(g.Hidden, "/srv") }, home, false, false, false},
		"another's home":   {nil, "/", false, false, true}, // the filter knows of no files
		"looks elsewhere":  {func(g *grant.Grant) { g.Search = nil }, home, false, false, false},
		"without terminal": {func(g *grant.Grant) { g.Terminal = false }, home, true, true, false},
	} {
		b := Box{Grant: least, Ready: Prepare(&least, home)}
		<-b.Ready.done
		b.Grant.Hidden = slices.Clone(b.Grant.Hidden)
		if c.change != nil {
			c.change(&b.Grant)
		}
		if got := b.Ready.reads(&b.Grant, c.home); got != c.view {
			t.Errorf("%s: the view is taken: %t", name, got)
		}
		if v := b.look(c.home, "/nowhere"); c.view && !slices.Contains(v.Hidden, filepath.Join(home, ".env")) {
			t.Errorf("%s: %q is not hidden", name, v.Hidden)
		}
		if got := &b.filter()[0] == &b.Ready.made[0]; got != c.filter {
			t.Errorf("%s: the filter is taken: %t", name, got)
		}
		r := b.Ready.take(&b.Grant, c.home)
		if (r != nil) != c.rules {
			t.Errorf("%s: the rules are taken: %t", name, r != nil)
		}
		if again := b.Ready.take(&b.Grant, c.home); again != nil {
			t.Errorf("%s: they are taken twice", name)
		}
		r.close()
		b.Ready.Close()
	}
}
