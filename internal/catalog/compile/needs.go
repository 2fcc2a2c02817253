package compile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/heedsh/heed/internal/catalog"
)

// checkNeeds holds what programs need to their cases and examples: each need
// applies in one of them, and what is told where it is not met can be told
// there. A line that does not split is told by the other checks.
func (s *Spec) checkNeeds(c *catalog.Catalog) error {
	var errs []error
	var lines []*catalog.Result
	for i := range s.claims {
		k := &s.claims[i]
		if k.need == 0 {
			continue
		}
		if lines == nil {
			lines = s.describeAll(c)
		}
		errs = append(errs, s.applies(k, lines))
	}
	return errors.Join(errs...)
}

func (s *Spec) describeAll(c *catalog.Catalog) []*catalog.Result {
	lines := []*catalog.Result{}
	for _, k := range s.Cases {
		if r, err := describe(c, k.Run); err == nil {
			lines = append(lines, r)
		}
	}
	for _, x := range s.Examples {
		if r, err := describe(c, x.Run); err == nil {
			lines = append(lines, r)
		}
	}
	return lines
}

// applies refuses a need that no line has, or that cannot be told.
func (s *Spec) applies(k *claim, lines []*catalog.Result) error {
	chain := at(s.Program, k.path)
	if chain == nil {
		return nil
	}
	node := chain[len(chain)-1]
	needs := node.Notes().Needs
	if k.need > len(needs) {
		return nil // taken away: a workspace's
	}
	n := &needs[k.need-1]
	for _, r := range lines {
		if !slices.Contains(slices.Collect(r.Needs()), n) {
			continue
		}
		words := r.Match.Needed(n)
		if n.Kind.OfArgument() && n.Kind != catalog.NeedsGiven && len(words) == 0 {
			continue
		}
		if _, ok := r.Without(n, words, Words); !ok {
			return fmt.Errorf("%s:%d: needs: %q cannot be told of `%s`", k.file, k.line, n.Else, r.Match.Node().Name)
		}
		return nil
	}
	return fmt.Errorf("%s:%d: no case or example has this need (%q): give one", k.file, k.line, n.Else)
}
