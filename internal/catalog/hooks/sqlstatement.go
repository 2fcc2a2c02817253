package hooks

import (
	"strings"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// sqlHole stands for words that are not known.
const sqlHole = "heed_hole"

// sqlText returns SQL with placeholder names where it is not known.
func sqlText(v value.Value) string { return v.Fill(func(*value.Hole) string { return sqlHole }) }

// classifyStatement says what one statement does.
func classifyStatement(t []sqlToken, depth int) sqlVerdict {
	for len(t) > 0 && t[0].kind == '(' {
		t = t[1:]
	}
	if len(t) == 0 {
		return sqlVerdict{}
	}
	v := sqlVerdict{verb: risk.DBChange}
	switch first := t[0]; {
	case first.text == sqlHole || first.kind == 's':
		v.opaque = true
	case first.is("SELECT", "TABLE", "VALUES", "FROM"):
		v.verb = risk.DBRead
		if sqlFind(t, "INTO") > 0 && sqlFind(t, "OUTFILE", "DUMPFILE") < 0 {
			v.verb = risk.DBChange
		}
	case first.is("SHOW", "DESCRIBE", "DESC", "FETCH", "LIST", "HELP", "SUMMARIZE", "INFO"):
		v.verb = risk.DBRead
	case first.is("PRAGMA"):
		if sqlKind(t, '=') < 0 {
			v.verb = risk.DBRead
		}
	case first.is("SET"):
		if sqlFind(t, "GLOBAL", "PERSIST", "PASSWORD") < 0 {
			v.verb = ""
		}
	case first.is("COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "START", "RESET", "LOCK", "UNLOCK", "USE", "GO", "PRINT", "DISCARD", "DELIMITER", "END", "DEALLOCATE", "CLOSE", "ABORT"):
		v.verb = ""
	case first.is("EXPLAIN"):
		v = explainSQL(t, depth)
	case first.is("WITH"):
		v = withSQL(t)
	case first.is("BEGIN", "DO", "IF", "FOR", "WHILE", "LOOP", "DECLARE", "EXECUTE", "EXEC", "CALL", "PREPARE"):
		v = blockSQL(t, depth)
	default:
		v = changeSQL(t)
	}
	sqlCalls(&v, t)
	accountRights(&v, t)
	return v
}

// changeSQL classifies statements that change something, or are not known.
func changeSQL(t []sqlToken) sqlVerdict {
	v := sqlVerdict{verb: risk.DBChange}
	lose := func(detail risk.Kind, at int) {
		v.verb, v.detail, v.object = risk.DBDestroy, detail, sqlObject(t[min(at, len(t)):])
	}
	switch first := t[0]; {
	case first.is("DROP"):
		if len(t) < 2 || !t[1].is("TEMPORARY", "TEMP") {
			lose(risk.KindSQLDrop, 2)
		}
	case first.is("TRUNCATE"):
		lose(risk.KindSQLTruncate, 1)
	case first.is("PURGE"), first.is("RESTORE"):
		lose(risk.KindDataIsLost, 1)
	case first.is("DELETE"):
		if !sqlWhere(t) {
			lose(risk.KindSQLDeleteAll, 1)
		}
	case first.is("UPDATE"):
		if !sqlWhere(t) {
			lose(risk.KindSQLUpdateAll, 1)
		}
	case first.is("ALTER"):
		if i := sqlFind(t, "DROP"); i > 0 && !(i+1 < len(t) && t[i+1].is("CONSTRAINT", "DEFAULT", "NOT", "INDEX", "KEY", "FOREIGN", "PRIMARY", "CHECK", "IDENTITY", "EXPRESSION", "ATTRIBUTE")) {
			lose(risk.KindSQLAlterDrop, 2)
		}
	case first.is("COPY", "UNLOAD", "BACKUP", "EXPORT", "VACUUM", "ATTACH", "LOAD", "IMPORT", "INSTALL", "CREATE"):
		sqlFiles(&v, t)
	}
	return v
}

// sqlFiles finds files, programs and libraries in statements that name them.
func sqlFiles(v *sqlVerdict, t []sqlToken) {
	first := t[0]
	if i := sqlFind(t, "SONAME"); i >= 0 {
		v.load = append(v.load, sqlStrings(t[i:], 1)...)
		return
	}
	if i := sqlFind(t, "LANGUAGE"); first.is("CREATE") && i >= 0 && i+1 < len(t) && strings.EqualFold(t[i+1].text, "c") {
		v.load = append(v.load, sqlStrings(t, 1)...)
	}
	switch {
	case first.is("COPY"):
		if i := sqlFind(t, "PROGRAM"); i >= 0 && i+1 < len(t) && t[i+1].kind == 's' {
			v.shells = append(v.shells, t[i+1].text)
			if t[i-1].is("TO") {
				v.verb = risk.DBRead
			}
			return
		}
		i := sqlLast(t, "TO")
		if i >= 0 {
			v.verb = risk.DBRead
			v.writes = append(v.writes, sqlStringAt(t, i+1)...)
		} else if i = sqlLast(t, "FROM"); i >= 0 {
			v.reads = append(v.reads, sqlStringAt(t, i+1)...)
		}
	case first.is("UNLOAD", "BACKUP", "EXPORT"):
		v.verb = risk.DBRead
		v.writes = append(v.writes, sqlStrings(t, 1)...)
	case first.is("VACUUM"):
		if i := sqlFind(t, "INTO"); i >= 0 {
			v.writes = append(v.writes, sqlStringAt(t, i+1)...)
		}
	case first.is("ATTACH"):
		v.verb = risk.DBRead
		v.reads = append(v.reads, sqlStrings(t, 1)...)
	case first.is("LOAD") && len(t) > 1 && !t[1].is("DATA", "XML"):
		v.load = append(v.load, sqlStrings(t, 1)...)
	case first.is("LOAD", "IMPORT"):
		v.reads = append(v.reads, sqlStrings(t, 1)...)
	}
}

// explainSQL: only EXPLAIN ANALYZE runs the statement (PostgreSQL and MySQL
// manuals, EXPLAIN).
func explainSQL(t []sqlToken, depth int) sqlVerdict {
	analyze := false
	for i := 1; i < len(t); i++ {
		if t[i].is("ANALYZE", "ANALYSE") {
			analyze = true
		}
		if t[i].is("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "EXECUTE", "CREATE") {
			if analyze {
				return classifyStatement(t[i:], depth)
			}
			break
		}
	}
	return sqlVerdict{verb: risk.DBRead}
}

// withSQL looks into common table expressions, which may change data, and at
// the statement behind them.
func withSQL(t []sqlToken) sqlVerdict {
	v, inner := sqlVerdict{verb: risk.DBRead}, 0
	for i := 1; i < len(t); i++ {
		if before := t[i-1].kind; before != '(' && before != ')' || !t[i].is("INSERT", "UPDATE", "DELETE", "MERGE") {
			continue
		}
		if inner++; inner > maxSQLInner {
			v.opaque = true
			break
		}
		one := changeSQL(t[i:sqlEnd(t, i)])
		v.add(&one)
	}
	return v
}

// sqlEnd returns the offset of the parenthesis that closes what holds i.
func sqlEnd(t []sqlToken, i int) int {
	depth := 0
	for ; i < len(t); i++ {
		switch t[i].kind {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return len(t)
}

// blockSQL finds statements inside procedural code: DO bodies, IF … THEN,
// strings that are executed.
func blockSQL(t []sqlToken, depth int) sqlVerdict {
	v, inner := sqlVerdict{}, 0
	if !t[0].is("BEGIN", "DECLARE", "IF") {
		v.verb = risk.DBChange
	}
	dynamic := t[0].is("DO", "EXECUTE", "EXEC", "PREPARE")
	for i := range t {
		if inner > maxSQLInner {
			v.opaque = true
			break
		}
		switch {
		case t[i].kind == 's' && dynamic:
			inner++
			one := classifySQLDepth(t[i].text, depth+1)
			if t[0].is("DO") || sqlRank(one.verb) == 3 {
				v.add(&one)
			}
		case i > 0 && t[i].is("DELETE", "UPDATE", "DROP", "TRUNCATE", "ALTER", "INSERT"):
			inner++
			one := changeSQL(t[i:])
			v.add(&one)
		case t[i].is("EXECUTE", "EXEC"):
			dynamic = true
		}
	}
	return v
}

// sqlCalls finds functions that leave the database: files, programs, libraries
// (PostgreSQL 9.28.9 and large objects, MySQL LOAD_FILE and lib_mysqludf_sys,
// SQL Server xp_cmdshell, SQLite shell functions, DuckDB readers).
func sqlCalls(v *sqlVerdict, t []sqlToken) {
	for i, tok := range t {
		if tok.kind != 'w' && tok.kind != 'q' {
			continue
		}
		args := func() []string { return sqlStrings(t[i+1:min(len(t), i+1+maxSQLReach)], 1) }
		switch strings.ToLower(tok.text) {
		case "pg_read_file", "pg_read_binary_file", "pg_ls_dir", "lo_import", "load_file", "readfile", "read_csv", "read_csv_auto", "read_text", "read_blob", "read_parquet", "read_json", "read_json_auto", "openrowset":
			v.reads = append(v.reads, args()...)
		case "outfile", "dumpfile", "writefile", "lo_export", "pg_file_write":
			v.writes = append(v.writes, args()...)
		case "sys_exec", "sys_eval", "sys_bineval", "xp_cmdshell", "edit", "shell_exec":
			v.shells = append(v.shells, args()...)
		case "load_extension":
			v.load = append(v.load, args()...)
		case "dropuser", "lo_unlink":
			v.add(&sqlVerdict{verb: risk.DBDestroy, detail: risk.KindDataIsLost})
		}
	}
}

// sqlWhere reports whether a statement has a WHERE that holds for some rows only.
func sqlWhere(t []sqlToken) bool {
	i := sqlFind(t, "WHERE")
	if i < 0 {
		return false
	}
	rest := t[i+1:]
	for len(rest) > 0 && rest[0].kind == '(' {
		rest = rest[1:]
	}
	end := 0
	for end < len(rest) && rest[end].kind != ')' && !rest[end].is("RETURNING", "LIMIT", "ORDER") {
		end++
	}
	switch {
	case end == 0:
		return false
	case end == 1:
		return !rest[0].is("TRUE", "1")
	case end == 3 && rest[1].kind == '=':
		return rest[0] != rest[2]
	}
	return true
}

// sqlFind returns the first token outside parentheses that is one of words.
func sqlFind(t []sqlToken, words ...string) int {
	depth := 0
	for i := range t {
		switch t[i].kind {
		case '(':
			depth++
		case ')':
			depth--
		case 'w':
			if depth <= 0 && t[i].is(words...) {
				return i
			}
		}
	}
	return -1
}

func sqlLast(t []sqlToken, word string) int {
	for i := len(t) - 1; i >= 0; i-- {
		if t[i].is(word) && i+1 < len(t) {
			return i
		}
	}
	return -1
}

func sqlKind(t []sqlToken, kind byte) int {
	for i := range t {
		if t[i].kind == kind {
			return i
		}
	}
	return -1
}

// sqlStrings returns the first n quoted strings.
func sqlStrings(t []sqlToken, n int) []string {
	var all []string
	for i := 0; i < len(t) && len(all) < n; i++ {
		if t[i].kind == 's' {
			all = append(all, t[i].text)
		}
	}
	return all
}

func sqlStringAt(t []sqlToken, i int) []string {
	if i < len(t) && t[i].kind == 's' {
		return []string{t[i].text}
	}
	return nil
}

// sqlObject returns the name that a statement acts on.
func sqlObject(t []sqlToken) string {
	for len(t) > 0 && t[0].is("TABLE", "IF", "EXISTS", "FROM", "ONLY", "CONCURRENTLY", "VIEW", "INTO", "LOW_PRIORITY", "IGNORE", "QUICK", "OR") {
		t = t[1:]
	}
	if len(t) == 0 || t[0].kind != 'w' && t[0].kind != 'q' || strings.Contains(t[0].text, sqlHole) {
		return ""
	}
	if len(t) < 2 || t[1].kind != '.' {
		return t[0].text
	}
	return t[0].text + "." + sqlObject(t[2:])
}
