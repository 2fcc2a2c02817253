package wrap

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/internal/world"
	"github.com/heedsh/heed/internal/world/record"
	"github.com/heedsh/heed/internal/wrap/approval"
	"github.com/heedsh/heed/risk"
)

// A judgement is what heed found out about a job.
type judgement struct {
	risk.Assessment
	denied bool // nobody can approve it
	// Of a judgement that is bound to the world:
	facts  *approval.Facts
	digest string
	secret bool // the command holds a secret
}

// judge assesses a job, within the limit. With bind it keeps what was read, so
// that an approval can be bound to it. An error means that there is no
// judgement, and the job must not run.
func (s *Session) judge(job *approval.Job, bind bool) (*judgement, error) {
	within := s.limit
	if within == 0 {
		within = limit
	}
	type result struct {
		j   *judgement
		err error
	}
	done := make(chan result, 1)
	go func() {
		var r result
		defer func() {
			if fault := recover(); fault != nil {
				r = result{err: fmt.Errorf("a fault inside heed: %v", fault)}
			}
			done <- r
		}()
		r.j, r.err = s.look(job, bind)
	}()
	clock := time.NewTimer(within)
	defer clock.Stop()
	select {
	case r := <-done:
		return r.j, r.err
	case <-clock.C:
		return nil, fmt.Errorf("heed took longer than %s to judge it", within)
	}
}

// look is judge without its limits.
func (s *Session) look(job *approval.Job, bind bool) (*judgement, error) {
	if job.Dir == "" {
		return nil, errors.New("the current directory is gone; where the command would run is not known")
	}
	req := risk.Request{Shell: "bash", Dir: job.Dir, Env: s.env(), Workspaces: s.Workspaces, Provenance: s.Provenance, Agent: s.Agent}
	w := host.New(req.Env["HOME"], req.Env["USER"], req.Dir).View(&req)
	var log *record.Log
	if bind {
		w, log = record.New(w)
	}
	j := &judgement{}
	if err := s.assessJob(job, w, &req, &j.Assessment); err != nil {
		return nil, err
	}
	j.denied = agent.Decide(&j.Assessment, req.Env["HOME"]).Decision == agent.Deny
	if !bind {
		return j, nil
	}
	file, err := identity(job.Program)
	if err != nil {
		return nil, fmt.Errorf("looking at the program: %w", err)
	}
	if j.facts, j.secret, err = approval.New(&approval.Input{Job: *job, File: file, Request: req, Specs: s.Specs, Log: log, Answer: j.Assessment, Detectors: s.Detectors}); err != nil {
		return nil, err
	}
	j.digest, err = j.facts.Digest()
	return j, err
}

// assessJob assesses a job. What is on standard input is not known where it is
// no terminal: if the job would take commands from there, it is assessed again
// with that, and the higher verdict counts. What a script on standard input
// starts can read the rest of the script.
func (s *Session) assessJob(job *approval.Job, w *world.World, req *risk.Request, out *risk.Assessment) error {
	for _, input := range []bool{false, true} {
		if input && (!job.Piped && job.Script == "" || !listens(out.Effects)) {
			return nil
		}
		again := *req
		var err error
		if again.Command, err = source(job, input, w, req.Env); err != nil {
			return err
		}
		var a risk.Assessment
		if s.assess != nil {
			a = s.assess(again)
		} else {
			a, _ = assess.New(s.Specs...).With(s.Detectors).Assess(w, again)
		}
		if a.Error != "" {
			return errors.New(a.Error)
		}
		if !input || a.Verdict > out.Verdict {
			req.Command, *out = again.Command, a
		}
	}
	return nil
}

// listens reports whether something takes commands from its standard input: a
// shell or an interpreter without a script, here or on another host.
func listens(effects []risk.Effect) bool {
	return slices.ContainsFunc(effects, func(e risk.Effect) bool { return e.Verb == risk.ExecShell || e.Verb == risk.NetConnect })
}

// accountHome is the home directory of this account as the system's list of
// accounts has it, or "".
func accountHome() string {
	return host.New("", "").View(&risk.Request{}).User.Home
}
