package inline

import "strings"

// assign evaluates an assignment.
func (s *scan) assign(n *node) val {
	v := s.eval(n.kids[1])
	target := n.kids[0]
	switch n.s {
	case "=", ":=", "<-", "<<-":
	case "||=", "??=", "//=", "&&=":
		v = join(s.eval(target), v)
	default:
		v = s.spend(s.operate(strings.TrimSuffix(n.s, "="), s.eval(target), v))
		if s.loop > 0 && target.op == nName {
			v = derived(v)
		}
	}
	s.bind(target, v)
	return v
}

// bind gives a target a value.
func (s *scan) bind(target *node, v val) {
	if target == nil {
		return
	}
	switch target.op {
	case nName:
		s.set(target.s, v)
	case nList:
		for i, k := range target.kids {
			if i == 0 && v.k != vList && s.lang != "python" && s.lang != "node" && v.s.Pattern() == "" {
				s.bind(k, v)
				continue
			}
			s.bind(k, pick(v, i))
		}
	case nDict:
		for _, k := range target.kids {
			if k.op == nKw {
				key := k.s
				if len(k.kids) > 1 {
					key, _ = s.eval(k.kids[1]).known()
				}
				x := k.kids[0]
				if x.op == nAssign {
					s.eval(x.kids[1])
					x = x.kids[0]
				}
				s.bind(x, s.attr(v, key))
			}
		}
	case nUnary:
		if len(target.kids) > 0 {
			s.bind(target.kids[0], v)
		}
	case nAttr:
		s.setAttr(target, v)
	case nIndex:
		s.setIndex(target, v)
	case nCall, nSlice:
		s.eval(target)
	case nKw, nAssign:
		s.bind(target.kids[0], v)
	}
}

// rebind gives a loop variable its next value.
func (s *scan) rebind(target *node, v val) {
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
func (s *scan) setAttr(target *node, v val) {
	o := s.eval(target.kids[0])
	s.stash(v)
	if o.k == vRef && !s.t.harmless[o.name+"."+target.s] {
		s.notSeen()
	}
	if v.k == vFunc {
		s.funcs["."+target.s] = v.fn
	}
}

// stash notes that contents of files are put into something that is not
// followed further.
func (s *scan) stash(vs ...val) {
	for _, v := range vs {
		s.stashed = s.stashed || len(v.with(v).src) > 0
	}
}

func (s *scan) setIndex(target *node, v val) {
	if len(target.kids) < 2 {
		return
	}
	base := target.kids[0]
	key := s.eval(target.kids[1])
	o := s.eval(base)
	if base.op != nName {
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
	if base.op != nName {
		return
	}
	if k, ok := key.known(); ok && o.k == vDict && s.cond == 0 {
		o.keys, o.list = append([]string{k}, o.keys...), append([]val{v}, o.list...)
		s.vars[base.s] = o
		return
	}
	if o.k == vList || o.k == vDict {
		s.vars[base.s] = derived(o, v)
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
