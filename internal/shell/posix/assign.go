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

// assign performs an assignment statement; attrs, if not nil, is called with
// the variable before it is stored.
func (e *evaluator) assign(st *shell.State, a *syntax.Assign, attrs func(*shell.Var)) {
	if a.Name == nil {
		return
	}
	name := a.Name.Value
	v := shell.Var{Changed: true}
	old := st.Vars.Get(name)
	if old != nil && old.Ref && attrs == nil {
		if target, known := e.referred(st, name); known && target != name {
			if strings.Contains(target, "[") {
				e.putInto(st, value.Lit(target), e.assigned(st, a), e.span(a))
				return
			}
			name, old = target, st.Vars.Get(target)
		}
	}
	if declared := st.Vars.Declared(name); declared != nil {
		v = *declared
		v.Changed, v.Unset = true, false
		if !a.Naked {
			v.IfSet = nil
		}
	}
	if v.ReadOnly && !a.Naked {
		e.assigned(st, a) // refused, but for what its words run
		return
	}
	v.Exported = v.Exported || optionsOf(st).allExport
	if attrs != nil {
		attrs(&v)
	}
	switch {
	case a.Array != nil && a.Index != nil && st.Shell == "zsh": // in place of some elements
		v.Array, v.Value = true, value.Unknown(risk.CauseOther, name)
		v.List = []value.Value{v.Value}
	case a.Array != nil:
		e.assignArray(st, a, &v)
	case a.Index != nil:
		e.assignIndex(st, name, a, &v)
	case a.Naked:
		v.Unset = old == nil && !v.Array && st.Shell != "zsh" // declared only
	default:
		x := e.assigned(st, a)
		if v.Integer || integer(st.Shell, name) {
			x = e.arithText(st, x)
		}
		switch {
		case a.Append && v.Integer && st.Shell != "mksh" && old != nil:
			x = e.sum(st, old.Value, x)
		case a.Append && old != nil && old.Array && st.Shell == "zsh": // one more element
			v.List = append(slices.Clip(v.List), x)
			x = v.List[0]
		case a.Append && old != nil:
			x = e.appended(old.Value, x)
		}
		if v.Lower || v.Upper {
			x = changeCase(x, v.Upper)
		}
		v.Value = x
		if st.Shell == "zsh" && v.Array && !a.Append { // it becomes a scalar
			v.Array, v.List, v.Map = false, nil, nil
		}
		if v.Array && len(v.List) > 0 {
			v.List = append([]value.Value{x}, v.List[1:]...)
		}
	}
	st.Vars.Set(name, v)
	switch {
	case st.Shell == "zsh" && (v.Array || a.Append):
		e.noteTable(st, name, &v, e.span(a))
	case a.Array != nil && keyedTable(st.Shell, name):
		for _, k := range sortedKeys(v.Map) {
			e.noteElement(st, name, k, v.Map[k], e.span(a))
		}
	}
}

func changeCase(v value.Value, up bool) value.Value {
	return v.Map(func(s string) string {
		if up {
			return strings.ToUpper(s)
		}
		return strings.ToLower(s)
	}, value.AnyText)
}

// assigned evaluates the right side of name=word: no splitting, no globbing,
// tildes after = and : expanded.
func (e *evaluator) assigned(st *shell.State, a *syntax.Assign) value.Value {
	if a.Value == nil {
		return value.Lit("")
	}
	return e.expandAssign(st, a.Value)
}

func (e *evaluator) scalar(st *shell.State, a *syntax.Assign) (value.Value, bool) {
	if a.Name == nil || a.Array != nil || a.Index != nil {
		return value.Value{}, false
	}
	v := e.assigned(st, a)
	if a.Append {
		if old := st.Vars.Get(a.Name.Value); old != nil {
			v = e.appended(old.Value, v)
		}
	}
	return v, true
}

// sum adds what += adds to an integer.
func (e *evaluator) sum(st *shell.State, old, more value.Value) value.Value {
	a, ok := e.arithValue(st, old, &syntax.Lit{}, 0)
	b, ok2 := e.arithValue(st, more, &syntax.Lit{}, 0)
	if !ok || !ok2 {
		return numberHole("arithmetic").With(old.Taint() | more.Taint())
	}
	return value.Lit(strconv.FormatInt(a+b, 10))
}

// appended joins what += puts together, as far as there is budget for it.
func (e *evaluator) appended(old, more value.Value) value.Value {
	n := old.Len() + more.Len()
	if n > maxText || len(old.Parts()) > maxParts || n >= stepBytes && !e.m.Spend(n/stepBytes) {
		return value.Unknown(risk.CauseOther, "").With(old.Taint() | more.Taint())
	}
	return value.Concat(old, more)
}
