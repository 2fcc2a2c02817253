package pure

import (
	"strconv"
	"strings"
)

// An awkKind is the kind of a token.
type awkKind uint8

const (
	awkEOF awkKind = iota
	awkNewline
	awkNumber
	awkString
	awkRegexp
	awkName     // variable or array
	awkBuiltin  // length, substr, …
	awkKeyword  // if, print, BEGIN, …
	awkOperator // punctuation, spelled in text
)

// An awkToken is one token of an awk program.
type awkToken struct {
	kind awkKind
	text string
	num  float64
	call bool // a name directly before a parenthesis: a function call
}

// awkLex cuts a program into tokens.
func awkLex(s string) ([]awkToken, error) {
	l := &awkLexer{s: s}
	for {
		t, err := l.next()
		if err != nil {
			return nil, err
		}
		l.out = append(l.out, t)
		if t.kind == awkEOF {
			return l.out, nil
		}
	}
}

type awkLexer struct {
	s   string
	at  int
	out []awkToken
}

func (l *awkLexer) skip() {
	for l.at < len(l.s) {
		switch c := l.s[l.at]; {
		case c == ' ' || c == '\t' || c == '\r':
			l.at++
		case c == '\\' && strings.HasPrefix(l.s[l.at:], "\\\n"):
			l.at += 2
		case c == '#':
			for l.at < len(l.s) && l.s[l.at] != '\n' {
				l.at++
			}
		default:
			return
		}
	}
}

// operandBefore reports whether the last token ends an operand, so that a
// slash divides.
func (l *awkLexer) operandBefore() bool {
	if len(l.out) == 0 {
		return false
	}
	switch t := l.out[len(l.out)-1]; t.kind {
	case awkNumber, awkString, awkRegexp, awkName, awkBuiltin:
		return true
	case awkOperator:
		return t.text == ")" || t.text == "]" || t.text == "++" || t.text == "--"
	}
	return false
}

func (l *awkLexer) next() (awkToken, error) {
	l.skip()
	if l.at >= len(l.s) {
		return awkToken{}, nil
	}
	switch c := l.s[l.at]; {
	case c == '\n':
		l.at++
		return awkToken{kind: awkNewline}, nil
	case c == '"':
		return l.str()
	case isDigit(c), c == '.' && l.at+1 < len(l.s) && isDigit(l.s[l.at+1]):
		return l.number()
	case isAlpha(c) || c == '_':
		return l.word()
	case c == '/' && !l.operandBefore():
		return l.regexp()
	}
	for _, op := range []string{"++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "==", "<=", ">=", "!=", "&&", "||", "!~"} {
		if strings.HasPrefix(l.s[l.at:], op) {
			l.at += 2
			return awkToken{kind: awkOperator, text: op}, nil
		}
	}
	if strings.HasPrefix(l.s[l.at:], "**") || strings.IndexByte("{}()[];,+-*/%^!<>|?:~$=", l.s[l.at]) < 0 {
		return awkToken{}, errUnknown
	}
	l.at++
	return awkToken{kind: awkOperator, text: l.s[l.at-1 : l.at]}, nil
}

// number reads a decimal; octal- and hexadecimal-looking ones are read
// differently by implementations.
func (l *awkLexer) number() (awkToken, error) {
	n, ok := decimalPrefix(l.s[l.at:])
	text := l.s[l.at : l.at+n]
	if !ok || len(text) > 1 && text[0] == '0' && isDigit(text[1]) {
		return awkToken{}, errUnknown
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(text, "."), 64)
	l.at += n
	if err != nil || l.at < len(l.s) && (isWordByte(l.s[l.at]) || l.s[l.at] == '.') {
		return awkToken{}, errUnknown
	}
	return awkToken{kind: awkNumber, num: v}, nil
}

func (l *awkLexer) word() (awkToken, error) {
	start := l.at
	for l.at < len(l.s) && isWordByte(l.s[l.at]) {
		l.at++
	}
	t := awkToken{kind: awkName, text: l.s[start:l.at]}
	t.call = l.at < len(l.s) && l.s[l.at] == '('
	switch t.text {
	case "BEGIN", "END", "if", "else", "while", "for", "do", "break", "continue", "next", "exit", "delete", "in", "print", "printf":
		t.kind = awkKeyword
	case "length", "substr", "index", "split", "sub", "gsub", "match", "sprintf", "tolower", "toupper", "int":
		t.kind = awkBuiltin
	case "function", "func", "getline", "nextfile", "return", "switch", "case", "default":
		return t, errUnknown
	default:
		// Other calls are user functions or extensions, and a bare extension
		// name is a function to some and a variable to others.
		if t.call || awkExtension(t.text) {
			return t, errUnknown
		}
	}
	return t, nil
}

// awkSpecial reports whether a name is a special variable that we know.
func awkSpecial(name string) bool {
	switch name {
	case "NR", "NF", "FNR", "FS", "OFS", "ORS", "RS", "SUBSEP", "RSTART", "RLENGTH", "ENVIRON":
		return true
	}
	return false
}

// awkExtension reports whether a name is a function, or a special variable
// that we do not know, in some awk.
func awkExtension(name string) bool {
	switch name {
	case "ARGC", "ARGIND", "ARGV", "BINMODE", "CONVFMT", "ERRNO", "FIELDWIDTHS", "FILENAME", "FPAT", "FUNCTAB",
		"IGNORECASE", "LINT", "OFMT", "PREC", "PROCINFO", "ROUNDMODE", "RT", "SYMTAB", "TEXTDOMAIN", "WHINY_USERS":
		return true
	case "atan2", "close", "cos", "exp", "fflush", "log", "rand", "sin", "sqrt", "srand", "system",
		"and", "asort", "asorti", "bindtextdomain", "compl", "dcgettext", "dcngettext", "gensub", "isarray",
		"lshift", "mkbool", "mktime", "or", "patsplit", "rshift", "strftime", "strtonum", "systime", "typeof", "xor",
		"include", "load", "namespace":
		return true
	}
	return false
}

// str reads a string constant with the escapes that all implementations
// expand alike.
func (l *awkLexer) str() (awkToken, error) {
	var b strings.Builder
	for l.at++; l.at < len(l.s); l.at++ {
		c := l.s[l.at]
		switch c {
		case '"':
			l.at++
			return awkToken{kind: awkString, text: b.String()}, nil
		case '\n', 0:
			return awkToken{}, errUnknown
		case '\\':
			v, n, err := awkUnescape(l.s[l.at+1:])
			if err != nil {
				return awkToken{}, err
			}
			b.WriteByte(v)
			l.at += n
			continue
		}
		b.WriteByte(c)
	}
	return awkToken{}, errUnknown
}

// awkUnescape reads the escape after a backslash in a string.
func awkUnescape(s string) (c byte, n int, err error) {
	if s == "" {
		return 0, 0, errUnknown
	}
	switch {
	case s[0] == '"':
		return '"', 1, nil
	case s[0] >= '0' && s[0] <= '7':
		v, n := digits(s, 8, 3)
		if v == 0 || v > 0x7f {
			return 0, 0, errUnknown
		}
		return byte(v), n, nil
	case s[0] == 'x':
		v, n := digits(s[1:], 16, 3)
		if n != 2 || v == 0 || v > 0x7f {
			return 0, 0, errUnknown // how many digits count varies
		}
		return byte(v), 3, nil
	}
	if v := simpleEscape(s[0]); v != 0 {
		return v, 1, nil
	}
	return 0, 0, errUnknown
}

// regexp reads /…/; a slash inside brackets ends it for some.
func (l *awkLexer) regexp() (awkToken, error) {
	start, bracket := l.at+1, -1
	for l.at++; l.at < len(l.s); l.at++ {
		switch c := l.s[l.at]; {
		case c == '\n':
			return awkToken{}, errUnknown
		case c == '/' && bracket >= 0:
			return awkToken{}, errUnknown
		case c == '/':
			t := awkToken{kind: awkRegexp, text: l.s[start:l.at]}
			l.at++
			return t, nil
		case c == '\\':
			l.at++
			continue
		}
		bracket = trackBracket(l.s[start:l.at+1], bracket)
	}
	return awkToken{}, errUnknown
}
