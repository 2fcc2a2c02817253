package sqleffect

import (
	"net/url"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A Database is what statements are run on.
type Database struct {
	// Name is what people call it: "shop at db.prod", a file.
	Name    value.Value
	Dialect sql.Dialect
	// Host is the machine that its server runs on, if it is another.
	Host string
	// Embedded is set where the database is a library in the client's own
	// process: SQLite, DuckDB.
	Embedded bool
	At       Location // of an embedded database
}

// Server is the database of a name on a host, as far as they are known.
func Server(d sql.Dialect, name, host value.Value) Database {
	db := Database{Name: named(name, host), Dialect: d}
	if text, known := host.Known(); known {
		db.Host = elsewhere(text)
	}
	return db
}

// named names a database for people.
func named(name, host value.Value) value.Value {
	switch {
	case host.Empty():
		return name
	case name.Empty():
		return host
	}
	return value.Concat(name, value.Lit(" at "), host)
}

// elsewhere returns a host unless it is surely this machine: a directory of
// sockets (PostgreSQL 17, 32.1.2), a name for this machine (RFC 6761, 6.3), or
// its addresses (RFC 1122, 3.2.1.3).
func elsewhere(host string) string {
	host = strings.ToLower(strings.TrimPrefix(strings.ToLower(host), "tcp:"))
	host, _, _ = strings.Cut(host, ",") // SQL Server's port
	rest, numbers := strings.CutPrefix(host, "127.")
	switch {
	case host == "" || host[0] == '/' || host[0] == '@' || host == "." || host == "localhost" || strings.HasSuffix(host, ".localhost"):
		return ""
	case host == "::1" || host == "[::1]" || host == "0.0.0.0" || host == "(local)" || numbers && strings.Trim(rest, ".0123456789") == "":
		return ""
	}
	return host
}

// Connection is the database of a connection string: a URI, or libpq's keywords
// and values (PostgreSQL 17, 32.1.1). ok is false if it is neither.
func Connection(d sql.Dialect, v value.Value) (db Database, ok bool) {
	text := v.Prefix()
	switch {
	case strings.Contains(text, "://"):
		return fromURL(d, v), true
	case strings.Contains(text, "dbname=") || strings.Contains(text, "host="):
		name, host := Keywords(text)
		return Server(d, name, host), true
	}
	return Database{}, false
}

// fromURL is the database of a URI, without a password.
func fromURL(d sql.Dialect, v value.Value) Database {
	text := v.Prefix()
	_, rest, _ := strings.Cut(text, "://")
	authority, path, whole := strings.Cut(rest, "/")
	path, query, _ := strings.Cut(path, "?")
	authority, more, asked := strings.Cut(authority, "?")
	if asked {
		query, whole = more, true
	}
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	if !v.IsKnown() && !whole && strings.LastIndexByte(host, ':') < 0 {
		host = "" // it may go on in the part that is not known
	}
	host = withoutPort(host)
	if q, err := url.ParseQuery(query); err == nil {
		if h := q.Get("host"); h != "" && v.IsKnown() {
			host = h
		}
		if n := q.Get("dbname"); n != "" && v.IsKnown() {
			path = n
		}
	}
	if host == "" && path == "" {
		return Database{Name: value.Lit("the database"), Dialect: d}
	}
	return Server(d, value.Lit(path), value.Lit(host))
}

// withoutPort takes the port from a host, and the brackets from an address.
func withoutPort(host string) string {
	if strings.HasPrefix(host, "[") {
		address, _, _ := strings.Cut(host[1:], "]")
		return strings.ToLower(address)
	}
	if strings.Count(host, ":") == 1 {
		host, _, _ = strings.Cut(host, ":")
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// Keywords reads what names the database in pieces of the form keyword=value,
// with spaces or semicolons between them: libpq's connection strings, and the
// data sources of PDO and DBI.
func Keywords(text string) (name, host value.Value) {
	pieces := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ';' || r == '\t' || r == '\n' })
	for _, piece := range pieces {
		key, val, _ := strings.Cut(piece, "=")
		val = strings.Trim(val, `'"`)
		switch key {
		case "dbname", "database", "db":
			name = value.Lit(val)
		case "host", "hostaddr":
			host = value.Lit(val)
		}
	}
	return name, host
}

// File is the SQLite database that is opened under a name.
func File(name value.Value) Database {
	db := Database{Name: name, Dialect: sql.SQLite, Embedded: true, At: Locate(name)}
	switch {
	case !db.At.Memory:
		db.Name = db.At.Path
	case !name.Empty():
		db.Name = value.Lit(":memory:")
	}
	return db
}

// A Location is where SQLite finds the database of a name.
type Location struct {
	Path     value.Value
	Memory   bool // it is in memory, or a file of its own that goes again
	ReadOnly bool
}

// Opens says what becomes of the file that a database is in: it is read or
// written, and made if it is missing (sqlite3_open_v2).
func Opens(at Location, changes, missing bool) []catalog.Effect {
	if changes {
		return []catalog.Effect{{Verb: risk.FSWrite, Target: at.Path, Arg: "database", Kind: risk.KindAppend}}
	}
	all := []catalog.Effect{{Verb: risk.FSRead, Target: at.Path, Arg: "database", Shown: true}}
	if missing {
		all = append(all, catalog.Effect{Verb: risk.FSCreate, Target: at.Path, Arg: "database"})
	}
	return all
}

// Locate reads a name that SQLite opens: a path, a URI, ":memory:", or nothing
// (sqlite.org/uri.html, sqlite.org/inmemorydb.html).
func Locate(name value.Value) Location {
	text := name.Prefix()
	whole, known := name.Known()
	switch {
	case known && (whole == "" || whole == ":memory:"):
		return Location{Memory: true}
	case !strings.HasPrefix(text, "file:"):
		return Location{Path: name}
	}
	path := text[len("file:"):]
	if after, ok := strings.CutPrefix(path, "//"); ok { // an authority: empty or localhost
		if slash := strings.IndexByte(after, '/'); slash >= 0 {
			path = after[slash:]
		}
	}
	l := Location{Path: name.Cut(len(text) - len(path))}
	if !known {
		return l
	}
	path, query, _ := strings.Cut(path, "?")
	l.Path = value.Lit(path).With(name.Taint())
	if q, err := url.ParseQuery(query); err == nil {
		l.Memory = q.Get("mode") == "memory" || path == ":memory:" || path == ""
		l.ReadOnly = q.Get("mode") == "ro" || q.Get("immutable") == "1"
	}
	return l
}

// overNet is what is done with a name that a database in this process opens, where that
// is no file here: an address (DuckDB, "httpfs"), or a server's name behind the sort of
// its database ("Attach": postgres:, mysql:, md:).
func overNet(v value.Value, verb risk.Verb) (e catalog.Effect, away bool) {
	text := strings.ToLower(v.Prefix())
	scheme, rest, _ := strings.Cut(text, ":")
	switch scheme {
	case "http", "https", "s3", "s3a", "s3n", "gs", "gcs", "r2", "az", "azure", "abfs", "abfss", "adl", "wasb", "wasbs", "hf", "ftp", "sftp":
		return catalog.Effect{Verb: verb, Target: v}, strings.HasPrefix(rest, "//")
	case "md", "motherduck", "quack":
		return catalog.Effect{Verb: risk.NetConnect, Target: value.Lit("MotherDuck")}, true
	case "postgres", "postgresql", "mysql", "mariadb", "ducklake", "mssql":
		if !strings.HasPrefix(rest, "//") {
			v = v.Cut(len(scheme) + 1)
		}
		if db, ok := Connection(sql.Any, v); ok && db.Host != "" {
			return catalog.Effect{Verb: risk.NetConnect, Target: value.Lit(db.Host)}, true
		}
	}
	return catalog.Effect{}, false
}

// Away is what opening an embedded database of a name does where that is no file here.
func Away(name value.Value) (e catalog.Effect, away bool) { return overNet(name, risk.NetFetch) }
