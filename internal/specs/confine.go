package specs

import (
	"fmt"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// How large a description by a workspace may be: what it costs to match a
// command with it grows with these.
const (
	maxNames   = 64
	maxOptions = 256
	maxRules   = 32
	maxKids    = 16
	maxSubs    = 256
	maxDepth   = 6
	maxWord    = 100
)

// confine holds a workspace's description to what it may say: effects, by the
// grammar's own words. It calls no Go code; its sentences, and all that could
// only reassure, are dropped.
func confine(file string, p *catalog.Program) error {
	if len(p.Names) > maxNames {
		return fmt.Errorf("%s:1: more than %d names: describe fewer programs at a time", file, maxNames)
	}
	for _, n := range p.Names {
		if len(n) > maxWord || strings.ContainsAny(n, "[]") && n != "[" && n != "[[" {
			return fmt.Errorf("%s:1: program %.40q: a name in a workspace's spec is short and without brackets", file, n)
		}
	}
	p.Source = ""
	return confineCommand(file, &p.Command, 0)
}

func confineCommand(file string, c *catalog.Command, depth int) error {
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%s:1: %.40q: %s", file, c.Name, fmt.Sprintf(format, args...))
	}
	switch {
	case c.Hook != "":
		return refuse("hook: a workspace's spec cannot call heed's own code: say it by options and effects")
	case depth > maxDepth:
		return refuse("subcommands are nested deeper than %d", maxDepth)
	case len(c.Options) > maxOptions || len(c.Operands) > maxKids || len(c.Settings) > maxKids || len(c.Traits) > maxKids:
		return refuse("more than %d options, or %d operands, settings or traits: describe what matters", maxOptions, maxKids)
	case len(c.Effects) > maxRules:
		return refuse("more than %d effects: describe what matters", maxRules)
	case len(c.Sub) > maxSubs:
		return refuse("more than %d subcommands: describe what matters", maxSubs)
	case len(c.Name) > 10*maxWord:
		return refuse("its names are longer than %d bytes", 10*maxWord)
	}
	c.Summary = ""
	c.Kept = nil // what is inert, hidden or needed would lower answers; what it says would be heed's words
	for i := range c.Options {
		if err := small(c.Options[i].Value, len(c.Options[i].Names)); err != nil {
			return refuse("%v", err)
		}
	}
	for i := range c.Operands {
		if err := small(&c.Operands[i].Arg, 0); err != nil {
			return refuse("%v", err)
		}
	}
	for i := range c.Settings {
		if err := small(&c.Settings[i].Arg, 0); err != nil {
			return refuse("%v", err)
		}
	}
	for i := range c.Traits {
		if nodes(&c.Traits[i].When) > maxKids || len(c.Traits[i].Names) > maxNames {
			return refuse("a trait has a condition of more than %d parts, or more than %d names", maxKids, maxNames)
		}
	}
	for i := range c.Effects {
		if err := confineRule(&c.Effects[i]); err != nil {
			return refuse("%v", err)
		}
	}
	for i := range c.Sub {
		if err := confineCommand(file, c.Sub[i].Command(), depth+1); err != nil {
			return err
		}
	}
	return nil
}

func confineRule(r *catalog.Rule) error {
	if !r.Kind.FromWorkspace() {
		r.Kind = risk.NoKind
	}
	if len(r.Carries) > maxKids {
		return fmt.Errorf("an effect carries more than %d arguments", maxKids)
	}
	if nodes(&r.When) > maxKids {
		return fmt.Errorf("a condition has more than %d parts", maxKids)
	}
	return nil
}

// small refuses an argument that costs much to match. names is how many
// spellings its option has.
func small(a *catalog.Arg, names int) error {
	if names > maxKids {
		return fmt.Errorf("an option has more than %d spellings", maxKids)
	}
	if a != nil && nodes(&a.When) > maxKids {
		return fmt.Errorf("a condition has more than %d parts", maxKids)
	}
	return nil
}

// nodes counts the parts of a condition.
func nodes(c *catalog.Cond) int {
	n := 1
	for i := range c.Kids {
		n += nodes(&c.Kids[i])
	}
	return n
}
