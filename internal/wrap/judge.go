package wrap

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// A judgement is what heed found out about a job, and what is done about it.
type judgement struct {
	risk.Assessment
	policy.Decision
	// Of a judgement that is bound to the world:
	facts  *approval.Facts
	digest string

	req *risk.Request // as it was assessed; nil if it was not
}

// judge assesses a job, within the limit, and decides. With bind it keeps what
// was read, so that an approval can be bound to it. An error means that there is
// no judgement, and the job must not run.
func (s *Session) judge(job *approval.Job, bind bool) (*judgement, error) {
	within := s.limit
	if within == 0 {
		within = limit
	}
	j, err := service.Within(context.Background(), within, func(ctx context.Context) (*judgement, error) {
		return s.look(ctx, job, bind)
	})
	if err == nil {
		s.judged = &j.Assessment
	}
	return j, err
}

// bound is the judgement of a job with what a yes to it is bound to: of what was looked
// at, or, where it cannot be assessed, of what is known without.
func (s *Session) bound(job *approval.Job) (*judgement, error) {
	j, err := s.judge(job, true)
	if err != nil {
		return s.withoutLook(job, err)
	}
	return j, nil
}

// look is judge without its limits.
func (s *Session) look(ctx context.Context, job *approval.Job, bind bool) (*judgement, error) {
	if job.Dir == "" {
		return nil, errors.New("the current directory is gone; where the command would run is not known")
	}
	req := risk.Request{Shell: "bash", Dir: job.Dir, Env: s.env(), Workspaces: s.Workspaces, Provenance: s.Provenance, Agent: s.Agent}
	here := s.Guard.Service.At(req.Env["HOME"], req.Env["USER"], req.Dir)
	look := here.Look()
	if bind {
		look = here.Recording(&req)
	}
	j := &judgement{req: &req}
	if err := s.assessJob(ctx, job, look, &req, &j.Assessment); err != nil {
		return nil, err
	}
	j.Decision = here.Decision(&j.Assessment, &req, s.front())
	if !bind {
		return j, nil
	}
	return j, s.bind(ctx, job, look, &req, j)
}

// withoutLook is the judgement of a job that could not be assessed: REVIEW, bound to what
// is known without looking.
func (s *Session) withoutLook(job *approval.Job, why error) (*judgement, error) {
	req := &risk.Request{Command: show(job), Shell: "bash", Dir: job.Dir, Env: s.env(), Workspaces: s.Workspaces, Provenance: s.Provenance, Agent: s.Agent}
	j := &judgement{Assessment: service.Failed(*req, why).Assessment, req: req}
	j.Decision = s.Guard.Service.Decision(&j.Assessment, req, s.front())
	file, err := identity(job.Program)
	if err != nil {
		return nil, fmt.Errorf("looking at the program: %w", err)
	}
	if j.facts, err = s.Guard.Unassessed(job, file, req); err != nil {
		return nil, err
	}
	j.digest, err = j.facts.Digest()
	return j, err
}

// front is where the command waits: where somebody can be asked, or where nobody can.
func (s *Session) front() policy.Front {
	if s.waits == nil {
		front := policy.Alone
		if !s.DryRun && gate.IsTerminal(0) && gate.IsTerminal(2) {
			if t, err := s.gate().Terminal(); err == nil {
				t.Close()
				front = policy.Run
			}
		}
		s.waits = &front
	}
	return *s.waits
}

// bind makes the facts that an approval of a judgement would be bound to.
func (s *Session) bind(ctx context.Context, job *approval.Job, look *service.Look, req *risk.Request, j *judgement) error {
	file, err := identity(job.Program)
	if err != nil {
		return fmt.Errorf("looking at the program: %w", err)
	}
	j.facts, err = s.Guard.Bind(ctx, &guard.Bound{Job: *job, File: file, Request: *req, Answer: j.Assessment, Look: look})
	if err != nil {
		return err
	}
	j.digest, err = j.facts.Digest()
	return err
}

// assessJob assesses a job. What is on standard input is not known where it is
// no terminal: if the job would take commands from there, it is assessed again
// with that, and the higher verdict counts. What a script on standard input
// starts can read the rest of the script.
func (s *Session) assessJob(ctx context.Context, job *approval.Job, look *service.Look, req *risk.Request, out *risk.Assessment) error {
	for _, input := range []bool{false, true} {
		if input && (!job.Piped && job.Script == "" || !listens(out.Effects)) {
			return nil
		}
		again := *req
		var err error
		if again.Command, err = source(job, input, look.World(req), req.Env); err != nil {
			return err
		}
		a, err := s.answer(ctx, look, again)
		if err != nil {
			return err
		}
		if !input || a.Verdict > out.Verdict {
			req.Command, *out = again.Command, a
		}
	}
	return nil
}

// answer assesses one request.
func (s *Session) answer(ctx context.Context, look *service.Look, req risk.Request) (risk.Assessment, error) {
	if s.assess != nil {
		return s.assess(ctx, req)
	}
	a, err := look.Assess(ctx, req)
	return a.Assessment, err
}

// listens reports whether something takes commands from its standard input: a
// shell or an interpreter without a script, here or on another host.
func listens(effects []risk.Effect) bool {
	return slices.ContainsFunc(effects, func(e risk.Effect) bool { return e.Verb == risk.ExecShell || e.Verb == risk.NetConnect })
}
