package cli

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/attack"
	"github.com/heedsh/heed/internal/detect/pattern"
	pack "github.com/heedsh/heed/internal/detect/rules"
	"github.com/heedsh/heed/internal/detect/sigma"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/rules"
	"github.com/heedsh/heed/internal/service"
	"github.com/spf13/cobra"
)

// A listedRule is a rule that is in use.
type listedRule struct {
	ID     string   `json:"id"`
	Layer  string   `json:"layer"`
	Level  string   `json:"level"`
	Title  string   `json:"title"`
	ATTACK []string `json:"attack"`
	ASI    []string `json:"asi"`
	Source string   `json:"source"` // heed, own, imported
	// Quiet says that it only annotates, whatever its level.
	Quiet   bool `json:"quiet,omitempty"`
	pattern *pattern.Rule
	sigma   *sigma.Meta
}

// rulesInUse are all rules that a command of this person is judged with, with
// no workspace. A cache that cannot be opened is told of.
func rulesInUse(s Streams) []listedRule {
	var all []listedRule
	patterns := func(list []pattern.Rule, source string) {
		for i := range list {
			r := &list[i]
			all = append(all, listedRule{ID: r.ID, Layer: pattern.Layer, Level: string(r.Severity), Title: r.Title, ATTACK: r.ATTACK, ASI: r.ASI, Source: source, pattern: r})
		}
	}
	set := func(set *sigma.Set, quiet []string, source string) {
		for _, m := range set.Rules() {
			techniques, asi := service.Techniques(m.Tags)
			all = append(all, listedRule{
				ID: m.Label(), Layer: string(rules.Sigma), Level: m.Level, Title: m.Title, ATTACK: atLeastEmpty(techniques), ASI: atLeastEmpty(asi),
				Source: source, Quiet: slices.Contains(quiet, m.Label()), sigma: m,
			})
		}
	}
	patterns(pattern.Builtin(), "heed")
	patterns(knowledge(s).Patterns, "own")
	if own, err := pack.Pack(); err == nil { // a test holds the pack to be right
		set(own, nil, "heed")
	}
	cache, err := own.OpenCache(s.Env)
	if err != nil {
		fmt.Fprintln(s.Err, "heed: note: "+explained(err.Error()))
	}
	if cache != nil {
		set(cache.Set, cache.Quiet, "imported")
	}
	return all
}

func atLeastEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func newRulesList(s Streams) *cobra.Command {
	asJSON, layer := false, ""
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the rules in use",
		Long:    "list prints every rule that a command is judged with: heed's own, yours, and those\nthat were imported. A rule in brackets only annotates, because it fires on ordinary\ncommands.",
		Example: "  heed rules list --layer pattern\n  heed rules list --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if layer != "" && layer != pattern.Layer && layer != string(rules.Sigma) {
				return fmt.Errorf("--layer %q: want pattern or sigma", shown(layer))
			}
			all := slices.DeleteFunc(rulesInUse(s), func(r listedRule) bool { return layer != "" && r.Layer != layer })
			if asJSON {
				return writeLines(s.Out, all)
			}
			var b strings.Builder
			for i := range all {
				r := &all[i]
				level := cmp.Or(r.Level, "none")
				if r.Quiet {
					level = "[" + level + "]"
				}
				fmt.Fprintf(&b, "%-36s %-13s %-8s %s  %s\n", r.ID, level, r.Source, r.Title, strings.Join(r.ATTACK, " "))
			}
			return write(s.Out, explained(b.String()))
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON object a rule: id, layer, level, title, attack, asi, source, quiet")
	c.Flags().StringVar(&layer, "layer", "", "only rules of this `LAYER`: pattern or sigma")
	offer(c, "layer", []string{pattern.Layer, string(rules.Sigma)})
	return c
}

func newRulesShow(s Streams) *cobra.Command {
	return &cobra.Command{
		Use:     "show ID",
		Short:   "Show what a rule says",
		Long:    "show prints a rule that is in use: what it is about, when it fires, what it is held\nto and what is known of false alarms. A Sigma rule's title will do for its id.",
		Example: "  heed rules show heed.delete-root",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("name one rule (heed rules list lists them)")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			all := rulesInUse(s)
			i := slices.IndexFunc(all, func(r listedRule) bool { return r.ID == args[0] })
			if i < 0 {
				i = slices.IndexFunc(all, func(r listedRule) bool { return strings.EqualFold(r.Title, args[0]) })
			}
			if i < 0 {
				return fmt.Errorf("there is no rule %s (heed rules list lists them)", shown(args[0]))
			}
			return write(s.Out, explained(all[i].text()))
		},
	}
}

// text describes a rule.
func (r *listedRule) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.ID, r.Title)
	line := func(name string, values ...string) {
		if text := strings.TrimSpace(strings.Join(values, ", ")); text != "" {
			fmt.Fprintf(&b, "  %-12s %s\n", name, strings.Join(strings.Fields(text), " "))
		}
	}
	level := cmp.Or(r.Level, "none")
	if r.Quiet {
		level += "; it only annotates, because it fires on ordinary commands"
	}
	line("layer", r.Layer)
	line("source", r.Source)
	line("level", level)
	line("attack", described(r.ATTACK, func(id string) (string, bool) { t, ok := attack.Lookup(id); return t.Title(), ok })...)
	line("asi", described(r.ASI, func(id string) (string, bool) { t, ok := attack.ASI(id); return t.Title, ok })...)
	if p := r.pattern; p != nil {
		line("about", p.Description)
		for i := range p.Match {
			line("matches", p.Match[i].String())
		}
		for _, c := range p.Positive {
			line("fires on", c)
		}
		for _, c := range p.Negative {
			line("not on", c)
		}
	}
	if m := r.sigma; m != nil {
		line("about", m.Description)
		line("log source", m.Source.Category, m.Source.Product)
		if m.Correlation {
			line("log source", "correlation over a session")
		}
		line("status", m.Status)
		line("author", m.Author)
		line("licence", m.License)
		for _, f := range m.FalsePositives {
			line("false alarm", f)
		}
		for _, f := range m.References {
			line("see", f)
		}
		line("file", fmt.Sprintf("%s:%d", m.File, m.Line))
	}
	return b.String()
}

// described puts names behind ids.
func described(ids []string, name func(string) (string, bool)) []string {
	out := slices.Clone(ids)
	for i, id := range out {
		if text, ok := name(id); ok {
			out[i] = id + " " + text
		}
	}
	return out
}
