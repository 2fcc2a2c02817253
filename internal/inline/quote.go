package inline

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
	escFull
)

// quoted reads up to term, with the cursor behind the opening quote, and
// leaves the cursor behind term. open, if not 0, nests.
func (l *lexer) quoted(open byte, term string, esc escapes, interp byte) []part {
	var parts []part
	var b strings.Builder
	depth := 0
	for l.i < len(l.s) {
		c := l.s[l.i]
		switch {
		case c == '\\' && esc != escNone:
			l.escape(&b, esc, term, open)
		case depth == 0 && l.has(term):
			l.i += len(term)
			return finish(parts, &b)
		case open != 0 && c == open:
			depth++
			b.WriteByte(c)
			l.i++
		case depth > 0 && l.has(term):
			depth--
			b.WriteByte(c)
			l.i++
		case interp == 'f' && (l.has("{{") || l.has("}}")):
			b.WriteByte(c)
			l.i += 2
		case interp == 'f' && c == '{':
			parts = l.inner(parts, &b, 1, '{', '}')
		case interp == 'j' && l.has("${"), interp == '#' && l.has("#{"):
			parts = l.inner(parts, &b, 2, '{', '}')
		default:
			b.WriteByte(c)
			l.i++
		}
	}
	l.bad = true
	return finish(parts, &b)
}

func finish(parts []part, b *strings.Builder) []part {
	if b.Len() > 0 {
		parts = append(parts, part{lit: b.String()})
		b.Reset()
	}
	return parts
}

// inner reads code inside a string, skip bytes from here, up to its closing
// brace.
func (l *lexer) inner(parts []part, b *strings.Builder, skip int, open, closing byte) []part {
	parts = finish(parts, b)
	n := balanced(l.s, l.i+skip, open, closing)
	code := l.s[l.i+skip : n]
	l.i = min(n+1, len(l.s))
	if n >= len(l.s) {
		l.bad = true
	}
	if l.lang == "python" {
		code = fieldCode(code)
	}
	return append(parts, part{lit: code, code: true})
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
			end := balanced(rest, i+1, '{', '}')
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
			i = skipString(code, i)
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

// balanced returns the index of the bracket that closes the one before i, or
// len(s). Quoted text inside is passed over.
func balanced(s string, i int, open, closing byte) int {
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
			i = skipString(s, i)
		}
	}
	return len(s)
}

// skipString returns the index of the quote that closes the one at i, or
// len(s)-1.
func skipString(s string, i int) int {
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
func (l *lexer) escape(b *strings.Builder, esc escapes, term string, open byte) {
	next := l.at(1)
	if l.i+1 >= len(l.s) {
		b.WriteByte('\\')
		l.i++
		return
	}
	switch esc {
	case escRaw:
		b.WriteByte('\\')
		b.WriteByte(next)
		l.i += 2
		return
	case escSingle:
		if next == '\\' || next == term[0] || open != 0 && next == open {
			b.WriteByte(next)
			l.i += 2
			return
		}
		b.WriteByte('\\')
		l.i++
		return
	}
	n := decodeEscape(l.lang, l.s[l.i:], b)
	l.i += n
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

// decodeEscape writes what the sequence at the start of s stands for and
// returns its length; s has at least two bytes.
func decodeEscape(lang, s string, b *strings.Builder) int {
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
	case lang == "lua" && isDigit(c):
		return number(s, 1, 3, 10, b, false)
	case c >= '0' && c <= '7':
		return number(s, 1, 3, 8, b, false)
	case (c == 'x' || c == 'u') && len(s) > 3 && s[2] == '{':
		end := strings.IndexByte(s[:min(len(s), 16)], '}')
		if end < 0 {
			break
		}
		if r, err := strconv.ParseUint(s[3:end], 16, 32); err == nil {
			writeCode(b, r, c == 'u' || r > 255)
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

func writeCode(b *strings.Builder, r uint64, text bool) {
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
	writeCode(b, r, text)
	return n
}

func digitIn(c byte, base int) bool {
	switch {
	case isDigit(c):
		return int(c-'0') < base
	case base == 16:
		return c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
	}
	return false
}

// quotedToken reads what quote opens, as Perl and PHP quote: text as it is,
// text in which variables stand, a command.
func (l *lexer) quotedToken(quote byte) {
	if quote == '\'' {
		l.i++
		l.add(token{k: tStr, parts: l.quoted(0, "'", escSingle, 0)})
		return
	}
	k := tStr
	if quote == '`' {
		k = tCmd
	}
	body, _ := l.delimited()
	l.add(token{k: k, parts: l.interpolate(body)})
}

// interpolate splits the raw body of a double-quoted string of Perl or PHP
// into text and variables, and decodes escapes.
func (l *lexer) interpolate(body string) []part {
	var parts []part
	var b strings.Builder
	for i := 0; i < len(body); {
		c := body[i]
		if c == '\\' && i+1 < len(body) {
			if n := body[i+1]; n == '$' || n == '@' || n == '"' || n == '\\' || l.lang == "perl" && !isIdent(n) {
				b.WriteByte(n)
				i += 2
				continue
			}
			i += decodeEscape(l.lang, body[i:], &b)
			continue
		}
		from, to, next := l.variable(body, i)
		if next == i {
			b.WriteByte(c)
			i++
			continue
		}
		parts = append(finish(parts, &b), part{lit: body[from:to], code: true})
		i = next
	}
	return finish(parts, &b)
}

// variable finds a variable at body[i]: its code, and where the text goes on;
// next is i if there is none.
func (l *lexer) variable(body string, i int) (from, to, next int) {
	php := l.lang == "php"
	c := body[i]
	switch {
	case php && c == '{' && i+1 < len(body) && body[i+1] == '$':
		end := balanced(body, i+1, '{', '}')
		return i + 1, end, min(end+1, len(body))
	case c != '$' && (php || c != '@'), i+1 >= len(body):
		return i, i, i
	}
	j := i + 1
	switch {
	case body[j] == '{':
		j = min(balanced(body, j+1, '{', '}')+1, len(body))
	case !php && body[j] == '$' && j+1 < len(body) && isIdentStart(body[j+1]):
		j += 1 + identLen(body[j+1:])
	case isIdentStart(body[j]):
		j += identLen(body[j:])
		for !php && strings.HasPrefix(body[j:], "::") && identLen(body[j+2:]) > 0 {
			j += 2 + identLen(body[j+2:])
		}
	case !php && c == '$' && (isDigit(body[j]) || strings.IndexByte("&!@0,;.$", body[j]) >= 0):
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
		case k < len(body) && body[k] == '[' && (php || k+1 < len(body) && (isDigit(body[k+1]) || body[k+1] == '$' || body[k+1] == '-')):
			j = min(balanced(body, k+1, '[', ']')+1, len(body))
		case !php && k < len(body) && body[k] == '{':
			j = min(balanced(body, k+1, '{', '}')+1, len(body))
		case php && k > j && identLen(body[k:]) > 0:
			return i, k + identLen(body[k:]), k + identLen(body[k:])
		default:
			return i, j, j
		}
	}
	return i, j, j
}

// closer returns what closes a bracket, and whether it nests.
func closer(c byte) (byte, bool) {
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
func (l *lexer) delimited() (body string, delim byte) {
	if l.i >= len(l.s) {
		l.bad = true
		return "", 0
	}
	open := l.s[l.i]
	end, nests := closer(open)
	l.i++
	start, depth := l.i, 0
	for ; l.i < len(l.s); l.i++ {
		switch c := l.s[l.i]; {
		case c == '\\':
			l.i++
		case c == end && depth == 0:
			l.i++
			return l.s[start : l.i-1], open
		case c == end:
			depth--
		case nests && c == open:
			depth++
		}
	}
	l.i, l.bad = len(l.s), true
	return l.s[start:], open
}
