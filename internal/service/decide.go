package service

import (
	"context"

	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/risk"
)

// Decide says what is done, at a front, about a request that was assessed.
func Decide(a *risk.Assessment, req *risk.Request, front policy.Front) policy.Decision {
	return policy.Decide(a, policy.Session{Front: front, Home: req.Env["HOME"]})
}

// Decide answers a request and says what is done about it at a front. With an
// error nothing is decided.
func (s *Service) Decide(ctx context.Context, req risk.Request, front policy.Front) (Answer, policy.Decision, error) {
	a, err := s.Assess(ctx, req)
	if err != nil {
		return a, policy.Decision{}, err
	}
	return a, Decide(&a.Assessment, &req, front), nil
}
