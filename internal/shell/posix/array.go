package posix

import (
	"maps"
	"strconv"

	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
	"mvdan.cc/sh/v3/syntax"
)

func (e *evaluator) assignArray(st *shell.State, a *syntax.Assign, v *shell.Var) {
	keyed := v.Map != nil || keyedTable(st.Shell, a.Name.Value) // declared as an associative array, or born one
	if !a.Append {
		v.List, v.Map = nil, nil
	}
	if keyed {
		v.Map = maps.Clone(v.Map)
		if v.Map == nil {
			v.Map = map[string]value.Value{}
		}
		if st.Shell == "zsh" && (len(a.Array.Elems) == 0 || a.Array.Elems[0].Index == nil) {
			e.assignPairs(st, a, v)
			return
		}
	}
	v.Array = true
	next := len(v.List) // where the next element without an index goes
	for _, el := range a.Array.Elems {
		if e.spent() || len(v.List) > maxFanOut {
			return
		}
		if el.Index != nil {
			key := e.arithKey(st, el.Index, v.Map != nil)
			x := value.Value{}
			if el.Value != nil {
				x = e.asElement(st, v, e.join(st, el.Value))
			}
			e.setElement(st, v, key, x)
			if n, err := strconv.Atoi(key); err == nil {
				next = n + 1
			}
			continue
		}
		for _, w := range e.fields(st, []*syntax.Word{el.Value}) {
			x := e.asElement(st, v, w.Value)
			if next >= 0 && next < len(v.List) {
				v.List[next] = x
			} else {
				v.List = append(v.List, x)
			}
			next++
		}
	}
	if len(v.List) > 0 {
		v.Value = v.List[0]
	}
}

// assignPairs fills an associative array of zsh: a key, its value, and so on.
func (e *evaluator) assignPairs(st *shell.State, a *syntax.Assign, v *shell.Var) {
	v.Array = true
	var words []shell.Word
	for _, el := range a.Array.Elems {
		if len(words) > maxFanOut {
			return
		}
		words = append(words, e.fields(st, []*syntax.Word{el.Value})...)
	}
	for i := 0; i+1 < len(words); i += 2 {
		if key, known := words[i].Value.Known(); known {
			v.Map[key] = words[i+1].Value
		}
	}
}

func (e *evaluator) assignIndex(st *shell.State, name string, a *syntax.Assign, v *shell.Var) {
	x := e.assigned(st, a)
	x = e.asElement(st, v, x)
	key := e.arithKey(st, a.Index, v.Map != nil || keyedTable(st.Shell, name))
	if a.Append {
		if old := e.element(st, v, a.Index); !old.unset {
			x = e.appended(old.value(), x)
		}
	}
	e.setElement(st, v, key, x)
	e.noteElement(st, name, key, x, e.span(a))
}

// asElement is what one element of a variable becomes when x is assigned to it.
func (e *evaluator) asElement(st *shell.State, v *shell.Var, x value.Value) value.Value {
	if v.Integer {
		return e.arithText(st, x)
	}
	return x
}

// setElement stores a value in an array, or makes one of a variable. The
// elements of zsh begin with 1.
func (e *evaluator) setElement(st *shell.State, v *shell.Var, key string, x value.Value) {
	n, err := strconv.Atoi(key)
	if st.Shell == "zsh" && !v.Array && v.Map == nil && !v.Value.Empty() { // a character of it
		v.Value = value.Unknown(risk.CauseOther, "").With(v.Value.Taint() | x.Taint())
		return
	}
	if st.Shell == "zsh" && n > 0 && !optionsOf(st).kshArrays {
		n--
	}
	if !v.Array && !v.Value.Empty() && v.Map == nil {
		v.List = []value.Value{v.Value}
	}
	v.Array = true
	if n < 0 {
		n += len(v.List)
	}
	if err != nil || v.Map != nil {
		m := map[string]value.Value{}
		for k, y := range v.Map {
			m[k] = y
		}
		m[key] = x
		v.Map = m
		return
	}
	if n > maxFanOut { // no list is kept that is so long
		e.unmodelled(st, st.Statement, "the element "+key)
		return
	}
	if n < 0 {
		return
	}
	list := append([]value.Value(nil), v.List...)
	for len(list) <= n {
		list = append(list, value.Value{})
	}
	list[n] = x
	v.List = list
	v.Value = list[0]
}

// spread is a secret in a list that may have been more than one of its elements:
// what a file of secrets holds is not read, and so it is not known how many
// words and lines it has.
func spread(list []value.Value) (value.Value, bool) {
	for _, v := range list {
		if v.Taint().Has(secret) && !v.IsKnown() {
			return v, true
		}
	}
	return value.Value{}, false
}

// keyOf is the key that a word is. Of one that is not known it says no more.
func keyOf(v value.Value) string {
	if key, known := v.Known(); known {
		return key
	}
	return numberHole("element").String()
}

// keyed is the value of a key.
func keyed(key string) value.Value {
	if key == numberHole("element").String() || key == numberHole("arithmetic").String() {
		return value.Unknown(risk.CauseUnknown, "element")
	}
	return value.Lit(key)
}

// arithKey evaluates a subscript: a number, or for associative arrays, which
// keyed says this is one, a word.
func (e *evaluator) arithKey(st *shell.State, x syntax.ArithmExpr, keyed bool) string {
	w, ok := x.(*syntax.Word)
	if !ok {
		if from, to := int(x.Pos().Offset()), int(x.End().Offset()); keyed && from <= to && to <= len(e.text) {
			return keyOf(e.again(st, value.Lit(e.text[from:to]), e.span(x))) // a word, whatever the parser takes it for
		}
		return e.arith(st, x).String()
	}
	v := e.join(st, w)
	s, known := v.Known()
	if _, err := strconv.Atoi(s); known && (keyed || err == nil) {
		return s
	}
	if n, ok := e.arithValue(st, v, w, 0); ok {
		return strconv.FormatInt(n, 10)
	}
	if known && isName(s) && st.Vars.Get(s) == nil {
		return s
	}
	return numberHole("arithmetic").String()
}
