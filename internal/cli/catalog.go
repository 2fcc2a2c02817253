package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/show"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/gaps"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/specs"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

func newCatalog(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "catalog",
		Short: "Show what heed knows of programs, and check what you teach it",
		Long: `catalog is about the specs that say what programs do with their arguments: those
that are built in, and your own in ~/.config/heed/specs (or below
$XDG_CONFIG_HOME), which extend or replace them. Specs in .heed/specs of a
workspace are read too and can only make an answer stricter.`,
		Example: `  heed catalog show git commit
  heed catalog check ~/.config/heed/specs/frobnicate.yaml
  heed catalog gaps --top 20 commands.jsonl`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return fmt.Errorf("there is no verb %q in catalog: want list, show, check or gaps", explain.Cut(explain.Visible(args[0]), 40))
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newCatalogList(s), newCatalogShow(s), newCatalogCheck(s), newCatalogGaps(s))
	return c
}

// knowledge is the catalog that holds for this person, with no workspace.
func knowledge(s Streams) *service.Knowledge {
	env, _ := environment(s.Env) // heed's own environment holds no pair without a name
	set := serviceFor(s, &risk.Request{Env: env}).Known(env)
	noteSpecs(s, set.Problems)
	return set
}

// A listed program is one line of catalog list.
type listed struct {
	Names   []string `json:"names"`
	Summary string   `json:"summary"`
	Source  string   `json:"source"`
}

func newCatalogList(s Streams) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the programs that heed knows",
		Long:    "list prints every program that heed knows, with what it does. Names that share a\ndescription are listed together.",
		Example: "  heed catalog list --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			all := listAll(knowledge(s).Catalog)
			if asJSON {
				return writeLines(s.Out, all)
			}
			var b strings.Builder
			for _, p := range all {
				fmt.Fprintf(&b, "%-20s %s\n", p.Names[0], p.Summary)
				if len(p.Names) > 1 {
					fmt.Fprintf(&b, "%-20s also %s\n", "", strings.Join(p.Names[1:], " "))
				}
			}
			return write(s.Out, explained(b.String()))
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object a program: names, summary, source")
	return c
}

func listAll(c *catalog.Catalog) []listed {
	var all []listed
	for _, name := range c.Names() {
		p, ok := c.Lookup(name)
		if !ok {
			continue
		}
		// A name that was described anew is no longer one of the old ones.
		own := slices.DeleteFunc(slices.Clone(p.Names), func(n string) bool {
			q, _ := c.Lookup(n)
			return q == nil || q.Source != p.Source || q.Summary != p.Summary
		})
		if len(own) > 0 && own[0] == name {
			all = append(all, listed{own, p.Summary, p.Source})
		}
	}
	return all
}

// explained makes what a spec's author wrote safe to show, line by line.
func explained(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = explain.Visible(strings.ReplaceAll(lines[i], "\t", "    "))
	}
	return strings.Join(lines, "\n")
}

func writeLines[T any](w io.Writer, all []T) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i := range all {
		if err := e.Encode(all[i]); err != nil {
			return fmt.Errorf("writing JSON: %w", err)
		}
	}
	return write(w, b.String())
}

func newCatalogShow(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "show PROGRAM [SUBCOMMAND...]",
		Short:   "Show what heed knows of a program: options, operands, effects, source",
		Long:    "show prints the description of a program or of one of its subcommands: what its\noptions and operands mean to heed, what it does, and which manual says so.",
		Example: "  heed catalog show rm\n  heed catalog show git commit",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name a program (heed catalog list lists them)")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			p, ok := knowledge(s).Catalog.Lookup(args[0])
			if !ok {
				return fmt.Errorf("heed does not know %s: it is judged by what can be seen of it; docs/catalog.md says how to describe it", shown(args[0]))
			}
			text, found := show.Program(p, args[1:])
			if found < len(args)-1 {
				return fmt.Errorf("heed knows no subcommand %s of %s (heed catalog show %s lists them)",
					shown(args[found+1]), shown(strings.Join(args[:found+1], " ")), shown(strings.Join(args[:found+1], " ")))
			}
			return write(s.Out, explained(text))
		},
	}
}

// shown makes a word of the command line fit for a message.
func shown(word string) string { return explain.Cut(explain.Visible(word), 40) }

func newCatalogCheck(s Streams) *cobra.Command {
	theirs := false
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "Compile specs and run their cases",
		Long: `check compiles spec files and runs the cases in them, which are command lines and
everything that they do. Errors name file and line. docs/catalog.md describes the
language.`,
		Example: "  heed catalog check ~/.config/heed/specs/*.yaml\n  heed catalog check --workspace .heed/specs/deploy.yaml",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name at least one spec file (heed catalog check --help)")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runCatalogCheck(s, args, !theirs) },
	}
	c.Flags().BoolVar(&theirs, "workspace", false, "hold them to what a workspace's specs may say")
	return c
}

func runCatalogCheck(s Streams, files []string, own bool) error {
	bad := 0
	for _, name := range files {
		text, err := readUpTo(name, maxSpec)
		if err != nil {
			return fmt.Errorf("reading a spec: %w", err)
		}
		r, err := specs.Check(name, text, own)
		if err != nil {
			bad++
			fmt.Fprintln(s.Err, explained(err.Error()))
			continue
		}
		line := fmt.Sprintf("%s: %s: all cases pass (%d)\n", name, strings.Join(r.Programs, ", "), r.Cases)
		if len(r.Replaced) > 0 && own {
			line += fmt.Sprintf("%s: instead of heed's own description of %s\n", name, strings.Join(r.Replaced, ", "))
		}
		if err := write(s.Out, explained(line)); err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d spec files are not right: put right what is named above (docs/catalog.md describes the language)", bad, len(files))
	}
	return nil
}

// maxSpec is the longest spec file that is read, in bytes.
const maxSpec = 1 << 20

// readUpTo reads a file of at most limit bytes.
func readUpTo(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		err = fmt.Errorf("%s is longer than %d bytes", name, limit)
	}
	return text, err
}

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
