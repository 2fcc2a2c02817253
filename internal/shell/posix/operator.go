package posix

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// settled evaluates the word that stands in place of a parameter as a string.
func (e *evaluator) settled(st *shell.State, x expanded, quoted bool) expanded {
	if x.instead != nil {
		return scalar(e.alternative(st, x.instead, quoted))
	}
	return x
}

// instead adds the word of an unquoted ${x-word}: what of it is not quoted is
// split into fields and expanded to names (POSIX.1-2024 Shell 2.6.5).
func (f *splitter) instead(w *syntax.Word) {
	f.parts++
	for i, p := range w.Parts {
		l, ok := p.(*syntax.Lit)
		if !ok {
			f.part(p, false)
			continue
		}
		text := l.Value
		if i == 0 {
			if v, rest, ok := f.tilde(text); ok {
				f.add(v, true)
				text = rest
			}
		}
		for text != "" {
			n := strings.IndexByte(text, '\\')
			if n < 0 || n+1 == len(text) {
				f.expansion(value.Lit(text), false, true)
				break
			}
			if n > 0 {
				f.expansion(value.Lit(text[:n]), false, true)
			}
			_, size := utf8.DecodeRuneInString(text[n+1:])
			if text[n+1] != '\n' {
				f.add(value.Lit(text[n+1:n+1+size]), true)
			}
			text = text[n+1+size:]
		}
	}
}

// operator applies ${x OP word}.
func (e *evaluator) operator(st *shell.State, p *syntax.ParamExp, x expanded, quoted bool) expanded {
	op, word := p.Exp.Op, p.Exp.Word
	switch op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		pat := e.patternOf(st, word)
		return x.each(func(v value.Value) value.Value { return trimPattern(v, pat, op, st.Shell == "sh") })
	case syntax.UpperAll, syntax.LowerAll, syntax.UpperFirst, syntax.LowerFirst:
		if end := int(p.Rbrace.Offset()); end > 0 && end <= len(e.text) && e.text[end-1] == '~' {
			return x.each(func(v value.Value) value.Value {
				return v.Map(func(s string) string { return toggle(s, op == syntax.UpperFirst) }, value.AnyText)
			})
		}
		return x.each(e.recasing(st, word, op))
	case syntax.OtherParamOps:
		return e.transform(st, p, x)
	case syntax.MatchEmpty:
		return e.filtered(st, word, x)
	case syntax.ArrayExclude, syntax.ArrayIntersect:
		return x.each(func(v value.Value) value.Value { return value.Unknown(risk.CauseOther, x.name).With(v.Taint()) })
	}
	orNull := op == syntax.DefaultUnsetOrNull || op == syntax.AssignUnsetOrNull || op == syntax.ErrorUnsetOrNull || op == syntax.AlternateUnsetOrNull
	v := x.value()
	absent := x.unset || orNull && v.Empty()
	maybe := !absent && (orNull && (!v.IsKnown() || v.Taint().Has(value.Absent)) || x.open || x.ifSet != nil)
	if x.ifSet != nil {
		v = *x.ifSet // in place of nothing there is the word
		x.list = []value.Value{v}
	}
	alternative := func() value.Value { return e.alternative(st, word, quoted) }
	switch op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		switch {
		case absent, x.open:
			return expanded{instead: word}
		case maybe:
			return scalar(value.Join(v, alternative(), 16))
		}
		if st.Shell != "zsh" || x.name != "#" { // ${#:-word} is a length there
			e.passOver(word)
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if absent || maybe {
			w := alternative()
			if maybe && !x.open {
				w = value.Join(v, w, 16)
			}
			if p.Param != nil {
				at := place{name: p.Param.Value}
				if p.Index != nil {
					at.key, at.element = e.arithKey(st, p.Index, st.Vars.Declared(at.name) != nil && st.Vars.Declared(at.name).Map != nil), true
				}
				e.put(st, at, w, e.span(p))
			}
			return scalar(w)
		}
		e.passOver(word)
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if absent {
			if message := e.alternative(st, word, quoted); message.Taint().Has(secret) {
				e.m.Show(st, e.span(p), message)
			}
			st.Status = shell.Failed
			e.leave(st)
			e.m.Unknown(st, e.span(p), risk.RoleUnset, "$"+x.name+" is not set, so the shell stops here")
			return scalar(value.Of(value.Hole{Cause: risk.CauseUnset, Name: x.name, Shape: value.AnyPath}))
		}
		if maybe {
			sub := st.Clone()
			sub.Under(risk.Condition{})
			if message := e.alternative(sub, word, quoted); message.Taint().Has(secret) {
				e.m.Show(sub, e.span(p), message)
			}
			st.FS.Join(sub.FS)
			return x.each(nonEmpty)
		}
		e.passOver(word)
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		switch {
		case absent:
			e.passOver(word)
			return scalar(value.Lit(""))
		case maybe:
			return scalar(value.Join(value.Lit(""), alternative(), 16))
		default:
			return expanded{instead: word}
		}
	}
	return x
}

// filtered applies zsh's ${x:#pattern}: what matches goes, or with (M) all else.
func (e *evaluator) filtered(st *shell.State, word *syntax.Word, x expanded) expanded {
	pat := e.patternOf(st, word)
	out := x
	out.list = nil
	for _, v := range x.list {
		switch hit := matchValue(pat, v, st); {
		case hit == shell.Perhaps:
			out.list = append(out.list, value.Unknown(risk.CauseOther, x.name).With(v.Taint()))
		case (hit == shell.OK) == x.matching:
			out.list = append(out.list, v)
		case !x.isList:
			out.list = append(out.list, value.Value{})
		}
	}
	return out
}

// alternative evaluates the word of ${x-word}. Inside double quotes it is read
// as what is in double quotes is, and a backslash quotes the brace, too (POSIX
// Shell Command Language, 2.2.3 and 2.6.2).
func (e *evaluator) alternative(st *shell.State, w *syntax.Word, quoted bool) value.Value {
	if !quoted || w == nil {
		return e.join(st, w)
	}
	f := splitter{e: e, st: st, one: true}
	for _, p := range w.Parts {
		switch p := p.(type) {
		case *syntax.Lit:
			f.add(value.Lit(unescape(p.Value, "$`\"\\\n}")), true)
		case *syntax.SglQuoted:
			f.add(e.quotesInQuotes(st, p), true)
		case *syntax.DblQuoted: // in bash they end the quotes around the expansion
			for _, q := range p.Parts {
				if l, ok := q.(*syntax.Lit); ok && st.Shell == "bash" {
					f.literal(l.Value)
					continue
				}
				f.part(q, true)
			}
		default:
			f.part(p, true)
		}
	}
	return f.whole()
}

// quotesInQuotes is '…' inside of "${x-…}": no quotes but letters, and what stands
// between them is expanded (POSIX.1-2024 Shell 2.2.3). The parser takes them for
// quotes; where a brace is between them the shell ends the expansion there.
func (e *evaluator) quotesInQuotes(st *shell.State, q *syntax.SglQuoted) value.Value {
	text, open := e.verbatim(q), "'"
	if q.Dollar {
		open = "$'"
	}
	if strings.Contains(text, "}") {
		e.m.Unknown(st, e.span(q), risk.RoleParse, "a brace between quotes that are none")
	}
	inner := value.Lit(unescape(text, "$`\"\\\n}"))
	if strings.ContainsAny(text, "$`") {
		inner = e.again(st, value.Lit(unescape(text, `"}`)), e.span(q))
	}
	return value.Concat(value.Lit(open), inner, value.Lit("'"))
}

// nonEmpty narrows a lone hole of any text to one that is not empty.
func nonEmpty(v value.Value) value.Value {
	if hs := v.Holes(); len(hs) == 1 && len(v.Parts()) == 1 && hs[0].Shape == value.AnyText {
		h := *hs[0]
		h.Shape = value.AnyPath
		return value.Of(h).With(v.Taint())
	}
	return v
}

// recasing returns what ${x^^pattern} and its like do to a value: letters that
// the pattern matches change, by default all.
func (e *evaluator) recasing(st *shell.State, word *syntax.Word, op syntax.ParExpOperator) func(value.Value) value.Value {
	if word == nil || len(word.Parts) == 0 {
		return func(v value.Value) value.Value {
			return v.Map(func(s string) string { return recase(s, op) }, value.AnyText)
		}
	}
	pat := e.patternOf(st, word)
	match, ok := matcher(pat.text)
	all := op == syntax.UpperAll || op == syntax.LowerAll
	return func(v value.Value) value.Value {
		if !pat.known || !ok || v.Len() > maxMatched || !e.m.Spend(v.Len()/64) {
			return value.Unknown(risk.CauseOther, "").With(v.Taint())
		}
		return v.Map(func(s string) string {
			var b strings.Builder
			for i, r := range s {
				one := string(r)
				if (all || i == 0) && match(one) {
					one = recase(one, op)
				}
				b.WriteString(one)
			}
			return b.String()
		}, value.AnyText)
	}
}

func recase(s string, op syntax.ParExpOperator) string {
	switch op {
	case syntax.UpperAll:
		return strings.ToUpper(s)
	case syntax.LowerAll:
		return strings.ToLower(s)
	}
	if s == "" {
		return s
	}
	_, n := utf8.DecodeRuneInString(s)
	if op == syntax.UpperFirst {
		return strings.ToUpper(s[:n]) + s[n:]
	}
	return strings.ToLower(s[:n]) + s[n:]
}

// toggle swaps the case of the first letter, or of all.
func toggle(s string, first bool) string {
	b := []byte(s)
	for i, c := range b {
		if c|0x20 >= 'a' && c|0x20 <= 'z' {
			b[i] = c ^ 0x20
		}
		if first {
			break
		}
	}
	return string(b)
}

// trimPattern removes the shortest or longest matching prefix or suffix.
func trimPattern(v value.Value, pat patternText, op syntax.ParExpOperator, bytes bool) value.Value {
	shape := value.AnyText
	if pat.text == "*/" && op == syntax.RemLargePrefix {
		shape = value.Word // ${x##*/} has no slash
	}
	if !pat.known {
		return v.Map(func(s string) string { return s }, shape)
	}
	match, ok := matcher(pat.text)
	if !ok {
		return value.Unknown(risk.CauseOther, "").With(v.Taint())
	}
	if len(v.Prefix()) > 1<<14 {
		return value.Unknown(risk.CauseOther, "").With(v.Taint())
	}
	return v.Map(func(s string) string { return trimOne(s, match, op, bytes) }, shape)
}

// trimOne removes what matches from an end of s. dash looks at bytes, where the
// others look at characters.
func trimOne(s string, match func(string) bool, op syntax.ParExpOperator, bytes bool) string {
	for i := 0; i <= len(s); i++ {
		at := i
		if op == syntax.RemLargePrefix || op == syntax.RemSmallSuffix {
			at = len(s) - i
		}
		if !bytes && at < len(s) && !utf8.RuneStart(s[at]) {
			continue
		}
		switch op {
		case syntax.RemSmallPrefix, syntax.RemLargePrefix:
			if match(s[:at]) {
				return s[at:]
			}
		default:
			if match(s[at:]) {
				return s[:at]
			}
		}
	}
	return s
}

// transform applies ${x@OP}.
func (e *evaluator) transform(st *shell.State, p *syntax.ParamExp, x expanded) expanded {
	op := ""
	if p.Exp.Word != nil {
		op = p.Exp.Word.Lit()
	}
	switch op {
	case "P": // a prompt string: expanded again, commands included
		return x.each(func(v value.Value) value.Value { return e.prompt(st, v.Map(promptText, value.AnyText), p) })
	case "E":
		return x.each(func(v value.Value) value.Value { return v.Map(ansiC, value.AnyText) })
	case "U", "L", "u":
		by := map[string]syntax.ParExpOperator{"U": syntax.UpperAll, "L": syntax.LowerAll, "u": syntax.UpperFirst}[op]
		return x.each(func(v value.Value) value.Value {
			return v.Map(func(s string) string { return recase(s, by) }, value.AnyText)
		})
	case "Q":
		return x.each(func(v value.Value) value.Value {
			return v.Map(func(s string) string {
				if strings.IndexFunc(s, unicode.IsControl) < 0 {
					return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
				}
				q, err := syntax.Quote(s, syntax.LangBash)
				if err != nil {
					return s
				}
				return q
			}, value.AnyText)
		})
	}
	return x.each(func(v value.Value) value.Value { return value.Unknown(risk.CauseOther, x.name).With(v.Taint()) })
}

func (e *evaluator) replace(st *shell.State, r *syntax.Replace, x expanded, quoted bool) expanded {
	pat := e.patternOf(st, r.Orig)
	with := e.alternative(st, r.With, quoted && st.Shell == "zsh")
	text, known := with.Known()
	if st.Shell == "bash" && strings.Contains(text, "&") { // what matched, from bash 5.2 on
		known = false
	}
	return x.each(func(v value.Value) value.Value {
		if !known || !pat.known || e.tooMuch(v, pat.text, text) {
			return value.Unknown(risk.CauseOther, x.name).With(v.Taint() | with.Taint())
		}
		return v.Map(func(s string) string { return replacePattern(s, pat.text, text, r.All) }, value.AnyText)
	})
}

// tooMuch reports whether a replacement would take or make too much: a literal
// one is linear, a pattern is tried at every position with every length.
func (e *evaluator) tooMuch(v value.Value, pat, with string) bool {
	n := v.Len() + 1
	if !hasMeta(pat) {
		return n+n/max(1, len(pat))*len(with) > maxText || !e.m.Spend(n/stepBytes)
	}
	return n > maxMatched || n*len(with) > maxText || !e.m.Spend(n*n/stepBytes)
}

// maxMatched is the longest text in which a pattern is replaced.
const maxMatched = 1 << 10

// replacePattern replaces the first or every longest match of a pattern.
func replacePattern(s, pat, with string, all bool) string {
	anchor := byte(0)
	if pat != "" && (pat[0] == '#' || pat[0] == '%') {
		anchor, pat = pat[0], pat[1:]
	}
	if strings.HasPrefix(pat, `\#`) || strings.HasPrefix(pat, `\%`) {
		pat = pat[1:]
	}
	if pat == "" && anchor == 0 {
		return s
	}
	match, ok := matcher(pat)
	if !ok {
		return s
	}
	if !hasMeta(pat) && anchor == 0 {
		n := 1
		if all {
			n = -1
		}
		return strings.Replace(s, unquoteGlob(pat), with, n)
	}
	var b strings.Builder
	for i := 0; i <= len(s); {
		end := -1
		for j := len(s); j >= i; j-- {
			if j < len(s) && !utf8.RuneStart(s[j]) {
				continue
			}
			if match(s[i:j]) && (anchor != '%' || j == len(s)) {
				end = j
				break
			}
		}
		if end < 0 || anchor == '#' && i > 0 {
			_, n := utf8.DecodeRuneInString(s[i:])
			b.WriteString(s[i : i+n])
			i += max(n, 1)
			continue
		}
		b.WriteString(with)
		if !all || anchor != 0 || end == i {
			b.WriteString(s[end:])
			return b.String()
		}
		i = end
	}
	return b.String()
}
