package site

import (
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// Options are the arguments of a small command as getopt(3) reads them.
type Options struct {
	flags  string
	values map[byte][]value.Value
	All    []value.Value // values of options in order
	Rest   []value.Value // operands
}

// Has reports whether an option without a value is given.
func (o Options) Has(c byte) bool { return strings.IndexByte(o.flags, c) >= 0 }

// Value returns the last value of an option.
func (o Options) Value(c byte) (value.Value, bool) {
	if vs := o.values[c]; len(vs) > 0 {
		return vs[len(vs)-1], true
	}
	return value.Value{}, false
}

// Getopt reads args by an option string of POSIX getopt; options end at the
// first operand. Letters that are not in the string count as flags.
func Getopt(args []value.Value, optstring string) Options {
	o := Options{values: map[byte][]value.Value{}}
	for len(args) > 0 {
		w := args[0]
		text := w.Prefix()
		if len(text) < 2 || text[0] != '-' {
			break
		}
		args = args[1:]
		if text == "--" && w.IsKnown() {
			break
		}
		for i := 1; i < len(text); i++ {
			c := text[i]
			o.flags += string(c)
			at := strings.IndexByte(optstring, c)
			if at < 0 || at+1 >= len(optstring) || optstring[at+1] != ':' {
				continue
			}
			var v value.Value
			switch {
			case i+1 < len(text) || !w.IsKnown():
				v = w.Cut(i + 1)
			case len(args) > 0:
				v, args = args[0], args[1:]
			}
			o.values[c] = append(o.values[c], v)
			o.All = append(o.All, v)
			break
		}
	}
	o.Rest = args
	return o
}

// QuotedWords splits text at white space, with single and double quotes,
// braces and backslashes as most small command languages have them; a
// semicolon that stands alone or at the end of a word is a word.
func QuotedWords(text string) []string {
	var out []string
	var word strings.Builder
	open, depth, quoted := byte(0), 0, false
	flush := func() {
		if word.Len() > 0 || quoted {
			out = append(out, word.String())
		}
		word.Reset()
		quoted = false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case open != 0 && c == open:
			open = 0
		case open != 0:
			word.WriteByte(c)
		case c == '\\' && i+1 < len(text):
			i++
			word.WriteByte(text[i])
		case depth == 0 && (c == '\'' || c == '"'):
			open, quoted = c, true
		case c == '{':
			if depth++; depth > 1 {
				word.WriteByte(c)
			}
		case c == '}' && depth > 0:
			if depth--; depth > 0 {
				word.WriteByte(c)
			}
		case depth == 0 && (c == ' ' || c == '\t' || c == '\n'):
			flush()
		case depth == 0 && c == ';':
			flush()
			out = append(out, ";")
		default:
			word.WriteByte(c)
		}
	}
	flush()
	return out
}

// HasShort reports whether one of the letters stands in an option cluster.
func HasShort(args []value.Value, letters string) bool {
	for _, a := range args {
		text := a.Prefix()
		if len(text) < 2 || text[0] != '-' || text[1] == '-' {
			continue
		}
		for _, c := range text[1:] {
			if strings.ContainsRune(letters, c) {
				return true
			}
			if strings.ContainsRune("aCEfgIMmNnOPrSstVwYzZTbDFR", c) {
				break // the rest is its value
			}
		}
	}
	return false
}
