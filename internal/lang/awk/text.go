package awk

import (
	"strings"
	"unicode/utf8"
)

// Escape reads the escape sequence whose text behind the backslash s begins
// with: what it stands for, as gawk has it, and its length. alike is false where
// other implementations have it otherwise (gawk 5.3 manual, section 3.2).
func Escape(s string) (text string, n int, alike bool) {
	if s == "" { // at the end of what an option sets
		return `\`, 0, true
	}
	switch c := s[0]; c {
	case '"':
		return s[:1], 1, true
	case '\n':
		return "", 1, false
	case '0', '1', '2', '3', '4', '5', '6', '7':
		v, n := digits(s, 8, 3)
		return string([]byte{byte(v)}), n, v > 0 && v < 0x80
	case 'x':
		v, n := digits(s[1:], 16, 2)
		if n == 0 {
			return "x", 1, false
		}
		more := n+1 < len(s) && isHex(s[n+1]) // are these of it too?
		return string([]byte{byte(v)}), 1 + n, n == 2 && !more && v > 0 && v < 0x80
	case 'u':
		v, n := digits(s[1:], 16, 8)
		if n == 0 || v > utf8.MaxRune {
			return "u", 1, false
		}
		return string(rune(v)), 1 + n, false
	default:
		if i := strings.IndexByte(`\abfnrtv`, c); i >= 0 {
			return "\\\a\b\f\n\r\t\v"[i : i+1], 1, true
		}
		return s[:1], 1, false
	}
}

// digits reads at most limit digits of a base.
func digits(s string, base, limit int) (v, n int) {
	for n < len(s) && n < limit {
		d := strings.IndexByte("0123456789abcdef", s[n])
		if s[n] >= 'A' && s[n] <= 'F' {
			d = int(s[n]-'A') + 10
		}
		if d < 0 || d >= base {
			break
		}
		v, n = v*base+d, n+1
	}
	return v, n
}

// Unquote returns what the text between the quotes of a string stands for.
// alike is false where implementations differ. A byte that could be taken for a
// [Mark] but is written as an escape is left out.
func Unquote(raw string) (text string, alike bool) {
	if strings.IndexByte(raw, '\\') < 0 {
		return raw, true
	}
	var b strings.Builder
	alike = true
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] != '\\':
			b.WriteByte(raw[i])
			continue
		case i+1 < len(raw) && raw[i+1] == Mark: // what it escapes is not known
			alike = false
			continue
		}
		c, n, same := Escape(raw[i+1:])
		if c != string(rune(Mark)) {
			b.WriteString(c)
		}
		alike = alike && same
		i += n
	}
	return b.String(), alike
}

// Keyword reports whether a name is a word of gawk's grammar.
func Keyword(name string) bool {
	switch name {
	case "BEGIN", "END", "BEGINFILE", "ENDFILE", "function", "func", "if", "else", "while", "for", "do", "break", "continue", "next", "nextfile",
		"exit", "return", "delete", "in", "getline", "print", "printf", "switch", "case", "default":
		return true
	}
	return false
}

// Builtin reports whether gawk has a function of that name (gawk 5.3 manual,
// section 9.1). Others may stand apart from their arguments too.
func Builtin(name string) bool {
	switch name {
	case "atan2", "cos", "exp", "int", "log", "rand", "sin", "sqrt", "srand",
		"gensub", "gsub", "index", "length", "match", "patsplit", "split", "sprintf", "strtonum", "sub", "substr", "tolower", "toupper", "asort", "asorti",
		"close", "fflush", "system", "mktime", "strftime", "systime", "and", "compl", "lshift", "or", "rshift", "xor", "isarray", "typeof", "mkbool",
		"bindtextdomain", "dcgettext", "dcngettext":
		return true
	}
	return false
}

// IsName reports whether s is spelled like the name of a variable.
func IsName(s string) bool {
	if s == "" || !isWordStart(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isWord(s[i]) {
			return false
		}
	}
	return true
}
