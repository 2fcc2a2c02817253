package vouch

import (
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"
)

// arguments vouches for arguments. It reports whether they are written out:
// without a list whose length is not known.
func (v *voucher) arguments(args []*syntax.Node, looks bool) (ok, plain bool) {
	plain = true
	for _, a := range args {
		if a.Op == syntax.OpKw && len(a.Kids) == 1 {
			a = a.Kids[0]
		}
		if a.Op == syntax.OpUnary && (a.Text == "*" || a.Text == "**") {
			plain = false
		}
		if !(looks && v.shown(a)) && !v.node(a) {
			return false, plain
		}
	}
	return true, plain
}

func (v *voucher) argumentsOK(args []*syntax.Node) bool {
	ok, _ := v.arguments(args, false)
	return ok
}

// call vouches for a call.
func (v *voucher) call(n *syntax.Node) bool {
	callee, args := n.Kids[0], n.Kids[1:]
	if v.evaluates(n) {
		body, ok := v.texts[n]
		return ok && len(args) == 1 && v.all(body)
	}
	if p, ok := v.path(callee); ok {
		return v.moduleFunction(p, n)
	}
	switch callee.Op {
	case syntax.OpName:
		b := v.names[callee.Text]
		switch {
		case b == nil:
			return v.builtin(callee.Text, n)
		case !b.own || b.path != "" || isBuiltin(callee.Text):
			return false
		}
		ok, plain := v.arguments(args, false)
		v.loose[callee.Text] = v.loose[callee.Text] || !plain
		return ok
	case syntax.OpAttr:
		return plainASCII(callee.Text) && v.method(n)
	}
	return false
}

// evaluates recognises calls that evaluate a text.
func (v *voucher) evaluates(n *syntax.Node) bool {
	if callee := n.Kids[0]; callee.Op == syntax.OpName && (callee.Text == "exec" || callee.Text == "eval") {
		return v.names[callee.Text] == nil
	}
	p := v.moduleCall(n)
	return p == "timeit.timeit" || p == "timeit.repeat"
}

// builtin vouches for a call of a built-in function.
func (v *voucher) builtin(name string, n *syntax.Node) bool {
	args := n.Kids[1:]
	switch name {
	case "open":
		return v.open(n, args, 1)
	case "type":
		return len(args) == 1 && v.shown(args[0])
	case "getattr":
		attr, ok := literal(pickNode(args, 1))
		return ok && !strings.HasPrefix(attr, "_") && !innards(attr) && !hazards(attr) && v.argumentsOK(args)
	case "print", "len", "dir", "repr", "str", "hasattr", "id", "isinstance", "bool", "callable":
		ok, _ := v.arguments(args, true)
		return ok
	}
	return vouchedBuiltins(name) && v.argumentsOK(args)
}

// open vouches for opening a file: its name must be known, and the mode must
// stand there. mode is the place of the mode among the arguments.
func (v *voucher) open(n *syntax.Node, args []*syntax.Node, mode int) bool {
	if mode > 0 && (len(args) == 0 || !v.stable(args[0], 0)) {
		return false
	}
	for i, a := range args {
		m := a
		switch {
		case a.Op == syntax.OpKw && len(a.Kids) == 1:
			m = a.Kids[0]
			if a.Text != "mode" && a.Text != "encoding" && a.Text != "errors" && a.Text != "newline" {
				return false
			}
			if a.Text != "mode" {
				continue
			}
		case i != mode:
			continue
		}
		if _, ok := literal(m); !ok {
			return false
		}
	}
	ok, plain := v.arguments(args, false)
	return ok && plain && v.called[n]
}

// method vouches for calling a method.
func (v *voucher) method(n *syntax.Node) bool {
	callee, args := n.Kids[0], n.Kids[1:]
	name, of := callee.Text, callee.Kids[0]
	ok, plain := v.arguments(args, false)
	if !ok {
		return false
	}
	if of.Op == syntax.OpName && v.names[of.Text] == nil && builtinTypes(of.Text) { // str.join, dict.fromkeys
		return v.known.Methods[name] && !hazards(name)
	}
	if name == "__init__" { // of the class above
		return of.Op == syntax.OpCall && of.Kids[0].Op == syntax.OpName && of.Kids[0].Text == "super" && v.names["super"] == nil
	}
	if !v.node(of) {
		return false
	}
	switch {
	case strings.HasPrefix(name, "__"):
		return name == "__len__" || name == "__next__"
	case name == "replace" && len(args) >= 2 && args[0].Op != syntax.OpKw:
		return true
	case hazards(name):
		return plain && v.onPath(n, name, of, args)
	case name == "write" && v.archives, name == "copy" && len(args) > 0, name == "communicate" && len(args) > 0:
		return false
	case frameWriters(name), name == "run", name == "execute_query", name == "execute", name == "executemany", name == "executescript":
		return plain && len(args) > 0 && v.stable(args[0], 0) && v.called[n]
	case name == "apply" || name == "agg" || name == "aggregate": // by name they call any method
		return plain && v.aggregates(args)
	case v.methods[name]:
		v.loose[name] = v.loose[name] || !plain
		return true
	}
	return v.known.Methods[name] || vouchedMethods(name)
}

// aggregates vouches for what a data frame applies: functions of the program,
// and the names of sums and their like.
func (v *voucher) aggregates(args []*syntax.Node) bool {
	for _, a := range args {
		switch a.Op {
		case syntax.OpFunc, syntax.OpNum:
			continue
		case syntax.OpName:
			if b := v.names[a.Text]; b == nil || b.own {
				continue
			}
		case syntax.OpStr:
			if t, ok := literal(a); ok && aggregateNames(t) {
				continue
			}
		case syntax.OpList, syntax.OpDict:
			if v.aggregates(a.Kids) {
				continue
			}
		case syntax.OpKw:
			if len(a.Kids) == 2 || a.Text == "axis" || a.Text == "func" {
				if v.aggregates(a.Kids[:1]) {
					continue
				}
			}
		}
		return false
	}
	return true
}

func aggregateNames(name string) bool {
	switch name {
	case "sum", "mean", "min", "max", "count", "std", "var", "median", "first", "last", "nunique", "size":
		return true
	}
	return false
}

// onPath vouches for a method of a path that does something with the file.
func (v *voucher) onPath(n *syntax.Node, name string, of *syntax.Node, args []*syntax.Node) bool {
	if v.methods[name] || !v.isPath(of, 0) || !v.stable(of, 0) || !v.called[n] {
		return false
	}
	switch name {
	case "open":
		return v.open(n, args, 0)
	case "rename", "replace", "symlink_to", "hardlink_to", "link_to", "glob", "rglob":
		return len(args) == 1 && v.stable(args[0], 0)
	}
	return true
}

// moduleFunction vouches for calling what a module has.
func (v *voucher) moduleFunction(p string, n *syntax.Node) bool {
	args := n.Kids[1:]
	if describes(p) && len(args) == 1 && v.described(args[0]) {
		return true
	}
	ok, plain := v.arguments(args, false)
	if !ok {
		return false
	}
	if places, known := acts(p); known {
		return plain && v.called[n] && v.act(p, places, n)
	}
	if p == "inspect.signature" { // with more it evaluates annotations
		return len(args) == 1
	}
	if !v.harmless(p) && !vouchedFunctions(p) {
		return false
	}
	for _, a := range args {
		if a.Op == syntax.OpUnary && a.Text == "**" || a.Op == syntax.OpKw && (a.Text == "filename" || a.Text == "handlers" || a.Text == "file" && strings.HasPrefix(p, "logging.")) {
			return false
		}
	}
	return true
}

// describes knows functions that say what a function is, and do not call it.
func describes(p string) bool {
	switch p {
	case "inspect.signature", "inspect.getdoc", "inspect.isfunction", "inspect.isclass", "inspect.ismodule":
		return true
	}
	return false
}

// described vouches for what a module of others has, as something to describe.
func (v *voucher) described(n *syntax.Node) bool {
	p, ok := v.path(n)
	return ok && strings.Contains(p, ".") && !strings.Contains(p, "._") && plainASCII(p)
}

// act vouches for a function that does something: how it is told what to do
// it to must be known.
func (v *voucher) act(p, places string, n *syntax.Node) bool {
	args := n.Kids[1:]
	switch places {
	case "open":
		return v.open(n, args, 1)
	case "process":
		return v.process(args)
	case "any":
		return true
	}
	for i, a := range args {
		switch {
		case a.Op == syntax.OpKw:
			if !vouchedKeywords(a.Text) {
				return false
			}
		case strings.IndexByte(places, byte('0'+i)) >= 0:
			if !v.stable(a, 0) {
				return false
			}
		case strings.HasPrefix(p, "os.popen"):
			return false
		}
	}
	need := int(places[len(places)-1] - '0')
	if p == "os.listdir" || p == "os.scandir" || p == "pathlib.Path" {
		need = -1
	}
	return len(args) > need && (need < 0 || args[need].Op != syntax.OpKw)
}

// process vouches for starting a program: with known words, and in no
// circumstances that change what they mean.
func (v *voucher) process(args []*syntax.Node) bool {
	if len(args) == 0 || args[0].Op == syntax.OpKw || !v.stable(args[0], 0) {
		return false
	}
	for _, a := range args[1:] {
		if a.Op != syntax.OpKw {
			return false
		}
		switch a.Text {
		case "capture_output", "stdout", "stderr", "text", "universal_newlines", "check", "timeout", "encoding", "errors", "bufsize", "close_fds", "start_new_session":
		case "cwd":
			if !v.stable(a.Kids[0], 0) {
				return false
			}
		case "shell":
			if k := a.Kids[0]; k.Op != syntax.OpName || k.Text != "True" && k.Text != "False" {
				return false
			}
		default: // env, executable, input, preexec_fn, stdin …
			return false
		}
	}
	return true
}
