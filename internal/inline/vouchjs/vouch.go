package vouchjs

import (
	"strings"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/js"
)

// Values that run about in a program that is vouched for are data, functions of
// the program, and built-in functions that were read under a written name. None
// of these can evaluate text, load code or reach the system. What can is had in
// two ways only: by a name that nobody declared (eval, require, process), and
// those are listed; and by a property that leads to the makers of functions
// (constructor), which may not be written. What is read under a name that is
// computed may be anything, so that it may be looked at, and go nowhere.

// A Said is what a program that is vouched for does.
type Said struct {
	Reads  []string // files whose contents it reads
	Lists  []string // directories that it lists
	Writes []string // files that it writes, or adds to
	Loads  []string // files of JSON that it requires, as it names them
	Stdin  bool     // it reads its input
	Env    bool     // it looks at the whole environment
	Prints bool
}

// A use says what becomes of a value.
type use uint8

const (
	flows  use = iota // it may get anywhere
	looked            // it is printed, compared, counted with or asked for a property
)

// A binding is what a name means in a program, wherever it is bound there.
type binding struct {
	n      int        // how often
	path   string     // what a module has
	values []js.IExpr // what is assigned, nil for what is not known
}

// A voucher vouches for one program.
type voucher struct {
	names   map[string]*binding
	collect bool // names are collected, and whatever they mean is right
	steps   int
	said    Said
}

// The bounds of what is read.
const (
	maxText  = 64 << 10
	maxSteps = 40_000
	maxConst = 16
	maxDeep  = 64
)

// Node reports whether a program for Node.js does nothing else than what it
// says of it.
func Node(text string) (said Said, ok bool) {
	if len(text) > maxText || misreadable(text) {
		return Said{}, false
	}
	tree, err := js.Parse(parse.NewInputString(text), js.Options{})
	if err != nil {
		return Said{}, false
	}
	v := &voucher{names: map[string]*binding{}, collect: true}
	if !v.statements(tree.List) {
		return Said{}, false
	}
	v.collect, v.said = false, Said{}
	if !v.statements(tree.List) || v.steps > maxSteps {
		return Said{}, false
	}
	return v.said, true
}

// misreadable reports whether a text has what two readers may cut differently:
// comments as in HTML (ECMA-262, B.1.1), separators of lines beyond ASCII, a first
// line for the system.
func misreadable(text string) bool {
	for _, s := range []string{"<!--", "-->", "\u2028", "\u2029", "\ufeff", "\x00", "\v", "\f"} {
		if strings.Contains(text, s) {
			return true
		}
	}
	return strings.HasPrefix(text, "#!")
}

// bind notes that a name is given a value.
func (v *voucher) bind(name string, value js.IExpr) bool {
	if !plain(name) || reserved(name) {
		return false
	}
	if !v.collect {
		return true
	}
	b := v.names[name]
	if b == nil {
		b = &binding{}
		v.names[name] = b
	}
	b.n++
	b.values = append(b.values, value)
	return true
}

// alias notes that a name is given what a module has.
func (v *voucher) alias(name, path string) bool {
	if !v.bind(name, nil) {
		return false
	}
	if v.collect {
		v.names[name].path = path
	}
	return true
}

func (v *voucher) statements(list []js.IStmt) bool {
	for _, s := range list {
		if !v.statement(s) {
			return false
		}
	}
	return true
}

func (v *voucher) block(b *js.BlockStmt) bool { return b == nil || v.statements(b.List) }

// statement vouches for a statement; one that is not listed is not known.
func (v *voucher) statement(s js.IStmt) bool {
	if v.steps++; v.steps > maxSteps {
		return false
	}
	switch s := s.(type) {
	case nil, *js.EmptyStmt, *js.Comment, *js.DirectivePrologueStmt, *js.BranchStmt:
		return true
	case *js.BlockStmt:
		return v.block(s)
	case *js.ExprStmt:
		return v.expr(s.Value, looked)
	case *js.IfStmt:
		return v.expr(s.Cond, looked) && v.statement(s.Body) && v.statement(s.Else)
	case *js.DoWhileStmt:
		return v.expr(s.Cond, looked) && v.statement(s.Body)
	case *js.WhileStmt:
		return v.expr(s.Cond, looked) && v.statement(s.Body)
	case *js.ForStmt:
		return v.expr(s.Init, looked) && v.expr(s.Cond, looked) && v.expr(s.Post, looked) && v.block(s.Body)
	case *js.ForInStmt:
		return v.each(s.Init) && v.expr(s.Value, flows) && v.block(s.Body)
	case *js.ForOfStmt:
		return v.each(s.Init) && v.turns(s) && v.block(s.Body)
	case *js.SwitchStmt:
		return v.choice(s)
	case *js.ReturnStmt:
		return v.expr(s.Value, flows)
	case *js.ThrowStmt:
		v.said.Prints = true
		return v.expr(s.Value, flows)
	case *js.LabelledStmt:
		return v.statement(s.Value)
	case *js.TryStmt:
		return v.block(s.Body) && (s.Binding == nil || v.pattern(s.Binding, nil)) && v.block(s.Catch) && v.block(s.Finally)
	case *js.VarDecl:
		return v.declared(s)
	case *js.FuncDecl:
		return v.function(s)
	}
	return false
}

// choice vouches for a switch.
func (v *voucher) choice(s *js.SwitchStmt) bool {
	if !v.expr(s.Init, looked) {
		return false
	}
	for _, c := range s.List {
		if !v.expr(c.Cond, looked) || !v.statements(c.List) {
			return false
		}
	}
	return true
}

// turns vouches for what a loop runs over: lines of the input, or data.
func (v *voucher) turns(s *js.ForOfStmt) bool {
	if p, ok := v.path(s.Value); ok && p == "process.stdin" && s.Await {
		v.said.Stdin = true
		return true
	}
	return v.expr(s.Value, flows)
}

// each vouches for what a loop binds.
func (v *voucher) each(init js.IExpr) bool {
	switch init := init.(type) {
	case *js.VarDecl:
		for _, b := range init.List {
			if b.Default != nil || !v.pattern(b.Binding, nil) {
				return false
			}
		}
		return true
	case *js.Var:
		return v.bind(string(init.Name()), nil)
	}
	return false
}

// declared vouches for declarations.
func (v *voucher) declared(d *js.VarDecl) bool {
	for _, b := range d.List {
		module, isModule := v.required(b.Default)
		if isModule {
			if !v.module(b.Binding, module) {
				return false
			}
			continue
		}
		if !v.pattern(b.Binding, b.Default) || !v.expr(b.Default, flows) {
			return false
		}
	}
	return true
}

// module binds a module, or names of what it has.
func (v *voucher) module(b js.IBinding, module string) bool {
	switch b := b.(type) {
	case *js.Var:
		return v.alias(string(b.Name()), module)
	case *js.BindingObject:
		if b.Rest != nil {
			return false
		}
		for _, item := range b.List {
			x, ok := item.Value.Binding.(*js.Var)
			if !ok || item.Value.Default != nil {
				return false
			}
			key, ok := keyOf(item.Key)
			if item.Key == nil {
				key, ok = string(x.Name()), true
			}
			if !ok || !v.alias(string(x.Name()), module+"."+key) {
				return false
			}
		}
		return true
	}
	return false
}

// pattern vouches for what a declaration binds; value is what a single name
// gets, if that is written there.
func (v *voucher) pattern(b js.IBinding, value js.IExpr) bool {
	switch b := b.(type) {
	case nil:
		return true
	case *js.Var:
		return v.bind(string(b.Name()), value)
	case *js.BindingArray:
		return v.elements(b.List) && v.rest(b.Rest)
	case *js.BindingObject:
		for _, item := range b.List {
			if item.Key != nil {
				if key, ok := keyOf(item.Key); !ok || hazard(key) {
					return false
				}
			}
			if !v.element(item.Value) {
				return false
			}
		}
		return b.Rest == nil || v.bind(string(b.Rest.Name()), nil)
	}
	return false
}

func (v *voucher) rest(b js.IBinding) bool { return b == nil || v.pattern(b, nil) }

func (v *voucher) elements(list []js.BindingElement) bool {
	for _, e := range list {
		if !v.element(e) {
			return false
		}
	}
	return true
}

func (v *voucher) element(e js.BindingElement) bool {
	return v.pattern(e.Binding, nil) && v.expr(e.Default, flows)
}

func (v *voucher) function(f *js.FuncDecl) bool {
	if f.Generator || f.Name != nil && !v.bind(string(f.Name.Name()), nil) {
		return false
	}
	return v.parameters(&f.Params) && v.block(&f.Body)
}

func (v *voucher) parameters(p *js.Params) bool { return v.elements(p.List) && v.rest(p.Rest) }
