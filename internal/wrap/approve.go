package wrap

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/gate/screen"
	"github.com/heedsh/heed/internal/guard"
)

// Approve runs a refused command, or its first steps where some are given, if a person at
// this terminal says so and everything is as it was. It returns only if nothing is executed.
func (s *Session) Approve(digest string, steps int) int {
	if !executes {
		return s.not(onlyThere)
	}
	prefix, err := approval.Clean(digest)
	if err != nil {
		s.say("%s", err)
		return ExitUsage
	}
	if !gate.IsTerminal(0) {
		return s.not("approving is for a person at a terminal, and standard input is none")
	}
	t, err := s.gate().Terminal()
	if err != nil {
		return s.not("approving is for a person at a terminal: %v", err)
	}
	defer t.Close()
	if err := s.Guard.StoreErr; err != nil {
		return s.not("%s", explain.Visible(err.Error()))
	}
	request, err := s.Guard.Store.Find(prefix)
	if err != nil {
		return s.not("%s", explain.Visible(err.Error()))
	}
	was := &request.Facts
	job := was.Job
	switch {
	case request.State == approval.Partly && (steps == 0 || steps == request.Answer.Steps):
		steps = request.Answer.Steps
	case request.State != approval.Pending && request.State != approval.Approved:
		return s.not("the request is %s", request.State)
	}
	switch {
	case request.Front != approval.FrontRun || was.MAC != "":
		return s.not("heed does not have this command to run it: approve it with heed approve %s, and let it be run again", approval.Show(request.Digest))
	}
	if err := os.Chdir(job.Dir); err != nil {
		return s.not("going where it was refused: %s", explain.Visible(err.Error()))
	}
	s.SetDir(job.Dir)
	s.Provenance, s.Workspaces = was.Provenance, was.Workspaces
	if request.Shown != nil {
		s.follows = request.Shown.Follows
	}
	if job.Shell != "" {
		if err := realShell(job.Program); err != nil {
			return s.not("%s", explain.Visible(err.Error()))
		}
	}
	j, err := s.bound(&job)
	if err != nil {
		return s.unjudged(err)
	}
	switch {
	case j.Final:
		return s.not("%s", denied(j))
	case j.digest != request.Digest:
		return s.changed(j, was)
	}
	if err := s.record(j, guard.DecidedRow); err != nil {
		s.say("%s", explain.Visible(err.Error()))
	}
	a := s.askUpTo(t, &job, j, steps)
	if a.Choice != gate.Once && a.Choice != gate.Part {
		return s.said(a)
	}
	// Whoever takes it first may run it; the other finds nothing.
	if err := s.Guard.Store.Use(request.Digest, request.State); err != nil {
		return s.not("%s", explain.Visible(err.Error()))
	}
	if a.Choice == gate.Part {
		return s.runPart(&job, j, a.Steps)
	}
	return s.runIfSame(&job, j)
}

// said is how a command that a person left is not run.
func (s *Session) said(a gate.Answer) int {
	if a.Reason != "" {
		return s.not("you said: %s", explain.Visible(a.Reason))
	}
	return s.not("you said so")
}

// askThenRun asks at once, where there is a terminal.
func (s *Session) askThenRun(t *gate.Terminal, job *approval.Job, j *judgement) int {
	switch a := s.ask(t, job, j, []gate.Choice{gate.Edit, gate.Instead, gate.Part}); a.Choice {
	case gate.Once:
		return s.runIfSame(job, j)
	case gate.Part:
		return s.runPart(job, j, a.Steps)
	case gate.Edit, gate.Instead:
		other, err := s.other(job, a.Command)
		if err != nil {
			return s.Failed(err)
		}
		return s.Run(other)
	default:
		return s.said(a)
	}
}

// other is the job of a command that a person wants in the place of another: for the
// same shell, or for bash in the place of a program. It is judged like any job.
func (s *Session) other(job *approval.Job, command string) (*approval.Job, error) {
	shell, name, program := job.Shell, job.Argv[0], job.Program
	if shell == "" {
		var err error
		if program, err = findShell("bash", s.getenv("PATH")); err != nil {
			return nil, err
		}
		shell, name = "bash", "bash"
	}
	return s.ShellLine(shell, strings.TrimPrefix(name, "-"), program, []string{"-c", command})
}

// runIfSame executes what was approved if it is still the same: a person takes
// time to answer.
func (s *Session) runIfSame(job *approval.Job, shown *judgement) int {
	now, err := s.bound(job)
	if err != nil {
		return s.unjudged(err)
	}
	if now.digest != shown.digest {
		return s.changed(now, shown.facts)
	}
	return s.start(job)
}

func (s *Session) not(format string, args ...any) int {
	return s.gate().Refuse(&gate.Refusal{Reason: fmt.Sprintf(format, args...)})
}

// changed refuses because the world is another one.
func (s *Session) changed(now *judgement, was *approval.Facts) int {
	differs := now.facts.Differences(was)
	for i := range differs {
		differs[i] = explain.Cut(explain.Visible(differs[i]), 120)
	}
	if err := s.also(audit.Drifted, func(r *audit.Row) { r.Reason = strings.Join(differs, ", ") }); err != nil {
		s.say("%s", explain.Visible(err.Error()))
	}
	return s.not("since it was refused or shown, this changed: %s. Run the command again, to be asked about what it does now", strings.Join(differs, ", "))
}

// ask shows a command at a terminal and waits for an answer, which is recorded.
func (s *Session) ask(t *gate.Terminal, job *approval.Job, j *judgement, offers []gate.Choice) gate.Answer {
	q := s.question(job, j, offers)
	s.offer(q, j)
	return s.put(t, q, j)
}

// put puts a question at a terminal.
func (s *Session) put(t *gate.Terminal, q *gate.Question, j *judgement) gate.Answer {
	a, err := screen.At(context.Background(), t, s.getenv, q)
	if err != nil {
		s.say("%s", explain.Visible(err.Error()))
		a.Choice = gate.No
	}
	if a.Choice == gate.ThisSession || a.Choice == gate.AsRule {
		// Not before it is held against the world once more: a new file changes that.
		later := a.Choice
		s.settles = func() error { return s.settle(j, later) }
		a.Choice = gate.Once
	}
	if a.Choice == gate.Instead {
		a.Command = safer(j, q.Shown, a.Command)
	}
	s.answered(a)
	return a
}

// question is what a person is asked about a job.
func (s *Session) question(job *approval.Job, j *judgement, offers []gate.Choice) *gate.Question {
	q := &gate.Question{Shown: s.shown(j), Offers: offers, CheckPIN: s.Guard.CheckPIN(), Exposure: s.Guard.Records.Exposure(context.Background())}
	q.Shown.Follows = s.follows
	if text := show(job); text != q.Shown.Command && !q.Shown.Masked {
		q.Shown.Command, q.Shown.Spans = text, nil // they are of the command that was judged
	}
	if text, ok := Line(job); ok && !q.Shown.Masked {
		q.Text = text
		q.Shown.Steps = s.steps(job, j, text)
	}
	if s.Preview != nil {
		q.Preview = func() (string, error) { return s.Preview(job, j.req, &j.Assessment) }
	}
	if job.Piped {
		q.Input = "none (what it was given is not kept)"
	}
	return q
}

// safer is the command that a person chose as it is run: what was shown has its bytes
// made visible.
func safer(j *judgement, shown *consent.Consent, chosen string) string {
	for i, s := range shown.Safer {
		if s.Command == chosen && i < len(j.Safer) {
			return j.Safer[i].Command
		}
	}
	return chosen
}

// shown is what a person is asked to agree to.
func (s *Session) shown(j *judgement) *consent.Consent {
	return consent.New(j.req, &j.Assessment, &j.Decision, j.digest, s.Guard.HasPIN())
}
