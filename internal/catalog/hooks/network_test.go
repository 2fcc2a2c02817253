package hooks

import (
	"slices"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
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
		if got := graphqlDestroys(doc); got != want {
			t.Errorf("%q: %t", doc, got)
		}
	}
}

// TestClientStdin holds clients to what they do with piped input, which spec
// cases cannot give.
func TestClientStdin(t *testing.T) {
	t.Parallel()
	sql := func(m *catalog.Match) []catalog.Bound {
		return []catalog.Bound{{Arg: &catalog.Arg{Name: "database"}, Value: value.Lit("app")}}
	}
	for _, c := range []struct {
		stdin string
		want  []risk.Verb
	}{
		{"DROP TABLE t;\n", []risk.Verb{risk.DBDestroy}},
		{"\\d t\n", []risk.Verb{risk.DBRead}},
		{"select 1;\n\\! id\n", []risk.Verb{risk.DBRead, "shell"}},
	} {
		m := &catalog.Match{Program: &catalog.Program{Names: []string{"psql"}}}
		m.Args = sql(m)
		r := &catalog.Result{Match: m}
		psqlHook(m, &catalog.Site{Stdin: value.Lit(c.stdin), HasStdin: true}, r)
		var got []risk.Verb
		for _, e := range r.Effects {
			got = append(got, e.Verb)
		}
		for range r.Runs {
			got = append(got, "shell")
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: %v, want %v", c.stdin, got, c.want)
		}
	}
}

func TestNetHost(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://u:p@A.test:8/x": "a.test", "a.test/x": "a.test", "http://[::1]:80/": "::1",
		"http://localhost@evil.test": "evil.test", "http://evil.test#@localhost": "evil.test", "localhost:80": "localhost", "::1": "::1",
	} {
		if got := netHost(value.Lit(url)); got != want {
			t.Errorf("%s: %q, want %q", url, got, want)
		}
	}
	for host, want := range map[string]bool{"127.0.0.1": true, "127.1": true, "localhost": true, "::1": true, "127.evil.test": false, "localhost.evil.test": false} {
		if got := netLoopback(host); got != want {
			t.Errorf("%s: %t", host, got)
		}
	}
}

func FuzzBodies(f *testing.F) {
	for _, s := range []string{"{a}", `{"query": "mutation { deleteUser }"}`, "TCP:a:1", "\f "} {
		f.Add(s)
	}
	f.Fuzz(func(_ *testing.T, s string) {
		graphqlDestroys(s)
		bodyQuery(s)
		socatAddress(value.Lit(s))
		netHost(value.Lit(s))
	})
}
