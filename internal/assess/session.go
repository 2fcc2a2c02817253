package assess

import (
	"container/list"
	"context"
	"crypto/sha256"
	"math"
	"slices"

	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// The bounds of what is remembered of sessions. Beyond, the session that has
// had no command for longest is forgotten.
const (
	maxSessions    = 1000
	maxOccurrences = 1 << 16 // events of all sessions together
)

// step is the time, in nanoseconds, that passes before a command that does not
// say when it was run.
const step = 1e9

// Seen is what correlation rules see of one command.
type Seen struct {
	sets []seenSet
}

// seenSet is what the rules of one set found in the processes of a command,
// without those that nothing was found in.
type seenSet struct {
	set   *RuleSet
	procs []seenProcess
}

type seenProcess struct {
	event sigma.Event
	hits  []sigma.Hit
	at    risk.Span
	line  string
}

// Look returns what correlation rules see of an assessed command. It may be
// called by several goroutines; the command's place in its session is told to
// [Sessions.Add].
func (a *Assessor) Look(d *Detail) Seen {
	var out Seen
	if d.Context == nil || len(d.Context.Processes) == 0 {
		return out
	}
	sets, _ := a.detectors.sets() // what is wrong was told by the assessment
	source := sigma.ProcessCreation(product(d.Context.OS))
	var events []sigma.Event
	for _, s := range sets {
		if !s.set.Correlates() {
			continue
		}
		if events == nil {
			events = Events(d.Context)
		}
		m := s.pool.Get().(*sigma.Matcher)
		seen := seenSet{set: s}
		for i, ev := range events {
			if hits := s.set.Match(m, source, ev); len(hits) > 0 {
				p := &d.Context.Processes[i]
				seen.procs = append(seen.procs, seenProcess{ev, slices.Clone(hits), p.Span, p.Line()})
			}
		}
		s.pool.Put(m)
		if len(seen.procs) > 0 {
			out.sets = append(out.sets, seen)
		}
	}
	return out
}

// Sessions evaluates correlation rules over the commands of many sessions. It
// belongs to one goroutine.
type Sessions struct {
	byName map[string]*list.Element
	recent *list.List // of *session, the one touched last in front
	total  int        // occurrences in all
}

type session struct {
	name    string
	began   bool
	now     int64
	held    int // occurrences
	follows map[*RuleSet]*sigma.Session
}

// NewSessions begins without any session.
func NewSessions() *Sessions {
	return &Sessions{byName: map[string]*list.Element{}, recent: list.New()}
}

// Add takes the next command of a session, at a time in nanoseconds, and
// returns what the correlations find that it completes. Without a time the
// command follows the one before by a second. Commands come in the order in
// which they are run: one that claims to be earlier than the last happened with
// it.
func (s *Sessions) Add(name string, at *int64, seen Seen) []risk.Finding {
	one := s.session(name)
	one.tick(at)
	var found []risk.Finding
	for _, set := range seen.sets {
		follow := one.follows[set.set]
		if follow == nil {
			follow = set.set.set.NewSession()
			one.follows[set.set] = follow
		}
		told := map[int]bool{}
		for i := range set.procs {
			p := &set.procs[i]
			for _, hit := range follow.Add(one.now, p.event, p.hits) {
				if hit.Silent || told[hit.Rule] {
					continue
				}
				told[hit.Rule] = true
				found = append(found, set.set.findingAt(set.set.set.Meta(hit.Rule), p.at, p.line))
			}
		}
	}
	s.account(one)
	return found
}

// tick moves the clock of a session.
func (s *session) tick(at *int64) {
	switch {
	case at != nil && (!s.began || *at > s.now):
		s.now = *at
	case at == nil && s.began && s.now < math.MaxInt64-step:
		s.now += step
	}
	s.began = true
}

// maxName is the longest name of a session that is kept as it is, in bytes; a
// digest stands for longer ones.
const maxName = 64

// session returns a session by its name, which may be a new one.
func (s *Sessions) session(name string) *session {
	if len(name) > maxName {
		sum := sha256.Sum256([]byte(name))
		name = "\x00" + string(sum[:])
	}
	if e, ok := s.byName[name]; ok {
		s.recent.MoveToFront(e)
		return e.Value.(*session)
	}
	if s.recent.Len() >= maxSessions {
		s.forget()
	}
	one := &session{name: name, follows: map[*RuleSet]*sigma.Session{}}
	s.byName[name] = s.recent.PushFront(one)
	return one
}

// account counts what a session remembers, and forgets others if that is too
// much.
func (s *Sessions) account(one *session) {
	held := 0
	for _, f := range one.follows {
		held += f.Len()
	}
	s.total += held - one.held
	one.held = held
	for s.total > maxOccurrences && s.recent.Len() > 1 {
		s.forget()
	}
}

// forget drops the session that was touched longest ago.
func (s *Sessions) forget() {
	e := s.recent.Back()
	one := s.recent.Remove(e).(*session)
	delete(s.byName, one.name)
	s.total -= one.held
}

// After returns an assessor like a that assesses as if earlier commands of the
// session had left this, and tells in [Detail] what is left then ([flow.Trace]).
func (a *Assessor) After(l *shell.Left) *Assessor {
	after := a.With(a.detectors)
	after.before = l
	return after
}

// Also assesses like [Assessor.Assess], with findings that the session's other
// commands give rise to: they raise the answer like any other finding.
func (a *Assessor) Also(ctx context.Context, w *world.World, req risk.Request, more []risk.Finding) (risk.Assessment, Detail, error) {
	also := a.detectors
	also.also = more
	return a.With(also).Assess(ctx, w, req)
}
