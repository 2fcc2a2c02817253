package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/consent"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/screen"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/preview"
	"github.com/heedsh/heed/internal/wrap"
)

// An applying is how the changes of a preview are made, where they may be.
type applying struct {
	terminal *gate.Terminal // at which is asked; nil if nobody can be
	decision policy.Decision
	guard    *guard.Guard
}

// openApply finds out, before anything runs, whether the changes could be applied. It
// fails where --apply was given and they could not.
func (p *previewing) openApply() error {
	front := policy.Alone
	if !p.o.json && p.s.InTTY && p.s.ErrTTY {
		g := &gate.Gate{Name: "heed preview", Err: p.s.Err, Getenv: envOf(p.s)}
		t, err := g.Terminal()
		if err != nil && p.o.apply {
			return fmt.Errorf("applying is for a person at a terminal: %w", err)
		}
		if err == nil {
			p.terminal, front = t, policy.Run
		}
	}
	if p.terminal == nil && !p.o.apply {
		return nil
	}
	if p.terminal == nil {
		if err := p.s.person(); err != nil {
			return err
		}
	}
	with := ServiceFor(p.s, p.req)
	p.guard = own.Guard(with, p.s.Env)
	p.decision = with.Decision(&p.answer.Assessment, p.req, front)
	if !p.o.apply {
		return nil
	}
	switch {
	case p.decision.Final:
		p.close()
		return &exitError{code: wrap.ExitRefused, msg: fmt.Sprintf("not run: the %s rule %s denies it, whoever applies it", p.decision.Layer, explain.Visible(p.decision.Rule))}
	case p.terminal == nil && p.decision.Action != policy.Allow:
		return &exitError{code: wrap.ExitRefused, msg: "not run: a person is asked about this command (" + explain.Visible(p.decision.Rule) + "): apply it at a terminal"}
	}
	return nil
}

func (p *previewing) close() {
	if p.terminal != nil {
		p.terminal.Close()
	}
}

// applyIfWanted makes the changes: at a terminal if a person says so, elsewhere with the
// flag. It reports whether it did; an error says why it did not though that was wanted.
func (p *previewing) applyIfWanted(ctx context.Context, v *preview.Preview) (bool, error) {
	switch {
	case len(v.Changes) == 0, p.terminal == nil && !p.o.apply:
		return false, nil
	case p.terminal == nil && v.Exit != 0:
		return false, notApplied(fmt.Errorf("nothing is applied: the command failed, with exit code %d", v.Exit))
	case p.terminal != nil:
		if p.decision.Final {
			return false, nil // what may not run is shown, and not offered
		}
		if yes, err := p.ask(ctx); err != nil || !yes {
			return false, notApplied(errors.Join(err, p.left()))
		}
	}
	if err := p.record(ctx); err != nil {
		return false, notApplied(err)
	}
	if err := v.Apply(ctx, envOf(p.s)); err != nil {
		return false, notApplied(err)
	}
	return true, nil
}

// left is why nothing is applied though --apply was given: a person said so.
func (p *previewing) left() error {
	if !p.o.apply {
		return nil
	}
	return errors.New("nothing is applied: you said so")
}

// ask asks a person at the terminal: about what policy asks about as heed run does, about
// the rest with a plain yes.
func (p *previewing) ask(ctx context.Context) (bool, error) {
	if p.decision.Action == policy.Allow {
		return p.terminal.Confirm("Apply this? Type yes and Enter; anything else leaves it: ")
	}
	q := &gate.Question{
		Shown:    consent.New(p.req, &p.answer.Assessment, &p.decision, "", p.guard.HasPIN()),
		CheckPIN: p.guard.CheckPIN(), Exposure: p.guard.Records.Exposure(ctx),
	}
	answer, err := screen.At(ctx, p.terminal, envOf(p.s), q)
	return answer.Choice == gate.Once, err
}

// record keeps in the log that the command's changes are made.
func (p *previewing) record(ctx context.Context) error {
	row, err := audit.AssessedRow(p.req, &p.answer.Assessment, false)
	if err != nil {
		return err
	}
	started := row.As(audit.Started)
	started.Reason = "the changes of a preview"
	return p.guard.Records.Append(ctx, row, guard.DecidedRow(row, &p.decision), started)
}
