package specs

import (
	"errors"
	"fmt"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/catalog/hooks"
)

// A Report says what a spec file that is right describes.
type Report struct {
	Programs []string // the first name of each
	Replaced []string // names that heed describes itself
	Cases    int
}

// Check compiles a spec file as one of a person's, or of a workspace's, and
// holds it to its cases. Errors name file and line, one a line of their text.
func Check(name string, text []byte, own bool) (Report, error) {
	var out Report
	compiled, err := compile.File(name, text)
	if err != nil {
		return out, err
	}
	base := catalog.New(hooks.Find)
	var programs []*catalog.Program
	var errs []error
	taken := map[string]bool{}
	for _, s := range compiled {
		p := s.Program
		out.Programs = append(out.Programs, p.Names[0])
		out.Cases += len(s.Cases)
		for _, n := range p.Names {
			if taken[n] {
				errs = append(errs, fmt.Errorf("%s:1: %q is described twice: keep one of them", name, n))
			}
			taken[n] = true
			if _, ok := base.Lookup(n); ok {
				out.Replaced = append(out.Replaced, n)
			}
		}
		programs = append(programs, p)
		errs = append(errs, compile.CheckHooks(s, hooks.Find))
	}
	if err := errors.Join(errs...); err != nil {
		return out, err
	}
	with := base.With(programs, "")
	for _, s := range compiled {
		errs = append(errs, s.Check(with))
	}
	if !own { // last, because it takes the workspace's own words out
		for _, p := range programs {
			errs = append(errs, confine(name, p))
		}
	}
	return out, errors.Join(errs...)
}
