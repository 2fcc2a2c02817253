package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/agent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/policy"
)

// A trial is a command whose answer is known.
type trial struct {
	command string
	want    policy.Action
	// apart keeps what is asked out of this person's requests and log.
	apart bool
}

// trials hold a harmless command, one that a person has to agree to elsewhere and one
// that no agent can mean. None of them is run: they are text in a payload.
func trials() []trial {
	return []trial{
		{"ls", policy.Allow, false},
		{"git push --force origin release", policy.Deny, true},
		{"rm -rf /", policy.Deny, true},
	}
}

// try starts the hook as an agent does, with each trial. It is the one
// place where heed starts a program: itself, or what the user's own settings
// call heed.
func (d *doctor) try(ctx context.Context, a *agent.Adapter, program string) {
	for _, t := range trials() {
		answer, took, err := d.start(ctx, a, program, &t)
		switch {
		case err != nil:
			d.problem("try", "run `"+program+" hook "+a.Name+"` by hand, and report it", "`%s`: %v", t.command, err)
		case answer.Decision != heard(a, t.want):
			d.problem("try", "heed explain '"+t.command+"' says why", "`%s`: the answer is %s, want %s: %s", t.command, answer.Decision, heard(a, t.want), sentence(answer.Reason))
		case took > agent.HookLimit*time.Second/2:
			d.problem("try", "find out what makes heed slow here", "`%s`: %s, but it took %s", t.command, answer.Decision, took)
		default:
			said := ""
			if s := sentence(answer.Reason); s != "" {
				said = ": " + s
			}
			d.ok("try", "`%s`: %s in %s%s", t.command, t.want, took.Round(100*time.Microsecond), said)
		}
	}
}

// heard is what a decision comes to at an agent: some hear nothing where a command may
// run.
func heard(a *agent.Adapter, d policy.Action) policy.Action {
	out, err := a.Write(&agent.Call{Language: agent.POSIX}, agent.Answer{Decision: d, Reason: d.String()})
	if err != nil {
		return d
	}
	answer, err := a.Heard(out)
	if err != nil {
		return d
	}
	return answer.Decision
}

// sentence is the first line of a reason without its badge: the status stands
// before it already.
func sentence(reason string) string {
	line, _, _ := strings.Cut(reason, "\n")
	if _, after, ok := strings.Cut(line, "] "); ok && strings.HasPrefix(line, "[") {
		return after
	}
	return line
}

// start runs the hook once, and says what the agent would make of its answer.
func (d *doctor) start(ctx context.Context, a *agent.Adapter, program string, t *trial) (agent.Answer, time.Duration, error) {
	dir := d.Dir
	if dir == "" {
		dir = "/"
	}
	payload, env := a.Probe(t.command, dir)
	ctx, cancel := context.WithTimeout(ctx, agent.HookTimeout*time.Second)
	defer cancel()
	run := exec.CommandContext(ctx, program, "hook", a.Name)
	run.Env = append(slices.Clone(d.Env), env...)
	if t.apart {
		state, err := os.MkdirTemp("", "heed-doctor-")
		if err != nil {
			return agent.Answer{}, 0, err
		}
		defer func() { _ = os.RemoveAll(state) }() // what was tried is over
		run.Env = append(run.Env, "XDG_STATE_HOME="+state)
	}
	run.Dir = dir
	run.Stdin = bytes.NewReader(payload)
	var out, errs bytes.Buffer
	run.Stdout, run.Stderr = &out, &errs
	begin := time.Now()
	err := run.Run()
	took := time.Since(begin)
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return agent.Answer{}, took, errors.New("it did not answer in time: the command would run")
	case errors.As(err, &exit) && exit.ExitCode() < 0 || err != nil && exit == nil:
		return agent.Answer{}, took, fmt.Errorf("%w: %s", err, explain.Cut(strings.TrimSpace(errs.String()), 200))
	}
	answer, err := a.Heard(agent.Output{Stdout: out.Bytes(), Stderr: errs.String(), Code: run.ProcessState.ExitCode()})
	if err != nil {
		err = fmt.Errorf("%w: %s", err, explain.Cut(strings.TrimSpace(errs.String()), 200))
	}
	return answer, took, err
}
