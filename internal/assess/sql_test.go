package assess_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// A sqlCaller is a way in which statements reach a database.
type sqlCaller struct {
	name    string
	command func(statement string) string
	// library is set where the database is a library in the caller's own
	// process: nothing there runs on a server.
	library bool
	// unread is set for code in a language of which heed never says that it has
	// seen all: the answer is CAUTION/B at least.
	unread bool
}

func sqlCallers() []sqlCaller {
	python := func(connect string) func(string) string {
		return func(s string) string {
			module, _, _ := strings.Cut(connect, ".")
			return "python3 -c " + quoted("import "+module+"\nc = "+connect+"\nc.cursor().execute("+strconv.Quote(s)+")")
		}
	}
	word := func(command string) func(string) string {
		return func(s string) string { return command + " " + quoted(s) }
	}
	fixed := func(command string) func(string) string { return func(string) string { return command } }
	return []sqlCaller{
		{name: "psql -c", command: word("psql -c")},
		{name: "psql URL", command: word("psql postgresql://me@localhost/shop -Atc")},
		{name: "mysql -e", command: word("mysql -h localhost shop -e")},
		{name: "sqlite3", command: word("sqlite3 app.db"), library: true},
		{name: "duckdb", command: word("duckdb app.db"), library: true},
		{name: "sqlcmd", command: word("sqlcmd -S localhost -d shop -Q")},
		{name: "psycopg2", command: python(`psycopg2.connect("dbname=shop host=localhost")`)},
		{name: "psycopg2 of the environment", command: python(`psycopg2.connect()`)},
		{name: "pymysql", command: python(`pymysql.connect(host="localhost", db="shop")`)},
		{name: "python's sqlite3", command: python(`sqlite3.connect("app.db")`), library: true},
		{name: "psql -f", command: fixed("psql -f s.sql")},
		{name: "psql <", command: fixed("psql < s.sql")},
		{name: "cat | psql", command: fixed("cat s.sql | psql")},
		{name: "psql \\i", command: fixed(`psql -c '\i s.sql'`)},
		{name: "sqlite3 .read", command: fixed(`sqlite3 app.db '.read s.sql'`), library: true},
		{name: "mysql source", command: fixed("mysql -h localhost shop -e 'source s.sql'")},
		{name: "printf | psql", command: func(s string) string { return "printf %s " + quoted(s) + " | psql" }},
		{name: "psql <<EOF", command: func(s string) string { return "psql <<'EOF'\n" + s + "\nEOF" }},
		{name: "PHP", unread: true, command: func(s string) string {
			return "php -r " + quoted(`$d = new PDO("pgsql:host=localhost;dbname=shop"); $d->exec(`+strings.ReplaceAll(strconv.Quote(s), "$", `\$`)+`);`)
		}},
		{name: "Ruby", unread: true, command: func(s string) string {
			return "ruby -e " + quoted(`require "pg"; PG.connect(host: "localhost", dbname: "shop").exec(`+strconv.Quote(s)+`)`)
		}},
		{name: "Node", unread: true, command: func(s string) string {
			return "node -e " + quoted(`const {Client} = require("pg"); const c = new Client({host: "localhost", database: "shop"}); c.query(`+strconv.Quote(s)+`)`)
		}},
		{name: "Perl", unread: true, command: func(s string) string {
			return "perl -e " + quoted(`use DBI; DBI->connect("dbi:Pg:dbname=shop;host=localhost")->do(`+strings.NewReplacer("$", `\$`, "@", `\@`).Replace(strconv.Quote(s))+`)`)
		}},
	}
}

func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// A sqlCase is a statement and the one answer for it: the verbs that matter,
// tier and level.
type sqlCase struct {
	statement, verbs, answer string
	// server is set for what only a server does.
	server bool
}

func sqlCases() []sqlCase {
	const reads, changes, loses = "SAFE/A", "CAUTION/B", "REVIEW/C"
	return []sqlCase{
		{statement: "SELECT count(*) FROM orders", verbs: "db.read", answer: reads},
		{statement: "select 'DROP TABLE orders'", verbs: "db.read", answer: reads},
		{statement: "SELECT 1 -- DROP TABLE orders", verbs: "db.read", answer: reads},
		{statement: "/* DROP TABLE orders; */ SELECT 1", verbs: "db.read", answer: reads},
		{statement: "(SELECT 1) UNION (SELECT 2)", verbs: "db.read", answer: reads},
		{statement: "VALUES (1), (2)", verbs: "db.read", answer: reads},
		{statement: "WITH x AS (SELECT 1 AS n) SELECT n FROM x", verbs: "db.read", answer: reads},
		{statement: "WITH RECURSIVE x(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM x) SELECT n FROM x LIMIT 3", verbs: "db.read", answer: reads},
		{statement: "EXPLAIN DELETE FROM orders", verbs: "db.read", answer: reads},
		{statement: "EXPLAIN (ANALYZE, BUFFERS) SELECT 1", verbs: "db.read", answer: reads},
		{statement: "EXPLAIN (ANALYZE false) DELETE FROM orders", verbs: "db.read", answer: reads},
		{statement: "SHOW TABLES", verbs: "db.read", answer: reads},
		{statement: "PRAGMA user_version", verbs: "db.read", answer: reads},
		{statement: "PRAGMA table_info(orders)", verbs: "db.read", answer: reads},
		{statement: "PRAGMA foreign_keys=ON", verbs: "db.read", answer: reads},
		{statement: "BEGIN; SELECT 1; COMMIT", verbs: "db.read", answer: reads},

		{statement: "PRAGMA user_version=7", verbs: "db.change", answer: changes},
		{statement: "PRAGMA user_version(7)", verbs: "db.change", answer: changes},
		{statement: "PRAGMA main.writable_schema = ON", verbs: "db.change", answer: changes},
		{statement: "PRAGMA journal_mode=WAL", verbs: "db.change", answer: changes},
		{statement: "PRAGMA wal_checkpoint", verbs: "db.change", answer: changes},
		{statement: "INSERT INTO orders VALUES (1, 'x; DROP TABLE orders')", verbs: "db.change", answer: changes},
		{statement: "INSERT INTO orders (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET n = 1", verbs: "db.change", answer: changes},
		{statement: "REPLACE INTO orders VALUES (1)", verbs: "db.change", answer: changes},
		{statement: "MERGE INTO orders o USING new n ON o.id = n.id WHEN MATCHED THEN UPDATE SET x = n.x", verbs: "db.change", answer: changes},
		{statement: "DELETE FROM orders WHERE id = 7", verbs: "db.change", answer: changes},
		{statement: "UPDATE orders SET a = 1 WHERE id IN (SELECT id FROM late)", verbs: "db.change", answer: changes},
		{statement: "WITH x AS (SELECT 1 AS id) DELETE FROM orders WHERE id IN (SELECT id FROM x)", verbs: "db.change", answer: changes},
		{statement: "WITH d AS (DELETE FROM orders WHERE id = 7 RETURNING *) SELECT count(*) FROM d", verbs: "db.change", answer: changes},
		{statement: "CREATE TABLE tags (id int REFERENCES orders ON DELETE CASCADE)", verbs: "db.change", answer: changes},
		{statement: "CREATE TRIGGER t AFTER INSERT ON orders BEGIN DELETE FROM log; DROP TABLE log; END", verbs: "db.change", answer: changes},
		{statement: "ALTER TABLE orders ADD COLUMN c int", verbs: "db.change", answer: changes},
		{statement: "ALTER TABLE orders DROP CONSTRAINT c", verbs: "db.change", answer: changes},
		{statement: "SELECT * INTO backup FROM orders", verbs: "db.change", answer: changes},
		{statement: "VACUUM", verbs: "db.change", answer: changes},
		{statement: "GRANT SELECT ON orders TO app", verbs: "db.change", answer: changes},
		{statement: "REVOKE ALL ON orders FROM app", verbs: "db.change", answer: changes},
		{statement: "CALL settle(1)", verbs: "db.change", answer: changes},
		{statement: "FROBNICATE orders", verbs: "db.change", answer: changes},

		{statement: "DROP TABLE orders", verbs: "db.destroy", answer: loses},
		{statement: "drop table if exists orders, items cascade", verbs: "db.destroy", answer: loses},
		{statement: "TRUNCATE orders", verbs: "db.destroy", answer: loses},
		{statement: "DELETE FROM orders", verbs: "db.destroy", answer: loses},
		{statement: "DELETE FROM orders WHERE 1=1", verbs: "db.destroy", answer: loses},
		{statement: "DELETE FROM orders WHERE id = 7 OR 1 = 1", verbs: "db.destroy", answer: loses},
		{statement: "UPDATE users SET admin = true", verbs: "db.destroy", answer: loses},
		{statement: "UPDATE users SET a = 'where'", verbs: "db.destroy", answer: loses},
		{statement: "WITH x AS (SELECT 1) DELETE FROM orders", verbs: "db.destroy", answer: loses},
		{statement: "WITH x AS (SELECT id FROM late WHERE n > 1) UPDATE orders SET paid = 0", verbs: "db.destroy", answer: loses},
		{statement: "WITH d AS (DELETE FROM orders RETURNING *) SELECT * FROM d", verbs: "db.destroy", answer: loses},
		{statement: "EXPLAIN ANALYZE DELETE FROM orders", verbs: "db.destroy", answer: loses},
		{statement: "ALTER TABLE orders DROP COLUMN c", verbs: "db.destroy", answer: loses},
		{statement: "ALTER TABLE orders DROP CONSTRAINT c, DROP COLUMN d", verbs: "db.destroy", answer: loses},
		{statement: "SELECT 1; DROP TABLE orders; SELECT 2", verbs: "db.destroy", answer: loses},
		{statement: "BEGIN; DELETE FROM orders; COMMIT", verbs: "db.destroy", answer: loses},
		{statement: "DROP TRIGGER t; DROP TABLE orders", verbs: "db.destroy", answer: loses},
		{statement: "PREPARE p AS DELETE FROM orders", verbs: "db.destroy", answer: loses},

		{statement: "GRANT ALL ON orders TO app", verbs: "db.change priv.gain", answer: loses},
		{statement: "GRANT admins TO app", verbs: "db.change priv.gain", answer: loses},
		{statement: "GRANT SELECT ON orders TO app WITH GRANT OPTION", verbs: "db.change priv.gain", answer: loses},
		{statement: "ALTER ROLE app SUPERUSER", verbs: "db.change priv.gain", answer: loses},
		{statement: "CREATE USER app IN ROLE admins", verbs: "db.change priv.gain", answer: loses},

		{statement: "COPY orders TO PROGRAM 'gzip > /backup/o.gz'", verbs: "db.read exec.shell", answer: loses, server: true},
		{statement: "COPY orders FROM PROGRAM 'id'", verbs: "db.change exec.shell", answer: loses, server: true},
		{statement: "COPY (DELETE FROM orders RETURNING *) TO STDOUT", verbs: "db.destroy", answer: loses, server: true},
		{statement: "COPY orders TO '/etc/cron.d/x'", verbs: "db.read", answer: loses, server: true},
		{statement: "COPY orders TO STDOUT", verbs: "db.read", answer: reads, server: true},
		{statement: "COPY orders FROM STDIN", verbs: "db.change", answer: changes, server: true},
		{statement: "SELECT dblink_exec('host=b', 'DELETE FROM orders')", verbs: "db.destroy", answer: loses, server: true},
		{statement: "EXEC xp_cmdshell 'whoami'", verbs: "db.change exec.shell", answer: loses, server: true},
		{statement: "CREATE FUNCTION f() RETURNS int AS '/tmp/x.so', 'f' LANGUAGE C", verbs: "db.change", answer: loses, server: true},
		{statement: "ALTER SYSTEM SET archive_command = 'cp %p /backup/%f'", verbs: "db.change exec.shell", answer: loses, server: true},
		{statement: "SELECT pg_terminate_backend(7)", verbs: "db.change", answer: changes, server: true},
	}
}

// TestStatementsHaveOneAnswer holds every caller of a database to the same
// answer for the same statement.
func TestStatementsHaveOneAnswer(t *testing.T) {
	t.Parallel()
	a := assess.New()
	for _, c := range sqlCases() {
		t.Run(c.statement, func(t *testing.T) {
			t.Parallel()
			setup := "git /home/u/project on main\nenv PGHOST=localhost\nenv PGDATABASE=shop\napp.db tracked\ns.sql tracked " + strconv.Quote(c.statement+"\n")
			for _, caller := range sqlCallers() {
				if c.server && caller.library {
					continue
				}
				w, dir, env, err := fakeworld.Parse(setup)
				if err != nil {
					t.Fatal(err)
				}
				answer, _, err := a.Assess(t.Context(), w, risk.Request{Command: caller.command(c.statement), Dir: dir, Env: env})
				if err != nil {
					t.Fatal(err)
				}
				want := c.answer
				if caller.unread && want == "SAFE/A" {
					want = "CAUTION/B"
				}
				if got := fmt.Sprintf("%s/%s", answer.Tier, answer.Level); got != want {
					t.Errorf("%s: %s %s, want %s", caller.name, got, answer.Summary, want)
				}
				if got := databaseVerbs(&answer); got != c.verbs {
					t.Errorf("%s: %s, want %s", caller.name, got, c.verbs)
				}
			}
		})
	}
}

// databaseVerbs are the verbs of what is done to the database, to rights, and
// by shells, in order.
func databaseVerbs(a *risk.Assessment) string {
	var all []string
	for _, e := range a.Effects {
		v := string(e.Verb)
		if strings.HasPrefix(v, "db.") || e.Verb == risk.PrivGain || e.Verb == risk.ExecShell {
			all = append(all, v)
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}
