package compile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/heedsh/heed/internal/catalog"
)

// Dir compiles the spec files in dir whose names match pattern, in order of
// their names. Parts of a program may stand in several of them.
func Dir(dir, pattern string) ([]*Spec, error) {
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		return nil, fmt.Errorf("listing specs: %w", err)
	}
	slices.Sort(files)
	var all []*Spec
	var errs []error
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("reading a spec: %w", err)
		}
		specs, err := documents(f, text)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		all = append(all, specs...)
	}
	whole, err := join(all)
	return whole, errors.Join(append(errs, err)...)
}

// CheckAll runs the cases of all specs against one another's programs.
func CheckAll(specs []*Spec, hooks catalog.Hooks) error {
	var programs []*catalog.Program
	var errs []error
	for _, s := range specs {
		programs = append(programs, s.Program)
		errs = append(errs, CheckHooks(s, hooks))
	}
	c := catalog.FromPrograms(programs, hooks)
	for _, s := range specs {
		errs = append(errs, s.Check(c))
	}
	return errors.Join(errs...)
}

// CheckHooks refuses a spec that calls Go code which does not exist.
func CheckHooks(s *Spec, hooks catalog.Hooks) error {
	return checkHooks(s, &s.Program.Command, hooks)
}

func checkHooks(s *Spec, c *catalog.Command, hooks catalog.Hooks) error {
	var errs []error
	if c.Hook != "" && hooks(c.Hook) == nil {
		errs = append(errs, fmt.Errorf("%s:1: %s: no hook is called %q: take it away, or write the grammar in full", s.File, c.Name, c.Hook))
	}
	for i := range c.Sub {
		errs = append(errs, checkHooks(s, c.Sub[i].Command(), hooks))
	}
	return errors.Join(errs...)
}
