package eval

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/inline"
	"github.com/heedsh/heed/internal/inline/syntax"

	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// binaryOp evaluates an infix operation.
func (s *scan) binaryOp(n *syntax.Node) val {
	a := s.eval(n.Kids[0])
	switch n.Text {
	case "&&", "||", "and", "or", "??", "//", "xor":
		if n.Text == "//" && s.lang != "perl" {
			break
		}
		s.cond++
		b := s.eval(n.Kids[1])
		s.cond--
		if (n.Kids[1].Op == syntax.OpCall || n.Kids[1].Op == syntax.OpReturn) && s.lang != "python" {
			if a.k == vObj {
				return a
			}
		}
		if n.Text == "&&" || n.Text == "and" {
			return b
		}
		return join(a, b)
	}
	b := s.eval(n.Kids[1])
	s.seek(n.Text, a, b)
	return s.spend(s.operate(n.Text, a, b))
}

// spend counts computed bytes, so that a long chain of operations on growing
// text cannot take long.
func (s *scan) spend(v val) val {
	s.folded += v.s.Len() + 16*len(v.list)
	if s.folded > maxFolded {
		s.notSeen()
		return unknown()
	}
	return v
}

// operate computes a op b.
func (s *scan) operate(op string, a, b val) val {
	if s.lang == "perl" && (a.env || b.env) && inline.Words(perlNumeric)[op] {
		s.reveal(a, true)
		s.reveal(b, true)
	}
	switch op {
	case "+":
		switch {
		case a.k == vNum && b.k == vNum:
			return num(a.n + b.n)
		case a.k == vList && b.k == vList:
			if len(a.list)+len(b.list) > 4096 {
				return derived(a, b)
			}
			return val{k: vList, list: append(slices.Clip(a.list), b.list...)}
		case (a.k == vStr || b.k == vStr) && s.lang != "php" && s.lang != "perl" && s.lang != "lua":
			return concat(a, b)
		}
	case ".":
		return concat(a, b)
	case "..":
		if s.lang == "lua" {
			return concat(a, b)
		}
		return dull()
	case "x", "*":
		if v, ok := repeat(a, b, op); ok {
			return v
		}
	case "/":
		if a.k == vObj && a.name == "pathlib.Path" || b.k == vObj && b.name == "pathlib.Path" {
			return object("pathlib.Path", pathJoin(a.value(), b.value()))
		}
	case "%":
		if a.k == vStr && s.lang != "php" && s.lang != "perl" {
			return s.percent(a, b)
		}
	case "<<":
		if s.lang == "ruby" && (a.k == vObj || a.k == vStr || a.k == vList) {
			if a.k == vStr {
				return concat(a, b)
			}
			return s.method(&call{name: "<<", recv: a, args: []val{b}, kw: map[string]val{}})
		}
		if s.lang == "ruby" && a.k == vRef { // a stream, or what is not known
			s.reveal(b, true)
		}
	case "=~", "!~":
		return derived(a)
	case "==", "!=", "===", "!==", "<", ">", "<=", ">=", "in", "is", "not", "instanceof", "eq", "ne", "lt", "gt", "le", "ge", "cmp", "<=>", "~=", "<>", "%in%":
		return dull()
	}
	if a.k == vNum && b.k == vNum {
		return arithmetic(op, a.n, b.n)
	}
	return derived(a, b)
}

func arithmetic(op string, a, b float64) val {
	switch op {
	case "-":
		return num(a - b)
	case "*":
		return num(a * b)
	case "/":
		if b != 0 {
			return num(a / b)
		}
	case "^":
		return num(float64(int64(a) ^ int64(b)))
	case "|":
		return num(float64(int64(a) | int64(b)))
	case "&":
		return num(float64(int64(a) & int64(b)))
	}
	return dull()
}

// repeat computes text * n.
func repeat(a, b val, op string) (val, bool) {
	if b.k != vNum && a.k == vNum && op == "*" {
		a, b = b, a
	}
	t, ok := a.known()
	if !ok || a.k != vStr || b.k != vNum || b.n < 0 || b.n*float64(len(t)) > maxString {
		return val{}, false
	}
	return str(strings.Repeat(t, int(b.n))), true
}

// pathJoin joins as os.path.join does: an absolute path starts anew.
func pathJoin(vs ...value.Value) value.Value {
	var out value.Value
	for i, v := range vs {
		p := v.Prefix()
		hs := v.Holes()
		switch {
		case i > 0 && len(hs) == 1 && hs[0].Cause == risk.CauseMatch && hs[0].Shape == value.Word && p == "" && v.Suffix() == "":
			if dir, ok := out.Known(); ok {
				out = named(below(dir), hs[0].Last)
				if hs[0].Last != "" {
					out = out.FromPattern(strings.TrimSuffix(dir, "/") + "/" + hs[0].Last)
				}
			} else if len(out.Holes()) != 1 || out.Holes()[0].Shape != value.Below {
				out = value.Concat(out, value.Lit("/"), v)
			} else if len(out.Parts()) == 1 {
				out = named(out, hs[0].Last)
			}
		case i == 0 || strings.HasPrefix(p, "/"):
			out = v
		case strings.HasSuffix(out.Suffix(), "/") || out.Empty():
			out = value.Concat(out, v)
		default:
			out = value.Concat(out, value.Lit("/"), v)
		}
	}
	return out
}

// percent fills the %s of a format.
func (s *scan) percent(format, args val) val {
	f, ok := format.known()
	if !ok {
		return derived(format, args)
	}
	list := []val{args}
	if args.k == vList {
		list = args.list
	}
	return fill(f, list)
}

// fill fills printf directives; widths are dropped.
func fill(f string, args []val) val {
	var out []val
	for {
		i := strings.IndexByte(f, '%')
		if i < 0 || i+1 >= len(f) {
			return concat(append(out, str(f))...)
		}
		out = append(out, str(f[:i]))
		j := i + 1
		for j < len(f) && strings.IndexByte("-+ #0123456789.lhq$", f[j]) >= 0 {
			j++
		}
		if j >= len(f) {
			return concat(append(out, str(f[i:]))...)
		}
		verb := f[j]
		switch {
		case verb == '%':
			out = append(out, str("%"))
		case len(args) == 0:
			out = append(out, dull())
		case verb == 'c' && args[0].k == vNum:
			out = append(out, str(string(rune(args[0].n))))
			args = args[1:]
		default:
			out = append(out, args[0])
			args = args[1:]
		}
		f = f[j+1:]
	}
}

// format fills {} and {0} of str.format.
func format(f string, c *call) val {
	var out []val
	next := 0
	for {
		i := strings.IndexByte(f, '{')
		if i < 0 {
			return concat(append(out, str(strings.ReplaceAll(f, "}}", "}")))...)
		}
		out = append(out, str(f[:i]))
		if strings.HasPrefix(f[i:], "{{") {
			out = append(out, str("{"))
			f = f[i+2:]
			continue
		}
		j := strings.IndexByte(f[i:], '}')
		if j < 0 {
			return derived(c.all()...)
		}
		field, _, _ := strings.Cut(f[i+1:i+j], ":")
		f = f[i+j+1:]
		switch {
		case field == "":
			out = append(out, c.arg(next))
			next++
		case len(field) == 1 && syntax.IsDigit(field[0]):
			out = append(out, c.arg(int(field[0]-'0')))
		default:
			v, ok := c.kw[field]
			if !ok {
				v = derived(c.all()...)
			}
			out = append(out, v)
		}
	}
}

// unaryOp evaluates a prefix operation.
func (s *scan) unaryOp(n *syntax.Node) val {
	if len(n.Kids) == 0 {
		return dull()
	}
	v := s.eval(n.Kids[0])
	switch n.Text {
	case "-":
		if v.k == vNum {
			return num(-v.n)
		}
		return dull()
	case "!", "~", "typeof", "-X", "range", "++", "--", "void", "#":
		return dull()
	case "await", "with", "&", "*", "+", "...", "\\", "yield", "**":
		return v
	case "@", "%", "$":
		return v
	case "delete":
		return dull()
	case "decorator": // it is called with the function
		if v.k == vRef && s.t.calls[v.name] != nil {
			s.notSeen()
		}
		return v
	}
	return derived(v)
}

// fold computes a method on constants. It reports whether the method is one
// that only computes.
func (s *scan) fold(name string, c *call) (val, bool) {
	if c.recv.k == vObj && c.recv.name != "buffer" {
		return val{}, false
	}
	if v, ok := s.foldList(name, c); ok {
		return v, true
	}
	if v, ok := s.keptNames(c.recv, name, c); ok {
		return v, true
	}
	t, ok := c.recv.known()
	if !ok || c.recv.k != vStr {
		if c.recv.k == vStr && foldThrough(name) {
			return c.recv, true
		}
		return val{}, false
	}
	one := func(x string) (val, bool) { return str(x).with(c.recv), true }
	switch name {
	case "lower", "downcase", "toLowerCase", "casefold", "tolower":
		return one(strings.ToLower(t))
	case "upper", "upcase", "toUpperCase", "toupper":
		return one(strings.ToUpper(t))
	case "strip", "trim", "trimws":
		if cut, known := c.arg(0).known(); known {
			return one(strings.Trim(t, cut))
		}
		return one(strings.TrimSpace(t))
	case "rstrip", "trimEnd", "chomp":
		return one(strings.TrimRight(t, " \t\r\n"))
	case "lstrip", "trimStart":
		return one(strings.TrimLeft(t, " \t\r\n"))
	case "reverse", "rev":
		return one(reversed(t))
	case "concat":
		return concat(append([]val{c.recv}, c.args...)...), true
	case "replace", "gsub", "replaceAll", "sub", "tr":
		return s.replace(t, name, c), true
	case "format":
		return format(t, c), true
	case "join":
		if len(c.args) == 1 {
			return joinTexts(c.recv, c.args[0]), true
		}
	case "split", "chars", "bytes", "split_string", "lines", "splitlines":
		return s.split(t, name, c), true
	case "repeat", "rep":
		return firstOf(repeat(c.recv, c.arg(0), "*")), true
	case "unpack1", "unpack", "hex", "codePointAt", "charCodeAt", "ord", "decode", "encode", "toString", "translate":
		return s.decodeMethod(t, name, c)
	case "slice", "substring", "substr", "sub_":
		return substring(t, c), true
	case "charAt":
		return sliced(c.recv, [3]*int{intOf(c.arg(0)), nextOf(c.arg(0)), nil}), true
	}
	if foldThrough(name) {
		return c.recv, true
	}
	return val{}, false
}

// foldThrough: methods that return the same text, as far as is seen here.
func foldThrough(name string) bool {
	switch name {
	case "to_s", "to_str", "toString", "valueOf", "dup", "freeze", "force_encoding", "itself", "as_posix", "to_sym", "html_safe", "b", "scrub", "normalize", "expandtabs", "encode", "decode":
		return true
	}
	return false
}

func firstOf(v val, ok bool) val {
	if ok {
		return v
	}
	return dull()
}

func intOf(v val) *int {
	if v.k != vNum {
		return nil
	}
	x := int(v.n)
	return &x
}

func nextOf(v val) *int {
	if p := intOf(v); p != nil {
		x := *p + 1
		return &x
	}
	return nil
}

// substring is s.slice(a, b) and its like; the second number is an end, or for
// substr a length.
func substring(t string, c *call) val {
	from, to := intOf(c.arg(0)), intOf(c.arg(1))
	if from == nil || c.has(1) && to == nil {
		return dull()
	}
	if c.name == "substr" && to != nil {
		x := *from + *to
		to = &x
	}
	return sliced(str(t), [3]*int{from, to, nil})
}

func reversed(t string) string {
	r := []rune(t)
	slices.Reverse(r)
	return string(r)
}

func (s *scan) replace(t, name string, c *call) val {
	old, ok1 := c.arg(0).known()
	with, ok2 := c.arg(1).known()
	if !ok1 || !ok2 || len(t)*max(len(with), 1) > maxString*16 || name == "tr" && len(old) != 1 {
		return derived(c.all()...)
	}
	if name == "gsub" && s.lang == "lua" && strings.ContainsAny(old, "%[].*+-?^$()") || old == "" {
		return derived(c.all()...)
	}
	n := -1
	if name == "replace" && s.lang == "node" || name == "sub" {
		n = 1
	}
	out := strings.Replace(t, old, with, n)
	if len(out) > maxString {
		return dull()
	}
	return str(out).with(c.recv)
}

func (s *scan) split(t, name string, c *call) val {
	sep, ok := c.arg(0).known()
	var pieces []string
	switch {
	case name == "chars" || ok && sep == "":
		pieces = strings.Split(t, "")
	case name == "lines" || name == "splitlines":
		pieces = strings.Split(t, "\n")
	case name == "bytes":
		out := val{k: vList}
		for i := range min(len(t), 4096) {
			out.list = append(out.list, num(float64(t[i])))
		}
		return out
	case ok:
		pieces = strings.Split(t, sep)
	case len(c.args) == 0:
		pieces = strings.Fields(t)
	default:
		return derived(c.all()...)
	}
	if len(pieces) > 4096 {
		return dull()
	}
	out := val{k: vList}
	for _, x := range pieces {
		out.list = append(out.list, str(x))
	}
	return out
}

// joinTexts joins a list with a separator between.
func joinTexts(sep, list val) val {
	if list.k != vList {
		return derived(sep, list)
	}
	var vs []val
	for i, x := range list.list {
		if i > 0 {
			vs = append(vs, sep)
		}
		vs = append(vs, x)
	}
	return concat(vs...)
}

// foldList computes methods on lists.
func (s *scan) foldList(name string, c *call) (val, bool) {
	if c.recv.k != vList {
		return val{}, false
	}
	list := c.recv
	switch name {
	case "join":
		sep := c.arg(0)
		if sep.k != vStr && s.lang == "node" {
			sep = str(",")
		}
		return joinTexts(sep, list), true
	case "reverse", "reverse!":
		out := val{k: vList, list: slices.Clone(list.list)}
		slices.Reverse(out.list)
		return out, true
	case "concat":
		return val{k: vList, list: flat(append([]val{list}, c.args...))}, true
	case "pack":
		return packed(c.arg(0), list.list), true
	case "first", "shift":
		return pick(list, 0), true
	case "last", "pop":
		return pick(list, max(len(list.list)-1, 0)), true
	case "map", "collect", "flatMap":
		return s.mapped(list, c)
	case "flatten", "compact", "uniq", "sort", "to_a", "dup", "copy", "slice", "filter", "select", "reject", "sorted":
		return list, true
	case "append", "push", "extend", "add", "insert", "unshift", "<<":
		if s.lang == "python" {
			s.stash(c.args...)
		}
		return derived(append(c.args, list)...), true
	}
	return val{}, false
}

// mapped applies a function to every element.
func (s *scan) mapped(list val, c *call) (val, bool) {
	if len(c.args) == 0 || len(list.list) > 1024 {
		return derived(list), true
	}
	f := c.args[len(c.args)-1]
	out := val{k: vList}
	c.used = true
	for _, x := range list.list {
		out.list = append(out.list, s.callValue(f, &call{args: []val{x}, kw: map[string]val{}}))
	}
	return out, true
}
