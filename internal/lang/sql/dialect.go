package sql

// A Dialect is how a text is cut into tokens and statements.
type Dialect uint8

// The dialects. [Any] is for text whose dialect is not known.
const (
	Any Dialect = iota
	PostgreSQL
	MySQL
	SQLite
	SQLServer
	DuckDB // PostgreSQL's rules; files stand where tables do
)

// String returns the dialect's name.
func (d Dialect) String() string {
	return [...]string{"any", "PostgreSQL", "MySQL", "SQLite", "SQL Server", "DuckDB"}[d]
}

// each lists the dialects that a text of a dialect may be read in.
func (d Dialect) each() []Dialect {
	if d == Any {
		return []Dialect{PostgreSQL, MySQL, SQLite, SQLServer}
	}
	return []Dialect{d}
}

// rules are a dialect's lexical rules.
type rules struct {
	nested    bool // comments nest
	hash      bool // # begins a comment
	spaced    bool // -- begins a comment only before white space
	bang      bool // /*! … */ is code
	dollar    bool // $tag$ … $tag$ is a string
	backslash bool // a backslash escapes in strings
	escapes   bool // it does so in E'…'
	doubled   bool // "…" is a string, not a name
	backtick  bool // `…` is a name
	bracket   bool // […] is a name
	batches   bool // a line GO ends a statement
	bare      bool // statements may follow one another without a semicolon
	delimiter bool // a line DELIMITER changes what ends a statement
}

// rules returns the lexical rules of a dialect: PostgreSQL 17, chapter 4.1;
// MySQL 8.4, 11.1, 11.7 and 6.5.1.2; sqlite.org/lang_keywords.html,
// lang_comment.html and cli.html (a line "go" ends a statement);
// Transact-SQL reference, "Database identifiers", "Slash star", "GO".
func (d Dialect) rules() rules {
	switch d {
	case MySQL:
		return rules{hash: true, spaced: true, bang: true, backslash: true, doubled: true, backtick: true, delimiter: true}
	case SQLite:
		return rules{backtick: true, bracket: true, batches: true}
	case SQLServer:
		return rules{nested: true, bracket: true, batches: true, bare: true}
	default:
		return rules{nested: true, dollar: true, escapes: true}
	}
}
