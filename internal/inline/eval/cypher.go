package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// pythonGraphs lists Neo4j's driver (Neo4j Python Driver 5 manual).
func pythonGraphs(t *table) {
	t.call(func(s *scan, c *call) val {
		uri := c.arg(0, "uri").value()
		s.effect(catalog.Effect{Verb: risk.NetConnect, Target: uri, Kind: risk.KindDatabase})
		return object("graph", uri)
	}, "neo4j.GraphDatabase.driver")
	t.method("graph", func(_ *scan, c *call) val { return object("graph", c.recv.s) }, "session __enter__")
	t.method("graph", cypher, "run execute_query")
	t.method("graph", quiet, "close verify_connectivity")
}

// cypher is a query in Cypher, the first argument.
func cypher(s *scan, c *call) val {
	text, known := c.arg(0, "query", "query_").known()
	e := catalog.Effect{Verb: risk.DBChange, Target: c.recv.value(), Kind: risk.KindStatementNotKnown}
	if known {
		e.Verb, e.Kind = cypherVerb(text)
	}
	s.effect(e)
	return dull()
}

// cypherVerb says what a query does, by its clauses (Neo4j Cypher Manual 5,
// Clauses). A word behind a dot or a colon is a property or a label.
func cypherVerb(text string) (risk.Verb, risk.Kind) {
	verb, detail, first := risk.DBRead, risk.NoKind, ""
	deletes, narrowed := false, false
	text = plainCypher(text)
	for i := 0; i < len(text); {
		if text[i] == '{' {
			narrowed = true
		}
		n := syntax.IdentLen(text[i:])
		if n == 0 {
			i++
			continue
		}
		word := strings.ToUpper(text[i : i+n])
		named := i > 0 && (text[i-1] == '.' || text[i-1] == ':' || text[i-1] == '$')
		i += n
		if named {
			continue
		}
		if first == "" {
			first = word
		}
		switch word {
		case "CREATE", "MERGE", "SET", "REMOVE", "FOREACH", "CALL", "LOAD", "ALTER", "GRANT", "DENY", "REVOKE", "START", "STOP", "TERMINATE", "ENABLE", "RENAME":
			verb = risk.DBChange
		case "DELETE":
			verb, deletes = risk.DBChange, true
		case "DROP":
			return risk.DBDestroy, risk.KindSQLDrop
		case "WHERE":
			narrowed = true
		}
	}
	switch first {
	case "MATCH", "OPTIONAL", "RETURN", "UNWIND", "WITH", "SHOW", "EXPLAIN", "PROFILE":
	default:
		if verb == risk.DBRead {
			return risk.DBChange, risk.KindStatementNotKnown
		}
	}
	if deletes && !narrowed {
		return risk.DBDestroy, risk.KindSQLDeleteAll
	}
	return verb, detail
}

// plainCypher takes comments and quoted text out of a query (Neo4j Cypher
// Manual 5, Comments, Naming rules).
func plainCypher(t string) string {
	var b strings.Builder
	for i := 0; i < len(t); i++ {
		switch {
		case strings.IndexByte("'\"`", t[i]) >= 0:
			i = syntax.SkipString(t, i)
			b.WriteString("''")
		case strings.HasPrefix(t[i:], "//"):
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
