package sqleffect_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/sqleffect"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// tell writes deeds as one line.
func tell(d sqleffect.Deeds) string {
	var out []string
	on := func(host string) string {
		if host == "" {
			return ""
		}
		return " on " + host
	}
	for _, e := range d.Effects {
		text := string(e.Verb)
		if s := e.Target.String(); s != "" {
			text += " " + s
		}
		if e.Kind != risk.NoKind {
			text += " (" + e.Kind.String() + ")"
		}
		out = append(out, text+on(e.Host))
	}
	for _, r := range d.Runs {
		kind := map[catalog.RunKind]string{catalog.RunShell: "shell", catalog.RunPlugin: "plugin"}[r.Kind]
		out = append(out, kind+": "+r.Text.String()+on(r.Wrap.Host))
	}
	for _, u := range d.Unknowns {
		out = append(out, "? "+u.What)
	}
	return strings.Join(out, "; ")
}

func server() sqleffect.Database {
	return sqleffect.Server(sql.PostgreSQL, value.Lit("shop"), value.Lit("db.test"))
}

func TestOn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"SET search_path = x", ""},
		{"SELECT 1; INSERT INTO t VALUES (1)", "db.change shop at db.test"},
		{"DROP TABLE a; DROP TABLE b, c", "db.destroy a in shop at db.test (DROP TABLE); db.destroy b in shop at db.test (DROP TABLE); db.destroy c in shop at db.test (DROP TABLE)"},
		{"DELETE FROM t; TRUNCATE t", "db.destroy t in shop at db.test (DELETE without WHERE); db.destroy t in shop at db.test (TRUNCATE)"},
		{"SELECT pg_read_file('/etc/shadow')", "db.read shop at db.test; fs.read /etc/shadow (SQL) on db.test"},
		{"COPY t TO '/tmp/x'", "db.read shop at db.test; fs.write /tmp/x (SQL) on db.test"},
		{"COPY t FROM PROGRAM 'id'", "db.change shop at db.test; exec.shell id (server command) on db.test; shell: id on db.test"},
		{"LOAD DATA LOCAL INFILE 'a' INTO TABLE t", "db.change shop at db.test; fs.read a (SQL)"},
		{"LOAD 'x.so'", "db.change shop at db.test; plugin: x.so on db.test"},
		{"GRANT ALL ON t TO app WITH GRANT OPTION", "db.change shop at db.test; priv.gain app (the right to grant)"},
		{"GRANT admins TO app", "db.change shop at db.test; priv.gain app (role)"},
		{"ALTER ROLE app NOSUPERUSER", "db.change shop at db.test"},
		{"ALTER ROLE app SUPERUSER", "db.change shop at db.test; priv.gain app (administrator of the database)"},
		{"SET GLOBAL read_only = 0", "db.change shop at db.test"},
		{"SET @@global.read_only = 0", "db.change shop at db.test"},
		{"PRAGMA optimize", "db.change shop at db.test"},
		{"PRAGMA synchronous = OFF", "db.read shop at db.test"},
		{"RESTORE DATABASE x", "db.destroy x in shop at db.test (data is lost)"},
		{"SELECT lo_unlink(7)", "db.destroy shop at db.test (data is lost)"},
		{"SELECT setval('s', 1)", "db.change shop at db.test"},
		{"'x'", "db.change shop at db.test; ? SQL that is not known"},
	} {
		o := sqleffect.Read(value.Lit(c.text), sql.PostgreSQL)
		if got := tell(o.On(server())); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestEmbedded holds what a library does to its own process.
func TestEmbedded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SELECT writefile('/tmp/x', 'y')":   "db.read a.db; fs.write /tmp/x (SQL)",
		"SELECT load_extension('./x.so')":   "db.read a.db; plugin: ./x.so",
		"SELECT edit('', 'sh')":             "db.read a.db; shell: sh",
		"SELECT readfile('/etc/passwd')":    "db.read a.db; fs.read /etc/passwd (SQL)",
		"DROP TABLE t; SELECT 1; DELETE 'x": "db.destroy t in a.db (DROP TABLE); db.destroy a.db (DELETE without WHERE)",
	} {
		o := sqleffect.Read(value.Lit(text), sql.SQLite)
		if got := tell(o.On(sqleffect.File(value.Lit("a.db")))); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// TestHoles holds what is not known to where it stands.
func TestHoles(t *testing.T) {
	t.Parallel()
	x := value.Unknown(risk.CauseUnset, "x")
	for _, c := range []struct {
		text value.Value
		want string
	}{
		{value.Concat(value.Lit("DELETE FROM t WHERE id = "), x), "db.change"},
		{value.Concat(value.Lit("DELETE FROM "), x), "db.destroy (DELETE without WHERE)"},
		{value.Concat(value.Lit("COPY t TO PROGRAM 'gzip > "), x, value.Lit("'")), "db.read; exec.shell gzip > $x (server command); shell: gzip > $x"},
		{value.Concat(value.Lit("COPY t TO '/tmp/"), x, value.Lit("_y'")), "db.read; fs.write /tmp/$x_y (SQL)"},
		{value.Concat(value.Lit("GRANT ALL ON t TO "), x), "db.change; priv.gain (all rights)"},
		{x, "db.change; ? SQL that is not known"},
		{value.Lit("SELECT heed_hole0_"), "db.read"},
		{value.Concat(value.Lit("COPY t TO 'heed_hole7_heed_hole' -- "), x), "db.read; fs.write heed_hole7_heed_hole (SQL)"},
	} {
		o := sqleffect.Read(c.text, sql.PostgreSQL)
		got := strings.NewReplacer("<x>", "$x", "${x}", "$x").Replace(tell(o.On(sqleffect.Database{})))
		if got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestAny holds text of an unknown dialect to its worst reading, told once.
func TestAny(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"DROP TABLE \"a\"":                              "db.destroy a (DROP TABLE)",
		"DROP TABLE [a]":                                "db.destroy a (DROP TABLE)",
		"SELECT 1 # ; DROP TABLE t":                     "db.destroy t (DROP TABLE)",
		"INSERT INTO t VALUES ('it\\'s; DROP TABLE t')": "db.change",
		"COPY t TO PROGRAM 'id'":                        "db.read; exec.shell id (server command); shell: id",
	} {
		o := sqleffect.Read(value.Lit(text), sql.Any)
		if got := tell(o.On(sqleffect.Database{})); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "DROP TABLE t%d; COPY t TO '/tmp/%d';", i, i)
	}
	o := sqleffect.Read(value.Lit(b.String()), sql.PostgreSQL)
	d := o.On(sqleffect.Database{})
	if len(d.Effects) > 100 || len(d.Unknowns) != 1 || !d.Effects[0].Many {
		t.Errorf("%d effects, %d unknowns", len(d.Effects), len(d.Unknowns))
	}
}

func TestConnection(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"postgresql://me:secret@DB.test:5432/shop?x=1": "shop at db.test|db.test",
		"postgres://localhost/shop":                    "shop at localhost|",
		"postgres:///shop?host=/run/postgresql":        "shop at /run/postgresql|",
		"postgres:///shop?host=db.test":                "shop at db.test|db.test",
		"postgres://[::1]:5432/shop":                   "shop at ::1|",
		"postgres://":                                  "the database|",
		"dbname='shop' host=127.0.0.1":                 "shop at 127.0.0.1|",
		"host=db.test":                                 "db.test|db.test",
	} {
		db, ok := sqleffect.Connection(sql.PostgreSQL, value.Lit(text))
		if got := db.Name.String() + "|" + db.Host; !ok || got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
	if _, ok := sqleffect.Connection(sql.PostgreSQL, value.Lit("shop")); ok {
		t.Error("a name is taken for a connection string")
	}
	db, _ := sqleffect.Connection(sql.PostgreSQL, value.Concat(value.Lit("postgres://me@db"), value.Unknown(risk.CauseUnset, "x")))
	if db.Host != "" {
		t.Errorf("a host that goes on: %s", db.Host)
	}
}

func TestLocate(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"":                           " memory",
		":memory:":                   " memory",
		"a.db":                       "a.db",
		":memory:x":                  ":memory:x",
		"file:a.db?mode=ro":          "a.db read-only",
		"file:///a/b.db?immutable=1": "/a/b.db read-only",
		"file://localhost/a.db":      "/a.db",
		"file::memory:?cache=shared": ":memory: memory",
		"file:a?mode=memory":         "a memory",
	} {
		l := sqleffect.Locate(value.Lit(name))
		got := l.Path.String()
		if l.Memory {
			got += " memory"
		}
		if l.ReadOnly {
			got += " read-only"
		}
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// FuzzRead holds readings to one another: more text does not do less.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"select 1", "DROP TABLE a, b", "COPY t TO PROGRAM 'x'", "GRANT a TO b", "PRAGMA x=1", "/*", "'", "EXEC xp_cmdshell 'x'", "heed_hole1_"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text := value.Concat(value.Lit(s), value.Unknown(risk.CauseUnset, "x"))
		for _, d := range []sql.Dialect{sql.Any, sql.PostgreSQL, sql.MySQL, sql.SQLite, sql.SQLServer} {
			o := sqleffect.Read(text, d)
			deeds := o.On(sqleffect.Database{})
			if slices.ContainsFunc(deeds.Effects, func(e catalog.Effect) bool { return !e.Kind.With(e.Verb) }) {
				t.Errorf("%q: a kind that does not go with its verb: %s", s, tell(deeds))
			}
			before := o
			before.Add(&o)
			if tell(before.On(sqleffect.Database{})) != tell(deeds) {
				t.Errorf("%q: twice the same is more", s)
			}
			o.Spare()
			if o.Changes() {
				t.Errorf("%q: it changes what is spared", s)
			}
		}
		sqleffect.Locate(value.Lit(s))
		sqleffect.Connection(sql.Any, value.Lit(s))
	})
}
