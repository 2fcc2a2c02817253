package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/foreign"
	"github.com/heedsh/heed/internal/policy/rulefile"
	"github.com/heedsh/heed/internal/rules"
	"github.com/spf13/cobra"
)

func newPolicyImport(s Streams) *cobra.Command {
	keep := false
	c := &cobra.Command{
		Use:   "import AGENT FILE",
		Short: "Make rules of the lists of a coding agent",
		Long: `import reads the lists by which a coding agent decides what it runs unasked, prints the
rules that say the same on standard output, and on standard error a report: what could
not be carried over, and what lets more run than it reads. Such lists compare text, rules
what a command means: an entry that allows becomes a rule only where that allows no more.

AGENT and FILE are
  claude-code  settings.json, settings.local.json: permissions
  codex        ~/.codex/rules/*.rules, config.toml
  cursor       cli-config.json, .cursor/cli.json, permissions.json
  gemini-cli   settings.json: tools; ~/.gemini/policies/*.toml
  vscode       settings.json: chat.tools.terminal.autoApprove`,
		Example:           "  heed policy import claude-code ~/.claude/settings.json\n  heed policy import codex ~/.codex/rules/default.rules --write",
		ValidArgsFunction: completeOnce(foreign.Agents()),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("name an agent (%s) and a file (heed policy import --help)", strings.Join(foreign.Agents(), ", "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			return runPolicyImport(c.Context(), s, args[0], args[1], keep)
		},
	}
	c.Flags().BoolVar(&keep, "write", false, "put the rules at the end of your own file as well; not for agents")
	return c
}

// completeOnce completes the first argument.
func completeOnce(words []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return words, cobra.ShellCompDirectiveNoFileComp
	}
}

func runPolicyImport(ctx context.Context, s Streams, agent, name string, keep bool) error {
	if keep {
		if err := s.person(); err != nil {
			return err
		}
	}
	text, err := readUpTo(name, foreign.MaxFile)
	if err != nil {
		return fmt.Errorf("reading the lists: %w", err)
	}
	assess, err := rules.Assessor(ctx)
	if err != nil {
		return err
	}
	r, err := foreign.Import(agent, name, text, assess)
	if err != nil {
		return err
	}
	fmt.Fprint(s.Err, foreignReport(s, r, name))
	if len(r.Rules) == 0 {
		return nil
	}
	out := []byte(fmt.Sprintf("# of %s, by heed policy import %s\n", explain.Visible(filepath.Base(name)), agent))
	for i := range r.Rules {
		if out, err = rulefile.Append("the rules that were made", out, policy.User, &r.Rules[i], nil); err != nil {
			return err
		}
	}
	if err := write(s.Out, string(out)); err != nil || !keep {
		return err
	}
	return keepRules(s, r.Rules)
}

// keepRules puts rules at the end of the person's own file.
func keepRules(s Streams, made []policy.Rule) error {
	name := own.UserPolicy(s.Env)
	if name == "" {
		return errors.New("there is no home to keep the rules in: set HOME or XDG_CONFIG_HOME")
	}
	added, err := own.AddRules(name, policy.User, made, nil)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.Err, "%s: %s added, %d were there (by their ids)\n", explain.Visible(name), plural(added, "rule"), len(made)-added)
	return nil
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}

// foreignReport says what came of an agent's lists. What the lists say is made safe to
// show.
func foreignReport(s Streams, r *foreign.Result, name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s made\n", explain.Visible(name), entries(r.Entries), plural(len(r.Rules), "rule"))
	notes := func(title string, all []foreign.Note) {
		if len(all) > 0 {
			b.WriteString(title + "\n")
		}
		for _, n := range all {
			fmt.Fprintf(&b, "  %s: %s\n", explain.Visible(n.Entry), explain.Visible(n.What))
		}
	}
	notes("not carried over:", r.Left)
	notes("need no rule, heed lets them run:", r.Needless)
	notes("the rule asks about or denies more than the entry:", r.Wider)
	if len(r.Broad) > 0 {
		b.WriteString("let more run than they read, and what heed does about it:\n")
	}
	for _, e := range r.Broad {
		fmt.Fprintf(&b, "  %s\n", explain.Visible(e.Entry))
		for _, a := range e.Also {
			fmt.Fprintf(&b, "    %-5s  %s %s\n", a.Action, badge(s, a.Tier), a.Command)
		}
	}
	if len(r.Beside) > 0 {
		b.WriteString("beside:\n")
	}
	for _, n := range r.Beside {
		b.WriteString("  " + explain.Visible(n) + "\n")
	}
	return b.String()
}
