package sql

import (
	"slices"
	"strings"
)

// inner reads a statement that stands inside another.
func (r *reader) inner(s *Statement, t []Token) {
	if len(s.Inner) >= maxInner {
		s.More = true
		return
	}
	if len(t) > 0 {
		s.Inner = append(s.Inner, r.deeper(t))
	}
}

// deeper reads a statement one level deeper.
func (r *reader) deeper(t []Token) Statement {
	if r.depth >= maxDepth {
		return Statement{Kind: Opaque, Start: t[0].Start, End: t[len(t)-1].End, Tokens: t}
	}
	below := *r
	below.depth++
	return below.plain(t)
}

// text reads a string that is executed. What is no statement in it is none.
func (r *reader) text(s *Statement, t Token) {
	if *r.left -= len(t.Text); *r.left < 0 || len(s.Inner) >= maxInner {
		s.More = true
		return
	}
	if r.depth >= maxDepth {
		s.Inner = append(s.Inner, Statement{Kind: Opaque, Start: t.Start, End: t.End})
		return
	}
	o := r.options
	o.Command = nil
	for _, one := range readDialect(t.Text, o, r.depth+1, r.left).Statements {
		if one.Kind == Unknown && !slices.ContainsFunc(one.Calls, func(c Call) bool { return len(c.Args) > 0 }) {
			continue
		}
		if len(s.Inner) >= maxInner {
			s.More = true
			return
		}
		s.Inner = append(s.Inner, one)
	}
}

// explain reads the statement behind EXPLAIN: it is run only where ANALYZE
// says so (PostgreSQL 17 and MySQL 8.4, EXPLAIN).
func (r *reader) explain(s *Statement, t []Token) {
	analyze := false
	for i := range t {
		switch {
		case t[i].Is("ANALYZE", "ANALYSE"):
			switch strings.ToLower(at(t, i+1).Text) {
			case "false", "off", "0":
				analyze = false
			default:
				analyze = true
			}
		case t[i].Is("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "EXECUTE", "CREATE", "REPLACE", "VALUES", "DECLARE"):
			if analyze {
				s.Kind = Explain
				r.inner(s, t[i:])
			}
			return
		}
	}
}

// with reads WITH name AS (…), … and the statement behind it, which says what
// kind the whole is (PostgreSQL 17, 7.8; sqlite.org/lang_with.html; MySQL 8.4,
// 15.2.20; Transact-SQL, WITH common_table_expression).
func (r *reader) with(s *Statement) {
	t := s.Tokens
	main, depth := 0, 0
	for i := 1; i < len(t) && main == 0; i++ {
		switch {
		case t[i].sign('('):
			if depth++; depth == 1 && holdsStatement(t, i) {
				r.inner(s, t[i+1:min(closing(t, i), len(t))])
			}
		case t[i].sign(')'):
			depth--
		case depth == 0 && t[i].Is("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "REPLACE", "VALUES", "TABLE"):
			if !at(t, i+1).Is("AS") && !t[i-1].sign(',') && !t[i-1].Is("WITH", "RECURSIVE") {
				main = i
			}
		}
	}
	if main == 0 {
		s.Kind = Query
		return
	}
	one := r.plain(t[main:])
	one.Inner = append(one.Inner, s.Inner...)
	one.More = one.More || s.More
	one.Start, one.Tokens = s.Start, t
	*s = one
}

// holdsStatement reports whether the parenthesis at i opens a statement.
func holdsStatement(t []Token, i int) bool {
	return at(t, i+1).Is("SELECT", "INSERT", "UPDATE", "DELETE", "MERGE", "WITH", "VALUES", "TABLE")
}

// block reads the statements in procedural code: behind BEGIN and THEN, and in
// strings that are executed.
func (r *reader) block(s *Statement, t []Token) {
	dynamic := t[0].Is("DO", "EXECUTE", "EXEC", "PREPARE")
	for i := 1; i < len(t); i++ {
		if len(s.Inner) >= maxInner {
			s.More = true
			return
		}
		switch {
		case t[i].Kind == String && dynamic:
			r.text(s, t[i])
		case t[i].Is("EXECUTE", "EXEC"):
			dynamic, s.Kind = true, Run
		case t[i].Is("CALL"):
			s.Kind = Run
		case t[i].Is("DELETE", "UPDATE", "DROP", "TRUNCATE", "ALTER", "INSERT", "MERGE", "CREATE", "GRANT", "COPY") && startsInside(t, i):
			n := boundary(t[i:])
			r.inner(s, t[i:i+n])
			if !dynamic {
				i += n - 1
			}
		}
	}
}

// startsInside reports whether a word begins a statement, and is not part of
// one: ON CONFLICT DO UPDATE, FOR UPDATE, ON DELETE CASCADE.
func startsInside(t []Token, i int) bool {
	if t[i-1].Is("ON", "FOR", "KEY", "OR", "BEFORE", "AFTER", "OF") {
		return false
	}
	return !t[i-1].Is("DO") || !at(t, i+1).Is("SET", "NOTHING")
}
