package wrap

import (
	"fmt"
	"os"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/wrap/approval"
)

// Approve runs a refused command, if a person at this terminal says so and
// everything is as it was. It returns only if nothing is executed.
func (s *Session) Approve(digest string) int {
	prefix, err := approval.Clean(digest)
	if err != nil {
		s.say("%s", err)
		return ExitUsage
	}
	if !isTerminal(0) {
		return s.not("approving is for a person at a terminal, and standard input is none")
	}
	t, err := s.openTerminal()
	if err != nil {
		return s.not("approving is for a person at a terminal: %v", err)
	}
	defer t.Close()
	store, err := approval.Open(s.getenv)
	if err != nil {
		return s.not("%s", explain.Visible(err.Error()))
	}
	digest, was, err := store.Find(prefix)
	if err != nil {
		return s.not("%s", explain.Visible(err.Error()))
	}
	job := was.Job
	if err := os.Chdir(job.Dir); err != nil {
		return s.not("going where it was refused: %s", explain.Visible(err.Error()))
	}
	s.SetDir(job.Dir)
	s.Provenance, s.Workspaces = was.Provenance, was.Workspaces
	if job.Shell != "" {
		if err := realShell(job.Program); err != nil {
			return s.not("%s", explain.Visible(err.Error()))
		}
	}
	j, err := s.judge(&job, true)
	switch {
	case err != nil:
		return s.unjudged(err)
	case j.denied:
		return s.not("heed runs this for nobody, whoever approves it")
	case j.digest != digest:
		return s.changed(j, was)
	}
	if !s.ask(t, &job, j) {
		return s.not("you said so")
	}
	// Whoever renames it first may run it; the other finds nothing.
	if err := store.Take(digest); err != nil {
		return s.not("%s", explain.Visible(err.Error()))
	}
	return s.runIfSame(&job, j)
}

// askThenRun asks at once, where there is a terminal.
func (s *Session) askThenRun(t *terminal, job *approval.Job, j *judgement) int {
	if !s.ask(t, job, j) {
		return s.not("you said so")
	}
	return s.runIfSame(job, j)
}

// runIfSame executes what was approved if it is still the same: a person takes
// time to answer.
func (s *Session) runIfSame(job *approval.Job, shown *judgement) int {
	now, err := s.judge(job, true)
	if err != nil {
		return s.unjudged(err)
	}
	if now.digest != shown.digest {
		return s.changed(now, shown.facts)
	}
	return s.execute(job)
}

func (s *Session) not(format string, args ...any) int {
	return s.refuse(&refusal{Reason: fmt.Sprintf(format, args...)})
}

// changed refuses because the world is another one.
func (s *Session) changed(now *judgement, was *approval.Facts) int {
	differs := now.facts.Differences(was)
	for i := range differs {
		differs[i] = explain.Cut(explain.Visible(differs[i]), 120)
	}
	return s.not("since it was refused or shown, this changed: %s. Run the command again, to be asked about what it does now", strings.Join(differs, ", "))
}

// ask shows a command and waits for the word.
func (s *Session) ask(t *terminal, job *approval.Job, j *judgement) bool {
	r := &refusal{Tier: j.Tier, Summary: j.Summary, Command: show(job), Dir: explain.Visible(job.Dir), Safer: j.Safer}
	text, _ := strings.CutSuffix(r.text(s.Name), s.Name+": not run\n")
	word := j.digest[:4]
	if job.Piped {
		text += "  input:   none (what it was given is not kept)\n"
	}
	text += fmt.Sprintf("  digest:  %s\nTo run it, type %s and Enter; anything else leaves it: ", approval.Show(j.digest), word)
	answer, err := t.ask(text)
	return err == nil && answer == word
}
