package pure

import "unicode/utf8"

// An escapes value says which backslash escapes a dialect of echo or printf
// knows. Every difference was measured on bash 5.2, dash 0.5.12, mksh R59,
// zsh 5.9 and coreutils 9.1; where a version may differ, the answer is
// errUnknown. Common to all: \\ \a \b \f \n \r \t \v.
type escapes struct {
	esc       bool // \e
	bigEsc    bool // \E
	maybeEsc  bool // \e in some versions only
	octal     bool // \N, \NN, \NNN with any octal digit first
	octal17   bool // the same, but the first digit is 1-7
	zeroOctal bool // \0, \0N, \0NN, \0NNN
	hex       bool // \xH, \xHH
	hexMust   bool // \x without a digit is an error
	unicode   bool // \uH..HHHH, \UH..HHHHHHHH
	strictU   bool // exactly 4 or 8 digits, and no ASCII
	quotes    string
	stop      bool // \c ends all output
	maybeStop bool // \c means something else here
}

// echoEscapes is what an echo that interprets escapes knows.
func echoEscapes(dialect string) (escapes, bool) {
	switch dialect {
	case "bash":
		return escapes{esc: true, bigEsc: true, zeroOctal: true, hex: true, unicode: true, stop: true}, true
	case "program":
		return escapes{esc: true, zeroOctal: true, octal17: true, hex: true, stop: true}, true
	case "dash":
		return escapes{maybeEsc: true, zeroOctal: true, octal17: true, stop: true}, true
	case "zsh":
		return escapes{esc: true, zeroOctal: true, hex: true, hexMust: true, unicode: true, stop: true}, true
	case "mksh":
		return escapes{esc: true, bigEsc: true, zeroOctal: true, hex: true, unicode: true, maybeStop: true}, true
	}
	return escapes{}, false
}

// formatEscapes is what a printf format knows.
func formatEscapes(dialect string) (escapes, bool) {
	switch dialect {
	case "bash":
		return escapes{esc: true, bigEsc: true, octal: true, hex: true, unicode: true, quotes: `"'?`}, true
	case "program":
		return escapes{esc: true, octal: true, hex: true, hexMust: true, unicode: true, strictU: true, quotes: `"`, stop: true}, true
	case "dash":
		return escapes{maybeEsc: true, octal: true}, true
	case "zsh":
		return escapes{esc: true, octal: true, hex: true, hexMust: true, unicode: true, stop: true}, true
	}
	return escapes{}, false
}

// argumentEscapes is what printf's %b knows.
func argumentEscapes(dialect string) (escapes, bool) {
	e, ok := formatEscapes(dialect)
	e.octal, e.zeroOctal, e.octal17, e.stop = false, true, dialect != "zsh", true
	if dialect == "bash" {
		e.quotes = ""
	}
	return e, ok
}

// An unescaper expands escapes for one job.
type unescaper struct {
	j   *job
	set escapes
}

// expand appends s with its escapes expanded to dst. stopped says that \c
// was met.
func (u unescaper) expand(dst []byte, s string) (out []byte, stopped bool, err error) {
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			dst = append(dst, s[i])
			i++
			continue
		}
		var n int
		dst, n, stopped, err = u.one(dst, s[i+1:])
		if err != nil || stopped {
			return dst, stopped, err
		}
		i += 1 + n
	}
	return dst, false, nil
}

// one expands the escape whose text after the backslash begins s, and says
// how much of s it used.
func (u unescaper) one(dst []byte, s string) (out []byte, used int, stopped bool, err error) {
	if s == "" {
		return append(dst, '\\'), 0, false, nil
	}
	c := s[0]
	if simple := simpleEscape(c); simple != 0 {
		return append(dst, simple), 1, false, nil
	}
	switch {
	case c == 'e' && u.set.maybeEsc, c == 'c' && u.set.maybeStop:
		return dst, 0, false, errUnknown
	case c == 'e' && u.set.esc, c == 'E' && u.set.bigEsc:
		return append(dst, 0x1b), 1, false, nil
	case c == 'c' && u.set.stop:
		return dst, 1, true, nil
	case c == '0' && u.set.zeroOctal:
		out, used, err = u.number(dst, s[1:], 8, 3)
		return out, used + 1, false, err
	case c >= '0' && c <= '7' && u.set.octal, c >= '1' && c <= '7' && u.set.octal17:
		out, used, err = u.number(dst, s, 8, 3)
		return out, used, false, err
	case c == 'x' && u.set.hex:
		return u.hexByte(dst, s)
	case (c == 'u' || c == 'U') && u.set.unicode:
		out, used, err = u.rune(dst, s)
		return out, used, false, err
	}
	for i := range len(u.set.quotes) {
		if c == u.set.quotes[i] {
			return append(dst, c), 1, false, nil
		}
	}
	return append(dst, '\\'), 0, false, nil
}

// simpleEscape is the byte for the escapes common to all, or 0.
func simpleEscape(c byte) byte {
	switch c {
	case '\\':
		return '\\'
	case 'a':
		return '\a'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	}
	return 0
}

func (u unescaper) hexByte(dst []byte, s string) ([]byte, int, bool, error) {
	if len(s) < 2 || hexDigit(s[1]) < 0 {
		if u.set.hexMust {
			return dst, 0, false, errUnknown
		}
		return append(dst, '\\', 'x'), 1, false, nil
	}
	out, n, err := u.number(dst, s[1:], 16, 2)
	return out, n + 1, false, err
}

// number reads at most limit digits of s as one byte; values above 255 differ
// between versions.
func (u unescaper) number(dst []byte, s string, base, limit int) ([]byte, int, error) {
	v, n := digits(s, base, limit)
	if v > 0xff {
		return dst, n, errUnknown
	}
	if v < 0x80 && isAlnum(byte(v)) {
		u.j.decoded = true // nobody spells a plain letter that way but to hide it
	}
	return append(dst, byte(v)), n, nil
}

func (u unescaper) rune(dst []byte, s string) ([]byte, int, error) {
	limit := 4
	if s[0] == 'U' {
		limit = 8
	}
	v, n := digits(s[1:], 16, limit)
	switch {
	case n == 0 && (u.set.strictU || u.set.hexMust), u.set.strictU && (n != limit || v < 0xa0):
		return dst, 0, errUnknown
	case n == 0:
		return append(dst, '\\', s[0]), 1, nil
	case v < 0x80:
		u.j.decoded = u.j.decoded || isAlnum(byte(v))
		return append(dst, byte(v)), n + 1, nil
	case u.j.ctype() != charsetUTF8 || !utf8.ValidRune(rune(v)):
		return dst, 0, errUnknown
	}
	return utf8.AppendRune(dst, rune(v)), n + 1, nil
}

// digits reads at most limit digits in the base; n is how many there were.
func digits(s string, base, limit int) (v, n int) {
	for n < len(s) && n < limit {
		d := hexDigit(s[n])
		if d < 0 || d >= base {
			break
		}
		v = v*base + d
		n++
	}
	return v, n
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isAlpha(c byte) bool { return isLower(c) || isUpper(c) }
func isAlnum(c byte) bool { return isAlpha(c) || isDigit(c) }
func isPrint(c byte) bool { return c >= ' ' && c < 0x7f }
func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

func toUpper(c byte) byte {
	if isLower(c) {
		return c - 'a' + 'A'
	}
	return c
}

func toLower(c byte) byte {
	if isUpper(c) {
		return c - 'A' + 'a'
	}
	return c
}
