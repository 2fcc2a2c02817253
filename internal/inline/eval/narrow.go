package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"
	"github.com/heedsh/heed/risk"
)

// What a condition says of the names that a listing gave: where it holds, they
// match a pattern.

// narrow gives the variables that a condition speaks of what they are where it
// holds, and returns what takes that back.
func (s *scan) narrow(cond *syntax.Node) (back func()) {
	old := map[string]val{}
	s.narrowed(cond, old)
	return func() {
		for name, v := range old {
			s.vars[name] = v
		}
	}
}

func (s *scan) narrowed(cond *syntax.Node, old map[string]val) {
	if cond.Op == syntax.OpBin && (cond.Text == "and" || cond.Text == "&&") {
		for _, k := range cond.Kids {
			s.narrowed(k, old)
		}
		return
	}
	name, pattern := s.nameTest(cond)
	v, ok := s.vars[name]
	parts := v.s.Parts()
	if !ok || pattern == "" || len(parts) != 1 || parts[0].Hole == nil || parts[0].Hole.Cause != risk.CauseMatch || parts[0].Hole.Last != "" && parts[0].Hole.Last != "*" {
		return
	}
	old[name] = v
	v.s = named(v.s, pattern)
	s.vars[name] = v
}

// unless does so for what comes after a statement that leaves the turn of the
// loop where the condition does not hold.
func (s *scan) unless(cond *syntax.Node) {
	if cond.Op == syntax.OpUnary && (cond.Text == "not" || cond.Text == "!") && len(cond.Kids) == 1 {
		s.narrowed(cond.Kids[0], map[string]val{})
	}
}

// nameTest reads a condition that compares how a variable's value begins or ends
// with texts: the pattern of what it is then.
func (s *scan) nameTest(cond *syntax.Node) (name, pattern string) {
	if len(cond.Kids) != 2 || cond.Kids[0].Op != syntax.OpAttr {
		return "", ""
	}
	attr := cond.Kids[0]
	of := attr.Kids[0]
	test := strings.ToLower(strings.Trim(attr.Text, "_?"))
	if of.Op == syntax.OpAttr && of.Text == "name" { // of a path
		of = of.Kids[0]
	}
	before, behind := "", ""
	switch {
	case of.Op != syntax.OpName:
		return "", ""
	case cond.Op == syntax.OpCall && (test == "endswith" || test == "end_with"), cond.Op == syntax.OpBin && test == "suffix" && (cond.Text == "==" || cond.Text == "in"):
		before = "*"
	case cond.Op == syntax.OpCall && (test == "startswith" || test == "start_with"):
		behind = "*"
	default:
		return "", ""
	}
	var patterns []string
	for _, x := range flat([]val{s.eval(cond.Kids[1])}) {
		text, ok := x.known()
		if !ok || strings.ContainsAny(text, "*?[\\|") {
			return "", ""
		}
		patterns = append(patterns, before+text+behind)
	}
	return of.Text, strings.Join(patterns, "|")
}

// keptNames is what is left of the names that a listing gave where a function only
// sorts or picks them.
func (s *scan) keptNames(v val, name string, c *call) (val, bool) {
	parts := v.s.Parts()
	if v.k != vUnknown || len(parts) != 1 || parts[0].Hole == nil || parts[0].Hole.Cause != risk.CauseMatch {
		return val{}, false
	}
	switch name {
	case "sorted", "list", "set", "tuple", "reversed", "sort", "reverse", "slice", "uniq", "to_a", "dup", "copy", "array_diff", "array_values", "array_reverse", "array_unique":
		return v, true
	case "filter", "select", "reject":
	default:
		return val{}, false
	}
	s.callbacks(c)
	f := c.arg(len(c.args) - 1)
	if name == "reject" || f.k != vFunc || len(f.fn.Params) != 1 || len(f.fn.Body) != 1 {
		return v, true
	}
	test := f.fn.Body[0]
	if test.Op == syntax.OpReturn && len(test.Kids) == 1 {
		test = test.Kids[0]
	}
	param := f.fn.Params[0]
	old, had := s.vars[param]
	s.vars[param] = v
	s.narrowed(test, map[string]val{})
	if v = s.vars[param]; had {
		s.vars[param] = old
	} else {
		delete(s.vars, param)
	}
	return v, true
}
