package db

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/sqleffect"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A sqlTongue is what a client takes beside SQL.
type sqlTongue struct {
	dialect sql.Dialect
	// command recognises the client's own commands, as [sql.Options] has it.
	command func(rest string, at sql.Place) (n int, ends bool)
	// meta says what such a command does.
	meta func(p *sqlScript, command string)
}

// A sqlScript is text for a database client as it is being read: SQL, and the
// client's own commands.
type sqlScript struct {
	sqlTongue
	site  *catalog.Site
	r     *catalog.Result
	now   sqleffect.Text // what is being read
	out   sqleffect.Outcome
	depth int
	taken map[string]string // variables of the environment, by the names that they have here
}

const maxScriptDepth = 4 // scripts that include scripts

// text reads a text: what it has the database do, and what the client.
func (p *sqlScript) text(v value.Value) {
	t := sqleffect.TextOf(v)
	o, commands := sqleffect.Script(t, sql.Options{Dialect: p.dialect, Command: p.command})
	p.out.Add(&o)
	for _, c := range commands {
		p.now = t
		p.meta(p, strings.TrimSpace(t.String()[c.Start:c.End]))
	}
}

// value is a piece of what is being read.
func (p *sqlScript) value(piece string) value.Value { return p.now.Value(piece) }

// does notes what a client's own command does to the data.
func (p *sqlScript) does(verb risk.Verb, kind risk.Kind) {
	o := sqleffect.Of(verb, kind)
	p.out.Add(&o)
}

// file reads a script that the client reads; what cannot be read counts as a
// change.
func (p *sqlScript) file(v value.Value) {
	text, ok := site.SiteFile(p.site, v)
	if p.depth >= maxScriptDepth || !ok {
		p.does(risk.DBChange, risk.KindStatementsInAFile)
		return
	}
	p.depth++
	p.text(value.Lit(text))
	p.depth--
}

// notUnderstood tells of a command of the client whose meaning nobody knows.
func (p *sqlScript) notUnderstood(line string) {
	site.NotUnderstood(p.r, value.Lit(line))
}

func (p *sqlScript) reads(v value.Value) {
	p.r.Effects = append(p.r.Effects, catalog.Effect{Verb: risk.FSRead, Target: v})
}

func (p *sqlScript) writes(v string) {
	if v != "" && v != "off" && v != "stdout" {
		p.r.Effects = append(p.r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: p.value(v), Kind: risk.KindQueryOutput})
	}
}

func (p *sqlScript) shell(text string) {
	if text = strings.TrimSpace(text); text == "" {
		p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunShellInteractive})
		return
	}
	p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunShell, Text: p.value(text)})
}

// editor opens what is being written in an editor.
func (p *sqlScript) editor() {
	p.r.Runs = append(p.r.Runs, catalog.Run{Kind: catalog.RunShellInteractive, As: risk.KindEditor})
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
func (p *sqlScript) from(arg string) {
	if command, ok := strings.CutPrefix(arg, "|"); ok {
		p.shell(command)
		return
	}
	if arg != "" {
		p.reads(p.value(sqlUnquote(arg)))
	}
}

func sqlUnquote(s string) string { return strings.Trim(s, `'"`) }

func sqlFirst(s string) string {
	first, _, _ := strings.Cut(s, " ")
	return first
}

// sqlLine is the number of bytes up to the end of the line.
func sqlLine(rest string) int {
	if n := strings.IndexByte(rest, '\n'); n >= 0 {
		return n
	}
	return len(rest)
}

// stdin reads statements that are piped in, or in a file that is standard
// input.
func (p *sqlScript) stdin() {
	p.r.ReadsStdin = true
	in := site.Input(p.site)
	if in.IsKnown() || in.Len() > 0 {
		p.text(in)
		return
	}
	p.does(risk.DBChange, risk.KindStatementsFromStandardInput)
}

// finish says what all of it does to a database.
func (p *sqlScript) finish(db sqleffect.Database) {
	d := p.out.On(db)
	p.r.Effects = append(p.r.Effects, d.Effects...)
	p.r.Runs = append(p.r.Runs, d.Runs...)
	p.r.Unknowns = append(p.r.Unknowns, d.Unknowns...)
}

// sqlClient runs the common course of a client: statements given as words, in
// files, or piped in.
func sqlClient(m *catalog.Match, s *catalog.Site, r *catalog.Result, db sqleffect.Database, tongue sqlTongue) *sqlScript {
	p := &sqlScript{site: s, r: r, sqlTongue: tongue}
	given := false
	for _, v := range m.Values("sql") {
		given = true
		p.text(v)
		if word := keywordAlone(v); word != "" && len(m.Values("sql")) == 1 {
			r.Lacks, r.Never = word+" alone is no statement", true
		}
	}
	for _, v := range m.Values("script") {
		given = true
		if site.NetIs(v, "-") {
			p.stdin()
		} else {
			p.file(v)
		}
	}
	if !given && s.HasStdin {
		p.stdin()
	} else if !given {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.ExecShell, Target: db.Name, Kind: risk.KindInteractive})
	}
	return p
}

// keywordAlone is the one word that a text has, where it begins a statement that needs more
// of them: what was to stand behind it lacked quotes. "" for another text.
func keywordAlone(v value.Value) string {
	text, _ := v.Known()
	switch word := strings.ToUpper(strings.TrimSpace(text)); word {
	case "DROP", "CREATE", "ALTER", "INSERT", "UPDATE", "DELETE", "GRANT", "REVOKE", "TRUNCATE":
		return word
	}
	return ""
}

// dbTarget is the database that a client is told to connect to.
func dbTarget(m *catalog.Match, s *catalog.Site, d sql.Dialect, hostVar, dbVar, urlVar string) sqleffect.Database {
	name, _ := m.Value("database")
	host, _ := m.Value("host")
	if name.Empty() {
		name, _ = site.SiteEnv(s, dbVar)
	}
	if host.Empty() {
		host, _ = site.SiteEnv(s, hostVar)
	}
	if name.Empty() && host.Empty() {
		name, _ = site.SiteEnv(s, urlVar)
	}
	if db, ok := sqleffect.Connection(d, name); ok {
		return db
	}
	return sqleffect.Server(d, name, host)
}

// dbHook makes a hook that says the same of a database whatever the options.
func dbHook(verb risk.Verb) catalog.Hook {
	return func(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
		e := catalog.Effect{Verb: verb, Target: dbTarget(m, s, sql.PostgreSQL, "PGHOST", "PGDATABASE", "DATABASE_URL").Name, Arg: "database"}
		if verb == risk.DBChange && m.Has("clean") {
			e.Verb, e.Kind = risk.DBDestroy, risk.KindReplacedByADump
		}
		if m.Has("list") || verb == risk.DBChange && m.Has("file") && !m.Has("database") {
			return
		}
		r.Effects = append(r.Effects, e)
		if verb == risk.DBRead && m.Has("clean") && !m.Has("file") { // it prints what drops all that it dumps, before it is made anew
			text := value.Concat(value.Lit("DROP TABLE "), value.Unknown(risk.CauseOutput, "pg_dump").With(value.Private), value.Lit(";\n"))
			r.Stdout = &text
		}
	}
}

// printed is what a query prints that puts statements together from literals,
// `SELECT 'DROP TABLE ' || name FROM …`, if the first of them begins like one
// that destroys: what reads it runs that.
func printed(query value.Value) *value.Value {
	text, known := query.Known()
	before, rest, ok := strings.Cut(text, "'")
	literal, _, closed := strings.Cut(rest, "'")
	if !known || !ok || !closed || !strings.EqualFold(strings.TrimSpace(before), "select") {
		return nil
	}
	switch word, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(literal)), " "); word {
	case "drop", "truncate", "delete", "alter":
	default:
		return nil
	}
	out := value.Concat(value.Lit(literal), value.Unknown(risk.CauseOutput, "a query").With(value.Private), value.Lit(";\n"))
	return &out
}
