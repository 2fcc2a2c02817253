package wrap

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/wrap/approval"
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

// Run judges a job and then executes, asks or refuses. It returns only if the
// job is not executed, with the exit code.
func (s *Session) Run(job *approval.Job) int {
	j, err := s.judge(job, false)
	if err != nil {
		return s.unjudged(err)
	}
	switch {
	case s.DryRun:
		return s.rehearse(job, j)
	case j.Verdict == risk.Block:
		return s.block(job)
	case j.Verdict == risk.Warn && (s.Warn || isTerminal(2)):
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
	return s.refuse(&refusal{Reason: "heed could not judge it: " + explain.Visible(err.Error()), Tier: risk.Review})
}

// block is what happens to a job whose verdict is BLOCK.
func (s *Session) block(job *approval.Job) int {
	j, err := s.judge(job, true)
	if err != nil {
		return s.unjudged(err)
	}
	r := &refusal{Tier: j.Tier, Summary: j.Summary, Command: show(job), Dir: explain.Visible(job.Dir), Safer: j.Safer}
	if j.denied {
		r.Denied, r.Reason = true, "heed runs this for nobody, whoever approves it"
		return s.refuse(r)
	}
	if isTerminal(0) && isTerminal(2) {
		if t, err := s.openTerminal(); err == nil {
			defer t.Close()
			return s.askThenRun(t, job, j)
		}
	}
	r.Digest = j.digest
	switch err := s.keep(j); {
	case err != nil:
		r.Reason = "it cannot be approved later: " + explain.Visible(err.Error())
	default:
		r.Approve = "heed run --approve " + approval.Show(j.digest)
	}
	return s.refuse(r)
}

// keep keeps what was refused for an approval.
func (s *Session) keep(j *judgement) error {
	if j.secret {
		return errors.New("the command holds what looks like a secret, which heed does not write to disk")
	}
	store, err := approval.Open(s.getenv)
	if err != nil {
		return err
	}
	return store.Keep(j.facts)
}

// A refusal is what is printed of a command that was not executed.
type refusal struct {
	Tier    risk.Tier    `json:"tier"`
	Summary string       `json:"summary,omitempty"`
	Command string       `json:"command,omitempty"` // visible
	Dir     string       `json:"dir,omitempty"`     // visible
	Denied  bool         `json:"denied"`
	Reason  string       `json:"reason,omitempty"`
	Digest  string       `json:"digest,omitempty"`
	Approve string       `json:"approve,omitempty"`
	Safer   []risk.Safer `json:"safer,omitempty"`
	Exit    int          `json:"exit"`
}

// refuse prints a refusal.
func (s *Session) refuse(r *refusal) int {
	r.Exit = ExitRefused
	if s.JSON {
		text, err := json.Marshal(r)
		if err == nil {
			fmt.Fprintf(s.Err, "%s\n", text)
			return ExitRefused
		}
	}
	io.WriteString(s.Err, r.text(s.Name)) //nolint:errcheck // the exit code says the same
	return ExitRefused
}

func (r *refusal) text(name string) string {
	var b strings.Builder
	if r.Summary != "" {
		fmt.Fprintf(&b, "[%s] %s\n", r.Tier, r.Summary)
	}
	if r.Command != "" {
		fmt.Fprintf(&b, "  command: %s\n  in:      %s\n", r.Command, r.Dir)
	}
	for _, alt := range r.Safer {
		fmt.Fprintf(&b, "  safer:   %s  (%s)\n", explain.Visible(alt.Command), alt.Why)
	}
	if r.Digest != "" {
		fmt.Fprintf(&b, "  digest:  %s\n", approval.Show(r.Digest))
	}
	fmt.Fprintf(&b, "%s: not run", name)
	if r.Reason != "" {
		fmt.Fprintf(&b, ": %s", r.Reason)
	}
	b.WriteString("\n")
	if r.Approve != "" {
		fmt.Fprintf(&b, "  a person can run exactly this, here, once, at a terminal: %s\n", r.Approve)
	}
	return b.String()
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
	case j.denied:
		what, code = "would refuse, whoever approves it", ExitRefused
	case j.Verdict == risk.Block:
		what, code = "would refuse, or ask at a terminal", ExitRefused
	case j.Verdict == risk.Warn:
		what, code = "would run, with a warning", ExitWarn
	}
	if _, err := fmt.Fprintf(s.Out, "[%s] %s\n  command: %s\n  %s: %s\n", j.Tier, j.Summary, show(job), s.Name, what); err != nil {
		s.say("writing: %v", err)
		return ExitRefused
	}
	return code
}
