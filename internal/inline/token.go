package inline

import "strings"

// A kind says what a token is.
type kind uint8

const (
	tEOF kind = iota
	tIdent
	tVar // a name with a sigil: $x, @x, %x
	tStr
	tCmd   // text in backticks or qx//: a shell command
	tWords // qw(), %w(): words in s, separated by spaces
	tRegex
	tNum
	tOp
	tNL
	tIndent
	tDedent
)

// A part of a string is literal text, or code whose value is put in.
type part struct {
	lit  string
	code bool
}

// A token of source text.
type token struct {
	k     kind
	s     string
	parts []part // of strings and commands
	nl    bool   // a line ends before it
	sp    bool   // white space comes before it
	fresh bool   // strings: bytes rather than text are written (b"…")
	match int    // of an opening bracket: index of the closing one
}

// A lexer cuts text into tokens. It never fails: what it does not understand
// sets bad, and it goes on.
type lexer struct {
	lang   string
	s      string
	i      int
	toks   []token
	nl, sp bool
	bad    bool
	paren  int
	here   []hereDoc // here-documents whose bodies follow the line
	indent []int
}

// lex returns the tokens of text and whether all of it was understood.
func lex(lang, text string) ([]token, bool) {
	l := &lexer{lang: lang, s: text, indent: []int{0}}
	switch lang {
	case "python":
		l.python()
	case "perl":
		l.perl()
	case "ruby":
		l.ruby()
	case "php":
		l.php()
	default:
		l.plain()
	}
	l.add(token{k: tEOF})
	return matchBrackets(l.toks), !l.bad
}

// matchBrackets notes for every opening bracket where it is closed.
func matchBrackets(toks []token) []token {
	var open []int
	for i := range toks {
		if toks[i].k != tOp {
			continue
		}
		switch toks[i].s {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if n := len(open); n > 0 {
				toks[open[n-1]].match = i
				open = open[:n-1]
			}
		}
	}
	return toks
}

func (l *lexer) add(t token) {
	t.nl, t.sp = t.nl || l.nl, t.sp || l.sp
	l.nl, l.sp = false, false
	if len(l.toks) >= maxTokens && t.k != tEOF {
		l.bad, l.i = true, len(l.s)
		return
	}
	l.toks = append(l.toks, t)
}

func (l *lexer) op(s string) { l.add(token{k: tOp, s: s}); l.i += len(s) }

func (l *lexer) rest() string { return l.s[min(l.i, len(l.s)):] }

func (l *lexer) at(n int) byte {
	if l.i+n < len(l.s) && l.i+n >= 0 {
		return l.s[l.i+n]
	}
	return 0
}

func (l *lexer) has(p string) bool { return strings.HasPrefix(l.rest(), p) }

// skipLine moves to the end of the line.
func (l *lexer) skipLine() {
	if n := strings.IndexByte(l.rest(), '\n'); n >= 0 {
		l.i += n
		return
	}
	l.i = len(l.s)
}

// skipTo moves behind the next occurrence of end, or to the end of the text.
func (l *lexer) skipTo(end string) {
	if n := strings.Index(l.rest(), end); n >= 0 {
		l.i += n + len(end)
		return
	}
	l.i, l.bad = len(l.s), true
}

func isIdentStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isIdent(c byte) bool { return isIdentStart(c) || isDigit(c) }

// identLen returns the length of the name at the start of s.
func identLen(s string) int {
	if s == "" || !isIdentStart(s[0]) {
		return 0
	}
	n := 1
	for n < len(s) && isIdent(s[n]) {
		n++
	}
	return n
}

// ident adds the name at the cursor.
func (l *lexer) ident() string {
	n := identLen(l.rest())
	name := l.s[l.i : l.i+n]
	l.add(token{k: tIdent, s: name})
	l.i += n
	return name
}

// number adds the number at the cursor.
func (l *lexer) number() {
	start := l.i
	for l.i < len(l.s) {
		c := l.s[l.i]
		if isIdent(c) && c < 0x80 {
			l.i++
			continue
		}
		if c == '.' && isDigit(l.at(1)) {
			l.i++
			continue
		}
		if (c == '+' || c == '-') && (l.at(-1) == 'e' || l.at(-1) == 'E') && !strings.HasPrefix(l.s[start:l.i], "0x") && isDigit(l.at(1)) {
			l.i++
			continue
		}
		break
	}
	l.add(token{k: tNum, s: strings.ReplaceAll(l.s[start:l.i], "_", "")})
}

// operators, the longest first. Those of one language only are named in
// foreign.
var operators = [...]string{
	">>>=", "...", "===", "!==", "**=", "<=>", "&&=", "||=", "??=", "//=", ">>=", "<<=", ">>>", "?->", "<<-", "%in%",
	"=>", "->", "?.", "::", "==", "!=", "=~", "!~", "<=", ">=", "&&", "||", "??", "++", "--", "+=", "-=", "*=", "/=",
	".=", "%=", "|=", "&=", "^=", "**", "//", "<<", ">>", "..", "~=", ":=", "<-", "|>", "&.", "<>",
}

// foreign reports whether a spelling is not one operator in the language.
func foreign(lang, op string) bool {
	switch op {
	case "=~", "!~":
		return lang != "perl" && lang != "ruby"
	case "<-", "<<-", "|>", "%in%":
		return lang != "r"
	case "&.":
		return lang != "ruby"
	case "~=", "<>":
		return lang != "lua" && !(op == "<>" && (lang == "python" || lang == "php"))
	case ":=":
		return lang != "python"
	case "++", "--":
		return lang == "python" || lang == "lua" || lang == "r"
	case "?.", "?->":
		return lang != "node" && lang != "php"
	case ".=":
		return lang != "php" && lang != "perl"
	case "..":
		return lang == "python" || lang == "php" || lang == "node" || lang == "r"
	case "->":
		return lang == "node" || lang == "lua"
	case "=>":
		return lang == "python" || lang == "lua" || lang == "r"
	}
	return false
}

// operator adds the operator at the cursor.
func (l *lexer) operator() {
	rest := l.rest()
	if rest == "" {
		return
	}
	for _, op := range operators {
		if rest[0] == op[0] && strings.HasPrefix(rest, op) && !foreign(l.lang, op) {
			l.op(op)
			return
		}
	}
	c := rest[0]
	switch c {
	case '(', '[', '{':
		l.paren++
	case ')', ']', '}':
		l.paren = max(l.paren-1, 0)
	}
	if strings.IndexByte("()[]{}<>=+-*/%.,;:!?&|^~@$\\#", c) < 0 {
		l.bad = true
		l.i++
		return
	}
	l.op(rest[:1])
}

// space skips white space and notes it; it reports whether there was any.
func (l *lexer) space() bool {
	switch l.s[l.i] {
	case '\n':
		l.nl, l.sp = true, true
	case ' ', '\t', '\r', '\f', '\v':
		l.sp = true
	default:
		return false
	}
	l.i++
	return true
}

// last returns the token before the cursor.
func (l *lexer) last() token {
	if n := len(l.toks); n > 0 {
		return l.toks[n-1]
	}
	return token{}
}

// operandNext reports whether an operand, not an operator, is due: what tells
// a regular expression from a division.
func (l *lexer) operandNext() bool {
	t := l.last()
	switch t.k {
	case tEOF, tNL, tIndent, tDedent:
		return true
	case tOp:
		return t.s != ")" && t.s != "]" && t.s != "}" && t.s != "++" && t.s != "--"
	case tIdent:
		switch t.s {
		case "return", "typeof", "case", "in", "of", "and", "or", "not", "if", "unless", "while", "until", "when", "do", "else",
			"split", "grep", "map", "join", "print", "push", "x", "lt", "gt", "le", "ge", "eq", "ne", "cmp", "puts", "then", "void", "delete", "throw", "await", "yield":
			return true
		}
	}
	return false
}
