package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/risk"
)

// dunder evaluates special attributes of Python: some lead to everything that
// is loaded.
func (s *scan) dunder(o val, name string) val {
	switch name {
	case "__dict__":
		if o.k == vRef {
			return o
		}
	case "__name__", "__file__", "__doc__", "__version__", "__class__", "__len__", "__module__", "__qualname__":
		return derived(o)
	case "__import__":
		return ref(name)
	}
	s.notSeen()
	return unknown()
}

// index evaluates o[i].
func (s *scan) index(n *syntax.Node) val {
	base := n.Kids[0]
	var o val
	if s.lang == "perl" && base.Op == syntax.OpName && strings.HasPrefix(base.Text, "$") {
		o = s.perlElement(base.Text)
	} else {
		o = s.eval(base)
	}
	if len(n.Kids) < 2 {
		return derived(o)
	}
	i := s.eval(n.Kids[1])
	if a := s.t.calls[o.name+".[]"]; a != nil && s.lang == "ruby" && o.k == vRef {
		return a(s, &call{recv: o, args: []val{i}})
	}
	key, known := i.known()
	if s.lang == "python" && (i.env || o.k == vDict && len(i.src) > 0 && !wellFormed(i)) { // KeyError says which
		s.reveal(i, true)
	}
	switch {
	case (o.k == vRef && (o.name == "ENV" || o.name == "os.environ" || o.name == "process.env")) || o.env && o.k != vStr:
		return s.variable(i)
	case !known:
		return element(o)
	case o.k == vRef && o.name == "builtins.modules":
		return ref(key)
	case o.k == vRef:
		return s.attr(o, key)
	case o.k == vDict:
		if v, ok := o.item(key); ok {
			return v
		}
		return joined(o.list)
	case o.k == vList && i.k == vNum:
		at := int(i.n)
		if s.lang == "lua" || s.lang == "r" {
			at--
		}
		if at < 0 {
			at += len(o.list)
		}
		if at >= 0 && at < len(o.list) {
			return o.list[at]
		}
		return none()
	case o.k == vStr && i.k == vNum:
		if t, ok := o.known(); ok {
			at := int(i.n)
			if at < 0 {
				at += len(t)
			}
			if at >= 0 && at < len(t) {
				return str(t[at : at+1])
			}
		}
	}
	return element(o)
}

// perlElement is the array or hash that $x[…] and $x{…} index.
func (s *scan) perlElement(name string) val {
	rest := name[1:]
	for _, sigil := range []string{"@", "%"} {
		if v, ok := s.vars[sigil+rest]; ok {
			return v
		}
	}
	if rest == "ENV" {
		return ref("ENV")
	}
	if rest == "ARGV" || rest == "_" && s.vars["@_"].k == vUnknown {
		return hole(risk.CauseArg, "1")
	}
	return s.plainName(name)
}

// slice evaluates o[a:b:c]; only whole and reversed texts are followed.
func (s *scan) slice(n *syntax.Node) val {
	o := s.eval(n.Kids[0])
	bounds := [3]*int{}
	open := len(n.Body) > 0
	for _, k := range n.Body {
		s.eval(k)
	}
	for i, k := range n.Kids[1:] {
		if k == nil {
			continue
		}
		v := s.eval(k)
		x := int(v.n)
		bounds[i] = &x
		open = open || v.k != vNum
	}
	if o.s.Pattern() != "" { // some of the files that a pattern finds
		return o
	}
	if open {
		return derived(o)
	}
	return sliced(o, bounds)
}

func sliced(o val, b [3]*int) val {
	t, ok := o.known()
	size := len(t)
	if o.k == vList {
		size, ok = len(o.list), true
	}
	if !ok {
		return derived(o)
	}
	step := 1
	if b[2] != nil {
		step = *b[2]
	}
	if step == 0 {
		return dull()
	}
	from, to := 0, size
	if step < 0 {
		from, to = size-1, -1
	}
	clamp := func(p *int, at int) int {
		if p == nil {
			return at
		}
		x := *p
		if x < 0 {
			x += size
		}
		if step < 0 {
			return max(min(x, size-1), -1)
		}
		return max(min(x, size), 0)
	}
	from, to = clamp(b[0], from), clamp(b[1], to)
	var out strings.Builder
	list := val{k: vList}
	for i := from; step > 0 && i < to || step < 0 && i > to; i += step {
		if i < 0 || i >= size {
			break
		}
		if o.k == vList {
			list.list = append(list.list, o.list[i])
		} else {
			out.WriteByte(t[i])
		}
	}
	if o.k == vList {
		return list
	}
	return str(out.String()).with(o)
}
