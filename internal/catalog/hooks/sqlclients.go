package hooks

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A sqlScript is text for a database client as it is being read: SQL, and the
// client's own commands.
type sqlScript struct {
	site  *catalog.Site
	r     *catalog.Result
	meta  func(*sqlScript, string) bool // reads a line that is a client's own command
	sql   strings.Builder
	v     sqlVerdict // what client commands do
	depth int
}

const maxScriptDepth = 4 // scripts that include scripts

// text reads lines, and hands those to meta that are not SQL.
func (p *sqlScript) text(text string) {
	quoted := false
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if !quoted && trimmed != "" && p.meta(p, trimmed) {
			continue
		}
		if strings.Count(line, "'")%2 == 1 {
			quoted = !quoted
		}
		p.sql.WriteString(line)
	}
	p.sql.WriteString("\n;\n")
}

// file reads a script that the client reads; what cannot be read counts as a
// change.
func (p *sqlScript) file(v value.Value) {
	text, ok := siteFile(p.site, v)
	if p.depth >= maxScriptDepth || !ok {
		p.v.add(&sqlVerdict{verb: risk.DBChange, detail: risk.KindStatementsInAFile})
		return
	}
	p.depth++
	p.text(text)
	p.depth--
}

func (p *sqlScript) reads(v string, shown bool) {
	p.r.Effects = append(p.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: value.Lit(v), Shown: shown})
}

func (p *sqlScript) writes(v string) {
	if v != "" && v != "off" && v != "stdout" {
		p.r.Effects = append(p.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: value.Lit(v), Kind: risk.KindQueryOutput})
	}
}

func (p *sqlScript) shell(text string) {
	if text = strings.TrimSpace(text); text == "" {
		p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunShellInteractive})
		return
	}
	p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(text)})
}

// to handles a place that output goes to: a file, or a command after "|".
func (p *sqlScript) to(arg string) {
	if command, ok := strings.CutPrefix(arg, "|"); ok {
		p.shell(command)
		return
	}
	p.writes(sqlUnquote(arg))
}

// from handles a place that input comes from, likewise.
func (p *sqlScript) from(arg string, shown bool) {
	if command, ok := strings.CutPrefix(arg, "|"); ok {
		p.shell(command)
		return
	}
	if arg != "" {
		p.reads(sqlUnquote(arg), shown)
	}
}

func sqlUnquote(s string) string { return strings.Trim(s, `'"`) }

// stdin reads statements that are piped in.
func (p *sqlScript) stdin() {
	p.r.ReadsStdin = true
	if text, known := p.site.Stdin.Known(); known {
		p.text(text)
		return
	}
	if p.site.Stdin.Len() > 0 {
		p.text(sqlText(p.site.Stdin))
		return
	}
	p.v.add(&sqlVerdict{verb: risk.DBChange, detail: risk.KindStatementsFromStandardInput})
}

// finish says what all of it does to the database called target.
func (p *sqlScript) finish(target value.Value) sqlVerdict {
	q := classifySQL(p.sql.String())
	q.add(&p.v)
	sqlEffects(p.r, &q, target, catalog.Wrapped{})
	return q
}

// dbTarget names a database for people: "db at host", without a password.
func dbTarget(m *catalog.Match, s *catalog.Site, hostVar, dbVar, urlVar string) value.Value {
	db, _ := m.Value("database")
	host, _ := m.Value("host")
	if db.Empty() {
		db, _ = siteEnv(s, dbVar)
	}
	if host.Empty() {
		host, _ = siteEnv(s, hostVar)
	}
	if db.Empty() && host.Empty() {
		db, _ = siteEnv(s, urlVar)
	}
	if strings.Contains(db.Prefix(), "://") {
		return dbURL(db)
	}
	if text := db.Prefix(); strings.Contains(text, "dbname=") || strings.Contains(text, "host=") {
		db, host = dbKeywords(text)
	}
	switch {
	case host.Empty():
		return db
	case db.Empty():
		return host
	}
	return value.Concat(db, value.Lit(" at "), host)
}

// dbURL names the database of a connection URI (PostgreSQL 34.1.1.2).
func dbURL(v value.Value) value.Value {
	host := netHost(v)
	_, rest, _ := strings.Cut(v.Prefix(), "://")
	_, name, _ := strings.Cut(rest, "/")
	name, _, _ = strings.Cut(name, "?")
	switch {
	case host == "" && name == "":
		return value.Lit("the database")
	case host == "":
		return value.Lit(name)
	case name == "":
		return value.Lit(host)
	}
	return value.Lit(name + " at " + host)
}

// dbKeywords reads a libpq keyword/value connection string.
func dbKeywords(text string) (db, host value.Value) {
	for field := range strings.FieldsSeq(text) {
		switch key, val, _ := strings.Cut(field, "="); key {
		case "dbname":
			db = value.Lit(sqlUnquote(val))
		case "host", "hostaddr":
			host = value.Lit(sqlUnquote(val))
		}
	}
	return db, host
}

// sqlClient runs the common course of a client: statements given as words, in
// files, or piped in.
func sqlClient(m *catalog.Match, s *catalog.Site, r *catalog.Result, target value.Value, meta func(*sqlScript, string) bool) sqlVerdict {
	p := &sqlScript{site: s, r: r, meta: meta}
	given := false
	for _, v := range m.Values("sql") {
		given = true
		p.text(sqlText(v))
	}
	for _, v := range m.Values("script") {
		given = true
		if netIs(v, "-") {
			p.stdin()
		} else {
			p.file(v)
		}
	}
	if !given && s.HasStdin {
		p.stdin()
	} else if !given {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecShell, Target: target, Kind: risk.KindInteractive})
	}
	return p.finish(target)
}

// psqlHook reads what psql is told to do (PostgreSQL 17, psql).
func psqlHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("list") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DBRead, Target: dbTarget(m, s, "PGHOST", "PGDATABASE", "DATABASE_URL")})
		return
	}
	sqlClient(m, s, r, dbTarget(m, s, "PGHOST", "PGDATABASE", "DATABASE_URL"), psqlMeta)
}

// psqlMeta reads a line that holds a backslash command, after SQL or alone.
func psqlMeta(p *sqlScript, line string) bool {
	i := strings.IndexByte(line, '\\')
	if i < 0 || strings.Count(line[:i], "'")%2 == 1 {
		return false
	}
	p.sql.WriteString(line[:i] + "\n")
	word, arg, _ := strings.Cut(line[i+1:], " ")
	arg = strings.TrimSpace(arg)
	if strings.HasPrefix(word, "!") {
		p.shell(line[i+2:])
		return true
	}
	for j, piece := range strings.Split(arg, "`") {
		if j%2 == 1 {
			p.shell(piece)
		}
	}
	switch word {
	case "copy":
		p.psqlCopy(arg)
	case "o", "out", "g", "gx", "w", "write":
		if !strings.HasPrefix(arg, "(") {
			p.to(arg)
		}
	case "i", "ir", "include", "include_relative":
		p.reads(sqlUnquote(arg), false)
		p.file(value.Lit(sqlUnquote(arg)))
	case "s":
		p.writes(arg)
	case "lo_import":
		p.from(sqlFirst(arg), false)
	case "lo_export":
		_, file, _ := strings.Cut(arg, " ")
		p.writes(sqlUnquote(strings.TrimSpace(file)))
	case "gexec":
		p.v.add(&sqlVerdict{verb: risk.DBChange, detail: risk.KindRunsTheResultsOfAQuery, opaque: true})
	case "e", "edit", "ef", "ev":
		p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, As: risk.KindEditor})
	case "setenv":
		if name, val, ok := strings.Cut(arg, " "); ok && (strings.HasSuffix(name, "PAGER") || strings.HasSuffix(name, "EDITOR")) {
			p.shell(sqlUnquote(val))
		}
	case "password":
		p.v.add(&sqlVerdict{verb: risk.DBChange})
	default:
		p.v.add(&sqlVerdict{verb: risk.DBRead})
	}
	return true
}

// psqlCopy reads \copy … { from | to } { 'file' | program 'command' | stdin }.
func (p *sqlScript) psqlCopy(arg string) {
	t := splitSQL("COPY " + arg)
	if len(t) == 0 {
		return
	}
	q := classifyStatement(t[0], 0)
	shells, reads, writes := q.shells, q.reads, q.writes
	q.shells, q.reads, q.writes = nil, nil, nil
	p.v.add(&q)
	for _, c := range shells {
		p.shell(c)
	}
	for _, f := range reads {
		p.reads(f, false)
	}
	for _, f := range writes {
		p.writes(f)
	}
	if len(shells)+len(reads)+len(writes) == 0 {
		p.psqlCopyBare(strings.Fields(arg))
	}
}

// psqlCopyBare handles a file name without quotes.
func (p *sqlScript) psqlCopyBare(words []string) {
	for i := len(words) - 2; i >= 0; i-- {
		switch strings.ToLower(words[i]) {
		case "to":
			p.writes(strings.TrimSuffix(words[i+1], "stdout"))
			return
		case "from":
			if words[i+1] != "stdin" {
				p.reads(words[i+1], false)
			}
			return
		}
	}
}

func sqlFirst(s string) string {
	first, _, _ := strings.Cut(s, " ")
	return first
}

// mysqlHook reads what mysql and mariadb are told to do (MySQL 8.4, 6.5.1).
func mysqlHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	sqlClient(m, s, r, dbTarget(m, s, "MYSQL_HOST", "", "DATABASE_URL"), mysqlMeta)
}

// mysqlMeta reads the client's own commands, by name or by letter.
func mysqlMeta(p *sqlScript, line string) bool {
	line = strings.TrimSuffix(line, ";")
	word, arg, _ := strings.Cut(line, " ")
	arg = strings.TrimSpace(arg)
	if strings.HasPrefix(word, `\!`) {
		word, arg = `\!`, strings.TrimSpace(line[2:])
	}
	switch word {
	case `\!`, "system", "SYSTEM":
		p.shell(arg)
	case `\.`, "source", "SOURCE":
		p.reads(arg, false)
		p.file(value.Lit(arg))
	case `\T`, "tee":
		p.writes(arg)
	case `\P`, "pager":
		if arg != "" {
			p.shell(arg)
		}
	case `\e`, "edit":
		p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, As: risk.KindEditor})
	default:
		// \! also works behind a statement on the same line.
		if i := strings.Index(line, `\!`); i >= 0 && strings.Count(line[:i], "'")%2 == 0 {
			p.sql.WriteString(line[:i] + "\n")
			p.shell(line[i+2:])
			return true
		}
		return false
	}
	return true
}

// sqliteHook reads what sqlite3 is told to do to a file (sqlite.org/cli.html).
func sqliteHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("done") {
		return
	}
	file, _ := m.Value("database")
	q := sqlClient(m, s, r, file, sqliteMeta)
	memory, opens := file.Empty() || netIs(file, ":memory:"), slices.ContainsFunc(m.Values("sql"), func(v value.Value) bool {
		return !v.IsKnown() || strings.HasPrefix(strings.TrimSpace(v.Prefix()), ".o")
	})
	opens = opens || s.HasStdin && len(m.Values("sql")) == 0
	if memory || m.Has("readonly") && !opens { // statements that change something fail, or change nothing that stays
		for i := range r.Effects {
			if r.Effects[i].Verb == risk.DBDestroy || r.Effects[i].Verb == risk.DBChange {
				r.Effects[i].Verb = risk.DBRead
			}
		}
	}
	if memory {
		return
	}
	if sqlRank(q.verb) < 2 || m.Has("readonly") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: file, Arg: "database", Shown: true})
		if !m.Has("readonly") && isMissing(s, file) { // a database that is not there is made when it is opened
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSCreate, Target: file, Arg: "database"})
		}
		return
	}
	r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: file, Arg: "database", Kind: risk.KindAppend})
}

// sqliteMeta reads a dot command.
func sqliteMeta(p *sqlScript, line string) bool {
	if line[0] != '.' {
		return false
	}
	word, arg, _ := strings.Cut(line[1:], " ")
	arg = strings.TrimSpace(arg)
	is := func(name string, least int) bool { return len(word) >= least && strings.HasPrefix(name, word) }
	switch {
	case is("shell", 2), is("system", 2):
		p.shell(arg)
	case is("output", 1), is("once", 2):
		p.to(arg)
	case is("load", 2):
		p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: value.Lit(sqlUnquote(sqlFirst(arg)))})
	case is("read", 3):
		p.from(arg, false)
		if !strings.HasPrefix(arg, "|") {
			p.file(value.Lit(sqlUnquote(arg)))
		}
	case is("import", 1):
		for strings.HasPrefix(arg, "-") {
			_, arg, _ = strings.Cut(arg, " ")
		}
		p.v.add(&sqlVerdict{verb: risk.DBChange})
		if strings.HasPrefix(sqlUnquote(arg), "|") {
			p.shell(strings.TrimPrefix(sqlUnquote(arg), "|"))
		} else {
			p.from(sqlFirst(arg), false)
		}
	case is("backup", 1), is("save", 2), is("clone", 2), is("log", 3), is("trace", 2):
		fields := strings.Fields(arg)
		if len(fields) > 0 {
			p.writes(sqlUnquote(fields[len(fields)-1]))
		}
	case is("restore", 3):
		fields := strings.Fields(arg)
		if len(fields) > 0 {
			p.reads(sqlUnquote(fields[len(fields)-1]), false)
		}
		p.v.add(&sqlVerdict{verb: risk.DBDestroy, detail: risk.KindReplacedByABackup})
	case is("open", 2), is("archive", 2), word == "ar":
		p.v.add(&sqlVerdict{verb: risk.DBChange})
	default:
		p.v.add(&sqlVerdict{verb: risk.DBRead})
	}
	return true
}

// sqlcmdHook reads the statements of sqlcmd: the Go version has subcommands, and
// one of them runs any.
func sqlcmdHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) == 1 && !m.Has("done") || len(m.Chain) > 1 && m.Chain[1].Name == "query" {
		sqlHook(m, s, r)
	}
}

// sqlHook is for clients whose own commands are few: a line that begins with
// "!", "!!", ":!!" or "host" runs a shell command (sqlcmd, isql, SQL*Plus).
func sqlHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) > 1 && m.Node().Hook != "" && r.ReadsStdin {
		return
	}
	sqlClient(m, s, r, dbTarget(m, s, "", "", "DATABASE_URL"), func(p *sqlScript, line string) bool {
		for _, prefix := range []string{":!!", "!!", "!", "host ", "HOST "} {
			if command, ok := strings.CutPrefix(line, prefix); ok {
				p.shell(command)
				return true
			}
		}
		if file, ok := strings.CutPrefix(line, ":r "); ok {
			p.reads(file, false)
			p.file(value.Lit(strings.TrimSpace(file)))
			return true
		}
		return false
	})
}

// dbHook makes a hook that says the same of a database whatever the options.
func dbHook(verb risk.Verb) catalog.Hook {
	return func(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
		e := catalog.Effect{Verb: verb, Target: dbTarget(m, s, "PGHOST", "PGDATABASE", "DATABASE_URL"), Arg: "database"}
		if verb == risk.DBChange && m.Has("clean") {
			e.Verb, e.Kind = risk.DBDestroy, risk.KindReplacedByADump
		}
		if m.Has("list") || verb == risk.DBChange && m.Has("file") && !m.Has("database") {
			return
		}
		r.Effects = append(r.Effects, e)
	}
}
