package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/rules"
	"github.com/spf13/cobra"
)

func newRules(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "rules",
		Short: "Check, import and try the rules that raise an answer",
		Long: `rules is about the rules that fire on what a command would start and do: heed's own,
pattern rules of yours in ~/.config/heed/patterns (or below $XDG_CONFIG_HOME), and
Sigma rules that were imported. Pattern rules in .heed/patterns of a workspace are
read too. A rule can only raise an answer: severity critical is REVIEW, high at least
CAUTION, the others annotate.`,
		Example: `  heed rules check ~/.config/heed/patterns/acme.yaml
  heed rules import ~/src/sigma/rules
  heed rules test acme.yaml 'pg_restore -d prod dump'`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return fmt.Errorf("there is no verb %q in rules: want check, import, list, show, test or stats", shown(args[0]))
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newRulesCheck(s), newRulesImport(s), newRulesList(s), newRulesShow(s), newRulesTest(s), newRulesStats(s))
	return c
}

// atLeastOne asks for arguments, which are called what.
func atLeastOne(what, verb string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return errors.New("name " + what + " (heed rules " + verb + " --help)")
		}
		return nil
	}
}

func newRulesCheck(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE...",
		Short: "Check files of rules and hold them to their examples",
		Long: `check reads files of pattern rules and of Sigma rules, which it tells apart by what
is in them. Pattern rules are held to their positive and negative examples, which are
judged in a made-up world. Sigma rules are held to the tests in NAME.tests.yml, or the
entry NAME of events.yaml, if one lies beside NAME.yml. Problems name file and line.
docs/rules.md describes both languages.`,
		Example: "  heed rules check ~/.config/heed/patterns/*.yaml\n  heed rules check sigma/suspicious_upload.yml",
		Args:    atLeastOne("at least one file of rules", "check"),
		RunE:    func(c *cobra.Command, args []string) error { return runRulesCheck(c.Context(), s, args) },
	}
}

func runRulesCheck(ctx context.Context, s Streams, files []string) error {
	bad := 0
	for _, name := range files {
		text, err := readUpTo(name, rules.MaxFile)
		if err != nil {
			return fmt.Errorf("reading rules: %w", err)
		}
		r, err := rules.Check(ctx, filepath.ToSlash(name), text, func(base string) ([]byte, error) {
			return readUpTo(filepath.Join(filepath.Dir(name), base), rules.MaxFile)
		})
		for _, w := range r.Warnings {
			fmt.Fprintln(s.Err, explain.Visible(w.Error()))
		}
		if err != nil {
			bad++
			fmt.Fprintln(s.Err, explained(err.Error()))
			continue
		}
		line := fmt.Sprintf("%s: %s: %s\n", name, strings.Join(r.Rules, ", "), outcome(&r))
		if err := write(s.Out, explained(line)); err != nil {
			return err
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d files of rules are not right: put right what is named above (docs/rules.md describes the languages)", bad, len(files))
	}
	return nil
}

// outcome says to what a file that is right was held.
func outcome(r *rules.Report) string {
	switch {
	case r.Cases > 0:
		return fmt.Sprintf("all examples hold (%d)", r.Cases)
	case r.Kind == rules.Sigma:
		return "right, and no tests stand beside it"
	}
	return "right"
}
