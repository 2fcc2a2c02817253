package eval

import (
	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/inline/syntax"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

func runScript(path value.Value, lang string) catalog.Run {
	return catalog.Run{Kind: catalog.RunScript, Text: path, Lang: lang}
}

// special handles calls whose arguments are not plain values: a handle that
// open binds, a class name with a package.
func (s *scan) special(callee, n *syntax.Node) (val, bool) {
	switch {
	case s.lang == "perl" && callee.Op == syntax.OpName && (callee.Text == "open" || callee.Text == "sysopen" || callee.Text == "socket" || callee.Text == "accept") && len(n.Kids) > 1:
		c := &call{kw: map[string]val{}, name: callee.Text}
		s.arguments(c, n.Kids[2:])
		c.args = append([]val{none()}, c.args...)
		v := s.callRef(callee.Text, c)
		if callee.Text == "socket" {
			v = object("socket", value.Value{})
		}
		if v.k == vObj {
			s.bind(n.Kids[1], v)
		}
		return v, true
	case s.lang == "perl" && callee.Op == syntax.OpName && callee.Text == "chomp":
		for _, k := range n.Kids[1:] {
			s.eval(k)
		}
		return dull(), true
	case s.lang == "perl" && callee.Op == syntax.OpName && (callee.Text == "shift" || callee.Text == "pop"):
		if len(n.Kids) == 1 {
			return s.shifted(), true
		}
	case (s.lang == "node" || s.lang == "ruby") && callee.Op == syntax.OpName && callee.Text == "super":
		for _, k := range n.Kids[1:] {
			s.eval(k)
		}
		return dull(), true
	}
	return val{}, false
}

// shifted takes the first argument of a sub, or of the program.
func (s *scan) shifted() val {
	v, ok := s.vars["@_"]
	if !ok || s.calls == 0 {
		return hole(risk.CauseArg, "1")
	}
	if v.k != vList {
		return unknown()
	}
	if len(v.list) == 0 {
		return none()
	}
	s.vars["@_"] = val{k: vList, list: v.list[1:]}
	return v.list[0]
}

// backticks runs a command in backticks.
func (s *scan) backticks(n *syntax.Node) val {
	vs := make([]val, len(n.Kids))
	for i, k := range n.Kids {
		vs[i] = s.eval(k)
	}
	return s.shellText(concat(vs...))
}
