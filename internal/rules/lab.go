package rules

import (
	"fmt"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// A lab judges commands on a machine that is made up. It is safe for concurrent
// use.
type lab struct {
	with *assess.Assessor
	w    *world.World
	dir  string
	env  map[string]string
}

// newLab makes the machine on which examples are judged.
func newLab(d assess.Detectors) (*lab, error) {
	w, dir, env, err := fakeworld.Parse(examples)
	if err != nil {
		return nil, fmt.Errorf("making the world of the examples: %w", err)
	}
	return &lab{assess.New().With(d), w, dir, env}, nil
}

// run judges a command.
func (l *lab) run(command, shell string) (risk.Assessment, assess.Detail) {
	return l.with.Assess(l.w, risk.Request{Command: command, Shell: shell, Dir: l.dir, Env: l.env, Provenance: risk.LocalUser})
}

// events are the programs that a command would start.
func (l *lab) events(command string) []sigma.Event {
	_, d := l.run(command, "")
	if d.Context == nil {
		return nil
	}
	return assess.Events(d.Context)
}
