package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gaps"
	"github.com/spf13/cobra"
)

type gapsOptions struct {
	json bool
	kind string
	top  int
}

func newCatalogGaps(s Streams) *cobra.Command {
	o := &gapsOptions{}
	c := &cobra.Command{
		Use:   "gaps [flags] CORPUS...",
		Short: "Count what heed does not know in a corpus of commands",
		Long: `gaps judges every command of a corpus in a made-up world and counts the programs,
subcommands, options and shell constructs that heed does not know, the most
frequent first. A corpus is JSON lines with "cmd" (and "shell", "count"),
tab-separated values whose first line names a column cmd, command or program, or
plain lines; - is standard input.`,
		Example: `  heed catalog gaps --top 20 commands.jsonl
  fc -ln 1 | heed catalog gaps --kind program -`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("no corpus: name at least one file, or - (heed catalog gaps --help)")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return runCatalogGaps(c.Context(), s, o, args) },
	}
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON object a gap: kind, name, count, example")
	c.Flags().StringVar(&o.kind, "kind", "", "only gaps of this `KIND`: "+list(gaps.Kinds()))
	c.Flags().IntVar(&o.top, "top", 50, "print `N` of each kind at most; 0 for all")
	offer(c, "kind", gaps.Kinds())
	return c
}

func runCatalogGaps(ctx context.Context, s Streams, o *gapsOptions, files []string) error {
	if o.kind != "" && !slices.Contains(gaps.Kinds(), gaps.Kind(o.kind)) {
		return fmt.Errorf("--kind %q: want one of %s", o.kind, list(gaps.Kinds()))
	}
	if o.top < 0 {
		return fmt.Errorf("--top %d: want a number of at least 0", o.top)
	}
	var lines []gaps.Line
	for _, name := range files {
		more, err := readCorpus(s, name)
		if err != nil {
			return err
		}
		lines = append(lines, more...)
	}
	all, err := gaps.Find(ctx, lines, newService(s))
	if err != nil {
		return err
	}
	all = topOf(all, o)
	if o.json {
		return writeLines(s.Out, all)
	}
	var b strings.Builder
	for _, kind := range gaps.Kinds() {
		title := fmt.Sprintf("%ss of %d commands that heed does not know", kind, len(lines))
		if kind == gaps.Shell {
			title = "what heed does not understand of the shell"
		}
		for _, g := range all {
			if g.Kind == kind {
				if title != "" {
					fmt.Fprintln(&b, title)
					title = ""
				}
				fmt.Fprintf(&b, "%7d  %-30s %s\n", g.Count, explain.Cut(explain.Visible(g.Name), 60), explain.Cut(explain.Visible(g.Example), 80))
			}
		}
	}
	if len(all) == 0 {
		fmt.Fprintf(&b, "heed knows everything in these %d commands\n", len(lines))
	}
	return write(s.Out, b.String())
}

// topOf keeps the most frequent gaps of each kind that is asked for.
func topOf(all []gaps.Gap, o *gapsOptions) []gaps.Gap {
	seen := map[gaps.Kind]int{}
	return slices.DeleteFunc(all, func(g gaps.Gap) bool {
		seen[g.Kind]++
		return o.kind != "" && g.Kind != gaps.Kind(o.kind) || o.top > 0 && seen[g.Kind] > o.top
	})
}

func readCorpus(s Streams, name string) ([]gaps.Line, error) {
	if name == "-" {
		return gaps.Read(s.In, "standard input")
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("opening a corpus: %w", err)
	}
	defer f.Close()
	return gaps.Read(f, name)
}
