package compile

import (
	"regexp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"go.yaml.in/yaml/v4"
)

// note compiles a key of what a spec says beside the grammar; it reports false
// if key is none of these.
func (c *compiler) note(cmd *catalog.Command, notes *catalog.Notes, key string, v *yaml.Node) bool {
	switch key {
	case "inert":
		if names := c.list(v); slices.Equal(names, []string{"all"}) {
			notes.Inert.All = true
		} else {
			notes.Inert.Names = names
		}
		c.claim(v, inertNames(cmd.Name, c.list(v)))
	case "unsaid":
		notes.Inert.Unsaid = c.list(v)
		c.claim(v, inertNames(cmd.Name, notes.Inert.Unsaid))
	case "hides":
		c.items(v, func(item *yaml.Node) { notes.Hides = append(notes.Hides, c.hide(item)) })
	case "needs":
		c.items(v, func(item *yaml.Node) { notes.Needs = append(notes.Needs, c.need(item, len(notes.Needs))) })
	case "parts":
		c.fields(v, func(name string, k, v *yaml.Node) { c.parts[name] = v.Value })
	case "says":
		c.items(v, func(item *yaml.Node) {
			notes.Says = append(notes.Says, c.phrase(item, len(notes.Says), false))
		})
	case "below":
		c.items(v, func(item *yaml.Node) {
			notes.Below = append(notes.Below, c.phrase(item, len(notes.Below), true))
		})
	case "manner":
		c.items(v, func(item *yaml.Node) {
			notes.Manner = append(notes.Manner, c.manner(item, len(notes.Manner)))
		})
	case "terms":
		c.fields(v, func(words string, k, v *yaml.Node) {
			if v.Kind != yaml.ScalarNode || v.Value == "" {
				c.errorf(k, "terms: say what people call %q, or - for nothing", words)
			}
			notes.Terms = append(notes.Terms, catalog.Term{Word: words, Says: v.Value})
		})
	case "within":
		notes.Within = c.list(v)
	case "binds":
		notes.Binds = c.list(v)
	default:
		return false
	}
	return true
}

// items calls f for each item of a list, or for what stands alone.
func (c *compiler) items(n *yaml.Node, f func(*yaml.Node)) {
	if n.Kind != yaml.SequenceNode {
		f(n)
		return
	}
	for _, item := range n.Content {
		f(item)
	}
}

func (c *compiler) hide(n *yaml.Node) catalog.Hide {
	var h catalog.Hide
	by := func(n *yaml.Node) catalog.Hiding {
		how, ok := catalog.HidingNames()[n.Value]
		if !ok {
			c.errorf(n, "hides: unknown word %q: want %s", n.Value, oneOf(catalog.HidingNames()))
		}
		return how
	}
	if n.Kind == yaml.ScalarNode {
		h.By = by(n)
		return h
	}
	c.fields(n, func(key string, k, v *yaml.Node) {
		switch key {
		case "by":
			h.By = by(v)
		case "of":
			h.Of = c.list(v)
		case "when":
			h.When = c.cond(v)
		default:
			c.errorf(k, "unknown key %q: want by, of, when", key)
		}
	})
	if h.By == catalog.Shown {
		c.errorf(n, "hides: say by what: %s", oneOf(catalog.HidingNames()))
	}
	c.claim(n, func(s *scope) error {
		for _, name := range h.Of {
			if err := s.argument(name, true); err != nil {
				return err
			}
		}
		return s.condition(h.When)
	})
	return h
}

// need compiles "repository", or a mapping of what is needed, of, else, or,
// first, all, when. number is its place among the command's.
func (c *compiler) need(n *yaml.Node, number int) catalog.Need {
	var need catalog.Need
	kinds := 0
	kind := func(word string, n *yaml.Node) {
		k, ok := catalog.NeedNames()[word]
		if !ok {
			c.errorf(n, "needs: unknown word %q: want %s, of, else, or, first, all, when", word, oneOf(catalog.NeedNames()))
		}
		need.Kind, kinds = k, kinds+1
	}
	if n.Kind == yaml.ScalarNode {
		kind(n.Value, n)
	} else {
		c.fields(n, func(key string, k, v *yaml.Node) {
			switch key {
			case "of":
				need.Of = v.Value
			case "else":
				need.Else = v.Value
			case "or":
				or, ok := catalog.OutcomeNames()[v.Value]
				if !ok {
					c.errorf(v, "or: unknown word %q: want %s", v.Value, oneOf(catalog.OutcomeNames()))
				}
				need.Or = or
			case "first":
				need.First = v.Value == "true"
			case "all":
				need.All = v.Value == "true"
			case "when":
				need.When = c.cond(v)
			default:
				kind(key, k)
				if need.Kind.OfArgument() || need.Kind.OfFile() {
					need.Names = c.list(v)
				}
			}
		})
	}
	named := need.Kind.OfArgument() || need.Kind.OfFile()
	switch {
	case kinds != 1:
		c.errorf(n, "needs: say one thing that is needed: %s", oneOf(catalog.NeedNames()))
	case named == (len(need.Names) == 0):
		c.errorf(n, "needs: say of which arguments or files")
	case need.Kind.HasOf() && need.Of == "", need.Of != "" && !need.Kind.HasOf() && need.Kind != catalog.NeedsThere:
		c.errorf(n, "needs: what is an entry, or free, is `of` a file or a list, and nothing else is")
	case need.Kind == catalog.NeedsAccount && need.Of != "users" && need.Of != "groups":
		c.errorf(n, "needs: an account is `of` users or groups")
	case need.Kind == catalog.NeedsListed && catalog.NameLists()[need.Of] == [2]string{}:
		c.errorf(n, "needs: listed: unknown list %q: want %s", need.Of, oneOf(catalog.NameLists()))
	}
	if need.Else == "" {
		need.Else = withoutWords(&need)
	}
	if need.Kind == catalog.NeedsAmong {
		need.Of = withNumbers(need.Of)
	}
	c.claim(n, needClaim(need))
	c.claims[len(c.claims)-1].need = number + 1
	return need
}

// withoutWords says why a program does not do its work where the spec leaves it
// to the kind of its need.
func withoutWords(n *catalog.Need) string {
	first := strings.Join(n.Names[:min(1, len(n.Names))], "")
	switch n.Kind {
	case catalog.NeedsThere:
		return "{" + first + "} is not there"
	case catalog.NeedsAbsent:
		return "{" + first + "} is there already"
	case catalog.NeedsHere:
		return "there is no " + first + " here"
	case catalog.NeedsUpwards:
		return "there is no " + first + " here or above"
	case catalog.NeedsEntry:
		return ofList(n.Of, "there is no ", " {"+first+"}", n.Of+" has no {"+first+"}")
	case catalog.NeedsFree:
		return ofList(n.Of, "there is a ", " {"+first+"} already", "{"+first+"} is there already")
	case catalog.NeedsPathspec:
		return "there is no {" + first + "} here"
	case catalog.NeedsFile:
		return "{" + first + "} is a directory"
	case catalog.NeedsParent:
		return "the directory for {" + first + "} is not there"
	case catalog.NeedsEmpty:
		return "{" + first + "} is not empty"
	case catalog.NeedsUnchanged:
		return "{" + first + "} has changes that are not committed"
	case catalog.NeedsAmong:
		if n.Of == aNumber {
			return "a number is wanted, not {" + first + "}"
		}
		return "there is no {" + first + "}"
	case catalog.NeedsFound:
		return "there is no {" + first + "} here"
	case catalog.NeedsRemote:
		return "no remote of this repository is on " + first
	case catalog.NeedsTracked:
		return "git does not track {" + first + "}"
	case catalog.NeedsUnderway:
		return "nothing of the kind is under way"
	case catalog.NeedsClean:
		return "tracked files have changes that are not committed"
	case catalog.NeedsUnused:
		return "{" + first + "} is the branch that is checked out"
	case catalog.NeedsAccount:
		return "there is no " + strings.TrimSuffix(n.Of, "s") + " {" + first + "} on this machine"
	case catalog.NeedsListed:
		says := catalog.NameLists()[n.Of]
		return says[0] + "{" + first + "}" + says[1]
	case catalog.NeedsGiven:
		return "no " + first + " is given"
	case catalog.NeedsRef:
		return "there is no {" + first + "} in this repository"
	case catalog.NeedsStaged:
		return "nothing is staged"
	case catalog.NeedsChanges:
		return "no tracked file has changed"
	case catalog.NeedsStash:
		return "the stash is empty"
	case catalog.NeedsCommit:
		return "there is no commit yet"
	case catalog.NeedsRepository:
		return "this is no git repository"
	case catalog.NeedsTerminal:
		return "there is no terminal to ask at"
	case catalog.NeedsRoot:
		return catalog.NotRoot
	case catalog.NeedsUnmanaged:
		return "pip may not change the system's Python"
	case catalog.NeedsSocket:
		return "nothing listens at " + first
	}
	return "there is nothing on standard input"
}

// ofList says something of one of a repository's lists, else what is said of a file.
func ofList(list, before, after, otherwise string) string {
	one := map[string]string{"remotes": "remote", "branches": "branch", "tags": "tag"}[list]
	if one == "" {
		return otherwise
	}
	return before + one + after
}

func needClaim(n catalog.Need) func(*scope) error {
	return func(s *scope) error {
		given := map[string]bool{}
		if n.Kind.OfArgument() {
			for _, name := range n.Names {
				given[name] = n.Kind != catalog.NeedsGiven
				if n.Kind == catalog.NeedsGiven && (strings.HasPrefix(name, "$") || strings.HasPrefix(name, "~/") || strings.HasPrefix(name, "--") && anyOption(s)) {
					continue // a variable, a file of settings, an option that the grammar need not list
				}
				name, _ = catalog.Ordinal(name)
				if err := s.argument(name, false); err != nil {
					return err
				}
			}
		}
		t, err := catalog.ParseTemplate(n.Else)
		if err != nil {
			return err
		}
		if err := s.condition(n.When); err != nil {
			return err
		}
		return s.template(t, s.implied(n.When, given))
	}
}

// anyOption reports whether the grammar takes options that it does not list.
func anyOption(s *scope) bool {
	return slices.ContainsFunc(s.chain, func(c *catalog.Command) bool { return c.Syntax&catalog.AnyOption != 0 })
}

// phrase compiles text, or a mapping of when and text. number is its place
// among the command's, or among those that it has for its subcommands.
func (c *compiler) phrase(n *yaml.Node, number int, below bool) catalog.Phrase {
	p := c.conditional(n)
	act := below && strings.HasPrefix(p.Text, "{Act}") // which is such a verb
	if first := p.Text[:min(1, len(p.Text))]; !act && (first != strings.ToUpper(first) || first == "" || first == "{" || first == "[") {
		c.errorf(n, "says: begin with a verb and a capital letter: %q", p.Text)
	}
	if strings.HasSuffix(p.Text, ".") {
		c.errorf(n, "says: %q: leave the full stop away", p.Text)
	}
	t, err := catalog.ParseTemplate(p.Text)
	if err != nil {
		c.errorf(n, "says: %v", err)
	}
	c.claim(n, func(s *scope) error {
		if below {
			s = s.below()
		}
		if err := s.condition(p.When); err != nil {
			return err
		}
		return s.template(t, s.implied(p.When, nil))
	})
	k := &c.claims[len(c.claims)-1]
	k.phrase, k.below = number+1, below
	return p
}

// manner compiles what options make of what is shown: text that goes on behind a
// sentence. Its options may be those of the subcommands.
func (c *compiler) manner(n *yaml.Node, number int) catalog.Phrase {
	p := c.conditional(n)
	if !strings.HasPrefix(p.Text, " ") && !strings.HasPrefix(p.Text, ", ") && p.Text != "-" {
		c.errorf(n, "manner: begin with a blank, a comma, or be - for none: %q", p.Text)
	}
	t, err := catalog.ParseTemplate(p.Text)
	if err != nil {
		c.errorf(n, "manner: %v", err)
	}
	c.claim(n, func(s *scope) error {
		with := s.within()
		if err := with.condition(p.When); err != nil {
			return err
		}
		return with.exist(t)
	})
	c.claims[len(c.claims)-1].manner = number + 1
	return p
}

// conditional reads text, or a mapping of when and text.
func (c *compiler) conditional(n *yaml.Node) catalog.Phrase {
	var p catalog.Phrase
	if n.Kind == yaml.ScalarNode {
		p.Text = n.Value
	} else {
		c.fields(n, func(key string, k, v *yaml.Node) {
			switch key {
			case "text":
				p.Text = v.Value
			case "when":
				p.When = c.cond(v)
			default:
				c.errorf(k, "unknown key %q: want text, when", key)
			}
		})
	}
	p.Text = c.withParts(n, p.Text)
	return p
}

// withParts puts the parts that a spec names in the place of {=name}.
func (c *compiler) withParts(n *yaml.Node, text string) string {
	before, rest, some := strings.Cut(text, "{=")
	name, behind, closed := strings.Cut(rest, "}")
	if !some || !closed {
		return text
	}
	part, ok := c.parts[name]
	if !ok {
		c.errorf(n, "says: {=%s}: no part of that name stands above, among the parts", name)
	}
	return before + part + c.withParts(n, behind)
}

// settings compiles variables and files that a command obeys.
func (c *compiler) settings(n *yaml.Node) []catalog.Setting {
	if n.Kind != yaml.SequenceNode {
		c.errorf(n, "settings: expected a list such as [{env: PAGER, role: shell}, {file: ~/.toolrc, as: options}]")
		return nil
	}
	var out []catalog.Setting
	for _, item := range n.Content {
		out = append(out, c.setting(item)...)
	}
	return out
}

func (c *compiler) setting(n *yaml.Node) []catalog.Setting {
	var vars, files []string
	var s catalog.Setting
	lasting := ""
	roled := false
	rest := &yaml.Node{Kind: yaml.MappingNode, Line: n.Line}
	c.fields(n, func(key string, k, v *yaml.Node) {
		switch key {
		case "env":
			vars = c.list(v)
		case "file":
			files = c.list(v)
		case "as":
			switch v.Value {
			case "options":
				s.As = catalog.AsOptions
			case "code":
				s.As = catalog.AsCode
			default:
				c.errorf(v, "as: unknown word %q: want options or code, or give a role", v.Value)
			}
		case "holding":
			if _, err := regexp.Compile(v.Value); err != nil {
				c.errorf(v, "holding: %v", err)
			}
			s.Holding = v.Value
		case "inert":
			s.As = catalog.AsInert
		case "help":
			s.VersionToo = v.Value == "always"
			if s.HelpToo = v.Value == "too" || s.VersionToo; !s.HelpToo {
				c.errorf(v, "help: unknown word %q: want too, or always: for the version as well", v.Value)
			}
		case "lasting":
			lasting = v.Value
		case "role", "lang", "list", "when":
			roled = roled || key == "role"
			rest.Content = append(rest.Content, k, v)
		default:
			c.errorf(k, "unknown key %q: want env or file, role or as or inert, holding, help, lang, list, when, lasting", key)
		}
	})
	s.Arg = c.arg("", rest)
	switch {
	case (len(vars) == 0) == (len(files) == 0):
		c.errorf(n, "a setting is either env: a variable, or file: a file")
	case s.As != catalog.AsWord && roled:
		c.errorf(n, "a setting has a role, or is taken as options or code, or is inert")
	case s.As == catalog.AsCode && len(vars) > 0, s.As != catalog.AsCode && (s.Holding != "" || s.HelpToo):
		c.errorf(n, "`as: code`, `holding` and `help: too` are for a file together")
	case s.As == catalog.AsWord && !roled:
		s.As = catalog.AsUnsaid
	case s.As == catalog.AsOptions && len(vars) > 0 && s.Arg.When.Op != catalog.Always:
		c.errorf(n, "a variable that stands for options does so always: take `when` away")
	}
	c.claim(n, func(sc *scope) error { return sc.condition(s.Arg.When) })
	s.Lasting = len(vars) > 0 && (lasting == "true" || lasting == "" && lastingByRole(&s))
	var out []catalog.Setting
	for _, name := range vars {
		s.Env = name
		out = append(out, s)
	}
	s.Env = ""
	for _, name := range files {
		s.File = name
		out = append(out, s)
	}
	return out
}

// lastingByRole reports whether a variable that is set for a session matters
// unless the spec says otherwise: what it names is run, loaded or talked to.
func lastingByRole(s *catalog.Setting) bool {
	switch s.As {
	case catalog.AsOptions, catalog.AsUnsaid:
		return true
	case catalog.AsInert:
		return false
	}
	switch s.Arg.Role {
	case catalog.Data, catalog.Pattern, catalog.Reads, catalog.Shows, catalog.SecretArg, catalog.Dir, catalog.Process, catalog.Object:
		return false
	}
	return true
}
