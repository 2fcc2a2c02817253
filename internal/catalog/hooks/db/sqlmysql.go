package db

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/sql"
)

// mysqlHook reads what mysql and mariadb are told to do (MySQL 8.4, 6.5.1).
func mysqlHook(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	db := dbTarget(m, s, sql.MySQL, "MYSQL_HOST", "", "DATABASE_URL")
	sqlClient(m, s, r, db, mysqlTongue()).finish(db)
}

func mysqlTongue() sqlTongue {
	return sqlTongue{dialect: sql.MySQL, command: mysqlCommand, meta: mysqlMeta}
}

// mysqlCommand recognises the client's own commands (MySQL 8.4, 6.5.1.2): by
// name where no statement has begun, by letter anywhere.
func mysqlCommand(rest string, at sql.Place) (n int, ends bool) {
	line := rest[:sqlLine(rest)]
	if rest[0] != '\\' {
		word := strings.TrimRight(line, ";\r")
		word, _, _ = strings.Cut(word, " ")
		switch strings.ToLower(word) {
		case "system", "source", "tee", "notee", "pager", "nopager", "edit":
			if at.Fresh {
				return len(line), false
			}
		}
		return 0, false
	}
	switch letter := line[1:min(len(line), 2)]; letter {
	case "g", "G", "c":
		return 2, true
	case "!", ".", "T", "P", "e":
		return len(line), false
	case "t", "n", "p", "q", "s", "h", "?", "w", "W", "#", "x":
		return 2, false
	}
	return 0, false
}

// mysqlMeta reads one of the client's own commands.
func mysqlMeta(p *sqlScript, line string) {
	line = strings.TrimSuffix(line, ";")
	word, arg, _ := strings.Cut(line, " ")
	if strings.HasPrefix(line, `\`) {
		word, arg = line[:2], line[2:]
	}
	arg = strings.TrimSpace(arg)
	switch strings.ToLower(word) {
	case `\!`, "system":
		p.shell(arg)
	case `\.`, "source":
		file := p.value(arg)
		p.reads(file)
		p.file(file)
	case "tee":
		p.writes(arg)
	case "pager":
		if arg != "" {
			p.shell(arg)
		}
	case `\e`, "edit":
		p.editor()
	}
	switch word { // by letter, their case matters
	case `\T`:
		p.writes(arg)
	case `\P`:
		if arg != "" {
			p.shell(arg)
		}
	}
}
