package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/gate/approval"
	"github.com/heedsh/heed/internal/gate/screen"
	"github.com/spf13/cobra"
)

func newWatch(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "watch",
		Short: "Show the commands of all agents that wait for a person, and answer them",
		Long: `watch shows what waits for a person, the worst first, and stays until you leave it:
what is asked meanwhile appears by itself, and what was answered elsewhere goes away.
While it is open, hooks wait for the answer. Each request is read and answered by
itself, as heed approve would ask about it. It works at a terminal of a person's own
that can be drawn on; elsewhere heed pending lists what waits.`,
		Example: "  heed watch",
		Args:    cobra.NoArgs,
		RunE:    func(c *cobra.Command, _ []string) error { return runWatch(c.Context(), s) },
	}
}

func runWatch(ctx context.Context, s Streams) error {
	d, err := newDesk(s)
	if err != nil {
		return err
	}
	g := &gate.Gate{Name: "heed watch", Err: s.Err, Getenv: envOf(s)}
	t, err := g.Terminal()
	if err != nil {
		return fmt.Errorf("answering is for a person at a terminal: %w", err)
	}
	defer t.Close()
	if !screen.Can(t.File(), envOf(s)) {
		return errors.New("this terminal cannot be drawn on, or is smaller than 64 columns and 16 lines: heed pending lists what waits, and heed approve asks about one")
	}
	return screen.Watch(ctx, t.File(), watchDesk{d})
}

// A watchDesk is the desk as package screen knows one.
type watchDesk struct{ *desk }

// List implements [screen.Desk].
func (d watchDesk) List() ([]*approval.Request, error) {
	all, damaged, err := d.store.List()
	if err == nil && damaged > 0 {
		err = fmt.Errorf("%s in %s cannot be read", plural(damaged, "request"), explain.Visible(d.store.Dir()))
	}
	return all, err
}

// Question implements [screen.Desk].
func (d watchDesk) Question(r *approval.Request) (*gate.Question, error) {
	if err := sound(r); err != nil {
		return nil, err
	}
	return d.question(r), nil
}

// Answer implements [screen.Desk].
func (d watchDesk) Answer(r *approval.Request, a gate.Answer) error {
	_, err := d.keep(r, a)
	return err
}

// Attend implements [screen.Desk].
func (d watchDesk) Attend() error { return d.store.Attend() }
