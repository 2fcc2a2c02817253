package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gaps"
	"github.com/heedsh/heed/internal/rules"
	"github.com/heedsh/heed/internal/service"
	"github.com/spf13/cobra"
)

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
