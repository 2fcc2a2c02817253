package catalog

import (
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/value"
)

// reader walks over the arguments of one match.
type reader struct {
	m     *Match
	args  []value.Value
	ended bool          // by -- or, in POSIX order, by an operand
	words []value.Value // the words that named subcommands
	// taken are the options that were given, where one may be taken back.
	taken   []*Option
	negates bool
	// open is set behind an option that the grammar does not have: the next word,
	// --help even, may be its value.
	open bool
	// version is set where help was asked for by the option that shows the version.
	version bool
	// param is set while operands stand behind an option that the grammar does not
	// list, and that is let pass.
	param bool
}

func (r *reader) next() bool {
	if len(r.args) == 0 {
		return false
	}
	w := r.args[0]
	r.args = r.args[1:]
	text := w.Prefix()
	open := r.open
	r.open = false
	syntax := r.m.Node().Syntax
	switch {
	case r.ended || syntax&NoOptions != 0:
		r.operand(w)
	case text == "--" && w.IsKnown() && syntax&NoDashDash == 0:
		r.ended = true
	case len(text) > 1 && (text[0] == '-' || text[0] == '+' && syntax&PlusOptions != 0 || text[0] == '/' && syntax&SlashOptions != 0):
		if open || !r.help(text) {
			r.option(w, text)
		}
	case syntax&KeyValue != 0 && strings.Contains(text, "=") && r.keyValue(w, text):
	default:
		r.operand(w)
	}
	return true
}

// operand takes a word that is no option: a subcommand, or an operand.
func (r *reader) operand(w value.Value) {
	node := r.m.Node()
	if len(node.Sub) > 0 && len(r.m.operands) == 0 && !(r.ended && node.Syntax&PosixOrder == 0) {
		if r.m.Chain[0].Syntax&ShortWords != 0 {
			w = node.inFull(w)
		}
		if sub, name := node.subcommand(w); sub != nil {
			if r.m.names == 0 && name == "*" && len(r.m.called) > 1 && isAct(r.m.verb) {
				r.m.names = len(r.m.called)
			}
			if r.param && !r.ended {
				r.m.ofOption |= 1 << len(r.m.called)
			}
			r.m.Chain = append(r.m.Chain, sub)
			r.words = append(r.words, w)
			r.m.verb = w.Prefix()
			r.m.called = append(r.m.called, r.m.verb)
			return
		}
		if len(node.Operands) == 0 {
			if r.m.Missing.Empty() {
				r.m.Missing = w
			}
		}
	}
	r.m.operands = append(r.m.operands, w)
	if r.param && !r.ended {
		last := &r.m.params[len(r.m.params)-1]
		last.words = append(last.words, w)
	}
	if node.Syntax&PosixOrder != 0 {
		r.ended = true
	}
}

// subcommand finds the subcommand that w names: exactly, or by the pattern
// with the most literal text.
func (c *Command) subcommand(w value.Value) (sub *Command, name string) {
	s, known := w.Known()
	if !known {
		return nil, ""
	}
	if c.Syntax&FoldCase != 0 {
		s = strings.ToLower(s)
	}
	var best *Subcommand
	for i := range c.Sub {
		names := c.Sub[i].Name
		if names != s && (len(names) <= len(s) || !strings.Contains(names, s)) && strings.IndexByte(names, '*') < 0 {
			continue
		}
		for n := range strings.FieldsSeq(names) {
			if n == s {
				return c.Sub[i].Command(), n
			}
			if strings.Contains(n, "*") && len(n) > len(name) && globOne(n, s) {
				best, name = c.Sub[i], n
			}
		}
	}
	if best == nil {
		return nil, ""
	}
	return best.Command(), name
}

// inFull writes a subcommand in full of which w is the beginning, where it is that of no
// other; else w as it is.
func (c *Command) inFull(w value.Value) value.Value {
	s, known := w.Known()
	if !known || s == "" {
		return w
	}
	full := ""
	for i := range c.Sub {
		for n := range strings.FieldsSeq(c.Sub[i].Name) {
			switch {
			case n == s:
				return w
			case strings.HasPrefix(n, s) && !strings.Contains(n, "*") && full != "":
				return w
			case strings.HasPrefix(n, s) && !strings.Contains(n, "*"):
				full = n
			}
		}
	}
	if full == "" {
		return w
	}
	return value.Lit(full)
}

// option takes a word that begins like an option.
func (r *reader) option(w value.Value, text string) {
	syntax := r.m.Node().Syntax
	r.param = false
	name, attached := text, -1
	if i := strings.IndexByte(text, '='); i > 0 {
		name, attached = text[:i], i+1
	}
	if len(name) > 3 && loosens(text) {
		r.m.loosened = name
	}
	long := strings.HasPrefix(text, "--")
	single := syntax&(SingleDash|SlashOptions) != 0 || text[0] == '+' && syntax&PlusOptions != 0
	// A name of several letters that a spec lists (-root) is no cluster.
	if long || single || len(name) > 2 {
		if !w.IsKnown() && attached < 0 && len(w.Parts()) > 1 {
			name = "" // the option's own name is not known
		}
		if o := r.lookup(name, long && syntax&NoAbbreviation == 0); o != nil {
			r.take(o, w, attached)
			return
		}
	}
	if r.takeBack(name, syntax&NoAbbreviation == 0) || !long && r.cluster(w, text) {
		return
	}
	r.open = attached < 0
	if (syntax|r.m.Program.Syntax)&AnyOption != 0 {
		r.m.accepted = append(r.m.accepted, name)
		r.param = true
		r.m.params = append(r.m.params, parameter{name: strings.TrimLeft(name, "-")})
		if attached >= 0 {
			r.param = false
			last := &r.m.params[len(r.m.params)-1]
			last.words, last.attached = []value.Value{w.Cut(attached)}, true
		}
		return
	}
	r.m.Unknown = append(r.m.Unknown, name)
}

// help notices a word that asks for help or the version. An option that the
// grammar explains keeps its meaning: `-h` is a host to many subcommands.
func (r *reader) help(text string) bool {
	node := r.m.Node()
	if node.Syntax&NoHelp != 0 || r.m.Program.Syntax&NoHelp != 0 {
		return false
	}
	short := text == "-h" && (node.Syntax|r.m.Program.Syntax)&ShortHelp != 0 && r.short(text) == nil
	version := text == "--version" || node.Syntax&SingleDash != 0 && text == "-version"
	if version && (len(r.m.Chain) > 1 || len(r.m.operands) > 0 || r.short(text) != nil) {
		return false // an option of a subcommand, or one that the grammar explains
	}
	if text == "--help" || version || short || node.Syntax&SingleDash != 0 && text == "-help" {
		r.m.Help, r.version = true, r.version || version
		return true
	}
	return false
}

// commands yields the commands whose options are accepted here: the innermost
// first, then those around it that do not keep theirs to themselves.
func (r *reader) commands(yield func(*Command) bool) {
	for i := len(r.m.Chain) - 1; i >= 0; i-- {
		c := r.m.Chain[i]
		if i < len(r.m.Chain)-1 && c.Syntax&GlobalFirst != 0 {
			continue
		}
		if !yield(c) {
			return
		}
	}
}

// lookup finds a long option by its name or, where allowed, by an abbreviation
// that belongs to one option only.
func (r *reader) lookup(name string, abbreviate bool) *Option {
	if name == "" {
		return nil
	}
	fold := r.m.Program.Syntax&FoldCase != 0
	var near *Option
	count := 0
	for c := range r.commands {
		for i := range c.Options {
			o := &c.Options[i]
			if !o.belongs(r.m.as) {
				continue
			}
			for _, n := range o.Names {
				if n == name || fold && strings.EqualFold(n, name) {
					return o
				}
				if abbreviate && len(name) > 2 && strings.HasPrefix(n, name) && near != o {
					near, count = o, count+1
				}
			}
		}
	}
	if count == 1 {
		return near
	}
	return nil
}

// take records an option and its value; attached is the offset of a value
// after "=", or -1.
func (r *reader) take(o *Option, w value.Value, attached int) {
	switch {
	case o.Value == nil:
		r.record(o, value.Value{}, false)
		if attached >= 0 && !isSwitch(w.Cut(attached)) { // a value that the grammar has no place for
			r.m.Unknown = append(r.m.Unknown, w.Prefix()[:attached-1])
		}
	case attached >= 0:
		r.record(o, w.Cut(attached), true)
	case o.Optional && !r.follows(o):
		r.record(o, value.Value{}, false)
	default:
		r.record(o, r.value(o), true)
	}
}

// follows reports whether the next word is the value of an option that takes one where it
// is no option itself, as those of argparse with nargs='?' do.
func (r *reader) follows(o *Option) bool {
	return o.Value.Words == 1 && len(r.args) > 0 && !strings.HasPrefix(r.args[0].Prefix(), "-")
}

// takeBack reads --no-NAME as the opposite of --NAME, as git does, npm, and
// most option parsers that have flags; the others refuse it and do nothing.
func (r *reader) takeBack(name string, abbreviate bool) bool {
	rest, ok := strings.CutPrefix(name, "--no-")
	if !ok || rest == "" {
		return false
	}
	o := r.lookup("--"+rest, abbreviate)
	if o == nil {
		return false
	}
	r.m.negated = append(r.m.negated, o)
	r.m.flags = r.m.flags[:0]
	r.taken = slices.DeleteFunc(r.taken, func(t *Option) bool { return t == o })
	for _, t := range r.taken {
		r.m.flags = append(r.m.flags, t.Sets...)
	}
	if o.Value != nil {
		r.m.Args = slices.DeleteFunc(r.m.Args, func(b Bound) bool { return b.Arg == o.Value })
	}
	return true
}

func (r *reader) pop() value.Value {
	if len(r.args) == 0 {
		return value.Value{}
	}
	w := r.args[0]
	r.args = r.args[1:]
	return w
}

// isSwitch reports whether a value only says whether, or how much, its option is
// meant.
func isSwitch(v value.Value) bool {
	text, known := v.Known()
	return known && (isDigits(text) || slices.Contains([]string{"true", "false", "1", "0", "yes", "no", "on", "off", "always", "never", "auto"}, strings.ToLower(text)))
}

// value takes the next word as the value of an option. Where the option means
// nothing and the word looks like another one that writes or runs something, it is
// that one if the grammar is wrong about the first: the word is told.
func (r *reader) value(o *Option) value.Value {
	v := r.pop()
	text := v.Prefix()
	if o.Value.Role != Data || len(text) < 2 || text[0] != '-' {
		return v
	}
	name, _, _ := strings.Cut(text, "=")
	other := r.lookup(name, false)
	if other == nil && text[1] != '-' {
		other = r.short(text[:2])
	}
	if other != nil && other.Value != nil && other.Value.Role.acts() {
		r.m.Unknown = append(r.m.Unknown, name)
	}
	return v
}

func (r *reader) record(o *Option, v value.Value, given bool) {
	if r.negates {
		r.taken = append(r.taken, o)
	}
	r.m.flags = append(r.m.flags, o.Sets...)
	r.m.given = append(r.m.given, o)
	if o.Value == nil || !given {
		return
	}
	if o.Value.Until != "" {
		r.until(o, v)
		return
	}
	if o.Value.Words > 1 {
		r.m.Args = append(r.m.Args, Bound{Arg: o.Value, Value: v})
		for n := uint8(1); n < o.Value.Words && len(r.args) > 0; n++ {
			r.m.Args = append(r.m.Args, Bound{Arg: o.Value, Value: r.pop()})
		}
		return
	}
	if o.Value.Role == Argv { // -exec and the like: hooks re-read; the rest is the command
		rest := append([]value.Value{v}, r.args...)
		r.args = nil
		for _, a := range rest {
			r.m.Args = append(r.m.Args, Bound{Arg: o.Value, Value: a})
		}
		return
	}
	if o.Value.List != "" {
		for _, piece := range v.Split(o.Value.List) {
			r.m.Args = append(r.m.Args, Bound{Arg: o.Value, Value: piece})
		}
		return
	}
	r.m.Args = append(r.m.Args, Bound{Arg: o.Value, Value: v})
}

// until records the words of an option that takes several, v being the first.
func (r *reader) until(o *Option, v value.Value) {
	words := []string{v.String()}
	r.m.Args = append(r.m.Args, Bound{Arg: o.Value, Value: v})
	for !ends(o.Value.Until, words) && len(r.args) > 0 {
		w := r.pop()
		words = append(words[max(0, len(words)-1):], w.String())
		r.m.Args = append(r.m.Args, Bound{Arg: o.Value, Value: w})
	}
	if ends(o.Value.Until, words) { // the word that ends them is none of them
		r.m.Args = r.m.Args[:len(r.m.Args)-1]
	}
}

// ends reports whether the last words are one of those that end a list.
func ends(until string, words []string) bool {
	for end := range strings.SplitSeq(until, "|") {
		last := strings.Fields(end)
		if len(words) >= len(last) && slices.Equal(words[len(words)-len(last):], last) {
			return true
		}
	}
	return false
}

// cluster reads -abc as -a -b -c, where the last may have its value attached.
// It reports false, and records nothing, if a letter is not an option.
func (r *reader) cluster(w value.Value, text string) bool {
	dash := text[:1]
	if len(text) > 1 && isDigits(text[1:]) {
		if o := r.short("-NUM"); o != nil {
			if o.Value != nil {
				r.record(o, w.Cut(1), true)
			} else {
				r.record(o, value.Value{}, false)
			}
			return true
		}
	}
	type hit struct {
		o  *Option
		at int
	}
	var hits []hit
	equals := r.m.Program.Syntax&ShortEquals != 0
	for i := 1; i < len(text); i++ {
		if equals && i > 1 && text[i] == '=' {
			if !isSwitch(w.Cut(i + 1)) {
				return false
			}
			break
		}
		o := r.short(dash + text[i:i+1])
		if o == nil {
			return false
		}
		hits = append(hits, hit{o, i})
		if o.Value != nil && (!o.Optional || i+1 < len(text)) {
			break
		}
	}
	for _, h := range hits {
		switch {
		case h.o.Value == nil:
			r.record(h.o, value.Value{}, false)
		case h.at+1 < len(text) || !w.IsKnown() && len(w.Parts()) > 1:
			from := h.at + 1
			if equals && from < len(text) && text[from] == '=' {
				from++
			}
			r.record(h.o, w.Cut(from), true)
		case h.o.Optional:
			r.record(h.o, value.Value{}, false)
		default:
			r.record(h.o, r.value(h.o), true)
		}
	}
	return true
}

func (r *reader) short(name string) *Option {
	for c := range r.commands {
		if o := c.option(name, r.m.as); o != nil {
			return o
		}
	}
	return nil
}

// Option returns the command's own option of that name, with its dashes.
func (c *Command) Option(name string) *Option { return c.option(name, "") }

// option does so for a program that is called by one of the names.
func (c *Command) option(name, called string) *Option {
	for i := range c.Options {
		if o := &c.Options[i]; slices.Contains(o.Names, name) && o.belongs(called) {
			return o
		}
	}
	return nil
}

// keyValue reads key=value; it reports false if no option "key=" exists.
func (r *reader) keyValue(w value.Value, text string) bool {
	i := strings.IndexByte(text, '=') + 1
	o := r.short(text[:i])
	if o == nil {
		return false
	}
	r.record(o, w.Cut(i), true)
	return true
}

// bareCluster reads a first argument without a dash as a cluster of options
// whose values follow in order (tar xzf a.tgz, ps aux).
func (r *reader) bareCluster() {
	if len(r.args) == 0 {
		return
	}
	text, known := r.args[0].Known()
	if !known || text == "" || text[0] == '-' {
		return
	}
	for i := range text {
		if r.short("-"+text[i:i+1]) == nil {
			return
		}
	}
	r.args = r.args[1:]
	for i := range text {
		o := r.short("-" + text[i:i+1])
		if o.Value != nil && !o.Optional {
			r.record(o, r.pop(), true)
		} else {
			r.record(o, value.Value{}, false)
		}
	}
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
