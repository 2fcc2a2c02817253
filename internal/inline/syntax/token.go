package syntax

import "strings"

// A Kind says what a token is.
type Kind uint8

const (
	TokEOF Kind = iota
	TokIdent
	TokVar // a name with a sigil: $x, @x, %x
	TokStr
	tCmd   // text in backticks or qx//: a shell command
	tWords // qw(), %w(): words in s, separated by spaces
	tRegex
	TokNum
	TokOp
	TokNL
	TokIndent
	TokDedent
)

// A Part of a string is literal text, or code whose value is put in.
type Part struct {
	Lit  string
	Code bool
}

// A Token of source text.
type Token struct {
	Kind  Kind
	Text  string
	Parts []Part // of strings and commands
	Nl    bool   // a line ends before it
	sp    bool   // white space comes before it
	fresh bool   // strings: bytes rather than text are written (b"…")
	Match int    // of an opening bracket: index of the closing one
}

// A Lexer cuts text into tokens. It never fails: what it does not understand
// sets bad, and it goes on.
type Lexer struct {
	Lang   string
	Text   string
	At     int
	toks   []Token
	nl, sp bool
	bad    bool
	paren  int
	here   []hereDoc // here-documents whose bodies follow the line
	notes  [][2]int  // comments of Perl: where they begin and end
	indent []int
}

// Lex returns the tokens of text and whether all of it was understood.
func Lex(lang, text string) ([]Token, bool) {
	l := &Lexer{Lang: lang, Text: text, indent: []int{0}}
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
	l.add(Token{Kind: TokEOF})
	return matchBrackets(l.toks), !l.bad
}

// matchBrackets notes for every opening bracket where it is closed.
func matchBrackets(toks []Token) []Token {
	var open []int
	for i := range toks {
		if toks[i].Kind != TokOp {
			continue
		}
		switch toks[i].Text {
		case "(", "[", "{":
			open = append(open, i)
		case ")", "]", "}":
			if n := len(open); n > 0 {
				toks[open[n-1]].Match = i
				open = open[:n-1]
			}
		}
	}
	return toks
}

func (l *Lexer) add(t Token) {
	t.Nl, t.sp = t.Nl || l.nl, t.sp || l.sp
	l.nl, l.sp = false, false
	if len(l.toks) >= maxTokens && t.Kind != TokEOF {
		l.bad, l.At = true, len(l.Text)
		return
	}
	l.toks = append(l.toks, t)
}

func (l *Lexer) op(s string) { l.add(Token{Kind: TokOp, Text: s}); l.At += len(s) }

func (l *Lexer) rest() string { return l.Text[min(l.At, len(l.Text)):] }

func (l *Lexer) at(n int) byte {
	if l.At+n < len(l.Text) && l.At+n >= 0 {
		return l.Text[l.At+n]
	}
	return 0
}

func (l *Lexer) has(p string) bool { return strings.HasPrefix(l.rest(), p) }

// skipLine moves to the end of the line.
func (l *Lexer) skipLine() {
	if n := strings.IndexByte(l.rest(), '\n'); n >= 0 {
		l.At += n
		return
	}
	l.At = len(l.Text)
}

// skipTo moves behind the next occurrence of end, or to the end of the text.
func (l *Lexer) skipTo(end string) {
	if n := strings.Index(l.rest(), end); n >= 0 {
		l.At += n + len(end)
		return
	}
	l.At, l.bad = len(l.Text), true
}

// IsIdentStart reports whether a name can begin with a byte.
func IsIdentStart(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// IsDigit reports whether a byte is a decimal digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsIdent reports whether a byte can stand in a name.
func IsIdent(c byte) bool { return IsIdentStart(c) || IsDigit(c) }

// IdentLen returns the length of the name at the start of s.
func IdentLen(s string) int {
	if s == "" || !IsIdentStart(s[0]) {
		return 0
	}
	n := 1
	for n < len(s) && IsIdent(s[n]) {
		n++
	}
	return n
}

// ident adds the name at the cursor.
func (l *Lexer) ident() string {
	n := IdentLen(l.rest())
	name := l.Text[l.At : l.At+n]
	l.add(Token{Kind: TokIdent, Text: name})
	l.At += n
	return name
}

// number adds the number at the cursor.
func (l *Lexer) number() {
	start := l.At
	for l.At < len(l.Text) {
		c := l.Text[l.At]
		if IsIdent(c) && c < 0x80 {
			l.At++
			continue
		}
		if c == '.' && IsDigit(l.at(1)) {
			l.At++
			continue
		}
		if (c == '+' || c == '-') && (l.at(-1) == 'e' || l.at(-1) == 'E') && !strings.HasPrefix(l.Text[start:l.At], "0x") && IsDigit(l.at(1)) {
			l.At++
			continue
		}
		break
	}
	l.add(Token{Kind: TokNum, Text: strings.ReplaceAll(l.Text[start:l.At], "_", "")})
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
func (l *Lexer) operator() {
	rest := l.rest()
	if rest == "" {
		return
	}
	for _, op := range operators {
		if rest[0] == op[0] && strings.HasPrefix(rest, op) && !foreign(l.Lang, op) {
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
		l.At++
		return
	}
	l.op(rest[:1])
}

// space skips white space and notes it; it reports whether there was any.
func (l *Lexer) space() bool {
	switch l.Text[l.At] {
	case '\n':
		l.nl, l.sp = true, true
	case ' ', '\t', '\r', '\f', '\v':
		l.sp = true
	default:
		return false
	}
	l.At++
	return true
}

// last returns the token before the cursor.
func (l *Lexer) last() Token {
	if n := len(l.toks); n > 0 {
		return l.toks[n-1]
	}
	return Token{}
}

// operandNext reports whether an operand, not an operator, is due: what tells
// a regular expression from a division.
func (l *Lexer) operandNext() bool {
	t := l.last()
	switch t.Kind {
	case TokEOF, TokNL, TokIndent, TokDedent:
		return true
	case TokOp:
		return t.Text != ")" && t.Text != "]" && t.Text != "}" && t.Text != "++" && t.Text != "--"
	case TokIdent:
		switch t.Text {
		case "return", "typeof", "case", "in", "of", "and", "or", "not", "if", "unless", "while", "until", "when", "do", "else",
			"split", "grep", "map", "join", "print", "push", "x", "lt", "gt", "le", "ge", "eq", "ne", "cmp", "puts", "then", "void", "delete", "throw", "await", "yield":
			return true
		}
	}
	return false
}
