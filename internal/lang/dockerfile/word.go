package dockerfile

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Word is an argument in which variables are replaced, in parts.
type Word []Part

// A Part is text as it is, or a variable (Dockerfile reference, "Environment
// replacement").
type Part struct {
	Pos      int    // where it begins in the file
	Variable bool   // Text is the name
	Text     string // without quotes and escapes
	// Op is what stands behind the name in braces: - :- + :+ ? :? # ## % %% / //,
	// "" if there is nothing. Arg is what stands behind that, With what / and // put
	// in.
	Op        string
	Arg, With Word
}

// maxDepth is how deeply variables may stand in the braces of others.
const maxDepth = 50

// A lexer reads words (BuildKit, frontend/dockerfile/shell).
type lexer struct {
	j      *joined
	i, end int
	escape byte
	depth  int
	bad    string // the first that is wrong
	badAt  int
}

// word reads a part of the arguments as a word; what cannot be read is noted.
func (p *parser) word(j *joined, from, to int) (w Word, bad bool) {
	l := &lexer{j: j, i: from, end: to, escape: p.file.Escape}
	w = l.parts(0, false)
	if l.bad != "" {
		p.fail(j.at(min(l.badAt, len(j.s))), l.bad)
	}
	return w, l.bad != ""
}

func (l *lexer) fail(why string) {
	if l.bad == "" {
		l.bad, l.badAt = why, l.i
	}
}

func (l *lexer) more() bool { return l.i < l.end && l.bad == "" }

// is reports whether the next byte is c.
func (l *lexer) is(c byte) bool { return l.i < l.end && l.j.s[l.i] == c }

// A builder makes a word.
type builder struct {
	w    Word
	text strings.Builder
	pos  int
}

func (b *builder) add(pos int, s string) {
	if b.text.Len() == 0 {
		b.pos = pos
	}
	b.text.WriteString(s)
}

func (b *builder) flush() {
	if b.text.Len() > 0 {
		b.w = append(b.w, Part{Pos: b.pos, Text: b.text.String()})
	}
	b.text.Reset()
}

// parts reads up to a byte that is neither quoted nor escaped, or to the end if
// that is 0. Escapes stay in patterns.
func (l *lexer) parts(stop byte, pattern bool) Word {
	var b builder
	for l.more() {
		pos, c := l.j.at(l.i), l.j.s[l.i]
		switch {
		case c == stop && stop != 0:
			l.i++
			b.flush()
			return b.w
		case c == '\'':
			n := strings.IndexByte(l.j.s[l.i+1:l.end], '\'')
			if n < 0 {
				l.fail("a quote that is not closed")
				break
			}
			b.add(pos, l.j.s[l.i+1:l.i+1+n])
			l.i += n + 2
		case c == '"':
			l.i++
			l.quoted(&b, pattern)
		case c == '$':
			l.dollar(&b)
		case c == l.escape:
			if pattern {
				b.add(pos, string(rune(c)))
			}
			l.i++
			if l.i < l.end {
				b.add(pos, l.j.s[l.i:l.i+1])
				l.i++
			}
		default:
			b.add(pos, l.j.s[l.i:l.i+1])
			l.i++
		}
	}
	if stop != 0 {
		l.fail("a brace that is not closed")
	}
	b.flush()
	return b.w
}

// quoted reads up to the second double quote: an escape counts before a quote, a
// dollar and an escape.
func (l *lexer) quoted(b *builder, pattern bool) {
	for l.more() {
		pos, c := l.j.at(l.i), l.j.s[l.i]
		switch {
		case c == '"':
			l.i++
			return
		case c == '$':
			l.dollar(b)
		case c == l.escape && l.i+1 == l.end:
			l.i++
		case c == l.escape && (l.j.s[l.i+1] == '"' || l.j.s[l.i+1] == '$' || l.j.s[l.i+1] == l.escape):
			if pattern {
				b.add(pos, string(rune(c)))
			}
			b.add(pos, l.j.s[l.i+1:l.i+2])
			l.i += 2
		default:
			b.add(pos, l.j.s[l.i:l.i+1])
			l.i++
		}
	}
	l.fail("a quote that is not closed")
}

// dollar reads $NAME and ${NAME…}; a dollar before something else is one.
func (l *lexer) dollar(b *builder) {
	part := Part{Pos: l.j.at(l.i), Variable: true}
	l.i++
	if !l.is('{') {
		if part.Text = l.name(); part.Text == "" {
			b.add(part.Pos, "$")
			return
		}
		b.flush()
		b.w = append(b.w, part)
		return
	}
	l.i++
	l.depth++
	if part.Text = l.name(); part.Text == "" || l.depth > maxDepth {
		l.fail("no substitution")
		return
	}
	l.operator(&part)
	l.depth--
	b.flush()
	b.w = append(b.w, part)
}

// operator reads what stands behind the name in braces, and the closing one.
func (l *lexer) operator(part *Part) {
	from := l.i
	if l.is(':') {
		l.i++
	}
	if l.i == l.end {
		l.fail("a brace that is not closed")
		return
	}
	c := l.j.s[l.i]
	l.i++
	colon := l.i-from == 2
	switch {
	case c == '}' && !colon:
		return
	case c == '-' || c == '+' || c == '?':
		part.Op = l.j.s[from:l.i]
		part.Arg = l.parts('}', false)
	case (c == '#' || c == '%') && !colon:
		if l.is(c) {
			l.i++
		}
		part.Op = l.j.s[from:l.i]
		part.Arg = l.parts('}', true)
	case c == '/' && !colon:
		if l.is(c) {
			l.i++
		}
		part.Op = l.j.s[from:l.i]
		part.Arg = l.parts('/', true)
		part.With = l.parts('}', true)
	default:
		l.fail("no substitution")
	}
}

// name reads the name of a variable: letters, digits and _, or one of the shell's
// own, which is digits or one sign.
func (l *lexer) name() string {
	from := l.i
	if l.i < l.end && strings.IndexByte("@*#?-$!", l.j.s[l.i]) >= 0 {
		l.i++
		return l.j.s[from:l.i]
	}
	number := l.i < l.end && l.j.s[l.i] >= '0' && l.j.s[l.i] <= '9'
	for l.i < l.end {
		r, n := utf8.DecodeRuneInString(l.j.s[l.i:l.end])
		if !unicode.IsDigit(r) && (number || !unicode.IsLetter(r) && r != '_') {
			break
		}
		l.i += n
	}
	return l.j.s[from:l.i]
}
