package compile

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"go.yaml.in/yaml/v4"
)

// rule compiles an effect: a mapping, or "verb [target]".
func (c *compiler) rule(n *yaml.Node) catalog.Rule {
	var r catalog.Rule
	if n.Kind == yaml.ScalarNode {
		verb, target, _ := strings.Cut(n.Value, " ")
		r.Verb, r.Target = c.verb(n, verb), c.target(n, target)
		return r
	}
	c.fields(n, func(key string, k, v *yaml.Node) {
		switch key {
		case "verb":
			r.Verb = c.verb(v, v.Value)
		case "role":
			r.Role = c.role(v)
		case "target":
			r.Target = c.target(v, v.Value)
		case "carries":
			r.Carries = c.list(v)
		case "detail":
			r.Kind = c.kind(v, v.Value)
		case "only":
			r.Flat = c.only(v)
		case "lang":
			r.Lang = v.Value
		case "when":
			r.When = c.cond(v)
		default:
			c.errorf(k, "unknown key %q: want verb or role, target, carries, detail, only, lang, when", key)
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

// only reads what alone is deleted where a directory is named: "files", or
// "empty" directories.
func (c *compiler) only(n *yaml.Node) bool {
	if n.Value != "files" && n.Value != "empty" {
		c.errorf(n, "only: unknown word %q: want files or empty", n.Value)
	}
	return true
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
		case "secrets":
			w.Secrets = v.Value
		default:
			c.errorf(k, "unknown key %q: want privileged, host, container, dir, remote, secrets", key)
		}
	})
	return w
}
