package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/rules"
	"github.com/spf13/cobra"
)

func newRulesTest(s Streams) *cobra.Command {
	var event []string
	c := &cobra.Command{
		Use:   "test FILE [--event FIELD=VALUE...|COMMAND...]",
		Short: "Say which rules of a file match a command or an event, and why",
		Long: `test tries the rules of a file on one command, which is judged in the made-up world
of heed rules check, or on one event: with --event for each field of it. Fields that
are not given have ordinary values. Without a command it is read from standard input.`,
		Example: "  heed rules test acme.yaml 'pg_restore -d prod dump'\n  heed rules test upload.yml --event Image=/usr/bin/curl --event 'CommandLine=curl -T x https://example.net'",
		Args:    atLeastOne("a file of rules", "test"),
		RunE: func(c *cobra.Command, args []string) error {
			found, err := tryRules(c.Context(), s, args[0], args[1:], event, c.ArgsLenAtDash() == 1)
			if err != nil {
				return err
			}
			var b strings.Builder
			for _, m := range found {
				fmt.Fprintf(&b, "%s matches: %s %s\n", m.ID, m.Level, m.Title)
				for _, e := range m.Evidence {
					fmt.Fprintf(&b, "  %s\n", explain.Cut(strings.ReplaceAll(e, "\n", " "), 200))
				}
			}
			if len(found) == 0 {
				b.WriteString("no rule matches\n")
			}
			return write(s.Out, explained(b.String()))
		},
	}
	c.Flags().StringArrayVar(&event, "event", nil, "`FIELD=VALUE` of a process_creation event; repeatable")
	return c
}

func tryRules(ctx context.Context, s Streams, name string, words, event []string, dashed bool) ([]rules.Match, error) {
	text, err := readUpTo(name, rules.MaxFile)
	if err != nil {
		return nil, fmt.Errorf("reading rules: %w", err)
	}
	if len(event) == 0 {
		line, err := command(s, words, dashed)
		if err != nil {
			return nil, err
		}
		return rules.TryCommand(ctx, name, text, line)
	}
	if len(words) > 0 {
		return nil, errors.New("give a command or --event, not both")
	}
	fields := map[string]string{}
	for _, f := range event {
		field, value, ok := strings.Cut(f, "=")
		if !ok || field == "" {
			return nil, fmt.Errorf("--event %q: write FIELD=VALUE", shown(f))
		}
		fields[field] = value
	}
	return rules.TryEvent(name, text, fields)
}
