package buildfile

import (
	"slices"
	"strings"

	makefile "github.com/heedsh/heed/internal/lang/make"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A variable is text that is expanded where it is used, or a value.
type variable struct {
	name  string
	texts []written // joined by blanks
	fixed *value.Value
	// either holds the values that branches of conditionals give it which are
	// not known to hold.
	either []value.Value
	strong bool // set on the command line
	size   int  // bytes of texts
	// held is what the texts come to where nothing of a scope has a part in it,
	// once everything was read.
	held *value.Value
}

// A written text stands in a source.
type written struct {
	text makefile.Text
	src  *source
}

// maxEither is how many values of branches are kept.
const maxEither = 8

// assign sets a variable in a scope ("Setting Variables").
func (r *reading) assign(scope map[string]*variable, name string, n *makefile.Assign) {
	old := scope[name]
	if name == "" || old != nil && old.strong && !n.Override {
		return
	}
	v := &variable{name: name, texts: []written{{n.Value, r.src}}, size: len(n.Raw)}
	switch n.Op {
	case ":=", "::=", ":::=":
		x := r.expand(n.Value, r.src, nil, 0)
		v = &variable{name: name, fixed: &x}
	case "!=":
		r.noteCall(n.Value, name)
		x := r.shell(r.expand(n.Value, r.src, nil, 0), "")
		v = &variable{name: name, fixed: &x}
	case "?=":
		if _, set := r.site.env(name); set || old != nil || r.vars[name] != nil {
			return
		}
	case "+=":
		v = r.appended(name, old, n)
	}
	if name == ".DEFAULT_GOAL" {
		r.first, _ = r.expand(n.Value, r.src, nil, 0).Known()
	}
	if r.unsure > 0 {
		v = r.joined(name, old, v)
	}
	v.strong = old != nil && old.strong
	scope[name] = v
}

// appended is a variable with more text behind it ("Appending More Text to
// Variables").
func (r *reading) appended(name string, old *variable, n *makefile.Assign) *variable {
	more := written{n.Value, r.src}
	if old == nil {
		if v, set := r.site.env(name); set {
			old = &variable{name: name, fixed: &v}
		} else if text, ok := builtin(name); ok {
			old = &variable{name: name, fixed: new(value.Value)}
			*old.fixed = value.Lit(text)
		} else {
			return &variable{name: name, texts: []written{more}, size: len(n.Raw)}
		}
	}
	if old.fixed == nil && len(old.either) == 0 {
		if old.size+len(n.Raw) > maxText || len(old.texts) > maxGoals {
			r.partial = true
			return old
		}
		return &variable{name: name, texts: append(slices.Clip(old.texts), more), size: old.size + len(n.Raw)}
	}
	x := value.Concat(r.valueOf(old, nil, 0), value.Lit(" "), r.expand(n.Value, r.src, nil, 0))
	if x.Len() > maxText {
		r.partial = true
		return old
	}
	return &variable{name: name, fixed: &x}
}

// joined is a variable that a branch gives a value which may not be taken.
func (r *reading) joined(name string, old, v *variable) *variable {
	j := &variable{name: name}
	switch {
	case old != nil && len(old.either) > 0:
		j.either = append(j.either, old.either...)
	case old != nil:
		j.either = append(j.either, r.valueOf(old, nil, 0))
	}
	if len(j.either) > maxEither {
		return old
	}
	j.either = append(j.either, r.valueOf(v, nil, 0))
	return j
}

// A scope is what holds in one recipe only, or in one call of a variable.
type scope struct {
	local map[string]value.Value   // automatic variables, arguments
	vars  []map[string]*variable   // of targets, the innermost last
	more  map[string][]value.Value // what other targets give variables
	inner bool                     // of a call or a loop, which can give any name a value
}

// get returns a variable of the scope.
func (s *scope) get(name string) (v value.Value, x *variable, ok bool) {
	if s == nil {
		return v, nil, false
	}
	if v, ok = s.local[name]; ok {
		return v, nil, true
	}
	for _, vars := range slices.Backward(s.vars) {
		if x, ok = vars[name]; ok {
			return v, x, true
		}
	}
	return v, nil, false
}

// with returns a scope with values in front of those that hold in it.
func (s *scope) with(local map[string]value.Value) *scope {
	out := &scope{local: local, inner: true}
	if s != nil {
		out.vars, out.more = s.vars, s.more
		for name, v := range s.local {
			if _, own := local[name]; !own {
				local[name] = v
			}
		}
	}
	return out
}

// lookup returns the value of a variable that is written so: of the scope, of
// the makefile, of the environment, or one that make defines itself, in this
// order.
func (m *Make) lookup(name, written string, sc *scope, depth int) value.Value {
	v, x, ok := sc.get(name)
	switch {
	case x != nil:
		m.scoped++
		v = m.valueOf(x, sc, depth)
	case ok:
		m.scoped++
		return named(v, written)
	default:
		v, ok = m.global(name, sc, depth)
	}
	if !ok {
		var known bool
		if v, known = m.site.absent(name, written); known && m.partial { // a makefile that is not there may set it
			v = given(name, written)
		}
	}
	if sc != nil {
		for _, other := range sc.more[name] {
			v = branch(v, other)
		}
	}
	return named(v, written)
}

// global returns a variable that is not of a scope.
func (m *Make) global(name string, sc *scope, depth int) (value.Value, bool) {
	if x := m.vars[name]; x != nil {
		return m.valueOf(x, sc, depth), true
	}
	if len(name) == 1 && name[0] >= '0' && name[0] <= '9' { // a parameter, where nothing is called ("The call Function")
		return value.Value{}, true
	}
	switch name {
	case "CURDIR":
		if m.site.Dir == "" {
			return value.Of(value.Hole{Cause: risk.CauseUnknown, Name: name, Shape: value.AnyPath}), true
		}
		return value.Lit(m.site.Dir), true
	case "MAKEFILE_LIST":
		return value.Lit(" " + strings.Join(m.read, " ")), true
	case "MAKEFLAGS", "MFLAGS":
		return value.Value{}, m.site.Absent == nil
	case "SHELL", "MAKE": // never from the environment
		text, _ := builtin(name)
		return value.Lit(text), true
	}
	if v, set := m.site.env(name); set {
		return v, true
	}
	if text, ok := builtin(name); ok {
		return value.Lit(text), true
	}
	if text := implicit(name); text != "" && depth < maxDepth {
		return m.expand(makefile.ParseText(text), &source{text: text}, sc, depth+1), true
	}
	// $(@D) and $(@F): the directories and the names of an automatic variable.
	if n := len(name); n == 2 && (name[1] == 'D' || name[1] == 'F') && sc != nil {
		if v, ok := sc.local[name[:1]]; ok {
			m.scoped++
			f := dirOf
			if name[1] == 'F' {
				f = baseOf
			}
			return each(v, wordwise(f), rewritten), true
		}
	}
	return value.Value{}, false
}

// rewritten is a hole in place of a word that is not known and was changed.
func rewritten(v value.Value) value.Value {
	h := *v.Holes()[0]
	return value.Of(value.Hole{Cause: h.Cause, Name: h.Name}).With(v.Taint())
}

// valueOf expands a variable.
func (m *Make) valueOf(v *variable, sc *scope, depth int) value.Value {
	switch {
	case v.fixed != nil:
		return *v.fixed
	case len(v.either) > 0:
		out := v.either[0]
		for _, x := range v.either[1:] {
			out = branch(out, x)
		}
		if all, ok := out.Candidates(maxChoices); ok && len(all) > 1 {
			return value.OneOf(risk.CauseUnknown, v.name, all...).With(out.Taint())
		}
		return out
	}
	if !m.whole || !sc.plain() {
		return m.joinTexts(v, sc, depth)
	}
	if v.held != nil {
		return *v.held
	}
	before := m.scoped
	out := m.joinTexts(v, sc, depth)
	if m.scoped == before && !m.spent(0, 0) {
		v.held = &out
	}
	return out
}

// plain reports whether a scope has automatic variables alone.
func (s *scope) plain() bool { return s == nil || len(s.vars) == 0 && len(s.more) == 0 && !s.inner }

// joinTexts expands the texts of a variable.
func (m *Make) joinTexts(v *variable, sc *scope, depth int) value.Value {
	if len(v.texts) == 1 {
		return m.expand(v.texts[0].text, v.texts[0].src, sc, depth+1)
	}
	var b value.Builder
	for i, w := range v.texts {
		if i > 0 {
			b.WriteString(" ")
		}
		b.Add(m.expand(w.text, w.src, sc, depth+1))
	}
	return b.Value()
}

// builtin are variables that make itself defines ("Variables Used by Implicit
// Rules", "Other Special Variables").
func builtin(name string) (string, bool) {
	switch name {
	case "AR":
		return "ar", true
	case "ARFLAGS":
		return "rv", true
	case "AS":
		return "as", true
	case "CC":
		return "cc", true
	case "CPP":
		return "cc -E", true
	case "CXX":
		return "g++", true
	case "FC":
		return "f77", true
	case "LD":
		return "ld", true
	case "LEX":
		return "lex", true
	case "LINT":
		return "lint", true
	case "MAKEINFO":
		return "makeinfo", true
	case "PC":
		return "pc", true
	case "TEX":
		return "tex", true
	case "YACC":
		return "yacc", true
	case "RM":
		return "rm -f", true
	case "CO":
		return "co", true
	case "GET":
		return "get", true
	case "M2C":
		return "m2c", true
	case "TANGLE", "WEAVE", "CTANGLE", "CWEAVE":
		return strings.ToLower(name), true
	case "TEXI2DVI":
		return "texi2dvi", true
	case "MAKE", "MAKE_COMMAND":
		return "make", true
	case "SHELL":
		return "/bin/sh", true
	case ".RECIPEPREFIX", ".LIBPATTERNS", "SUFFIXES":
		return "", true
	}
	return "", false
}
