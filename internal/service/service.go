package service

import (
	"context"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/internal/shell"
	"github.com/heedsh/heed/internal/specs"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/record"
	"github.com/heedsh/heed/risk"
)

// Version names this heed in records.
const Version = assess.Version

// What callers hand over and get back is defined where it is made.
type (
	// A Failure is the error of a request that could not be assessed.
	Failure = assess.Failure
	// Detectors are the layers above the effects.
	Detectors = assess.Detectors
	// A RuleSet is a compiled set of Sigma rules.
	RuleSet = assess.RuleSet
	// A Classifier tells what a command is for.
	Classifier = assess.Classifier
	// A Detail is what led to an assessment.
	Detail = assess.Detail
	// A Statement is the assessment of a part of a script.
	Statement = assess.Statement
	// Around is what a script has by what holds it.
	Around = assess.Around
	// A Problem is a file of specs or rules that is not in force.
	Problem = specs.Problem
	// Knowledge is what is known of programs, with pattern rules.
	Knowledge = specs.Set
)

// Options say for whom, and with what knowledge, requests are assessed. The
// zero value is this machine and heed's own knowledge.
type Options struct {
	// Home and User name the session's account where a request's environment
	// does not. Empty means that of the current process.
	Home, User string
	// Near are directories that the session already stands in, so that their
	// file systems are known to answer.
	Near []string
	// World is what requests are assessed in, if it is not this machine.
	World *world.World
	// Specs are absolute directories of a person's own specs. Beside each, a
	// directory called patterns holds that person's pattern rules.
	Specs []string
	// Detectors are the layers above the effects.
	Detectors Detectors
	// Policy finds the rules in force; nil for heed's own alone.
	Policy Policy
	// Session remembers the commands of sessions, if set, so that they are also
	// judged together.
	Session *Session
}

// A Service assesses requests. It is safe for concurrent use.
type Service struct {
	world    *world.World // nil for this machine
	host     *host.Host
	assessor *assess.Assessor
	session  *Session
	policy   Policy
}

// New returns a service. It reads nothing yet.
func New(opt Options) *Service {
	return &Service{
		world: opt.World, host: host.New(opt.Home, opt.User, opt.Near...),
		assessor: assess.New(opt.Specs...).With(opt.Detectors), session: opt.Session, policy: opt.Policy,
	}
}

// At returns a service like s for a session that stands in a directory of this
// machine. It has seen nothing of the machine yet.
func (s *Service) At(home, user, dir string) *Service {
	other := *s
	other.host = host.New(home, user, dir)
	return &other
}

// In returns a service like s that assesses in this world.
func (s *Service) In(w *world.World) *Service {
	other := *s
	other.world = w
	return &other
}

// With returns a service like s with other detectors.
func (s *Service) With(d Detectors) *Service {
	other := *s
	other.assessor = s.assessor.With(d)
	return &other
}

// Detectors returns the layers above the effects.
func (s *Service) Detectors() Detectors { return s.assessor.Detectors() }

// Known is the knowledge of programs, and the pattern rules, that hold for the
// session of an environment outside of any workspace.
func (s *Service) Known(env map[string]string) *Knowledge {
	return s.assessor.Known(s.Look().World(&risk.Request{Env: env}))
}

// CatalogDigest names the catalog that is part of heed.
func CatalogDigest() string { return assess.Digest() }

// AccountHome is the home directory of this account as the system's list of
// accounts has it, or "".
func AccountHome() string {
	return host.New("", "").View(&risk.Request{}).User.Home
}

// A Look is one look at the machine: requests that came together are assessed in
// one state of it. It is for one goroutine.
type Look struct {
	service *Service
	machine *host.Look
	world   *world.World // what is looked at instead of the machine, if not nil
	log     *record.Log  // of what was read, of a look that is recorded
}

// Look begins a look.
func (s *Service) Look() *Look {
	l := &Look{service: s, world: s.world}
	if l.world == nil {
		l.machine = s.host.Look()
	}
	return l
}

// World is what a request would be assessed in. It is safe for concurrent use.
func (l *Look) World(req *risk.Request) *world.World {
	if l.world != nil {
		return l.world
	}
	return l.machine.View(req)
}

// An Answer is an assessment and what led to it.
type Answer struct {
	risk.Assessment
	Detail Detail
	// Left is what the command leaves to those after it, of an answer in a session
	// ([Service.InSession]).
	Left *shell.Left
}

// Assess answers a request. The error is a [*Failure], and set exactly if the
// assessment has one: it is REVIEW then.
func (l *Look) Assess(ctx context.Context, req risk.Request) (Answer, error) {
	a, d, err := l.service.assessor.Assess(ctx, l.World(&req), req)
	return Answer{Assessment: a, Detail: d}, err
}

// Script answers a request whose command is a script, statement by statement
// unless it is to be judged as a whole.
func (l *Look) Script(ctx context.Context, req risk.Request, around Around) ([]Statement, error) {
	return l.service.assessor.Script(ctx, l.World(&req), req, around)
}

// Assess answers a request, in a look of its own and, if the service has a
// session, together with the commands before it. For its error see
// [Look.Assess].
func (s *Service) Assess(ctx context.Context, req risk.Request) (Answer, error) {
	l := s.Look()
	a, err := l.Assess(ctx, req)
	if err != nil || s.session == nil {
		return a, err
	}
	found := s.session.after(l, &req, &a)
	if len(found) == 0 {
		return a, nil
	}
	return l.also(ctx, req, found)
}

// Failed is the answer to a request that could not be made out: REVIEW, with
// the reason.
func Failed(req risk.Request, err error) Answer { return Answer{Assessment: assess.Failed(req, err)} }

// NewRuleSet returns a set of Sigma rules to assess with. quiet are the labels of
// the rules that only annotate.
func NewRuleSet(name, digest string, set *sigma.Set, quiet map[string]bool) *RuleSet {
	return assess.NewRuleSet(name, digest, set, quiet)
}

// Techniques returns the current ATT&CK techniques and the ASI ids that the tags
// of a Sigma rule name.
func Techniques(tags []string) (techniques, asi []string) { return assess.Techniques(tags) }

// Events are the programs that an answered command would start, as Sigma rules
// see them.
func (a *Answer) Events() []sigma.Event {
	if a.Detail.Context == nil {
		return nil
	}
	return assess.Events(a.Detail.Context)
}
