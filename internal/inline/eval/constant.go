package eval

import (
	"strconv"
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
		if !ok {
			if text, ok = wholeNumber(lang, w, 0); lang == "perl" {
				ok = false
			}
		}
		if !ok || lang == "node" && i == 0 && strings.Contains(text, "%") || lang == "ruby" && end != "" && strings.HasSuffix(text, "\n") {
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
	if lang == "node" && callee.Op == syntax.OpAttr && callee.Text == "log" && callee.Kids[0].Op == syntax.OpName && callee.Kids[0].Text == "console" {
		return " ", "\n", true
	}
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
	case "lua print":
		return "\t", "\n", true
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

// maxWhole is how large a number may be that is computed: all these languages have it as
// it is.
const maxWhole = 1 << 50

// wholeNumber computes sums, differences and products of whole numbers.
func wholeNumber(lang string, n *syntax.Node, depth int) (string, bool) {
	x, ok := whole(lang, n, depth)
	return strconv.FormatInt(x, 10), ok
}

func whole(lang string, n *syntax.Node, depth int) (int64, bool) {
	if n == nil || depth > 100 {
		return 0, false
	}
	switch {
	case n.Op == syntax.OpNum:
		x, err := strconv.ParseInt(n.Text, 10, 64)
		return x, err == nil && x < maxWhole && (n.Text == "0" || n.Text[0] != '0')
	case n.Op == syntax.OpList && n.Text == "(" && len(n.Kids) == 1:
		return whole(lang, n.Kids[0], depth+1)
	case n.Op == syntax.OpBin && len(n.Kids) == 2:
		x, ok := whole(lang, n.Kids[0], depth+1)
		y, known := whole(lang, n.Kids[1], depth+1)
		if !ok || !known {
			return 0, false
		}
		switch n.Text {
		case "+":
			x += y
		case "-":
			x -= y
		case "*":
			if x != 0 && abs(y) > maxWhole/abs(x) {
				return 0, false
			}
			x *= y
		default:
			return 0, false
		}
		return x, abs(x) < maxWhole
	}
	return 0, false
}

func abs(x int64) int64 { return max(x, -x) }

// shown is what an interpreter prints that was asked to print what a program evaluates to.
func shown(lang string, body []*syntax.Node) value.Value {
	if len(body) != 1 || body[0] == nil || lang != "node" {
		return value.Value{}
	}
	text, ok := constant(lang, body[0])
	if !ok {
		text, ok = wholeNumber(lang, body[0], 0)
	}
	if !ok {
		return value.Value{}
	}
	return value.Lit(text + "\n")
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
