package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/policy/rulefile"
	"github.com/heedsh/heed/internal/rules"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

func newPolicy(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "policy",
		Short: "Check and try the rules that say what is done about a command",
		Long: `policy is about what is done about an answer: allow, ask or deny. Rules speak of what
a command means: program, effect, scope, host, branch, tier. They stand in
~/.config/heed/policy.yaml (or below $XDG_CONFIG_HOME), in /etc/heed/policy.yaml, which
only root can change, and in .heed/policy.yaml of a workspace, which can only tighten.
What no rule speaks of follows a preset: careful, balanced (the default), unattended or
log-only. A denial wins over everything; a file that cannot be read makes heed ask about
everything. docs/policy.md describes the language.`,
		Example: `  heed policy why 'git push --force origin main'
  heed policy check
  heed policy show balanced`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return fmt.Errorf("there is no verb %q in policy: want check, import, show, test or why", shown(args[0]))
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newPolicyCheck(s), newPolicyImport(s), newPolicyShow(s), newPolicyTest(s), newPolicyWhy(s))
	return c
}

func newPolicyCheck(s Streams) *cobra.Command {
	var layer string
	c := &cobra.Command{
		Use:   "check [FILE...]",
		Short: "Check files of rules and hold the rules to their examples",
		Long: `check reads files of rules, or all that are in force here, and holds each rule to the
commands that its examples say it must and must not decide, in a made-up world. Problems
name file and line.`,
		Example: "  heed policy check\n  heed policy check --layer workspace .heed/policy.yaml",
		RunE: func(c *cobra.Command, args []string) error {
			at, ok := map[string]policy.Layer{"managed": policy.Managed, "user": policy.User, "workspace": policy.Workspace}[layer]
			if !ok {
				return fmt.Errorf("--layer: %q: want managed, user or workspace", shown(layer))
			}
			return runPolicyCheck(c.Context(), s, args, at)
		},
	}
	c.Flags().StringVar(&layer, "layer", "user", "`LAYER` that the files are for: managed, user, workspace")
	offer(c, "layer", []string{"managed", "user", "workspace"})
	return c
}

func runPolicyCheck(ctx context.Context, s Streams, files []string, layer policy.Layer) error {
	var all []policy.Rule
	var problems []error
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("reading the rules: %w", err)
		}
		f, err := rulefile.Parse(name, text, layer)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		all = append(all, f.Rules...)
	}
	if len(files) == 0 {
		set := own.PolicyRules(own.ManagedPolicy, own.UserPolicy(s.Env), []string{s.Dir})
		all = set.Rules
		for _, b := range set.Broken {
			problems = append(problems, errors.New(b))
		}
	}
	problems = append(problems, rules.Policies(ctx, all)...)
	for _, p := range problems {
		fmt.Fprintln(s.Out, explain.Visible(p.Error()))
	}
	if len(problems) > 0 {
		return fmt.Errorf("%s found", plural(len(problems), "problem"))
	}
	_, err := fmt.Fprintf(s.Out, "%s and what their examples say: no problem\n", plural(len(all), "rule"))
	return err
}

func newPolicyShow(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:       "show [PRESET]",
		Short:     "Show the rules in force here, or a preset as a file",
		Example:   "  heed policy show\n  heed policy show careful",
		Args:      cobra.MaximumNArgs(1),
		ValidArgs: rulefile.Presets(),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				text, err := rulefile.PresetText(args[0])
				if err != nil {
					return fmt.Errorf("%w: want %s", err, strings.Join(rulefile.Presets(), ", "))
				}
				_, err = s.Out.Write(text)
				return err
			}
			return showPolicy(s)
		},
	}
}

func showPolicy(s Streams) error {
	set := own.PolicyRules(own.ManagedPolicy, own.UserPolicy(s.Env), []string{s.Dir})
	var b strings.Builder
	if set.Preset != nil {
		fmt.Fprintf(&b, "preset: %s\n", set.Preset.Name)
	}
	if set.Asks {
		b.WriteString("root's settings switch every automatic yes off\n")
	}
	for band, confined := range set.Confine {
		if confined {
			fmt.Fprintf(&b, "heed run keeps %s to what is said of it\n", risk.Band(band))
		}
	}
	for _, broken := range set.Broken {
		fmt.Fprintf(&b, "broken, so that everything is asked about: %s\n", explain.Visible(broken))
	}
	for i := range set.Rules {
		r := &set.Rules[i]
		fmt.Fprintf(&b, "%-6s %-28s %-9s %s:%d", r.Action, explain.Visible(r.ID), r.Layer, explain.Visible(r.File), r.Line)
		if r.Until != "" {
			fmt.Fprintf(&b, "  until %s", r.Until)
		}
		if r.Reason != "" && r.Layer != policy.Workspace {
			b.WriteString("  " + explain.Visible(r.Reason))
		}
		b.WriteByte('\n')
	}
	_, err := s.Out.Write([]byte(b.String()))
	return err
}

func newPolicyTest(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "test FILE COMMAND...",
		Short:   "Show what the rules of a file would say of commands here",
		Example: "  heed policy test new.yaml 'git push origin main' 'npm test'",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 2 {
				return errors.New("name a file of rules and at least one command (heed policy test --help)")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			text, err := os.ReadFile(args[0])
			if err != nil {
				return fmt.Errorf("reading the rules: %w", err)
			}
			f, err := rulefile.Parse(args[0], text, policy.User)
			if err != nil {
				return err
			}
			set := &policy.Set{Rules: f.Rules}
			for _, command := range args[1:] {
				if err := why(c.Context(), s, set, command); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func newPolicyWhy(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "why COMMAND...",
		Short:   "Show what is done about commands here, and which rule says so",
		Example: "  heed policy why 'npm test && git push'",
		Args:    atLeastOne("at least one command", "policy why"),
		RunE: func(c *cobra.Command, args []string) error {
			set := own.PolicyRules(own.ManagedPolicy, own.UserPolicy(s.Env), []string{s.Dir})
			for _, command := range args {
				if err := why(c.Context(), s, set, command); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

// why prints what a set of rules says of a command here, program by program.
func why(ctx context.Context, s Streams, set *policy.Set, command string) error {
	req, err := (&requestFlags{}).request(s, command)
	if err != nil {
		return err
	}
	answer, _ := ServiceFor(s, &req).Assess(ctx, req) // an answer that is a failure says so
	a := &answer.Assessment
	d := set.Decide(a, policy.Session{Front: policy.Agent, Home: req.Env["HOME"], Agent: req.Agent, Provenance: req.Provenance, Today: own.Today()})
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s %s\n  by %s (%s)", d.Action, badge(s, a.Tier), explain.Visible(a.Summary), explain.Visible(d.Rule), d.Layer)
	if d.Reason != "" {
		b.WriteString(": " + explain.Visible(d.Reason))
	}
	b.WriteByte('\n')
	if d.Confined {
		b.WriteString("  heed run keeps it to that\n")
	}
	if len(d.Parts) > 1 {
		for _, p := range d.Parts {
			fmt.Fprintf(&b, "    %-6s %-32s %s\n", p.Action, partName(a, p.Process), explain.Visible(p.Rule))
		}
	}
	for _, broken := range d.Broken {
		fmt.Fprintf(&b, "  broken: %s\n", explain.Visible(broken))
	}
	_, err = s.Out.Write([]byte(b.String()))
	return err
}

// partName is how a program of an answer is called in a list.
func partName(a *risk.Assessment, process int) string {
	if process < 0 || process >= len(a.Invocations) {
		return "(the shell itself)"
	}
	return explain.Visible(explain.Cut(strings.Join(a.Invocations[process].Argv, " "), 32))
}
