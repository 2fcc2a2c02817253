package compile

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/value"
)

// An Example is a command line and the sentence that the spec's phrases make of
// it.
type Example struct {
	File string
	Line int
	Run  string
	Says string
}

// shown are the phrases that examples have, and of each its parts.
type shown map[phrases]map[int]map[int]bool

// phrases are those of a command, or those that it has for its subcommands.
type phrases struct {
	of            *catalog.Command
	below, manner bool
}

// checkExamples holds the phrases to their examples: each sentence comes out
// as it is written and leaves no word unexplained, each phrase and each part of
// one stands in one of them.
func (s *Spec) checkExamples(c *catalog.Catalog) error {
	var errs []error
	seen := shown{}
	for _, x := range s.Examples {
		r, err := describe(c, x.Run)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %s: %w", x.File, x.Line, x.Run, err))
			continue
		}
		said, ok := r.Say(Words)
		if !ok || said.Text != x.Says {
			errs = append(errs, fmt.Errorf("%s:%d: %s\n\tsays %q\n\twant %q", x.File, x.Line, x.Run, said.Text, x.Says))
		}
		left := slices.DeleteFunc(r.Match.Unexplained(), func(u catalog.Unexplained) bool { return told(r.Match, u.What) })
		if len(left) > 0 && !said.Below { // whose words are told as they are
			errs = append(errs, fmt.Errorf("%s:%d: %s: nothing explains %q: give it a meaning, or read the manual and list it under `inert`", x.File, x.Line, x.Run, left[0].What))
		}
		if !ok {
			continue
		}
		seen.add(phrases{of: said.Of, below: said.Below}, said.Phrase, said.Parts)
		for _, m := range said.Manners {
			seen.add(phrases{of: m.Of, manner: true}, m.N, nil)
		}
	}
	for i := range s.claims {
		if k := &s.claims[i]; k.phrase > 0 || k.manner > 0 {
			errs = append(errs, s.unshown(k, seen))
		}
	}
	return errors.Join(errs...)
}

func (t shown) add(of phrases, phrase int, parts []int) {
	if t[of] == nil {
		t[of] = map[int]map[int]bool{}
	}
	if t[of][phrase] == nil {
		t[of][phrase] = map[int]bool{}
	}
	for _, part := range parts {
		t[of][phrase][part] = true
	}
}

// unshown refuses a phrase, and a part of a phrase, that no example has.
func (s *Spec) unshown(k *claim, seen shown) error {
	chain := at(s.Program, k.path)
	if chain == nil {
		return nil
	}
	node := chain[len(chain)-1]
	says, number := node.Notes().Says, k.phrase
	if k.below {
		says = node.Notes().Below
	}
	if k.manner > 0 {
		says, number = node.Notes().Manner, k.manner
	}
	if number > len(says) {
		return nil // taken away: a workspace's
	}
	text := says[number-1].Text
	parts, ok := seen[phrases{node, k.below, k.manner > 0}][number-1]
	if !ok && text == "-" {
		return nil
	}
	if !ok {
		return fmt.Errorf("%s:%d: no example says %q: give one under `examples`", k.file, k.line, text)
	}
	t, err := catalog.ParseTemplate(text)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", k.file, k.line, err)
	}
	for i := range t {
		if len(t[i].Part) > 0 && !parts[i] && k.manner == 0 {
			return fmt.Errorf("%s:%d: no example has part %d of %q", k.file, k.line, i+1, text)
		}
	}
	return nil
}

// told reports whether phrases tell of an option.
func told(m *catalog.Match, option string) bool {
	names := func(name string) bool { return slices.Contains(strings.Split(name, "|"), option) }
	var tells func(catalog.Template) bool
	tells = func(t catalog.Template) bool {
		return slices.ContainsFunc(t, func(p catalog.Piece) bool {
			return names(strings.TrimPrefix(p.Slot, "form:")) || slices.ContainsFunc(p.When.Names(nil), names) || tells(p.Part)
		})
	}
	for _, c := range m.Chain {
		for _, p := range slices.Concat(c.Notes().Says, c.Notes().Manner) {
			t, err := catalog.ParseTemplate(p.Text)
			if slices.ContainsFunc(p.When.Names(nil), names) || err == nil && tells(t) {
				return true
			}
		}
	}
	return false
}

// Words joins words as the examples of specs do: as they are.
func Words(_ string, words []value.Value) string {
	texts := make([]string, len(words))
	for i := range words {
		texts[i] = words[i].String()
	}
	last := len(texts) - 1
	if last == 0 {
		return texts[0]
	}
	return strings.Join(texts[:last], ", ") + " and " + texts[last]
}

// contradictions are effects of a case that are shown although the spec says
// that they are hidden.
func contradictions(r *catalog.Result) []string {
	var out []string
	for i := range r.Effects {
		if e := &r.Effects[i]; e.Shown && r.Hidden(e.Arg) != catalog.Shown {
			out = append(out, e.Target.String())
		}
	}
	if r.ShowsStdin && r.Hidden("stdin") != catalog.Shown {
		out = append(out, "stdin")
	}
	return slices.Compact(out)
}
