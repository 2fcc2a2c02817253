package eval

import (
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/risk"
)

// statements evaluates statements in order.
func (s *scan) statements(body []*syntax.Node) (last val) {
	for _, n := range body {
		last = s.eval(n)
	}
	return last
}

// eval evaluates a node.
func (s *scan) eval(n *syntax.Node) val {
	if n == nil {
		return none()
	}
	if s.steps++; s.steps > syntax.MaxEvalSteps {
		s.notSeen()
		return unknown()
	}
	switch n.Op {
	case syntax.OpLit:
		return str(n.Text)
	case syntax.OpNum:
		return number64(s.lang, n.Text)
	case syntax.OpStr:
		vs := make([]val, len(n.Kids))
		for i, k := range n.Kids {
			vs[i] = s.eval(k)
			if vs[i].k == vList {
				vs[i] = s.spaced(vs[i])
			}
		}
		return s.spend(concat(vs...))
	case syntax.OpName:
		return s.name(n.Text)
	case syntax.OpAttr:
		return s.attr(s.eval(n.Kids[0]), n.Text)
	case syntax.OpCall:
		return s.call(n)
	case syntax.OpIndex:
		return s.index(n)
	case syntax.OpSlice:
		return s.slice(n)
	case syntax.OpList:
		return s.listOf(n.Kids)
	case syntax.OpDict:
		return s.dict(n)
	case syntax.OpBin:
		return s.binaryOp(n)
	case syntax.OpUnary:
		return s.unaryOp(n)
	case syntax.OpFunc:
		return s.closureOf(n)
	case syntax.OpCond:
		s.eval(n.Kids[0])
		s.cond++
		a := s.eval(n.Kids[1])
		b := s.eval(n.Kids[2])
		s.cond--
		return join(a, b)
	case syntax.OpAssign:
		return s.assign(n)
	case syntax.OpShell:
		return s.backticks(n)
	case syntax.OpAngle:
		return s.angle(n.Text)
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
func (s *scan) control(n *syntax.Node) val {
	switch n.Op {
	case syntax.OpBlock:
		var last val
		for _, k := range n.Body {
			last = s.eval(k)
		}
		return last
	case syntax.OpTry:
		s.guarded++
		last := s.statements(n.Body)
		s.guarded--
		return s.completion(last)
	case syntax.OpIf:
		s.leaves = endsTurn(n.Body)
		for _, k := range n.Kids {
			s.eval(k)
		}
		leaves := s.leaves
		s.leaves = false
		back := func() {}
		if len(n.Kids) == 1 {
			back = s.narrow(n.Kids[0])
		}
		s.cond++
		var last val
		for _, k := range n.Body {
			last = s.eval(k)
		}
		s.cond--
		back()
		if leaves && len(n.Kids) == 1 {
			s.unless(n.Kids[0])
		}
		return last
	case syntax.OpLoop:
		var last val
		s.cond++
		s.loop++
		s.endless++
		for range s.turns() {
			for _, k := range n.Kids {
				v := s.eval(k)
				if s.lang == "perl" && (k.Op == syntax.OpAngle || k.Op == syntax.OpCall) { // while (<FH>)
					s.rebind(&syntax.Node{Op: syntax.OpName, Text: "$_"}, v)
				}
			}
			last = s.statements(n.Body)
		}
		s.endless--
		s.loop--
		s.cond--
		return s.completion(last)
	case syntax.OpFor:
		return s.completion(s.forLoop(n))
	case syntax.OpComp:
		return s.comprehension(n)
	case syntax.OpReturn:
		var v val
		for _, k := range n.Kids {
			v = s.eval(k)
		}
		if n.Text == "" || n.Text == "return" {
			s.ret = append(s.ret, v)
		} else if n.Text == "throw" || n.Text != "del" && s.lang == "python" { // what ends the program is printed
			s.reveal(val{k: vList, list: []val{v}}, true)
		}
		return v
	default:
		return s.definition(n)
	}
}

// definition evaluates imports, classes and what is left.
func (s *scan) definition(n *syntax.Node) val {
	switch n.Op {
	case syntax.OpImport:
		s.imports(n)
	case syntax.OpRegex:
		for _, k := range n.Kids {
			s.eval(k)
		}
		return dull()
	case syntax.OpClass:
		for _, k := range n.Kids {
			s.eval(k)
		}
		for _, k := range n.Body {
			if k.Op != syntax.OpFunc {
				s.eval(k)
				continue
			}
			for _, d := range k.Kids { // evaluated when the class is made
				s.eval(d)
			}
			if s.funcs["."+k.Text] == nil { // a class inside a function
				s.funcs["."+k.Text] = k
				s.deferred = append(s.deferred, k)
			}
		}
		if n.Text != "" && s.funcs[n.Text] == nil && s.lang == "python" {
			s.funcs[n.Text] = &syntax.Node{Op: syntax.OpFunc, Text: n.Text}
		}
	case syntax.OpKw:
		return s.eval(n.Kids[0])
	case syntax.OpJump:
	case syntax.OpBad:
		for _, k := range n.Kids {
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

func (s *scan) forLoop(n *syntax.Node) (last val) {
	if len(n.Kids) < 2 {
		s.notSeen()
		return s.statements(n.Body)
	}
	list := s.eval(n.Kids[1])
	if list.name == "stdin" {
		list = input(s, &call{})
	}
	if s.lang == "lua" {
		s.iterates(list)
	}
	s.cond++
	s.loop++
	for range s.turns() {
		if n.Kids[0].Text == "pairs" && len(n.Kids[0].Kids) == 2 {
			s.rebind(n.Kids[0].Kids[0], dull())
			s.rebind(n.Kids[0].Kids[1], s.each(list))
		} else {
			s.rebind(n.Kids[0], s.each(list))
		}
		last = s.statements(n.Body)
	}
	s.loop--
	s.cond--
	return last
}

// iterates calls the function that a generic for of Lua calls for each turn (Lua
// 5.4 manual, 3.3.5).
func (s *scan) iterates(v val) {
	var args []val
	if v.k == vList && len(v.list) > 0 {
		v, args = v.list[0], v.list[1:]
	}
	if v.k == vFunc || v.k == vRef && s.t.calls[v.name] != nil {
		s.callValue(v, &call{args: args, kw: map[string]val{}})
	}
}

// each is what a loop over v sees: values in PHP, else elements.
func (s *scan) each(v val) val {
	if v.k == vDict && s.lang == "php" {
		return joined(v.list)
	}
	return element(v)
}

// comprehension evaluates [e for x in list if c].
func (s *scan) comprehension(n *syntax.Node) val {
	if len(n.Kids) < 3 {
		s.notSeen()
		return unknown()
	}
	list := s.eval(n.Kids[2])
	s.cond++
	defer func() { s.cond-- }()
	for i := 3; i+1 < len(n.Kids); i += 2 {
		s.rebind(n.Kids[1], element(list))
		s.rebind(n.Kids[i], element(s.eval(n.Kids[i+1])))
	}
	if len(n.Kids) == 3 && list.k == vList && len(n.Body) == 0 {
		out := val{k: vList}
		for _, x := range list.list {
			s.rebind(n.Kids[1], x)
			out.list = append(out.list, s.eval(n.Kids[0]))
		}
		return out
	}
	if len(n.Kids) == 3 {
		s.rebind(n.Kids[1], element(list))
	}
	for _, c := range n.Body {
		s.eval(c)
		defer s.narrow(c)()
	}
	return val{k: vList, list: []val{s.eval(n.Kids[0])}}
}

func (s *scan) listOf(kids []*syntax.Node) val {
	out := val{k: vList}
	for _, k := range kids {
		if k.Op == syntax.OpUnary && (k.Text == "*" || k.Text == "..." || k.Text == "**") && len(k.Kids) == 1 {
			v := s.eval(k.Kids[0])
			if v.k == vList {
				out.list = append(out.list, v.list...)
			} else {
				out.list = append(out.list, element(v))
			}
		} else if k.Op == syntax.OpKw && len(k.Kids) == 2 { // a pair in a list: PHP, Perl, R, Lua
			out.list = append(out.list, s.eval(k.Kids[0]))
			if s.lang == "php" || s.lang == "lua" {
				key, _ := s.eval(k.Kids[1]).known()
				out.keys = append(out.keys, key)
			} else {
				out.list = append(out.list, s.eval(k.Kids[1]))
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

func (s *scan) dict(n *syntax.Node) val {
	out := val{k: vDict}
	for _, k := range n.Kids {
		if k.Op != syntax.OpKw {
			v := s.eval(k)
			out.keys = append(out.keys, "")
			out.list = append(out.list, v)
			continue
		}
		key := k.Text
		if len(k.Kids) > 1 {
			key, _ = s.eval(k.Kids[1]).known()
		}
		out.keys = append(out.keys, key)
		out.list = append(out.list, s.eval(k.Kids[0]))
	}
	return out
}

// closureOf makes a function value; a named one is declared.
func (s *scan) closureOf(n *syntax.Node) val {
	for _, d := range n.Kids {
		s.eval(d)
	}
	if n.Text != "" && n.Text != "{" {
		if s.calls > 0 { // one inside a function, which may be handed on
			s.deferred = append(s.deferred, n)
		}
		s.funcs[n.Text] = n
		return val{k: vFunc, fn: n}
	}
	s.deferred = append(s.deferred, n)
	return val{k: vFunc, fn: n}
}

// invoke evaluates a function's body with arguments.
func (s *scan) invoke(f *syntax.Node, args []val) val {
	if s.calls >= maxCalls || f == nil || s.lang == "python" && s.active[f] >= maxRecursion {
		s.vague = true
		return unknown()
	}
	s.calls++
	s.active[f]++
	s.ran[f] = true
	saved := map[string]val{}
	names := f.Params
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
	for _, k := range f.Body {
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
func (s *scan) imports(n *syntax.Node) {
	for _, k := range n.Kids {
		s.eval(k)
	}
	switch s.lang {
	case "python":
		s.pythonImports(n)
	case "node":
		mod := s.module(n.Text)
		for i := 0; i+1 < len(n.Params); i += 2 {
			if n.Params[i] == "" || n.Params[i] == "default" {
				s.set(n.Params[i+1], mod)
				continue
			}
			s.set(n.Params[i+1], s.attr(mod, n.Params[i]))
		}
	case "perl":
		s.perlUse(n.Text)
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

// variable is the variable that a value names, or any that it may name.
func (s *scan) variable(name val) val {
	names, ok := name.value().Candidates(32)
	if !ok || name.k != vStr && name.k != vUnknown || len(names) == 0 {
		return s.environment("")
	}
	if len(names) == 1 {
		return s.environment(names[0])
	}
	v := dull()
	v.env = slices.ContainsFunc(names, secretName)
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
