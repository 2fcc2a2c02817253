package compile

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
	"go.yaml.in/yaml/v4"
)

// A Spec is a compiled program together with the cases it must pass.
type Spec struct {
	File    string
	Program *catalog.Program
	Cases   []Case
}

// A Case is an example command line and all that it must do.
type Case struct {
	Line   int
	Run    string
	Expect []string
}

// File compiles every document of a spec file.
func File(name string, text []byte) ([]*Spec, error) {
	dec := yaml.NewDecoder(strings.NewReader(string(text)))
	var specs []*Spec
	for {
		var doc yaml.Node
		err := dec.Decode(&doc)
		switch {
		case errors.Is(err, io.EOF) && len(specs) > 0:
			return specs, nil
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("%s:1: nothing is described here: a spec begins with `program: NAME`", name)
		case err != nil:
			return nil, notYAML(name, err)
		case len(doc.Content) == 0:
			return nil, fmt.Errorf("%s:%d: a document is empty: take the `---` before it away", name, max(doc.Line, 1))
		}
		c := &compiler{file: name}
		spec := c.program(doc.Content[0])
		if len(c.errs) > 0 {
			return nil, errors.Join(c.errs...)
		}
		specs = append(specs, spec)
	}
}

// notYAML names the line of an error of the YAML reader as the errors of the
// compiler do.
func notYAML(name string, err error) error {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	line := 1
	if n, err := fmt.Sscanf(text, "line %d: ", &line); n == 1 && err == nil {
		_, text, _ = strings.Cut(text, ": ")
	}
	return fmt.Errorf("%s:%d: this is no YAML: %s", name, line, text)
}

type compiler struct {
	file string
	errs []error
}

func (c *compiler) errorf(n *yaml.Node, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s:%d: %s", c.file, n.Line, fmt.Sprintf(format, args...)))
}

// fields calls f for every key of a mapping, in order.
func (c *compiler) fields(n *yaml.Node, f func(key string, k, v *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		c.errorf(n, "expected a mapping")
		return
	}
	seen := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			c.errorf(key, "%q is given twice: join the two", key.Value)
		}
		seen[key.Value] = true
		f(key.Value, key, n.Content[i+1])
	}
}

// list returns the strings of a sequence, or the words of a scalar.
func (c *compiler) list(n *yaml.Node) []string {
	switch n.Kind {
	case yaml.ScalarNode:
		return strings.Fields(n.Value)
	case yaml.SequenceNode:
		var out []string
		for _, k := range n.Content {
			if k.Kind != yaml.ScalarNode {
				c.errorf(k, "expected a string")
			}
			out = append(out, k.Value)
		}
		return out
	}
	c.errorf(n, "expected a string or a list of strings")
	return nil
}

func (c *compiler) program(n *yaml.Node) *Spec {
	s := &Spec{File: c.file, Program: &catalog.Program{}}
	rest := &yaml.Node{Kind: yaml.MappingNode, Line: n.Line}
	c.fields(n, func(key string, k, v *yaml.Node) {
		switch key {
		case "program":
			s.Program.Names = c.list(v)
		case "source":
			s.Program.Source = v.Value
		case "cases":
			s.Cases = c.cases(v)
		default:
			rest.Content = append(rest.Content, k, v)
		}
	})
	if len(s.Program.Names) == 0 {
		c.errorf(n, "program: its names are missing")
		return s
	}
	for _, name := range s.Program.Names {
		if !plainName(name) {
			c.errorf(n, "program: %q is no name of a program: write it without blanks, slashes and control characters", name)
		}
	}
	if s.Program.Source == "" {
		c.errorf(n, "source: say which manual this was written from")
	}
	if len(s.Cases) == 0 {
		c.errorf(n, "cases: a spec needs at least one")
	}
	s.Program.Command = c.command(s.Program.Names[0], rest)
	return s
}

// plainName reports whether a word can be the name of a program.
func plainName(name string) bool {
	odd := func(r rune) bool {
		return r == '/' || r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r)
	}
	return name != "" && !strings.ContainsFunc(name, odd)
}

func (c *compiler) cases(n *yaml.Node) []Case {
	var out []Case
	c.fields(n, func(key string, k, v *yaml.Node) {
		out = append(out, Case{Line: k.Line, Run: key, Expect: c.list(v)})
	})
	return out
}

func (c *compiler) command(name string, n *yaml.Node) catalog.Command {
	cmd := catalog.Command{Name: name}
	if n.Kind == yaml.ScalarNode {
		c.short(&cmd, n)
		return cmd
	}
	c.fields(n, func(key string, k, v *yaml.Node) {
		switch key {
		case "summary":
			cmd.Summary = v.Value
		case "syntax":
			for _, w := range c.list(v) {
				bit, ok := catalog.SyntaxNames()[w]
				if !ok {
					c.errorf(v, "syntax: unknown word %q: want %s", w, oneOf(catalog.SyntaxNames()))
				}
				cmd.Syntax |= bit
			}
		case "flags":
			for _, w := range c.list(v) {
				cmd.Options = append(cmd.Options, plainFlag(w))
			}
		case "values":
			for _, w := range c.list(v) {
				cmd.Options = append(cmd.Options, catalog.Option{Names: []string{w}, Value: &catalog.Arg{}})
			}
		case "options":
			c.fields(v, func(names string, k, v *yaml.Node) {
				cmd.Options = append(cmd.Options, c.option(names, k, v))
			})
		case "operands":
			c.operands(&cmd, v)
		case "effects":
			for _, e := range v.Content {
				cmd.Effects = append(cmd.Effects, c.rule(e))
			}
		case "environment":
			c.fields(v, func(name string, _, v *yaml.Node) {
				cmd.Env = append(cmd.Env, catalog.EnvVar{Name: name, Arg: c.arg(name, v)})
			})
		case "subcommands":
			c.fields(v, func(names string, _, v *yaml.Node) {
				cmd.Sub = append(cmd.Sub, c.command(names, v))
			})
		case "traits":
			cmd.Traits = c.traits(v)
		case "loads":
			cmd.Loads = c.list(v)
		case "prints":
			cmd.Prints = catalog.Output(v.Value)
		case "hook":
			cmd.Hook = v.Value
		case "wrap":
			cmd.Wrap = c.wrap(v)
		default:
			c.errorf(k, "unknown key %q: want summary, syntax, flags, values, options, operands, effects, environment, subcommands, traits, loads, prints, hook or wrap", key)
		}
	})
	cmd.Options = precedence(cmd.Options)
	c.check(&cmd, n)
	return cmd
}

// precedence puts options that mean something before those that do not, so
// that a spelling which a spec lists twice has its meaning.
func precedence(options []catalog.Option) []catalog.Option {
	rank := func(o catalog.Option) int {
		switch {
		case len(o.Sets) > 0, o.Value != nil && (o.Value.Name != "" || o.Value.Role != catalog.Data):
			return 0
		case o.Value != nil:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(options, func(a, b catalog.Option) int { return rank(a) - rank(b) })
	return options
}

// short compiles a command written as one word: a verb, or "safe".
func (c *compiler) short(cmd *catalog.Command, n *yaml.Node) {
	cmd.Syntax = catalog.AnyOption
	cmd.Operands = []catalog.Operand{{Arg: catalog.Arg{Name: "operand"}, Many: true}}
	if n.Value == "safe" {
		return
	}
	verb, word, _ := strings.Cut(n.Value, " ")
	if !slices.Contains(risk.Verbs(), risk.Verb(verb)) {
		c.errorf(n, "%q is neither a verb nor \"safe\": want one of %s", verb, verbs())
	}
	kind := c.kind(n, word)
	if !kind.With(risk.Verb(verb)) {
		c.errorf(n, "%q is not said of %s: take one of docs/words.md that is", word, verb)
	}
	cmd.Effects = []catalog.Rule{{Verb: risk.Verb(verb), Target: "operand", Kind: kind}}
	// A subcommand that is given no operand still has its effect.
	cmd.Effects = append(cmd.Effects, catalog.Rule{Verb: risk.Verb(verb), Kind: kind, When: catalog.Cond{Op: catalog.Not, Kids: []catalog.Cond{{Op: catalog.Is, Name: "operand"}}}})
}

// plainFlag reads "-a", or "--color=?" for an optional value.
func plainFlag(w string) catalog.Option {
	if name, ok := strings.CutSuffix(w, "=?"); ok {
		return catalog.Option{Names: []string{name}, Value: &catalog.Arg{}, Optional: true}
	}
	return catalog.Option{Names: []string{w}}
}

func (c *compiler) option(names string, k, v *yaml.Node) catalog.Option {
	o := catalog.Option{Names: strings.Fields(names)}
	for _, n := range o.Names {
		if !strings.HasPrefix(n, "-") && !strings.HasPrefix(n, "+") && !strings.HasPrefix(n, "/") && !strings.HasSuffix(n, "=") {
			c.errorf(k, "option %q does not begin with a dash", n)
		}
	}
	switch v.Kind {
	case yaml.ScalarNode:
		o.Sets = strings.Fields(strings.ReplaceAll(v.Value, ",", " "))
		if len(o.Sets) == 0 {
			c.errorf(v, "option %s: say which flag it sets, or list it under flags", names)
		}
	case yaml.MappingNode:
		takes := false
		rest := &yaml.Node{Kind: yaml.MappingNode, Line: v.Line}
		c.fields(v, func(key string, k, v *yaml.Node) {
			switch key {
			case "sets":
				o.Sets = c.list(v)
			case "optional":
				o.Optional = v.Value == "true"
			default:
				takes = true
				rest.Content = append(rest.Content, k, v)
			}
		})
		if takes {
			arg := c.arg("", rest)
			o.Value = &arg
		} else if o.Optional {
			o.Value = &catalog.Arg{}
		}
	default:
		c.errorf(v, "option %s: expected a flag or a mapping", names)
	}
	return o
}

// arg compiles a role, or a mapping of name, role, lang, list, when.
func (c *compiler) arg(name string, n *yaml.Node) catalog.Arg {
	a := catalog.Arg{Name: name}
	if n.Kind == yaml.ScalarNode {
		a.Role = c.role(n)
		return a
	}
	c.fields(n, func(key string, k, v *yaml.Node) {
		switch key {
		case "name":
			a.Name = v.Value
		case "role":
			a.Role = c.role(v)
		case "lang":
			a.Lang = v.Value
		case "list":
			a.List = v.Value
		case "when":
			a.When = c.cond(v)
		case "default": // operands only; see operands
		default:
			c.errorf(k, "unknown key %q: want name, role, lang, list, when", key)
		}
	})
	return a
}

func (c *compiler) role(n *yaml.Node) catalog.Role {
	r, ok := catalog.RoleNames()[n.Value]
	if !ok {
		c.errorf(n, "unknown role %q: want %s", n.Value, oneOf(catalog.RoleNames()))
	}
	return r
}

func (c *compiler) cond(n *yaml.Node) catalog.Cond {
	cond, err := catalog.ParseCond(n.Value)
	if err != nil {
		c.errorf(n, "%v", err)
	}
	return cond
}

func (c *compiler) operands(cmd *catalog.Command, n *yaml.Node) {
	if n.Kind != yaml.SequenceNode {
		c.errorf(n, "operands: expected a list such as [source...: reads, dest: writes]")
		return
	}
	for _, item := range n.Content {
		c.fields(item, func(name string, _, v *yaml.Node) {
			o := catalog.Operand{}
			if s, ok := strings.CutSuffix(name, "..."); ok {
				name, o.Many = s, true
			} else if s, ok := strings.CutSuffix(name, "?"); ok {
				name, o.Optional = s, true
			}
			o.Arg = c.arg(name, v)
			o.Rest = o.Role == catalog.Argv
			if v.Kind == yaml.MappingNode {
				c.fields(v, func(key string, _, v *yaml.Node) {
					if key == "default" {
						o.Default = v.Value
					}
				})
			}
			cmd.Operands = append(cmd.Operands, o)
		})
	}
}

// rule compiles an effect: a mapping, or "verb [target]".
func (c *compiler) rule(n *yaml.Node) catalog.Rule {
	var r catalog.Rule
	if n.Kind == yaml.ScalarNode {
		verb, target, _ := strings.Cut(n.Value, " ")
		r.Verb, r.Target = c.verb(n, verb), target
		return r
	}
	c.fields(n, func(key string, k, v *yaml.Node) {
		switch key {
		case "verb":
			r.Verb = c.verb(v, v.Value)
		case "role":
			r.Role = c.role(v)
		case "target":
			r.Target = v.Value
		case "carries":
			r.Carries = c.list(v)
		case "detail":
			r.Kind = c.kind(v, v.Value)
		case "lang":
			r.Lang = v.Value
		case "when":
			r.When = c.cond(v)
		default:
			c.errorf(k, "unknown key %q: want verb or role, target, carries, detail, lang, when", key)
		}
	})
	if r.Verb != "" && !r.Kind.With(r.Verb) {
		c.errorf(n, "detail: %q is not said of %s: take one of docs/words.md that is", r.Kind, r.Verb)
	}
	if (r.Verb == "") == (r.Role == catalog.Data) {
		c.errorf(n, "an effect has either a verb or a role")
	}
	return r
}

// oneOf lists the words that an error asks for.
func oneOf[T any](words map[string]T) string {
	return strings.Join(slices.Sorted(maps.Keys(words)), ", ")
}

func verbs() string {
	var words []string
	for _, v := range risk.Verbs() {
		words = append(words, string(v))
	}
	return strings.Join(words, ", ")
}

func (c *compiler) verb(n *yaml.Node, s string) risk.Verb {
	if !slices.Contains(risk.Verbs(), risk.Verb(s)) {
		c.errorf(n, "unknown verb %q: want one of %s", s, verbs())
	}
	return risk.Verb(s)
}

// traits reads words, or mappings of trait, when and names.
func (c *compiler) traits(n *yaml.Node) []catalog.TraitRule {
	if n.Kind == yaml.ScalarNode {
		var out []catalog.TraitRule
		for _, w := range strings.Fields(n.Value) {
			out = append(out, catalog.TraitRule{Trait: c.trait(n, w)})
		}
		return out
	}
	if n.Kind != yaml.SequenceNode {
		c.errorf(n, "traits: expected words, or a list such as [filters, {trait: ends, when: -m}]")
		return nil
	}
	var out []catalog.TraitRule
	for _, item := range n.Content {
		if item.Kind == yaml.ScalarNode {
			out = append(out, catalog.TraitRule{Trait: c.trait(item, item.Value)})
			continue
		}
		var r catalog.TraitRule
		c.fields(item, func(key string, k, v *yaml.Node) {
			switch key {
			case "trait":
				r.Trait = c.trait(v, v.Value)
			case "when":
				r.When = c.cond(v)
			case "names":
				r.Names = c.list(v)
			default:
				c.errorf(k, "unknown key %q: want trait, when, names", key)
			}
		})
		out = append(out, r)
	}
	return out
}

func (c *compiler) trait(n *yaml.Node, word string) catalog.Trait {
	t, ok := catalog.TraitNames()[word]
	if !ok {
		c.errorf(n, "unknown trait %q: want %s", word, oneOf(catalog.TraitNames()))
	}
	return t
}

// kind reads a declared word for what is touched or how.
func (c *compiler) kind(n *yaml.Node, word string) risk.Kind {
	k, ok := risk.KindOf(word)
	if !ok {
		c.errorf(n, "detail: %.60q is no declared word: take one of docs/words.md, or leave it out", word)
	}
	return k
}

func (c *compiler) wrap(n *yaml.Node) catalog.Wrap {
	var w catalog.Wrap
	c.fields(n, func(key string, k, v *yaml.Node) {
		switch key {
		case "privileged":
			w.Privileged = v.Value == "true"
		case "host":
			w.Host = v.Value
		case "container":
			w.Container = v.Value
		case "dir":
			w.Dir = v.Value
		case "remote":
			w.Remote = v.Value == "true"
		default:
			c.errorf(k, "unknown key %q: want privileged, host, container, dir, remote", key)
		}
	})
	return w
}

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
