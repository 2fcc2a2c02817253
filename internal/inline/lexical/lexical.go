package lexical

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"
)

// Languages without a parser here are read lexically: comments are passed
// over, quoted texts and bare words are found, and what stands as an argument
// of a name that runs, reads, writes or deletes is taken for that. What is
// found so holds; that nothing is found says nothing.

// A mark is one piece of text: a word, a quoted text, or a character.
type mark struct {
	k     syntax.Kind // tIdent, tStr or tOp
	s     string
	quote byte
	parts []syntax.Part // of quoted text with code in it
	nl    bool          // a line ends before it
	sp    bool          // white space comes before it
	pos   int
}

// A style says how a language writes comments, quoted text and words.
type style struct {
	line   []string    // what begins a comment that ends with the line
	block  [][2]string // what encloses comments
	single quoteStyle  // what ' means
	back   quoteStyle  // what ` means
	bare   bool        // words are not only names: paths, options
	dash   bool        // - is part of a name
	interp string      // what begins code in quoted text: "$", "#"
	plain  bool        // a backslash means nothing in quoted text
}

type quoteStyle uint8

const (
	quoteNone quoteStyle = iota
	quoteText
	quoteChar // one character in quotes
	quoteM4   // ` … '
)

var (
	cComments    = [][2]string{{"/*", "*/"}}
	lispComments = [][2]string{{"#|", "|#"}}
)

// styleOf returns the style of a language.
func styleOf(lang string) style {
	switch lang {
	case "java", "c", "rust", "kotlin", "scala", "csharp", "swift", "fsharp", "dotnet":
		s := style{line: []string{"//"}, block: cComments, single: quoteChar}
		if lang == "kotlin" || lang == "scala" {
			s.interp = "$"
		}
		return s
	case "go", "v", "slang", "bpftrace":
		return style{line: []string{"//"}, block: cComments, single: quoteText, back: quoteText}
	case "javascript", "typescript", "node", "groovy", "dart", "nix":
		return style{line: []string{"//"}, block: cComments, single: quoteText, back: quoteText, interp: "$"}
	case "lisp", "scheme", "elisp", "racket":
		return style{line: []string{";"}, block: lispComments, dash: true}
	case "julia":
		return style{line: []string{"#"}, block: [][2]string{{"#=", "=#"}}, single: quoteChar, back: quoteText, interp: "$"}
	case "octave", "matlab":
		return style{line: []string{"%", "#"}, single: quoteText}
	case "elixir", "crystal":
		return style{line: []string{"#"}, single: quoteText, back: quoteText, interp: "#"}
	case "nim", "cmake", "puppet":
		return style{line: []string{"#"}, single: quoteText, bare: lang == "cmake", dash: lang == "puppet", interp: map[string]string{"puppet": "$"}[lang]}
	case "expect", "minicom":
		return style{line: []string{"#"}, bare: true, interp: "$"}
	case "haskell":
		return style{line: []string{"--"}, block: [][2]string{{"{-", "-}"}}, single: quoteChar}
	case "ocaml":
		return style{block: [][2]string{{"(*", "*)"}}, single: quoteChar}
	case "erlang":
		return style{line: []string{"%"}, single: quoteText}
	case "tex", "postscript":
		return style{line: []string{"%"}, bare: true, plain: true}
	case "m4":
		return style{line: []string{"dnl "}, back: quoteM4, bare: true}
	}
	return style{line: []string{"#"}, single: quoteText, back: quoteText, bare: true}
}

// A marker cuts text into marks. It never fails.
type marker struct {
	style
	lang   string
	s      string
	i      int
	out    []mark
	nl, sp bool
	open   map[byte]bool // quotes and comments that nothing closes any more
}

// maxMarks bounds how many pieces of text are looked at.
const maxMarks = 32 << 10

func marks(lang, text string) []mark {
	m := &marker{style: styleOf(lang), lang: lang, s: text, nl: true, open: map[byte]bool{}}
	for m.i < len(m.s) && len(m.out) < maxMarks {
		c := m.s[m.i]
		switch {
		case c == '\n':
			m.nl, m.sp = true, true
			m.i++
		case c == ' ' || c == '\t' || c == '\r':
			m.sp = true
			m.i++
		case m.comment():
		case m.text(c):
		case m.wordAt(c):
		default:
			m.add(mark{k: syntax.TokOp, s: m.s[m.i : m.i+1], pos: m.i})
			m.i++
		}
	}
	return m.out
}

func (m *marker) add(x mark) {
	x.nl, x.sp = m.nl, m.sp
	m.nl, m.sp = false, false
	m.out = append(m.out, x)
}

func (m *marker) comment() bool {
	rest := m.s[m.i:]
	for _, b := range m.block {
		if strings.HasPrefix(rest, b[0]) && !m.open[b[1][0]] {
			n := strings.Index(rest[len(b[0]):], b[1])
			if n < 0 { // nothing closes it, here or further on
				m.open[b[1][0]] = true
				return false
			}
			m.i += len(b[0]) + n + len(b[1])
			m.sp = true
			return true
		}
	}
	for _, p := range m.line {
		if strings.HasPrefix(rest, p) && (p != "#" || m.sp || m.nl || !m.bare) && (m.i == 0 || m.s[m.i-1] != '\\') {
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			m.i += n
			return true
		}
	}
	return false
}

// text reads quoted text, if the cursor is on a quote that is closed.
func (m *marker) text(c byte) bool {
	how := quoteNone
	switch c {
	case '"':
		how = quoteText
	case '\'':
		how = m.single
		if n := len(m.out); (m.lang == "octave" || m.lang == "matlab") && !m.sp && n > 0 && (m.out[n-1].k == syntax.TokIdent || strings.Contains(")]}'.", m.out[n-1].s)) {
			how = quoteNone // the transpose
		}
	case '`':
		how = m.back
	}
	if how == quoteNone || m.open[c] {
		return false
	}
	if how == quoteM4 {
		return m.m4Text()
	}
	from, to, next := m.closing(c)
	if next < 0 {
		m.open[c] = true
		return false
	}
	if how == quoteChar && (to-from > 10 || to-from > 4 && m.s[from] != '\\') {
		return false
	}
	q := m.quotedMark(m.s[from:to], c)
	q.pos = m.i
	m.add(q)
	m.i = next
	return true
}

// closing finds the end of the quoted text at the cursor.
func (m *marker) closing(c byte) (from, to, next int) {
	if triple := strings.Repeat(string(c), 3); c == '"' && strings.HasPrefix(m.s[m.i:], triple) {
		if n := strings.Index(m.s[m.i+3:], triple); n >= 0 {
			return m.i + 3, m.i + 3 + n, m.i + 6 + n
		}
	}
	if m.lang == "rust" && c == '"' && m.i > 0 && m.s[m.i-1] == '#' && !m.open['#'] {
		if n := strings.Index(m.s[m.i+1:], `"#`); n >= 0 {
			return m.i + 1, m.i + 1 + n, m.i + 2 + n
		}
		m.open['#'] = true
	}
	for i := m.i + 1; i < len(m.s); i++ {
		switch {
		case m.s[i] == '\\' && !m.plain:
			i++
		case m.s[i] == c && m.plain && i+1 < len(m.s) && m.s[i+1] == c:
			i++
		case m.s[i] == c:
			return m.i + 1, i, i + 1
		}
	}
	return 0, 0, -1
}

// quotedMark decodes the body of quoted text.
func (m *marker) quotedMark(body string, quote byte) mark {
	out := mark{k: syntax.TokStr, quote: quote}
	var b strings.Builder
	literal := m.plain || quote == '`' && m.lang == "go"
	interp := m.interp != "" && quote != '\'' && !literal
	for i := 0; i < len(body); {
		c := body[i]
		switch {
		case c == '\\' && i+1 < len(body) && !literal:
			if body[i+1] == '$' || body[i+1] == '#' || body[i+1] == '`' {
				b.WriteByte(body[i+1])
				i += 2
				continue
			}
			i += syntax.DecodeEscape("c", body[i:], &b)
		case interp && c == m.interp[0] && i+1 < len(body) && (body[i+1] == '{' || c == '$' && (syntax.IsIdentStart(body[i+1]) || body[i+1] == '(' && m.lang == "julia")):
			out.parts = syntax.Finish(out.parts, &b)
			n := codeLen(body[i+1:])
			out.parts = append(out.parts, syntax.Part{Lit: body[i+1 : i+1+n], Code: true})
			i += 1 + n
		default:
			b.WriteByte(c)
			i++
		}
	}
	if out.parts = syntax.Finish(out.parts, &b); len(out.parts) == 1 && !out.parts[0].Code {
		out.s, out.parts = out.parts[0].Lit, nil
	}
	return out
}

// codeLen is the length of a name or a bracketed expression.
func codeLen(s string) int {
	if n := syntax.IdentLen(s); n > 0 {
		return n
	}
	return min(syntax.Balanced(s, 1, s[0], map[byte]byte{'{': '}', '(': ')'}[s[0]])+1, len(s))
}

// m4Text reads `text' of m4, which nests.
func (m *marker) m4Text() bool {
	depth := 0
	for i := m.i; i < len(m.s); i++ {
		switch m.s[i] {
		case '`':
			depth++
		case '\'':
			if depth--; depth == 0 {
				m.add(mark{k: syntax.TokStr, s: m.s[m.i+1 : i], quote: '`', pos: m.i})
				m.i = i + 1
				return true
			}
		}
	}
	m.open['`'] = true
	return false
}

// wordAt reads a word: a name, or where words are bare anything up to white
// space or punctuation.
func (m *marker) wordAt(c byte) bool {
	start := m.i
	if m.bare {
		for m.i < len(m.s) && strings.IndexByte(" \t\r\n;,()[]{}<>|&\"'`=", m.s[m.i]) < 0 {
			m.i++
		}
		if m.i == start {
			return false
		}
		m.add(mark{k: syntax.TokIdent, s: m.s[start:m.i], pos: start})
		return true
	}
	if !syntax.IsIdent(c) && c != '$' && c != '@' {
		return false
	}
	for m.i++; m.i < len(m.s); m.i++ {
		if c := m.s[m.i]; !syntax.IsIdent(c) && !(m.dash && strings.IndexByte("-*!?/", c) >= 0) {
			break
		}
	}
	m.add(mark{k: syntax.TokIdent, s: m.s[start:m.i], pos: start})
	return true
}
