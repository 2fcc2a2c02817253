package eval

import (
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"
)

// A call is one call with its arguments evaluated.
type call struct {
	name string
	recv val
	args []val
	kw   map[string]val
	used bool // callbacks were dealt with
	// bare is set where the first argument is written as an empty list, and the others, all
	// by their names, give no program in its stead.
	bare bool
}

// An action is what a known function does, and what it returns.
type action func(s *scan, c *call) val

// arg returns argument i, or the one of a name.
func (c *call) arg(i int, names ...string) val {
	for _, n := range names {
		if v, ok := c.kw[n]; ok {
			return v
		}
	}
	if i >= 0 && i < len(c.args) {
		return c.args[i]
	}
	return none()
}

func (c *call) has(i int, names ...string) bool {
	for _, n := range names {
		if _, ok := c.kw[n]; ok {
			return true
		}
	}
	return i >= 0 && i < len(c.args)
}

// keywords returns the names of the named arguments in order.
func (c *call) keywords() []string { return slices.Sorted(maps.Keys(c.kw)) }

// all returns every argument.
func (c *call) all() []val {
	out := slices.Clone(c.args)
	for _, k := range c.keywords() {
		out = append(out, c.kw[k])
	}
	return append(out, c.recv)
}

// call evaluates a call.
func (s *scan) call(n *syntax.Node) val {
	callee := n.Kids[0]
	s.called[n] = true
	c := &call{kw: map[string]val{}}
	if v, ok := s.special(callee, n); ok {
		return v
	}
	var target val
	switch {
	case callee.Op == syntax.OpAttr:
		c.recv, c.name = s.eval(callee.Kids[0]), callee.Text
	case callee.Op == syntax.OpName && s.lang == "ruby":
		target = s.plainName(callee.Text)
	case callee.Op == syntax.OpIndex && s.lang == "node" && len(callee.Kids) == 2:
		if key, ok := s.eval(callee.Kids[1]).known(); ok {
			c.recv, c.name = s.eval(callee.Kids[0]), key
			break
		}
		target = s.eval(callee)
	default:
		target = s.eval(callee)
	}
	s.arguments(c, n.Kids[1:])
	c.bare = bare(n.Kids[1:])
	s.passed(c, callee.Text)
	var out val
	if c.name != "" {
		out = s.method(c)
	} else {
		out = s.callValue(target, c)
	}
	s.callbacks(c)
	return out
}

// bare reports whether the arguments of a call are an empty list and others that give no
// program in its stead.
func bare(args []*syntax.Node) bool {
	return len(args) > 0 && args[0].Op == syntax.OpList && len(args[0].Kids) == 0 && !slices.ContainsFunc(args[1:], func(n *syntax.Node) bool {
		return n.Op != syntax.OpKw || n.Text == "executable" || n.Text == "shell" || len(n.Kids) != 1
	})
}

// passed notes that a file which is open for writing is handed to a function,
// which may well write to it.
func (s *scan) passed(c *call, name string) {
	if name == "fclose" || name == "close" {
		return
	}
	for _, a := range c.args {
		s.wroteAny = s.wroteAny || a.k == vObj && a.eff > 0
	}
}

func (s *scan) arguments(c *call, kids []*syntax.Node) {
	for _, k := range kids {
		switch {
		case k.Op == syntax.OpKw && (s.lang != "perl" || k.Text == "handle"):
			key := k.Text
			if len(k.Kids) > 1 {
				key, _ = s.eval(k.Kids[1]).known()
			}
			c.kw[key] = s.eval(k.Kids[0])
		case k.Op == syntax.OpKw:
			c.args = append(c.args, s.listOf([]*syntax.Node{k}).list...)
		case k.Op == syntax.OpUnary && (k.Text == "*" || k.Text == "...") && len(k.Kids) == 1 && s.lang != "lua":
			v := s.eval(k.Kids[0])
			if v.k == vList {
				c.args = append(c.args, v.list...)
			} else {
				c.args = append(c.args, element(v))
			}
		case k.Op == syntax.OpUnary && k.Text == "**":
			if v := s.eval(k.Kids[0]); v.k == vDict {
				for i, key := range v.keys {
					c.kw[key] = v.list[i]
				}
			}
		case k.Op == syntax.OpUnary && k.Text == "&" && s.lang == "ruby":
			c.args = append(c.args, s.blockArgument(k.Kids[0]))
		default:
			v := s.eval(k)
			if s.lang == "perl" && v.k == vList && k.Op != syntax.OpUnary {
				c.args = append(c.args, v.list...)
				continue
			}
			c.args = append(c.args, v)
		}
	}
}

// blockArgument is &:name or &method(:name) of Ruby.
func (s *scan) blockArgument(n *syntax.Node) val {
	v := s.eval(n)
	if v.k == vStr {
		name, _ := v.known()
		f := &syntax.Node{Op: syntax.OpFunc, Params: []string{"\x00"}, Body: []*syntax.Node{{Op: syntax.OpCall, Kids: []*syntax.Node{{Op: syntax.OpAttr, Text: name, Kids: []*syntax.Node{{Op: syntax.OpName, Text: "\x00"}}}}}}}
		return val{k: vFunc, fn: f}
	}
	return v
}

// callValue calls what an expression gave.
func (s *scan) callValue(target val, c *call) val {
	switch target.k {
	case vFunc:
		c.used = true
		s.callbacks(c)
		return s.invoke(target.fn, c.args)
	case vRef:
		return s.callRef(target.name, c)
	case vStr:
		if name, ok := target.known(); ok && (s.lang == "php" || s.lang == "perl" || s.lang == "r") {
			return s.callRef(name, c)
		}
	case vObj:
		return s.method(&call{name: "call", recv: target, args: c.args, kw: c.kw})
	}
	s.notSeen()
	return derived(c.all()...)
}

// callRef calls a function by its full name.
func (s *scan) callRef(name string, c *call) val {
	switch s.lang {
	case "php":
		name = strings.ToLower(name)
	case "r":
		name = plainR(name)
	}
	if f := s.funcs[name]; f != nil && !strings.Contains(name, ".") {
		c.used = true
		return s.invoke(f, c.args)
	}
	c.name = name[strings.LastIndexByte(name, '.')+1:]
	if complains(s.lang, name) {
		for _, a := range c.args {
			if !wellFormed(a) {
				s.reveal(a, true)
			}
		}
	}
	if a := s.t.calls[name]; a != nil {
		return a(s, c)
	}
	for base := name; ; {
		i := strings.LastIndexByte(base, '.')
		if i < 0 || s.lang == "r" { // there a name has dots of its own
			break
		}
		base = base[:i]
		if a := s.t.calls[base+".*"]; a != nil {
			return a(s, c)
		}
		if s.t.harmless[base] || s.t.harmless[base+".*"] {
			s.quotes(name, false, c)
			return derived(c.all()...)
		}
	}
	if s.t.harmless[name] {
		if s.lang == "r" {
			s.applies(c)
		}
		s.quotes(name, false, c)
		if v, ok := s.keptNames(c.arg(0), c.name, c); ok {
			return v
		}
		return derived(c.all()...)
	}
	if v, ok := s.fold(c.name, c); ok && strings.Contains(name, ".") {
		return v
	}
	s.notSeen()
	return derived(c.all()...)
}

// method calls a method on a value.
func (s *scan) method(c *call) val {
	s.compares(c)
	if s.t.pureMethods[c.name] && c.recv.k != vRef {
		s.quotes(c.name, true, c)
	}
	switch c.recv.k {
	case vRef:
		if s.lang == "python" && strings.HasPrefix(c.name, "__") && !s.t.pureMethods[c.name] {
			s.notSeen()
		}
		return s.refMethod(c)
	case vObj:
		if a := s.t.methods[c.recv.name+"."+c.name]; a != nil {
			return a(s, c)
		}
	case vFunc:
		if c.name == "call" || c.name == "apply" || c.name == "yield" || c.name == "()" {
			c.used = true
			args := c.args
			if s.lang == "node" && len(args) > 0 {
				args = args[1:]
			}
			return s.invoke(c.recv.fn, args)
		}
	case vDict:
		if v, ok := c.recv.item(c.name); ok && (v.k == vFunc || v.k == vRef) {
			return s.callValue(v, c)
		}
	}
	if v, ok := s.fold(c.name, c); ok {
		return v
	}
	if a := s.t.methods["*."+c.name]; a != nil && c.recv.k != vStr && c.recv.k != vList {
		return a(s, c)
	}
	if f := s.funcs["."+c.name]; f != nil {
		c.used = true
		args := c.args
		if s.lang == "python" && len(f.Params) > 0 && (f.Params[0] == "self" || f.Params[0] == "cls") {
			args = append([]val{c.recv}, args...)
		}
		return s.invoke(f, args)
	}
	if f := s.funcs[c.name]; f != nil && s.lang != "python" {
		c.used = true
		return s.invoke(f, c.args)
	}
	return s.unknownMethod(c)
}

// refMethod calls a function of a module, or a method of a function.
func (s *scan) refMethod(c *call) val {
	full := c.recv.name + "." + c.name
	if s.lang == "php" {
		full = strings.ToLower(full)
	}
	if v, ok := s.indirect(c); ok {
		return v
	}
	if s.t.calls[full] == nil && (c.name == "call" || c.name == "apply" || c.name == "bind") && s.lang == "node" && s.t.calls[c.recv.name] != nil {
		args := c.args[min(1, len(c.args)):]
		if c.name == "apply" {
			args = flat(args)
		}
		if c.name == "bind" {
			return c.recv
		}
		return s.callRef(c.recv.name, &call{args: args, kw: c.kw})
	}
	if s.t.calls[full] == nil {
		if f := s.funcs["."+c.name]; f != nil && s.funcs[c.recv.name] != nil || s.funcs[full] != nil {
			if s.funcs[full] != nil {
				f = s.funcs[full]
			}
			c.used = true
			return s.invoke(f, c.args)
		}
		if a := s.t.methods["*."+c.name]; a != nil && !s.t.harmless[c.recv.name] {
			return a(s, c)
		}
	}
	return s.callRef(full, c)
}

// indirect handles ways to reach a function by a detour: through the global
// object, as a method object, as what a dynamic import gives.
func (s *scan) indirect(c *call) (val, bool) {
	base := c.recv.name
	switch {
	case s.lang == "node" && globalObject(base), s.lang == "python" && base == "builtins":
		if base == "builtins" && s.t.calls["builtins."+c.name] != nil {
			return val{}, false
		}
		return s.callValue(s.plainName(c.name), c), true
	case s.lang == "node" && c.name == "then" && c.arg(0).k == vFunc:
		c.used = true
		return s.invoke(c.arg(0).fn, []val{c.recv}), true
	case s.lang == "ruby" && c.name == "method":
		if name, ok := c.arg(0).known(); ok {
			if base == "main" || base == "Kernel" || base == "Object" {
				return ref(name), true
			}
			return ref(base + "." + name), true
		}
	case s.lang == "ruby" && (c.name == "call" || c.name == "()" || c.name == "yield") && s.t.calls[base] != nil:
		return s.callRef(base, c), true
	}
	return val{}, false
}

// globalObject: names of JavaScript's global object.
func globalObject(name string) bool {
	return name == "global" || name == "globalThis" || name == "window" || name == "self"
}

// unknownMethod is a method that nothing is known about.
func (s *scan) unknownMethod(c *call) val {
	if s.lang == "python" && c.recv.k != vStr {
		s.stash(c.args...)
	}
	if s.lang == "python" && strings.HasPrefix(c.name, "__") && !s.t.pureMethods[c.name] {
		s.notSeen()
	}
	if !s.t.pureMethods[c.name] {
		s.impure()
		switch c.name {
		case "unlink", "rmdir", "rmtree", "delete", "remove", "write_text", "write_bytes", "kill", "terminate", "system", "exec", "eval", "spawn", "send", "__send__", "call", "instance_eval", "rename", "run", "Popen", "constructor":
			s.seen = false
		}
		if c.recv.k == vUnknown && !c.recv.dull && len(c.recv.src) == 0 {
			s.seen = false
		}
	}
	return derived(c.all()...)
}

// callbacks runs the functions that were handed to a call, with elements of
// what they are called for.
func (s *scan) callbacks(c *call) {
	if c.used {
		return
	}
	c.used = true
	var over val
	switch {
	case c.recv.k == vList || c.recv.k == vDict:
		over = element(c.recv)
	default:
		over = unknown()
		for _, a := range c.args {
			if a.k == vList || a.k == vDict {
				over = element(a)
			} else if a.k == vUnknown && a.s.Pattern() != "" {
				over = a
			}
		}
	}
	if c.recv.k == vUnknown && (len(c.recv.src) > 0 || c.recv.dull) {
		over = element(c.recv)
	}
	args := []val{over}
	if v, ok := c.kw["args"]; ok && v.k == vList {
		args = v.list
	}
	if c.recv.env { // names and values of variables
		over = over.with(c.recv)
		args = []val{over, over}
	}
	all := c.all()
	for _, a := range all[:len(all)-1] {
		switch {
		case a.k == vFunc:
			s.cond++
			if s.lang == "perl" {
				s.vars["$_"] = over
			}
			endless := c.name == "loop" || c.name == "setInterval"
			if endless {
				s.endless++
			}
			s.invoke(a.fn, args)
			if endless {
				s.endless--
			}
			s.cond--
		case a.k == vRef && s.t.calls[a.name] != nil && s.lang != "php":
			s.callRef(a.name, &call{args: args, kw: map[string]val{}, used: true})
		}
	}
}

// name evaluates a name.
func (s *scan) name(name string) val {
	if s.lang == "ruby" {
		if _, ok := s.vars[name]; !ok && name != "" && name[0] >= 'a' && name[0] <= 'z' && s.t.names[name] == nil {
			if strings.HasPrefix(name, "\x00") {
				return unknown()
			}
			return s.callRef(name, &call{kw: map[string]val{}})
		}
	}
	return s.plainName(name)
}

func (s *scan) plainName(name string) val {
	if v, ok := s.vars[name]; ok {
		return v
	}
	if f := s.t.names[name]; f != nil {
		return f(s, &call{name: name})
	}
	if f := s.funcs[name]; f != nil {
		return val{k: vFunc, fn: f}
	}
	if name != "" && strings.IndexByte("$@%", name[0]) >= 0 {
		return unknown()
	}
	return ref(name)
}

// attr evaluates an attribute.
func (s *scan) attr(o val, name string) val {
	if s.lang == "ruby" {
		if c := syntax.FirstByte(name); o.k == vRef && c >= 'A' && c <= 'Z' {
			return ref(o.name + "." + name)
		}
		return s.method(&call{recv: o, name: name, kw: map[string]val{}})
	}
	if s.lang == "python" && strings.HasPrefix(name, "__") {
		return s.dunder(o, name)
	}
	switch o.k {
	case vRef:
		if s.lang == "node" && globalObject(o.name) {
			return s.plainName(name)
		}
		full := o.name + "." + name
		if len(full) > maxName {
			s.notSeen()
			return unknown()
		}
		if f := s.t.names[full]; f != nil {
			return f(s, &call{recv: o, name: name})
		}
		if o.env && s.lang == "node" { // elsewhere these are methods
			return s.environment(name)
		}
		return ref(full)
	case vDict:
		if v, ok := o.item(name); ok {
			return v
		}
	case vObj:
		if f := s.t.names[o.name+"#"+name]; f != nil {
			return f(s, &call{recv: o, name: name})
		}
	case vStr, vList, vNum:
		if name == "length" {
			return dull()
		}
	}
	if o.env {
		return s.environment(name)
	}
	return derived(o)
}
