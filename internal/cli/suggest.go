package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/policy"
	"github.com/heedsh/heed/internal/rules"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/suggest"
	"github.com/heedsh/heed/internal/suggest/attacks"
	"github.com/spf13/cobra"
)

// maxVictims is in how many directories the attacks are judged.
const maxVictims = 4

type suggestOptions struct {
	since, apply string
	json         bool
}

func newSuggest(s Streams) *cobra.Command {
	o := &suggestOptions{}
	c := &cobra.Command{
		Use:   "suggest [flags]",
		Short: "Propose rules from what was approved again and again",
		Long: `suggest reads the log and proposes rules that spare questions: of one program, for
what was approved for several targets or on several days and never rejected. Each is
shown with the questions that it would have spared, and with what else of the log it
would have let run. No rule is proposed for REVIEW, or that speaks of any part of a
command that was rejected or of an attack that heed knows.

Nothing is changed without --apply, which adds a rule to ~/.config/heed/policy.yaml (or
below $XDG_CONFIG_HOME). docs/calibration.md says what counts as evidence.`,
		Example: `  heed suggest
  heed suggest --since 90d --json
  heed suggest --apply learned.git-push.3f2a1c07`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runSuggest(c.Context(), s, o) },
	}
	flags := c.Flags()
	flags.StringVar(&o.since, "since", "90d", "only rows from this `TIME` on: 7d, 4w, 2026-11-24")
	flags.StringVar(&o.apply, "apply", "", "add the rule with this `ID` to your file of rules")
	flags.BoolVar(&o.json, "json", false, "print the suggestions as JSON")
	c.MarkFlagsMutuallyExclusive("json", "apply")
	return c
}

func runSuggest(ctx context.Context, s Streams, o *suggestOptions) error {
	if o.apply != "" {
		if err := s.person(); err != nil {
			return err
		}
	}
	filter, err := (&filterFlags{since: o.since}).filter(time.Now())
	if err != nil {
		return err
	}
	log := suggest.Log{Zone: time.Local}
	damaged, err := eachAnswered(ctx, s, filter, log.Add)
	if err != nil {
		return err
	}
	all, err := suggestions(ctx, s, &log)
	if err != nil {
		return err
	}
	switch {
	case o.apply != "":
		return applySuggestion(ctx, s, all, o.apply)
	case o.json:
		text, err := json.Marshal(all)
		if err != nil {
			return fmt.Errorf("writing JSON: %w", err)
		}
		err = write(s.Out, string(text)+"\n")
		if err != nil {
			return err
		}
	default:
		if err := write(s.Out, suggestionsText(all)); err != nil {
			return err
		}
	}
	return damage(damaged)
}

// suggestions judges the commands of a log as they are today, and the attacks where they
// were run, and finds rules.
func suggestions(ctx context.Context, s Streams, log *suggest.Log) ([]suggest.Suggestion, error) {
	env, _ := environment(s.Env)
	in := suggest.Input{
		Rules: own.PolicyRules(own.ManagedPolicy, own.UserPolicy(s.Env), nil), // those of workspaces only tighten
		At:    policy.Session{Front: policy.Agent, Home: env["HOME"], Today: own.Today()},
	}
	if len(in.Rules.Broken) > 0 {
		return nil, fmt.Errorf("the rules in force are broken: %s (heed policy check)", explain.Visible(in.Rules.Broken[0]))
	}
	look := newService(s).Look()
	dirs := map[string]int{}
	for _, c := range log.Commands() {
		req := c.Request
		req.Env = env
		a, _ := look.Assess(ctx, req) // what cannot be assessed is no evidence, and is let run by no rule
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("judging the log: %w", err)
		}
		in.Log = append(in.Log, suggest.Seen{Command: c, Assessment: &a.Assessment})
		if len(c.Yes) > 0 {
			dirs[c.Request.Dir]++
		}
	}
	if len(suggest.Find(&in)) == 0 {
		return []suggest.Suggestion{}, nil // the attacks would only make fewer
	}
	var err error
	if in.Attacks, err = aimed(ctx, env, mostFrequent(dirs, maxVictims)); err != nil {
		return nil, err
	}
	return append([]suggest.Suggestion{}, suggest.Find(&in)...), nil
}

// aimed are the attacks, judged in these directories; where no project can be in any
// of them, in one below the home.
func aimed(ctx context.Context, env map[string]string, dirs []string) ([]suggest.Attack, error) {
	var all []suggest.Attack
	for _, dir := range dirs {
		more, err := attacks.Against(ctx, victim(env, dir))
		if err == nil {
			all = append(all, more...)
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	v := victim(env, "")
	v.Dir = filepath.Join(v.Home, "project")
	return attacks.Against(ctx, v)
}

// victim is the person of an environment, at work in a directory.
func victim(env map[string]string, dir string) attacks.Victim {
	v := attacks.Victim{User: env["USER"], Home: env["HOME"], Dir: dir}
	if home := service.AccountHome(); !filepath.IsAbs(v.Home) {
		v.Home = home
	}
	if v.User == "" {
		v.User = "user"
	}
	if !filepath.IsAbs(v.Home) {
		v.Home = "/home/" + v.User
	}
	return v
}

// mostFrequent are the names that are counted most, where they are directories that a
// project may be in.
func mostFrequent(counts map[string]int, most int) []string {
	var names []string
	for n := range counts {
		if filepath.IsAbs(n) && n != "/" {
			names = append(names, n)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	return names[:min(len(names), most)]
}

func suggestionsText(all []suggest.Suggestion) string {
	if len(all) == 0 {
		return "There is no rule that rests on enough: one needs several targets or days, all approved and none rejected.\n"
	}
	var b strings.Builder
	for i := range all {
		x := &all[i]
		fmt.Fprintf(&b, "%s\n  would have spared %d of %s\n", x.ID, x.Spared, plural(x.Questions, "question"))
		fmt.Fprintf(&b, "  %s\n  speaks of no part of %s\n", evidence(x), plural(x.Attacks, "attack"))
		for line := range strings.Lines(x.Text) {
			b.WriteString("    " + explain.Visible(strings.TrimSuffix(line, "\n")) + "\n")
		}
		commands := func(title string, list []string, all int) {
			fmt.Fprintf(&b, "  %s\n", title)
			for _, c := range list[:min(len(list), 5)] {
				b.WriteString("    $ " + explain.Cut(explain.Visible(c), 100) + "\n")
			}
			if n := all - min(len(list), 5); n > 0 {
				fmt.Fprintf(&b, "    and %d more\n", n)
			}
		}
		commands("of what was approved:", x.Approved, len(x.Approved))
		if x.AlsoAll > 0 {
			commands("it would also have let run:", x.Also, x.AlsoAll)
		} else {
			b.WriteString("  it would have let nothing else of the log run\n")
		}
		fmt.Fprintf(&b, "  heed suggest --apply %s\n\n", x.ID)
	}
	return b.String()
}

// evidence says what a rule rests on.
func evidence(x *suggest.Suggestion) string {
	return fmt.Sprintf("rests on %s about %s on %s, none of them no", plural(x.Answers, "answer"), plural(x.Targets, "target"), plural(x.Days, "day"))
}

// applySuggestion adds the rule to the person's file.
func applySuggestion(ctx context.Context, s Streams, all []suggest.Suggestion, id string) error {
	i := slices.IndexFunc(all, func(x suggest.Suggestion) bool { return x.ID == id })
	if i < 0 {
		return fmt.Errorf("--apply %q: there is no such suggestion any more (heed suggest lists them)", shown(id))
	}
	x := &all[i]
	r := x.Rule
	env, _ := environment(s.Env)
	r.Owner = env["USER"]
	comment := []string{fmt.Sprintf("heed suggest, up to %s: would have spared %d of %s; %s", x.Last, x.Spared, plural(x.Questions, "question"), evidence(x))}
	for _, c := range x.Approved[:min(len(x.Approved), 5)] {
		comment = append(comment, "  $ "+explain.Cut(explain.Visible(c), 100))
	}
	if x.AlsoAll > 0 {
		comment = append(comment, fmt.Sprintf("it would also have let %s of the log run, as", plural(x.AlsoAll, "command")))
		for _, c := range x.Also[:min(len(x.Also), 3)] {
			comment = append(comment, "  $ "+explain.Cut(explain.Visible(c), 100))
		}
	}
	examples, err := rules.Decided(ctx, &r, r.Examples.Match)
	if err != nil {
		return err
	}
	r.Examples.Match = examples // the others are true here only, and stand in the comment
	name := own.UserPolicy(s.Env)
	if name == "" {
		return fmt.Errorf("--apply: there is no home directory to keep rules in")
	}
	if err := own.AddRule(name, policy.User, &r, comment); err != nil {
		return fmt.Errorf("--apply: %w", err)
	}
	return write(s.Out, explain.Visible(name)+" has the rule "+r.ID+" now (heed policy show; take it out to ask again)\n")
}
