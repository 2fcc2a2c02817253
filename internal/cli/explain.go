package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

func newExplain(s Streams) *cobra.Command {
	f := &requestFlags{}
	c := &cobra.Command{
		Use:     "explain [flags] [--] [COMMAND]",
		Short:   "Show how a verdict came about: invocations, effects, unknowns, the table row that decided",
		Example: `  heed explain 'echo cm0gLXJmIC8= | base64 -d | bash'`,
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := command(s, args)
			if err != nil {
				return err
			}
			req, err := f.request(s, text)
			if err != nil {
				return err
			}
			return runExplain(s, req)
		},
	}
	f.register(c)
	return c
}

func runExplain(s Streams, req risk.Request) error {
	t0 := time.Now()
	assessor, h := assess.New(), host.New(req.Env["HOME"], req.Env["USER"], req.Dir)
	t1 := time.Now()
	a, d := assessor.Assess(h.View(&req), req)
	t2 := time.Now()
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("%s %s\n", badge(s, a.Tier), a.Summary)
	p("  level %s, verdict %s, score %d; in %s as %s\n", a.Level, a.Verdict, a.Score, explain.Visible(a.Dir), a.Shell)
	if d.Lead != "" {
		p("  decided by: %s\n", d.Lead)
	}
	p("\ninvocations\n")
	for i := range a.Invocations {
		inv := &a.Invocations[i]
		p("  %s%s%s\n", explain.Visible(strings.Join(inv.Argv, " ")), note("via", strings.Join(inv.Via, " > ")), note("reached", inv.Reached))
	}
	p("\neffects\n")
	for i := range a.Effects {
		p("  %s\n", effectLine(&a.Effects[i], d.Bands[i]))
	}
	list := func(title string, lines []string) {
		if len(lines) > 0 {
			p("\n%s\n", title)
		}
		for _, l := range lines {
			p("  %s\n", explain.Visible(l))
		}
	}
	var unknowns, safer []string
	for _, u := range a.Unknowns {
		unknowns = append(unknowns, u.Role+": "+u.What)
	}
	for _, x := range a.Safer {
		safer = append(safer, x.Command+"  ("+x.Why+")")
	}
	list("unknown", unknowns)
	list("not inspected", a.NotInspected)
	list("consequences", append(append([]string{}, a.Consequences.Direct...), a.Consequences.Indirect...))
	list("safer", safer)
	p("\ntime: set-up %s, evaluate, judge and explain %s; %d steps\n", t1.Sub(t0).Round(time.Microsecond), t2.Sub(t1).Round(time.Microsecond), d.Trace.Steps)
	_, err := io.WriteString(s.Out, b.String())
	if err != nil {
		return fmt.Errorf("writing: %w", err)
	}
	return nil
}

func note(label, text string) string {
	if text == "" {
		return ""
	}
	return "  [" + label + " " + explain.Visible(text) + "]"
}

func effectLine(e *risk.Effect, band risk.Band) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s %s", band, e.Verb)
	if e.Target != "" {
		b.WriteString(" " + explain.Visible(e.Target))
	}
	for _, w := range []string{string(e.Scope), string(e.Reversible)} {
		if w != "" {
			b.WriteString(", " + w)
		}
	}
	for _, f := range []struct {
		on   bool
		word string
	}{{e.Recursive, "recursive"}, {e.Many, "many"}, {e.Forced, "forced"}, {e.Privileged, "privileged"}, {e.Certainty == risk.Possible, "possible"}} {
		if f.on {
			b.WriteString(", " + f.word)
		}
	}
	if c := e.Counts; c != nil {
		fmt.Fprintf(&b, " (files %d, untracked %d, modified %d, commits %d)", c.Files, c.Untracked, c.Modified, c.Commits)
	}
	b.WriteString(note("detail", e.Detail) + note("from", e.Source) + note("remedy", e.Remedy) + note("unknown", e.Unresolved) + note("reached", e.Reached))
	return b.String()
}
