package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/audit/dialogs"
	"github.com/heedsh/heed/internal/calibrate"
	calibratepage "github.com/heedsh/heed/internal/calibrate/page"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/wholefile"
	"github.com/spf13/cobra"
)

// topPrograms is how many programs of a share calibrate prints in text.
const topPrograms = 8

type calibrateOptions struct {
	agent, session, since, until, html string
	json                               bool
}

func newCalibrate(s Streams) *cobra.Command {
	o := &calibrateOptions{}
	c := &cobra.Command{
		Use:   "calibrate [flags]",
		Short: "Hold what people answered against what heed said",
		Long: `calibrate reads the log and says where answers and tiers do not fit: SAFE that is
rejected, REVIEW that is approved in under three seconds, CAUTION that nobody ever
rejects, programs that ask too often, how long answers take by tier and hour, programs whose
answers changed with the last catalog, and what the kernel refused confined commands
(heed run --confined) though it was not predicted. Shares have intervals of 95 %;
where there is too little to know, it says so. Nothing that it finds changes an answer.
docs/calibration.md says how things are counted.`,
		Example: `  heed calibrate --since 30d
  heed calibrate --html calibration.html
  heed calibrate --json`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error { return runCalibrate(c.Context(), s, o) },
	}
	flags := c.Flags()
	flags.StringVar(&o.since, "since", "", "only rows from this `TIME` on: 7d, 4w, 2026-11-24, 2026-11-24T10:00:00Z")
	flags.StringVar(&o.until, "until", "", "only rows before this `TIME`")
	flags.StringVar(&o.agent, "agent", "", "only rows of this `AGENT`")
	flags.StringVar(&o.session, "session", "", "only rows of this `SESSION`")
	flags.StringVar(&o.html, "html", "", "write a page with plots to this `FILE`")
	flags.BoolVar(&o.json, "json", false, "print the report as JSON")
	return c
}

func runCalibrate(ctx context.Context, s Streams, o *calibrateOptions) error {
	filter, err := (&filterFlags{agent: o.agent, session: o.session, since: o.since, until: o.until}).filter(time.Now())
	if err != nil {
		return err
	}
	c := calibrate.Calibration{Zone: time.Local}
	damaged, err := eachAnswered(ctx, s, filter, c.Add)
	if err != nil {
		return err
	}
	r := c.Report()
	if o.html != "" {
		if err := writePage(o.html, &r); err != nil {
			return err
		}
	}
	switch {
	case o.json:
		text, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("writing JSON: %w", err)
		}
		if err := write(s.Out, string(text)+"\n"); err != nil {
			return err
		}
	case o.html != "":
		if err := write(s.Out, explain.Visible(o.html)+" is written: "+plural(len(r.Findings), "finding")+" in "+plural(r.Answers, "answer")+" about "+plural(r.Commands, "command")+"\n"); err != nil {
			return err
		}
	default:
		if err := write(s.Out, calibrationText(&r)); err != nil {
			return err
		}
	}
	return damage(damaged)
}

// eachRow hands the rows of the log to a function, and counts those that are not what
// was written.
func eachRow(ctx context.Context, s Streams, f audit.Filter, do func(*audit.Row)) (damaged int, err error) {
	l, err := auditLog(s)
	if err != nil {
		return 0, err
	}
	for r, err := range l.Rows(ctx, f) {
		switch {
		case audit.IsDamage(err):
			damaged++
		case err != nil:
			return damaged, err
		default:
			do(&r)
		}
	}
	return damaged, nil
}

// eachAnswered is eachRow, with what agents' own dialogs were answered.
func eachAnswered(ctx context.Context, s Streams, f audit.Filter, do func(*audit.Row)) (damaged int, err error) {
	var d dialogs.Dialogs
	damaged, err = eachRow(ctx, s, f, func(r *audit.Row) { d.Add(r, do) })
	d.End(do)
	return damaged, err
}

// damage is the error of having left rows out.
func damage(rows int) error {
	if rows == 0 {
		return nil
	}
	return &exitError{ExitProblem, fmt.Sprintf("%d rows are not what was written, and are not counted (heed log verify)", rows)}
}

// pageTitle is by what a page that heed wrote is known.
const pageTitle = "<title>heed: calibration</title>"

// writePage writes the page of a report for the account alone: it quotes the log. It
// replaces a page that it wrote before, and nothing else.
func writePage(name string, r *calibrate.Report) error {
	var b bytes.Buffer
	if err := calibratepage.Write(&b, r); err != nil {
		return err
	}
	err := wholefile.Replace(name, b.Bytes(), 0o600, func(text []byte) bool { return bytes.Contains(text, []byte(pageTitle)) })
	if err != nil {
		return fmt.Errorf("--html %s: %w", shown(name), err)
	}
	return nil
}

// calibrationText is a report in words.
func calibrationText(r *calibrate.Report) string {
	if r.Rows == 0 {
		return "No row of the log fits.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d commands and %d answers of people, from %s to %s\n\n", r.Commands, r.Answers, r.From, r.To)
	if len(r.Findings) == 0 {
		b.WriteString("Nothing that is sure stands out.\n")
	}
	for i := range r.Findings {
		f := r.Findings[i]
		f.Program = programName(f.Program, 32)
		fmt.Fprintf(&b, "%-23s %s\n", f.Kind, f.Sentence())
	}
	measureText(&b, "SAFE that was rejected, of the answers about it", &r.Safe)
	measureText(&b, "REVIEW approved in under three seconds, of the approvals that say how long they took", &r.Review)
	measureText(&b, "CAUTION that was rejected, of the answers about it", &r.Caution)
	measureText(&b, "Commands that were asked about, of those of the program", &r.Alarms)
	paceText(&b, r.Pace)
	driftText(&b, &r.Drift)
	mispredictedText(&b, &r.Mispredicted)
	return b.String()
}

// programName is the name of a program of the log as people see it.
func programName(name string, most int) string { return explain.Cut(explain.Visible(name), most) }

func measureText(b *strings.Builder, title string, m *calibrate.Measure) {
	fmt.Fprintf(b, "\n%s\n", title)
	if m.All.Of == 0 {
		b.WriteString("  nothing to count\n")
		return
	}
	line := func(name string, s *calibrate.Share) {
		fmt.Fprintf(b, "  %-24s %6d of %-6d ", programName(name, 24), s.Count, s.Of)
		if s.Known {
			fmt.Fprintf(b, "%5.1f %%  (%.1f to %.1f %%)\n", 100*s.Share, 100*s.Low, 100*s.High)
		} else {
			b.WriteString("too little to know\n")
		}
	}
	line("all programs", &m.All)
	for i := range m.Programs[:min(len(m.Programs), topPrograms)] {
		line(m.Programs[i].Name, &m.Programs[i].Share)
	}
	if n := len(m.Programs) - topPrograms; n > 0 {
		fmt.Fprintf(b, "  and %d more (--json)\n", n)
	}
}

func paceText(b *strings.Builder, all []calibrate.Pace) {
	b.WriteString("\nHow long answers take, by tier and hour: the middle half, and the median\n")
	if len(all) == 0 {
		b.WriteString("  no answer says how long it took\n")
	}
	rare := 0
	for i := range all {
		p := &all[i]
		if !p.Known {
			rare++
			continue
		}
		hour := "all day"
		if p.Hour >= 0 {
			hour = fmt.Sprintf("%02d:00", p.Hour)
		}
		fmt.Fprintf(b, "  %-8s %-8s %6d answers  %7.1f to %.1f s, %.1f s\n", p.Tier, hour, p.Of, float64(p.Lower)/1000, float64(p.Upper)/1000, float64(p.Median)/1000)
	}
	if rare > 0 {
		fmt.Fprintf(b, "  too little to know of %s more (--json)\n", plural(rare, "hour"))
	}
}

func driftText(b *strings.Builder, d *calibrate.Drift) {
	b.WriteString("\nAnswers since the last catalog\n")
	if !d.Changed {
		b.WriteString("  all commands were judged with one catalog\n")
		return
	}
	fmt.Fprintf(b, "  it changed at %s\n", d.At)
	rare, shown := 0, 0
	for i := range d.Programs {
		p := &d.Programs[i]
		switch {
		case !p.Known:
			rare++
		case shown < topPrograms:
			shown++
			fmt.Fprintf(b, "  %-24s %+.2f tiers, %.1f sigmas (%d commands)\n", programName(p.Name, 24), p.By, p.Sigmas, p.Compared)
		}
	}
	if rare > 0 {
		fmt.Fprintf(b, "  too little to know of %s\n", plural(rare, "program"))
	}
}

// mispredictedText lists what the kernel refused against predictions, if anything.
func mispredictedText(b *strings.Builder, m *calibrate.Mispredictions) {
	if m.All == 0 {
		return
	}
	fmt.Fprintf(b, "\nWhat the kernel refused confined commands and was not predicted: %d\n", m.All)
	for i := range m.Programs[:min(len(m.Programs), topPrograms)] {
		x := &m.Programs[i]
		fmt.Fprintf(b, "  %-24s %6d  %s\n", programName(x.Program, 24), x.Count, explain.Cut(explain.Visible(strings.TrimSpace("tried to "+x.Verb+" "+x.Target)), 120))
		fmt.Fprintf(b, "    $ %s\n", explain.Cut(explain.Visible(x.Command), 120))
	}
	if n := len(m.Programs) - topPrograms; n > 0 {
		fmt.Fprintf(b, "  and %d more (--json)\n", n+m.More)
	}
	if m.Unread > 0 {
		fmt.Fprintf(b, "  of %d it is not known who tried what\n", m.Unread)
	}
}
