package inline

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// query makes an action that has a database run argument i.
func query(i int) action {
	return func(s *scan, c *call) val {
		t := c.arg(i)
		text := t.value().Prefix()
		if text == "" {
			s.impure()
			if c.recv.k != vObj {
				s.seen = false
			} else {
				s.effect(catalog.Effect{Verb: risk.DBChange, Kind: risk.KindStatementNotKnown})
			}
			return derived(c.all()...)
		}
		for statement := range strings.SplitSeq(plainQuery(text, "'", "--"), ";") {
			s.sqlStatement(statement, c.recv)
		}
		s.pure = false
		if !t.value().IsKnown() {
			s.impure()
		}
		return object("db", c.recv.s) // a cursor
	}
}

// plainQuery takes comments and quoted text out of a query, in whose language
// any of quotes quotes and line begins a comment that the line's end closes.
func plainQuery(t, quotes, line string) string {
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		switch {
		case strings.IndexByte(quotes, t[i]) >= 0:
			i = skipString(t, i)
			b.WriteString("''")
		case strings.HasPrefix(t[i:], line):
			n := strings.IndexByte(t[i:], '\n')
			if n < 0 {
				return b.String()
			}
			i += n
			b.WriteByte(' ')
		case strings.HasPrefix(t[i:], "/*"):
			n := strings.Index(t[i+2:], "*/")
			if n < 0 {
				return b.String()
			}
			i += n + 3
			b.WriteByte(' ')
		default:
			b.WriteByte(t[i])
		}
	}
	return b.String()
}

// sqlStatement classifies one statement by its words.
func (s *scan) sqlStatement(t string, of val) {
	w := strings.Fields(strings.ToUpper(t))
	if len(w) == 0 {
		return
	}
	has := func(x string) bool {
		for _, y := range w {
			if y == x {
				return true
			}
		}
		return false
	}
	e := catalog.Effect{}
	if of.k == vObj {
		e.Target = of.s
	}
	switch w[0] {
	case "DROP", "TRUNCATE":
		e.Verb, e.Kind = risk.DBDestroy, map[string]risk.Kind{"DROP": risk.KindSQLDrop, "TRUNCATE": risk.KindSQLTruncate}[w[0]]
	case "DELETE", "UPDATE":
		e.Verb = risk.DBChange
		if !has("WHERE") {
			e.Verb, e.Kind = risk.DBDestroy, map[string]risk.Kind{"DELETE": risk.KindSQLDeleteAll, "UPDATE": risk.KindSQLUpdateAll}[w[0]]
		}
	case "ALTER":
		e.Verb = risk.DBChange
		if has("DROP") {
			e.Verb, e.Kind = risk.DBDestroy, risk.KindSQLAlterDrop
		}
	case "INSERT", "CREATE", "REPLACE", "MERGE", "GRANT", "REVOKE", "VACUUM", "ATTACH", "COPY", "CALL", "DO", "EXEC", "EXECUTE":
		e.Verb = risk.DBChange
	case "WITH":
		e.Verb = risk.DBRead
		if has("DELETE") || has("UPDATE") || has("INSERT") {
			e.Verb = risk.DBChange
		}
	case "SELECT", "SHOW", "DESCRIBE", "EXPLAIN", "PRAGMA", "VALUES":
		e.Verb = risk.DBRead
	case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ANALYZE", "DETACH", "SET", "USE":
		return
	default:
		s.seen = false
		return
	}
	s.effect(e)
}
