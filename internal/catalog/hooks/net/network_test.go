package net

import (
	"testing"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/value"
)

func TestGraphqlDestroys(t *testing.T) {
	t.Parallel()
	for doc, want := range map[string]bool{
		"mutation { deleteUser(id: 1) { id } }":          true,
		"mutation M($i: ID!) { x: user_remove(id: $i) }": true,
		"mutation { addUser(name: \"delete\") { id } }":  false,
		"mutation { addUser(drop: 1) { deleted } }":      false,
		"query { deleteUser }":                           false,
		"# mutation { deleteUser }":                      false,
		"{ mutation { deleteUser } }":                    false,
	} {
		if got := GraphqlDestroys(doc); got != want {
			t.Errorf("%q: %t", doc, got)
		}
	}
}

func FuzzBodies(f *testing.F) {
	for _, s := range []string{"{a}", `{"query": "mutation { deleteUser }"}`, "TCP:a:1", "\f "} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, s string) {
		GraphqlDestroys(s)
		bodyQuery(s)
		socatAddress(value.Lit(s))
		site.NetHost(value.Lit(s))
	})
}
