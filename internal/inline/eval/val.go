package eval

import (
	"slices"
	"strconv"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/sqleffect"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// A vk says what a value is.
type vk uint8

const (
	vUnknown vk = iota
	vStr
	vNum
	vNone
	vList
	vDict
	vRef  // something that has a dotted name: a module, function or class
	vObj  // an object of a known class
	vFunc // a function of the program
)

// A val is the abstract value of an expression.
type val struct {
	k    vk
	s    value.Value // text; of objects: the path, host or URL; of unknowns: the hole
	n    float64
	list []val
	keys []string // of dictionaries, one for each item of list
	name string   // of references and objects
	fn   *syntax.Node
	src  []catalog.Source // files whose contents are in it
	env  bool             // the whole environment is in it
	sock bool             // it came over a socket that the program opened
	// listed is set for what is told of processes that are searched.
	listed bool
	dull   bool // unknown, but no file's contents are in it
	eff    int  // files: index of the effect of opening it, plus one
	// db is the database that a connection is to.
	db *sqleffect.Database
}

func unknown() val { return val{s: value.Unknown(risk.CauseExpression, "an expression")} }

func dull() val                          { return val{s: value.Unknown(risk.CauseExpression, "an expression"), dull: true} }
func str(s string) val                   { return val{k: vStr, s: value.Lit(s)} }
func text(v value.Value) val             { return val{k: vStr, s: v} }
func num(n float64) val                  { return val{k: vNum, n: n} }
func none() val                          { return val{k: vNone} }
func ref(name string) val                { return val{k: vRef, name: name} }
func object(c string, v value.Value) val { return val{k: vObj, name: c, s: v} }

// hole is an unknown text of a cause.
func hole(c risk.Cause, name string) val {
	return val{s: value.Unknown(c, name), dull: true}
}

// known returns v's text if all of it is known.
func (v val) known() (string, bool) {
	switch v.k {
	case vStr:
		return v.s.Known()
	case vNum:
		return v.value().String(), true
	}
	return "", false
}

// value returns v as text.
func (v val) value() value.Value {
	switch v.k {
	case vStr, vUnknown:
		return v.s
	case vNum:
		return value.Lit(strconv.FormatFloat(v.n, 'f', -1, 64))
	case vNone:
		return value.Value{}
	case vObj:
		if v.name == "socket" {
			return value.Of(value.Hole{Cause: risk.CauseOther, Name: "a descriptor", Shape: value.Number})
		}
		if len(v.s.Parts()) > 0 {
			return v.s
		}
	case vRef:
		return value.Unknown(risk.CauseOther, v.name)
	}
	return value.Unknown(risk.CauseExpression, "an expression")
}

// flat returns the elements of lists in vs, and what is not a list.
func flat(vs []val) []val {
	var out []val
	for _, v := range vs {
		if v.k == vList {
			out = append(out, flat(v.list)...)
			continue
		}
		out = append(out, v)
		if len(out) > 4096 {
			break
		}
	}
	return out
}

// with adds the sources of others to v.
func (v val) with(others ...val) val {
	for _, o := range others {
		if len(o.src) > 0 {
			v.src = carry(v.src, o.src)
		}
		v.env = v.env || o.env
		v.sock = v.sock || o.sock
		v.listed = v.listed || o.listed
		if o.s.Taint() != 0 {
			v.s = v.s.With(o.s.Taint())
		}
		if o.k == vList || o.k == vDict {
			v = v.with(o.list...)
		}
	}
	return v
}

// derived is an unknown that was made from others.
func derived(others ...val) val {
	v := unknown()
	v.dull = true
	for _, o := range others {
		if o.k == vUnknown && !o.dull && len(o.src) == 0 {
			v.dull = false
		}
	}
	return v.with(others...)
}

// concat joins texts.
func concat(vs ...val) val {
	var b value.Builder
	size := 0
	for _, v := range vs {
		x := v.value()
		size += x.Len() + 256*len(x.Holes())
		if size > maxString {
			return val{s: value.Unknown(risk.CauseOther, "a long text"), dull: true}.with(vs...)
		}
		b.Add(x)
	}
	out := derived(vs...)
	d := out.dull
	out.k, out.s = vStr, b.Value().With(out.s.Taint())
	out.dull = d
	return out
}

// element is any one element of a collection.
func element(v val) val {
	switch v.k {
	case vList:
		return joined(v.list).with(v)
	case vDict:
		var keys []val
		for _, k := range v.keys {
			keys = append(keys, str(k))
		}
		return joined(keys)
	case vObj:
		if v.s.Pattern() != "" { // paths that a pattern finds
			return v
		}
		e := derived(v)
		e.dull = true
		return e
	case vStr:
		return derived(v)
	}
	e := derived(v)
	e.dull = v.dull || len(v.src) > 0
	if v.s.Pattern() != "" {
		e.s = v.s
	} else if v.k == vUnknown {
		e.s = v.s
	}
	return e
}

// joined is one of several values.
func joined(vs []val) val {
	if len(vs) == 0 {
		return dull()
	}
	out := vs[0]
	for _, v := range vs[1:] {
		out = join(out, v)
	}
	return out
}

// join is v or w.
func join(v, w val) val {
	if v.k == vStr && w.k == vStr {
		if v.s.String() == w.s.String() && v.s.IsKnown() == w.s.IsKnown() {
			return v.with(w)
		}
		out := text(either(v.s, w.s))
		out.dull = true
		return out.with(v, w)
	}
	switch {
	case v.k == vNum && w.k == vNum && v.n != w.n:
		return dull()
	case v.k == vFunc && w.k == vFunc && v.fn != w.fn:
		return unknown()
	case v.k == vNone:
		return w
	case w.k == vNone:
		return v
	case v.k == w.k && v.name == w.name && v.k != vList && v.k != vDict:
		if (v.k == vObj || v.k == vUnknown) && v.s.String() != w.s.String() {
			v.s = either(v.s, w.s)
		}
		v.dull = v.dull && w.dull
		return v.with(w)
	}
	if v.k == vList && w.k == vList && len(v.list) == len(w.list) {
		l := val{k: vList}
		for i := range v.list {
			l.list = append(l.list, join(v.list[i], w.list[i]))
		}
		return l
	}
	return derived(v, w)
}

// either is one of two texts: a closed set while there are few.
func either(v, w value.Value) value.Value {
	a, ok := v.Candidates(32)
	b, ok2 := w.Candidates(32)
	if ok && ok2 && len(a)+len(b) <= 32 {
		return value.OneOf(risk.CauseLoop, "one of several", slices.Concat(a, b)...).With(v.Taint() | w.Taint())
	}
	return value.Join(v, w, 32)
}

// item looks a key up in a dictionary.
func (v val) item(key string) (val, bool) {
	if i := slices.Index(v.keys, key); i >= 0 && i < len(v.list) {
		return v.list[i], true
	}
	return val{}, false
}
