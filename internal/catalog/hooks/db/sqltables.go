package db

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/hooks/site"
	"github.com/heedsh/heed/internal/catalog/sqleffect"
	"github.com/heedsh/heed/internal/lang/sql"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// tableSQL reads the SQL of programs that take files for the tables of a database in
// memory: textql, which is given them, and trdsql, whose tables are called like them.
// Only what is attached stays, and what a server is asked for with -driver or -db.
func tableSQL(m *catalog.Match, s *catalog.Site, r *catalog.Result) {
	if m.Has("help") {
		return
	}
	p := &sqlScript{site: s, r: r, sqlTongue: sqlTongue{dialect: sql.SQLite}}
	db := sqleffect.Database{Dialect: sql.SQLite, Embedded: true}
	server := m.Has("driver") || m.Has("database")
	if server {
		name, _ := m.Value("database")
		p.dialect = sql.Any
		if db, _ = sqleffect.Connection(sql.Any, name); db.Host != "" {
			r.Effects = append(r.Effects, catalog.Effect{Verb: risk.NetConnect, Target: value.Lit(db.Host)})
		}
	}
	for _, v := range m.Values("sql") {
		p.text(v)
		if text, _ := v.Known(); s.Name == "trdsql" && !server {
			for _, name := range tablesOf(text) {
				r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: value.Lit(name).With(v.Taint()), Kind: risk.KindSQL, Shown: true})
			}
		}
	}
	for _, v := range m.Values("script") {
		p.file(v)
	}
	if !server {
		p.out.Spare()
	}
	p.finish(db)
	if !server { // what is asked are the files
		r.Effects = slices.DeleteFunc(r.Effects, func(e catalog.Effect) bool { return e.Verb == risk.DBRead })
	}
}

// tablesOf are the files behind FROM and JOIN of a statement: what trdsql takes for them
// needs no quotes (trdsql README, "SQL").
func tablesOf(text string) (names []string) {
	words := strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t\n,;()", c) })
	for i := 1; i < len(words) && len(names) < maxTables; i++ {
		before := strings.ToUpper(words[i-1])
		if before != "FROM" && before != "JOIN" || strings.EqualFold(words[i], "SELECT") {
			continue
		}
		name := strings.Trim(words[i], "\"`'")
		name, _, _ = strings.Cut(name, "::") // what of a JSON file is taken
		if name != "" && name != "-" && site.NameByte(name[len(name)-1]) {
			names = append(names, name)
		}
	}
	return names
}

// maxTables bounds how many are told.
const maxTables = 32
