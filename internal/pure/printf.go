package pure

import (
	"slices"
	"strings"
)

// Widths and precisions beyond this are refused rather than padded out.
const maxFieldWidth = 1 << 16

// A printer runs one printf command.
type printer struct {
	j       *job
	dialect string
	format  escapes
	arg     escapes
	args    []string
	used    int  // arguments consumed so far
	stopped bool // \c was met
}

// runPrintf is printf(1): coreutils printf.c and the bash, dash and zsh
// built-ins (mksh has none and starts the program). The format is used again
// while arguments remain.
func runPrintf(j *job, args []string) error {
	p := &printer{j: j, dialect: j.dialect()}
	if p.dialect == "mksh" {
		p.dialect = "program"
	}
	var ok, ok2 bool
	p.format, ok = formatEscapes(p.dialect)
	p.arg, ok2 = argumentEscapes(p.dialect)
	if !ok || !ok2 {
		return errUnknown
	}
	switch {
	case len(args) > 0 && args[0] == "--":
		args = args[1:]
	case len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-':
		return errUnknown // an option to some, a format to others
	}
	if len(args) == 0 {
		return errUnknown
	}
	format := args[0]
	p.args = args[1:]
	for {
		before := p.used
		if err := p.pass(format); err != nil {
			return err
		}
		if p.stopped && p.dialect == "program" {
			j.status = 0 // \c exits at once
		}
		if p.stopped || p.used >= len(p.args) || p.used == before || j.over {
			return nil
		}
		if !j.spend(1 + len(format)) {
			return errUnknown
		}
	}
}

// pass writes the format once.
func (p *printer) pass(format string) error {
	for i := 0; i < len(format) && !p.stopped && !p.j.over; {
		switch format[i] {
		case '\\':
			b, n, stopped, err := unescaper{p.j, p.format}.one(nil, format[i+1:])
			if err != nil {
				return err
			}
			p.j.write(b)
			p.stopped = stopped
			i += 1 + n
		case '%':
			n, err := p.directive(format[i+1:])
			if err != nil {
				return err
			}
			i += 1 + n
		default:
			n := strings.IndexAny(format[i:], `\%`)
			if n < 0 {
				n = len(format) - i
			}
			p.j.writeString(format[i : i+n])
			i += n
		}
	}
	return nil
}

// next takes one argument; none left reads as empty.
func (p *printer) next() (string, bool) {
	if p.used >= len(p.args) {
		return "", false
	}
	p.used++
	return p.args[p.used-1], true
}

// A field is the parsed form of one % directive.
type field struct {
	minus, plus, space, sharp, zero bool

	width, prec       int // prec < 0: not given
	starWidth, starPr bool
	verb              byte
}

// parseField reads flags, width, precision, length modifier and conversion
// letter; n is how much of s that took.
func parseField(s string, length string) (f field, n int, ok bool) {
	f.prec = -1
	for ; n < len(s) && strings.IndexByte("-+ #0", s[n]) >= 0; n++ {
		switch s[n] {
		case '-':
			f.minus = true
		case '+':
			f.plus = true
		case ' ':
			f.space = true
		case '#':
			f.sharp = true
		case '0':
			f.zero = true
		}
	}
	f.width, f.starWidth, n = fieldNumber(s, n)
	if n < len(s) && s[n] == '.' {
		f.prec, f.starPr, n = fieldNumber(s, n+1)
	}
	for n < len(s) && strings.IndexByte(length, s[n]) >= 0 {
		n++
	}
	if n >= len(s) || f.width > maxFieldWidth || f.prec > maxFieldWidth {
		return f, n, false
	}
	f.verb = s[n]
	return f, n + 1, true
}

// fieldNumber reads "*" or digits at s[i:].
func fieldNumber(s string, i int) (v int, star bool, next int) {
	if i < len(s) && s[i] == '*' {
		return 0, true, i + 1
	}
	for i < len(s) && isDigit(s[i]) {
		v = min(v*10+int(s[i]-'0'), maxFieldWidth+1)
		i++
	}
	return v, false, i
}

// directive writes one % directive; s begins after the percent sign.
func (p *printer) directive(s string) (int, error) {
	if strings.HasPrefix(s, "%") {
		p.j.writeByte('%')
		return 1, nil
	}
	length := "hlLjtz"
	if p.dialect == "dash" || p.dialect == "zsh" {
		length = ""
	}
	f, n, ok := parseField(s, length)
	if !ok {
		return 0, errUnknown
	}
	if err := p.stars(&f); err != nil {
		return 0, err
	}
	var err error
	switch f.verb {
	case 's', 'c', 'b', 'q':
		err = p.text(f)
	case 'd', 'i', 'u', 'o', 'x', 'X':
		err = p.integer(f)
	case 'e', 'E', 'f', 'g', 'G':
		err = p.float(f)
	default:
		err = errUnknown
	}
	return n, err
}

// stars fills in a width or precision that comes from the arguments.
func (p *printer) stars(f *field) error {
	if f.starWidth {
		a, _ := p.next()
		v, err := p.star(a)
		if err != nil {
			return err
		}
		if v < 0 {
			f.minus, v = true, -v
		}
		f.width = v
	}
	if f.starPr {
		a, _ := p.next()
		v, err := p.star(a)
		if err != nil {
			return err
		}
		f.prec = max(v, -1)
	}
	return nil
}

func (p *printer) star(a string) (int, error) {
	v, _, err := parseInteger(a, true)
	if err != nil || !plainDecimal(a) || a == "" || v.abs > maxFieldWidth {
		return 0, errUnknown
	}
	if v.neg {
		return -int(v.abs), nil
	}
	return int(v.abs), nil
}

// text writes %s, %c, %b and %q.
func (p *printer) text(f field) error {
	if f.plus || f.space || f.sharp || f.zero {
		return errUnknown // undefined in C
	}
	a, given := p.next()
	b := []byte(a)
	switch f.verb {
	case 'c':
		if f.prec >= 0 || !isASCII(a) {
			return errUnknown
		}
		b = append(b, 0)[:1] // an empty argument prints a NUL
	case 'b':
		if p.dialect == "program" && (f.width != 0 || f.prec >= 0 || f.minus) {
			return errUnknown
		}
		var err error
		b, p.stopped, err = unescaper{p.j, p.arg}.expand(nil, a)
		if err != nil {
			return err
		}
	case 'q':
		if !given || f.width != 0 || f.prec >= 0 || f.minus {
			return errUnknown
		}
		q, ok := quoteFor(p.dialect, a)
		if !ok {
			return errUnknown
		}
		b = []byte(q)
	}
	if (f.width != 0 || f.prec >= 0) && !isASCII(b) {
		return errUnknown // bytes in some shells, characters in others
	}
	if f.prec >= 0 && f.prec < len(b) {
		b = b[:f.prec]
	}
	p.j.write(pad(b, f.width, f.minus))
	return nil
}

// pad fills b with spaces to the width.
func pad(b []byte, width int, left bool) []byte {
	if len(b) >= width {
		return b
	}
	fill := slices.Repeat([]byte{' '}, width-len(b))
	if left {
		return slices.Concat(b, fill)
	}
	return append(fill, b...)
}

// quoteFor is %q: bash's sh_backslash_quote or $'…', coreutils' shell-escape
// quoting. Control characters outside bash, bytes above 127 and zsh's own
// choices are left out.
func quoteFor(dialect, s string) (string, bool) {
	if s == "" {
		return "''", dialect == "bash" || dialect == "program" || dialect == "zsh"
	}
	plain := true
	for i := range len(s) {
		if !isPrint(s[i]) {
			return "", false
		}
		plain = plain && (isAlnum(s[i]) || strings.IndexByte("%+-./:@_", s[i]) >= 0)
	}
	if plain && dialect != "dash" {
		return s, true
	}
	switch dialect {
	case "bash":
		return backslashQuote(s), true
	case "program":
		return coreutilsQuote(s)
	}
	return "", false
}

// backslashQuote is bash's sh_backslash_quote (lib/sh/shquote.c).
func backslashQuote(s string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if strings.IndexByte(" \t'\"\\|&;()<>!{}*[]?^$`,", c) >= 0 || c == '#' && i == 0 ||
			c == '~' && (i == 0 || s[i-1] == ':' || s[i-1] == '=') {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String()
}

// coreutilsQuote is gnulib's shell_escape_quoting_style for printable ASCII.
func coreutilsQuote(s string) (string, bool) {
	if !strings.ContainsAny(s, " !\"$&'()*;<=>?[\\^`|") && s[0] != '#' && s[0] != '~' {
		return s, len(s) > 1 || s != "{" && s != "}"
	}
	if !strings.Contains(s, "'") {
		return "'" + s + "'", true
	}
	if !strings.ContainsAny(s, "\"\\$`!") {
		return `"` + s + `"`, true
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'", true
}
