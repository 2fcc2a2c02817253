package hooks

import (
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

func TestClassifySQL(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		sql, object string
		verb        risk.Verb
	}{
		{"SELECT 'DROP TABLE x'", "", risk.DBRead},
		{"select 1 -- drop table x", "", risk.DBRead},
		{"/* drop table x; */ select 1", "", risk.DBRead},
		{"/*!50000 DROP TABLE x */", "x", risk.DBDestroy},
		{"SELECT $$; DROP TABLE x; $$", "", risk.DBRead},
		{"select 1; drop table if exists a.\"B c\"", "a.B c", risk.DBDestroy},
		{"DELETE FROM t WHERE id IN (SELECT 1)", "", risk.DBChange},
		{"DELETE FROM t USING (SELECT 1 WHERE true) q", "t", risk.DBDestroy},
		{"UPDATE t SET a=1 WHERE 'a'='a'", "t", risk.DBDestroy},
		{"ALTER TABLE t DROP CONSTRAINT c", "", risk.DBChange},
		{"CREATE TABLE t (a int REFERENCES b ON DELETE CASCADE)", "", risk.DBChange},
		{"IF OBJECT_ID('t') IS NOT NULL DROP TABLE t", "t", risk.DBDestroy},
		{"SELECT * INTO backup FROM t", "", risk.DBChange},
		{"FROBNICATE", "", risk.DBChange},
		{"", "", ""},
	} {
		if got := classifySQL(c.sql); got.verb != c.verb || got.object != c.object {
			t.Errorf("%q: %s %q, want %s %q", c.sql, got.verb, got.object, c.verb, c.object)
		}
	}
	if got := classifySQL("DELETE FROM " + sqlHole); got.verb != risk.DBDestroy || got.object != "" {
		t.Errorf("table that is not known: %+v", got)
	}
	if got := classifySQL(sqlHole); !got.opaque {
		t.Errorf("statement that is not known: %+v", got)
	}
}

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

func FuzzClassifySQL(f *testing.F) {
	for _, s := range []string{"select 1", "DO $$ BEGIN EXECUTE 'drop table x'; END $$", "copy t to program 'x'", "/*", "'", "$a$", "(((", "\f "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q := classifySQL(s)
		if strings.Trim(s, " \t\n\v\f\r") == "" && q.verb != "" {
			t.Errorf("%q: %s", s, q.verb)
		}
		graphqlDestroys(s)
		bodyQuery(s)
		socatAddress(value.Lit(s))
		netHost(value.Lit(s))
	})
}
