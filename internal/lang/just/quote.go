package just

import (
	"strconv"
	"strings"
)

// quoted skips a text between quotes, and returns it with where it begins. A
// backslash quotes the next byte if escapes is set.
func (r *reader) quoted(quote string, escapes bool) (text string, at int, ok bool) {
	if r.unclosed[quote] {
		return "", 0, false
	}
	at = r.i + len(quote)
	for i := at; i <= r.end-len(quote); i++ {
		switch {
		case escapes && r.text[i] == '\\':
			i++
		case strings.HasPrefix(r.text[i:r.end], quote):
			r.i = i + len(quote)
			return r.text[at:i], at, true
		}
	}
	if r.unclosed == nil {
		r.unclosed = map[string]bool{}
	}
	r.unclosed[quote] = true
	return "", 0, false
}

// literal reads a text; is is false where none begins.
func (r *reader) literal() (x Expr, is, ok bool) {
	s := &String{At: r.i}
	rest := r.text[r.i:r.end]
	if len(rest) > 1 && (rest[0] == 'x' || rest[0] == 'f') && (rest[1] == '\'' || rest[1] == '"') {
		s.Expand, s.Format = rest[0] == 'x', rest[0] == 'f'
		rest = rest[1:]
	}
	for _, quote := range []string{"'''", `"""`, "'", `"`} {
		if !strings.HasPrefix(rest, quote) {
			continue
		}
		if s.Expand || s.Format {
			r.i++
		}
		text, _, ok := r.quoted(quote, quote[0] == '"')
		if len(quote) == 3 {
			text = unindented(text)
		}
		if quote[0] == '"' {
			text = unescaped(text)
		}
		s.Value, s.End = text, r.i
		return s, true, ok
	}
	return nil, false, false
}

// backtick reads a command.
func (r *reader) backtick() (Expr, bool) {
	x := &Backtick{At: r.i}
	quote := "`"
	if strings.HasPrefix(r.text[r.i:r.end], "```") {
		quote = "```"
	}
	text, at, ok := r.quoted(quote, false)
	x.Command, x.TextAt, x.End = text, at, r.i
	if len(quote) == 3 {
		x.Command = unindented(text)
	}
	return x, ok
}

// unindented takes off the indentation that all lines of a text have; lines
// that are empty do not count, and the first and last of them go (manual,
// "Strings").
func unindented(text string) string {
	lines := strings.SplitAfter(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	indent, found := "", false
	for _, l := range lines {
		bare := strings.TrimLeft(l, " \t")
		if strings.TrimSpace(bare) == "" {
			continue
		}
		mine := l[:len(l)-len(bare)]
		if !found {
			indent, found = mine, true
		}
		n := 0
		for n < min(len(mine), len(indent)) && mine[n] == indent[n] {
			n++
		}
		indent = indent[:n]
	}
	for i, l := range lines {
		switch {
		case strings.TrimSpace(l) != "":
			lines[i] = l[len(indent):]
		case i == 0 || i == len(lines)-1:
			lines[i] = ""
		default:
			lines[i] = "\n"
		}
	}
	return strings.Join(lines, "")
}

// unescaped reads the escapes of a text in double quotes.
func unescaped(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			b.WriteByte(text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case '\n':
		case 'u':
			code, _, ok := strings.Cut(text[i+1:min(len(text), i+9)], "}") // {10FFFF}
			n, err := strconv.ParseUint(strings.TrimPrefix(code, "{"), 16, 21)
			if !ok || err != nil {
				b.WriteString(`\u`)
				continue
			}
			b.WriteRune(rune(n))
			i += len(code) + 1
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
