package child

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A Child is what is to be run.
type Child struct {
	Shell string // the absolute name of a bash
	Text  string
	Dir   string
	Env   []string // whole, NAME=VALUE; callers pass it through [Quiet] before they judge
	Stdin io.Reader
	// Timeout is how long it may run, and Most how many bytes of each stream are kept: the
	// command does not notice what is thrown away.
	Timeout time.Duration
	Most    int
}

// An End is how it ended.
type End struct {
	Started        bool
	Code           int // as shells count: 128 and more for a signal
	Stdout, Stderr []byte
	Truncated      bool // there was more output than was kept
	TimedOut       bool // it was killed when its time was over
	Took           time.Duration
}

// Run runs it and waits. A text that fails is no error, its exit code says so: the error
// says that it could not be started, or was ended before its own end.
func (c *Child) Run(ctx context.Context) (End, error) {
	within, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	cmd := exec.CommandContext(within, c.Shell, "--norc", "--noprofile", "-c", "--", c.Text)
	out, errs := &kept{most: c.Most}, &kept{most: c.Most}
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = c.Dir, c.Env, c.Stdin, out, errs, time.Second
	together(cmd)
	start := time.Now()
	err := cmd.Run()
	e := End{Started: cmd.ProcessState != nil, Code: -1, Stdout: out.text.Bytes(), Stderr: errs.text.Bytes(), Truncated: out.over || errs.over, Took: time.Since(start)}
	if e.Started {
		e.Code = code(cmd.ProcessState)
	}
	var exit *exec.ExitError
	switch {
	case within.Err() != nil && err != nil:
		e.TimedOut = ctx.Err() == nil
		return e, fmt.Errorf("the command was ended after %s: %w", e.Took.Round(time.Millisecond), within.Err())
	case errors.As(err, &exit), errors.Is(err, exec.ErrWaitDelay):
		return e, nil // its exit code says so; what it left running keeps no one
	case err != nil:
		return e, fmt.Errorf("starting the command: %w", err)
	}
	return e, nil
}

// Quiet is an environment without what bash executes by itself, or by what the meaning
// of a command changes before its first word. Source: bash 5.2, "Bash Startup Files",
// "Bash Variables".
func Quiet(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		name, _, ok := strings.Cut(kv, "=")
		return !ok || strings.HasPrefix(name, "BASH_FUNC_") || slices.Contains([]string{"BASH_ENV", "ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND"}, name)
	})
}

// Pairs is an environment as a request has it: of two of one name the first counts, as
// for getenv(3).
func Pairs(env []string) map[string]string {
	out := make(map[string]string, len(env))
	for _, kv := range env {
		name, val, ok := strings.Cut(kv, "=")
		if _, twice := out[name]; ok && !twice {
			out[name] = val
		}
	}
	return out
}

// kept keeps the beginning of what is written. It is only a writer, so that nothing is
// read past it.
type kept struct {
	text bytes.Buffer
	most int
	over bool
}

// Write takes everything and keeps what there is room for.
func (k *kept) Write(p []byte) (int, error) {
	room := max(k.most-k.text.Len(), 0)
	if len(p) > room {
		k.over = true
	}
	k.text.Write(p[:min(len(p), room)])
	return len(p), nil
}
