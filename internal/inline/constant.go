package inline

import (
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// maxConstant bounds the text that a program's constants come to.
const maxConstant = 1 << 16

// constantOutput returns what a program prints that does nothing else than
// print text that is written in it: it is exact, and anything that is not
// exactly known here makes it nothing.
func constantOutput(lang string, body []*node) value.Value {
	var b strings.Builder
	for _, n := range body {
		if n == nil || n.op != nCall || len(n.kids) == 0 || !printConstants(&b, lang, n) || b.Len() > maxConstant {
			return value.Value{}
		}
	}
	return value.Lit(b.String())
}

// printConstants writes what one call prints and reports whether that is known.
func printConstants(b *strings.Builder, lang string, n *node) bool {
	separator, end, ok := printing(lang, n.kids[0])
	if !ok {
		return false
	}
	words := n.kids[1:]
	if lang == "perl" && len(words) == 1 && words[0].op == nList {
		words = words[0].kids
	}
	if len(words) == 0 || end == "\n" && separator == "" && len(words) > 1 && lang == "ruby" {
		return false
	}
	for i, w := range words {
		text, ok := constant(lang, w)
		if !ok || lang == "ruby" && end != "" && strings.HasSuffix(text, "\n") {
			return false
		}
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(text)
	}
	b.WriteString(end)
	return true
}

// printing says what stands between and behind the arguments of a function
// that prints (perlfunc print, say; the built-in functions of Python; Ruby's
// Kernel).
func printing(lang string, callee *node) (separator, end string, ok bool) {
	if callee.op != nName {
		return "", "", false
	}
	switch lang + " " + callee.s {
	case "perl print", "ruby print":
		return "", "", true
	case "perl say", "ruby puts":
		return "", "\n", true
	case "python print":
		return " ", "\n", true
	}
	return "", "", false
}

// constant computes an expression of literal texts.
func constant(lang string, n *node) (string, bool) {
	switch n.op {
	case nStr:
		var b strings.Builder
		for _, k := range n.kids {
			if k.op != nLit || n.bytes {
				return "", false
			}
			b.WriteString(k.s)
		}
		return b.String(), true
	case nBin:
		x, ok := constant(lang, n.kids[0])
		if !ok {
			return "", false
		}
		y, ok := constant(lang, n.kids[1])
		if !ok || len(x)+len(y) > maxConstant {
			return "", false
		}
		return textOperation(lang, n.s, x, y)
	}
	return "", false
}

// textOperation applies an operator to two texts. In Perl ^, | and & work on
// the characters of texts; | and ^ go on to the end of the longer one (perlop,
// "Bitwise String Operators").
func textOperation(lang, op, x, y string) (string, bool) {
	switch {
	case op == "." && lang == "perl", op == "+" && lang != "perl":
		return x + y, true
	case lang != "perl" || !ascii(x) || !ascii(y):
		return "", false
	}
	if len(x) < len(y) {
		x, y = y, x
	}
	out := []byte(x)
	switch op {
	case "^":
		for i := range len(y) {
			out[i] ^= y[i]
		}
	case "|":
		for i := range len(y) {
			out[i] |= y[i]
		}
	case "&":
		out = out[:len(y)]
		for i := range out {
			out[i] &= y[i]
		}
	default:
		return "", false
	}
	return string(out), true
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
