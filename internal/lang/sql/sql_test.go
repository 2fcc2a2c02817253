package sql

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// tokens writes the tokens of a text as one line, each with a letter for what
// it is.
func tokens(text string, d Dialect) (line string, open bool) {
	p := splitter{lexer: lexer{text: text, rules: d.rules(), hole: "hole"}, fresh: true}
	p.run()
	var statements []string
	for _, all := range p.all {
		var b strings.Builder
		for i, t := range all {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteByte("?wnsNp."[t.Kind])
			if t.Hole {
				b.WriteByte('?')
			}
			b.WriteString("<" + t.Text + ">")
		}
		statements = append(statements, b.String())
	}
	return strings.Join(statements, " ; "), p.open
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d          Dialect
		text, want string
	}{
		{PostgreSQL, `SELECT 'it''s' "A ""b""" 1.5 x::int $1`, `w<SELECT> s<it's> n<A "b"> N<1.5> w<x> .<::> w<int> p<$1>`},
		{PostgreSQL, `a # b; c`, `w<a> .<#> w<b> ; w<c>`},
		{PostgreSQL, `'\'; x`, `s<\> ; w<x>`},
		{PostgreSQL, `E'\'; x'`, `s<'; x>`},
		{PostgreSQL, `$$a;b$$ $t$ $$ $t$`, `s<a;b> s< $$ >`},
		{PostgreSQL, `/* a /* b */ c; */ d`, `w<d>`},
		{PostgreSQL, `1--2`, `N<1>`},
		{MySQL, `a # b; c`, `w<a>`},
		{MySQL, "a # b\nc", `w<a> w<c>`},
		{MySQL, `1--2`, `N<1> .<-> .<-> N<2>`},
		{MySQL, `1 -- 2`, `N<1>`},
		{MySQL, `'\'; x'`, `s<'; x>`},
		{MySQL, "\"a\" `b`", `s<a> n<b>`},
		{MySQL, `$$a;b$$`, `.<$> p<$a> ; w<b$$>`},
		{MySQL, `/*!50000 a */ /* b */ c`, `w<a> w<c>`},
		{MySQL, `/* a /* b */ c`, `w<c>`},
		{MySQL, "DELIMITER //\na; b // c//\nDELIMITER ;\nd; e", `w<a> ; w<b> ; w<c> ; w<d> ; w<e>`},
		{MySQL, "delimiter $$\na$$ b", `w<a> ; w<b>`},
		{SQLite, "[a;b] `c` \"d\" '\\'", `n<a;b> n<c> n<d> s<\>`},
		{SQLite, "a\nGO\nb", `w<a> ; w<b>`},
		{SQLite, `?1 :a @b $c`, `p<?1> p<:a> p<@b> p<$c>`},
		{SQLServer, "a\ngo 5\nb; c\n GO;\nd", `w<a> ; w<b> ; w<c> ; w<d>`},
		{SQLServer, "a go b", `w<a> w<go> w<b>`},
		{SQLServer, `N'a' [b] @@c #d`, `s<a> n<b> p<@@c> .<#> w<d>`},
		{PostgreSQL, `hole0_ x_hole1_ 'a hole2_'`, `w?<hole0_> w?<x_hole1_> s?<a hole2_>`},
		{PostgreSQL, `;;a;;`, `w<a>`},
		{PostgreSQL, "\f \v\r\n", ""},
	} {
		if got, _ := tokens(c.text, c.d); got != c.want {
			t.Errorf("%s %q:\n got %s\nwant %s", c.d, c.text, got, c.want)
		}
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"'a": true, "a'": true, "/* a": true, "$a$ b $": true, `"a`: true, "'a'": false, "-- a": false, "/* /* */": true} {
		if _, got := tokens(text, PostgreSQL); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
}

// TestReadings holds text of an unknown dialect to the dialects that it fits.
func TestReadings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want int // readings in which a table is dropped
		of   int
	}{
		{"SELECT 1; DROP TABLE t", 4, 4},
		{`SELECT '\'; DROP TABLE t; --'`, 3, 4},
		{`INSERT INTO t VALUES ('it\'s; DROP TABLE t')`, 0, 1},
		{"SELECT 1 # ; DROP TABLE t", 3, 4},
		{"SELECT '", 0, 4},
	} {
		drops, all := 0, Read(c.text, Options{})
		for _, s := range all {
			if slices.ContainsFunc(s.Statements, func(s Statement) bool { return s.Kind == Drop }) {
				drops++
			}
		}
		if drops != c.want || len(all) != c.of {
			t.Errorf("%q: %d of %d, want %d of %d", c.text, drops, len(all), c.want, c.of)
		}
	}
}

// tell writes what a statement says.
func tell(s *Statement) string {
	out := []string{kindNames[s.Kind]}
	add := func(on bool, words ...string) {
		if on {
			out = append(out, words...)
		}
	}
	add(s.What != "", s.What)
	add(len(s.Objects) > 0, strings.Join(s.Objects, ","))
	add(s.Rows != NoWhere, [...]string{"", "every", "some"}[s.Rows])
	add(s.Into, "into")
	add(s.Temporary, "temporary")
	add(len(s.Drops) > 0, "drops:"+strings.Join(s.Drops, ","))
	add(s.Setting != Setting{}, fmt.Sprintf("%s=%s,%t", s.Setting.Name, s.Setting.Value, s.Setting.Given))
	for _, u := range s.Uses {
		out = append(out, [...]string{"", "reads", "writes", "runs", "loads"}[u.Role]+":"+u.Text)
	}
	for i := range s.Inner {
		out = append(out, "{"+tell(&s.Inner[i])+"}")
	}
	add(s.More, "more")
	return strings.Join(out, " ")
}

var kindNames = map[Kind]string{
	Unknown: "unknown", Opaque: "opaque", Query: "query", Show: "show", Explain: "explain", Insert: "insert", Update: "update", Delete: "delete", Merge: "merge",
	Truncate: "truncate", Drop: "drop", Alter: "alter", Create: "create", Grant: "grant", Revoke: "revoke", Set: "set", Session: "session", Pragma: "pragma",
	Copy: "copy", Unload: "unload", Load: "load", Restore: "restore", Attach: "attach", Detach: "detach", Block: "block", Run: "run", Upkeep: "upkeep",
}

func TestStatements(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d          Dialect
		text, want string
	}{
		{PostgreSQL, "select 1 -- drop table x", "query"},
		{PostgreSQL, "((SELECT 1))", "query"},
		{PostgreSQL, "SELECT * INTO backup FROM t", "query into"},
		{MySQL, "SELECT 1 INTO @x", "query"},
		{MySQL, "SELECT 1 INTO OUTFILE '/tmp/x'", "query writes:/tmp/x"},
		{PostgreSQL, "DELETE FROM a.b", "delete a.b"},
		{PostgreSQL, `DELETE FROM ONLY "T" WHERE id = 1`, "delete T some"},
		{PostgreSQL, "DELETE FROM hole0_ WHERE id = hole1_", "delete some"},
		{PostgreSQL, "DELETE FROM t USING (SELECT 1 WHERE x) q", "delete t"},
		{PostgreSQL, "UPDATE t SET a = 'where'", "update t"},
		{PostgreSQL, "drop table if exists a.\"B c\", d cascade", "drop TABLE a.B c,d"},
		{MySQL, "DROP TEMPORARY TABLE t", "drop TABLE t temporary"},
		{PostgreSQL, "DROP MATERIALIZED VIEW v", "drop VIEW v"},
		{PostgreSQL, "DROP OWNED BY app", "drop OWNED app"},
		{PostgreSQL, "ALTER TABLE t DROP CONSTRAINT c, DROP COLUMN d", "alter TABLE t drops:CONSTRAINT,COLUMN"},
		{PostgreSQL, "TRUNCATE TABLE a, b CASCADE", "truncate a,b"},
		{SQLite, "PRAGMA main.user_version = -7", "pragma user_version=7,true"},
		{SQLite, "pragma table_info(t)", "pragma table_info=t,true"},
		{SQLite, "PRAGMA user_version", "pragma user_version=,false"},
		{PostgreSQL, "WITH x AS (SELECT 1) DELETE FROM t", "delete t {query}"},
		{PostgreSQL, "WITH a AS (SELECT 1), b(n) AS NOT MATERIALIZED (DELETE FROM u WHERE 1=1 RETURNING *) SELECT * FROM b", "query {query} {delete u every}"},
		{PostgreSQL, "WITH RECURSIVE r AS (SELECT 1 UNION SELECT n FROM r) SEARCH DEPTH FIRST BY n SET o UPDATE t SET a = 1", "update t {query}"},
		{PostgreSQL, "WITH delete AS (SELECT 1) SELECT 2", "query {query}"},
		{SQLServer, "WITH x AS (SELECT 1 AS n) UPDATE x SET n = 2 WHERE n = 1", "update x some {query}"},
		{PostgreSQL, "WITH 1 AS x SELECT x", "query"},
		{PostgreSQL, "EXPLAIN DELETE FROM t", "explain"},
		{PostgreSQL, "EXPLAIN (ANALYZE, BUFFERS) DELETE FROM t", "explain {delete t}"},
		{PostgreSQL, "EXPLAIN (ANALYZE off) DELETE FROM t", "explain"},
		{MySQL, "DESC ANALYZE DELETE FROM t", "explain {delete t}"},
		{MySQL, "ANALYZE FORMAT=JSON DELETE FROM t", "explain {delete t}"},
		{MySQL, "ANALYZE TABLE t UPDATE HISTOGRAM ON c", "upkeep"},
		{PostgreSQL, "COPY t FROM PROGRAM 'id'", "copy t runs:id"},
		{PostgreSQL, "COPY t TO PROGRAM 'gzip > /x'", "unload t runs:gzip > /x"},
		{PostgreSQL, "COPY t (\"to\") FROM '/x'", "copy t reads:/x"},
		{PostgreSQL, "COPY (DELETE FROM t RETURNING *) TO '/x'", "unload writes:/x {delete t}"},
		{PostgreSQL, "CREATE FUNCTION f() RETURNS int AS '/x.so', 'f' LANGUAGE C", "create FUNCTION f loads:/x.so"},
		{MySQL, "CREATE FUNCTION f RETURNS int SONAME 'x.so'", "create FUNCTION f loads:x.so"},
		{MySQL, "LOAD DATA LOCAL INFILE 'a.csv' INTO TABLE t", "copy reads:a.csv"},
		{SQLite, "VACUUM INTO '/x'", "upkeep writes:/x"},
		{SQLite, "ATTACH DATABASE 'b.db' AS b", "attach reads:b.db"},
		{PostgreSQL, "ALTER SYSTEM SET archive_command = 'x'", "alter SYSTEM runs:x"},
		{PostgreSQL, "CREATE FOREIGN TABLE t (a int) SERVER s OPTIONS (program 'id')", "create TABLE t runs:id"},
		{PostgreSQL, "DO $$ BEGIN EXECUTE 'DROP TABLE x'; END $$", "run {run {drop TABLE x}} {session}"},
		{PostgreSQL, "BEGIN", "block"},
		{SQLServer, "IF OBJECT_ID('t') IS NOT NULL DROP TABLE t", "block {drop TABLE t}"},
		{PostgreSQL, "BEGIN INSERT INTO t VALUES (1) ON CONFLICT (a) DO UPDATE SET b = 1", "block {insert t}"},
		{PostgreSQL, "PREPARE p AS DELETE FROM t", "run {delete t}"},
		{SQLServer, "EXEC('DROP TABLE t')", "run {drop TABLE t}"},
		{SQLServer, "EXEC sp_executesql N'DELETE FROM t'", "run {delete t} {delete t}"},
		{PostgreSQL, "SELECT dblink_exec('host=b', 'DROP TABLE t')", "query {drop TABLE t}"},
		{MySQL, "START REPLICA", "upkeep"},
		{PostgreSQL, "START TRANSACTION", "session"},
		{PostgreSQL, "hole0_ FROM t", "opaque"},
		{PostgreSQL, "'x'", "opaque"},
		{PostgreSQL, "FROBNICATE t", "unknown"},
	} {
		s := Read(c.text, Options{Dialect: c.d, Hole: "hole"})
		if len(s) != 1 || len(s[0].Statements) != 1 {
			t.Errorf("%q: %d readings, not one of one statement", c.text, len(s))
			continue
		}
		one := s[0].Statements[0]
		if got := tell(&one); got != c.want {
			t.Errorf("%s %q:\n got %s\nwant %s", c.d, c.text, got, c.want)
		}
		if got := strings.TrimSpace(c.text[one.Start:one.End]); got == "" || !strings.HasPrefix(c.text[one.Start:], c.text[:1]) && c.text[0] != '(' {
			t.Errorf("%q: it stands at %q", c.text, got)
		}
	}
}

// TestSplit holds the end of statements to the dialect.
func TestSplit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d          Dialect
		text, want string
	}{
		{SQLite, "CREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM log; DROP TABLE x; END; SELECT 1", "create query"},
		{SQLite, "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT CASE 1 WHEN 1 THEN 2 END; DELETE FROM log; END; DROP TABLE t", "create drop"},
		{SQLite, "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; DROP TABLE t", "create drop"},
		{SQLite, "CREATE TABLE event (a); DROP TABLE t", "create drop"},
		{MySQL, "CREATE PROCEDURE p() BEGIN IF a THEN DELETE FROM t; END IF; DELETE FROM t; END; DROP TABLE t", "create drop"},
		{MySQL, "DELIMITER //\nCREATE PROCEDURE p() BEGIN DELETE FROM t; END//\nDROP TABLE t//", "create drop"},
		{PostgreSQL, "CREATE FUNCTION f() RETURNS void AS $$ DELETE FROM t; $$ LANGUAGE sql; SELECT 1", "create query"},
		{PostgreSQL, "CREATE PROCEDURE p() LANGUAGE sql BEGIN ATOMIC DELETE FROM t; END; DROP TABLE t", "create drop"},
		{SQLServer, "CREATE PROCEDURE p AS DELETE FROM t; DROP TABLE u\nGO\nDROP TABLE v", "create drop"},
		{SQLServer, "CREATE TABLE t (a int); DROP TABLE u", "create drop"},
		{SQLServer, "SELECT 1 DROP TABLE t", "query drop"},
		{SQLServer, "DROP TABLE IF EXISTS t", "drop"},
		{SQLServer, "SET NOCOUNT ON DELETE FROM t SELECT 1", "set delete query"},
		{SQLServer, "UPDATE t SET a = 1 WHERE b = 2 DELETE FROM u", "update delete"},
		{SQLServer, "SELECT a FROM t WHERE b = 1 FOR UPDATE", "query"},
		{SQLServer, "INSERT INTO t SELECT 1", "insert"},
		{SQLServer, "INSERT INTO t EXEC p", "insert"},
		{SQLServer, "please update me and drop it", "unknown"},
		{PostgreSQL, "SELECT 1 DROP TABLE t", "query"},
	} {
		var got []string
		for _, s := range Read(c.text, Options{Dialect: c.d}) {
			for i := range s.Statements {
				got = append(got, kindNames[s.Statements[i].Kind])
			}
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%s %q: %s, want %s", c.d, c.text, all, c.want)
		}
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	for where, want := range map[string]Rows{
		"": NoWhere, "WHERE": EveryRow, "WHERE true": EveryRow, "WHERE 1": EveryRow, "WHERE 2": EveryRow, "WHERE 0": SomeRows, "WHERE 1=1": EveryRow,
		"WHERE (((1 = 1)))": EveryRow, "WHERE 'a'='a'": EveryRow, "WHERE a = a": EveryRow, "WHERE a = 'a'": SomeRows, "WHERE id = 1 OR 1=1": EveryRow,
		"WHERE id = 1 OR (TRUE AND NOT FALSE)": EveryRow, "WHERE 1=1 AND id = 1": SomeRows, "WHERE (id = 1) OR (2 = 2)": EveryRow, "WHERE ? = ?": SomeRows,
		"WHERE a = 1 RETURNING *": SomeRows, "WHERE TRUE RETURNING *": EveryRow, "WHERE id IN (SELECT 1 OR 1)": SomeRows, "WHERE hole0_": SomeRows,
		"WHERE hole0_ = hole0_": SomeRows, "WHERE NOT 0": EveryRow, "WHERE a BETWEEN 1 AND 1": SomeRows, "WHERE CURRENT OF c": SomeRows,
	} {
		s := Read("DELETE FROM t "+where, Options{Dialect: PostgreSQL, Hole: "hole"})[0].Statements[0]
		if s.Rows != want {
			t.Errorf("%q: %d, want %d", where, s.Rows, want)
		}
	}
}

func TestRights(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Rights{
		"GRANT ALL ON t TO app":                        {All: true, Privileges: []string{"ALL"}, To: "app"},
		"GRANT a, b TO ROLE app":                       {Roles: true, Privileges: []string{"A", "B"}, To: "app"},
		"GRANT SELECT ON t TO app WITH GRANT OPTION":   {Option: true, Privileges: []string{"SELECT"}, To: "app"},
		"GRANT CREATE TABLE TO app":                    {Privileges: []string{"CREATE", "TABLE"}, To: "app"},
		"GRANT SELECT ON t TO 'a'@'%'":                 {Privileges: []string{"SELECT"}, To: "a"},
		"GRANT SELECT ON t TO hole0_":                  {Privileges: []string{"SELECT"}},
		"GRANT SELECT":                                 {},
		"ALTER ROLE app SUPERUSER":                     {Attributes: []string{"SUPERUSER"}, To: "app"},
		"ALTER ROLE app WITH SUPERUSER = false":        {Attributes: []string{"WITH", "FALSE"}, To: "app"},
		"CREATE USER app IN ROLE admins":               {Attributes: []string{"IN", "ADMINS"}, Member: true, To: "app"},
		"ALTER SERVER ROLE sysadmin ADD MEMBER me":     {Attributes: []string{"ADD", "ME"}, Member: true, To: "sysadmin"},
		"EXEC master..sp_addsrvrolemember 'me', 'all'": {Member: true},
		"DROP ROLE app":                                {},
	} {
		got := Read(text, Options{Dialect: MySQL, Hole: "hole"})[0].Statements[0].Rights
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"SELECT f(1), g('a', h('b'))":                       "f() g(a,b) h(b)",
		"SELECT \"F\"('a')":                                 "f(a)",
		"SELECT edit FROM t WHERE name = 'rm'":              "",
		"EXEC xp_cmdshell 'a'":                              "xp_cmdshell(a)",
		"IF 1 = 1 EXEC dbo.xp_cmdshell 'a'":                 "dbo(a) xp_cmdshell(a)",
		"xp_cmdshell 'a'":                                   "xp_cmdshell(a)",
		"SELECT f('" + strings.Repeat("', '", 9) + "') g()": "f(, , , , , , , ) g()",
	} {
		var got []string
		for _, c := range Read(text, Options{Dialect: SQLServer})[0].Statements[0].Calls {
			var args []string
			for _, a := range c.Args {
				args = append(args, a.Text)
			}
			got = append(got, c.Name+"("+strings.Join(args, ",")+")")
		}
		if all := strings.Join(got, " "); all != want && !strings.HasPrefix(text, "SELECT f('',") {
			t.Errorf("%q: %s, want %s", text, all, want)
		}
	}
}

// TestCommands holds the reader to what the client keeps to itself.
func TestCommands(t *testing.T) {
	t.Parallel()
	dots := func(rest string, at Place) (int, bool) {
		if rest[0] == '\\' {
			return 2, true
		}
		if rest[0] != '.' || !at.Line || !at.Fresh {
			return 0, false
		}
		n, _, _ := strings.Cut(rest, "\n")
		return len(n), false
	}
	const text = "select 1;\n.a b\nselect '\n.no\n', -- .no\n.5\n/*\n.no */ ;\n  .c\nselect 2 \\g select 3"
	s := Read(text, Options{Dialect: PostgreSQL, Command: dots})[0]
	var got []string
	for _, c := range s.Commands {
		got = append(got, text[c.Start:c.End])
	}
	if all := strings.Join(got, "|"); all != `.a b|.c|\g` {
		t.Errorf("commands: %q", all)
	}
	if len(s.Statements) != 4 {
		t.Errorf("%d statements", len(s.Statements))
	}
	greedy := Options{Command: func(string, Place) (int, bool) { return 1 << 30, true }}
	if s := Read("x", greedy)[0]; len(s.Commands) != 1 || s.Commands[0] != (Span{0, 1}) {
		t.Errorf("a command longer than the text: %+v", s.Commands)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	if s := Read(strings.Repeat("SELECT 1;", MaxText/9+1), Options{Dialect: SQLite})[0]; !s.Cut {
		t.Error("a long text is not cut")
	}
	deep := "DROP TABLE t"
	for range 8 {
		deep = "EXECUTE '" + strings.ReplaceAll(deep, "'", "''") + "'"
	}
	if s := Read(deep, Options{Dialect: PostgreSQL})[0].Statements[0]; !strings.Contains(tell(&s), "opaque") {
		t.Errorf("strings in strings: %s", tell(&s))
	}
	again := "SELECT 1"
	for range 3 { // the same string for each of many procedures
		again = "EXEC " + strings.Repeat("dblink ", 50) + "'" + strings.ReplaceAll(again, "'", "''") + "'"
	}
	if s := Read(again, Options{Dialect: PostgreSQL})[0].Statements[0]; !strings.Contains(tell(&s), "more") {
		t.Error("a string is read again without end")
	}
	many := Read("BEGIN "+strings.Repeat("DELETE FROM t END ", maxInner+1), Options{Dialect: PostgreSQL})[0].Statements[0]
	if !many.More || len(many.Inner) != maxInner {
		t.Errorf("%d inner statements, more %t", len(many.Inner), many.More)
	}
}

// FuzzRead holds the reader to staying inside the text.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"select 1", "DO $$ BEGIN EXECUTE 'drop table x'; END $$", "copy t to program 'x'", "/*", "'", "$a$", "(((", "\f ", "WITH x AS (SELECT 1) DELETE FROM t", "a\nGO\nb",
		"DELIMITER //\nx//", "CREATE TRIGGER t BEGIN SELECT 1; END; x", "EXEC('EXEC(''x'')')", "WHERE OR AND ((", "GRANT a TO", "PRAGMA a.b=", "\\g x", "E'\\", "/*!1 x */", "DELETE FROM t WHERE ((1=1",
	} {
		for d := range uint8(5) {
			f.Add(s, d)
		}
	}
	command := func(rest string, _ Place) (int, bool) {
		if rest[0] == '\\' || rest[0] == '.' {
			return 3, rest[0] == '\\'
		}
		return 0, false
	}
	f.Fuzz(func(t *testing.T, text string, d uint8) {
		for _, s := range Read(text, Options{Dialect: Dialect(d % 5), Hole: "hole", Command: command}) {
			end := 0
			for i := range s.Statements {
				one := &s.Statements[i]
				if one.Start < end || one.End > len(text) || one.End <= one.Start {
					t.Fatalf("%s %q: a statement at %d to %d, behind %d", s.Dialect, text, one.Start, one.End, end)
				}
				end = one.End
				if len(one.Inner) > 2*maxInner || len(one.Tokens) == 0 {
					t.Fatalf("%q: %d inner statements, %d tokens", text, len(one.Inner), len(one.Tokens))
				}
			}
			for _, c := range s.Commands {
				if c.Start < 0 || c.End > len(text) || c.End <= c.Start {
					t.Fatalf("%q: a command at %d to %d", text, c.Start, c.End)
				}
			}
		}
	})
}
