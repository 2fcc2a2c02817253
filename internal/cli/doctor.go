package cli

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/doctor"
	"github.com/spf13/cobra"
)

func newDoctor(s Streams) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor",
		Short: "Check that heed works and that the agent asks it",
		Long: `doctor checks, one by one: this program, its catalog and its answers; the
settings of Claude Code that count in the current directory; that the hook is in
them, complete and not switched off; other hooks that could let a command pass;
and it runs the hook, if it is this very program or stands in your own settings,
as the agent would, to show what it answers and how fast.

It exits with 6 if something is wrong, and says for each problem what to do.`,
		Example: "  heed doctor\n  heed doctor --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			session := doctor.Session{Env: s.Env, Dir: s.Dir, Version: version()}
			return printChecks(s, session.Examine(c.Context()), asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the checks as JSON")
	return c
}

// printChecks prints the checks. With a problem the exit code says so.
func printChecks(s Streams, checks []doctor.Check, asJSON bool) error {
	sick := slices.ContainsFunc(checks, func(c doctor.Check) bool { return c.Status == doctor.Problem })
	out := checkText(checks)
	if asJSON {
		b, err := json.MarshalIndent(struct {
			OK     bool           `json:"ok"`
			Checks []doctor.Check `json:"checks"`
		}{!sick, checks}, "", "  ")
		if err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		out = string(b) + "\n"
	}
	if err := write(s.Out, out); err != nil {
		return err
	}
	if sick {
		return &exitError{code: ExitProblem}
	}
	return nil
}

func checkText(checks []doctor.Check) string {
	var b strings.Builder
	problems := 0
	for _, c := range checks {
		fmt.Fprintf(&b, "%-8s %-10s %s\n", c.Status, c.Name, c.Detail)
		if c.Next != "" {
			problems++
			fmt.Fprintf(&b, "%-8s %-10s next: %s\n", "", "", c.Next)
		}
	}
	switch problems {
	case 0:
		b.WriteString("All is well.\n")
	case 1:
		b.WriteString("1 problem.\n")
	default:
		fmt.Fprintf(&b, "%d problems.\n", problems)
	}
	return b.String()
}
