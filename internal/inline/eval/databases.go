package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/sqleffect"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// Drivers of SQL databases. A connection, and a cursor of it, is an object of
// class "db" that knows its database; what a statement does there, package
// sqleffect says.

// pythonDatabases lists drivers of Python: its library reference, sqlite3;
// PEP 249; the references of psycopg, PyMySQL, MySQL Connector, SQLAlchemy 2.
func pythonDatabases(t *table) {
	t.call(libpq, "psycopg2.connect psycopg.connect")
	t.call(mysqlServer, "pymysql.connect MySQLdb.connect mysql.connector.connect")
	t.call(func(s *scan, c *call) val { return s.dataSource(c.arg(0, "url").value()) }, "sqlalchemy.create_engine")
	t.call(same, "sqlalchemy.text sqlalchemy.sql.text")
	t.call(sqliteFile(sql.SQLite), "sqlite3.connect")
	t.method("db", query(0), "execute executescript executemany")
	t.method("db", func(_ *scan, c *call) val { return c.recv }, "cursor connect __enter__ begin")
	t.method("db", quiet, "commit close fetchall fetchone rollback fetchmany")
	t.method("*", query(0), "execute executescript executemany")
}

// phpDatabases lists drivers of PHP (PHP manual, Database Extensions).
func phpDatabases(t *table) {
	t.call(func(s *scan, c *call) val { return s.dataSource(c.arg(0).value()) }, "pdo")
	t.call(mysqlServer, "mysqli mysqli_connect mysql_connect")
	t.call(libpq, "pg_connect pg_pconnect")
	t.call(sqliteFile(sql.SQLite), "sqlite3")
	t.method("db", query(0), "exec query prepare execute real_query multi_query")
	t.method("db", quiet, "close fetch fetchall setattribute fetchall fetchArray quote lastInsertId")
	t.method("*", query(0), "exec query multi_query")
	t.call(query(1), "mysqli_query pg_query mysqli_multi_query sqlite_query pg_exec")
	t.call(query(0), "mysql_query")
}

// rubyDatabases lists drivers of Ruby (references of the gems sqlite3, pg,
// mysql2 and sequel).
func rubyDatabases(t *table) {
	t.call(sqliteFile(sql.SQLite), "SQLite3.Database.new")
	t.call(libpq, "PG.connect PG.Connection.new PG.Connection.open")
	t.call(mysqlServer, "Mysql2.Client.new")
	t.call(func(s *scan, c *call) val { return s.dataSource(c.arg(0).value()) }, "Sequel.connect")
	t.method("db", query(0), "execute query exec execute_batch run")
	t.method("*", query(0), "execute execute_batch")
}

// nodeDatabases lists drivers of Node.js (references of pg, mysql2, sqlite3,
// better-sqlite3 and node:sqlite).
func nodeDatabases(t *table) {
	t.call(libpq, "pg.Client pg.Pool")
	t.call(mysqlServer, "mysql.createConnection mysql2.createConnection mysql.createPool mysql2.createPool")
	t.call(sqliteFile(sql.SQLite), "sqlite3.Database better-sqlite3 node:sqlite.DatabaseSync sqlite.DatabaseSync")
	t.method("db", query(0), "query exec run prepare execute all each")
	t.method("db", quiet, "connect end close")
	t.method("*", query(0), "query")
}

// perlDatabases lists DBI (DBI(3pm)).
func perlDatabases(t *table) {
	t.call(func(s *scan, c *call) val { return s.dataSource(c.arg(0).value()) }, "DBI.connect")
	t.method("db", query(0), "do prepare execute selectall_arrayref selectrow_array")
	t.method("db", quiet, "disconnect commit")
}

// option is a named argument of a call, or of the dictionary that is its first.
func option(c *call, names ...string) value.Value {
	for _, n := range names {
		if v, ok := c.kw[n]; ok {
			return v.value()
		}
		if first := c.arg(0); first.k == vDict {
			if v, ok := first.item(n); ok {
				return v.value()
			}
		}
	}
	return value.Value{}
}

// plainArg is an argument by its place, unless it is a dictionary of options.
func plainArg(c *call, i int) value.Value {
	if v := c.arg(i); v.k != vDict && i < len(c.args) {
		return v.value()
	}
	return value.Value{}
}

// database is a connection to a database.
func (s *scan) database(db sqleffect.Database) val {
	s.pure = false
	if db.Host != "" {
		s.effect(catalog.Effect{Verb: risk.NetConnect, Target: value.Lit(db.Host), Kind: risk.KindDatabase})
	}
	v := object("db", db.Name)
	v.db = &db
	return v
}

// libpq connects as PostgreSQL's own library does: to what a connection string,
// options and the environment say (PostgreSQL 17, 32.1 and 32.15).
func libpq(s *scan, c *call) val {
	given := plainArg(c, 0)
	if given.Empty() {
		given = option(c, "dsn", "conninfo", "connectionString")
	}
	if db, ok := sqleffect.Connection(sql.PostgreSQL, given); ok {
		return s.database(db)
	}
	if !given.IsKnown() {
		return s.database(sqleffect.Server(sql.PostgreSQL, given, value.Value{}))
	}
	host, name := option(c, "host", "hostaddr"), option(c, "dbname", "database")
	if host.Empty() {
		host, _ = s.host.Variable("PGHOST")
	}
	if name.Empty() {
		name, _ = s.host.Variable("PGDATABASE")
	}
	return s.database(sqleffect.Server(sql.PostgreSQL, name, host))
}

// mysqlServer connects to a server of MySQL.
func mysqlServer(s *scan, c *call) val {
	if db, ok := sqleffect.Connection(sql.MySQL, plainArg(c, 0)); ok {
		return s.database(db)
	}
	host, name := option(c, "host"), option(c, "db", "database")
	if host.Empty() {
		host = plainArg(c, 0)
	}
	if name.Empty() {
		name = plainArg(c, 3)
	}
	return s.database(sqleffect.Server(sql.MySQL, name, host))
}

// sqliteFile opens a database that is a file, or in memory.
func sqliteFile(d sql.Dialect) action {
	return func(s *scan, c *call) val {
		name := c.arg(0, "database").value()
		if first := c.arg(0); first.k == vNone && !c.has(0, "database") || first.k == vDict {
			name = value.Value{}
		}
		return s.opened(d, name)
	}
}

// opened is a connection to a database that is a file.
func (s *scan) opened(d sql.Dialect, name value.Value) val {
	db := sqleffect.File(name)
	db.Dialect = d
	if at := db.At; !at.Memory {
		missing := !at.ReadOnly && s.host.Missing != nil && s.host.Missing(s.place(at.Path))
		for _, e := range sqleffect.Opens(at, false, missing) {
			e.Shown = false
			s.effect(e)
		}
	}
	return s.database(db)
}

// dataSource connects to what a URL or data source name says: of SQLAlchemy and
// Sequel ("sqlite:///a.db"), PDO ("mysql:host=h;dbname=d"), DBI ("dbi:Pg:…").
func (s *scan) dataSource(v value.Value) val {
	prefix := v.Prefix()
	kind, rest, _ := strings.Cut(prefix, ":")
	if strings.EqualFold(kind, "dbi") {
		kind, rest, _ = strings.Cut(rest, ":")
	}
	kind, _, _ = strings.Cut(strings.ToLower(kind), "+")
	d := sourceDialect(kind)
	if d == sql.SQLite {
		name := v.Cut(len(prefix) - len(rest))
		switch text := name.Prefix(); {
		case strings.HasPrefix(text, "///"): // sqlalchemy's relative path; a fourth slash is the path's own
			name = name.Cut(3)
		case strings.HasPrefix(text, "//"):
			name = name.Cut(2)
		case strings.HasPrefix(text, "dbname="):
			name = name.Cut(len("dbname="))
		}
		return s.opened(d, name)
	}
	if strings.HasPrefix(rest, "//") {
		if db, ok := sqleffect.Connection(d, v); ok {
			return s.database(db)
		}
	}
	name, host := sqleffect.Keywords(rest)
	return s.database(sqleffect.Server(d, name, host))
}

// sourceDialect is the database of a kind of data source.
func sourceDialect(kind string) sql.Dialect {
	switch kind {
	case "sqlite", "sqlite3":
		return sql.SQLite
	case "postgres", "postgresql", "pgsql", "pg":
		return sql.PostgreSQL
	case "mysql", "mysql2", "mariadb":
		return sql.MySQL
	case "mssql", "sqlsrv", "dblib", "tinytds":
		return sql.SQLServer
	}
	return sql.Any
}

// query makes an action that has a database run argument i.
func query(i int) action {
	return func(s *scan, c *call) val {
		db := c.recv
		if first := c.arg(0); i > 0 && first.db != nil {
			db = first
		}
		if !c.has(i) { // of a statement that was prepared before
			return db
		}
		s.query(db, c.arg(i).value())
		cursor := object("db", db.s)
		cursor.db = db.db
		return cursor
	}
}

// query has a database run a text. Of what is no database that is known only
// statements that are known are told: other things are executed, too.
func (s *scan) query(of val, text value.Value) {
	s.pure = false
	if !text.IsKnown() {
		s.impure()
	}
	db := sqleffect.Database{}
	switch {
	case of.db != nil:
		db = *of.db
	case of.k == vObj:
		db.Name = of.s
	}
	if text.Prefix() == "" && !text.IsKnown() || text.Empty() {
		if of.k != vObj {
			s.seen = false
			return
		}
		s.effect(catalog.Effect{Verb: risk.DBChange, Target: db.Name, Kind: risk.KindStatementNotKnown})
		return
	}
	out := sqleffect.Read(text, db.Dialect)
	if of.k != vObj && !out.Known() {
		s.seen = false
		return
	}
	if db.At.Memory || db.At.ReadOnly {
		out.Spare()
	}
	d := out.On(db)
	if db.Embedded && out.Changes() {
		d.Effects = append(d.Effects, sqleffect.Opens(db.At, true, false)...)
	}
	for _, e := range d.Effects {
		s.effect(e)
	}
	for i := range d.Runs {
		s.run(d.Runs[i])
	}
	if len(d.Unknowns) > 0 {
		s.seen = false
	}
}
