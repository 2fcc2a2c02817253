package hooks

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A sqlVerdict says what the worst of some SQL statements does.
type sqlVerdict struct {
	verb    risk.Verb // DBRead, DBChange, DBDestroy, or "" for none
	detail  risk.Kind // fixed words
	object  string    // the table or database that is destroyed
	shells  []string  // commands that a statement has a shell run
	reads   []string  // files that statements read, on the server or here
	writes  []string  // files that they write
	load    []string  // native code that they load
	opaque  bool      // a statement whose kind is not known
	grants  risk.Kind // fixed words for the rights that a statement gives
	grantee string    // the account that gets them
}

// Bounds on hostile SQL: bytes looked at, strings inside strings, statements
// inside one block, and tokens between a function and its argument.
const (
	maxSQL       = 256 << 10
	maxSQLDepth  = 4
	maxSQLInner  = 64
	maxSQLReach  = 64
	maxSQLQuoted = 256 // bytes of a name in square brackets
)

// classifySQL reads statements of any common dialect. It errs towards the
// worse: what it does not know counts as a change.
func classifySQL(text string) sqlVerdict { return classifySQLDepth(text, 0) }

func classifySQLDepth(text string, depth int) sqlVerdict {
	var all sqlVerdict
	if depth > maxSQLDepth {
		return sqlVerdict{verb: risk.DBChange, opaque: true}
	}
	if len(text) > maxSQL {
		all.opaque, text = true, text[:maxSQL]
	}
	body := false // inside the BEGIN … END of a routine that is only stored
	for _, statement := range splitSQL(text) {
		if body {
			body = !statement[0].is("END")
			continue
		}
		body = sqlRoutine(statement)
		one := classifyStatement(statement, depth)
		all.add(&one)
	}
	return all
}

// sqlRoutine reports whether a statement creates a routine whose body goes on
// behind the semicolon.
func sqlRoutine(t []sqlToken) bool {
	return t[0].is("CREATE") && sqlFind(t, "TRIGGER", "PROCEDURE", "FUNCTION", "EVENT") > 0 && sqlFind(t, "BEGIN") > 0 && sqlFind(t, "END") < 0
}

func sqlRank(v risk.Verb) int {
	switch v {
	case risk.DBRead:
		return 1
	case risk.DBChange:
		return 2
	case risk.DBDestroy:
		return 3
	}
	return 0
}

// add keeps the worse of two verdicts and everything they run or touch.
func (v *sqlVerdict) add(w *sqlVerdict) {
	if sqlRank(w.verb) > sqlRank(v.verb) {
		v.verb, v.detail, v.object = w.verb, w.detail, w.object
	}
	v.shells = append(v.shells, w.shells...)
	v.reads = append(v.reads, w.reads...)
	v.writes = append(v.writes, w.writes...)
	v.load = append(v.load, w.load...)
	v.opaque = v.opaque || w.opaque
	if w.grants != risk.NoKind {
		v.grants, v.grantee = w.grants, w.grantee
	}
}

// A sqlToken is a word in upper case, a quoted string, or one byte.
type sqlToken struct {
	text string
	kind byte // 'w' word, 's' string, 'q' quoted name, or the byte itself
}

// is reports whether the token is the given keyword.
func (t sqlToken) is(words ...string) bool {
	if t.kind != 'w' {
		return false
	}
	for _, w := range words {
		if strings.EqualFold(t.text, w) {
			return true
		}
	}
	return false
}

// splitSQL reads text into statements of tokens: comments fall away, and
// semicolons inside quotes, dollar quotes and BEGIN … END bodies of routines
// do not separate.
func splitSQL(text string) [][]sqlToken {
	var all [][]sqlToken
	var now []sqlToken
	for i := 0; i < len(text); {
		var t sqlToken
		t, i = nextSQL(text, i)
		switch {
		case t.kind == 0:
		case t.kind == ';':
			if len(now) > 0 {
				all = append(all, now)
			}
			now = nil
		default:
			now = append(now, t)
		}
	}
	if len(now) > 0 {
		all = append(all, now)
	}
	return all
}

// nextSQL returns the token at i and the offset behind it; kind 0 is space or
// a comment. MySQL's executable comments /*! … */ are read as code.
func nextSQL(text string, i int) (sqlToken, int) {
	rest := text[i:]
	switch c := text[i]; {
	case c == '-' && strings.HasPrefix(rest, "--"), c == '#':
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			return sqlToken{}, i + n + 1
		}
		return sqlToken{}, len(text)
	case strings.HasPrefix(rest, "/*!"):
		n := 3
		for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
			n++
		}
		return sqlToken{}, i + n
	case strings.HasPrefix(rest, "*/"):
		return sqlToken{}, i + 2
	case strings.HasPrefix(rest, "/*"):
		if n := strings.Index(rest[2:], "*/"); n >= 0 {
			return sqlToken{}, i + n + 4
		}
		return sqlToken{}, len(text)
	case c == '\'':
		return quotedSQL(text, i, c, 's')
	case c == '"' || c == '`':
		return quotedSQL(text, i, c, 'q')
	case c == '[':
		if n := strings.IndexByte(rest[:min(len(rest), maxSQLQuoted)], ']'); n > 0 {
			return sqlToken{rest[1:n], 'q'}, i + n + 1
		}
	case c == '$':
		if tag, ok := dollarTag(rest); ok {
			if n := strings.Index(rest[len(tag):], tag); n >= 0 {
				return sqlToken{rest[len(tag) : len(tag)+n], 's'}, i + n + 2*len(tag)
			}
			return sqlToken{rest[len(tag):], 's'}, len(text)
		}
	case sqlNameByte(c) || c >= 0x80:
		end := i
		for end < len(text) && (sqlNameByte(text[end]) || text[end] >= 0x80 || text[end] == '$') {
			end++
		}
		return sqlToken{text[i:end], 'w'}, end
	case c == ' ' || c >= '\t' && c <= '\r':
		return sqlToken{}, i + 1
	}
	return sqlToken{rest[:1], text[i]}, i + 1
}

func quotedSQL(text string, i int, quote, kind byte) (sqlToken, int) {
	var b strings.Builder
	for j := i + 1; j < len(text); j++ {
		switch {
		case text[j] == '\\' && quote == '\'' && j+1 < len(text) && text[j+1] == quote && strings.IndexByte(text[j+2:], quote) >= 0:
			j++
			b.WriteByte(quote)
		case text[j] == quote && j+1 < len(text) && text[j+1] == quote:
			j++
			b.WriteByte(quote)
		case text[j] == quote:
			return sqlToken{b.String(), kind}, j + 1
		default:
			b.WriteByte(text[j])
		}
	}
	return sqlToken{b.String(), kind}, len(text)
}

// dollarTag reads PostgreSQL's $tag$ (manual, section 4.1.2.4).
func dollarTag(s string) (string, bool) {
	for j := 1; j < len(s); j++ {
		switch {
		case s[j] == '$':
			return s[:j+1], true
		case !sqlNameByte(s[j]) || j == 1 && s[j] >= '0' && s[j] <= '9':
			return "", false
		}
	}
	return "", false
}

// sqlEffects adds what a verdict means for the database called target.
func sqlEffects(r *catalog.Result, q *sqlVerdict, target value.Value, wrap catalog.Wrapped) {
	if q.verb != "" {
		e := catalog.Effect{Verb: q.verb, Target: target, Arg: "database", Kind: q.detail}
		if q.object != "" && q.verb == risk.DBDestroy {
			e.Target = value.Lit(q.object)
			if !target.Empty() {
				e.Target = value.Concat(e.Target, value.Lit(" in "), target)
			}
		}
		r.Effects = append(r.Effects, e)
	}
	if q.grants != risk.NoKind {
		e := catalog.Effect{Verb: risk.PrivGain, Target: value.Lit(q.grantee), Kind: q.grants}
		if q.grantee == "" {
			e.Target = target
		}
		r.Effects = append(r.Effects, e)
	}
	for _, c := range q.shells {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunShell, Text: value.Lit(c), Wrap: wrap})
	}
	for _, f := range q.reads {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSRead, Target: value.Lit(f), Kind: risk.KindSQL, Shown: true})
	}
	for _, f := range q.writes {
		r.Effects = append(r.Effects, catalog.Effect{Verb: risk.FSWrite, Target: value.Lit(f), Kind: risk.KindSQL})
	}
	for _, f := range q.load {
		r.Runs = append(r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: value.Lit(f), Wrap: wrap})
	}
	if q.opaque {
		r.Unknowns = append(r.Unknowns, risk.Unknown{What: "SQL that is not known", Role: risk.RoleCode})
	}
}
