package posix

import (
	"strings"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

// Loops over the arguments of a script gather words: opts="$opts -I '$1'". What comes of
// any number of turns is what was there before, and more of what whoever runs the file
// gives, as long as nothing else ever goes into the variable.

// gathered is what a variable holds after any number of turns of a loop that only puts
// words behind it which are given, or in its place where it was empty or given; ok is false where
// it does anything else.
func (e *evaluator) gathered(st *shell.State, body []*syntax.Stmt, name string) (v value.Value, ok bool) {
	old := st.Vars.Get(name)
	if old == nil || old.Array || old.Ref {
		return v, false
	}
	if v = old.Value; !inertText(v) || v.Taint() != 0 {
		return v, false
	}
	g := gatherer{e: e, st: st, name: name, assigned: map[string]int{}}
	ok = true
	for _, s := range body { // what else it sets first
		syntax.Walk(s, func(n syntax.Node) bool {
			ok = ok && !e.spent() && g.follows(n)
			return ok
		})
	}
	for _, s := range body {
		syntax.Walk(s, func(n syntax.Node) bool {
			if a, is := n.(*syntax.Assign); ok && is && a.Name != nil && a.Name.Value == name {
				ok = a.Index == nil && a.Array == nil && (a.Append || v.Len() == 0 || mentions(a.Value, name)) && g.word(a.Value)
			}
			return ok
		})
	}
	if !ok || g.given == "" {
		return v, false
	}
	return value.Concat(v, value.Unknown(risk.CauseGiven, g.given)), true
}

// inertText reports whether the known parts of a value change nothing of what shell code
// does that they stand in, and name no file outside, and the others are given.
func inertText(v value.Value) bool {
	for _, p := range v.Parts() {
		if p.Hole == nil && !inertWords(p.Lit) || p.Hole != nil && (p.Hole.Cause != risk.CauseGiven || len(p.Hole.OneOf) > 0) {
			return false
		}
	}
	return true
}

// inertWords reports whether a text is blanks, quotes and names of options.
func inertWords(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !isNameRune(r) && !strings.ContainsRune(" -'\"=,:", r) })
}

// A gatherer looks at what a loop puts behind a variable.
type gatherer struct {
	e        *evaluator
	st       *shell.State
	name     string
	assigned map[string]int // the variables that the body sets, one way or another
	given    string         // what is put behind it, an argument before a variable
}

// follows reports whether a part of the body is one that says all that it sets.
func (g *gatherer) follows(n syntax.Node) bool {
	switch x := n.(type) {
	case *syntax.Assign:
		if x.Name == nil {
			return false
		}
		g.assigned[x.Name.Value]++
	case *syntax.ForClause:
		if w, ok := x.Loop.(*syntax.WordIter); ok {
			g.assigned[w.Name.Value]++
		}
	case *syntax.ParamExp:
		return x.Exp == nil || x.Param == nil || x.Exp.Op != syntax.AssignUnset && x.Exp.Op != syntax.AssignUnsetOrNull
	case *syntax.DeclClause, *syntax.LetClause, *syntax.ArithmCmd, *syntax.FuncDecl:
		return false
	case *syntax.CallExpr:
		if len(x.Args) == 0 {
			return true
		}
		program := x.Args[0].Lit()
		_, function := g.st.Funcs[program]
		_, alias := g.st.Aliases[program]
		switch program {
		case "", "eval", "read", "mapfile", "readarray", ".", "source", "getopts", "set", "unset", "printf", "print", "vared", "zparseopts":
			return false
		}
		return !function && !alias
	}
	return true
}

// word reports whether a word is the variable itself, text that is inert, and what is given.
func (g *gatherer) word(w *syntax.Word) bool {
	return w != nil && g.parts(w.Parts)
}

func (g *gatherer) parts(parts []syntax.WordPart) bool {
	for _, p := range parts {
		switch x := p.(type) {
		case *syntax.Lit:
			if !inertWords(x.Value) {
				return false
			}
		case *syntax.SglQuoted:
			if x.Dollar || !inertWords(x.Value) {
				return false
			}
		case *syntax.DblQuoted:
			if x.Dollar || !g.parts(x.Parts) {
				return false
			}
		case *syntax.ParamExp:
			if !g.parameter(x) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// parameter reports whether an expansion is the variable itself, or of one that the body
// leaves alone and that is given.
func (g *gatherer) parameter(x *syntax.ParamExp) bool {
	if !plainParameter(x) {
		return false
	}
	name := x.Param.Value
	if name == g.name {
		return true
	}
	if g.assigned[name] > 0 {
		return false
	}
	all := g.e.lookup(g.st, name, nil)
	if all.unset || len(all.list) != 1 || all.list[0].IsKnown() || all.list[0].Taint() != 0 || !inertText(all.list[0]) {
		return false
	}
	for _, h := range all.list[0].Holes() {
		if g.given == "" || isName(g.given) {
			g.given = h.Name
		}
	}
	return true
}

// plainParameter reports whether an expansion is of a parameter as it is, or stops where
// that is not set.
func plainParameter(x *syntax.ParamExp) bool {
	stops := x.Exp != nil && (x.Exp.Op == syntax.ErrorUnset || x.Exp.Op == syntax.ErrorUnsetOrNull)
	return x.Param != nil && x.NestedParam == nil && x.Index == nil && (x.Exp == nil || stops) && x.Slice == nil && x.Repl == nil &&
		x.Flags == nil && len(x.Modifiers) == 0 && !x.Excl && !x.Length && !x.Width && !x.IsSet && x.Names == 0
}
