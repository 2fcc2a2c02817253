package eval

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"
)

// assign evaluates an assignment.
func (s *scan) assign(n *syntax.Node) val {
	v := s.eval(n.Kids[1])
	target := n.Kids[0]
	switch n.Text {
	case "=", ":=", "<-", "<<-":
	case "||=", "??=", "//=", "&&=":
		v = join(s.eval(target), v)
	default:
		v = s.spend(s.operate(strings.TrimSuffix(n.Text, "="), s.eval(target), v))
		if s.loop > 0 && target.Op == syntax.OpName {
			v = derived(v)
		}
	}
	s.bind(target, v)
	return v
}

// bind gives a target a value.
func (s *scan) bind(target *syntax.Node, v val) {
	if target == nil {
		return
	}
	switch target.Op {
	case syntax.OpName:
		s.set(target.Text, v)
	case syntax.OpList:
		for i, k := range target.Kids {
			if i == 0 && v.k != vList && s.lang != "python" && s.lang != "node" && v.s.Pattern() == "" {
				s.bind(k, v)
				continue
			}
			s.bind(k, pick(v, i))
		}
	case syntax.OpDict:
		for _, k := range target.Kids {
			if k.Op == syntax.OpKw {
				key := k.Text
				if len(k.Kids) > 1 {
					key, _ = s.eval(k.Kids[1]).known()
				}
				x := k.Kids[0]
				if x.Op == syntax.OpAssign {
					s.eval(x.Kids[1])
					x = x.Kids[0]
				}
				s.bind(x, s.attr(v, key))
			}
		}
	case syntax.OpUnary:
		if len(target.Kids) > 0 {
			s.bind(target.Kids[0], v)
		}
	case syntax.OpAttr:
		s.setAttr(target, v)
	case syntax.OpIndex:
		s.setIndex(target, v)
	case syntax.OpCall, syntax.OpSlice:
		s.eval(target)
	case syntax.OpKw, syntax.OpAssign:
		s.bind(target.Kids[0], v)
	}
}

// rebind gives a loop variable its next value.
func (s *scan) rebind(target *syntax.Node, v val) {
	saved := s.cond
	s.cond = 0
	s.bind(target, v)
	s.cond = saved
}

// pick is element i of v.
func pick(v val, i int) val {
	if v.k == vList {
		if i < len(v.list) {
			return v.list[i]
		}
		return none()
	}
	return element(v)
}

func (s *scan) set(name string, v val) {
	if old, ok := s.vars[name]; ok && s.cond > 0 {
		v = join(old, v)
	}
	if len(s.vars) < 4096 {
		s.vars[name] = v
	} else {
		s.notSeen()
	}
}

// setAttr: an attribute of an object of one's own is harmless; of a module it
// changes what later calls do.
func (s *scan) setAttr(target *syntax.Node, v val) {
	o := s.eval(target.Kids[0])
	s.stash(v)
	if o.k == vRef && !s.t.harmless[o.name+"."+target.Text] || v.k == vRef && s.t.calls[v.name] != nil {
		s.notSeen()
	}
	if v.k == vFunc {
		s.funcs["."+target.Text] = v.fn
	}
}

// stash notes that contents of files are put into something that is not
// followed further.
func (s *scan) stash(vs ...val) {
	for _, v := range vs {
		s.stashed = s.stashed || len(v.with(v).src) > 0
	}
}

func (s *scan) setIndex(target *syntax.Node, v val) {
	if len(target.Kids) < 2 {
		return
	}
	base := target.Kids[0]
	key := s.eval(target.Kids[1])
	o := s.eval(base)
	if base.Op != syntax.OpName {
		s.stash(v)
	}
	if o.k == vRef && (o.name == "ENV" || o.name == "os.environ" || o.name == "process.env") {
		name, ok := key.known()
		s.impure()
		if !ok || steers(name) {
			s.notSeen()
		}
		return
	}
	if o.k == vRef {
		s.notSeen()
		return
	}
	if base.Op != syntax.OpName {
		return
	}
	if k, ok := key.known(); ok && o.k == vDict && s.cond == 0 {
		o.keys, o.list = append([]string{k}, o.keys...), append([]val{v}, o.list...)
		s.vars[base.Text] = o
		return
	}
	if o.k == vList || o.k == vDict {
		s.vars[base.Text] = derived(o, v)
	}
}

// steers reports whether a variable changes what programs load or run.
func steers(name string) bool {
	switch name {
	case "PATH", "BASH_ENV", "ENV", "IFS", "PAGER", "EDITOR", "SHELL":
		return true
	}
	for _, p := range []string{"LD_", "DYLD_", "GIT_", "PYTHON", "PERL", "RUBY", "NODE_"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}
