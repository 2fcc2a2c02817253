package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/value"
)

// maxConstant bounds the text that a program's constants come to.
const maxConstant = 1 << 16

// constantOutput returns what a program prints that does nothing else than
// print text that is written in it: it is exact, and anything that is not
// exactly known here makes it nothing.
func constantOutput(lang string, body []*syntax.Node) value.Value {
	var b strings.Builder
	for _, n := range body {
		if n == nil || n.Op != syntax.OpCall || len(n.Kids) == 0 || !printConstants(&b, lang, n) || b.Len() > maxConstant {
			return value.Value{}
		}
	}
	return value.Lit(b.String())
}

// printConstants writes what one call prints and reports whether that is known.
func printConstants(b *strings.Builder, lang string, n *syntax.Node) bool {
	separator, end, ok := printing(lang, n.Kids[0])
	if !ok {
		return false
	}
	words := n.Kids[1:]
	if lang == "perl" && len(words) == 1 && words[0].Op == syntax.OpList {
		words = words[0].Kids
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
func printing(lang string, callee *syntax.Node) (separator, end string, ok bool) {
	if callee.Op != syntax.OpName {
		return "", "", false
	}
	switch lang + " " + callee.Text {
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
func constant(lang string, n *syntax.Node) (string, bool) {
	switch n.Op {
	case syntax.OpStr:
		var b strings.Builder
		for _, k := range n.Kids {
			if k.Op != syntax.OpLit || n.Bytes {
				return "", false
			}
			b.WriteString(k.Text)
		}
		return b.String(), true
	case syntax.OpBin:
		x, ok := constant(lang, n.Kids[0])
		if !ok {
			return "", false
		}
		y, ok := constant(lang, n.Kids[1])
		if !ok || len(x)+len(y) > maxConstant {
			return "", false
		}
		return textOperation(lang, n.Text, x, y)
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
