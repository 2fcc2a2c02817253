package posix

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/splice"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// param adds a parameter expansion to the current word.
func (f *splitter) param(p *syntax.ParamExp, quoted bool) {
	e, st := f.e, f.st
	x := e.parameter(st, p, quoted)
	if x.instead != nil && !quoted && !f.one && st.Shell != "zsh" {
		f.instead(x.instead)
		return
	}
	x = e.settled(st, x, quoted)
	if p.GlobSubst == syntax.OptOn && !quoted { // zsh ${~x}
		for _, v := range x.list {
			f.add(v, false)
		}
		return
	}
	if !x.isList || f.one {
		v := x.value()
		if x.isList {
			v = x.joined(e.separator(st, x.star))
		}
		if p.Split == syntax.OptOn && !quoted { // zsh ${=x}
			f.expansion(v, false, true)
			return
		}
		f.expansion(v, quoted, false)
		return
	}
	if quoted && x.star {
		f.add(x.joined(e.separator(st, true)), true)
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
	list     []value.Value
	isList   bool
	star     bool // "$*": joined by the first character of IFS
	unset    bool
	open     bool         // nobody has set it here, and so a default holds as far as is known
	ifSet    *value.Value // what it is if it is set, where it may be unset
	name     string
	matching bool // ${(M)x:#pattern} keeps what matches
	keyed    bool // the keys of an associative array
	// instead, if set, is the word that stands in place of the parameter, not
	// evaluated yet: what is quoted in it stays so.
	instead *syntax.Word
}

func scalar(v value.Value) expanded { return expanded{list: []value.Value{v}} }

func (x expanded) value() value.Value { return x.joined(" ") }

func (x expanded) joined(separator string) value.Value {
	if len(x.list) == 1 {
		return x.list[0]
	}
	var b value.Builder
	for i, v := range x.list {
		if i > 0 {
			b.WriteString(separator)
		}
		b.Add(v)
	}
	return b.Value()
}

// separator is what stands between the words of a list that become one: the
// first character of IFS for "$*" (POSIX.1-2024 Shell 2.5.2), and for every
// list in dash and zsh.
func (e *evaluator) separator(st *shell.State, star bool) string {
	v := st.Vars.Get("IFS")
	if v == nil || !star && (st.Shell == "bash" || st.Shell == "mksh") {
		return " "
	}
	s, known := v.Value.Known()
	if !known {
		return " "
	}
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
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
	filters := p.Exp != nil && p.Exp.Op != syntax.MatchEmpty && p.Flags != nil // flags act on what comes of it
	if p.Flags != nil && !filters {
		x = e.zshFlags(st, p.Flags.Value, x)
	}
	if p.Exp != nil {
		x = e.operator(st, p, x, quoted)
		if p.Length || len(p.Modifiers) > 0 || filters {
			x = e.settled(st, x, quoted)
		}
	}
	if filters {
		x = e.zshFlags(st, p.Flags.Value, x)
	}
	if p.Slice != nil {
		x = e.slice(st, p.Slice, x)
	}
	if p.Repl != nil {
		x = e.replace(st, p.Repl, x, quoted)
	}
	for _, m := range p.Modifiers {
		e.again(st, value.Lit(m.Value), e.span(m)) // what s/old/new/ puts in is expanded
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
			st.Status = shell.Failed
			e.leave(st)
			e.m.Unknown(st, e.span(p), risk.RoleUnset, "$"+x.name+" is not set, so `set -u` stops here")
		}
		unset := value.Unknown(risk.CauseUnset, x.name)
		if value.CredentialName(x.name) { // a shell that was started elsewhere may well have it
			unset = unset.With(value.Credential)
		}
		return scalar(unset)
	}
	return x
}

// subject is the parameter itself, before any operator.
func (e *evaluator) subject(st *shell.State, p *syntax.ParamExp) expanded {
	if inner, ok := p.NestedParam.(*syntax.ParamExp); ok {
		return e.settled(st, e.parameter(st, inner, true), true)
	}
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
		if st.Sourced.Taint().Has(secret) { // and those that it set
			x.list = append(x.list, value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.Word}))
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
		if v.Taint().Has(secret) { // what is no name comes out in an error
			e.m.Show(st, st.Statement, v)
		}
		return scalar(value.Unknown(risk.CauseUnknown, "!"+name).With(v.Taint() | anySecret(st)))
	}
	x := e.lookupText(st, target, nil)
	x.name, _, _ = strings.Cut(target, "[")
	return x
}

// lookupText finds what a name leads to that is text: a subscript in it is
// evaluated, commands in it included.
func (e *evaluator) lookupText(st *shell.State, target string, index syntax.ArithmExpr) expanded {
	base, text, element := strings.Cut(target, "[")
	if !element {
		return e.lookup(st, target, index)
	}
	e.subscript(st, index)
	key := e.textKey(st, base, strings.TrimSuffix(text, "]"), st.Statement)
	return e.lookup(st, base, &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: key}}})
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
	if index != nil && !isName(name) {
		e.subscript(st, index)
	}
	switch name {
	case "@", "*":
		if st.AnyArgs && len(st.Params) == 0 {
			return expanded{list: []value.Value{value.Unknown(risk.CauseGiven, name)}, isList: true, star: name == "*"}
		}
		return expanded{list: st.Params, isList: true, star: name == "*", unset: len(st.Params) == 0}
	}
	if n, err := strconv.Atoi(name); err == nil {
		switch {
		case n == 0:
			return scalar(st.Zero)
		case n > len(st.Params) && len(st.Parts) > 0:
			if i, ok := splice.Index(name); ok && i < len(st.Parts) {
				return scalar(e.part(st, st.Parts[i]))
			}
		}
		switch {
		case n <= len(st.Params):
			return scalar(st.Params[n-1])
		case st.AnyArgs && len(st.Params) == 0:
			return expanded{open: true, list: []value.Value{value.Unknown(risk.CauseGiven, name)}}
		}
		return beyond(st.Params)
	}
	if v, ok := e.special(st, name); ok {
		e.subscript(st, index)
		return scalar(v)
	}
	v := st.Vars.Get(name)
	if st.Shell == "zsh" && name == "mapfile" && (v == nil || v.Map != nil) {
		return e.fileTable(st, index)
	}
	if table := st.Vars.Get(secretAliases); table != nil && (name == "BASH_ALIASES" || name == "aliases" || name == "galiases") {
		e.subscript(st, index)
		return expanded{open: true, name: name, list: []value.Value{value.Unknown(risk.CauseUnknown, name).With(table.Taints() & secret)}}
	}
	if st.Shell == "zsh" && name == "path" && index == nil { // tied to PATH (zshparam(1))
		if all := st.Vars.Get("PATH"); all != nil {
			return expanded{list: all.Value.Split(":"), isList: true, star: true}
		}
	}
	if v == nil {
		e.subscript(st, index)
		if st.Sourced.Taint().Has(secret) && !st.Vars.Mentions(name) {
			return expanded{open: true, name: name, list: []value.Value{st.Sourced}}
		}
		if st.Shell == "zsh" && ownTable(name) {
			return expanded{open: true, name: name, list: []value.Value{value.Unknown(risk.CauseUnknown, name)}}
		}
		if st.Absent != nil && !st.Vars.Mentions(name) {
			x := st.Absent(name)
			return expanded{open: !x.IsKnown(), list: []value.Value{x}}
		}
		return expanded{unset: true, list: []value.Value{{}}}
	}
	if v.Ref {
		if target, known := e.referred(st, name); known && target != name {
			return e.lookupText(st, target, index)
		}
	}
	if index == nil {
		if v.Array && st.Shell == "zsh" && !optionsOf(st).kshArrays {
			x := expanded{list: v.List, isList: true, star: true}
			for _, k := range sortedKeys(v.Map) {
				x.list = append(slices.Clip(x.list), v.Map[k])
			}
			return x
		}
		if v.Array && v.Map != nil {
			return scalar(v.Map["0"])
		}
		return expanded{list: []value.Value{v.Value}, ifSet: v.IfSet}
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
	if v.Map == nil && st.Shell == "zsh" && !optionsOf(st).kshArrays {
		return e.zshElement(st, v, index)
	}
	key := e.arithKey(st, index, v.Map != nil)
	if y, ok := v.Map[key]; ok {
		return scalar(y)
	}
	if v.Map != nil && !strings.HasPrefix(key, "$") {
		return expanded{unset: true, list: []value.Value{{}}}
	}
	n, err := strconv.Atoi(key)
	if err != nil {
		return scalar(value.Unknown(risk.CauseUnknown, "element").With(v.Value.Taint()))
	}
	if n < 0 {
		n += len(v.List)
	}
	if !v.Array && n == 0 {
		return scalar(v.Value)
	}
	if n < 0 || n >= len(v.List) {
		return beyond(v.List)
	}
	return scalar(v.List[n])
}

// beyond is an element behind the last of those that are known.
func beyond(list []value.Value) expanded {
	if more, ok := spread(list); ok {
		return expanded{open: true, list: []value.Value{more}}
	}
	return expanded{unset: true, list: []value.Value{{}}}
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
		if st.AnyArgs && len(st.Params) == 0 || st.FewerArgs {
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
		x := value.Unknown(risk.CauseUnknown, name)
		if last := st.Vars.Get(lastWord); last != nil {
			x = x.With(last.Value.Taint() & secret)
		}
		return x, true
	case "SHELLOPTS", "BASHOPTS":
		return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.Word}), st.Shell == "bash"
	}
	return value.Value{}, false
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
		if x.list = list[from:to]; from == to {
			if more, ok := spread(list); ok {
				x.list = []value.Value{more}
			}
		}
		return x
	}
	return x.each(func(v value.Value) value.Value {
		if n := v.Len(); n >= stepBytes && !e.m.Spend(n/stepBytes) {
			return value.Unknown(risk.CauseOther, "").With(v.Taint())
		}
		return v.Map(func(text string) string {
			chars := []rune(text)
			from, to := bounds(len(chars), offset, length)
			return string(chars[from:to])
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

func (e *evaluator) length(x expanded) expanded {
	if x.isList {
		return scalar(value.Lit(strconv.Itoa(len(x.list))))
	}
	if x.unset {
		return scalar(value.Lit("0"))
	}
	return scalar(x.value().Map(func(s string) string { return strconv.Itoa(len([]rune(s))) }, value.Number).Without(secret))
}
