package engine

import (
	"context"
	"fmt"

	"github.com/heedsh/heed/internal/flow"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/value"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A Session is a shell session whose state outlives a command: each is evaluated
// in the state that the ones before it left. It belongs to one goroutine.
type Session struct {
	engine *Engine
	world  *world.World
	req    risk.Request
	state  *shell.State
}

// Begin starts a session in the circumstances of a request, whose command is not
// looked at.
func (e *Engine) Begin(w *world.World, req *risk.Request) (*Session, error) {
	dialect, ok := e.Fronts.Dialect(req.Shell)
	if !ok {
		return nil, fmt.Errorf("beginning a session: %w %q", shell.ErrDialect, req.Shell)
	}
	return &Session{engine: e, world: w, req: *req, state: newMachine(context.Background(), e, w, req).session(req, dialect)}, nil
}

// Resume goes on with a session that was kept, in the circumstances of the request
// that it began with.
func (e *Engine) Resume(w *world.World, req *risk.Request, kept shell.Snapshot) (*Session, error) {
	st, err := kept.State(w, e.Fronts)
	if err != nil {
		return nil, err
	}
	anywhere(st, req)
	s := &Session{engine: e, world: w, req: *req, state: st}
	s.req.Shell = st.Shell
	return s, nil
}

// Snapshot returns the session in a form that can be kept. Secrets are no part of
// it, whatever the bounds say of them.
func (s *Session) Snapshot(b shell.Bounds) shell.Snapshot {
	space := newMachine(context.Background(), s.engine, s.world, &s.req).sc.Space
	b.SecretName = value.CredentialName
	b.SecretFile = func(name string) bool { return space.Scope(name) == risk.IsSecret }
	return s.state.Snapshot(b)
}

// Run evaluates the next command of the session; after a cancelled one the
// session is of no use. What a bound kept from being
// known, in this command or in a snapshot, is not known from then on: once
// something depends on it, every answer says so.
func (s *Session) Run(ctx context.Context, command string) *flow.Trace {
	req, st := s.req, s.state
	req.Command = command
	st.Stays, st.Gone, st.Maybe, st.Reached = true, false, false, nil // it was given, and so it is reached
	m := newMachine(ctx, s.engine, s.world, &req)
	m.command(&req, func(string) *shell.State { return st })
	if m.sc.Trace.Spent {
		st.Miss()
	}
	if st.Missed() {
		m.sc.Blind(risk.Span{End: len(command)}, risk.KindSessionCut, "")
	}
	return m.sc.Trace
}
