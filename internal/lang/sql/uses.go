package sql

import "strings"

// A Role says what a statement does with what a string names.
type Role uint8

// The roles.
const (
	Reads  Role = iota + 1 // a file is read
	Writes                 // a file is written
	Runs                   // a command is run by a shell
	Loads                  // a file of native code is loaded
)

// A Use is a file, a command or a library that a statement names by its own
// syntax, not in the call of a function.
type Use struct {
	Role Role
	Text string
	Hole bool // a part of Text is not known
	// Client is set where not the server but the client reads the file: LOAD
	// DATA LOCAL.
	Client bool
}

// A Call is a function or procedure that a statement calls.
type Call struct {
	Name string  // in lower case
	Args []Token // the first strings among its arguments
	List bool    // they begin with a list of strings, in brackets (DuckDB)
}

// Bounds on calls: how many, and tokens that are looked at for arguments.
const (
	maxCalls = 4096
	maxReach = 64
)

// MaxArgs is how many strings are kept of a call.
const MaxArgs = 8

// use notes a string, if it is one.
func (s *Statement) use(role Role, t Token) {
	if t.Kind == String && len(s.Uses) < maxInner {
		s.Uses = append(s.Uses, Use{Role: role, Text: t.Text, Hole: t.Hole})
	}
}

func (s *Statement) useAll(role Role, t []Token) {
	for i := range t {
		s.use(role, t[i])
	}
}

// files finds what statements name by their own syntax: PostgreSQL 17, COPY,
// LOAD, CREATE FUNCTION, ALTER SYSTEM, file_fdw; MySQL 8.4, LOAD DATA and CREATE
// FUNCTION … SONAME; SQLite, VACUUM INTO and ATTACH; Transact-SQL, BACKUP;
// DuckDB, EXPORT and IMPORT DATABASE; Redshift, UNLOAD.
func (s *Statement) files(t []Token) {
	switch {
	case s.Kind == Create || s.Kind == Alter:
		s.defined(t)
	case t[0].Is("INSTALL"):
		if !s.library(t) && len(t) > 1 { // DuckDB fetches an extension by its name
			s.Uses = append(s.Uses, Use{Role: Loads, Text: t[1].Text, Hole: t[1].Hole})
		}
	case s.Kind == Load:
		if at(t, 1).Is("DATA", "XML") {
			s.Kind = Copy
			s.useAll(Reads, texts(t, 1))
			for i := range s.Uses {
				s.Uses[i].Client = find(t, "LOCAL") > 0
			}
			return
		}
		s.useAll(Loads, texts(t, 1))
	case t[0].Is("COPY"):
		s.copied(t)
	case s.Kind == Attach: // a name in quotes is a text where none of that name is (sqlite.org/quirks.html, 8)
		all := textsOrNames(t, 1)
		s.useAll(Reads, all)
		s.More = s.More || len(all) == 0
	case s.Kind == Copy:
		s.useAll(Reads, texts(t, 1))
	case s.Kind == Unload:
		s.useAll(Writes, texts(t, 1))
	case t[0].Is("VACUUM"):
		if i := find(t, "INTO"); i > 0 {
			s.use(Writes, at(t, i+1))
		}
	}
}

// library notes the file of a function or plugin (MySQL).
func (s *Statement) library(t []Token) bool {
	i := find(t, "SONAME")
	if i > 0 {
		s.useAll(Loads, texts(t[i:], 1))
	}
	return i > 0
}

// defined reads what CREATE and ALTER name.
func (s *Statement) defined(t []Token) {
	if s.library(t) {
		return
	}
	switch i := find(t, "LANGUAGE"); {
	case i > 0 && (at(t, i+1).Is("C") || at(t, i+1).Kind != Word && strings.EqualFold(at(t, i+1).Text, "c")):
		s.useAll(Loads, texts(t, 1))
	case s.What == "SYSTEM":
		if i := find(t, "SET"); i > 0 && strings.HasSuffix(strings.ToLower(at(t, i+1).Text), "_command") {
			s.useAll(Runs, texts(t[i:], 1))
		}
	case s.What == "TABLE" && at(t, 1).Is("FOREIGN"):
		for i := range t {
			switch {
			case t[i].Is("PROGRAM"):
				s.use(Runs, at(t, i+1))
			case t[i].Is("FILENAME"):
				s.use(Reads, at(t, i+1))
			}
		}
	}
}

// copied reads COPY … { FROM | TO } { 'file' | PROGRAM 'command' | STDIN }.
func (s *Statement) copied(t []Token) {
	s.object(t[1:])
	if i := find(t, "PROGRAM"); i > 0 {
		s.use(Runs, at(t, i+1))
		if at(t, i-1).Is("TO") {
			s.Kind = Unload
		}
		return
	}
	if i := find(t, "TO"); i > 0 {
		s.Kind = Unload
		s.use(Writes, at(t, i+1))
	} else if i := find(t, "FROM"); i > 0 {
		s.use(Reads, at(t, i+1))
	}
}

// calls finds functions, and procedures, which need no parentheses.
func (r *reader) calls(s *Statement) {
	t := s.Tokens
	procedure := s.Kind == Unknown // Transact-SQL lets EXEC away from the first of a batch
	for i := range t {
		if t[i].Is("EXEC", "EXECUTE", "CALL") {
			procedure = true
			continue
		}
		end := min(len(t), i+1+maxReach)
		switch {
		case !t[i].named():
			continue
		case at(t, i+1).sign('('):
			end = min(end, i+2+closing(t[i+1:end], 0))
			if columns(t, i, end) {
				continue
			}
		case !procedure:
			continue
		}
		if len(s.Calls) >= maxCalls {
			s.More = true
			return
		}
		c := Call{Name: strings.ToLower(t[i].Text), Args: textsOrNames(t[i+1:end], MaxArgs), List: at(t, i+2).sign('[')}
		s.Calls = append(s.Calls, c)
		if runsText(c.Name) {
			for _, a := range c.Args {
				r.text(s, a)
			}
		}
	}
}

// columns reports whether the name at i, whose parenthesis ends before end, is that of
// a table with its columns: FROM (…) AS t(a, b), WITH t(a, b) AS (SELECT …).
func columns(t []Token, i, end int) bool {
	if i > 0 && (t[i-1].sign(')') || t[i-1].Is("AS")) {
		return true
	}
	for end < len(t) && t[end].Is("AS", "NOT", "MATERIALIZED") {
		end++
	}
	return at(t, end-1).Is("AS", "MATERIALIZED") && at(t, end).sign('(') && at(t, end+1).Is("SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE")
}

// runsText reports whether a function or procedure runs a string as SQL:
// PostgreSQL 17, F.11 dblink and 9.15.3 query_to_xml; SQL Server,
// sp_executesql.
func runsText(name string) bool {
	switch name {
	case "dblink", "dblink_exec", "dblink_open", "dblink_send_query", "query_to_xml", "query_to_xmlschema", "sp_executesql":
		return true
	}
	return false
}

// scanned notes the files that DuckDB takes for tables: a text, or a quoted name that
// looks like a file's, where the name of a table stands (DuckDB, "Replacement Scans").
func (s *Statement) scanned() {
	tables, depth := -1, 0 // how deep the list of tables is that is being read, or -1
	t := s.Tokens
	for i := range t {
		switch {
		case t[i].sign('('):
			depth++
		case t[i].sign(')'):
			if depth--; depth < tables {
				tables = -1
			}
		case t[i].Is("FROM", "JOIN", "SUMMARIZE", "DESCRIBE", "DESC", "TABLE"):
			if tables = depth; at(t, i-1).Is("DISTINCT") || cutsText(t, i) {
				tables = -1
			}
		case t[i].Is("WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "UNION", "SELECT", "ON", "USING", "WINDOW", "QUALIFY", "SET"):
			tables = -1
		case tables != depth || !t[i-1].sign(',') && !t[i-1].Is("FROM", "JOIN", "SUMMARIZE", "DESCRIBE", "DESC", "TABLE"):
		case t[i].Kind == Name && strings.ContainsAny(t[i].Text, "./:"):
			s.use(Reads, Token{Kind: String, Text: t[i].Text, Hole: t[i].Hole})
		default:
			s.use(Reads, t[i])
		}
	}
}

// cutsText reports whether the FROM at i is one of substring('x' FROM 2) and its like.
func cutsText(t []Token, i int) bool {
	depth := 0
	for i--; i > 0; i-- {
		switch {
		case t[i].sign(')'):
			depth++
		case t[i].sign('('):
			if depth--; depth < 0 {
				return t[i-1].Is("SUBSTRING", "TRIM", "EXTRACT", "OVERLAY", "POSITION")
			}
		}
	}
	return false
}
