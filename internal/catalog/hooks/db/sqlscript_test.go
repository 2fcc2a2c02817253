package db

import (
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// TestClientStdin holds clients to what they do with piped input, which spec
// cases cannot give: their own commands among it, and what ends a statement.
func TestClientStdin(t *testing.T) {
	t.Parallel()
	hooks := map[string]catalog.Hook{"psql": psqlHook, "mysql": mysqlHook, "sqlite3": sqliteHook, "sqlcmd": sqlHook, "isql": sqlHook}
	for _, c := range []struct{ client, stdin, want string }{
		{"psql", "DROP TABLE t;\n", "db.destroy t in app"},
		{"psql", "\\d t\n", "db.read app"},
		{"psql", "select 1;\n\\! id\n", "db.read app; shell: id"},
		{"psql", "\\x \\\\ DROP TABLE t;", "db.destroy t in app"},
		{"psql", "select 1 \\g | sh\nDROP TABLE t", "db.destroy t in app; shell: sh"},
		{"psql", "select 1 \\gset p_ \\\\ delete from t", "db.destroy t in app"},
		{"psql", "select 1\\; drop table t;", "db.destroy t in app"},
		{"psql", "select 'a\n\\! id\n'; -- \\! id\n/* \\! id */ select $$\n\\! id\n$$", "db.read app"},
		{"psql", "\\o '/tmp/a b'\n\\o |cat\n", "fs.write /tmp/a b; shell: cat"},
		{"psql", "\\copy t from program 'id; ls'", "db.change app; shell: id; ls"},
		{"psql", "\\copy (DELETE FROM t RETURNING *) to x.csv", "fs.write x.csv; db.destroy t in app"},
		{"psql", "\\i x.sql\n", "fs.read x.sql; db.change app"},
		{"psql", "select 1\n\\gexec", "db.change app; ?"},
		{"mysql", "system id\nselect 1", "db.read app; shell: id"},
		{"mysql", "select a,\nsystem\nfrom t", "db.read app"},
		{"mysql", "select 1\\G drop table t", "db.destroy t in app"},
		{"mysql", "delimiter //\ndrop table t//\n", "db.destroy t in app"},
		{"mysql", "\\T /tmp/x\nselect 'a\\'\n\\! id'", "fs.write /tmp/x; db.read app"},
		{"mysql", "select 1; \\! id", "db.read app; shell: id"},
		{"sqlite3", ".once |sh\nselect 1;", "db.read app; fs.read app; shell: sh"},
		{"sqlite3", "select 1,\n.5;\n.tables", "db.read app; fs.read app"},
		{"sqlite3", "select 1\n.shell id\n", "db.read app; fs.read app"},
		{"sqlite3", "create table t(a)\ngo\ndrop table t\n/", "db.destroy t in app; fs.write app"},
		{"sqlcmd", "select 1\nGO\ndrop table t\nGO", "db.destroy t in app"},
		{"sqlcmd", "select 1 drop table t", "db.destroy t in app"},
		{"sqlcmd", ":!! id\nselect 1", "db.read app; shell: id"},
		{"isql", "select 1\nGO\ndrop table t", "db.destroy t in app"},
		{"isql", "select\nhost from t", "db.read app"},
	} {
		m := &catalog.Match{Program: &catalog.Program{Names: []string{c.client}}, Chain: []*catalog.Command{{Name: c.client}}}
		m.Args = []catalog.Bound{{Arg: &catalog.Arg{Name: "database"}, Value: value.Lit("app")}}
		r := &catalog.Result{Match: m}
		hooks[c.client](m, &catalog.Site{Name: c.client, Stdin: value.Lit(c.stdin), HasStdin: true}, r)
		var got []string
		for _, e := range r.Effects {
			got = append(got, string(e.Verb)+" "+e.Target.String())
		}
		for _, run := range r.Runs {
			got = append(got, "shell: "+run.Text.String())
		}
		for range r.Unknowns {
			got = append(got, "?")
		}
		if all := strings.Join(got, "; "); all != c.want {
			t.Errorf("%s %q:\n got %s\nwant %s", c.client, c.stdin, all, c.want)
		}
	}
}
