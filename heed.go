package heed

import (
	"context"
	"fmt"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/risk"
)

// Options configure an [Engine]. The zero value is the machine it runs on.
type Options struct {
	// Home and User name the session's account where a request's environment
	// does not. Empty means that of the current process.
	Home, User string
	// Specs are absolute directories of specs (*.yaml, docs/catalog.md) that
	// extend the embedded catalog or replace parts of it. They are read when a
	// request is assessed; a spec that is broken is left out, and an Unknown
	// with the role "spec" says so. Without Specs no such directory is read:
	// that ~/.config/heed/specs counts is the command line's business. What a
	// workspace says of programs (.heed/specs in its root) is a part of the
	// world, counts always, and can only raise an answer. Specs that lie in the
	// workspace count as the workspace's.
	Specs []string
}

// An Engine assesses commands. It is safe for concurrent use and keeps caches
// of what it parsed (git indexes, catalog entries), never of answers.
type Engine struct {
	assessor *assess.Assessor
	host     *host.Host
}

// New returns an engine for this machine. It reads nothing yet.
func New(opt Options) *Engine {
	return &Engine{assessor: assess.New(opt.Specs...), host: host.New(opt.Home, opt.User)}
}

// Assess works out what a request would do and how hard a person should read
// it. An error means that there is no real assessment, because ctx was
// cancelled; the assessment is then REVIEW and says so.
func (e *Engine) Assess(ctx context.Context, req risk.Request) (risk.Assessment, error) {
	if err := ctx.Err(); err != nil {
		err = fmt.Errorf("assessing: %w", err)
		return Failed(req, err), err
	}
	a, _ := e.assessor.Assess(e.host.View(&req), req)
	return a, nil
}

// Failed is the assessment of a request that could not be assessed: REVIEW,
// with the reason.
func Failed(req risk.Request, err error) risk.Assessment { return assess.Failed(req, err) }
