package show

import (
	"strings"

	"github.com/heedsh/heed/internal/catalog"
)

// notes shows what a spec says beside the grammar.
func (w *writer) notes(c *catalog.Command) {
	n := c.Notes()
	w.section("traits", len(c.Traits))
	for i := range c.Traits {
		t := &c.Traits[i]
		w.line(2, "%s%s%s", word(catalog.TraitNames(), t.Trait), before(", of ", strings.Join(t.Names, " ")), before(", when ", t.When.String()))
	}
	switch {
	case n.Inert.All:
		w.field("inert", "every option without a meaning, every operand")
	case len(n.Inert.Names) > 0:
		w.wrapped("inert", n.Inert.Names)
	}
	w.wrapped("options that matter in a way that is not said", n.Inert.Unsaid)
	w.section("hides what it reads", len(n.Hides))
	for i := range n.Hides {
		h := &n.Hides[i]
		w.line(2, "%s%s%s", word(catalog.HidingNames(), h.By), before(", of ", strings.Join(h.Of, " ")), before(", when ", h.When.String()))
	}
	w.section("needs", len(n.Needs))
	for i := range n.Needs {
		w.line(2, "%s", need(&n.Needs[i]))
	}
	w.section("says", len(n.Says))
	for i := range n.Says {
		w.line(2, "%s%s", n.Says[i].Text, before("  (when ", closed(n.Says[i].When.String())))
	}
	w.section("says of subcommands", len(n.Below))
	for i := range n.Below {
		w.line(2, "%s%s", n.Below[i].Text, before("  (when ", closed(n.Below[i].When.String())))
	}
	w.section("says behind these", len(n.Manner))
	for i := range n.Manner {
		w.line(2, "%s%s", n.Manner[i].Text, before("  (when ", closed(n.Manner[i].When.String())))
	}
	w.section("terms", len(n.Terms))
	for i := range n.Terms {
		w.line(2, "%s: %s", orDash(n.Terms[i].Word), n.Terms[i].Says)
	}
}

// orDash is what stands for a verb alone.
func orDash(word string) string {
	if word == "" {
		return "(alone)"
	}
	return word
}

func closed(text string) string {
	if text == "" {
		return ""
	}
	return text + ")"
}

// need says what is needed, and what happens without it.
func need(n *catalog.Need) string {
	text := word(catalog.NeedNames(), n.Kind) + before(" ", strings.Join(n.Names, " ")) + before(" of ", n.Of)
	if n.All {
		text += ", each of them"
	}
	return text + before(", when ", n.When.String()) + "; else " + word(catalog.OutcomeNames(), n.Or) + ": " + n.Else
}

// setting says what the program obeys, and as what.
func setting(s *catalog.Setting) string {
	text := s.File
	if s.Env != "" {
		text = "$" + s.Env
	}
	switch s.As {
	case catalog.AsOptions:
		text += ": options" + before(", when ", s.Arg.When.String())
	case catalog.AsInert:
		text += ": inert"
	case catalog.AsCode:
		text += ": code, or what names it" + before(", holding ", s.Holding) + before(", when ", s.Arg.When.String())
	case catalog.AsUnsaid:
		text += ": obeyed in a way that is not said" + before(", when ", s.Arg.When.String())
	default:
		text += role(&s.Arg)
	}
	if s.Lasting {
		text += ", for a session too"
	}
	return text
}

// word finds the word of specs for a value.
func word[T comparable](words map[string]T, value T) string {
	for w, v := range words {
		if v == value {
			return w
		}
	}
	return "?"
}
