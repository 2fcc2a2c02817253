package heed

import (
	"context"
	"time"

	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/risk"
)

// A World is a machine as heed sees it: files, git, an account. Package heedtest
// makes worlds out of a few lines of text.
type World = world.World

// A Failure is the error of a request that could not be assessed: the session is
// impossible, the context was cancelled, or there is a fault inside heed. The
// assessment that comes with it is REVIEW, and its Error says the same.
type Failure = service.Failure

// A Session remembers what correlation rules need of the commands that were
// assessed. It is safe for concurrent use, and bounded: of very many sessions the
// one that was quiet for longest is forgotten.
type Session = service.Session

// NewSession begins without any command. when says what time it is, each time a
// command was assessed; if it is nil, each command follows the one before it by a
// second.
func NewSession(when func() time.Time) *Session { return service.NewSession(when) }

// Options configure an [Engine]. The zero value is the machine it runs on and
// heed's own knowledge.
//
// Whatever is named here is meant to be in force. What cannot be is never left out
// in silence: a spec or a file of rules that is broken or missing makes every
// answer CAUTION at least, with a finding that names it ("heed.layer-failed"), and
// a model that cannot be used is told as the error of the layer "semantic", where
// rules of heed's answer in its place.
type Options struct {
	// Home and User name the session's account where a request's environment
	// does not. Empty means that of the current process.
	Home, User string
	// World is what requests are assessed in, if it is not this machine.
	World *World
	// Specs are absolute directories of specs (*.yaml, docs/catalog.md) that
	// extend the embedded catalog or replace parts of it. They are read when a
	// request is assessed. Beside each, a directory called patterns holds pattern
	// rules (docs/rules.md). Without Specs no such directory is read: that
	// ~/.config/heed/specs counts is the command line's business. What a workspace
	// says of programs (.heed/specs in its root) is a part of the world, counts
	// always, and can only raise an answer; a broken file there is only an Unknown.
	// Specs that lie in the workspace count as the workspace's.
	Specs []string
	// Rules are files and directories of Sigma rules, or files that heed rules
	// import wrote. They are read, and tried on 1,500 ordinary commands, when the
	// first request is assessed: a rule that fires on those too often only
	// annotates.
	Rules []string
	// Model is the file of an ONNX classifier that is asked for the intent of a
	// command instead of heed's own model (docs/models.md).
	Model string
	// Session, if set, lets the commands of a session also be judged together, as
	// check --batch does: those of requests that name the same one, or none. A
	// correlation that a command completes raises its answer; the answers before it
	// were given already.
	Session *Session
}

// An Engine assesses commands. It is safe for concurrent use and keeps caches
// of what it parsed (git indexes, catalog entries), never of answers.
type Engine struct{ service *service.Service }

// New returns an engine. It reads nothing yet but the model, if there is one.
func New(opt Options) *Engine {
	with := service.Options{Home: opt.Home, User: opt.User, World: opt.World, Specs: opt.Specs, Session: opt.Session}
	if len(opt.Rules) > 0 {
		with.Detectors.Sets = own.Rules(opt.Rules)
	}
	if opt.Model != "" {
		// What is wrong with it, its answers say.
		with.Detectors.Classifier, with.Detectors.ModelDigest, _ = own.Model(opt.Model, nil)
	}
	return &Engine{service.New(with)}
}

// Assess works out what a request would do and how hard a person should read
// it. The error is a [*Failure], and set exactly if the assessment has an Error:
// then there is no real assessment, and it is REVIEW. When ctx is cancelled,
// Assess ends soon; errors.Is finds the context's error in its own.
func (e *Engine) Assess(ctx context.Context, req risk.Request) (risk.Assessment, error) {
	a, err := e.service.Assess(ctx, req)
	return a.Assessment, err
}

// Failed is the assessment of a request that could not be assessed: REVIEW,
// with the reason.
func Failed(req risk.Request, err error) risk.Assessment { return service.Failed(req, err).Assessment }
