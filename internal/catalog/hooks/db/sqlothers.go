package db

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
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

// sqlCommand recognises a line that runs a shell command, or :r, which reads a
// file.
func sqlCommand(rest string, at sql.Place) (n int, ends bool) {
	if !at.Line {
		return 0, false
	}
	for _, prefix := range append(sqlShells[:3:3], ":r ") {
		if strings.HasPrefix(rest, prefix) {
			return sqlLine(rest), false
		}
	}
	if at.Fresh && (strings.HasPrefix(rest, "host ") || strings.HasPrefix(rest, "HOST ")) {
		return sqlLine(rest), false
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
	if name, ok := strings.CutPrefix(line, ":r "); ok {
		file := p.value(strings.TrimSpace(name))
		p.reads(file)
		p.file(file)
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
