package cli

import (
	"fmt"
	"slices"

	"github.com/heedsh/heed/internal/confine/profile"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/own"
	"github.com/spf13/cobra"
)

func newProfile(s Streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "profile",
		Short: "List, show and learn the profiles that commands can be confined to",
		Long: `profile is about what a command may do that is run with heed run --profile NAME: which
files it reads and changes, and whether it reaches the network. build and agent come with
heed; a file NAME.yaml in ~/.config/heed/profiles (or below $XDG_CONFIG_HOME) adds one, or
takes the place of one. docs/confine.md describes the words.`,
		Example: "  heed profile list\n  heed profile show build\n  heed profile learn mine -- make test",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return fmt.Errorf("there is no verb %q in profile: want learn, list or show", shown(args[0]))
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(newProfileLearn(s), &cobra.Command{
		Use:     "list",
		Short:   "List the profiles",
		Long:    `list prints the name of each profile, where it comes from and what it is for.`,
		Example: "  heed profile list",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return runProfileList(s) },
	}, &cobra.Command{
		Use:               "show NAME",
		Short:             "Show the file of a profile",
		Long:              `show prints the file of a profile as it is, after it has been checked.`,
		Example:           "  heed profile show build\n  heed profile show build > ~/.config/heed/profiles/mine.yaml",
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(profile.Names(), cobra.ShellCompDirectiveNoFileComp),
		RunE:              func(_ *cobra.Command, args []string) error { return runProfileShow(s, args[0]) },
	})
	return c
}

func runProfileList(s Streams) error {
	mine, err := own.ProfileNames(s.Env)
	if err != nil {
		return err
	}
	names := slices.Concat(mine, profile.Names())
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		from := "heed's"
		if slices.Contains(mine, name) {
			from = "yours"
		}
		var what string
		if p, err := own.Profile(s.Env, name); err != nil {
			what = "broken: " + err.Error()
		} else {
			what = p.Summary
		}
		if _, err := fmt.Fprintf(s.Out, "%-12s %-7s %s\n", name, from, explain.Visible(what)); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
	}
	return nil
}

func runProfileShow(s Streams, name string) error {
	if _, err := own.Profile(s.Env, name); err != nil {
		return err
	}
	text, _, err := own.ProfileText(s.Env, name)
	if err != nil {
		return err
	}
	if _, err := s.Out.Write(text); err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}
