package lexical

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// collect reads arguments up to the bracket that closes the call, or up to
// the end of the statement, and returns the mark behind them.
func (x *lexical) collect(j int, inBrackets bool) ([]value.Value, int) {
	var args []value.Value
	var cur value.Builder
	some := false
	flush := func() {
		if some {
			args = append(args, cur.Value())
		}
		cur, some = value.Builder{}, false
	}
	depth, together, format := 0, maxLexArgs, false // together: the depth from which on operands are one text
	add := func(v value.Value) {
		switch {
		case some && depth < together && !joins(x.at(j-1)):
			flush()
		case some && depth >= together && format: // what a format is filled with
			return
		}
		cur.Add(v)
		some = true
	}
	for n := 0; n < maxLexArgs && j < len(x.m); n, j = n+1, j+1 {
		k := x.m[j]
		if !inBrackets && depth == 0 && n > 0 && k.nl {
			break
		}
		switch {
		case k.k == syntax.TokStr:
			v := x.value(k)
			if depth >= together && format {
				v = directives(k.s)
			}
			add(v)
		case k.k == syntax.TokIdent && x.style.bare && !inBrackets: // the words of a command
			flush()
			add(value.Lit(k.s))
		case k.k == syntax.TokIdent && together == maxLexArgs && (assembles(k.s) || formats(k.s)) && (x.op(j+1, "(") || x.op(j-1, "(")):
			if together, format = depth, formats(k.s); x.op(j+1, "(") {
				together++
			}
		case k.k == syntax.TokIdent:
			if !x.dropped(j) {
				add(expression())
			}
		case strings.Contains("([{", k.s):
			depth++
		case strings.Contains(")]}", k.s):
			if depth--; depth < 0 {
				flush()
				return args, j + 1
			}
			if depth < together {
				together, format = maxLexArgs, false
			}
		case k.s == "," && depth < together:
			flush()
		case k.s == ";" && depth == 0 && !inBrackets:
			flush()
			return args, j
		}
	}
	flush()
	return args, j
}

// assembles: functions that put texts together, in lower case or not.
func assembles(name string) bool {
	switch strings.ToLower(name) {
	case "string-append", "concat", "concatenate", "strcat", "append", "join", "str", "string":
		return true
	}
	return false
}

// formats: functions that fill a text.
func formats(name string) bool {
	switch strings.ToLower(name) {
	case "sprintf", "format", "@sprintf", "fmt", "asprintf", "snprintf":
		return true
	}
	return false
}

// directives is a format with what is filled in unknown: %s, ~a, {}.
func directives(f string) value.Value {
	var b value.Builder
	for i := 0; i < len(f); i++ {
		switch c := f[i]; {
		case (c == '%' || c == '~') && i+1 < len(f) && f[i+1] != c:
			j := i + 1
			for j < len(f) && strings.IndexByte("-+ #0123456789.*l", f[j]) >= 0 {
				j++
			}
			if j < len(f) && syntax.IsIdentStart(f[j]) {
				b.Add(expression())
				i = j
				continue
			}
			b.WriteString(f[i : i+1])
		case c == '{':
			if n := strings.IndexByte(f[i:min(len(f), i+40)], '}'); n > 0 {
				b.Add(expression())
				i += n
				continue
			}
			b.WriteString("{")
		default:
			b.WriteString(f[i : i+1])
		}
	}
	return b.Value()
}

// joins: signs that put texts together.
func joins(k mark) bool { return k.k == syntax.TokOp && k.s != "" && strings.Contains("+.^~&<>|", k.s) }

// dropped: words in arguments that are no values: constants for nothing,
// types, functions whose own arguments follow, names of arguments.
func (x *lexical) dropped(j int) bool {
	s := x.m[j].s
	switch s {
	case "nil", "NULL", "null", "nullptr", "None", "undefined", "t", "new", "let", "const", "char", "String", "string", "true", "false", "True", "False", "list", "quote", "in", "do", "as", "Some", "Ok", "b", "c", "r", "s", "L", "f", "w", "W", "or", "and", "not", "vec", "with", "to_string", "into", "clone", "unwrap":
		return x.at(j+1).k != syntax.TokOp || x.at(j+1).s != "," || s == strings.ToLower(s) && len(s) > 1
	}
	for _, after := range []string{"(", "{", "[", ".", ":", "!"} {
		if x.op(j+1, after) {
			return true
		}
	}
	if x.op(j+1, "=") || x.op(j-1, ":") || x.op(j-1, ".") || x.op(j-1, "'") || x.op(j-1, "&") && x.at(j).s == "mut" || s[0] >= '0' && s[0] <= '9' {
		return true
	}
	return x.lang == "cmake" || x.op(j-1, "~") || x.op(j-1, "\\")
}

// expression is what an expression comes to that is not read.
func expression() value.Value { return value.Unknown(risk.CauseExpression, "an expression") }
