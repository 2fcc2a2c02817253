package syntax

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// An escape mode says what a backslash means inside quotes.
type escapes uint8

const (
	escNone   escapes = iota // nothing, not even before the quote
	escRaw                   // it stays, and keeps the quote from ending the string (Python r"")
	escSingle                // only before a backslash or the quote ('' in Perl, PHP, Ruby)
	EscFull
)

// Quoted reads up to term, with the cursor behind the opening quote, and
// leaves the cursor behind term. open, if not 0, nests.
func (l *Lexer) Quoted(open byte, term string, esc escapes, interp byte) []Part {
	var parts []Part
	var b strings.Builder
	depth := 0
	for l.At < len(l.Text) {
		c := l.Text[l.At]
		switch {
		case c == '\\' && esc != escNone:
			l.escape(&b, esc, term, open)
		case depth == 0 && l.has(term):
			l.At += len(term)
			return Finish(parts, &b)
		case open != 0 && c == open:
			depth++
			b.WriteByte(c)
			l.At++
		case depth > 0 && l.has(term):
			depth--
			b.WriteByte(c)
			l.At++
		case interp == 'f' && (l.has("{{") || l.has("}}")):
			b.WriteByte(c)
			l.At += 2
		case interp == 'f' && c == '{':
			parts = l.inner(parts, &b, 1, '{', '}')
		case interp == 'j' && l.has("${"), interp == '#' && l.has("#{"):
			parts = l.inner(parts, &b, 2, '{', '}')
		default:
			b.WriteByte(c)
			l.At++
		}
	}
	l.bad = true
	return Finish(parts, &b)
}

// Finish adds what was written to the parts, as a literal.
func Finish(parts []Part, b *strings.Builder) []Part {
	if b.Len() > 0 {
		parts = append(parts, Part{Lit: b.String()})
		b.Reset()
	}
	return parts
}

// inner reads code inside a string, skip bytes from here, up to its closing
// brace.
func (l *Lexer) inner(parts []Part, b *strings.Builder, skip int, open, closing byte) []Part {
	parts = Finish(parts, b)
	n := Balanced(l.Text, l.At+skip, open, closing)
	code := l.Text[l.At+skip : n]
	l.At = min(n+1, len(l.Text))
	if n >= len(l.Text) {
		l.bad = true
	}
	if l.Lang == "python" {
		code = fieldCode(code)
	}
	return append(parts, Part{Lit: code, Code: true})
}

// fieldCode is the code of a replacement field. One with a conversion or a
// format, which may hold fields in turn, is the call of format that it stands
// for.
func fieldCode(code string) string {
	expression := fieldExpression(code)
	rest := code[len(expression):]
	if rest == "" {
		return expression
	}
	var b strings.Builder
	b.WriteString("format((" + expression + ")")
	for i := 0; i < len(rest); i++ {
		if rest[i] == '{' {
			end := Balanced(rest, i+1, '{', '}')
			b.WriteString(", " + fieldCode(rest[i+1:end]))
			i = end
		}
	}
	b.WriteString(")")
	return b.String()
}

// fieldExpression cuts the conversion and format off a replacement field
// (Python language reference, 2.4.3).
func fieldExpression(code string) string {
	depth := 0
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '\'', '"':
			i = SkipString(code, i)
		case ':':
			if depth == 0 {
				return code[:i]
			}
		case '!':
			if depth == 0 && i+1 < len(code) && code[i+1] != '=' {
				return code[:i]
			}
		case '=':
			if depth == 0 && strings.TrimSpace(code[i+1:]) == "" {
				return code[:i]
			}
		}
	}
	return code
}

// Balanced returns the index of the bracket that closes the one before i, or
// len(s). Quoted text inside is passed over.
func Balanced(s string, i int, open, closing byte) int {
	depth := 0
	for ; i < len(s); i++ {
		switch s[i] {
		case closing:
			if depth == 0 {
				return i
			}
			depth--
		case open:
			depth++
		case '\\':
			i++
		case '\'', '"', '`':
			i = SkipString(s, i)
		}
	}
	return len(s)
}

// SkipString returns the index of the quote that closes the one at i, or
// len(s)-1.
func SkipString(s string, i int) int {
	q := s[i]
	for i++; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == q {
			return i
		}
	}
	return len(s) - 1
}

// escape reads one escape sequence.
func (l *Lexer) escape(b *strings.Builder, esc escapes, term string, open byte) {
	next := l.at(1)
	if l.At+1 >= len(l.Text) {
		b.WriteByte('\\')
		l.At++
		return
	}
	switch esc {
	case escRaw:
		b.WriteByte('\\')
		b.WriteByte(next)
		l.At += 2
		return
	case escSingle:
		if next == '\\' || next == term[0] || open != 0 && next == open {
			b.WriteByte(next)
			l.At += 2
			return
		}
		b.WriteByte('\\')
		l.At++
		return
	}
	n := DecodeEscape(l.Lang, l.Text[l.At:], b)
	l.At += n
}

// simpleEscapes are those of one letter in all these languages; \e is not in
// Python and JavaScript, where it is not used either.
func simpleEscape(c byte) (byte, bool) {
	switch c {
	case 'n':
		return '\n', true
	case 't':
		return '\t', true
	case 'r':
		return '\r', true
	case 'a':
		return 7, true
	case 'b':
		return 8, true
	case 'f':
		return 12, true
	case 'v':
		return 11, true
	case 'e':
		return 27, true
	}
	return 0, false
}

// DecodeEscape writes what the sequence at the start of s stands for and
// returns its length; s has at least two bytes.
func DecodeEscape(lang, s string, b *strings.Builder) int {
	c := s[1]
	if v, ok := simpleEscape(c); ok {
		b.WriteByte(v)
		return 2
	}
	switch {
	case c == '\n':
		return 2
	case lang == "lua" && c == 'z':
		n := 2
		for n < len(s) && strings.IndexByte(" \t\r\n", s[n]) >= 0 {
			n++
		}
		return n
	case lang == "lua" && IsDigit(c):
		return number(s, 1, 3, 10, b, false)
	case c >= '0' && c <= '7':
		return number(s, 1, 3, 8, b, false)
	case (c == 'x' || c == 'u') && len(s) > 3 && s[2] == '{':
		end := strings.IndexByte(s[:min(len(s), 16)], '}')
		if end < 0 {
			break
		}
		if r, err := strconv.ParseUint(s[3:end], 16, 32); err == nil {
			WriteCode(b, r, c == 'u' || r > 255)
		}
		return end + 1
	case c == 'x':
		return number(s, 2, 2, 16, b, false)
	case c == 'u':
		return number(s, 2, 4, 16, b, true)
	case c == 'U':
		return number(s, 2, 8, 16, b, true)
	}
	if lang == "python" && strings.IndexByte("\\'\"", c) < 0 {
		b.WriteByte('\\')
	}
	b.WriteByte(c)
	return 2
}

// WriteCode writes a character of a text, or a byte, by its number.
func WriteCode(b *strings.Builder, r uint64, text bool) {
	if text && r <= utf8.MaxRune {
		b.WriteRune(rune(r))
		return
	}
	b.WriteByte(byte(r))
}

// number decodes up to most digits in a base from s[from:].
func number(s string, from, most, base int, b *strings.Builder, text bool) int {
	n := from
	for n < len(s) && n-from < most && digitIn(s[n], base) {
		n++
	}
	r, err := strconv.ParseUint(s[from:n], base, 64)
	if err != nil {
		b.WriteByte(s[1])
		return 2
	}
	WriteCode(b, r, text)
	return n
}

func digitIn(c byte, base int) bool {
	switch {
	case IsDigit(c):
		return int(c-'0') < base
	case base == 16:
		return c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
	}
	return false
}

// quotedToken reads what quote opens, as Perl and PHP quote: text as it is,
// text in which variables stand, a command.
func (l *Lexer) quotedToken(quote byte) {
	if quote == '\'' {
		l.At++
		l.add(Token{Kind: TokStr, Parts: l.Quoted(0, "'", escSingle, 0)})
		return
	}
	k := TokStr
	if quote == '`' {
		k = tCmd
	}
	body, _ := l.delimited()
	l.add(Token{Kind: k, Parts: l.interpolate(body)})
}

// interpolate splits the raw body of a double-quoted string of Perl or PHP
// into text and variables, and decodes escapes.
func (l *Lexer) interpolate(body string) []Part {
	var parts []Part
	var b strings.Builder
	for i := 0; i < len(body); {
		c := body[i]
		if c == '\\' && i+1 < len(body) {
			if n := body[i+1]; n == '$' || n == '@' || n == '"' || n == '\\' || l.Lang == "perl" && !IsIdent(n) {
				b.WriteByte(n)
				i += 2
				continue
			}
			i += DecodeEscape(l.Lang, body[i:], &b)
			continue
		}
		from, to, next := l.variable(body, i)
		if next == i {
			b.WriteByte(c)
			i++
			continue
		}
		parts = append(Finish(parts, &b), Part{Lit: body[from:to], Code: true})
		i = next
	}
	return Finish(parts, &b)
}

// variable finds a variable at body[i]: its code, and where the text goes on;
// next is i if there is none.
func (l *Lexer) variable(body string, i int) (from, to, next int) {
	php := l.Lang == "php"
	c := body[i]
	switch {
	case php && c == '{' && i+1 < len(body) && body[i+1] == '$':
		end := Balanced(body, i+1, '{', '}')
		return i + 1, end, min(end+1, len(body))
	case c != '$' && (php || c != '@'), i+1 >= len(body):
		return i, i, i
	}
	j := i + 1
	switch {
	case body[j] == '{':
		j = min(Balanced(body, j+1, '{', '}')+1, len(body))
	case !php && body[j] == '$' && j+1 < len(body) && IsIdentStart(body[j+1]):
		j += 1 + IdentLen(body[j+1:])
	case IsIdentStart(body[j]):
		j += IdentLen(body[j:])
		for !php && strings.HasPrefix(body[j:], "::") && IdentLen(body[j+2:]) > 0 {
			j += 2 + IdentLen(body[j+2:])
		}
	case !php && c == '$' && (IsDigit(body[j]) || strings.IndexByte("&!@0,;.$", body[j]) >= 0):
		return i, j + 1, j + 1
	default:
		return i, i, i
	}
	for j < len(body) {
		k := j
		if strings.HasPrefix(body[j:], "->") {
			k += 2
		}
		switch {
		case k < len(body) && body[k] == '[' && (php || k+1 < len(body) && (IsDigit(body[k+1]) || body[k+1] == '$' || body[k+1] == '-')):
			j = min(Balanced(body, k+1, '[', ']')+1, len(body))
		case !php && k < len(body) && body[k] == '{':
			j = min(Balanced(body, k+1, '{', '}')+1, len(body))
		case php && k > j && IdentLen(body[k:]) > 0:
			return i, k + IdentLen(body[k:]), k + IdentLen(body[k:])
		default:
			return i, j, j
		}
	}
	return i, j, j
}

// Closer returns what closes a bracket, and whether it nests.
func Closer(c byte) (byte, bool) {
	switch c {
	case '(':
		return ')', true
	case '[':
		return ']', true
	case '{':
		return '}', true
	case '<':
		return '>', true
	}
	return c, false
}

// delimited reads a body between delimiters, the cursor on the opening one,
// and returns it raw; escaped delimiters keep their backslash.
func (l *Lexer) delimited() (body string, delim byte) {
	if l.At >= len(l.Text) {
		l.bad = true
		return "", 0
	}
	open := l.Text[l.At]
	end, nests := Closer(open)
	l.At++
	start, depth := l.At, 0
	for ; l.At < len(l.Text); l.At++ {
		switch c := l.Text[l.At]; {
		case c == '\\':
			l.At++
		case c == end && depth == 0:
			l.At++
			return l.Text[start : l.At-1], open
		case c == end:
			depth--
		case nests && c == open:
			depth++
		}
	}
	l.At, l.bad = len(l.Text), true
	return l.Text[start:], open
}
