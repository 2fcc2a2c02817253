package posix

import (
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// param adds a parameter expansion to the current word.
func (f *splitter) param(p *syntax.ParamExp, quoted bool) {
	e, st := f.e, f.st
	x := e.parameter(st, p, quoted)
	if p.GlobSubst == syntax.OptOn && !quoted { // zsh ${~x}
		for _, v := range x.list {
			f.add(v, false)
		}
		return
	}
	if !x.isList || f.one {
		v := x.value()
		if p.Split == syntax.OptOn && !quoted { // zsh ${=x}
			f.expansion(v, false, true)
			return
		}
		f.expansion(v, quoted, false)
		return
	}
	if quoted && x.star {
		f.add(x.value(), true)
		return
	}
	for i, v := range x.list {
		if i > 0 {
			f.end()
		}
		f.expansion(v, quoted, false)
		f.started = f.started || quoted
	}
}

// expanded is the result of an expansion: a value, or the words of a list.
type expanded struct {
	list   []value.Value
	isList bool
	star   bool // "$*": joined by the first character of IFS
	unset  bool
	open   bool // nobody has set it here, and so a default holds as far as is known
	name   string
}

func scalar(v value.Value) expanded { return expanded{list: []value.Value{v}} }

func (x expanded) value() value.Value {
	if len(x.list) == 1 {
		return x.list[0]
	}
	var b value.Builder
	for i, v := range x.list {
		if i > 0 {
			b.WriteString(" ")
		}
		b.Add(v)
	}
	return b.Value()
}

func (x expanded) each(g func(value.Value) value.Value) expanded {
	out := x
	out.list = make([]value.Value, len(x.list))
	for i, v := range x.list {
		out.list[i] = g(v)
	}
	return out
}

// parameter evaluates ${…} in all its forms, inside double quotes or not.
func (e *evaluator) parameter(st *shell.State, p *syntax.ParamExp, quoted bool) expanded {
	x := e.subject(st, p)
	if p.IsSet {
		return scalar(value.Lit(map[bool]string{true: "0", false: "1"}[x.unset]))
	}
	if p.Flags != nil {
		x = e.zshFlags(st, p.Flags.Value, x)
	}
	if p.Exp != nil {
		x = e.operator(st, p, x, quoted)
	}
	if p.Slice != nil {
		x = e.slice(st, p.Slice, x)
	}
	if p.Repl != nil {
		x = e.replace(st, p.Repl, x)
	}
	for _, m := range p.Modifiers {
		x = modify(m.Value, x)
	}
	if p.Length {
		return e.length(x)
	}
	if x.isList && x.unset {
		return x
	}
	if x.unset && p.Exp == nil && p.Flags == nil {
		if optionsOf(st).noUnset && x.name != "@" && x.name != "*" && !p.Length {
			st.Gone = true
			e.m.Unknown(st, e.span(p), risk.RoleUnset, "$"+x.name+" is not set, so `set -u` stops here")
		}
		return scalar(value.Unknown(risk.CauseUnset, x.name))
	}
	return x
}

// subject is the parameter itself, before any operator.
func (e *evaluator) subject(st *shell.State, p *syntax.ParamExp) expanded {
	if p.NestedParam != nil {
		f := splitter{e: e, st: st, one: true}
		f.part(p.NestedParam, true)
		return scalar(f.whole())
	}
	if p.Param == nil {
		return scalar(value.Lit(""))
	}
	name := p.Param.Value
	if p.Names != 0 {
		names := st.Vars.Names(func(n string) bool { return strings.HasPrefix(n, name) })
		x := expanded{isList: true}
		for _, n := range names {
			x.list = append(x.list, value.Lit(n))
		}
		return x
	}
	if p.Excl {
		return e.indirect(st, p, name)
	}
	x := e.lookup(st, name, p.Index)
	x.name = name
	return x
}

// indirect evaluates ${!name} and ${!name[@]}.
func (e *evaluator) indirect(st *shell.State, p *syntax.ParamExp, name string) expanded {
	if w, ok := p.Index.(*syntax.Word); ok && (w.Lit() == "@" || w.Lit() == "*") {
		x := expanded{isList: true}
		if v := st.Vars.Get(name); v != nil {
			for i := range v.List {
				x.list = append(x.list, value.Lit(strconv.Itoa(i)))
			}
			for _, k := range sortedKeys(v.Map) {
				x.list = append(x.list, value.Lit(k))
			}
		}
		return x
	}
	v := e.lookup(st, name, p.Index).value()
	target, known := v.Known()
	if known && target == "" && (name == "@" || name == "*") {
		return expanded{isList: true}
	}
	if !known || target == "" {
		return scalar(value.Unknown(risk.CauseUnknown, "!"+name).With(v.Taint()))
	}
	base, index, sub := strings.Cut(target, "[")
	if sub { // a subscript is evaluated, commands in it included
		e.arithText(st, value.Lit(strings.TrimSuffix(index, "]")))
	}
	x := e.lookup(st, base, nil)
	x.name = base
	return x
}

func sortedKeys(m map[string]value.Value) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// referred follows name references (declare -n) to the first name that is
// none. References in a circle lead nowhere: known is false.
func (e *evaluator) referred(st *shell.State, name string) (target string, known bool) {
	for range 8 {
		v := st.Vars.Get(name)
		if v == nil || !v.Ref {
			return name, true
		}
		next, ok := v.Value.Known()
		if !ok || next == name {
			return name, ok
		}
		name = next
	}
	return "", false
}

// lookup finds a parameter: special, positional or a variable.
func (e *evaluator) lookup(st *shell.State, name string, index syntax.ArithmExpr) expanded {
	switch name {
	case "@", "*":
		if st.AnyArgs && len(st.Params) == 0 {
			return expanded{list: []value.Value{value.Unknown(risk.CauseArg, name)}, isList: true, star: name == "*"}
		}
		return expanded{list: st.Params, isList: true, star: name == "*", unset: len(st.Params) == 0}
	}
	if n, err := strconv.Atoi(name); err == nil {
		switch {
		case n == 0:
			return scalar(st.Zero)
		case n <= len(st.Params):
			return scalar(st.Params[n-1])
		case st.AnyArgs && len(st.Params) == 0:
			return expanded{open: true, list: []value.Value{value.Unknown(risk.CauseArg, name)}}
		}
		return expanded{unset: true, list: []value.Value{{}}}
	}
	if v, ok := e.special(st, name); ok {
		return scalar(v)
	}
	v := st.Vars.Get(name)
	if v == nil {
		if st.Absent != nil && !st.Vars.Mentions(name) {
			x := st.Absent(name)
			return expanded{open: !x.IsKnown(), list: []value.Value{x}}
		}
		return expanded{unset: true, list: []value.Value{{}}}
	}
	if v.Ref {
		if target, known := e.referred(st, name); known && target != name {
			return e.lookup(st, target, index)
		}
	}
	if index == nil {
		if v.Array && st.Shell == "zsh" {
			return expanded{list: v.List, isList: true}
		}
		if v.Array && v.Map != nil {
			return scalar(v.Map["0"])
		}
		return scalar(v.Value)
	}
	return e.element(st, v, index)
}

func (e *evaluator) element(st *shell.State, v *shell.Var, index syntax.ArithmExpr) expanded {
	if w, ok := index.(*syntax.Word); ok && (w.Lit() == "@" || w.Lit() == "*") {
		x := expanded{isList: true, star: w.Lit() == "*", list: v.List}
		if !v.Array {
			x.list = []value.Value{v.Value}
		}
		for _, k := range sortedKeys(v.Map) {
			if _, err := strconv.Atoi(k); err != nil {
				x.list = append(slices.Clip(x.list), v.Map[k])
			}
		}
		x.unset = len(x.list) == 0
		return x
	}
	key := e.arithKey(st, index)
	if y, ok := v.Map[key]; ok {
		return scalar(y)
	}
	n, err := strconv.Atoi(key)
	if err != nil {
		return scalar(value.Unknown(risk.CauseUnknown, "element").With(v.Value.Taint()))
	}
	if st.Shell == "zsh" && n > 0 {
		n--
	}
	if n < 0 {
		n += len(v.List)
	}
	if !v.Array && n == 0 {
		return scalar(v.Value)
	}
	if n < 0 || n >= len(v.List) {
		return expanded{unset: true, list: []value.Value{{}}}
	}
	return scalar(v.List[n])
}

func numberHole(name string) value.Value {
	return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.Number})
}

// special evaluates the parameters that the shell maintains itself.
func (e *evaluator) special(st *shell.State, name string) (value.Value, bool) {
	switch name {
	case "?":
		if st.Status == shell.OK {
			return value.Lit("0"), true
		}
		return numberHole("?"), true
	case "#":
		if st.AnyArgs && len(st.Params) == 0 {
			return numberHole("#"), true
		}
		return value.Lit(strconv.Itoa(len(st.Params))), true
	case "$", "!", "RANDOM", "SRANDOM", "SECONDS", "LINENO", "BASHPID", "EPOCHSECONDS", "PPID", "EPOCHREALTIME", "PIPESTATUS", "COLUMNS", "LINES":
		if v := st.Vars.Get(name); v != nil {
			return v.Value, true
		}
		return numberHole(name), true
	case "-":
		return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: "-", Shape: value.Word}), true
	case "PWD":
		return st.Dir, true
	case "UID", "EUID":
		return value.Lit(strconv.Itoa(st.World.User.UID)), true
	}
	if st.Vars.Get(name) != nil {
		return value.Value{}, false
	}
	switch name {
	case "IFS":
		return value.Lit(" \t\n"), true
	case "HOSTNAME":
		return value.Lit(st.World.Host), st.Shell != "sh"
	case "OSTYPE":
		return value.Lit(map[string]string{"darwin": "darwin", "linux": "linux-gnu"}[st.World.OS]), st.Shell != "sh"
	case "BASH":
		return value.Lit("/bin/bash"), st.Shell == "bash"
	case "BASH_VERSION", "ZSH_VERSION", "KSH_VERSION", "MACHTYPE", "HOSTTYPE":
		return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.Word}), st.Shell != "sh"
	case "_", "BASH_COMMAND":
		return value.Unknown(risk.CauseUnknown, name), true
	case "SHELLOPTS", "BASHOPTS":
		return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.Word}), st.Shell == "bash"
	}
	return value.Value{}, false
}

// operator applies ${x OP word}.
func (e *evaluator) operator(st *shell.State, p *syntax.ParamExp, x expanded, quoted bool) expanded {
	op, word := p.Exp.Op, p.Exp.Word
	switch op {
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix:
		pat := e.patternOf(st, word)
		return x.each(func(v value.Value) value.Value { return trimPattern(v, pat, op) })
	case syntax.UpperAll, syntax.LowerAll, syntax.UpperFirst, syntax.LowerFirst:
		if end := int(p.Rbrace.Offset()); end > 0 && end <= len(e.text) && e.text[end-1] == '~' {
			return x.each(func(v value.Value) value.Value {
				return v.Map(func(s string) string { return toggle(s, op == syntax.UpperFirst) }, value.AnyText)
			})
		}
		return x.each(func(v value.Value) value.Value {
			return v.Map(func(s string) string { return recase(s, op) }, value.AnyText)
		})
	case syntax.OtherParamOps:
		return e.transform(st, p, x)
	}
	orNull := op == syntax.DefaultUnsetOrNull || op == syntax.AssignUnsetOrNull || op == syntax.ErrorUnsetOrNull || op == syntax.AlternateUnsetOrNull
	v := x.value()
	absent := x.unset || orNull && v.Empty()
	maybe := !absent && (orNull && !v.IsKnown() || x.open)
	alternative := func() value.Value { return e.alternative(st, word, quoted) }
	switch op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull:
		switch {
		case absent, x.open:
			return scalar(alternative())
		case maybe:
			return scalar(value.Join(v, alternative(), 16))
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		if absent || maybe {
			w := alternative()
			if maybe && !x.open {
				w = value.Join(v, w, 16)
			}
			if p.Param != nil {
				st.Vars.Assign(p.Param.Value, w)
			}
			return scalar(w)
		}
	case syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		if absent {
			st.Gone = true
			e.m.Unknown(st, e.span(p), risk.RoleUnset, "$"+x.name+" is not set, so the shell stops here")
			return scalar(value.Of(value.Hole{Cause: risk.CauseUnset, Name: x.name, Shape: value.AnyPath}))
		}
		if maybe {
			return x.each(nonEmpty)
		}
	case syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		switch {
		case absent:
			return scalar(value.Lit(""))
		case maybe:
			return scalar(value.Join(value.Lit(""), alternative(), 16))
		default:
			return scalar(alternative())
		}
	}
	return x
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
			if p.Dollar {
				f.part(p, true)
				continue
			}
			f.add(value.Lit("'"+e.verbatim(p)+"'"), true)
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

// nonEmpty narrows a lone hole of any text to one that is not empty.
func nonEmpty(v value.Value) value.Value {
	if hs := v.Holes(); len(hs) == 1 && len(v.Parts()) == 1 && hs[0].Shape == value.AnyText {
		h := *hs[0]
		h.Shape = value.AnyPath
		return value.Of(h).With(v.Taint())
	}
	return v
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
	if op == syntax.UpperFirst {
		return strings.ToUpper(s[:1]) + s[1:]
	}
	return strings.ToLower(s[:1]) + s[1:]
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
func trimPattern(v value.Value, pat patternText, op syntax.ParExpOperator) value.Value {
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
	return v.Map(func(s string) string { return trimOne(s, match, op) }, shape)
}

func trimOne(s string, match func(string) bool, op syntax.ParExpOperator) string {
	for i := 0; i <= len(s); i++ {
		switch op {
		case syntax.RemSmallPrefix:
			if match(s[:i]) {
				return s[i:]
			}
		case syntax.RemLargePrefix:
			if match(s[:len(s)-i]) {
				return s[len(s)-i:]
			}
		case syntax.RemSmallSuffix:
			if match(s[len(s)-i:]) {
				return s[:len(s)-i]
			}
		default:
			if match(s[i:]) {
				return s[:i]
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

func (e *evaluator) slice(st *shell.State, s *syntax.Slice, x expanded) expanded {
	offset, ok := e.arithInt(st, s.Offset)
	length, ok2 := int64(1<<40), true
	if s.Length != nil {
		length, ok2 = e.arithInt(st, s.Length)
	}
	if !ok || !ok2 {
		return x.each(func(v value.Value) value.Value { return value.Unknown(risk.CauseUnknown, x.name).With(v.Taint()) })
	}
	if x.isList {
		list := x.list
		if x.name == "@" || x.name == "*" {
			if offset == 0 {
				list = append([]value.Value{st.Zero}, list...)
			} else if offset > 0 {
				offset--
			}
		}
		from, to := bounds(len(list), offset, length)
		x.list = list[from:to]
		return x
	}
	return x.each(func(v value.Value) value.Value {
		return v.Map(func(text string) string {
			from, to := bounds(len(text), offset, length)
			return text[from:to]
		}, value.AnyText)
	})
}

// bounds turns an offset and a length, either of which may count from the
// end, into a valid range.
func bounds(n int, offset, length int64) (from, to int) {
	size := int64(n)
	if offset < 0 {
		offset = max(0, size+offset)
	}
	offset = min(offset, size)
	end := offset + min(length, size)
	if length < 0 {
		end = size + length
	}
	end = max(offset, min(end, size))
	return int(offset), int(end)
}

func (e *evaluator) replace(st *shell.State, r *syntax.Replace, x expanded) expanded {
	pat := e.patternOf(st, r.Orig)
	with := e.join(st, r.With)
	text, known := with.Known()
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
			if match(s[i:j]) && (anchor != '%' || j == len(s)) {
				end = j
				break
			}
		}
		if end < 0 || anchor == '#' && i > 0 {
			if i < len(s) {
				b.WriteByte(s[i])
			}
			i++
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

func (e *evaluator) length(x expanded) expanded {
	if x.isList {
		return scalar(value.Lit(strconv.Itoa(len(x.list))))
	}
	if x.unset {
		return scalar(value.Lit("0"))
	}
	return scalar(x.value().Map(func(s string) string { return strconv.Itoa(len([]rune(s))) }, value.Number))
}
