package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gaps"
	"github.com/heedsh/heed/internal/rules"
	"github.com/heedsh/heed/internal/service"
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

type statsOptions struct {
	json bool
	top  int
}

func newRulesStats(s Streams) *cobra.Command {
	o := &statsOptions{}
	c := &cobra.Command{
		Use:   "stats [flags] CORPUS...",
		Short: "Count how often each rule fires over a corpus of commands",
		Long: `stats judges every command of a corpus in a made-up world, with all rules in use, and
counts on how many of them each rule fires, the most frequent first, with the share
of the commands in per cent. A corpus is JSON lines with "cmd" (and "shell",
"count"), tab-separated values whose first line names a column cmd, command or
program, or plain lines; - is standard input.`,
		Example: "  fc -ln 1 | heed rules stats -\n  heed rules stats --top 20 commands.jsonl",
		Args:    atLeastOne("at least one corpus, or -", "stats"),
		RunE:    func(c *cobra.Command, args []string) error { return runRulesStats(c.Context(), s, o, args) },
	}
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON object a rule: id, layer, severity, title, count, share, example")
	c.Flags().IntVar(&o.top, "top", 50, "print `N` rules at most; 0 for all")
	return c
}

func runRulesStats(ctx context.Context, s Streams, o *statsOptions, files []string) error {
	if o.top < 0 {
		return fmt.Errorf("--top %d: want a number of at least 0", o.top)
	}
	var commands []rules.Command
	for _, name := range files {
		lines, err := readCorpus(s, name)
		if err != nil {
			return err
		}
		commands = slices.Concat(commands, commandsOf(lines))
	}
	with := newService(s).Detectors()
	with.Patterns = knowledge(s).Patterns
	with.Clock = nil
	if err := usable(with); err != nil {
		return err
	}
	line := newProgressLine(s)
	fired, total, err := rules.Stats(ctx, commands, with, func(done, total int) { line.tell("commands", done, total) })
	line.clear()
	if err != nil {
		return err
	}
	if o.top > 0 {
		fired = fired[:min(len(fired), o.top)]
	}
	if o.json {
		return writeLines(s.Out, fired)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "rules that fire on %d commands\n", total)
	for _, f := range fired {
		fmt.Fprintf(&b, "%7d %8.3f %%  %-8s %-36s %s, for one: %s\n", f.Count, f.Share, f.Severity, f.ID, explain.Cut(f.Title, 60), explain.Cut(strings.ReplaceAll(f.Example, "\n", " "), 60))
	}
	return write(s.Out, explained(b.String()))
}

// usable reports why the imported rules cannot be counted.
func usable(with service.Detectors) error {
	_, err := with.Sets()
	return err
}

func commandsOf(lines []gaps.Line) []rules.Command {
	out := make([]rules.Command, len(lines))
	for i, l := range lines {
		out[i] = rules.Command{Text: l.Command, Shell: l.Shell, Count: l.Count}
	}
	return out
}
