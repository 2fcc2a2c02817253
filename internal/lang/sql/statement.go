package sql

import "strings"

// A Kind says what a statement is.
type Kind uint8

// The kinds of statements.
const (
	Unknown  Kind = iota // its first word is none that is known here
	Opaque               // its first word is not known to the caller, or is no word
	Query                // SELECT, TABLE, VALUES, FROM
	Show                 // SHOW, DESCRIBE and their like
	Explain              // EXPLAIN; Inner is what it runs
	Insert               // INSERT, REPLACE, UPSERT
	Update               // UPDATE
	Delete               // DELETE
	Merge                // MERGE
	Truncate             // TRUNCATE
	Drop                 // DROP
	Alter                // ALTER
	Create               // CREATE
	Grant                // GRANT
	Revoke               // REVOKE, DENY
	Set                  // SET
	Session              // what concerns the connection only: transactions, USE, LOCK
	Pragma               // PRAGMA
	Copy                 // COPY, LOAD DATA, IMPORT, BULK: data from outside
	Unload               // UNLOAD, BACKUP, EXPORT: data to outside
	Load                 // LOAD of code, INSTALL
	Restore              // RESTORE, PURGE: what is there goes
	Attach               // ATTACH
	Detach               // DETACH
	Block                // BEGIN, IF, DECLARE: Inner is what they hold
	Run                  // DO, CALL, EXECUTE: code that is stored or computed
	Upkeep               // other changes: VACUUM, REINDEX, COMMENT and their like
)

// kindOf says by its first word what kind a statement is.
func kindOf(word string) Kind {
	switch word {
	case "SELECT", "TABLE", "VALUES", "FROM":
		return Query
	case "SHOW", "DESCRIBE", "DESC", "FETCH", "LIST", "HELP", "SUMMARIZE", "INFO":
		return Show
	case "EXPLAIN":
		return Explain
	case "INSERT", "REPLACE", "UPSERT":
		return Insert
	case "UPDATE":
		return Update
	case "DELETE":
		return Delete
	case "MERGE":
		return Merge
	case "TRUNCATE":
		return Truncate
	case "DROP":
		return Drop
	case "ALTER":
		return Alter
	case "CREATE":
		return Create
	case "GRANT":
		return Grant
	case "REVOKE", "DENY":
		return Revoke
	case "SET":
		return Set
	case "PRAGMA":
		return Pragma
	case "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "START", "RESET", "LOCK", "UNLOCK", "USE", "GO", "PRINT", "DISCARD", "END", "DEALLOCATE", "CLOSE", "ABORT":
		return Session
	case "COPY", "IMPORT", "BULK":
		return Copy
	case "LOAD", "INSTALL":
		return Load
	case "UNLOAD", "BACKUP", "EXPORT":
		return Unload
	case "RESTORE", "PURGE":
		return Restore
	case "ATTACH":
		return Attach
	case "DETACH":
		return Detach
	case "BEGIN", "IF", "DECLARE":
		return Block
	case "DO", "FOR", "WHILE", "LOOP", "EXECUTE", "EXEC", "CALL", "PREPARE":
		return Run
	case "VACUUM", "ANALYZE", "ANALYSE", "REINDEX", "CLUSTER", "COMMENT", "NOTIFY", "LISTEN", "UNLISTEN", "REFRESH", "RENAME", "OPTIMIZE", "REPAIR", "FLUSH", "KILL", "CHECKPOINT", "SHUTDOWN", "REASSIGN", "SECURITY", "DBCC", "CHANGE", "STOP", "UNINSTALL", "HANDLER":
		return Upkeep
	}
	return Unknown
}

// A Rows says which rows a statement is for.
type Rows uint8

// The rows.
const (
	NoWhere  Rows = iota // it has no WHERE
	EveryRow             // its WHERE is always true
	SomeRows             // its WHERE chooses
)

// A Statement is one statement.
type Statement struct {
	Kind       Kind
	Start, End int     // in the text, or in the string that holds it
	Tokens     []Token // without comments
	// What is the kind of object behind DROP, CREATE or ALTER, in upper case.
	What string
	// Objects are the names of what it acts on, as far as they are known.
	Objects []string
	// Rows says which rows UPDATE and DELETE are for.
	Rows Rows
	// Into is set for a SELECT that makes a table of what it finds.
	Into bool
	// Drops are the words behind DROP in an ALTER: COLUMN, CONSTRAINT, a name.
	Drops []string
	// Temporary is set for DROP TEMPORARY.
	Temporary bool
	Setting   Setting // of PRAGMA
	Rights    Rights  // of GRANT, and of statements that make and change accounts
	Uses      []Use   // files, programs and libraries that it names itself
	Calls     []Call  // functions that it calls with a string
	// Inner are the statements that run with it: in common table expressions,
	// behind EXPLAIN ANALYZE, in blocks, in strings that are executed.
	Inner []Statement
	// More is set when it holds more statements than were read.
	More bool
}

// Has reports whether one of the words stands in the statement outside
// parentheses.
func (s *Statement) Has(words ...string) bool { return find(s.Tokens, words...) >= 0 }

// A Setting is what PRAGMA reads or sets (sqlite.org/pragma.html).
type Setting struct {
	Name  string // in lower case, without the schema
	Value string
	Given bool // behind = or in parentheses
}

// A reader reads statements of one text.
type reader struct {
	options Options
	depth   int  // of strings in strings
	left    *int // bytes of strings that may still be read
}

// statement reads one statement with all that it names and calls.
func (r *reader) statement(t []Token) Statement {
	s := r.plain(t)
	s.Start, s.End = t[0].Start, t[len(t)-1].End
	s.Tokens = t
	r.calls(&s)
	if r.options.Dialect == DuckDB {
		s.scanned()
	}
	return s
}

// plain reads one statement, but not what it calls.
func (r *reader) plain(t []Token) Statement {
	for len(t) > 0 && t[0].sign('(') {
		t = t[1:]
	}
	s := Statement{Tokens: t}
	if len(t) == 0 {
		return s
	}
	s.Start, s.End = t[0].Start, t[len(t)-1].End
	switch {
	case t[0].Hole || t[0].Kind == String:
		s.Kind = Opaque
		return s
	case t[0].Is("WITH"):
		r.with(&s)
		return s
	}
	if t[0].Kind == Word {
		s.Kind = kindOf(strings.ToUpper(t[0].Text))
	}
	r.read(&s, t)
	return s
}

// read reads a statement by its kind.
func (r *reader) read(s *Statement, t []Token) {
	switch s.Kind {
	case Query:
		i := find(t, "INTO")
		s.Into = i > 0 && !at(t, i+1).Is("OUTFILE", "DUMPFILE") && at(t, i+1).Kind != Param
		s.outfile(t)
	case Insert, Merge, Restore:
		s.object(t[1:])
	case Truncate:
		s.object(t[1:])
		s.moreObjects(t[1:])
	case Update, Delete:
		s.object(t[1:])
		s.Rows = rows(t)
	case Drop, Alter, Create:
		s.defines(t)
	case Grant:
		s.Rights = granted(t)
	case Pragma:
		s.Setting = setting(t)
	case Session:
		s.server(t)
	case Explain:
		r.explain(s, t[1:])
	case Show:
		if t[0].Is("DESC", "DESCRIBE") && at(t, 1).Is("ANALYZE") {
			s.Kind = Explain
			r.explain(s, t[1:])
		}
	case Block, Run:
		r.block(s, t)
		s.Rights = procedures(t)
	case Upkeep:
		if t[0].Is("ANALYZE") && (at(t, 1).Is("FORMAT") || find(t[1:], "SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE") == 0) {
			r.explain(s, t) // MariaDB's ANALYZE statement runs what follows it
		}
		s.files(t)
	case Copy, Unload, Load, Attach:
		s.files(t)
		if i := find(t, "COPY"); i == 0 && at(t, 1).sign('(') {
			r.inner(s, t[2:min(closing(t, 1), len(t))])
		}
	}
}

// server sorts out what concerns not the connection but the server: RESET
// MASTER, START REPLICA (MySQL 8.4, 15.4).
func (s *Statement) server(t []Token) {
	if t[0].Is("RESET", "START") && at(t, 1).Is("MASTER", "BINARY", "SLAVE", "REPLICA", "GROUP_REPLICATION") {
		s.Kind = Upkeep
	}
}

// outfile notes the file that MySQL writes what is found to.
func (s *Statement) outfile(t []Token) {
	if i := find(t, "OUTFILE", "DUMPFILE"); i > 0 {
		s.use(Writes, at(t, i+1))
	}
}

// defines reads DROP, ALTER and CREATE.
func (s *Statement) defines(t []Token) {
	i := 1
	for at(t, i).Is("OR", "REPLACE", "ALTER", "TEMPORARY", "TEMP", "UNIQUE", "MATERIALIZED", "FOREIGN", "GLOBAL", "LOCAL", "UNLOGGED", "EXTERNAL", "VIRTUAL") {
		s.Temporary = s.Temporary || t[i].Is("TEMPORARY", "TEMP")
		i++
	}
	if at(t, i).Kind == Word {
		s.What = strings.ToUpper(t[i].Text)
		i++
	}
	if s.What != "SYSTEM" {
		s.object(t[min(i, len(t)):])
	}
	if s.Kind == Drop {
		s.moreObjects(t[min(i, len(t)):])
	}
	switch {
	case s.What == "SERVER" && at(t, i).Is("ROLE"):
		s.Rights = account(t[i+1:])
	case s.What == "ROLE" || s.What == "USER" || s.What == "GROUP" || s.What == "LOGIN":
		if s.Kind != Drop {
			s.Rights = account(t[min(i, len(t)):])
		}
	}
	if s.Kind == Alter {
		s.drops(t)
	}
	s.files(t)
}

// drops notes what an ALTER takes away.
func (s *Statement) drops(t []Token) {
	depth := 0
	for i := range t {
		switch {
		case t[i].sign('('):
			depth++
		case t[i].sign(')'):
			depth--
		case depth <= 0 && t[i].Is("DROP") && len(s.Drops) < maxInner:
			s.Drops = append(s.Drops, strings.ToUpper(at(t, i+1).Text))
		}
	}
}

// object notes the name that stands first among tokens.
func (s *Statement) object(t []Token) {
	for len(t) > 0 && t[0].Is("TABLE", "IF", "EXISTS", "NOT", "FROM", "ONLY", "CONCURRENTLY", "VIEW", "DATABASE", "INTO", "LOW_PRIORITY", "IGNORE", "QUICK", "OR", "OWNED", "BY", "OVERWRITE") {
		t = t[1:]
	}
	if name := dotted(t); name != "" {
		s.Objects = append(s.Objects, name)
	}
}

// moreObjects notes what else DROP and TRUNCATE name behind commas.
func (s *Statement) moreObjects(t []Token) {
	depth := 0
	for i := range t {
		switch {
		case t[i].sign('('):
			depth++
		case t[i].sign(')'):
			depth--
		case depth == 0 && t[i].sign(',') && len(s.Objects) < maxInner:
			if name := dotted(t[i+1:]); name != "" {
				s.Objects = append(s.Objects, name)
			}
		}
	}
}

// dotted returns the name that tokens begin with, or "" if a part of it is not
// known.
func dotted(t []Token) string {
	var b strings.Builder
	for i := 0; i < len(t) && i < 16; i += 2 {
		if !t[i].named() {
			return ""
		}
		b.WriteString(t[i].Text)
		if !at(t, i+1).sign('.') {
			break
		}
		b.WriteByte('.')
	}
	return strings.TrimSuffix(b.String(), ".")
}

// setting reads PRAGMA [schema.]name [= value | (value)].
func setting(t []Token) Setting {
	i := 1
	if at(t, 2).sign('.') {
		i = 3
	}
	s := Setting{Name: strings.ToLower(at(t, i).Text)}
	if at(t, i+1).sign('=') || at(t, i+1).sign('(') {
		s.Given = true
		value := at(t, i+2)
		if value.sign('-') || value.sign('+') {
			value = at(t, i+3)
		}
		s.Value = value.Text
	}
	return s
}
