package db

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/sqleffect"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/risk"
)

// psqlHook reads what psql is told to do (PostgreSQL 17, psql).
func psqlHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	db := dbTarget(m, s, sql.PostgreSQL, "PGHOST", "PGDATABASE", "DATABASE_URL")
	if m.Has("list") {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.DBRead, Target: db.Name})
		return
	}
	for _, v := range m.Values("output") {
		if strings.HasPrefix(v.Prefix(), "|") {
			r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: v.Cut(1)})
		} else {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: v, Kind: risk.KindQueryOutput})
		}
	}
	sqlClient(m, s, r, db, psqlTongue()).finish(db)
	if queries := m.Values("sql"); len(queries) == 1 && !m.Has("output") {
		r.Stdout = printed(queries[0])
	}
}

func psqlTongue() sqlTongue {
	return sqlTongue{dialect: sql.PostgreSQL, command: psqlCommand, meta: psqlMeta}
}

// psqlCommand recognises a backslash command. Its arguments end with the line,
// or at the next backslash outside quotes; "\\" only separates. Those that send
// what has been written end the statement.
func psqlCommand(rest string, _ sql.Place) (n int, ends bool) {
	if rest[0] != '\\' || len(rest) < 2 {
		return 0, false
	}
	line := rest[:sqlLine(rest)]
	switch {
	case strings.HasPrefix(line, `\;`):
		return 2, true
	case strings.HasPrefix(line, `\\`):
		return 2, false
	case strings.HasPrefix(line, `\!`), strings.HasPrefix(line, `\copy `):
		return len(line), false
	}
	word, arg, _ := strings.Cut(line[1:], " ")
	word, _, _ = strings.Cut(word, `\`)
	ends = slices.Contains([]string{"g", "gx", "gexec", "gset", "gdesc", "watch", "crosstabview", "r", "reset"}, word)
	if strings.HasPrefix(strings.TrimSpace(arg), "|") {
		return len(line), ends
	}
	quote := byte(0)
	for i := 1 + len(word); i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"' || c == '`':
			quote = c
		case c == '\\':
			if strings.HasPrefix(line[i:], `\\`) {
				i += 2
			}
			return i, ends
		}
	}
	return len(line), ends
}

// psqlMeta reads a backslash command.
func psqlMeta(p *sqlScript, line string) {
	if line == `\;` || line == `\\` {
		return
	}
	if strings.HasPrefix(line, `\!`) {
		p.shell(line[2:])
		return
	}
	word, arg, _ := strings.Cut(strings.TrimSuffix(line[1:], `\\`), " ")
	arg = strings.TrimSpace(arg)
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
		file := p.value(sqlUnquote(arg))
		p.reads(file)
		p.file(file)
	case "s":
		p.writes(arg)
	case "lo_import":
		p.from(sqlFirst(arg))
	case "lo_export":
		_, file, _ := strings.Cut(arg, " ")
		p.writes(sqlUnquote(strings.TrimSpace(file)))
	case "gexec":
		o := sqleffect.Blind(risk.KindRunsTheResultsOfAQuery)
		p.out.Add(&o)
	case "e", "edit", "ef", "ev":
		p.editor()
	case "setenv":
		if name, val, ok := strings.Cut(arg, " "); ok && (strings.HasSuffix(name, "PAGER") || strings.HasSuffix(name, "EDITOR")) {
			p.shell(sqlUnquote(val))
		} else { // for the programs that it starts
			p.notUnderstood(line)
		}
	case "connect", "c":
		p.psqlConnect(strings.Fields(arg))
	case "lo_unlink":
		p.does(risk.DBDestroy, risk.KindDataIsLost)
	case "getenv": // \getenv NAME VARIABLE
		if name, variable, ok := strings.Cut(arg, " "); ok {
			if p.taken == nil {
				p.taken = map[string]string{}
			}
			p.taken[name] = strings.TrimSpace(variable)
		}
		p.does(risk.DBRead, risk.NoKind)
	case "echo", "qecho", "warn":
		for name, variable := range p.taken {
			if strings.Contains(arg, ":"+name) || strings.Contains(arg, ":'"+name) || strings.Contains(arg, `:"`+name) {
				site.ShowsVariables(p.r, variable)
			}
		}
		p.does(risk.DBRead, risk.NoKind)
	case "password":
		p.does(risk.DBChange, risk.NoKind)
	default:
		p.does(risk.DBRead, risk.NoKind)
		if !psqlTells(word) {
			p.notUnderstood(line)
		}
	}
}

// psqlTells reports whether a command only describes what is there, or says how answers
// look and where variables of the script stand (PostgreSQL 17, psql, "Meta-Commands").
func psqlTells(word string) bool {
	if rest, ok := strings.CutPrefix(word, "d"); ok && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ+") == "" { // \d, \dt+, \dRp
		return true
	}
	return slices.Contains(strings.Fields(`? a bind bind_named C cd close_prepared conninfo copyright crosstabview elif else encoding endif errverbose f gdesc gset h help H html if l list lo_list
		p parse print prompt pset q quit r reset restrict unrestrict set sf sv t T timing unset watch x z`), strings.TrimRight(word, "+S"))
}

// psqlConnect reads \connect, which may go to another server: DBNAME USER HOST PORT, or a
// string that has them all.
func (p *sqlScript) psqlConnect(words []string) {
	p.does(risk.DBRead, risk.NoKind)
	words = slices.DeleteFunc(words, func(w string) bool { return strings.HasPrefix(w, "-reuse") })
	host := ""
	switch {
	case len(words) > 2:
		host = sqlUnquote(words[2])
	case len(words) > 0 && strings.ContainsAny(words[0], "=/"):
		host = sqlUnquote(words[0])
	}
	if host != "" && host != "-" {
		p.r.Effects = append(p.r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: p.value(host)})
	}
}

// psqlCopy reads \copy … { from | to } { 'file' | program 'command' | stdin }:
// COPY, with files and programs of the client.
func (p *sqlScript) psqlCopy(arg string) {
	for _, script := range sql.Read("COPY "+arg, sql.Options{Dialect: p.dialect}) {
		if len(script.Statements) == 0 {
			continue
		}
		used := script.Statements[0].Uses
		for _, u := range used {
			switch u.Role {
			case sql.Reads:
				p.reads(p.value(u.Text))
			case sql.Writes:
				p.writes(u.Text)
			case sql.Runs:
				p.shell(u.Text)
			}
		}
		if len(used) == 0 {
			p.psqlCopyBare(strings.Fields(arg))
		}
	}
	data := sqleffect.Read(p.value("COPY "+arg), p.dialect)
	data = data.Data()
	p.out.Add(&data)
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
				p.reads(p.value(words[i+1]))
			}
			return
		}
	}
}
