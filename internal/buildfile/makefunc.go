package buildfile

import (
	"path"
	"slices"
	"strconv"
	"strings"

	makefile "github.com/heedsh/heed/internal/lang/make"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// call evaluates a function ("Functions for Transforming Text"). What it comes
// to stays a hole without a writing where it is not known; the caller gives it
// that of the call.
func (m *Make) call(p *makefile.Call, src *source, sc *scope, text string, depth int) value.Value {
	arg := func(i int) value.Value {
		if i < len(p.Args) {
			return m.expand(p.Args[i], src, sc, depth)
		}
		return value.Value{}
	}
	switch p.Name {
	case "shell":
		return m.shell(arg(0), text)
	case "if", "or", "and":
		return m.logic(p, src, sc, depth)
	case "foreach", "let":
		return m.loop(p, src, sc, depth)
	case "call":
		return m.user(p, src, sc, text, depth)
	case "eval":
		m.eval(arg(0), src, p.At)
		return value.Value{}
	case "file":
		for i := range p.Args[1:] { // what is written can read files itself
			arg(i + 1)
		}
		return m.file(arg(0))
	case "info", "warning", "error":
		m.prints(arg(0), false)
		return value.Value{}
	case "value", "origin", "flavor":
		return m.about(p.Name, arg(0))
	case "wildcard":
		return m.wildcard(arg(0))
	case "abspath", "realpath":
		return m.paths(p.Name, arg(0))
	case "guile":
		m.partial = true
		return value.Unknown(risk.CauseUnknown, p.Name)
	}
	args := make([]value.Value, len(p.Args))
	for i := range p.Args {
		args[i] = arg(i)
	}
	if m.spent(args[len(args)-1].Len()/16, 0) {
		m.partial = true
		return tooBig(text)
	}
	return pure(p.Name, args)
}

// pure evaluates a function of its arguments alone.
func pure(name string, args []value.Value) value.Value {
	last := args[len(args)-1]
	first, known := "", true
	if len(args) > 1 {
		first, known = args[0].Known()
	}
	switch name {
	case "addprefix", "addsuffix", "join":
		if len(args) == 2 {
			return affixed(name, args)
		}
	case "firstword", "lastword", "words", "word", "wordlist":
		return picked(name, args)
	case "strip":
		return each(last, stripped, func(w value.Value) value.Value { return w })
	case "sort":
		return each(last, sorted, func(w value.Value) value.Value { return w })
	case "dir":
		return each(last, wordwise(func(w string) string {
			return w[:strings.LastIndexByte(w, '/')+1] + map[bool]string{true: "./"}[!strings.Contains(w, "/")]
		}), rewritten)
	case "notdir":
		return each(last, wordwise(func(w string) string { return w[strings.LastIndexByte(w, '/')+1:] }), rewritten)
	case "suffix":
		return each(last, wordwise(path.Ext), rewritten)
	case "basename":
		return each(last, wordwise(func(w string) string { return strings.TrimSuffix(w, path.Ext(w)) }), rewritten)
	case "filter", "filter-out":
		if known && len(args) == 2 {
			keep := func(w string) string { return map[bool]string{true: w}[matches(first, w) == (name == "filter")] }
			return each(last, wordwise(keep), func(w value.Value) value.Value { return w })
		}
	case "findstring":
		if known && len(args) == 2 {
			return wholly(last, func(s string) string { return map[bool]string{true: first}[strings.Contains(s, first)] })
		}
	case "subst", "patsubst":
		if second, ok := args[min(1, len(args)-1)].Known(); ok && known && len(args) == 3 {
			if name == "subst" {
				return wholly(last, func(s string) string { return strings.ReplaceAll(s, first, second) })
			}
			return each(last, func(s string) string { return patsubst(s, first, second) }, rewritten)
		}
	case "intcmp":
		return compared(args)
	}
	return value.Unknown(causeOf(args), name)
}

// causeOf says why what is made of values is not known: they are given, if all of
// them are.
func causeOf(args []value.Value) risk.Cause {
	found := risk.CauseUnknown
	for _, a := range args {
		for _, h := range a.Holes() {
			if h.Cause != risk.CauseGiven {
				return risk.CauseUnknown
			}
			found = risk.CauseGiven
		}
	}
	return found
}

// wholly applies a function of a whole text.
func wholly(v value.Value, f func(string) string) value.Value {
	if _, ok := v.Candidates(maxChoices); ok {
		return v.Map(f, value.AnyText)
	}
	h := *v.Holes()[0]
	return value.Of(value.Hole{Cause: causeOf([]value.Value{v}), Name: h.Name}).With(v.Taint())
}

// affixed puts text in front of words, or behind them, or joins two lists.
func affixed(name string, args []value.Value) value.Value {
	list := words(args[1])
	if name == "join" {
		other := words(args[0])
		for i, w := range list {
			if i < len(other) {
				other[i] = value.Concat(other[i], w)
			} else {
				other = append(other, w)
			}
		}
		return join(other)
	}
	for i, w := range list {
		if name == "addprefix" {
			list[i] = value.Concat(args[0], w)
		} else {
			list[i] = value.Concat(w, args[0])
		}
	}
	return join(list)
}

// picked picks words by their number. One with a part that is not known can be
// any number of words.
func picked(name string, args []value.Value) value.Value {
	last := args[len(args)-1]
	list := words(last)
	whole := func(from, to int) bool { // these words are each one
		return !slices.ContainsFunc(list[max(0, min(from, len(list))):max(0, min(to, len(list)))], func(w value.Value) bool { return !w.IsKnown() })
	}
	number := func(i int) (int, bool) {
		text, _ := args[i].Known()
		n, err := strconv.Atoi(strings.TrimSpace(text))
		return n, err == nil && n >= 0
	}
	switch name {
	case "firstword":
		if whole(0, 1) {
			return join(list[:min(1, len(list))])
		}
	case "lastword":
		if whole(len(list)-1, len(list)) {
			return join(list[max(0, len(list)-1):])
		}
	case "words":
		if whole(0, len(list)) {
			return value.Lit(strconv.Itoa(len(list)))
		}
		return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.Number})
	case "word":
		if n, ok := number(0); ok && len(args) == 2 && n > 0 && whole(0, n) {
			return join(list[min(n-1, len(list)):min(n, len(list))])
		}
	case "wordlist":
		from, ok := number(0)
		to, ok2 := number(min(1, len(args)-1))
		if ok && ok2 && len(args) == 3 && from > 0 && whole(0, to) {
			return join(list[min(from-1, len(list)):max(min(from-1, len(list)), min(to, len(list)))])
		}
	}
	return value.Unknown(risk.CauseUnknown, name)
}

// compared evaluates $(intcmp A,B,LESS,EQUAL,GREATER).
func compared(args []value.Value) value.Value {
	if len(args) < 2 {
		return value.Unknown(risk.CauseUnknown, "intcmp")
	}
	texts := [2]string{}
	for i := range texts {
		text, known := args[i].Known()
		if !known {
			return value.Unknown(risk.CauseUnknown, "intcmp")
		}
		texts[i] = strings.TrimSpace(text)
	}
	a, err := strconv.Atoi(texts[0])
	b, err2 := strconv.Atoi(texts[1])
	if err != nil || err2 != nil {
		return value.Unknown(risk.CauseUnknown, "intcmp")
	}
	i := 3
	switch {
	case a < b:
		i = 2
	case a > b:
		i = 4
	case len(args) == 2:
		return value.Lit(texts[0])
	}
	if i == 4 && len(args) == 4 {
		i = 3
	}
	if i < len(args) {
		return args[i]
	}
	return value.Value{}
}

func dirOf(w string) string { return path.Dir(w) }

func baseOf(w string) string { return w[strings.LastIndexByte(w, '/')+1:] }

// logic evaluates if, or and and, whose arguments are expanded only as far as
// they are needed ("Functions for Conditionals").
func (m *Make) logic(p *makefile.Call, src *source, sc *scope, depth int) value.Value {
	arg := func(i int) value.Value {
		if i < len(p.Args) {
			return m.expand(p.Args[i].Trim(), src, sc, depth)
		}
		return value.Value{}
	}
	if p.Name == "if" {
		switch empty, known := isEmpty(arg(0)); {
		case !known:
			return branch(arg(1), arg(2))
		case empty:
			return arg(2)
		}
		return arg(1)
	}
	out := value.Value{}
	for i := range p.Args {
		v := arg(i)
		empty, known := isEmpty(v)
		if !known {
			out = branch(v, value.Value{})
			for j := i + 1; j < len(p.Args); j++ {
				out = branch(out, arg(j))
			}
			return out
		}
		if out = v; empty == (p.Name == "and") {
			return out
		}
	}
	return out
}

// isEmpty reports whether a value is the empty text.
func isEmpty(v value.Value) (empty, known bool) { return same(v, value.Value{}) }

// maxTurns is how many turns of one $(foreach …) are walked.
const maxTurns = 200

// loop evaluates foreach and let.
func (m *Make) loop(p *makefile.Call, src *source, sc *scope, depth int) value.Value {
	if len(p.Args) < 3 {
		return value.Value{}
	}
	name, known := m.expand(p.Args[0], src, sc, depth).Known()
	names := strings.Fields(name)
	list := words(m.expand(p.Args[1], src, sc, depth))
	if !known || len(names) == 0 || len(list) > maxTurns {
		m.partial = true
		return value.Unknown(risk.CauseUnknown, p.Name)
	}
	if p.Name == "let" {
		local := map[string]value.Value{}
		for i, n := range names {
			switch {
			case i == len(names)-1:
				local[n] = join(list[min(i, len(list)):])
			case i < len(list):
				local[n] = list[i]
			default:
				local[n] = value.Value{}
			}
		}
		return m.expand(p.Args[2], src, sc.with(local), depth)
	}
	out := make([]value.Value, len(list))
	for i, w := range list {
		out[i] = m.expand(p.Args[2], src, sc.with(map[string]value.Value{names[0]: w}), depth)
	}
	return join(out)
}

// maxArgs is how many arguments a variable can be called with.
const maxArgs = 10

// user evaluates $(call NAME,…): a variable with parameters.
func (m *Make) user(p *makefile.Call, src *source, sc *scope, text string, depth int) value.Value {
	name, known := m.expand(p.Args[0].Trim(), src, sc, depth).Known()
	if !known {
		return unknown("call", text)
	}
	local := map[string]value.Value{"0": value.Lit(name)}
	for i := 1; i < maxArgs; i++ {
		local[strconv.Itoa(i)] = value.Value{}
	}
	for i, a := range p.Args[1:min(len(p.Args), maxArgs)] {
		local[strconv.Itoa(i+1)] = m.expand(a, src, sc, depth)
	}
	_, x, _ := sc.get(name)
	if x == nil {
		x = m.vars[name]
	}
	if x == nil { // what is not defined is empty, or is a function
		v, _ := m.site.absent(name, text)
		switch {
		case m.site.Absent != nil: // a file that includes this one defines it
			v = given("call", text)
		case m.partial || v.IsKnown() && makefile.Function(name):
			v = unknown("call", text)
		}
		return v
	}
	return m.valueOf(x, sc.with(local), depth)
}

// maxEvals is how deep text is followed that is read as a makefile.
const maxEvals = 4

// eval reads a text as a makefile.
func (m *Make) eval(v value.Value, src *source, at int) {
	text, known := v.Known()
	if name, x, ok := assigned(v); ok && !known {
		if old := m.vars[name]; old == nil || !old.strong {
			m.vars[name] = &variable{name: name, fixed: &x}
		}
		return
	}
	if !known || len(text) > maxText || m.depth >= maxEvals || m.spent(len(text)/16, 0) {
		m.partial = true
		return
	}
	m.depth++
	m.text("", text, &source{text: text, file: src.file, at: src.place(at)})
	m.depth--
}

// assigned is the variable that a text of one line sets, and what it sets it to, where
// only that is not known: $(eval TMP := $(shell mktemp -d)).
func assigned(v value.Value) (name string, x value.Value, ok bool) {
	name, _, ok = strings.Cut(v.Prefix(), ":=")
	n := len(name) + len(":=")
	if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, " \t\n\r:=#$!?+()'\"") {
		return "", x, false
	}
	for _, p := range v.Parts() {
		if strings.ContainsAny(p.Lit, "\n#$\\") {
			return "", x, false
		}
	}
	x = v.Cut(n)
	return name, x.Cut(len(x.Prefix()) - len(strings.TrimLeft(x.Prefix(), " \t"))), true
}

// file notes what $(file OP NAME,TEXT) does ("The file Function").
func (m *Make) file(v value.Value) value.Value {
	c := Command{Pieces: []Piece{{Value: v}}}
	c.trim(" \t")
	v = c.Value()
	op := ""
	for _, s := range []string{">>", ">", "<"} {
		if strings.HasPrefix(v.Prefix(), s) {
			op, v = s, v.Cut(len(s))
			break
		}
	}
	if op == "" || len(m.files) == maxExports {
		m.partial = true
		return value.Value{}
	}
	m.files = append(m.files, FileUse{op, join(words(v))})
	if op == "<" {
		return value.Unknown(risk.CauseFile, "file")
	}
	return value.Value{}
}

// Files is what $(file …) does that was met.
func (m *Make) Files() []FileUse { return m.files }

// about evaluates value, origin and flavor.
func (m *Make) about(what string, v value.Value) value.Value {
	name, known := v.Known()
	name = strings.TrimSpace(name)
	x := m.vars[name]
	_, env := m.site.env(name)
	_, own := builtin(name)
	origin, flavor := "undefined", "undefined"
	switch {
	case !known || x != nil && len(x.either) > 0 || x == nil && !env && !own && m.site.Absent != nil && what != "value":
		return value.Unknown(risk.CauseUnknown, what)
	case x != nil && x.strong:
		origin, flavor = "command line", "recursive"
	case x != nil:
		origin, flavor = "file", map[bool]string{true: "simple", false: "recursive"}[x.fixed != nil]
	case env:
		origin, flavor = "environment", "recursive"
	case own:
		origin, flavor = "default", "recursive"
	}
	switch {
	case what == "origin":
		return value.Lit(origin)
	case what == "flavor":
		return value.Lit(flavor)
	case x == nil || x.fixed != nil:
		return m.lookup(name, "$("+name+")", nil, 0)
	}
	var texts []string
	for _, w := range x.texts { // as they are written
		if n := len(w.text.Parts); n > 0 {
			at, _ := w.text.Parts[0].Span()
			_, end := w.text.Parts[n-1].Span()
			texts = append(texts, w.src.text[at:min(end, len(w.src.text))])
		}
	}
	return value.Lit(strings.Join(texts, " "))
}
