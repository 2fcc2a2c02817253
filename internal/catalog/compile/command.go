package compile

import (
	"slices"
	"strconv"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
	"go.yaml.in/yaml/v4"
)

func (c *compiler) command(name string, n *yaml.Node) catalog.Command {
	cmd := catalog.Command{Name: name}
	c.place("", n)
	if n.Kind == yaml.ScalarNode {
		c.short(&cmd, n)
		return cmd
	}
	var notes catalog.Notes
	var own []catalog.Option // of some of the names
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
		case "flags", "values", "options":
			cmd.Options = append(cmd.Options, c.options(key, v)...)
		case "of":
			c.fields(v, func(names string, _, v *yaml.Node) {
				own = append(own, c.ofSome(strings.Fields(names), v)...)
			})
		case "operands":
			c.operands(&cmd, v)
		case "effects":
			for _, e := range v.Content {
				cmd.Effects = append(cmd.Effects, c.rule(e))
			}
		case "settings":
			cmd.Settings = c.settings(v)
		case "subcommands":
			c.fields(v, func(names string, k, v *yaml.Node) {
				c.path = append(c.path, names)
				c.place("", k)
				cmd.Sub = append(cmd.Sub, catalog.NewSubcommand(c.command(names, v)))
				c.path = c.path[:len(c.path)-1]
			})
		case "traits":
			cmd.Traits = c.traits(v)
		case "prints":
			cmd.Prints = catalog.Output(v.Value)
		case "hook":
			cmd.Hook = v.Value
		case "wrap":
			cmd.Wrap = c.wrap(v)
		case "reasons":
			c.reason(&cmd, v)
		default:
			if !c.note(&cmd, &notes, key, v) {
				c.errorf(k, "unknown key %q: want summary, syntax, flags, values, options, of, operands, effects, settings, subcommands, traits, prints, hook, wrap, reasons, inert, unsaid, hides, needs, says, binds, below, manner, terms or within", key)
			}
		}
	})
	cmd.Keep(&notes)
	all := append(own, cmd.Options...)
	c.oneShape(n, all)
	cmd.Options = precedence(obeyed(all, notes.Inert.Unsaid))
	c.check(&cmd, n)
	return cmd
}

// obeyed makes settings of what options name that are called so and of which
// nothing more is said: a file of settings is asked for.
func obeyed(options []catalog.Option, unsaid []string) []catalog.Option {
	for i := range options {
		o := &options[i]
		settings := slices.ContainsFunc(o.Names, func(n string) bool {
			return slices.Contains(unsaid, n) && (strings.Contains(n, "config") || strings.Contains(n, "rcfile"))
		})
		if settings && o.Value != nil && o.Value.Name == "" && o.Value.Role == catalog.Data {
			o.Value.Role = catalog.Config
		}
	}
	return options
}

// oneShape refuses an option that is listed once with a value and once without, for the
// same program: which of the two it is decides what the next word is.
func (c *compiler) oneShape(n *yaml.Node, options []catalog.Option) {
	type spelling struct{ of, name string }
	takes := map[spelling]bool{}
	for i := range options {
		o := &options[i]
		value := o.Value != nil && !o.Optional
		for _, name := range o.Names {
			key := spelling{strings.Join(o.Of, " "), name}
			if before, listed := takes[key]; listed && before != value {
				c.errorf(n, "option %s is listed with a value and without one: which is it?", name)
			}
			takes[key] = value
		}
	}
}

// precedence puts options that mean something before those that do not, so
// that a spelling which a spec lists twice has its meaning; then those of some of
// the names only, and those that take a value.
func precedence(options []catalog.Option) []catalog.Option {
	rank := func(o catalog.Option) int {
		switch {
		case len(o.Sets) > 0, o.Value != nil && (o.Value.Name != "" || o.Value.Role != catalog.Data):
			return 0
		case len(o.Of) > 0:
			return 1
		case o.Value != nil:
			return 2
		}
		return 3
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

// credentialName names the value of an option after what it is where the option's
// own name says that it is a credential: a program obeys it and shows none of it.
func credentialName(option string) string {
	for word := range strings.FieldsFuncSeq(strings.ToLower(option), func(r rune) bool { return r == '-' || r == '_' }) {
		switch word {
		case "token", "password", "passwd", "pass", "passphrase", "passin", "passout", "secret", "key", "apikey", "auth", "credential", "credentials", "user", "username", "login":
			return "credential"
		}
	}
	return ""
}

// options compiles those under one of the three keys.
func (c *compiler) options(key string, v *yaml.Node) (all []catalog.Option) {
	switch key {
	case "flags":
		for _, w := range c.list(v) {
			all = append(all, plainFlag(w))
			c.place(all[len(all)-1].Names[0], v)
		}
	case "values":
		for _, w := range c.list(v) {
			w, among := listedWords(w)
			all = append(all, catalog.Option{Names: []string{w}, Value: &catalog.Arg{Name: credentialName(w), Among: among}})
			c.place(w, v)
		}
	case "options":
		c.fields(v, func(names string, k, v *yaml.Node) {
			all = append(all, c.option(names, k, v))
			c.place(strings.Fields(names + " ?")[0], k)
		})
	}
	return all
}

// ofSome compiles the options that only some of the programs have that share a
// spec.
func (c *compiler) ofSome(names []string, n *yaml.Node) (all []catalog.Option) {
	c.fields(n, func(key string, k, v *yaml.Node) {
		if key != "flags" && key != "values" && key != "options" {
			c.errorf(k, "unknown key %q: want flags, values, options", key)
			return
		}
		all = append(all, c.options(key, v)...)
	})
	for i := range all {
		all[i].Of = names
	}
	return all
}

// listedWords reads "--sort=name|size": an option, and the words that it takes; "--count=#"
// takes a number.
func listedWords(w string) (option, among string) {
	if name, words, ok := strings.Cut(w, "="); ok && (strings.Contains(words, "|") || words == aNumber) && strings.HasPrefix(name, "-") {
		return name, withNumbers(words)
	}
	return w, ""
}

// aNumber stands in a list of words for all that begin as a number does: what may stand
// behind it, a unit or a fraction, is the program's own business.
const aNumber = "#"

// withNumbers writes a list of words with the beginnings of numbers in it.
func withNumbers(words string) string {
	all := strings.Split(words, "|")
	for i, w := range all {
		if w == aNumber {
			all[i] = "0*|1*|2*|3*|4*|5*|6*|7*|8*|9*|.*|+*"
		}
	}
	return strings.Join(all, "|")
}

// plainFlag reads "-a", or "--color=?" for an optional value, "--color=?auto|never" for
// one of some words.
func plainFlag(w string) catalog.Option {
	if name, words, ok := strings.Cut(w, "=?"); ok && (strings.Contains(words, "|") || words == aNumber) {
		return catalog.Option{Names: []string{name}, Value: &catalog.Arg{Among: withNumbers(words)}, Optional: true}
	}
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
		case "lists":
			a.Lists = v.Value
		case "until":
			a.Until = v.Value
		case "words":
			if n, err := strconv.Atoi(v.Value); err == nil && n > 0 && n < 10 {
				a.Words = uint8(n)
			} else {
				c.errorf(v, "words: %q is no number from 1 to 9", v.Value)
			}
		case "among":
			a.Among = withNumbers(v.Value)
		case "only":
			a.Flat = c.only(v)
		case "when":
			a.When = c.cond(v)
		case "default": // operands only; see operands
		default:
			c.errorf(k, "unknown key %q: want name, role, lang, list, lists, until, words, among, only, when", key)
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
			name, o.Many = strings.CutSuffix(name, "...")
			name, o.Optional = strings.CutSuffix(name, "?")
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
