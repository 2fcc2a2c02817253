package catalog

import (
	"cmp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// A Match is an argument vector read by a program's grammar.
type Match struct {
	Program *Program
	// Chain is the program and the subcommands that were named, outermost first.
	Chain []*Command
	// Unknown are options that the grammar does not list.
	Unknown []string
	// Extra are operands that the grammar has no place for.
	Extra []value.Value
	// Help is set when the arguments only ask for help or the version.
	Help bool
	// Incomplete is set when a word is missing that names what the program
	// would change: it fails, unless the word comes from elsewhere.
	Incomplete bool
	// Lacks is how the grammar calls the one word that is missing then; "" where it may
	// as well stand for all that there is.
	Lacks string
	// Missing is the subcommand word that no subcommand matches, if any.
	Missing value.Value
	// Args are the words with their places, in the order of the grammar.
	Args []Bound

	flags    []string
	given    []*Option   // the options that were given
	negated  []*Option   // those that were taken back by --no-NAME
	as       string      // the name that the program was called by; "" if that is not known
	accepted []string    // options that the grammar does not list and that are let pass
	params   []parameter // those, and the words behind them
	loosened string      // an option that turns off a check of who answers
	operands []value.Value
	verb     string   // the last subcommand as it was written
	called   []string // all of them
	names    int      // where in them those begin that any word can be, behind a verb; 0 for nowhere
	ofOption uint64   // which of the first of them stand behind a parameter, a bit for each
}

// Bound is a word in its place.
type Bound struct {
	Arg     *Arg
	Value   value.Value
	Default bool // not given: the grammar's own default
}

// Node returns the innermost command that was named.
func (m *Match) Node() *Command { return m.Chain[len(m.Chain)-1] }

// Written returns the last subcommand as it was written, "" where none was named.
func (m *Match) Written() string { return m.verb }

// As returns the name that the program was called by, without a version behind the name
// of its spec.
func (m *Match) As() string {
	if strings.HasPrefix(m.as, m.Program.Names[0]) {
		return m.Program.Names[0]
	}
	return cmp.Or(m.as, m.Program.Names[0])
}

// Path returns the names of program and subcommands as the grammar spells them.
func (m *Match) Path() []string {
	path := []string{m.Program.Names[0]}
	for _, c := range m.Chain[1:] {
		path = append(path, c.Name)
	}
	return path
}

// manyPrograms is how many programs share a spec before a letter among its
// options is taken for another thing in some of them.
const manyPrograms = 4

// Ambiguous yields the words that stand behind a letter that a spec of many
// programs says takes some value: to one of those it is a switch, and the word
// an operand.
func (m *Match) Ambiguous(yield func(value.Value) bool) {
	if len(m.Program.Names) < manyPrograms || m.Program.Syntax&AnyOption == 0 {
		return
	}
	for i := range m.Args {
		b := &m.Args[i]
		letter := b.Arg.Role == Data && slices.ContainsFunc(m.given, func(o *Option) bool {
			return o.Value == b.Arg && len(o.Names) == 1 && len(o.Names[0]) == 2
		})
		if letter && !yield(b.Value) {
			return
		}
	}
}

// Has reports whether a flag is set or a named argument was given.
func (m *Match) Has(name string) bool {
	for _, f := range m.flags {
		if f == name {
			return true
		}
	}
	for i := range m.Args {
		if m.Args[i].Arg.Name == name && !m.Args[i].Default {
			return true
		}
	}
	return false
}

// Given reports whether an option was given, by one of its names with its
// dashes, in whatever spelling.
func (m *Match) Given(option string) bool {
	return slices.ContainsFunc(m.given, func(o *Option) bool { return slices.Contains(o.Names, option) })
}

// Excused reports whether an option is given by which a word that is missing may be no
// fault: it only tells of the program, does nothing, or makes no failure of that.
func (m *Match) Excused() bool {
	return slices.ContainsFunc([]string{"help", "dry", "done", "force"}, m.Has)
}

// Called returns how the subcommands were written, outermost first. The caller
// must not change it.
func (m *Match) Called() []string { return m.called }

// Named returns all names of the options that were given.
func (m *Match) Named() (names []string) {
	for _, o := range m.given {
		names = append(names, o.Names...)
	}
	return names
}

// Refused is a word that surely is none of those that an option takes, and that option;
// ok is false where there is none. A beginning of one may do for it.
func (m *Match) Refused() (word, option string, ok bool) {
	for _, o := range m.given {
		if o.Value == nil || o.Value.Among == "" {
			continue
		}
		for i := range m.Args {
			b := &m.Args[i]
			text, known := b.Value.Known()
			text = strings.TrimPrefix(text, "=") // -o=json, as programs in Go read it
			if b.Arg != o.Value || !known || b.Default || text == "" || Glob(o.Value.Among, text) {
				continue
			}
			begins := false
			for one := range strings.SplitSeq(o.Value.Among, "|") {
				begins = begins || !strings.Contains(one, "*") && strings.HasPrefix(one, text)
			}
			if !begins {
				return text, o.Names[0], true
			}
		}
	}
	return "", "", false
}

// Options returns the options that were given, in order. The caller must not
// change them.
func (m *Match) Options() []*Option { return slices.Clip(m.given) }

// Flags returns the flags that the options set, in the words of the spec. The
// caller must not change it.
func (m *Match) Flags() []string { return slices.Clip(m.flags) }

// Set sets a flag; hooks use it for what the grammar cannot say.
func (m *Match) Set(flag string) { m.flags = append(m.flags, flag) }

// Bind gives a place that the grammar does not have its word; hooks use it for
// what phrases tell and the grammar cannot take apart.
func (m *Match) Bind(name string, v value.Value) {
	m.Args = append(m.Args, Bound{Arg: &Arg{Name: name, Role: Object}, Value: v})
}

// BindPattern is Bind for a word that is a pattern or a text, and names nothing.
func (m *Match) BindPattern(name string, v value.Value) {
	m.Args = append(m.Args, Bound{Arg: &Arg{Name: name, Role: Pattern}, Value: v})
}

// Values returns the words in the named place, defaults included.
func (m *Match) Values(name string) []value.Value {
	var vs []value.Value
	for i := range m.Args {
		if m.Args[i].Arg.Name == name {
			vs = append(vs, m.Args[i].Value)
		}
	}
	return vs
}

// Value returns the last word in the named place.
func (m *Match) Value(name string) (value.Value, bool) {
	for i := len(m.Args) - 1; i >= 0; i-- {
		if m.Args[i].Arg.Name == name {
			return m.Args[i].Value, true
		}
	}
	return value.Value{}, false
}

// Loose reports whether an option was let pass that the grammar does not list: the word
// behind it may be its value.
func (m *Match) Loose() bool { return len(m.accepted) > 0 }

// Lacking is what the grammar calls the first of the operands that it asks for and that is
// not given, whatever it is for; "" where there is none.
func (m *Match) Lacking() string {
	node := m.Node()
	for i := range node.Operands {
		o := &node.Operands[i]
		given := slices.ContainsFunc(m.Args, func(b Bound) bool { return b.Arg == &o.Arg })
		if !given && !o.Optional && !o.Rest && o.Default == "" && o.When.Holds(m) {
			return o.Name
		}
	}
	return ""
}

// Operands returns the innermost command's operands before allocation.
func (m *Match) Operands() []value.Value { return m.operands }

// Match reads args, the words after the program's name.
func (p *Program) Match(args []value.Value) *Match { return p.match("", args, nil) }

// match reads options from elsewhere before args, but for a first word without
// a dash that is a cluster of options (GNU tar manual, "TAR_OPTIONS").
func (p *Program) match(name string, args, elsewhere []value.Value) *Match {
	m := &Match{Program: p, as: name, Chain: []*Command{&p.Command}}
	r := reader{m: m, args: args}
	if p.Syntax&BareCluster != 0 {
		r.bareCluster()
	}
	if len(elsewhere) > 0 {
		r.args = slices.Concat(elsewhere, r.args)
	}
	for i := range r.args {
		r.negates = r.negates || strings.HasPrefix(r.args[i].Prefix(), "--no-")
	}
	for r.next() {
	}
	if node := m.Node(); strings.Contains(node.Name, "*") && len(node.Sub) > 0 && len(m.operands) == 0 && m.Missing.Empty() && len(r.words) > 0 {
		m.Missing = r.words[len(r.words)-1] // a word of a group that names no verb
	}
	if r.version && len(m.operands) > 0 && len(m.Chain) == 1 { // some show it and go on
		m.Help = false
	}
	m.allocate()
	return m
}
