package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/rules"
	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v4"
)

func newRulesImport(s Streams) *cobra.Command {
	placeholders := ""
	c := &cobra.Command{
		Use:   "import DIR|FILE...",
		Short: "Import Sigma rules, to judge every command with",
		Long: `import reads the Sigma rules below directories, compiles those about programs that
are started (process_creation) and correlations over them, and keeps them in
~/.local/share/heed/sigma.bin (or below $XDG_DATA_HOME) in place of those that were
imported before. Links are not followed. What is refused is told with the reason; the
other rules work.

Every rule is tried on 1,500 ordinary commands: one of level high or critical that
fires on more than one in a thousand of them only annotates afterwards.`,
		Example: "  heed rules import ~/src/sigma/rules\n  heed rules import --placeholders values.yaml rules extra.yml",
		Args:    atLeastOne("at least one directory or file of Sigma rules", "import"),
		RunE:    func(c *cobra.Command, args []string) error { return runRulesImport(c.Context(), s, placeholders, args) },
	}
	c.Flags().StringVar(&placeholders, "placeholders", "", "YAML `FILE` with the values of %placeholders%: a list for each name")
	return c
}

func runRulesImport(ctx context.Context, s Streams, placeholders string, args []string) error {
	name := own.CacheName(s.Env)
	if name == "" {
		return errors.New("there is no home to keep the rules in: set HOME or XDG_DATA_HOME")
	}
	opts, err := readPlaceholders(placeholders)
	if err != nil {
		return err
	}
	var sources []rules.Source
	for _, arg := range args {
		source, root, err := own.Source(arg)
		if err != nil {
			return fmt.Errorf("importing rules: %w", err)
		}
		defer func() { _ = root.Close() }() // it was only read through
		sources = append(sources, source)
	}
	line := newProgressLine(s)
	cache, report, err := rules.Import(ctx, sources, opts, line.tell)
	line.clear()
	if err != nil {
		return err
	}
	for _, p := range report.Refused {
		fmt.Fprintln(s.Err, explain.Visible(p.Error()))
	}
	if len(report.Loaded) == 0 {
		return fmt.Errorf("no rule was imported: of %d files with Sigma rules none has one about programs that are started (%d are about other things, %d were refused)", report.Files, report.Elsewhere, len(report.Refused))
	}
	if err := own.KeepCache(name, cache); err != nil {
		return err
	}
	return write(s.Out, explained(importReport(&report, name)))
}

// readPlaceholders reads the values of placeholders: a list, or one word, a
// name.
func readPlaceholders(name string) (sigma.Options, error) {
	if name == "" {
		return sigma.Options{}, nil
	}
	text, err := readUpTo(name, rules.MaxFile)
	if err != nil {
		return sigma.Options{}, fmt.Errorf("reading placeholders: %w", err)
	}
	raw := map[string]any{}
	if err := yaml.Unmarshal(text, &raw); err != nil {
		return sigma.Options{}, fmt.Errorf("reading placeholders: %s: %w", name, err)
	}
	out := sigma.Options{Placeholders: map[string][]string{}}
	for key, value := range raw {
		list, ok := value.([]any)
		if !ok {
			list = []any{value}
		}
		for _, v := range list {
			switch v.(type) {
			case string, int, bool, float64:
			default:
				return out, fmt.Errorf("reading placeholders: %s: %s: want words, one or a list", name, key)
			}
			out.Placeholders[strings.Trim(key, "%")] = append(out.Placeholders[strings.Trim(key, "%")], fmt.Sprint(v))
		}
	}
	return out, nil
}

// importReport says what came of an import.
func importReport(r *rules.ImportReport, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d rules of %d files\n", name, len(r.Loaded), r.Files)
	products, levels := map[string]int{}, map[string]int{}
	correlations := 0
	for i := range r.Loaded {
		m := &r.Loaded[i]
		levels[cmp.Or(m.Level, "no level")]++
		if m.Correlation {
			correlations++
			continue
		}
		products[cmp.Or(m.Source.Product, "any product")]++
	}
	fmt.Fprintf(&b, "  for %s", counted(products))
	if correlations > 0 {
		fmt.Fprintf(&b, "; %d correlations", correlations)
	}
	fmt.Fprintf(&b, "\n  of level %s\n", counted(levels))
	fmt.Fprintf(&b, "  left out: %d for other log sources, %d refused", r.Elsewhere, len(r.Refused))
	if r.Links > 0 {
		fmt.Fprintf(&b, ", %d links", r.Links)
	}
	fmt.Fprintf(&b, "\n  tried on %d ordinary commands: %d rules of level high or critical only annotate\n", r.Ordinary, len(r.Quiet))
	for i := range r.Quiet {
		q := &r.Quiet[i]
		fmt.Fprintf(&b, "    %.2f %%  %s  %s %s, for one: %s\n", q.Share(), q.Label, q.Level, explain.Cut(q.Title, 60), explain.Cut(q.Example, 60))
	}
	return b.String()
}

// counted lists counts, the largest first.
func counted(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	for i, n := range names {
		names[i] = fmt.Sprintf("%s %d", n, counts[n])
	}
	return strings.Join(names, ", ")
}

// A progressLine says on a terminal how far work has come.
type progressLine struct {
	s    Streams
	last string
}

func newProgressLine(s Streams) *progressLine { return &progressLine{s: s} }

func (p *progressLine) tell(what string, done, total int) {
	if !p.s.ErrTTY {
		return
	}
	if line := fmt.Sprintf("%s: %d %%", what, 100*done/max(total, 1)); line != p.last {
		p.last = line
		fmt.Fprintf(p.s.Err, "\r\x1b[K%s", line)
	}
}

func (p *progressLine) clear() {
	if p.last != "" {
		fmt.Fprint(p.s.Err, "\r\x1b[K")
	}
}
