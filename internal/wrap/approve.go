package wrap

import (
	"fmt"
	"os"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
)

// Approve runs a refused command, if a person at this terminal says so and
// everything is as it was. It returns only if nothing is executed.
func (s *Session) Approve(digest string) int {
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
	store, err := s.gate().Store()
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
	case j.Final:
		return s.not("%s", denied(j))
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
func (s *Session) askThenRun(t *gate.Terminal, job *approval.Job, j *judgement) int {
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
	return s.gate().Refuse(&gate.Refusal{Reason: fmt.Sprintf(format, args...)})
}

// changed refuses because the world is another one.
func (s *Session) changed(now *judgement, was *approval.Facts) int {
	differs := now.facts.Differences(was)
	for i := range differs {
		differs[i] = explain.Cut(explain.Visible(differs[i]), 120)
	}
	return s.not("since it was refused or shown, this changed: %s. Run the command again, to be asked about what it does now", strings.Join(differs, ", "))
}

// ask shows a command at a terminal and waits for the word.
func (s *Session) ask(t *gate.Terminal, job *approval.Job, j *judgement) bool {
	input := ""
	if job.Piped {
		input = "none (what it was given is not kept)"
	}
	return s.gate().Confirm(t, refusal(job, j), j.digest, input)
}
