package service

import (
	"context"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// A Policy finds the rules that are in force at a front for a session that may work in
// these directories, and the day (YYYY-MM-DD; "" if it is not known).
type Policy func(front policy.Front, roots []string) (rules *policy.Set, today string)

// Decision says what is done, at a front, about a request that was assessed.
func (s *Service) Decision(a *risk.Assessment, req *risk.Request, front policy.Front) policy.Decision {
	at := policy.Session{Front: front, Home: req.Env["HOME"], Agent: req.Agent, Provenance: req.Provenance}
	if s.policy == nil {
		return policy.Decide(a, at)
	}
	var rules *policy.Set
	rules, at.Today = s.policy(front, assess.Roots(s.Look().World(req), req))
	return rules.Decide(a, at)
}

// Decide answers a request and says what is done about it at a front. With an
// error nothing is decided.
func (s *Service) Decide(ctx context.Context, req risk.Request, front policy.Front) (Answer, policy.Decision, error) {
	a, err := s.Assess(ctx, req)
	if err != nil {
		return a, policy.Decision{}, err
	}
	return a, s.Decision(&a.Assessment, &req, front), nil
}
