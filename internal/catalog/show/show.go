// Package show writes what the catalog knows of a program for a person to read.
//
// In go compiled programs; out comes text that says the same as their specs, in
// whole words. It decides nothing.
package show

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/risk"
)

// Program describes a program, or the subcommand that path leads to. found is
// how many words of path were understood.
func Program(p *catalog.Program, path []string) (text string, found int) {
	c := &p.Command
	name := p.Names[0]
	for _, word := range path {
		sub := subcommand(c, word)
		if sub == nil {
			return "", found
		}
		c, found = sub, found+1
		name += " " + word
	}
	var w writer
	w.line(0, "%s%s", name, before(": ", c.Summary))
	if found == 0 {
		w.field("names", strings.Join(p.Names, " "))
		w.field("source", p.Source)
	} else {
		w.field("names", c.Name)
	}
	w.command(c)
	return w.String(), found
}

func subcommand(c *catalog.Command, word string) *catalog.Command {
	for i := range c.Sub {
		if slices.Contains(strings.Fields(c.Sub[i].Name), word) {
			return c.Sub[i].Command()
		}
	}
	for i := range c.Sub {
		for n := range strings.FieldsSeq(c.Sub[i].Name) {
			if catalog.Glob(n, word) {
				return c.Sub[i].Command()
			}
		}
	}
	return nil
}

type writer struct{ strings.Builder }

func (w *writer) line(depth int, format string, args ...any) {
	w.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

func (w *writer) field(name, text string) {
	if text != "" {
		w.line(1, "%-8s %s", name, text)
	}
}

func (w *writer) command(c *catalog.Command) {
	w.field("syntax", syntax(c.Syntax))
	w.field("prints", string(c.Prints))
	w.field("runs", wrap(&c.Wrap))
	if c.Hook != "" {
		w.field("hook", c.Hook+" (the rest is said in Go: internal/catalog/hooks)")
	}
	w.options(c.Options)
	w.section("operands", len(c.Operands))
	for i := range c.Operands {
		o := &c.Operands[i]
		w.line(2, "%s", operand(o)+role(&o.Arg)+before(", by default ", o.Default))
	}
	w.section("effects", len(c.Effects))
	for i := range c.Effects {
		w.line(2, "%s", rule(&c.Effects[i]))
	}
	w.section("settings", len(c.Settings))
	for i := range c.Settings {
		w.line(2, "%s", setting(&c.Settings[i]))
	}
	w.notes(c)
	w.section("subcommands", len(c.Sub))
	for i := range c.Sub {
		s := c.Sub[i].Command()
		summary := s.Summary
		if summary == "" {
			summary = effects(s)
		}
		w.line(2, "%s%s", s.Name, before(": ", summary))
	}
}

func (w *writer) section(title string, n int) {
	if n > 0 {
		w.line(1, "%s", title)
	}
}

// options shows those that mean something one a line, the others together.
func (w *writer) options(all []catalog.Option) {
	var plain, valued []string
	var told []*catalog.Option
	for i := range all {
		o := &all[i]
		switch {
		case len(o.Sets) > 0, o.Value != nil && (o.Value.Name != "" || o.Value.Role != catalog.Data):
			told = append(told, o)
		case o.Value != nil && !o.Optional:
			valued = append(valued, o.Names...)
		default:
			plain = append(plain, o.Names...)
		}
	}
	w.section("options", len(told))
	for _, o := range told {
		text := strings.Join(o.Names, " ")
		if o.Value != nil {
			text += value(o) + role(o.Value)
		}
		if len(o.Sets) > 0 {
			text += ": sets " + strings.Join(o.Sets, ", ")
		}
		w.line(2, "%s", text)
	}
	w.wrapped("options without a meaning for heed", plain)
	w.wrapped("options with a value, without a meaning for heed", valued)
}

// wrapped writes words in lines of a terminal's width.
func (w *writer) wrapped(title string, words []string) {
	w.section(title, len(words))
	line := ""
	for _, word := range words {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > 76:
			w.line(2, "%s", line)
			line = word
		default:
			line += " " + word
		}
	}
	if line != "" {
		w.line(2, "%s", line)
	}
}

func before(with, text string) string {
	if text == "" {
		return ""
	}
	return with + text
}

func value(o *catalog.Option) string {
	name := "VALUE"
	if o.Value.Name != "" {
		name = strings.ToUpper(o.Value.Name)
	}
	if o.Optional {
		return "[=" + name + "]"
	}
	return " " + name
}

func operand(o *catalog.Operand) string {
	switch {
	case o.Many:
		return o.Name + "..."
	case o.Optional:
		return o.Name + "?"
	}
	return o.Name
}

// role says what a word is to the program.
func role(a *catalog.Arg) string {
	text := ": " + word(catalog.RoleNames(), a.Role)
	if a.Lang != "" {
		text += " in " + a.Lang
	}
	if a.List != "" {
		text += fmt.Sprintf(", a list with %q between", a.List)
	}
	return text + before(", whose names are more of ", a.Lists) + before(", all words until ", a.Until) + before(", when ", a.When.String())
}

// rule says an effect as a spec's line would.
func rule(r *catalog.Rule) string {
	text := string(r.Verb)
	if r.Verb == "" {
		text = word(catalog.RoleNames(), r.Role)
	}
	text += before(" ", r.Target)
	if r.Kind != risk.NoKind {
		text += " (" + r.Kind.String() + ")"
	}
	if r.Lang != "" {
		text += " in " + r.Lang
	}
	if len(r.Carries) > 0 {
		text += " <- " + strings.Join(r.Carries, ", ")
	}
	return text + before(", when ", r.When.String())
}

// effects sums up a subcommand that has no sentence of its own.
func effects(c *catalog.Command) string {
	var verbs []string
	for i := range c.Effects {
		if v := string(c.Effects[i].Verb); v != "" && !slices.Contains(verbs, v) {
			verbs = append(verbs, v)
		}
	}
	switch {
	case len(verbs) > 0:
		return strings.Join(verbs, ", ")
	case len(c.Sub) > 0:
		return fmt.Sprintf("%d subcommands", len(c.Sub))
	case c.Hook != "":
		return "see its hook"
	}
	return "harmless, but for its operands"
}

func syntax(s catalog.Syntax) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(catalog.SyntaxNames())) {
		if s&catalog.SyntaxNames()[name] != 0 {
			words = append(words, name)
		}
	}
	return strings.Join(words, " ")
}

func wrap(w *catalog.Wrap) string {
	var words []string
	if w.Privileged {
		words = append(words, "what it is given with other rights")
	}
	if w.Remote {
		words = append(words, "what it is given on another machine")
	}
	for _, in := range []struct{ what, name string }{{"on ", w.Host}, {"in the container ", w.Container}, {"in the directory ", w.Dir}} {
		if in.name != "" {
			words = append(words, in.what+strings.ToUpper(in.name))
		}
	}
	return strings.Join(words, ", ")
}
