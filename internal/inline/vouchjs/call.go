package vouchjs

import (
	"path"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// path is the full name of what a module or a name of the system has, if an
// expression is written as one: fs.readFileSync, process.stdout.write.
func (v *voucher) path(e js.IExpr) (string, bool) {
	if v.steps++; v.steps > maxSteps {
		return "", false
	}
	switch e := e.(type) {
	case *js.Var:
		name := string(e.Name())
		if b := v.names[name]; b != nil {
			return b.path, b.path != "" && (b.n == 1 || v.collect)
		}
		return name, rooted(name)
	case *js.GroupExpr:
		return v.path(e.X)
	case *js.CallExpr:
		return v.required(e)
	case *js.DotExpr:
		of, key, written := property(e)
		if p, ok := v.path(of); of != nil && ok && written {
			return p + "." + key, p != "process.env" && p != "process.argv"
		}
	}
	return "", false
}

// required is the module of Node that an expression requires.
func (v *voucher) required(e js.IExpr) (string, bool) {
	name, ok := v.requires(e)
	if !ok {
		return "", false
	}
	name = strings.TrimPrefix(name, "node:")
	return strings.ReplaceAll(name, "/", "."), loadable(name)
}

// requires is what an expression requires.
func (v *voucher) requires(e js.IExpr) (string, bool) {
	if g, ok := e.(*js.GroupExpr); ok {
		return v.requires(g.X)
	}
	c, ok := e.(*js.CallExpr)
	if !ok || c.Optional || len(c.Args.List) != 1 || c.Args.List[0].Rest {
		return "", false
	}
	if x, isVar := c.X.(*js.Var); !isVar || string(x.Name()) != "require" || v.names["require"] != nil {
		return "", false
	}
	return stringOf(c.Args.List[0].Value)
}

// data notes a file of JSON that is required.
func (v *voucher) data(name string) bool {
	if !strings.HasSuffix(name, ".json") || !(strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../") || strings.HasPrefix(name, "/")) {
		return false
	}
	v.said.Loads = append(v.said.Loads, name)
	return true
}

// constant vouches for a value that a module or the system has.
func (v *voucher) constant(p string) bool {
	if p == "process.env" {
		v.said.Env = true
	}
	return v.collect || valuePath(p)
}

// call vouches for a call.
func (v *voucher) call(e *js.CallExpr, u use) bool {
	args := e.Args.List
	if name, ok := v.requires(e); ok {
		return v.data(name) // a module by itself is no value
	}
	if x, ok := e.X.(*js.Var); ok && v.names[string(x.Name())] == nil && globalCall(string(x.Name())) {
		return v.arguments(args, flows)
	}
	if p, ok := v.path(e.X); ok {
		return v.listed(p, args, u)
	}
	switch x := e.X.(type) {
	case *js.Var:
		return v.name(string(x.Name())) && v.arguments(args, flows)
	case *js.GroupExpr, *js.ArrowFunc, *js.FuncDecl, *js.CallExpr:
		return v.expr(x, flows) && v.arguments(args, flows)
	case *js.DotExpr, *js.IndexExpr:
		return v.method(x, args)
	}
	return false
}

// method vouches for calling a method of a value: none of those that data and
// functions have does more than compute, whatever it is called. Of a value that
// may be anything, only those are called that give something new: valueOf and bind
// would hand it over.
func (v *voucher) method(x js.IExpr, args []js.Arg) bool {
	of, key, written := property(x)
	if of == nil || hazard(key) {
		return false
	}
	if i, isIndex := x.(*js.IndexExpr); isIndex && !written && !v.number(i.Y, 0) {
		return false
	}
	if name, ok := of.(*js.Var); ok && v.names[string(name.Name())] == nil && !v.collect && maker(string(name.Name())) {
		return false // what is listed of these is found by its path
	}
	if v.stream(of) {
		return kindOf("process.stdin."+key) == "input" && v.expr(of, looked) && v.arguments(args, flows)
	}
	if v.anything(of, 0) && !v.collect && !fresh(key) {
		return false
	}
	return v.asked(of) && v.arguments(args, flows)
}

// arguments vouches for arguments. A function that is handed over may be one
// that makes a number or a text of what it gets.
func (v *voucher) arguments(args []js.Arg, u use) bool {
	for _, a := range args {
		if x, ok := a.Value.(*js.Var); ok && v.names[string(x.Name())] == nil && converter(string(x.Name())) {
			continue
		}
		if p, ok := v.path(a.Value); ok && handed(p) {
			v.said.Prints = true
			continue
		}
		if !v.expr(a.Value, u) {
			return false
		}
	}
	return true
}

// listed vouches for calling what a module or the system has.
func (v *voucher) listed(p string, args []js.Arg, u use) bool {
	if v.collect {
		return v.arguments(args, looked)
	}
	switch kindOf(p) {
	case "compute":
		return v.arguments(args, flows)
	case "look":
		return v.arguments(args, looked)
	case "print":
		v.said.Prints = true
		return v.arguments(args, looked)
	case "input": // a stream, which goes nowhere
		v.said.Stdin = true
		return u == looked && v.arguments(args, flows)
	case "timer":
		if len(args) == 0 {
			return false
		}
		switch args[0].Value.(type) {
		case *js.ArrowFunc, *js.FuncDecl:
			return v.arguments(args, flows)
		}
		return false
	case "read":
		return v.file(args, &v.said.Reads)
	case "list":
		return v.file(args, &v.said.Lists)
	case "write":
		return v.file(args, &v.said.Writes)
	}
	return false
}

// file vouches for doing something to a file that is written there.
func (v *voucher) file(args []js.Arg, to *[]string) bool {
	if len(args) == 0 || args[0].Rest {
		return false
	}
	if n, ok := args[0].Value.(*js.LiteralExpr); ok && string(n.Data) == "0" && to == &v.said.Reads {
		v.said.Stdin = true
		return v.arguments(args[1:], flows)
	}
	name, ok := v.text(args[0].Value, 0)
	if !ok || name == "" {
		return false
	}
	for _, a := range args[1:] { // {flag: 'w'} says something else than the name of the function
		if _, isObject := a.Value.(*js.ObjectExpr); a.Rest || isObject && !encodingOnly(a.Value.(*js.ObjectExpr)) {
			return false
		}
		if x, isVar := a.Value.(*js.Var); isVar && to == &v.said.Reads && v.names[string(x.Name())] != nil {
			return false // options that are not written there
		}
	}
	*to = append(*to, name)
	return v.arguments(args[1:], flows)
}

// encodingOnly reports whether options say nothing but an encoding.
func encodingOnly(o *js.ObjectExpr) bool {
	for _, p := range o.List {
		key, ok := keyOf(p.Name)
		if !ok || p.Spread || key != "encoding" && key != "withFileTypes" && key != "recursive" {
			return false
		}
	}
	return true
}

// text is a text that is put together from constants by names that are bound
// once.
func (v *voucher) text(e js.IExpr, depth int) (string, bool) {
	if depth > maxConst {
		return "", false
	}
	if s, ok := stringOf(e); ok {
		return s, true
	}
	switch e := e.(type) {
	case *js.GroupExpr:
		return v.text(e.X, depth+1)
	case *js.Var:
		if b := v.names[string(e.Name())]; b != nil && b.n == 1 && len(b.values) == 1 && b.values[0] != nil {
			return v.text(b.values[0], depth+1)
		}
	case *js.CallExpr:
		if p, ok := v.path(e.X); !ok || p != "path.join" {
			return "", false
		}
		var parts []string
		for _, a := range e.Args.List {
			s, ok := v.text(a.Value, depth+1)
			if !ok || a.Rest {
				return "", false
			}
			parts = append(parts, s)
		}
		return path.Join(parts...), len(parts) > 0
	}
	return "", false
}

// made vouches for new.
func (v *voucher) made(e *js.NewExpr) bool {
	x, ok := e.X.(*js.Var)
	if !ok || !v.collect && (v.names[string(x.Name())] != nil || !maker(string(x.Name()))) {
		return false
	}
	return e.Args == nil || v.arguments(e.Args.List, flows)
}
