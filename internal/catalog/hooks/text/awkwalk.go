package text

import (
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/inline/loops"

	"github.com/heedsh/heed/internal/catalog/hooks/site"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/lang/awk"
	"github.com/heedsh/heed/internal/shell/shellname"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/risk"
)

// An awkWalk walks a program for its effects.
type awkWalk struct {
	site.Program
	tree  *awk.Program
	r     *catalog.Result
	acts  bool // does what --sandbox refuses
	reads bool // reads its input

	once  map[string]*awk.Node   // of the tree, once they were asked for
	given map[string]value.Value // set by -v, or by assignments that are being followed
	later map[string]bool        // set between files
	line  *value.Value           // the only record of the input, if it is known
}

func newAwkWalk(code value.Value, r *catalog.Result) *awkWalk {
	w := &awkWalk{Program: site.NewProgram(code), r: r, given: map[string]value.Value{}, later: map[string]bool{}}
	w.tree = awk.Parse(w.Text)
	return w
}

// assigned takes what -v and the operands set. awk reads escapes in both
// (POSIX.1-2024 awk, "OPTIONS").
func (w *awkWalk) assigned(options, operands []value.Value) {
	for _, a := range options {
		name, _, ok := strings.Cut(a.Prefix(), "=")
		if !ok {
			continue
		}
		v := a.Cut(len(name) + 1)
		if text, known := v.Known(); known && strings.Contains(text, `\`) {
			if text, known = awk.Unquote(text); known {
				v = value.Lit(text).With(v.Taint())
			} else { // it depends on which awk this is
				v = awkUnknown().With(v.Taint())
			}
		}
		w.given[name] = v
	}
	for _, f := range operands {
		if name, _, ok := strings.Cut(f.Prefix(), "="); ok && awk.IsName(name) {
			w.later[name] = true
		}
	}
}

// record takes the input, where it is one line: $0 is that, and $1 its first word,
// as long as the program sets neither them nor what they are cut at.
func (w *awkWalk) record(input value.Value) {
	text, known := input.Known()
	text = strings.TrimSuffix(text, "\n")
	if !known || text == "" || strings.Contains(text, "\n") {
		return
	}
	_, set := w.given["FS"]
	w.tree.Walk(func(n *awk.Node) bool {
		switch n.Kind {
		case awk.Assign, awk.Pre, awk.Post, awk.Getline:
			to := n.Kids[0]
			set = set || to == nil && n.Op == "" || to != nil && (to.Kind == awk.Field || to.Kind == awk.Var && (to.Text == "FS" || to.Text == "RS" || to.Text == "NF"))
		case awk.Call:
			set = set || strings.HasSuffix(n.Text, "sub")
		}
		return !set
	})
	if !set {
		line := value.Lit(text).With(input.Taint())
		w.line = &line
	}
}

// field is a part of the record.
func (w *awkWalk) field(n *awk.Node) value.Value {
	number, known := w.value(n.Kids[0]).Known()
	if w.line == nil || !known {
		return awkUnknown()
	}
	text, _ := w.line.Known()
	if number == "0" {
		return *w.line
	}
	i, err := strconv.Atoi(number)
	fields := strings.Fields(text)
	if err != nil || i < 1 || i > len(fields) {
		return awkUnknown()
	}
	return value.Lit(fields[i-1]).With(w.line.Taint())
}

// called is what a call of a function yields, of those that only make text.
func (w *awkWalk) called(n *awk.Node) value.Value {
	if n.Text != "sprintf" || len(n.Kids) == 0 {
		return awkUnknown()
	}
	format, known := w.value(n.Kids[0]).Known()
	if !known {
		return awkUnknown()
	}
	var b value.Builder
	args := n.Kids[1:]
	for {
		before, rest, more := strings.Cut(format, "%")
		b.WriteString(before)
		switch {
		case !more:
			return b.Value()
		case strings.HasPrefix(rest, "%"):
			b.WriteString("%")
		case strings.HasPrefix(rest, "s") && len(args) > 0:
			b.Add(w.value(args[0]))
			args = args[1:]
		default:
			return awkUnknown()
		}
		format = rest[1:]
	}
}

// walk visits the whole program: one of only BEGIN rules and functions does not
// read its input.
func (w *awkWalk) walk() {
	loop := false
	for _, item := range w.tree.Items {
		if item.Kind == awk.Rule || item.Kind == awk.End || item.Text == "BEGINFILE" {
			w.reads = true
		}
		awk.Walk(item, func(n *awk.Node) bool {
			switch n.Kind {
			case awk.Exit: // in END there is no more input
				if item.Kind != awk.End {
					w.r.Traits |= catalog.Ends
				}
			case awk.While, awk.Do, awk.For:
				loop = true
			default:
				w.visit(n)
			}
			return !site.TooMuch(w.r)
		})
	}
	if loop {
		w.r.Unbounded = loops.UnboundedInAwk(w.tree)
	}
}

func (w *awkWalk) visit(n *awk.Node) {
	switch n.Kind {
	case awk.Rule:
		if n.Kids[2] == nil && onlyHoles(n.Kids[0]) {
			w.unknown(n.Kids[0])
		}
	case awk.Simple:
		if onlyHoles(n.Kids[0]) {
			w.unknown(n.Kids[0])
		}
	case awk.Call: // @f(...) calls the function that f names: it may be system
		if n.Op == "@" || n.Text == "system" {
			w.run(w.joined(n.Kids))
		}
		if n.Text == "readfile" && len(n.Kids) == 1 { // gawk's extension of that name
			w.acts = true
			site.ShowFiles(w.r, []value.Value{w.value(n.Kids[0])}, true)
		} else if n.Op != "@" && n.Text != "system" && !w.defined(n.Text) {
			w.unknown(n)
		}
	case awk.Print, awk.Printf:
		w.print(n)
	case awk.Getline:
		w.getline(n)
	case awk.Var:
		if n.Text == "ENVIRON" {
			site.ShowsEnvironment(w.r)
		}
	case awk.Assign:
		if to := n.Kids[0]; to.Kind == awk.Element && to.Text == "ARGV" { // a file that is read (POSIX.1-2024 awk, "ARGV")
			site.ShowFiles(w.r, []value.Value{w.joined(n.Kids[1:])}, true)
		}
	case awk.Element:
		switch n.Text {
		case "ENVIRON":
			w.environ(n)
		case "SYMTAB": // of gawk: a variable by its name
			if name, known := w.value(n.Kids[0]).Known(); !known || name == "ENVIRON" {
				site.ShowsEnvironment(w.r)
			}
		}
	case awk.Directive:
		w.directive(n)
	}
}

// defined reports whether a function is one of the program's, or of those that each awk or
// gawk has and that only compute (gawk 5.3 manual, section 9.1, "Built-in Functions").
func (w *awkWalk) defined(name string) bool {
	const computes = " length substr index split match sub gsub sprintf sin cos atan2 exp log sqrt int rand srand tolower toupper close fflush gensub strtonum systime strftime mktime patsplit asort asorti isarray typeof mkbool and or xor lshift rshift compl intdiv dcgettext dcngettext bindtextdomain "
	return strings.Contains(computes, " "+name+" ") || slices.ContainsFunc(w.tree.Items, func(n *awk.Node) bool { return n.Kind == awk.Function && n.Text == name })
}

// onlyHoles reports whether an expression is a part of the program that is not
// known: `awk "$program"`. Where a statement or a rule is due, it is code.
func onlyHoles(n *awk.Node) bool {
	for n != nil && n.Kind == awk.Concat && n.Kids[1].Kind == awk.Hole {
		n = n.Kids[0]
	}
	return n != nil && n.Kind == awk.Hole
}

func (w *awkWalk) unknown(n *awk.Node) {
	w.r.Runs = append(w.r.Runs, catalog.Run{Kind: catalog.RunCode, Lang: "awk", Text: w.Slice(n.Pos, n.End)})
}

// run records a command that the program runs by the shell.
func (w *awkWalk) run(command value.Value) {
	w.acts = true
	site.RunText(w.r, command)
}

// print says where a print statement prints to, if not to standard output.
func (w *awkWalk) print(n *awk.Node) {
	if n.Op == "" {
		return
	}
	dest := w.value(n.Dest())
	if n.Op == "|" || n.Op == "|&" {
		text := awkUnknown() // print alone prints the record
		if operands := n.Operands(); len(operands) > 0 {
			text = w.joined(operands)
		}
		w.printTo(dest, text)
		return
	}
	w.acts = true
	if w.network(dest) {
		return
	}
	kind := risk.NoKind
	if n.Op == ">>" {
		kind = risk.KindAppend
	}
	site.WriteFile(w.r, dest, kind)
}

// printTo records a command that gets what is printed: a shell runs it.
func (w *awkWalk) printTo(command, text value.Value) {
	if w.network(command) {
		return
	}
	if s, known := command.Known(); known {
		if shellname.Is(strings.TrimSuffix(site.LastElement(strings.TrimSpace(s)), " -s")) {
			w.run(text)
			return
		}
	}
	w.run(command)
}

// network reports whether f is one of gawk's network files:
// /inet/tcp/PORT/HOST/PORT (gawk 5.3 manual, section 12.4): the port of this machine comes
// first, and it listens there if no host is named.
func (w *awkWalk) network(f value.Value) bool {
	if !strings.HasPrefix(f.Prefix(), "/inet") {
		return false
	}
	w.acts = true
	verb, host := risk.NetConnect, f
	if parts := f.Split("/"); len(parts) > 4 {
		host = parts[4]
		if host.IsKnown() && site.SameWord(host, "0") {
			verb, host = risk.NetListen, parts[3]
		} else if len(parts) == 6 && parts[5].IsKnown() && !parts[5].Empty() {
			host = value.Concat(host, value.Lit(":"), parts[5])
		}
	}
	for _, e := range w.r.Effects { // a program names its peer at every use
		if e.Verb == verb && e.Target.String() == host.String() {
			return true
		}
	}
	w.r.Effects = append(w.r.Effects, catalog.Effect{Verb: verb, Target: host})
	if verb == risk.NetConnect {
		w.r.Effects = append(w.r.Effects, catalog.Effect{Verb: risk.NetSend, Target: host, Carries: []catalog.Source{{Stdin: true}}})
	}
	return true
}

// getline says what getline reads: a command's output, a file, or the input, in
// BEGIN too (gawk 5.3 manual, section 4.10).
func (w *awkWalk) getline(n *awk.Node) {
	if n.Op == "" {
		w.reads = true
		return
	}
	source := w.value(n.Kids[1])
	switch {
	case w.network(source):
	case n.Op == "<":
		w.acts = true
		site.ShowFiles(w.r, []value.Value{source}, true)
		if !source.IsKnown() && source.Prefix() == "" {
			w.r.Unknowns = append(w.r.Unknowns, risk.Unknown{What: "a file that its program names", Role: risk.RoleOperand})
		}
	default:
		w.run(source)
	}
}

// environ says what an element of ENVIRON is: a variable by its name, or any.
func (w *awkWalk) environ(n *awk.Node) {
	for _, k := range n.Kids {
		if name, known := w.value(k).Known(); known {
			site.ShowsVariables(w.r, name)
			return
		}
	}
	site.ShowsEnvironment(w.r)
}

// directive reads @load and @include.
func (w *awkWalk) directive(n *awk.Node) {
	operand := w.value(n.Kids[0])
	switch n.Text {
	case "load":
		w.acts = true
		w.r.Runs = append(w.r.Runs, catalog.Run{Kind: catalog.RunPlugin, Text: operand})
	case "include":
		w.r.Runs = append(w.r.Runs, catalog.Run{Kind: catalog.RunScript, Lang: "awk", Text: operand})
	}
}

func awkUnknown() value.Value { return value.Unknown(risk.CauseInput, "a value in awk") }

// value is the text that an expression is: a concatenation of strings, numbers
// and variables that have one value. What is neither becomes a hole.
func (w *awkWalk) value(n *awk.Node) value.Value {
	switch n = n.Inner(); n.Kind {
	case awk.String:
		text, alike := awk.Unquote(n.Text)
		if !alike {
			return awkUnknown()
		}
		return w.literal(n, text)
	case awk.Number, awk.Hole:
		return w.literal(n, n.Text)
	case awk.Var:
		return w.variable(n.Text)
	case awk.Field:
		return w.field(n)
	case awk.Call:
		return w.called(n)
	case awk.Concat:
		var parts []*awk.Node
		for ; n.Kind == awk.Concat; n = n.Kids[0] {
			parts = append(parts, n.Kids[1])
		}
		var b value.Builder
		b.Add(w.value(n))
		for _, part := range slices.Backward(parts) {
			b.Add(w.value(part))
		}
		return b.Value()
	}
	return awkUnknown()
}

// joined is what a list of expressions prints, with a blank for the separator.
func (w *awkWalk) joined(list []*awk.Node) value.Value {
	var b value.Builder
	for i, n := range list {
		if i > 0 {
			b.WriteString(" ")
		}
		b.Add(w.value(n))
	}
	return b.Value()
}

// literal is text of the node n, with the holes that stand in it.
func (w *awkWalk) literal(n *awk.Node, text string) value.Value {
	first, _ := slices.BinarySearch(w.Places, n.Pos)
	return w.Fill(text, first)
}

// variable is the value of a variable that is set once, to something known:
// before that it is empty.
func (w *awkWalk) variable(name string) value.Value {
	if w.once == nil {
		w.once = w.tree.Once()
	}
	v, given := w.given[name]
	node, set := w.once[name]
	switch {
	case w.later[name], given && set, !given && node == nil:
		return awkUnknown()
	case given:
		return v
	}
	w.later[name] = true // while its value is looked for
	v = w.value(node)
	delete(w.later, name)
	if !v.IsKnown() || v.Empty() {
		v = awkUnknown()
	}
	delete(w.once, name)
	w.given[name] = v
	return v
}
