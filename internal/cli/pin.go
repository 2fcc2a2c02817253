package cli

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gate"
	"github.com/heedsh/heed/internal/guard"
	"github.com/heedsh/heed/internal/own"
	"github.com/spf13/cobra"
)

func newPIN(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "pin",
		Short: "Set up, change or remove the PIN that a yes to a REVIEW takes",
		Long: `pin says whether a PIN is set up. With one, a yes to what is REVIEW takes the PIN
instead of the decisive word of the command. It has six digits or more, there is no
default, after five wrong tries one has to wait, longer each time, and it is read from
the terminal only.`,
		Example: "  heed pin\n  heed pin set\n  heed pin remove",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return showPIN(s) },
	}
	c.AddCommand(
		&cobra.Command{Use: "set", Short: "Set the PIN up, or change it", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return setPIN(s) }},
		&cobra.Command{Use: "remove", Short: "Remove the PIN", Args: cobra.NoArgs, RunE: func(*cobra.Command, []string) error { return removePIN(s) }},
	)
	return c
}

func pinOf(s Streams) (guard.PIN, error) {
	k := own.Keep(s.Env)
	return k.PIN, k.PINErr
}

func showPIN(s Streams) error {
	p, err := pinOf(s)
	if err != nil {
		return err
	}
	is, err := p.Exists()
	switch {
	case err != nil:
		return err
	case is:
		return write(s.Out, "A PIN is set up: "+explain.Visible(p.File())+"\n")
	}
	return write(s.Out, "No PIN is set up: a yes to a REVIEW takes the decisive word of the command (heed pin set)\n")
}

// atPIN hands over the PIN's store, whether there is a PIN, and what asks for one.
func atPIN(s Streams, do func(p guard.PIN, is bool, ask func(text string) ([]byte, error)) error) error {
	if err := s.person(); err != nil {
		return err
	}
	p, err := pinOf(s)
	if err != nil {
		return err
	}
	is, err := p.Exists()
	if err != nil {
		return err
	}
	t, err := (&gate.Gate{Name: "heed pin", Err: s.Err, Getenv: envOf(s)}).Terminal()
	if err != nil {
		return fmt.Errorf("a PIN is typed at a terminal: %w", err)
	}
	defer t.Close()
	return do(p, is, t.Secret)
}

func setPIN(s Streams) error {
	return atPIN(s, func(p guard.PIN, is bool, ask func(string) ([]byte, error)) error {
		var old []byte
		var err error
		if is {
			if old, err = ask("The PIN as it is: "); err != nil {
				return err
			}
		}
		fresh, err := ask("A new PIN, of six digits or more: ")
		if err != nil {
			return err
		}
		again, err := ask("The new PIN once more: ")
		if err != nil {
			return err
		}
		same := bytes.Equal(fresh, again)
		clear(again)
		if !same {
			clear(old)
			clear(fresh)
			return errors.New("the two are not the same: nothing is changed")
		}
		if err := p.Set(old, fresh); err != nil {
			return err
		}
		return write(s.Out, "The PIN is set up: a yes to a REVIEW takes it from now on.\n")
	})
}

func removePIN(s Streams) error {
	return atPIN(s, func(p guard.PIN, is bool, ask func(string) ([]byte, error)) error {
		if !is {
			return errors.New("there is no PIN")
		}
		old, err := ask("The PIN: ")
		if err != nil {
			return err
		}
		if err := p.Remove(old); err != nil {
			return err
		}
		return write(s.Out, "The PIN is removed: a yes to a REVIEW takes the decisive word of the command again.\n")
	})
}
