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
