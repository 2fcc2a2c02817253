package inline

import (
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/risk"
)

// statements evaluates statements in order.
func (s *scan) statements(body []*node) (last val) {
	for _, n := range body {
		last = s.eval(n)
	}
	return last
}

// eval evaluates a node.
func (s *scan) eval(n *node) val {
	if n == nil {
		return none()
	}
	if s.steps++; s.steps > maxEvalSteps {
		s.notSeen()
		return unknown()
	}
	switch n.op {
	case nLit:
		return str(n.s)
	case nNum:
		return number64(s.lang, n.s)
	case nStr:
		vs := make([]val, len(n.kids))
		for i, k := range n.kids {
			vs[i] = s.eval(k)
			if vs[i].k == vList {
				vs[i] = s.spaced(vs[i])
			}
		}
		return s.spend(concat(vs...))
	case nName:
		return s.name(n.s)
	case nAttr:
		return s.attr(s.eval(n.kids[0]), n.s)
	case nCall:
		return s.call(n)
	case nIndex:
		return s.index(n)
	case nSlice:
		return s.slice(n)
	case nList:
		return s.listOf(n.kids)
	case nDict:
		return s.dict(n)
	case nBin:
		return s.binaryOp(n)
	case nUnary:
		return s.unaryOp(n)
	case nFunc:
		return s.closureOf(n)
	case nCond:
		s.eval(n.kids[0])
		s.cond++
		a := s.eval(n.kids[1])
		b := s.eval(n.kids[2])
		s.cond--
		return join(a, b)
	case nAssign:
		return s.assign(n)
	case nShell:
		return s.backticks(n)
	case nAngle:
		return s.angle(n.s)
	}
	return s.control(n)
}

// number64 reads a number; a leading zero means octal in most of these
// languages.
func number64(lang, s string) val {
	if len(s) > 1 && s[0] == '0' && lang != "lua" && lang != "r" {
		if i, err := strconv.ParseUint(s, 8, 32); err == nil {
			return num(float64(i))
		}
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return num(f)
	}
	if i, err := strconv.ParseInt(strings.TrimRight(s, "nLlj"), 0, 64); err == nil {
		return num(float64(i))
	}
	return dull()
}

// spaced is a list inside a string of Perl: its elements with spaces.
func (s *scan) spaced(v val) val {
	var vs []val
	for i, x := range v.list {
		if i > 0 {
			vs = append(vs, str(" "))
		}
		vs = append(vs, x)
	}
	return concat(vs...)
}

// control evaluates statements.
func (s *scan) control(n *node) val {
	switch n.op {
	case nBlock:
		var last val
		for _, k := range n.body {
			last = s.eval(k)
		}
		return last
	case nTry:
		return s.completion(s.statements(n.body))
	case nIf:
		s.leaves = endsTurn(n.body)
		for _, k := range n.kids {
			s.eval(k)
		}
		s.leaves = false
		s.cond++
		var last val
		for _, k := range n.body {
			last = s.eval(k)
		}
		s.cond--
		return last
	case nLoop:
		var last val
		s.cond++
		s.loop++
		s.endless++
		for range s.turns() {
			for _, k := range n.kids {
				v := s.eval(k)
				if s.lang == "perl" && (k.op == nAngle || k.op == nCall) { // while (<FH>)
					s.rebind(&node{op: nName, s: "$_"}, v)
				}
			}
			last = s.statements(n.body)
		}
		s.endless--
		s.loop--
		s.cond--
		return s.completion(last)
	case nFor:
		return s.completion(s.forLoop(n))
	case nComp:
		return s.comprehension(n)
	case nReturn:
		var v val
		for _, k := range n.kids {
			v = s.eval(k)
		}
		if n.s == "" || n.s == "return" {
			s.ret = append(s.ret, v)
		} else if n.s != "del" && s.lang == "python" { // what ends the program is printed
			s.reveal(val{k: vList, list: []val{v}}, true)
		}
		return v
	default:
		return s.definition(n)
	}
}

// definition evaluates imports, classes and what is left.
func (s *scan) definition(n *node) val {
	switch n.op {
	case nImport:
		s.imports(n)
	case nRegex:
		for _, k := range n.kids {
			s.eval(k)
		}
		return dull()
	case nClass:
		for _, k := range n.kids {
			s.eval(k)
		}
		for _, k := range n.body {
			if k.op != nFunc {
				s.eval(k)
				continue
			}
			for _, d := range k.kids { // evaluated when the class is made
				s.eval(d)
			}
			if s.funcs["."+k.s] == nil { // a class inside a function
				s.funcs["."+k.s] = k
				s.deferred = append(s.deferred, k)
			}
		}
		if n.s != "" && s.funcs[n.s] == nil && s.lang == "python" {
			s.funcs[n.s] = &node{op: nFunc, s: n.s}
		}
	case nKw:
		return s.eval(n.kids[0])
	case nJump:
	case nBad:
		for _, k := range n.kids {
			s.eval(k)
		}
		s.notSeen()
		return unknown()
	}
	return none()
}

// turns is how often a loop's body is evaluated: twice, so that what one turn
// assigns reaches the next; once where loops nest deeply.
func (s *scan) turns() int {
	if s.loop > 3 {
		return 1
	}
	return 2
}

// completion is what a loop or a guarded block is worth where values of
// statements count (ECMA-262, "Completion Records"); elsewhere it has none.
func (s *scan) completion(last val) val {
	if s.host.Prints {
		return last
	}
	return none()
}

func (s *scan) forLoop(n *node) (last val) {
	if len(n.kids) < 2 {
		s.notSeen()
		return s.statements(n.body)
	}
	list := s.eval(n.kids[1])
	if list.name == "stdin" {
		list = input(s, &call{})
	}
	s.cond++
	s.loop++
	for range s.turns() {
		if n.kids[0].s == "pairs" && len(n.kids[0].kids) == 2 {
			s.rebind(n.kids[0].kids[0], dull())
			s.rebind(n.kids[0].kids[1], s.each(list))
		} else {
			s.rebind(n.kids[0], s.each(list))
		}
		last = s.statements(n.body)
	}
	s.loop--
	s.cond--
	return last
}

// each is what a loop over v sees: values in PHP, else elements.
func (s *scan) each(v val) val {
	if v.k == vDict && s.lang == "php" {
		return joined(v.list)
	}
	return element(v)
}

// comprehension evaluates [e for x in list if c].
func (s *scan) comprehension(n *node) val {
	if len(n.kids) < 3 {
		s.notSeen()
		return unknown()
	}
	list := s.eval(n.kids[2])
	s.cond++
	defer func() { s.cond-- }()
	for i := 3; i+1 < len(n.kids); i += 2 {
		s.rebind(n.kids[1], element(list))
		s.rebind(n.kids[i], element(s.eval(n.kids[i+1])))
	}
	if len(n.kids) == 3 && list.k == vList && len(n.body) == 0 {
		out := val{k: vList}
		for _, x := range list.list {
			s.rebind(n.kids[1], x)
			out.list = append(out.list, s.eval(n.kids[0]))
		}
		return out
	}
	if len(n.kids) == 3 {
		s.rebind(n.kids[1], element(list))
	}
	for _, c := range n.body {
		s.eval(c)
	}
	return val{k: vList, list: []val{s.eval(n.kids[0])}}
}

func (s *scan) listOf(kids []*node) val {
	out := val{k: vList}
	for _, k := range kids {
		if k.op == nUnary && (k.s == "*" || k.s == "..." || k.s == "**") && len(k.kids) == 1 {
			v := s.eval(k.kids[0])
			if v.k == vList {
				out.list = append(out.list, v.list...)
			} else {
				out.list = append(out.list, element(v))
			}
		} else if k.op == nKw && len(k.kids) == 2 { // a pair in a list: PHP, Perl, R, Lua
			out.list = append(out.list, s.eval(k.kids[0]))
			if s.lang == "php" || s.lang == "lua" {
				key, _ := s.eval(k.kids[1]).known()
				out.keys = append(out.keys, key)
			} else {
				out.list = append(out.list, s.eval(k.kids[1]))
			}
		} else {
			out.list = append(out.list, s.eval(k))
		}
		if len(out.list) > 4096 {
			return derived(out.list[:8]...)
		}
	}
	if len(out.keys) == len(out.list) && len(out.keys) > 0 {
		out.k = vDict
	} else {
		out.keys = nil
	}
	if s.lang == "perl" {
		out.list = flat(out.list)
	}
	return out
}

func (s *scan) dict(n *node) val {
	out := val{k: vDict}
	for _, k := range n.kids {
		if k.op != nKw {
			v := s.eval(k)
			out.keys = append(out.keys, "")
			out.list = append(out.list, v)
			continue
		}
		key := k.s
		if len(k.kids) > 1 {
			key, _ = s.eval(k.kids[1]).known()
		}
		out.keys = append(out.keys, key)
		out.list = append(out.list, s.eval(k.kids[0]))
	}
	return out
}

// closureOf makes a function value; a named one is declared.
func (s *scan) closureOf(n *node) val {
	for _, d := range n.kids {
		s.eval(d)
	}
	if n.s != "" && n.s != "{" {
		if s.calls > 0 { // one inside a function, which may be handed on
			s.deferred = append(s.deferred, n)
		}
		s.funcs[n.s] = n
		return val{k: vFunc, fn: n}
	}
	s.deferred = append(s.deferred, n)
	return val{k: vFunc, fn: n}
}

// invoke evaluates a function's body with arguments.
func (s *scan) invoke(f *node, args []val) val {
	if s.calls >= maxCalls || f == nil || s.lang == "python" && s.active[f] >= maxRecursion {
		s.vague = true
		return unknown()
	}
	s.calls++
	s.active[f]++
	s.ran[f] = true
	saved := map[string]val{}
	names := f.params
	for i, p := range names {
		v := unknown()
		if i < len(args) {
			v = args[i]
		}
		if strings.HasPrefix(p, "*") { // *rest and **named of Python
			if names = slices.Clone(names); p[1] != '*' && len(args) > 0 {
				v = val{k: vList, list: args[min(i, len(args)):]}
			} else {
				v = unknown()
			}
			p = strings.TrimLeft(p, "*")
			names[i] = p
		}
		if old, ok := s.vars[p]; ok {
			saved[p] = old
		}
		s.vars[p] = v
	}
	var old val
	if s.lang == "perl" {
		old = s.vars["@_"]
		s.vars["@_"] = val{k: vList, list: args}
		if args == nil {
			s.vars["@_"] = unknown()
		}
	}
	if s.lang == "ruby" && len(args) > 0 {
		s.vars["it"], s.vars["_1"] = args[0], args[0]
	}
	outer := s.ret
	s.ret = nil
	var last val
	for _, k := range f.body {
		last = s.eval(k)
	}
	if len(s.ret) > 0 {
		last = joined(s.ret)
	}
	s.ret = outer
	for _, p := range names {
		if v, ok := saved[p]; ok {
			s.vars[p] = v
		} else {
			delete(s.vars, p)
		}
	}
	if s.lang == "perl" {
		s.vars["@_"] = old
	}
	s.calls--
	s.active[f]--
	return last
}

// imports evaluates an import.
func (s *scan) imports(n *node) {
	for _, k := range n.kids {
		s.eval(k)
	}
	switch s.lang {
	case "python":
		s.pythonImports(n)
	case "node":
		mod := s.module(n.s)
		for i := 0; i+1 < len(n.params); i += 2 {
			if n.params[i] == "" || n.params[i] == "default" {
				s.set(n.params[i+1], mod)
				continue
			}
			s.set(n.params[i+1], s.attr(mod, n.params[i]))
		}
	case "perl":
		s.perlUse(n.s)
	}
}

// environment is one variable, or all of them.
func (s *scan) environment(name string) val {
	if name == "" {
		v := dull()
		v.env = true
		return v
	}
	v := hole(risk.CauseUnknown, name)
	v.env = secretName(name)
	return v
}

// secretName reports whether a variable is likely to hold a credential.
func secretName(name string) bool {
	name = strings.ToUpper(name)
	for _, w := range []string{"SECRET", "TOKEN", "PASSWORD", "PASSWD", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY", "CREDENTIAL"} {
		if strings.Contains(name, w) {
			return true
		}
	}
	return false
}
