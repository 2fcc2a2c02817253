package rules

import (
	"context"
	"fmt"

	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/world/madeup"
	"github.com/heedsh/heed/risk"
)

// A lab judges commands on a machine that is made up, until its context is
// cancelled. It is safe for concurrent use.
type lab struct {
	ctx  context.Context
	with *service.Service
	dir  string
	env  map[string]string
}

// newLab makes the machine on which examples are judged.
func newLab(ctx context.Context, d service.Detectors) (*lab, error) {
	w, dir, env, err := madeup.Make(examples())
	if err != nil {
		return nil, fmt.Errorf("making the world of the examples: %w", err)
	}
	return &lab{ctx, service.New(service.Options{World: w, Detectors: d}), dir, env}, nil
}

// run judges a command. What cannot be judged matches no rule; that nobody waits
// any more is for whoever runs many to see.
func (l *lab) run(command, shell string) service.Answer {
	a, _ := l.with.Assess(l.ctx, risk.Request{Command: command, Shell: shell, Dir: l.dir, Env: l.env, Provenance: risk.LocalUser})
	return a
}

// events are the programs that a command would start.
func (l *lab) events(command string) []sigma.Event {
	a := l.run(command, "")
	return a.Events()
}
