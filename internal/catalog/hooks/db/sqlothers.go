package db

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/sqleffect"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// dialectOf is the dialect of a client that is for one database; of the
// others it depends on the server.
func dialectOf(client string) sql.Dialect {
	switch client {
	case "pgcli", "cockroach", "vsql":
		return sql.PostgreSQL
	case "mycli":
		return sql.MySQL
	case "sqlcmd", "osql", "tsql", "bsqldb":
		return sql.SQLServer
	}
	return sql.Any
}

// sqlTongueOf is what a client takes whose own commands are few.
func sqlTongueOf(s *catalog.Site) sqlTongue {
	d := dialectOf(s.Name)
	switch s.Name {
	case "pgcli":
		return psqlTongue()
	case "mycli":
		return mysqlTongue()
	}
	return sqlTongue{dialect: d, command: sqlCommand, meta: sqlMeta}
}

// sqlcmdHook reads the statements of sqlcmd: the Go version has subcommands, and
// one of them runs any.
func sqlcmdHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) == 1 && !m.Has("done") || len(m.Chain) > 1 && m.Chain[1].Name == "query" {
		sqlHook(m, s, r)
	}
}

// sqlHook is for clients whose own commands are few.
func sqlHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if len(m.Chain) > 1 && m.Node().Hook != "" && r.ReadsStdin {
		return
	}
	tongue := sqlTongueOf(s)
	db := dbTarget(m, s, tongue.dialect, "", "", "DATABASE_URL")
	sqlClient(m, s, r, db, tongue).finish(db)
}

// sqlShells are what begins a line that runs a shell command (sqlcmd, isql,
// SQL*Plus).
var sqlShells = []string{":!!", "!!", "!", "host ", "HOST "}

// sqlPlusWords begin a command of SQL*Plus that reads, writes or runs something (SQL*Plus
// User's Guide, chapter 12), and that no statement begins with.
const sqlPlusWords = " @ start get save spool edit ed run host store connect conn password archive recover shutdown startup "

// sqlCommand recognises a line that is the client's own: one that runs a shell command,
// begins with a colon and a letter, as all of sqlcmd do, or with a word of SQL*Plus.
func sqlCommand(rest string, at sql.Place) (n int, ends bool) {
	if !at.Line {
		return 0, false
	}
	line := rest[:sqlLine(rest)]
	word, _, _ := strings.Cut(strings.ToLower(strings.TrimRight(line, ";\r ")), " ")
	begins, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(line[min(len(word), len(line)):])), " ")
	switch {
	case strings.HasPrefix(line, "!"), strings.HasPrefix(line, ":!!"):
		return len(line), false
	case len(line) > 1 && line[0] == ':' && site.NameByte(line[1]):
		return len(line), false
	case at.Fresh && strings.HasPrefix(line, "@"), at.Fresh && word == "host" && begins != "":
		return len(line), false
	case at.Fresh && word == "start" && !strings.HasPrefix(begins, "transaction") && begins != "slave" && begins != "replica":
		return len(line), false
	case at.Fresh && word != "host" && word != "start" && strings.Contains(sqlPlusWords, " "+word+" "):
		return len(line), false
	}
	return 0, false
}

// sqlMeta reads such a line.
func sqlMeta(p *sqlScript, line string) {
	for _, prefix := range sqlShells {
		if command, ok := strings.CutPrefix(line, prefix); ok {
			p.shell(command)
			return
		}
	}
	word, arg, _ := strings.Cut(strings.TrimRight(line, ";"), " ")
	arg = strings.TrimSpace(arg)
	if name, ok := strings.CutPrefix(word, "@"); ok {
		word, arg = "@", strings.TrimLeft(strings.TrimPrefix(name, "@")+" "+arg, " ")
	}
	switch strings.ToLower(word) {
	case ":r", "@", "start":
		file := p.value(sqlUnquote(sqlFirst(arg)))
		p.reads(file)
		p.file(file)
	case ":out", ":error", ":perftrace", "spool", "save", "store":
		if file := sqlUnquote(sqlFirst(arg)); !strings.EqualFold(file, "stderr") && !strings.EqualFold(file, "off") {
			p.writes(file)
		}
	case ":connect":
		p.r.Effects = append(p.r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: p.value(sqlFirst(arg))})
	case ":setvar", ":list", ":listvar", ":reset", ":quit", ":exit", ":help", ":xml", ":on", ":serverlist":
		p.does(risk.DBRead, risk.NoKind)
	case ":ed", "edit", "ed":
		p.editor()
	default:
		p.does(risk.DBChange, risk.NoKind)
		p.notUnderstood(line)
	}
}

// serviceSQL makes a hook for SQL that a service is to run: aws athena
// start-query-execution, redshift-data and rds-data execute-statement; bq query;
// heroku pg:psql; wrangler d1 execute; prisma db execute. The database is called
// by what names it, or as otherwise says.
func serviceSQL(d sql.Dialect, otherwise string, stdin bool) catalog.Hook {
	return func(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
		if m.Has("dry") {
			return
		}
		db := sqleffect.Database{Name: value.Lit(otherwise), Dialect: d}
		if name, ok := m.Value("database"); ok && !name.Empty() {
			db.Name = name
		}
		p := &sqlScript{site: s, r: r, sqlTongue: sqlTongue{dialect: d}}
		texts, files := m.Values("sql"), m.Values("script")
		for _, v := range texts {
			if strings.HasPrefix(v.Prefix(), "file://") { // AWS CLI, "Loading a parameter from a file"
				p.file(v.Cut(len("file://")))
				continue
			}
			p.text(v)
		}
		for _, v := range files {
			p.file(v)
		}
		if given := len(texts)+len(files) > 0; !given && stdin && s.HasStdin {
			p.stdin()
		} else if !given && stdin {
			p.does(risk.DBChange, risk.NoKind)
		}
		p.finish(db)
	}
}
