package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/audit"
	logtally "github.com/heedsh/heed/internal/audit/tally"
	"github.com/spf13/cobra"
)

// topCounts is how many entries of a list stats prints in text.
const topCounts = 10

func newStats(s Streams) *cobra.Command {
	var f filterFlags
	asJSON := false
	c := &cobra.Command{
		Use:   "stats [flags]",
		Short: "Count what the log holds: commands by tier, questions, answers, programs",
		Long: `stats counts rows of the log: how many commands were assessed, by tier; what was
decided about them; how often somebody was asked, what they answered and how long it
took; which programs, risks, rules and agents occur most.`,
		Example: "  heed stats --since 7d\n  heed stats --agent claude-code --json",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			filter, err := f.filter(time.Now())
			if err != nil {
				return err
			}
			return runStats(c.Context(), s, filter, asJSON)
		},
	}
	f.register(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print the counts as JSON")
	return c
}

func runStats(ctx context.Context, s Streams, f audit.Filter, asJSON bool) error {
	var t logtally.Tally
	var session []audit.Row
	damaged, err := eachRow(ctx, s, f, func(r *audit.Row) {
		t.Add(r)
		if f.Session != "" && len(session) < maxSession {
			x := *r
			x.Whole = nil
			session = append(session, x)
		}
	})
	if err != nil {
		return err
	}
	r := t.Report()
	if asJSON {
		text, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("writing JSON: %w", err)
		}
		err = write(s.Out, string(text)+"\n")
		if err != nil {
			return err
		}
	} else if err := write(s.Out, sessionText(session)+tallyText(&r)); err != nil {
		return err
	}
	return damage(damaged)
}

// maxSession is how many rows of one session are summed up in a sentence.
const maxSession = 100_000

// sessionText is what an agent's hook prints at the end of a session.
func sessionText(rows []audit.Row) string {
	if text := logtally.Session(rows); text != "" {
		return text + "\n\n"
	}
	return ""
}

// tallyText is a report in words.
func tallyText(r *logtally.Report) string {
	var b strings.Builder
	if r.Rows == 0 {
		return "No row of the log fits.\n"
	}
	fmt.Fprintf(&b, "%s from %s to %s: %s in %s, %.1f questions per 100 commands\n\n", plural(r.Rows, "row"), r.From, r.To, plural(r.Commands, "command"), plural(r.Sessions, "session"), r.Questions)
	fmt.Fprintf(&b, "%-8s %9s %9s %9s %9s %9s %9s %12s\n", "tier", "commands", "allowed", "refused", "asked", "approved", "denied", "median wait")
	for _, t := range r.Tiers {
		wait := "-"
		if t.MedianWaitMS >= 0 {
			wait = fmt.Sprintf("%.1f s", float64(t.MedianWaitMS)/1000)
		}
		fmt.Fprintf(&b, "%-8s %9d %9d %9d %9d %9d %9d %12s\n", t.Tier, t.Commands, t.Allowed, t.Refused, t.Asked, t.Approved, t.Denied, wait)
	}
	fmt.Fprintf(&b, "\n%d commands ended, %d of them with an error; %d were stopped because the world had changed\n", r.Outcomes.Finished, r.Outcomes.Failed, r.Drifted)
	for _, list := range []struct {
		name   string
		counts []logtally.Count
	}{{"programs", r.Programs}, {"risks", r.ASI}, {"rules", r.Rules}, {"agents", r.Agents}} {
		if len(list.counts) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n%s\n", list.name)
		for _, c := range list.counts[:min(len(list.counts), topCounts)] {
			fmt.Fprintf(&b, "  %7d  %s", c.Count, programName(c.Name, 40))
			if c.Review > 0 {
				fmt.Fprintf(&b, "  (%d REVIEW)", c.Review)
			}
			b.WriteString("\n")
		}
		if n := len(list.counts) - topCounts; n > 0 {
			fmt.Fprintf(&b, "           and %d more (--json)\n", n)
		}
	}
	return b.String()
}
