package heedrun

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/child"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wrap"
	"github.com/heedsh/heed/risk"
)

// What a Wrapper does if it is not told otherwise.
const (
	DefaultTimeout = 30 * time.Second
	DefaultOutput  = 1 << 20
)

// ErrRefused is the error of a command that was to be run, and that policy does not
// allow without asking. [Result] says why.
var ErrRefused = errors.New("it is not run: policy does not allow it unasked")

// A Wrapper runs commands. It is safe for concurrent use while nobody changes it.
type Wrapper struct {
	// Execute runs what policy allows. Without it nothing is run: Run says what it would
	// do.
	Execute bool
	// Timeout is how long a command may run, 0 for [DefaultTimeout]. Then it and all that
	// it started is killed.
	Timeout time.Duration
	// MaxOutput is how many bytes of each stream are kept, 0 for [DefaultOutput]. The
	// command does not notice what is thrown away.
	MaxOutput int
	// Dir is where the command runs, absolute; empty for the current directory.
	Dir string
	// Env is the whole environment, NAME=VALUE; nil for that of this process. HOME in it
	// says whose policy and whose log these are.
	Env []string
	// Stdin is what the command reads; nil for nothing. Nobody looks at it before.
	Stdin io.Reader
	// Workspaces are the roots that the command may work in; none for the git work tree
	// around Dir.
	Workspaces []string
	// Agent and Session name who asks, and Provenance who or what asked for the command.
	Agent, Session string
	Provenance     risk.Provenance
}

// A Result is what a command would do, what is done about it, and what it did.
type Result struct {
	Assessment risk.Assessment
	// Allowed says that policy lets it run unasked, by Rule; Reason is what the rule's
	// owner says.
	Allowed      bool
	Rule, Reason string

	Executed bool
	// ExitCode is that of a command that was executed; 128 and more for a signal, as
	// shells count, and -1 if it was not executed.
	ExitCode       int
	Stdout, Stderr []byte
	Truncated      bool // there was more output than was kept
	TimedOut       bool // it was killed when its time was over
	Duration       time.Duration
}

// Run assesses a command and, if w.Execute is set and policy allows it, runs it. A
// command that fails is no error: its exit code says so. The error is [ErrRefused] if it
// may not run, a *heed.Failure if it could not be assessed, or says why it could not be
// started, recorded, or was ended before its own end.
func (w *Wrapper) Run(ctx context.Context, command string) (Result, error) {
	r := Result{ExitCode: -1}
	env := quiet(w.Env)
	dir, err := w.dir()
	if err != nil {
		return r, err
	}
	req := risk.Request{Command: command, Shell: "bash", Dir: dir, Env: child.Pairs(env), Workspaces: w.Workspaces, Provenance: w.Provenance, Agent: w.Agent, Session: w.Session}
	with := own.Options(env)
	with.Home, with.User, with.Near = req.Env["HOME"], req.Env["USER"], []string{dir}
	answer, decision, err := service.New(with).Decide(ctx, req, policy.Alone)
	r.Assessment = answer.Assessment
	if err != nil {
		return r, err
	}
	r.Allowed, r.Rule, r.Reason = decision.Action == policy.Allow, decision.Rule, decision.Reason
	if decision.Confined {
		r.Allowed, r.Reason = false, "the policy wants it confined, which heed run does and a Go program does not"
	}
	switch {
	case !w.Execute:
		return r, nil
	case !r.Allowed:
		return r, fmt.Errorf("%q: %w", r.Assessment.Summary, ErrRefused)
	}
	return r, w.execute(ctx, &req, env, &r, &decision)
}

func (w *Wrapper) dir() (string, error) {
	if w.Dir == "" {
		return os.Getwd()
	}
	return service.Absolute("", w.Dir)
}

// execute runs a command between two rows of the log. What cannot be recorded is not
// run.
func (w *Wrapper) execute(ctx context.Context, req *risk.Request, env []string, r *Result, d *policy.Decision) error {
	shell, err := (&wrap.Session{Env: env}).FindShell("bash", "")
	if err != nil {
		return fmt.Errorf("looking for a shell: %w", err)
	}
	log, row, err := begin(ctx, req, env, r, d)
	if err != nil {
		return err
	}
	limit := w.Timeout
	if limit <= 0 {
		limit = DefaultTimeout
	}
	c := child.Child{Shell: shell, Text: req.Command, Dir: req.Dir, Env: env, Stdin: w.Stdin, Timeout: limit, Most: w.most()}
	e, err := c.Run(ctx)
	r.Executed, r.ExitCode, r.Stdout, r.Stderr, r.Truncated, r.TimedOut, r.Duration = e.Started, e.Code, e.Stdout, e.Stderr, e.Truncated, e.TimedOut, e.Took
	if r.Executed {
		row = row.As(audit.Finished)
		row.Outcome = &audit.Outcome{Code: r.ExitCode, MS: r.Duration.Milliseconds()}
		if lost := log.Append(context.WithoutCancel(ctx), row); lost != nil {
			return fmt.Errorf("it ran, and its end could not be recorded: %w", lost)
		}
	}
	return err
}

// begin records what is about to run.
func begin(ctx context.Context, req *risk.Request, env []string, r *Result, d *policy.Decision) (guard.Records, audit.Row, error) {
	var log guard.Records
	log.Log, log.Err = own.LogOf(env)
	row, err := audit.AssessedRow(req, &r.Assessment, true)
	if err != nil {
		return log, row, err
	}
	return log, row, log.Append(ctx, row, guard.DecidedRow(row, d), row.As(audit.Started))
}

func (w *Wrapper) most() int {
	if w.MaxOutput > 0 {
		return w.MaxOutput
	}
	return DefaultOutput
}

// quiet is an environment, or that of this process, without what bash would execute.
func quiet(env []string) []string {
	if env == nil {
		env = os.Environ()
	}
	return child.Quiet(env)
}
