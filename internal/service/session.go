package service

import (
	"context"
	"sync"
	"time"

	"github.com/heedsh/heed/internal/assess"
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

// after adds a command that was answered. If a correlation over its session hits
// with it, it is answered once more, with that finding.
func (s *Session) after(ctx context.Context, l *Look, req risk.Request, a Answer) (Answer, error) {
	seen := l.service.assessor.Look(&a.Detail)
	var at *int64
	if s.when != nil {
		now := s.when().UnixNano()
		at = &now
	}
	s.mu.Lock()
	found := s.all.Add(req.Session, at, seen)
	s.mu.Unlock()
	if len(found) == 0 {
		return a, nil
	}
	return l.also(ctx, req, found)
}

// also answers a request together with findings of its session.
func (l *Look) also(ctx context.Context, req risk.Request, found []risk.Finding) (Answer, error) {
	a, d, err := l.service.assessor.Also(ctx, l.World(&req), req, found)
	return Answer{a, d}, err
}
