package wrap

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/wrap/shellargs"
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
	if s.Judge {
		return s.Judged(job)
	}
	s.prepare()
	defer s.unready()
	j, err := s.judge(job, false)
	switch {
	case err != nil && (s.DryRun || job.Dir == ""):
		return s.unjudged(err)
	case err != nil:
		if j, err = s.withoutLook(job, err); err != nil {
			return s.unjudged(err)
		}
		return s.stop(job, j)
	case s.DryRun:
		return s.rehearse(job, j)
	case !j.Final && s.passed(job):
		j.Action, j.Rule, j.Layer = policy.Allow, "passed.hook", policy.OfSession
	case s.covered(j):
		j.Action, j.Rule, j.Layer = policy.Allow, "approved.outer", policy.OfSession
	case j.Action != policy.Allow:
		return s.block(job)
	}
	if j.Decision.Confined {
		if err := s.byPolicy(); err != nil {
			s.say("a person is asked, because the policy wants this command confined: %s", explain.Visible(err.Error()))
			return s.block(job)
		}
	}
	if err := s.record(j, guard.DecidedRow, audit.Started); err != nil {
		// What cannot be recorded is not run unasked.
		return s.block(job)
	}
	if j.Decision.Warn && (s.Warn || gate.IsTerminal(2)) {
		fmt.Fprintf(s.Err, "heed: [%s] %s\n", j.Tier, j.Summary)
	}
	return s.execute(job)
}

// covered reports whether a yes to the command that started this one is one to this:
// not where it is REVIEW itself, and not for what a rule denies.
func (s *Session) covered(j *judgement) bool {
	return j.Action == policy.Ask && j.Consent == policy.Click && s.Guard.StoreErr == nil && s.Guard.Store.Covered()
}

// record keeps what was found out, what was decided, and rows of these kinds.
func (s *Session) record(j *judgement, decided func(audit.Row, *policy.Decision) audit.Row, kinds ...audit.Kind) error {
	row, err := audit.AssessedRow(j.req, &j.Assessment, false)
	if err != nil {
		return err
	}
	rows := []audit.Row{row, decided(row, &j.Decision)}
	for _, k := range kinds {
		rows = append(rows, row.As(k))
	}
	s.began = &row
	return s.Guard.Records.Append(context.Background(), rows...)
}

// also keeps a later row about the same job.
func (s *Session) also(kind audit.Kind, change func(*audit.Row)) error {
	if s.began == nil {
		return nil // what it is about could not be recorded, and the person was told
	}
	row := s.began.As(kind)
	change(&row)
	return s.Guard.Records.Append(context.Background(), row)
}

// Failed prints why no job could be made, and returns the exit code that a
// shell would end with.
func (s *Session) Failed(err error) int {
	var form *shellargs.Error
	switch {
	case errors.As(err, &form) && form.Usage:
		s.say("%s", explain.Visible(err.Error()))
		return ExitUsage
	case NotFound(err):
		s.say("%s", explain.Visible(err.Error()))
		return ExitNotFound
	}
	return s.unjudged(err)
}

// NotFound reports whether an error says that there is no such program or shell.
func NotFound(err error) bool { return errors.Is(err, errNotFound) || errors.Is(err, fs.ErrNotExist) }

// block is what happens to a job that may not run without a word.
func (s *Session) block(job *approval.Job) int {
	j, err := s.bound(job)
	if err != nil {
		return s.unjudged(err)
	}
	return s.stop(job, j)
}

// stop refuses a job that is bound to this world, unless a person agreed to it or does
// so now.
func (s *Session) stop(job *approval.Job, j *judgement) int {
	s.unready() // what can be read may be another when a person has answered
	trouble := s.record(j, guard.DecidedRow)
	r, g := refusal(job, j), s.gate()
	if j.Error != "" {
		r.Reason = "heed could not judge it: " + explain.Visible(j.Error)
	}
	if j.Final {
		r.Denied, r.Reason = true, denied(j)
		return g.Refuse(r)
	}
	if s.Guard.StoreErr == nil && s.Guard.Store.Use(j.digest, approval.Approved) == nil {
		return s.start(job)
	}
	if code, done := s.agreedPart(job, j); done {
		return code
	}
	if s.front() == policy.Run {
		if t, err := g.Terminal(); err == nil {
			defer t.Close()
			return s.askThenRun(t, job, j)
		}
	}
	r.Digest = j.digest
	kept, err := s.keep(job, j)
	switch {
	case err != nil:
		r.Reason = "it cannot be approved later: " + explain.Visible(err.Error())
	case kept.State == approval.Denied:
		r.Denied, r.Reason = true, "a person denied it: "+explain.Visible(kept.Answer.Reason)
	case kept.State == approval.Partly:
		r.Reason = "a person agreed to its first steps only, as a command of their own"
		r.Approve = "heed run --approve " + approval.Show(j.digest)
		if part := agreedOf(kept); part != nil {
			r.Reason += ": " + explain.Visible(part.First)
		}
	default:
		r.Approve = "heed run --approve " + approval.Show(j.digest)
		if j.facts.MAC != "" || j.Error != "" {
			r.Approve = "heed approve " + approval.Show(j.digest) + ", and then the same command again"
		}
		trouble = errors.Join(trouble, s.also(audit.Asked, func(row *audit.Row) { row.Request, row.Decision = approval.Show(j.digest), "ask" }))
	}
	if trouble != nil {
		s.say("%s", explain.Visible(trouble.Error()))
	}
	return g.Refuse(r)
}

// keep keeps what was refused for an approval.
func (s *Session) keep(job *approval.Job, j *judgement) (*approval.Request, error) {
	shown := s.shown(j)
	if text, ok := Line(job); ok && !shown.Masked {
		shown.Steps = s.steps(job, j, text)
	}
	return s.keepAs(j, shown)
}

// keepAs is keep, with what a person is shown.
func (s *Session) keepAs(j *judgement, shown *consent.Consent) (*approval.Request, error) {
	if s.Guard.StoreErr != nil {
		return nil, s.Guard.StoreErr
	}
	row := ""
	if s.began != nil {
		row = s.began.Digest
	}
	return s.Guard.Store.Keep(approval.Request{Front: approval.FrontRun, Row: row, Facts: *j.facts, Shown: shown})
}

// start executes what a person agreed to.
func (s *Session) start(job *approval.Job) int {
	if s.Judge {
		if err := s.also(audit.Started, func(*audit.Row) {}); err != nil {
			s.say("%s", explain.Visible(err.Error()))
		}
		return 0
	}
	if err := s.also(audit.Started, func(*audit.Row) {}); err != nil {
		s.say("%s", explain.Visible(err.Error())) // the person has answered: that is told, and no reason to refuse
	}
	if s.settles != nil {
		if err := s.settles(); err != nil {
			s.say("%s", explain.Visible(err.Error()))
		}
	}
	if s.Guard.StoreErr == nil {
		// Without it its children are asked about by themselves. It stays open: execve
		// hands it on.
		var err error
		if s.cover, err = s.Guard.Store.Cover(); err != nil {
			s.say("%s", explain.Visible(err.Error()))
		}
	}
	return s.execute(job)
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

// unjudged refuses what there is nothing to bind an approval to.
func (s *Session) unjudged(err error) int {
	return s.gate().Refuse(&gate.Refusal{Reason: "heed could not judge it: " + explain.Visible(err.Error())})
}

// refusal says what a job is and what was found out about it.
func refusal(job *approval.Job, j *judgement) *gate.Refusal {
	return &gate.Refusal{Tier: j.Tier, Summary: j.Summary, Command: show(job), Dir: explain.Visible(job.Dir), Safer: j.Safer}
}

// show is the command of a job as people see it, in full.
func show(job *approval.Job) string {
	text, ok := Line(job)
	if !ok {
		text = shellargs.Join(append([]string{job.Program}, job.Argv[1:]...))
	}
	if job.HasScript {
		text += " <<< " + shellargs.Quote(job.Script)
	}
	return explain.Visible(text)
}

// Line is the command line of a job that is no more than one, for a shell.
func Line(job *approval.Job) (string, bool) {
	if job.Shell == "" || len(job.Argv) != 3 {
		return "", false
	}
	line, err := shellargs.Parse(job.Shell, job.Argv[1:])
	if err != nil || line.Mode != shellargs.Text {
		return "", false
	}
	return line.Text, true
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
	case j.Decision.Confined:
		what = "would run, within what this says"
	}
	if _, err := fmt.Fprintf(s.Out, "[%s] %s\n  command: %s\n  %s: %s\n", j.Tier, j.Summary, show(job), s.Name, what); err != nil {
		s.say("writing: %v", err)
		return ExitRefused
	}
	return code
}

// answered keeps what a person said.
func (s *Session) answered(a gate.Answer) {
	kind, decision := audit.Approved, "allow"
	if a.Choice != gate.Once {
		kind, decision = audit.Denied, "deny"
	}
	if a.Choice == gate.Edit || a.Choice == gate.Instead {
		a.Reason = "another command was run in its place" // which has rows of its own
	}
	err := s.also(kind, func(r *audit.Row) {
		r.By, r.Decision, r.Reason, r.WaitedMS = a.By, decision, a.Reason, int64(a.Waited/time.Millisecond)
	})
	if err != nil {
		s.say("%s", explain.Visible(err.Error()))
	}
}
