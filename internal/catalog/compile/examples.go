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

// told are the phrases that examples have, and of each its parts.
type told map[phrases]map[int]map[int]bool

// phrases are those of a command, or those that it has for its subcommands.
type phrases struct {
	of    *catalog.Command
	below bool
}

// checkExamples holds the phrases to their examples: each sentence comes out
// as it is written and leaves no word unexplained, each phrase and each part of
// one stands in one of them.
func (s *Spec) checkExamples(c *catalog.Catalog) error {
	var errs []error
	seen := told{}
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
		if left := r.Match.Unexplained(); len(left) > 0 && !said.Below { // whose words are told as they are
			errs = append(errs, fmt.Errorf("%s:%d: %s: nothing explains %q: give it a meaning, or read the manual and list it under `inert`", x.File, x.Line, x.Run, left[0].What))
		}
		if !ok {
			continue
		}
		of := phrases{said.Of, said.Below}
		if seen[of] == nil {
			seen[of] = map[int]map[int]bool{}
		}
		if seen[of][said.Phrase] == nil {
			seen[of][said.Phrase] = map[int]bool{}
		}
		for _, part := range said.Parts {
			seen[of][said.Phrase][part] = true
		}
	}
	for i := range s.claims {
		if k := &s.claims[i]; k.phrase > 0 {
			errs = append(errs, s.shown(k, seen))
		}
	}
	return errors.Join(errs...)
}

// shown refuses a phrase, and a part of a phrase, that no example has.
func (s *Spec) shown(k *claim, seen told) error {
	chain := at(s.Program, k.path)
	if chain == nil {
		return nil
	}
	node := chain[len(chain)-1]
	says := node.Notes().Says
	if k.below {
		says = node.Notes().Below
	}
	if k.phrase > len(says) {
		return nil // taken away: a workspace's
	}
	text := says[k.phrase-1].Text
	parts, ok := seen[phrases{node, k.below}][k.phrase-1]
	if !ok {
		return fmt.Errorf("%s:%d: no example says %q: give one under `examples`", k.file, k.line, text)
	}
	t, err := catalog.ParseTemplate(text)
	if err != nil {
		return fmt.Errorf("%s:%d: %w", k.file, k.line, err)
	}
	for i := range t {
		if len(t[i].Part) > 0 && !parts[i] {
			return fmt.Errorf("%s:%d: no example has part %d of %q", k.file, k.line, i+1, text)
		}
	}
	return nil
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
