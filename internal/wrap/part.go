package wrap

import (
	"context"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
)

// steps are the steps of a command line that a shell is given, with what each does. The
// judgement is of the shell, in which they are one: the line is looked at by itself.
func (s *Session) steps(job *approval.Job, j *judgement, text string) []consent.Step {
	if consent.Count(text, job.Shell) < 2 {
		return nil
	}
	req := *j.req
	req.Command, req.Shell = text, job.Shell
	here := s.Guard.Service.At(req.Env["HOME"], req.Env["USER"], req.Dir)
	within := s.limit
	if within == 0 {
		within = limit
	}
	a, err := service.Within(context.Background(), within, func(ctx context.Context) (risk.Assessment, error) {
		return s.answer(ctx, here.Look(), req)
	})
	if err != nil {
		return nil // it is asked about as a whole
	}
	d := here.Decision(&a, &req, s.front())
	shown := consent.New(&req, &a, &d, j.digest, s.Guard.HasPIN())
	if shown.Command != show(job) || a.Tier < j.Tier {
		return nil // what the shell is given beside the line counts for more
	}
	return shown.Steps
}

// askUpTo asks about a command, or about its first steps where some are given.
func (s *Session) askUpTo(t *gate.Terminal, job *approval.Job, j *judgement, steps int) gate.Answer {
	if steps == 0 {
		return s.ask(t, job, j, []gate.Choice{gate.Part})
	}
	q, err := s.question(job, j, nil).Up(steps)
	if err != nil {
		s.say("%s", explain.Visible(err.Error()))
		return gate.Answer{By: "click", Reason: err.Error()}
	}
	return s.put(t, q, j).Of(steps)
}

// runPart executes the first steps of a line that was approved, as a command of their own,
// if the whole line is still the same, and keeps a request for the rest.
func (s *Session) runPart(job *approval.Job, shown *judgement, n int) int {
	now, err := s.bound(job)
	switch {
	case err != nil:
		return s.unjudged(err)
	case now.digest != shown.digest:
		return s.changed(now, shown.facts)
	}
	text, _ := Line(job)
	part, err := guard.Divide(text, job.Shell, n)
	if err != nil {
		return s.not("%s", explain.Visible(err.Error()))
	}
	worst, steps := risk.Safe, s.steps(job, now, text)
	if len(steps) < n {
		return s.not("its steps cannot be told apart any more")
	}
	for i := range steps[:n] {
		worst = max(worst, steps[i].Tier)
	}
	return s.startPart(job, part, worst)
}

// startPart executes the first steps of a line. What is worse by itself than what was
// shown is asked about by itself.
func (s *Session) startPart(line *approval.Job, p *guard.Agreed, worst risk.Tier) int {
	job, err := s.other(line, p.First)
	if err != nil {
		return s.Failed(err)
	}
	s.wait(line, p)
	j, err := s.bound(job)
	switch {
	case err != nil:
		return s.unjudged(err)
	case j.Final:
		return s.not("%s", denied(j))
	case j.Tier > worst:
		return s.stop(job, j)
	}
	j.Action, j.Rule, j.Reason, j.Layer = policy.Allow, "approved", "", policy.OfSession
	if err := s.record(j, guard.DecidedRow); err != nil {
		s.say("%s", explain.Visible(err.Error())) // the person has answered: that is told, and no reason to refuse
	}
	return s.start(job)
}

// wait keeps a request for what remains of a line, and says so.
func (s *Session) wait(line *approval.Job, p *guard.Agreed) {
	job, err := s.other(line, p.Rest)
	var j *judgement
	if err == nil {
		j, err = s.bound(job)
	}
	if err == nil && j.Action != policy.Allow && !j.Final {
		if err = s.record(j, guard.DecidedRow); err != nil {
			s.say("%s", explain.Visible(err.Error()))
		}
		shown := s.shown(j)
		shown.Follows = p.Follows()
		if _, err = s.keepAs(j, shown); err == nil {
			if lost := s.also(audit.Asked, func(row *audit.Row) { row.Request, row.Decision = approval.Show(j.digest), "ask" }); lost != nil {
				s.say("%s", explain.Visible(lost.Error()))
			}
			s.say("what follows waits for another yes: heed run --approve %s", approval.Show(j.digest))
			return
		}
	}
	if err != nil {
		s.say("what follows does not wait, and is asked about when it is run: %s", explain.Visible(err.Error()))
		return
	}
	s.say("what follows was not run: %s", explain.Visible(p.Rest))
}

// agreedOf is the part of a request's line that a person agreed to; nil where it is none.
func agreedOf(r *approval.Request) *guard.Agreed {
	text, ok := Line(&r.Facts.Job)
	if !ok {
		return nil
	}
	return guard.AgreedOf(r, text, r.Facts.Job.Shell)
}

// agreedPart runs a command which is the first steps of a line that a person agreed to in
// part, if the line is still what he was shown.
func (s *Session) agreedPart(job *approval.Job, j *judgement) (code int, done bool) {
	text, ok := Line(job)
	if !ok || s.Guard.StoreErr != nil || s.Judge {
		return 0, false
	}
	all, _, err := s.Guard.Store.List()
	if err != nil {
		return 0, false
	}
	for _, r := range all {
		was := &r.Facts.Job
		if r.State != approval.Partly || r.Front != approval.FrontRun || was.Dir != job.Dir || was.Program != job.Program || was.Shell != job.Shell {
			continue
		}
		agreed := agreedOf(r)
		if agreed == nil || agreed.First != text || !agreed.Covers(r, j.Tier) {
			continue
		}
		line := *was
		now, err := s.bound(&line)
		if err != nil || now.digest != r.Digest || s.Guard.Store.Use(r.Digest, approval.Partly) != nil {
			continue // it is asked about by itself
		}
		return s.startPart(&line, agreed, j.Tier), true
	}
	return 0, false
}
