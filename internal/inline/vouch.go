package inline

import (
	"slices"
	"strings"
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
	n      int     // how often
	own    bool    // a function or class of the program, every time
	path   string  // what an import binds
	values []*node // what is assigned, nil for what is not known
	each   []*node // what it runs over as a loop variable
	fn     *node   // the function that it is a parameter of
}

// A voucher vouches for one program.
type voucher struct {
	t        *table
	called   map[*node]bool      // calls that the evaluator came by
	names    map[string]*binding // of the program
	methods  map[string]bool     // of its classes
	inClass  map[*node]bool      // functions that are methods
	loose    map[string]bool     // functions and methods that may be called from elsewhere
	texts    map[*node][]*node   // calls that evaluate a text, and what is in it
	modules  map[string]bool     // first parts of the names of imported modules
	archives bool                // it can write archives
	steps    int
}

// maxVouch bounds the nodes that are looked at.
const maxVouch = 60_000

// vouch reports whether the evaluator has seen all that a Python program does.
// It returns the modules that the program loads.
func vouch(text string, body []*node, called map[*node]bool) (modules []string, ok bool) {
	v := &voucher{
		t: pythonTable.Get(), called: called, names: map[string]*binding{}, methods: map[string]bool{}, inClass: map[*node]bool{},
		loose: map[string]bool{}, modules: map[string]bool{}, texts: map[*node][]*node{},
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
func (v *voucher) collectAll(body []*node) {
	decorated := false
	for _, n := range body {
		if n == nil {
			continue
		}
		if n.op == nFunc && decorated {
			v.loose[n.s] = true
		}
		decorated = n.op == nUnary && n.s == "decorator"
		v.collect(n)
	}
}

// collect notes what a node and all in it bind.
func (v *voucher) collect(n *node) {
	if n == nil {
		return
	}
	if v.steps++; v.steps > maxVouch {
		return
	}
	switch n.op {
	case nAssign:
		value := n.kids[1]
		if n.s != "=" && n.s != ":=" {
			value = nil
		}
		v.target(n.kids[0], value, nil)
	case nFor:
		if len(n.kids) > 1 {
			v.target(n.kids[0], nil, n.kids[1])
		}
	case nComp:
		for i := 1; i+1 < len(n.kids); i += 2 {
			v.target(n.kids[i], nil, n.kids[i+1])
		}
	case nFunc:
		v.function(n)
	case nCall:
		if t, ok := literal(pickNode(n.kids, 1)); ok && v.evaluates(n) && len(v.texts) < maxEval {
			body, good := parse("python", t, 1)
			if good && !misreadable(t) {
				v.texts[n] = body
				v.collectAll(body)
			}
		}
	case nClass:
		v.bind(n.s)
		for _, k := range n.body {
			if k.op == nFunc {
				v.inClass[k] = true
			}
		}
	case nImport:
		v.imported(n)
	case nReturn:
		if n.s == "del" {
			for _, k := range n.kids {
				v.target(k, nil, nil)
				v.target(k, nil, nil)
			}
		}
	}
	v.collectAll(n.kids)
	v.collectAll(n.body)
}

// function notes a function's name and parameters.
func (v *voucher) function(n *node) {
	if v.inClass[n] {
		v.methods[n.s] = true
	} else if n.s != "" {
		v.bind(n.s)
	}
	for _, p := range n.params {
		b := v.bind(strings.TrimLeft(p, "*"))
		b.own = false
		b.values = append(b.values, nil)
		if n.s != "" && !strings.HasPrefix(p, "*") {
			b.fn = n
		}
	}
}

func (v *voucher) imported(n *node) {
	for i := 0; i+1 < len(n.params); i += 2 {
		name, alias := n.params[i], n.params[i+1]
		whole := name
		if n.s != "" {
			whole = n.s + "." + name
		}
		first, _, _ := strings.Cut(whole, ".")
		v.modules[first] = true
		switch {
		case alias == "" && n.s == "":
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
func (v *voucher) target(n, value, each *node) {
	if n == nil {
		return
	}
	switch n.op {
	case nName:
		b := v.bind(n.s)
		b.own = false
		if value != nil && value.op == nUnary && value.s == "with" && len(value.kids) == 1 {
			value = value.kids[0]
		}
		if each != nil {
			b.each = append(b.each, each)
		} else {
			b.values = append(b.values, value)
		}
	case nList, nDict:
		if v.moduleCall(each) != "os.walk" {
			each = nil
		}
		for _, k := range n.kids {
			v.target(k, nil, each)
		}
	case nUnary, nKw:
		for _, k := range n.kids {
			v.target(k, nil, nil)
		}
	}
}

// all vouches for every node.
func (v *voucher) all(nodes []*node) bool {
	for _, n := range nodes {
		if n != nil && !v.node(n) {
			return false
		}
	}
	return true
}

// node vouches for a statement, or an expression that is a value.
func (v *voucher) node(n *node) bool {
	if v.steps++; v.steps > maxVouch {
		return false
	}
	switch n.op {
	case nLit, nNum:
		return true
	case nStr, nList, nDict, nKw, nBin, nCond, nIf, nLoop, nTry, nBlock, nFunc:
		return v.all(n.kids) && v.all(n.body)
	case nSlice:
		return v.shown(n.kids[0]) && v.all(n.kids[1:]) && v.all(n.body)
	case nUnary:
		if n.s == "decorator" {
			return v.decorator(n.kids[0])
		}
		return v.all(n.kids)
	case nName:
		return v.value(n.s)
	case nAttr:
		return v.attribute(n)
	case nCall:
		return v.call(n)
	case nIndex:
		if p, ok := v.path(n.kids[0]); ok && (p == "os.environ" || p == "sys.path") {
			return v.all(n.kids[1:])
		}
		return v.all(n.kids)
	case nAssign:
		return v.assigned(n.kids[0]) && v.node(n.kids[1])
	case nFor:
		return len(n.kids) > 1 && v.assigned(n.kids[0]) && v.shown(n.kids[1]) && v.all(n.body)
	case nComp:
		return v.comprehension(n)
	case nReturn:
		if n.s == "del" {
			return v.allAssigned(n.kids)
		}
		return v.all(n.kids)
	case nImport:
		return !slices.Contains(n.params, "*")
	case nClass:
		return v.class(n)
	case nJump:
		return true
	}
	return false
}

func (v *voucher) comprehension(n *node) bool {
	for i := 1; i+1 < len(n.kids); i += 2 {
		if !v.assigned(n.kids[i]) || !v.shown(n.kids[i+1]) {
			return false
		}
	}
	return v.node(n.kids[0]) && v.all(n.body)
}

// class vouches for a class: what it inherits must be known.
func (v *voucher) class(n *node) bool {
	for _, k := range n.kids {
		if k.op == nKw && k.s != "total" && k.s != "frozen" && k.s != "metaclass" || !v.node(k) {
			return false
		}
		if p, ok := v.path(k); ok && !v.harmless(p) && !strings.HasSuffix(p, "Error") && p != "threading.Thread" {
			return false
		}
	}
	return v.all(n.body)
}

// decorator vouches for what a function is handed to.
func (v *voucher) decorator(n *node) bool {
	if n.op == nCall {
		return v.node(n)
	}
	if p, ok := v.path(n); ok {
		return v.harmless(p)
	}
	if n.op == nAttr {
		return (n.s == "setter" || n.s == "getter" || n.s == "deleter") && v.node(n.kids[0])
	}
	return n.op == nName && v.value(n.s)
}

// path is the full name of what a module has, if n is written as one.
func (v *voucher) path(n *node) (string, bool) {
	switch {
	case n == nil:
	case n.op == nName:
		if b := v.names[n.s]; b != nil && b.n == 1 && b.path != "" && b.own {
			return b.path, true
		}
	case n.op == nAttr:
		if p, ok := v.path(n.kids[0]); ok {
			return p + "." + n.s, true
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
		p, ok := v.path(&node{op: nName, s: name})
		return ok && v.constant(p)
	case b.own:
		v.loose[name] = true
	}
	return true
}

// attribute vouches for an attribute that stands as a value.
func (v *voucher) attribute(n *node) bool {
	if p, ok := v.path(n); ok {
		return v.constant(p)
	}
	if strings.HasPrefix(n.s, "__") && !plainDunders(n.s) || innards(n.s) || !plainASCII(n.s) {
		return false
	}
	v.loose[n.s] = v.loose[n.s] || v.methods[n.s]
	return v.node(n.kids[0])
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
func (v *voucher) shown(n *node) bool {
	if p, ok := v.path(n); ok && (!strings.Contains(p, ".") || p == "sys.path" || p == "os.environ") {
		return true
	}
	return v.node(n)
}

func (v *voucher) allAssigned(nodes []*node) bool {
	for _, n := range nodes {
		if !v.assigned(n) {
			return false
		}
	}
	return true
}

// assigned vouches for a target of an assignment: nothing of a module, and no
// special attribute.
func (v *voucher) assigned(n *node) bool {
	if n == nil {
		return true
	}
	switch n.op {
	case nName:
		return plainASCII(n.s)
	case nList, nUnary, nDict:
		return v.allAssigned(n.kids)
	case nAttr:
		if _, ok := v.path(n); ok || strings.HasPrefix(n.s, "__") || !plainASCII(n.s) {
			return false
		}
		return v.node(n.kids[0])
	case nIndex, nSlice:
		if _, ok := v.path(n.kids[0]); ok {
			return false
		}
		return v.all(n.kids) && v.all(n.body)
	}
	return false
}

// harmless reports whether what a module has under a name only computes.
func (v *voucher) harmless(p string) bool {
	if vouchedNever(p) {
		return false
	}
	if strings.Contains(p, ".") && v.t.harmless[p] { // by its whole name
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
	return v.t.harmless[module] || v.t.harmless[p] || v.t.harmless[class] || v.t.harmless[module+".*"]
}

// module reports whether a name is one of a known module.
func (v *voucher) module(name string) bool {
	return v.t.modules[name] || v.t.harmless[name] && !strings.Contains(name, ".") && !isBuiltin(name)
}
