package vouch

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/inline/syntax"
)

// The evaluator follows values as far as it can, and what it finds holds; but
// that it finds nothing would say nothing about code that is written to be
// misread. A voucher reads the same tree again, without following anything: it
// vouches for a program if every call in it is of something known by a name
// that is bound once, if functions that do something get their targets from
// constants, and if nothing else that could be called is handed around. It
// knows Python only, and what it does not know it does not vouch for.

// A binding is what a name means in a program, wherever it is bound there.
type binding struct {
	n      int            // how often
	own    bool           // a function or class of the program, every time
	path   string         // what an import binds
	values []*syntax.Node // what is assigned, nil for what is not known
	each   []*syntax.Node // what it runs over as a loop variable
	fn     *syntax.Node   // the function that it is a parameter of
}

// A voucher vouches for one program.
type voucher struct {
	known    Known
	called   map[*syntax.Node]bool           // calls that the evaluator came by
	names    map[string]*binding             // of the program
	methods  map[string]bool                 // of its classes
	inClass  map[*syntax.Node]bool           // functions that are methods
	loose    map[string]bool                 // functions and methods that may be called from elsewhere
	texts    map[*syntax.Node][]*syntax.Node // calls that evaluate a text, and what is in it
	modules  map[string]bool                 // first parts of the names of imported modules
	archives bool                            // it can write archives
	steps    int
}

// Known is what the evaluator knows of the names of a language.
type Known struct {
	Harmless map[string]bool // modules and functions that only compute
	Modules  map[string]bool // that may be loaded, but whose other functions are not known
	Methods  map[string]bool // that only compute
}

// maxVouch bounds the nodes that are looked at.
const maxVouch = 60_000

// Python reports whether the evaluator has seen all that a Python program does.
// It returns the modules that the program loads.
func Python(text string, body []*syntax.Node, called map[*syntax.Node]bool, known Known) (modules []string, ok bool) {
	v := &voucher{
		known: known, called: called, names: map[string]*binding{}, methods: map[string]bool{}, inClass: map[*syntax.Node]bool{},
		loose: map[string]bool{}, modules: map[string]bool{}, texts: map[*syntax.Node][]*syntax.Node{},
	}
	if misreadable(text) {
		return nil, false
	}
	v.collectAll(body)
	v.archives = v.modules["zipfile"] || v.modules["tarfile"] || v.modules["xml"]
	ok = v.all(body) // finds out what is loose
	ok = ok && v.all(body) && v.steps < maxVouch
	for m := range v.modules {
		modules = append(modules, m)
	}
	slices.Sort(modules)
	return modules, ok
}

// misreadable reports whether Python may cut a text into other lines or
// letters than they are cut into here: a lone carriage return ends a line
// (language reference, 2.1.2), and an encoding is declared in the first two
// (2.1.4). Letters beyond ASCII in names are normalized (2.3); such names are
// not known, so they are not vouched for.
func misreadable(text string) bool {
	for i := range len(text) {
		if c := text[i]; c == '\r' && (i+1 == len(text) || text[i+1] != '\n') || c == '\f' || c == 0 {
			return true
		}
	}
	for range 2 {
		line, rest, _ := strings.Cut(text, "\n")
		if i := strings.Index(line, "coding"); i >= 0 && strings.Contains(line, "#") {
			name := strings.ToLower(strings.TrimLeft(line[i+len("coding"):], ":= \t"))
			if !strings.HasPrefix(name, "utf-8") && !strings.HasPrefix(name, "utf8") && !strings.HasPrefix(name, "ascii") {
				return true
			}
		}
		text = rest
	}
	return false
}

func (v *voucher) bind(name string) *binding {
	b := v.names[name]
	if b == nil {
		b = &binding{own: true}
		v.names[name] = b
	}
	b.n++
	return b
}

// collectAll notes what statements bind.
func (v *voucher) collectAll(body []*syntax.Node) {
	decorated := false
	for _, n := range body {
		if n == nil {
			continue
		}
		if n.Op == syntax.OpFunc && decorated {
			v.loose[n.Text] = true
		}
		decorated = n.Op == syntax.OpUnary && n.Text == "decorator"
		v.collect(n)
	}
}

// collect notes what a node and all in it bind.
func (v *voucher) collect(n *syntax.Node) {
	if n == nil {
		return
	}
	if v.steps++; v.steps > maxVouch {
		return
	}
	switch n.Op {
	case syntax.OpAssign:
		value := n.Kids[1]
		if n.Text != "=" && n.Text != ":=" {
			value = nil
		}
		v.target(n.Kids[0], value, nil)
	case syntax.OpFor:
		if len(n.Kids) > 1 {
			v.target(n.Kids[0], nil, n.Kids[1])
		}
	case syntax.OpComp:
		for i := 1; i+1 < len(n.Kids); i += 2 {
			v.target(n.Kids[i], nil, n.Kids[i+1])
		}
	case syntax.OpFunc:
		v.function(n)
	case syntax.OpCall:
		if t, ok := literal(pickNode(n.Kids, 1)); ok && v.evaluates(n) && len(v.texts) < syntax.MaxEval {
			body, good := syntax.Parse("python", t, 1)
			if good && !misreadable(t) {
				v.texts[n] = body
				v.collectAll(body)
			}
		}
	case syntax.OpClass:
		v.bind(n.Text)
		for _, k := range n.Body {
			if k.Op == syntax.OpFunc {
				v.inClass[k] = true
			}
		}
	case syntax.OpImport:
		v.imported(n)
	case syntax.OpReturn:
		if n.Text == "del" {
			for _, k := range n.Kids {
				v.target(k, nil, nil)
				v.target(k, nil, nil)
			}
		}
	}
	v.collectAll(n.Kids)
	v.collectAll(n.Body)
}

// function notes a function's name and parameters.
func (v *voucher) function(n *syntax.Node) {
	if v.inClass[n] {
		v.methods[n.Text] = true
	} else if n.Text != "" {
		v.bind(n.Text)
	}
	for _, p := range n.Params {
		b := v.bind(strings.TrimLeft(p, "*"))
		b.own = false
		b.values = append(b.values, nil)
		if n.Text != "" && !strings.HasPrefix(p, "*") {
			b.fn = n
		}
	}
}

func (v *voucher) imported(n *syntax.Node) {
	for i := 0; i+1 < len(n.Params); i += 2 {
		name, alias := n.Params[i], n.Params[i+1]
		whole := name
		if n.Text != "" {
			whole = n.Text + "." + name
		}
		first, _, _ := strings.Cut(whole, ".")
		v.modules[first] = true
		switch {
		case alias == "" && n.Text == "":
			alias, whole = first, first
		case alias == "":
			alias = name
		}
		b := v.bind(alias)
		if b.n == 1 || b.path == whole && b.own {
			b.path, b.n = whole, 1
			continue
		}
		b.own = false
	}
}

// target notes the names that an assignment or a loop binds.
func (v *voucher) target(n, value, each *syntax.Node) {
	if n == nil {
		return
	}
	switch n.Op {
	case syntax.OpName:
		b := v.bind(n.Text)
		b.own = false
		if value != nil && value.Op == syntax.OpUnary && value.Text == "with" && len(value.Kids) == 1 {
			value = value.Kids[0]
		}
		if each != nil {
			b.each = append(b.each, each)
		} else {
			b.values = append(b.values, value)
		}
	case syntax.OpList, syntax.OpDict:
		if v.moduleCall(each) != "os.walk" {
			each = nil
		}
		for _, k := range n.Kids {
			v.target(k, nil, each)
		}
	case syntax.OpUnary, syntax.OpKw:
		for _, k := range n.Kids {
			v.target(k, nil, nil)
		}
	}
}

// all vouches for every node.
func (v *voucher) all(nodes []*syntax.Node) bool {
	for _, n := range nodes {
		if n != nil && !v.node(n) {
			return false
		}
	}
	return true
}

// node vouches for a statement, or an expression that is a value.
func (v *voucher) node(n *syntax.Node) bool {
	if v.steps++; v.steps > maxVouch {
		return false
	}
	switch n.Op {
	case syntax.OpLit, syntax.OpNum:
		return true
	case syntax.OpStr, syntax.OpList, syntax.OpDict, syntax.OpKw, syntax.OpBin, syntax.OpCond, syntax.OpIf, syntax.OpLoop, syntax.OpTry, syntax.OpBlock, syntax.OpFunc:
		return v.all(n.Kids) && v.all(n.Body)
	case syntax.OpSlice:
		return v.shown(n.Kids[0]) && v.all(n.Kids[1:]) && v.all(n.Body)
	case syntax.OpUnary:
		if n.Text == "decorator" {
			return v.decorator(n.Kids[0])
		}
		return v.all(n.Kids)
	case syntax.OpName:
		return v.value(n.Text)
	case syntax.OpAttr:
		return v.attribute(n)
	case syntax.OpCall:
		return v.call(n)
	case syntax.OpIndex:
		if p, ok := v.path(n.Kids[0]); ok && (p == "os.environ" || p == "sys.path") {
			return v.all(n.Kids[1:])
		}
		return v.all(n.Kids)
	case syntax.OpAssign:
		return v.assigned(n.Kids[0]) && v.node(n.Kids[1])
	case syntax.OpFor:
		return len(n.Kids) > 1 && v.assigned(n.Kids[0]) && v.shown(n.Kids[1]) && v.all(n.Body)
	case syntax.OpComp:
		return v.comprehension(n)
	case syntax.OpReturn:
		if n.Text == "del" {
			return v.allAssigned(n.Kids)
		}
		return v.all(n.Kids)
	case syntax.OpImport:
		return !slices.Contains(n.Params, "*")
	case syntax.OpClass:
		return v.class(n)
	case syntax.OpJump:
		return true
	}
	return false
}

func (v *voucher) comprehension(n *syntax.Node) bool {
	for i := 1; i+1 < len(n.Kids); i += 2 {
		if !v.assigned(n.Kids[i]) || !v.shown(n.Kids[i+1]) {
			return false
		}
	}
	return v.node(n.Kids[0]) && v.all(n.Body)
}

// class vouches for a class: what it inherits must be known.
func (v *voucher) class(n *syntax.Node) bool {
	for _, k := range n.Kids {
		if k.Op == syntax.OpKw && k.Text != "total" && k.Text != "frozen" && k.Text != "metaclass" || !v.node(k) {
			return false
		}
		if p, ok := v.path(k); ok && !v.harmless(p) && !strings.HasSuffix(p, "Error") && p != "threading.Thread" {
			return false
		}
	}
	return v.all(n.Body)
}

// decorator vouches for what a function is handed to.
func (v *voucher) decorator(n *syntax.Node) bool {
	if n.Op == syntax.OpCall {
		return v.node(n)
	}
	if p, ok := v.path(n); ok {
		return v.harmless(p)
	}
	if n.Op == syntax.OpAttr {
		return (n.Text == "setter" || n.Text == "getter" || n.Text == "deleter") && v.node(n.Kids[0])
	}
	return n.Op == syntax.OpName && v.value(n.Text)
}

// path is the full name of what a module has, if n is written as one.
func (v *voucher) path(n *syntax.Node) (string, bool) {
	switch {
	case n == nil:
	case n.Op == syntax.OpName:
		if b := v.names[n.Text]; b != nil && b.n == 1 && b.path != "" && b.own {
			return b.path, true
		}
	case n.Op == syntax.OpAttr:
		if p, ok := v.path(n.Kids[0]); ok {
			return p + "." + n.Text, true
		}
	}
	return "", false
}

// value vouches for a name that stands as a value.
func (v *voucher) value(name string) bool {
	b := v.names[name]
	switch {
	case b == nil:
		return builtinValues(name) || strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Warning")
	case b.path != "":
		p, ok := v.path(&syntax.Node{Op: syntax.OpName, Text: name})
		return ok && v.constant(p)
	case b.own:
		v.loose[name] = true
	}
	return true
}

// attribute vouches for an attribute that stands as a value.
func (v *voucher) attribute(n *syntax.Node) bool {
	if p, ok := v.path(n); ok {
		return v.constant(p)
	}
	if strings.HasPrefix(n.Text, "__") && !plainDunders(n.Text) || innards(n.Text) || !plainASCII(n.Text) {
		return false
	}
	v.loose[n.Text] = v.loose[n.Text] || v.methods[n.Text]
	return v.node(n.Kids[0])
}

// constant vouches for a value that a module has: what can be called with it
// must do no more than compute.
func (v *voucher) constant(p string) bool {
	last := p[strings.LastIndexByte(p, '.')+1:]
	switch {
	case strings.Contains(p, "._"):
		return (last == "__version__" || last == "__file__" || last == "__name__") && strings.Count(p, ".") == 1
	case strings.HasSuffix(last, "version"):
		return strings.Count(p, ".") == 1
	case vouchedValues(p), v.harmless(p):
		return true
	}
	return strings.HasSuffix(last, "Error") || strings.HasSuffix(last, "Exception") || last != strings.ToLower(last) && last == strings.ToUpper(last)
}

// shown vouches for a value that is only looked at: a module, too.
func (v *voucher) shown(n *syntax.Node) bool {
	if p, ok := v.path(n); ok && (!strings.Contains(p, ".") || p == "sys.path" || p == "os.environ") {
		return true
	}
	return v.node(n)
}

func (v *voucher) allAssigned(nodes []*syntax.Node) bool {
	for _, n := range nodes {
		if !v.assigned(n) {
			return false
		}
	}
	return true
}

// assigned vouches for a target of an assignment: nothing of a module, and no
// special attribute.
func (v *voucher) assigned(n *syntax.Node) bool {
	if n == nil {
		return true
	}
	switch n.Op {
	case syntax.OpName:
		return plainASCII(n.Text)
	case syntax.OpList, syntax.OpUnary, syntax.OpDict:
		return v.allAssigned(n.Kids)
	case syntax.OpAttr:
		if _, ok := v.path(n); ok || strings.HasPrefix(n.Text, "__") || !plainASCII(n.Text) {
			return false
		}
		return v.node(n.Kids[0])
	case syntax.OpIndex, syntax.OpSlice:
		if _, ok := v.path(n.Kids[0]); ok {
			return false
		}
		return v.all(n.Kids) && v.all(n.Body)
	}
	return false
}

// harmless reports whether what a module has under a name only computes.
func (v *voucher) harmless(p string) bool {
	if vouchedNever(p) {
		return false
	}
	if strings.Contains(p, ".") && v.known.Harmless[p] { // by its whole name
		return true
	}
	module := ""
	for i := 0; i <= len(p); i++ {
		if (i == len(p) || p[i] == '.') && (v.module(p[:i]) || dottedModules(p[:i])) {
			module = p[:i]
		}
	}
	if module == "" || module == p {
		return false
	}
	rest := strings.Split(p[len(module)+1:], ".")
	for i, r := range rest {
		if r == "" || strings.HasPrefix(r, "_") || !plainASCII(r) {
			return false
		}
		// A module has other modules, too; a class does not.
		lower := (r[0] < 'A' || r[0] > 'Z') && !lowerClasses(module+"."+r)
		if lower && (i < len(rest)-1 || v.module(r) && !strings.HasSuffix("."+module, "."+r)) {
			return false
		}
	}
	class := module + "." + rest[0]
	if vouchedNever(class) || vouchedNever(module) {
		return false
	}
	return v.known.Harmless[module] || v.known.Harmless[p] || v.known.Harmless[class] || v.known.Harmless[module+".*"]
}

// module reports whether a name is one of a known module.
func (v *voucher) module(name string) bool {
	return v.known.Modules[name] || v.known.Harmless[name] && !strings.Contains(name, ".") && !isBuiltin(name)
}
