package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

func newExplain(s Streams) *cobra.Command {
	f := &requestFlags{}
	c := &cobra.Command{
		Use:   "explain [flags] [--] [COMMAND...]",
		Short: "Show how an answer came about: invocations, effects, unknowns, the table row that decided",
		Long: `explain assesses one command as check does and shows everything that led to the
answer: the programs that would start and with which words, what each would do
to which target, where secrets and network data flow, what could not be worked
out, the row of the decision table that decided, and where the time went.`,
		Example: `  heed explain 'echo cm0gLXJmIC8K | base64 -d | sh'
  heed explain --dir ~/project 'make clean'`,
		RunE: func(c *cobra.Command, args []string) error {
			text, err := command(s, args, dashed(c))
			if err != nil {
				return err
			}
			req, err := f.request(s, text)
			if err != nil {
				return err
			}
			return runExplain(c.Context(), s, req)
		},
	}
	f.register(c)
	return c
}

func runExplain(ctx context.Context, s Streams, req risk.Request) error {
	start := time.Now()
	with := ServiceFor(s, &req)
	noteDir(s, with, &req)
	text, problems := explanation(ctx, s, with, req, time.Since(start))
	noteSpecs(s, problems)
	return write(s.Out, text)
}

// Explanation is what explain says about a request, without colour.
func Explanation(ctx context.Context, with *service.Service, req risk.Request) string {
	text, _ := explanation(ctx, Streams{}, with, req, 0)
	return text
}

// explanation is what explain prints of a request.
func explanation(ctx context.Context, s Streams, with *service.Service, req risk.Request, setup time.Duration) (string, []service.Problem) {
	start := time.Now()
	answer, _ := with.Assess(ctx, req) // an answer that is a failure says so
	a, d := &answer.Assessment, &answer.Detail
	whole := time.Since(start)

	var r report
	r.head(badge(s, a.Tier), a, d)
	r.invocations(a.Invocations)
	r.effects(a.Effects, d.Bands)
	r.flows(a.Effects)
	for _, f := range a.Findings {
		r.item("findings", "%s %s [%s] %s%s%s", f.Severity, explain.Visible(f.ID), f.Layer, explain.Visible(f.Title), note("on", f.Evidence), at(f.Span))
	}
	r.layers(a, d)
	for _, u := range a.Unknowns {
		r.item("unknown", "%s: %s%s", u.Role, explain.Visible(u.What), at(u.Span))
	}
	r.list("not inspected", a.NotInspected)
	r.list("reasons", a.Reasons)
	r.list("consequences", slices.Concat(a.Consequences.Direct, a.Consequences.Indirect))
	for _, alt := range a.Safer {
		r.item("safer", "%s  (%s)", explain.Visible(alt.Command), alt.Why)
	}
	r.techniques(a)
	r.item("time", "set-up %s, all layers and safer alternatives %s; %d steps", micro(setup), micro(whole), d.Trace.Steps)
	return r.String(), d.Specs
}

// A report is text in titled sections.
type report struct {
	strings.Builder
	section string
}

// item adds a line to a section, whose title is written once, before its first
// line.
func (r *report) item(section, format string, args ...any) {
	if r.section != section {
		fmt.Fprintf(r, "\n%s\n", section)
		r.section = section
	}
	fmt.Fprintf(r, "  "+format+"\n", args...)
}

func (r *report) list(section string, lines []string) {
	for _, l := range lines {
		r.item(section, "%s", explain.Visible(l))
	}
}

func (r *report) head(badge string, a *risk.Assessment, d *service.Detail) {
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(r, "  %-8s %s\n", label, text)
		}
	}
	fmt.Fprintf(r, "%s %s\n", badge, a.Summary)
	line("command", explain.Visible(a.Command))
	line("answer", fmt.Sprintf("level %s, verdict %s, score %d", a.Level, a.Verdict, a.Score))
	line("where", fmt.Sprintf("%s, read as %s", explain.Visible(a.Dir), explain.Visible(a.Shell)))
	line("decided", explain.Visible(d.Lead))
	line("error", explain.Visible(a.Error))
}

func (r *report) invocations(all []risk.Invocation) {
	for i := range all {
		inv := &all[i]
		r.item("invocations", "%s%s%s%s%s", words(inv.Argv), note("via", strings.Join(inv.Via, " > ")),
			note("on", inv.Host), note("reached", inv.Reached), at(inv.Span))
	}
}

func (r *report) effects(all []risk.Effect, bands []risk.Band) {
	for i := range all {
		e := &all[i]
		r.item("effects", "%-10s %s%s%s", bands[i], e.Verb, lead(" ", explain.Visible(e.Target)), qualities(e))
		r.item("effects", "%-10s because %s%s", "", explain.Visible(e.Row), circumstances(e))
	}
}

// flows lists what reaches where: the effects whose content has a source.
func (r *report) flows(all []risk.Effect) {
	for i := range all {
		if e := &all[i]; !e.Source.IsZero() {
			r.item("flows", "%s -> %s%s", explain.Visible(e.Source.String()), e.Verb, lead(" ", explain.Visible(e.Target)))
		}
	}
}

// layers says what each layer makes of the command, and how long it took.
func (r *report) layers(a *risk.Assessment, d *service.Detail) {
	for i := range a.Layers {
		l := &a.Layers[i]
		r.item("layers", "%-9s %-5s %3d, confidence %.2f, %s%s%s", l.Name, l.Verdict, l.Score, l.Confidence,
			micro(layerTime(d, l.Name)), note("intent", l.Intent), note("error", l.Error))
		for _, p := range l.Parts {
			r.item("layers", "%-9s %+d %s: %s", "", p.Points, p.Kind, explain.Visible(p.What))
		}
	}
}

func layerTime(d *service.Detail, layer string) time.Duration {
	for _, t := range d.Took {
		if t.Layer == layer {
			return time.Duration(t.Nanoseconds)
		}
	}
	return 0
}

func micro(d time.Duration) time.Duration { return d.Round(time.Microsecond) }

func (r *report) techniques(a *risk.Assessment) {
	if len(a.ATTACK) > 0 {
		r.item("techniques", "ATT&CK %s", strings.Join(a.ATTACK, ", "))
	}
	if len(a.ASI) > 0 {
		r.item("techniques", "OWASP %s", strings.Join(a.ASI, ", "))
	}
}

// qualities says what kind of effect it is.
func qualities(e *risk.Effect) string {
	var b strings.Builder
	b.WriteString(lead(", ", string(e.Scope)) + lead(", ", string(e.Reversible)))
	for _, q := range []struct {
		on   bool
		word string
	}{
		{e.Recursive, "recursive"},
		{e.Many, "many"},
		{e.Forced, "forced"},
		{e.Privileged, "privileged"},
		{e.Root, "a root"},
		{e.Certainty == risk.Possible, "possible"},
	} {
		if q.on {
			b.WriteString(", " + q.word)
		}
	}
	return b.String() + counts(e.Counts)
}

// counts says how much there is, leaving out what is zero.
func counts(c *risk.Counts) string {
	if c == nil {
		return ""
	}
	var parts []string
	add := func(n int64, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(int64(c.Files), "files")
	add(c.Bytes, "bytes")
	add(int64(c.Untracked), "untracked")
	add(int64(c.Modified), "modified")
	add(int64(c.Ignored), "ignored")
	add(int64(c.Commits), "commits")
	if len(parts) == 0 {
		return ""
	}
	if c.AtLeast {
		parts[0] = "at least " + parts[0]
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// circumstances says how an effect comes about.
func circumstances(e *risk.Effect) string {
	var b strings.Builder
	for _, c := range []struct{ label, text string }{
		{"program", e.Program},
		{"detail", e.Kind.String()},
		{"via", strings.Join(e.Via, " > ")},
		{"on", e.Host},
		{"pattern", e.Pattern},
		{"through", e.Through},
		{"from", e.Source.String()},
		{"remedy", e.Remedy.String()},
		{"unknown", e.Unresolved},
		{"reached", e.Reached.String()},
	} {
		b.WriteString(note(c.label, c.text))
	}
	return b.String() + at(e.Span)
}

func note(label, text string) string {
	if text == "" {
		return ""
	}
	return "  [" + label + " " + explain.Visible(text) + "]"
}

func lead(with, text string) string {
	if text == "" {
		return ""
	}
	return with + text
}

// at says which bytes of the command a line is about.
func at(s risk.Span) string { return fmt.Sprintf("  [bytes %d-%d]", s.Start, s.End) }

// words shows an argument vector so that its words can be told apart.
func words(argv []string) string {
	shown := make([]string, len(argv))
	for i, w := range argv {
		if w == "" || strings.ContainsAny(w, " \t\n'\"\\$`|&;<>()*?[]#~!{}") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		shown[i] = explain.Visible(w)
	}
	return strings.Join(shown, " ")
}
