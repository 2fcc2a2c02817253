package service

import (
	"context"
	"sync"
	"time"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/session"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/risk"
)

// A Session remembers, within bounds, what correlation rules need of the
// commands that were answered, by the session that each request names. It is
// safe for concurrent use: commands come in the order in which they are
// answered.
type Session struct {
	mu   sync.Mutex
	all  *assess.Sessions
	when func() time.Time
}

// NewSession begins without any command. when says what time it is, when a
// command was answered; without it each follows the one before by a second.
func NewSession(when func() time.Time) *Session {
	return &Session{all: assess.NewSessions(), when: when}
}

// after adds a command that was answered, and returns what the correlations over
// its session find that it completes.
func (s *Session) after(l *Look, req *risk.Request, a *Answer) []risk.Finding {
	seen := l.service.assessor.Look(&a.Detail)
	var at *int64
	if s.when != nil {
		now := s.when().UnixNano()
		at = &now
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Add(req.Session, at, seen)
}

// also answers a request together with findings of its session.
func (l *Look) also(ctx context.Context, req risk.Request, found []risk.Finding) (Answer, error) {
	a, d, err := l.service.assessor.Also(ctx, l.World(&req), req, found)
	return Answer{Assessment: a, Detail: d}, err
}

// among answers a request as if earlier commands had left this.
func (l *Look) among(ctx context.Context, req risk.Request, left *shell.Left) (Answer, error) {
	a, d, err := l.service.assessor.After(left).Assess(ctx, l.World(&req), req)
	answer := Answer{Assessment: a, Detail: d}
	if d.Trace != nil {
		answer.Left = d.Trace.Left
	}
	return answer, err
}

// Beside answers a request of a shell that already has these variables and functions.
func (s *Service) Beside(ctx context.Context, has *shell.Left, req risk.Request) (Answer, error) {
	return s.Look().among(ctx, req, has)
}

// InSession answers like [Service.Assess] what the next command of an agent's
// session comes to, after what the session's state has; st may be nil. The answer is
// never lower than that without a state. The state learns nothing yet: whoever knows
// what became of the command tells it ([session.State.After]), with the answer's Left.
func (s *Service) InSession(ctx context.Context, st *session.State, req risk.Request) (Answer, error) {
	if st == nil {
		return s.Assess(ctx, req)
	}
	st.Before(&req)
	l := s.Look()
	a, err := l.among(ctx, req, &shell.Left{})
	if err != nil {
		return a, err
	}
	left := a.Left
	if left == nil { // of a command that cannot be read
		left = &shell.Left{}
	}
	var found []risk.Finding
	for _, before := range st.Left(&req) {
		b, err := l.among(ctx, req, before)
		if err != nil {
			return b, err
		}
		left.Also(b.Left)
		if more, ok := st.More(&a.Assessment, &b.Assessment, before.Dir); ok {
			found = append(found, more)
		}
	}
	found = append(found, st.Findings(&a.Assessment)...)
	if s.session != nil {
		found = append(found, s.session.after(l, &req, &a)...)
	}
	if len(found) > 0 {
		if a, err = l.also(ctx, req, found); err != nil {
			return a, err
		}
	}
	a.Left = left
	return a, nil
}

// DecideInSession is [Service.Decide] for the next command of an agent's session:
// the rules see the provenance that it has after what the session has read.
func (s *Service) DecideInSession(ctx context.Context, st *session.State, req risk.Request, front policy.Front) (Answer, policy.Decision, error) {
	a, err := s.InSession(ctx, st, req)
	if err != nil {
		return a, policy.Decision{}, err
	}
	st.Before(&req)
	return a, s.Decision(&a.Assessment, &req, front), nil
}
