package compile

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
)

// join puts the parts of programs to the programs, and checks what specs say of
// names that may stand in other parts. No subcommand is described twice.
func join(specs []*Spec) ([]*Spec, error) {
	var whole []*Spec
	var errs []error
	for _, s := range specs {
		if s.part == "" {
			whole = append(whole, s)
		}
	}
	for _, s := range specs {
		if s.part == "" {
			continue
		}
		i := slices.IndexFunc(whole, func(w *Spec) bool { return w.Program.Names[0] == s.part })
		if i < 0 {
			errs = append(errs, fmt.Errorf("%s:1: part: nothing here describes %q: begin with `program: %s`", s.File, s.part, s.part))
			continue
		}
		whole[i].add(s)
	}
	for _, s := range whole {
		errs = append(errs, s.twice(&s.Program.Command), s.hold())
	}
	return whole, errors.Join(errs...)
}

// add takes a part in.
func (s *Spec) add(part *Spec) {
	s.Program.Sub = append(s.Program.Sub, part.Program.Sub...)
	s.Cases = append(s.Cases, part.Cases...)
	s.Examples = append(s.Examples, part.Examples...)
	s.claims = append(s.claims, part.claims...)
	s.reasons = append(s.reasons, part.reasons...)
	maps.Copy(s.places, part.places)
	s.parts = append(s.parts, part.File)
}

// In reports whether a program is described in a file of which ok holds.
func (s *Spec) In(ok func(file string) bool) bool {
	return ok(s.File) || slices.ContainsFunc(s.parts, ok)
}

// twice refuses a subcommand that is described twice.
func (s *Spec) twice(c *catalog.Command) error {
	var errs []error
	seen := map[string]bool{}
	for i := range c.Sub {
		for n := range strings.FieldsSeq(c.Sub[i].Name) {
			if seen[n] {
				errs = append(errs, fmt.Errorf("%s:1: the subcommand %q of %s is described twice: keep one of them", s.File, n, c.Name))
			}
			seen[n] = true
		}
		errs = append(errs, s.twice(c.Sub[i].Command()))
	}
	return errors.Join(errs...)
}

// hold checks the claims.
func (s *Spec) hold() error {
	var errs []error
	for i := range s.claims {
		k := &s.claims[i]
		chain := at(s.Program, k.path)
		if chain == nil {
			continue // it is described twice, which is told
		}
		if err := k.check(newScope(chain)); err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", k.file, k.line, err))
		}
	}
	return errors.Join(errs...)
}
