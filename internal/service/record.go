package service

import (
	"context"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/replay"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/record"
	"github.com/heedsh/heed/risk"
)

// Recording is a look in which all that is read for a request is kept. What is
// answered in it can be made a record of.
func (s *Service) Recording(req *risk.Request) *Look {
	l := s.Look()
	l.world, l.log = record.New(l.World(req))
	return l
}

// Record makes the record of an answer that was given in a recording. kept are
// the kinds of what looks like a secret and had to stay.
func (l *Look) Record(ctx context.Context, req risk.Request, a *risk.Assessment) (r *replay.Record, kept []string, err error) {
	s := l.service.assessor
	return replay.New(ctx, answerer(s.Detectors()), req, s.Dirs(), l.log, *a)
}

// Replay answers from a record, with the rules and the model of this service.
func (s *Service) Replay(ctx context.Context, r *replay.Record) (replay.Result, error) {
	return r.Replay(ctx, answerer(s.Detectors()))
}

// answerer assesses what records hold.
func answerer(d assess.Detectors) replay.Answerer {
	return func(ctx context.Context, w *world.World, req risk.Request, specs []string) risk.Assessment {
		a, _, _ := assess.New(specs...).With(d).Assess(ctx, w, req) // a failure is an answer like another: it says so
		return a
	}
}
