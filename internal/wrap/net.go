package wrap

import (
	_ "embed"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/caller"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/self"
	"github.com/heedsh/heed/internal/wrap/shellargs"
	"github.com/heedsh/heed/risk"
)

// The second net stands behind an agent's hook, where the agent runs a command although
// heed did not answer: in a file that bash reads before it runs one (BASH_ENV), or as what
// the agent puts before its shell (CLAUDE_CODE_SHELL_PREFIX). What the hook has answered
// for passes; the rest is judged as the agent's, and stopped where it is REVIEW.

//go:embed net.bash
var netScript string

// Net is the file for BASH_ENV that asks this heed-sh, an absolute path.
func Net(heedSh string) string {
	return strings.ReplaceAll(netScript, "@HEED_SH@", shellargs.Quote(heedSh))
}

// withoutNet takes a net that asks this very program out of the environment: what
// heed-sh has judged is not judged again by the shell that it becomes.
func (s *Session) withoutNet() {
	file := s.getenv("BASH_ENV")
	if file == "" {
		return
	}
	text, err := os.ReadFile(file)
	before, after, _ := strings.Cut(netScript, "@HEED_SH@")
	rest, ok := strings.CutPrefix(string(text), before)
	if err != nil || !ok {
		return
	}
	next, _, _ := strings.Cut(after, "\n")
	word, _, ok := strings.Cut(rest, next)
	path := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(word, "'"), "'"), `'\''`, "'")
	own, err := os.Executable()
	if err != nil || !ok || string(text) != Net(path) || !self.Same(path, own) {
		return // another program would be asked: that is code like any other
	}
	s.Env = slices.DeleteFunc(slices.Clone(s.Env), func(kv string) bool { return strings.HasPrefix(kv, "BASH_ENV=") })
}

// asAgent makes the session that of whoever is seen to run it.
func (s *Session) asAgent() {
	s.Net, s.Provenance = true, risk.ModelSuggestion
	if f := caller.Variables(s.getenv); f.Agent != "" {
		s.Agent = f.Agent
	}
}

// passed uses up the pass of a job that a hook has answered for: of its own text, or of
// what it is for, where the agent has put words of its own around that.
func (s *Session) passed(job *approval.Job) bool {
	if !s.Net || s.Guard.StoreErr != nil || job.Shell == "" {
		return false
	}
	line, err := shellargs.Parse(job.Shell, job.Argv[1:])
	if err != nil || line.Mode != shellargs.Text {
		return false
	}
	for _, p := range s.Guard.Store.Passes(job.Dir) {
		if line.Text != p.Command && !s.around(job, line.Text, p.Command) {
			continue
		}
		if s.Guard.Store.UsePass(p) {
			return true
		}
	}
	return false
}

// around reports whether a text is a command with no more than harmless words around it:
// with nothing in the command's place it is SAFE, or CAUTION/A.
func (s *Session) around(job *approval.Job, text, command string) bool {
	// What Claude Code 2.1.329 keeps of its person's shell, and of where a command ended.
	text = regexp.MustCompile(` && pwd -P >\| '?/[^\s';&|()$]*/claude-[\w-]+-cwd'?$`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`^(source|\.) '?[^\s';&|()$]*/shell-snapshots/[^\s';&|()$]+'?( 2>/dev/null)?( \|\| true)? && `).ReplaceAllString(text, "")
	quoted := shellargs.Quote(command)
	for _, form := range [][2]string{{"eval " + quoted, "eval :"}, {"-c " + quoted, "-c :"}, {"\n" + command + "\n", "\n:\n"}} {
		if strings.Count(text, form[0]) != 1 {
			continue
		}
		rest := *job
		rest.Argv = []string{job.Argv[0], "-c", strings.Replace(text, form[0], form[1], 1)}
		if j, err := s.judge(&rest, false); err == nil && j.Error == "" && j.Level == risk.A && j.Action == policy.Allow {
			return true
		}
	}
	return false
}

// Judged is Run without the end: it says by its exit code whether the job may be executed
// by whoever asks.
func (s *Session) Judged(job *approval.Job) int {
	j, err := s.judge(job, false)
	switch {
	case err != nil:
		if j, err = s.withoutLook(job, err); err != nil {
			return s.unjudged(err)
		}
		return s.stop(job, j)
	case !j.Final && s.passed(job):
		j.Action, j.Rule, j.Layer = policy.Allow, "passed.hook", policy.OfSession
	case s.covered(j):
		j.Action, j.Rule, j.Layer = policy.Allow, "approved.outer", policy.OfSession
	case j.Action != policy.Allow:
		return s.block(job)
	}
	if err := s.record(j, guard.DecidedRow, audit.Started); err != nil {
		return s.block(job)
	}
	if j.Decision.Warn && (s.Warn || gate.IsTerminal(2)) {
		s.say("[%s] %s", j.Tier, j.Summary)
	}
	return 0
}
