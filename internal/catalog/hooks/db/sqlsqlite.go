package db

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/sqleffect"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// sqliteHook reads what sqlite3 is told to do to a file (sqlite.org/cli.html).
// duckdb is made like it, but its SQL is PostgreSQL's.
func sqliteHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("done") || m.Help && len(m.Values("script"))+len(m.Values("sql")) == 0 {
		return // what -init and -cmd bring is run before help is shown
	}
	file, _ := m.Value("database")
	db := sqleffect.File(file)
	duckdb := slices.Contains(m.Program.Names, "duckdb")
	if duckdb {
		db.Dialect = sql.DuckDB
	}
	at := db.At
	if m.Help { // what cannot be run of a script is shown in messages
		site.ShowFiles(r, m.Values("script"), true)
	}
	p := sqlClient(m, s, r, db, sqlTongue{dialect: db.Dialect, command: sqliteCommand, meta: sqliteMeta})
	opens := s.HasStdin && len(m.Values("sql")) == 0 || slices.ContainsFunc(m.Values("sql"), func(v value.Value) bool {
		return !v.IsKnown() || strings.HasPrefix(strings.TrimSpace(v.Prefix()), ".o")
	})
	fixed := (m.Has("readonly") || at.ReadOnly) && !opens
	reaches := duckdb && p.out.Untold()             // its functions read files and variables
	if (at.Memory && !opens || fixed) && !reaches { // statements that change something fail, or change nothing that stays
		p.out.Spare()
	}
	p.finish(db)
	if at.Memory {
		return
	}
	if e, away := sqleffect.Away(file); away && duckdb {
		r.Effects = append(r.Effects, e)
		return
	}
	if words := m.Values("sql"); len(words) == 1 && len(m.Values("script")) == 0 && !duckdb && site.IsEmptyFile(s, at.Path) {
		if table := wantsTable(words[0]); table != "" {
			name, _ := at.Path.Known()
			r.Lacks = name + " has no table " + table
		}
	}
	readOnly := m.Has("readonly") || at.ReadOnly
	if name, known := at.Path.Known(); known && m.Has("readonly") && !opens && !duckdb && site.IsMissing(s, at.Path) {
		r.Lacks = name + " is not there"
	}
	r.Effects = append(r.Effects, sqleffect.Opens(at, p.out.Changes() && !readOnly, !readOnly && site.IsMissing(s, at.Path))...)
}

// wantsTable is the table that the one statement of a text fails without, or "": where
// nothing in it makes one or names another database.
func wantsTable(v value.Value) string {
	text, known := v.Known()
	text = strings.TrimSuffix(strings.TrimSpace(text), ";")
	if known && !strings.ContainsAny(text, ";[]\"`.\n") { // behind the name stand columns and values
		if table, _, ok := strings.Cut(text, "("); ok && strings.HasPrefix(strings.ToUpper(table), "INSERT INTO ") {
			text = strings.TrimSpace(table)
		}
	}
	if !known || strings.ContainsAny(text, ";()[]\"`.\n") || len(text) > maxStatement {
		return ""
	}
	words := strings.Fields(text)
	upper := strings.Fields(strings.ToUpper(text))
	at := -1
	if len(upper) > 2 {
		switch upper[0] + " " + upper[1] {
		case "DELETE FROM", "INSERT INTO", "REPLACE INTO", "DROP TABLE", "ALTER TABLE":
			at = 2
		default:
			switch upper[0] {
			case "UPDATE":
				at = 1
			case "SELECT":
				at = slices.Index(upper, "FROM") + 1
			}
		}
	}
	if at <= 0 || at >= len(words) || upper[at] == "IF" || upper[at] == "OR" || strings.HasPrefix(upper[at], "SQLITE_") || strings.HasPrefix(upper[at], "PRAGMA_") ||
		strings.Trim(upper[at], "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "" {
		return ""
	}
	return words[at]
}

// maxStatement is how long a statement is looked at for its table, in bytes.
const maxStatement = 500

// sqliteCommand recognises a dot command: a line where no statement has begun.
func sqliteCommand(rest string, at sql.Place) (n int, ends bool) {
	if rest[0] != '.' || !at.Line || !at.Fresh {
		return 0, false
	}
	return sqlLine(rest), false
}

// sqliteMeta reads a dot command.
func sqliteMeta(p *sqlScript, line string) {
	word, arg, _ := strings.Cut(line[1:], " ")
	arg = strings.TrimSpace(arg)
	is := func(name string, least int) bool { return len(word) >= least && strings.HasPrefix(name, word) }
	switch {
	case is("shell", 2), is("system", 2):
		p.shell(arg)
	case is("output", 1), is("once", 2):
		p.to(arg)
	case is("load", 2):
		p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: p.value(sqlUnquote(sqlFirst(arg)))})
	case is("read", 3):
		name := sqlUnquote(arg)
		if command, ok := strings.CutPrefix(name, "|"); ok {
			p.shell(command)
			return
		}
		p.from(arg)
		p.file(p.value(name))
	case is("import", 1):
		p.sqliteImport(arg)
	case is("backup", 1), is("save", 2), is("clone", 2), is("log", 3), is("trace", 2):
		fields := strings.Fields(arg)
		if len(fields) > 0 {
			p.writes(sqlUnquote(fields[len(fields)-1]))
		}
	case is("restore", 3):
		fields := strings.Fields(arg)
		if len(fields) > 0 {
			p.reads(p.value(sqlUnquote(fields[len(fields)-1])))
		}
		p.does(risk.DBDestroy, risk.KindReplacedByABackup)
	case is("archive", 2), word == "ar":
		p.sqliteArchive(arg)
	case is("open", 2): // what follows is done to another database
		p.does(risk.DBChange, risk.NoKind)
		if fields := strings.Fields(arg); len(fields) > 0 {
			p.writes(sqlUnquote(fields[len(fields)-1]))
		}
	case is("parameter", 2): // .parameter set NAME VALUE evaluates VALUE
		if fields := strings.Fields(arg); len(fields) > 2 && strings.HasPrefix("set", fields[0]) {
			_, expression, _ := strings.Cut(arg, fields[1])
			p.text(value.Concat(value.Lit("select "), p.value(sqlUnquote(strings.TrimSpace(expression))), value.Lit(";")))
		}
		p.does(risk.DBRead, risk.NoKind)
	case word != "" && slices.ContainsFunc(strings.Fields(sqliteInert), func(known string) bool { return strings.HasPrefix(known, word) }):
		p.does(risk.DBRead, risk.NoKind)
	default:
		p.does(risk.DBRead, risk.NoKind)
		p.notUnderstood(line)
	}
}

// sqliteInert are the dot commands that show something or say how it is shown
// (sqlite.org/cli.html, 2; DuckDB, "Dot Commands").
const sqliteInert = `auth bail binary cd changes columns connection constant crlf databases dbconfig dbinfo dbtotxt decimal_sep dump echo edit_off eqp exit expert explain
filectrl fullschema headers help highlight indexes indices intck keyword large_number_rendering limit lint maxrows maxwidth mode nonce nullvalue parameter
print progress prompt quit recover rows scanstats schema selecttrace separator sha3sum show stats tables thousand_sep timeout timer version vfsinfo vfslist vfsname
wheretrace width`

// sqliteImport reads .import, of a file or of what a command prints.
func (p *sqlScript) sqliteImport(arg string) {
	for strings.HasPrefix(arg, "-") {
		_, arg, _ = strings.Cut(arg, " ")
	}
	p.does(risk.DBChange, risk.NoKind)
	if command, ok := strings.CutPrefix(sqlUnquote(arg), "|"); ok {
		p.shell(command)
		return
	}
	p.from(sqlFirst(arg))
}

// sqliteArchive reads .archive, which packs files into a database, or unpacks them
// (sqlite.org/cli.html, 12).
func (p *sqlScript) sqliteArchive(arg string) {
	verb, file, take := byte('c'), false, false
	for i, w := range strings.Fields(arg) {
		w = sqlUnquote(w)
		switch {
		case take:
			take, file = false, true
			if verb == 'x' || verb == 't' {
				p.reads(p.value(w))
			} else {
				p.writes(w)
			}
		case i == 0 || strings.HasPrefix(w, "-"):
			long := strings.TrimLeft(w, "-")
			for _, v := range []string{"create", "update", "insert", "extract", "list", "remove"} {
				if long == v {
					verb = map[string]byte{"extract": 'x', "list": 't'}[v]
				}
			}
			if long == "file" || !strings.HasPrefix(w, "--") && strings.Contains(long, "f") {
				take = true
			}
			if !strings.HasPrefix(w, "--") {
				if j := strings.IndexAny(long, "cuixtr"); j >= 0 {
					verb = long[j]
				}
			}
		case verb != 'x' && verb != 't':
			p.reads(p.value(w))
		}
	}
	switch {
	case verb == 't':
		p.does(risk.DBRead, risk.NoKind)
	case verb == 'x':
		p.writes(".")
	case !file:
		p.does(risk.DBChange, risk.NoKind)
	}
}
