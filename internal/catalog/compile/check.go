package compile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"go.yaml.in/yaml/v4"
)

// check refuses effects and conditions that name what does not exist.
func (c *compiler) check(cmd *catalog.Command, n *yaml.Node) {
	named := map[string]bool{"stdin": true, "": true}
	for i := range cmd.Options {
		if v := cmd.Options[i].Value; v != nil {
			named[v.Name] = true
		}
	}
	for i := range cmd.Operands {
		named[cmd.Operands[i].Name] = true
	}
	for _, r := range cmd.Effects {
		if !named[r.Target] && !strings.HasPrefix(r.Target, "=") && len(cmd.Sub) == 0 {
			c.errorf(n, "an effect names %q, which is no argument of %s (write =%s for a literal)", r.Target, cmd.Name, r.Target)
		}
		if r.Role != catalog.Data && r.Target == "" {
			c.errorf(n, "an effect with a role needs a target")
		}
	}
}

// A claim is something that a spec says of names that may stand elsewhere: in
// the commands around it, or in another file. It is checked when the program is
// whole.
type claim struct {
	file   string
	line   int
	path   []string // the subcommands that lead to the command, as their keys are written
	phrase int      // which of its phrases this is, from 1, or 0
	below  bool     // of those for its subcommands
	need   int      // which of its needs, from 1, or 0
	manner int      // which of its manners, from 1, or 0
	check  func(*scope) error
}

func (c *compiler) claim(n *yaml.Node, check func(*scope) error) {
	c.claims = append(c.claims, claim{file: c.file, line: n.Line, path: slices.Clone(c.path), check: check})
}

// at returns the commands that a path leads to, outermost first; nil if there
// is no such path.
func at(p *catalog.Program, path []string) []*catalog.Command {
	chain := []*catalog.Command{&p.Command}
	for _, name := range path {
		last := chain[len(chain)-1]
		i := slices.IndexFunc(last.Sub, func(s *catalog.Subcommand) bool { return s.Name == name })
		if i < 0 {
			return nil
		}
		chain = append(chain, last.Sub[i].Command())
	}
	return chain
}

// A scope is what can be named in a command: its own names and those of the
// commands around it.
type scope struct {
	chain []*catalog.Command
	flags map[string]bool // flags, options by their spellings, and what hooks give
	args  map[string]bool // arguments: true if there is always a word
	loose bool            // options that the grammar does not list may be named
}

func newScope(chain []*catalog.Command) *scope {
	s := &scope{chain: chain, flags: map[string]bool{}, args: map[string]bool{}}
	for depth, c := range chain {
		for i := range c.Options {
			o := &c.Options[i]
			for _, n := range slices.Concat(o.Names, o.Sets) {
				s.flags[n] = true
			}
			if o.Value != nil && o.Value.Name != "" {
				s.args[o.Value.Name] = s.args[o.Value.Name] || false
			}
		}
		for _, n := range c.Notes().Binds {
			s.flags[n] = true
			s.args[n] = s.args[n] || false
		}
		for i := range c.Operands {
			if o := &c.Operands[i]; depth == len(chain)-1 {
				always := o.When.Op == catalog.Always && (o.Default != "" || !o.Optional && !o.Many && !o.Rest)
				s.args[o.Name] = s.args[o.Name] || always
			}
		}
	}
	return s
}

// below is the scope of phrases for subcommands: the words of a command line fill
// slots of theirs.
func (s *scope) below() *scope {
	with := &scope{chain: s.chain, flags: s.flags, args: maps.Clone(s.args)}
	for _, name := range catalog.DerivedSlots() {
		with.args[name] = name == "Program"
	}
	return with
}

// within is the scope of manners: options of the subcommands, at whatever depth, count too.
func (s *scope) within() *scope {
	with := &scope{chain: s.chain, flags: maps.Clone(s.flags), args: maps.Clone(s.args), loose: anyOption(s)}
	var add func(c *catalog.Command)
	add = func(c *catalog.Command) {
		for i := range c.Sub {
			sub := c.Sub[i].Command()
			own := newScope([]*catalog.Command{sub})
			with.loose = with.loose || anyOption(own)
			maps.Copy(with.flags, own.flags)
			for name := range own.args {
				with.args[name] = with.args[name] || false
			}
			add(sub)
		}
	}
	add(s.chain[len(s.chain)-1])
	return with
}

func (s *scope) name() string {
	var words []string
	for _, c := range s.chain {
		words = append(words, c.Name)
	}
	return strings.Join(words, " ")
}

// argument refuses a name that is no argument. Those of subcommands count too
// where below is set.
func (s *scope) argument(name string, below bool) error {
	if _, ok := s.args[name]; ok || below && (name == "stdin" || strings.HasPrefix(name, "=") || holds(s.chain[len(s.chain)-1], name)) {
		return nil
	}
	return fmt.Errorf("%q is no argument of %s: want %s", name, s.name(), strings.Join(slices.Sorted(maps.Keys(s.args)), ", "))
}

// holds reports whether a subcommand of c has an argument of this name.
func holds(c *catalog.Command, name string) bool {
	for i := range c.Sub {
		sub := c.Sub[i].Command()
		if _, ok := newScope([]*catalog.Command{sub}).args[name]; ok || holds(sub, name) {
			return true
		}
	}
	return false
}

// condition refuses names that nothing gives.
func (s *scope) condition(c catalog.Cond) error {
	for _, name := range c.Names(nil) {
		name, _ = catalog.Ordinal(name)
		_, arg := s.args[name]
		switch {
		case arg, s.flags[name], strings.HasPrefix(name, "-") && s.options(name) == nil, name == "subcommand", name == "called", name == "onscreen", slices.Contains(conventional, name):
		case strings.Contains(name, "."):
			if _, _, err := catalog.ParseEffect(name); err != nil {
				return fmt.Errorf("condition %q: %w", c, err)
			}
		default:
			return fmt.Errorf("condition %q: %q is no flag, option or argument of %s", c, name, s.name())
		}
	}
	return nil
}

// options refuses spellings, with | between them, that are no options.
func (s *scope) options(spellings string) error {
	for option := range strings.SplitSeq(spellings, "|") {
		if !s.flags[option] && !s.loose {
			return fmt.Errorf("{%s}: %s is no option of %s", spellings, option, s.name())
		}
	}
	return nil
}

// conventional are the flags with a meaning of their own (docs/catalog.md).
var conventional = []string{"recursive", "force", "dry", "help"}

// implied are the names that surely have words where c holds, besides those
// given.
func (s *scope) implied(c catalog.Cond, given map[string]bool) map[string]bool {
	out := maps.Clone(given)
	if out == nil {
		out = map[string]bool{}
	}
	switch c.Op {
	case catalog.Is:
		out[c.Name] = true
		if o := s.option(c.Name); o != nil && o.Value != nil && !o.Optional {
			out[o.Value.Name] = true
		}
	case catalog.Equals, catalog.Like:
		out[c.Name] = true
	case catalog.And:
		for _, k := range c.Kids {
			maps.Copy(out, s.implied(k, nil))
		}
	case catalog.Or:
		common := s.implied(c.Kids[0], nil)
		for _, k := range c.Kids[1:] {
			other := s.implied(k, nil)
			maps.DeleteFunc(common, func(n string, _ bool) bool { return !other[n] })
		}
		maps.Copy(out, common)
	}
	return out
}

// option finds an option by its spelling, the innermost command's first.
func (s *scope) option(name string) *catalog.Option {
	for _, c := range slices.Backward(s.chain) {
		for i := range c.Options {
			if slices.Contains(c.Options[i].Names, name) {
				return &c.Options[i]
			}
		}
	}
	return nil
}

// template refuses slots that do not exist, and those that can be empty outside
// of a part that may be left out. full are the names that have words.
func (s *scope) template(t catalog.Template, full map[string]bool) error {
	for i := range t {
		p := &t[i]
		if len(p.Part) > 0 {
			if err := s.condition(p.When); err != nil {
				return err
			}
			if err := s.exist(p.Part); err != nil {
				return err
			}
			continue
		}
		if p.Slot == "" {
			continue
		}
		if err := s.slot(p.Slot); err != nil {
			return err
		}
		if p.Slot != "subcommand" && p.Slot != "called" && !strings.HasPrefix(p.Slot, "form:") && !surely(full, p.Slot) && !s.args[p.Slot] {
			return fmt.Errorf("{%s} can be empty: say it in a part ([ of {%s}]), or `when: %s`", p.Slot, p.Slot, p.Slot)
		}
	}
	return nil
}

// surely reports whether a slot has words where the names of full have: an
// effect of a verb and a kind is one of the verb.
func surely(full map[string]bool, slot string) bool {
	if full[slot] {
		return true
	}
	for name := range full {
		if verb, _, ok := strings.Cut(name, ":"); ok && verb == slot {
			return true
		}
	}
	return false
}

// exist refuses slots of a part that do not exist; it is left out where one is
// empty.
func (s *scope) exist(t catalog.Template) error {
	slots := 0
	for i := range t {
		if t[i].Slot == "" {
			continue
		}
		slots++
		if err := s.slot(t[i].Slot); err != nil {
			return err
		}
	}
	return nil
}

func (s *scope) slot(name string) error {
	if name = strings.TrimPrefix(name, "form:"); strings.HasPrefix(name, "-") {
		return s.options(name)
	}
	switch {
	case strings.Contains(name, "."):
		_, _, err := catalog.ParseEffect(name)
		return err
	case name == "called":
		return nil
	case name == "subcommand":
		if _, below := s.args["Act"]; len(s.chain) < 2 && !below {
			return fmt.Errorf("{subcommand} stands in a subcommand")
		}
		return nil
	}
	name, _ = catalog.Ordinal(name)
	return s.argument(name, false)
}

// inertNames checks that what is called inert or unsaid is in the grammar of
// the command itself.
func inertNames(command string, names []string) func(*scope) error {
	return func(s *scope) error {
		c := s.chain[len(s.chain)-1]
		for _, name := range names {
			option := slices.ContainsFunc(c.Options, func(o catalog.Option) bool { return slices.Contains(o.Names, name) })
			operand := slices.ContainsFunc(c.Operands, func(o catalog.Operand) bool { return o.Name == name })
			if !option && !operand && name != "all" {
				return fmt.Errorf("%q is no option or operand of %s", name, command)
			}
		}
		return nil
	}
}
