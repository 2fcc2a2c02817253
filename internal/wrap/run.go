package wrap

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/wrap/shellargs"
	"github.com/heedsh/heed/risk"
)

// Program makes the job of running a program with these words.
func (s *Session) Program(words []string) (*approval.Job, error) {
	if len(words) == 0 || words[0] == "" {
		return nil, errors.New("no command")
	}
	file, err := findProgram(words[0], s.getenv("PATH"), s.Dir)
	if err != nil {
		return nil, err
	}
	return &approval.Job{Program: file, Argv: words, Piped: standardInput() == inputOther, Dir: s.Dir}, nil
}

// onlyThere is why nothing is executed elsewhere.
const onlyThere = "heed runs commands on Linux and macOS only; heed check answers here, too"

// Run judges a job and then executes, asks or refuses. It returns only if the
// job is not executed, with the exit code.
func (s *Session) Run(job *approval.Job) int {
	if !executes && !s.DryRun {
		return s.not(onlyThere)
	}
	j, err := s.judge(job, false)
	if err != nil {
		return s.unjudged(err)
	}
	switch {
	case s.DryRun:
		return s.rehearse(job, j)
	case j.Action != policy.Allow:
		return s.block(job)
	case j.Decision.Warn && (s.Warn || gate.IsTerminal(2)):
		fmt.Fprintf(s.Err, "heed: [%s] %s\n", j.Tier, j.Summary)
	}
	return s.execute(job)
}

// Failed prints why no job could be made, and returns the exit code that a
// shell would end with.
func (s *Session) Failed(err error) int {
	var form *shellargs.Error
	switch {
	case errors.As(err, &form) && form.Usage:
		s.say("%s", explain.Visible(err.Error()))
		return ExitUsage
	case errors.Is(err, errNotFound), errors.Is(err, fs.ErrNotExist):
		s.say("%s", explain.Visible(err.Error()))
		return ExitNotFound
	}
	return s.unjudged(err)
}

// unjudged refuses what could not be judged. Nobody can approve that: there is
// nothing to bind an approval to.
func (s *Session) unjudged(err error) int {
	return s.gate().Refuse(&gate.Refusal{Reason: "heed could not judge it: " + explain.Visible(err.Error()), Tier: risk.Review})
}

// block is what happens to a job that may not run without a word.
func (s *Session) block(job *approval.Job) int {
	j, err := s.judge(job, true)
	if err != nil {
		return s.unjudged(err)
	}
	r, g := refusal(job, j), s.gate()
	if j.Final {
		r.Denied, r.Reason = true, denied(j)
		return g.Refuse(r)
	}
	if gate.IsTerminal(0) && gate.IsTerminal(2) {
		if t, err := g.Terminal(); err == nil {
			defer t.Close()
			return s.askThenRun(t, job, j)
		}
	}
	r.Digest = j.digest
	switch err := g.Keep(j.facts, j.secret); {
	case err != nil:
		r.Reason = "it cannot be approved later: " + explain.Visible(err.Error())
	default:
		r.Approve = "heed run --approve " + approval.Show(j.digest)
	}
	return g.Refuse(r)
}

// denied says who denied a job: nobody is asked about what a person's or an
// organisation's own rule denies.
func denied(j *judgement) string {
	text := fmt.Sprintf("the %s rule %s denies it, whoever approves it", j.Layer, explain.Visible(j.Rule))
	if j.Reason != "" {
		text += ": " + explain.Visible(j.Reason)
	}
	return text
}

// refusal says what a job is and what was found out about it.
func refusal(job *approval.Job, j *judgement) *gate.Refusal {
	return &gate.Refusal{Tier: j.Tier, Summary: j.Summary, Command: show(job), Dir: explain.Visible(job.Dir), Safer: j.Safer}
}

// show is the command of a job as people see it, in full.
func show(job *approval.Job) string {
	text := shellargs.Join(append([]string{job.Program}, job.Argv[1:]...))
	if job.Shell != "" {
		if line, err := shellargs.Parse(job.Shell, job.Argv[1:]); err == nil && line.Mode == shellargs.Text && len(job.Argv) == 3 {
			text = line.Text
		}
	}
	if job.HasScript {
		text += " <<< " + shellargs.Quote(job.Script)
	}
	return explain.Visible(text)
}

// rehearse says what would be done.
func (s *Session) rehearse(job *approval.Job, j *judgement) int {
	what, code := "would run", 0
	switch {
	case j.Final:
		what, code = "would refuse: "+denied(j), ExitRefused
	case j.Action != policy.Allow:
		what, code = "would refuse, or ask at a terminal", ExitRefused
	case j.Decision.Warn:
		what, code = "would run, with a warning", ExitWarn
	}
	if _, err := fmt.Fprintf(s.Out, "[%s] %s\n  command: %s\n  %s: %s\n", j.Tier, j.Summary, show(job), s.Name, what); err != nil {
		s.say("writing: %v", err)
		return ExitRefused
	}
	return code
}
