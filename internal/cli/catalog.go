package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/catalog"
	"github.com/heedsh/heed/internal/catalog/show"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/service"
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
			return fmt.Errorf("there is no verb %q in catalog: want list, show, check, verify or gaps", explain.Cut(explain.Visible(args[0]), 40))
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newCatalogList(s), newCatalogShow(s), newCatalogCheck(s), newCatalogVerify(s), newCatalogGaps(s))
	return c
}

// knowledge is the catalog that holds for this person, with no workspace.
func knowledge(s Streams) *service.Knowledge {
	env, _ := environment(s.Env) // heed's own environment holds no pair without a name
	set := ServiceFor(s, &risk.Request{Env: env}).Known(env)
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
