package sql

import "strings"

// maxBracket is how long a name in square brackets may be: longer, it is none
// (an identifier of SQL Server has 128 characters).
const maxBracket = 256

// A lexer cuts a text into tokens.
type lexer struct {
	text  string
	rules rules
	hole  string // the mark of parts that are not known
	ends  string // what ends a statement, if not a semicolon
	open  bool   // the text ends inside quotes or a comment
}

// next returns the token at i and the offset behind it. Its kind is 0 for
// space, comments, and what opens and closes executable comments.
func (l *lexer) next(i int) (Token, int) {
	rest := l.text[i:]
	switch c := rest[0]; {
	case c == ' ' || c >= '\t' && c <= '\r':
		return Token{}, i + 1
	case c == '#' && l.rules.hash, strings.HasPrefix(rest, "--") && l.dashes(rest):
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			return Token{}, i + n // the line's end is still to come
		}
		return Token{}, len(l.text)
	case strings.HasPrefix(rest, "/*"):
		return Token{}, l.comment(i)
	case l.rules.bang && strings.HasPrefix(rest, "*/"):
		return Token{}, i + 2
	case c == '\'':
		return l.quoted(i, i+1, String, l.rules.backslash)
	case c == '"':
		if l.rules.doubled {
			return l.quoted(i, i+1, String, l.rules.backslash)
		}
		return l.quoted(i, i+1, Name, false)
	case c == '`' && l.rules.backtick:
		return l.quoted(i, i+1, Name, false)
	case c == '[' && l.rules.bracket:
		if n := strings.IndexByte(rest[:min(len(rest), maxBracket)], ']'); n > 0 {
			return l.token(Name, rest[1:n], i, i+n+1)
		}
	case c == '$' && l.rules.dollar:
		if tag := dollarTag(rest); tag != "" {
			return l.dollar(i, tag)
		}
	case c >= '0' && c <= '9':
		return l.number(i)
	case nameByte(c):
		return l.word(i)
	}
	return l.sign(i)
}

// token makes a token of l.text[start:end].
func (l *lexer) token(k TokenKind, text string, start, end int) (Token, int) {
	return Token{Kind: k, Text: text, Start: start, End: end, Hole: l.hole != "" && strings.Contains(text, l.hole)}, end
}

// dashes reports whether two dashes begin a comment.
func (l *lexer) dashes(rest string) bool {
	return !l.rules.spaced || len(rest) == 2 || rest[2] <= ' '
}

// comment returns the offset behind the comment at i, or behind what opens it
// if it is executable: /*! of MySQL, /*M! of MariaDB.
func (l *lexer) comment(i int) int {
	rest := l.text[i:]
	for _, open := range []string{"/*!", "/*M!"} {
		if l.rules.bang && strings.HasPrefix(rest, open) {
			n := len(open)
			for n < len(rest) && rest[n] >= '0' && rest[n] <= '9' {
				n++
			}
			return i + n
		}
	}
	depth := 1
	for j := 2; j+1 < len(rest); j++ {
		switch {
		case rest[j] == '*' && rest[j+1] == '/':
			j++
			if depth--; depth == 0 {
				return i + j + 1
			}
		case l.rules.nested && rest[j] == '/' && rest[j+1] == '*':
			j++
			depth++
		}
	}
	l.open = true
	return len(l.text)
}

// quoted reads what begins at start, with its contents from i.
func (l *lexer) quoted(start, i int, k TokenKind, backslash bool) (Token, int) {
	quote := l.text[i-1]
	var b strings.Builder
	from := i
	for j := i; j < len(l.text); j++ {
		switch c := l.text[j]; {
		case c == '\\' && backslash && j+1 < len(l.text):
			b.WriteString(l.text[from:j])
			j++
			from = j
			if plain, ok := escaped(l.text[j]); ok {
				b.WriteByte(plain)
				from = j + 1
			}
		case c == quote && j+1 < len(l.text) && l.text[j+1] == quote:
			b.WriteString(l.text[from:j])
			j++
			from = j
		case c == quote:
			if from == i {
				return l.token(k, l.text[i:j], start, j+1)
			}
			b.WriteString(l.text[from:j])
			return l.token(k, b.String(), start, j+1)
		}
	}
	l.open = true
	b.WriteString(l.text[from:])
	return l.token(k, b.String(), start, len(l.text))
}

// escaped is what a letter behind a backslash stands for, if not for itself
// (MySQL 8.4, 11.1.1; PostgreSQL 17, 4.1.2.2).
func escaped(c byte) (byte, bool) {
	switch c {
	case 'n':
		return '\n', true
	case 't':
		return '\t', true
	case 'r':
		return '\r', true
	case 'b':
		return '\b', true
	}
	return 0, false
}

// dollarTag reads PostgreSQL's $tag$ (manual, 4.1.2.4).
func dollarTag(s string) string {
	for j := 1; j < len(s); j++ {
		switch {
		case s[j] == '$':
			return s[:j+1]
		case !nameByte(s[j]) || j == 1 && s[j] >= '0' && s[j] <= '9':
			return ""
		}
	}
	return ""
}

func (l *lexer) dollar(i int, tag string) (Token, int) {
	from := i + len(tag)
	if n := strings.Index(l.text[from:], tag); n >= 0 {
		return l.token(String, l.text[from:from+n], i, from+n+len(tag))
	}
	l.open = true
	return l.token(String, l.text[from:], i, len(l.text))
}

// number reads a number, and what letters stand in it.
func (l *lexer) number(i int) (Token, int) {
	end := i
	for end < len(l.text) && (nameByte(l.text[end]) || l.text[end] == '.' && end+1 < len(l.text) && l.text[end+1] >= '0' && l.text[end+1] <= '9') {
		end++
	}
	k := Number
	if l.hole != "" && strings.Contains(l.text[i:end], l.hole) {
		k = Word
	}
	return l.token(k, l.text[i:end], i, end)
}

// word reads a word, or the string that it introduces: E'…', N'…', X'…'.
func (l *lexer) word(i int) (Token, int) {
	end := i
	for end < len(l.text) && (nameByte(l.text[end]) || l.text[end] == '$') && (end == i || !l.endsAt(end)) {
		end++
	}
	if end == i+1 && end < len(l.text) && l.text[end] == '\'' {
		switch l.text[i] | 0x20 {
		case 'e':
			if l.rules.escapes {
				return l.quoted(i, end+1, String, true)
			}
		case 'n', 'x', 'b':
			return l.quoted(i, end+1, String, l.rules.backslash)
		}
	}
	return l.token(Word, l.text[i:end], i, end)
}

// endsAt reports whether the statement's end stands at i, inside a word: mysql
// looks for it at every byte. One of letters is looked for between words only.
func (l *lexer) endsAt(i int) bool {
	return l.ends != "" && !nameByte(l.ends[0]) && strings.HasPrefix(l.text[i:], l.ends)
}

// sign reads a placeholder, a variable, or one byte.
func (l *lexer) sign(i int) (Token, int) {
	c := l.text[i]
	end := i + 1
	switch c {
	case ':':
		if end < len(l.text) && l.text[end] == ':' { // PostgreSQL's cast
			return l.token(Sign, "::", i, end+1)
		}
	case '@':
		for end < len(l.text) && l.text[end] == '@' {
			end++
		}
	case '?', '$':
	default:
		return l.token(Sign, l.text[i:end], i, end)
	}
	name := end
	for end < len(l.text) && nameByte(l.text[end]) && l.text[end] < 0x80 {
		end++
	}
	if end == name && c != '?' {
		return l.token(Sign, l.text[i:i+1], i, i+1)
	}
	return l.token(Param, l.text[i:end], i, end)
}

// nameByte reports whether a byte may stand in a name.
func nameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}
