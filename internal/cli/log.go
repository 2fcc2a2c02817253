package cli

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

// lastRows is how many rows are shown if nothing says how many.
const lastRows = 50

// auditLog is the log of this account.
func auditLog(s Streams) (own.Log, error) { return own.LogOf(s.Env) }

// localLog is that log where it lies with this account: the daemon's is looked after where it is.
func localLog(s Streams) (*audit.Log, error) {
	l, err := auditLog(s)
	if err != nil {
		return nil, err
	}
	if local, ok := l.(*audit.Log); ok {
		return local, nil
	}
	return nil, errors.New("heed's daemon keeps this log: root verifies, prunes and mends it where it lies (docs/daemon.md)")
}

type logOptions struct {
	filterFlags
	json, csv, follow bool
}

func newLog(s Streams) *cobra.Command {
	o := &logOptions{}
	c := &cobra.Command{
		Use:   "log [flags] [ID]",
		Short: "Show what was assessed, decided, asked, answered and run",
		Long: `log shows the last rows of the log: what was assessed, decided, asked, approved,
denied, started and finished, in the order in which it happened. Flags leave rows
out. With an ID, or the number that stands in front of a row, it shows that row in
full. Secrets were taken out before anything was written. docs/audit.md describes
the log.`,
		Example: `  heed log --tier review --since 24h
  heed log --session 1a2b --follow
  heed log 4711
  heed log verify --anchor 4711:5f0c...`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return errors.New("name one row at most (heed log --help)")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				return runLogShow(c.Context(), s, args[0], o.json)
			}
			return runLog(c, s, o)
		},
	}
	o.register(c)
	c.Flags().BoolVar(&o.json, "json", false, "print rows as JSON, one a line")
	c.Flags().BoolVar(&o.csv, "csv", false, "print rows as comma-separated values, with a line of names first")
	c.Flags().BoolVarP(&o.follow, "follow", "f", false, "go on with what is written from now on, until interrupted")
	c.MarkFlagsMutuallyExclusive("json", "csv")
	c.AddCommand(newLogVerify(s), newLogHead(s), newLogExport(s), newLogPrune(s), newLogMend(s))
	return c
}

// filterFlags are the flags that leave rows out.
type filterFlags struct {
	agent, session, program, asi, since, until string
	tiers, levels, decisions, kinds            []string
	last                                       int
}

func (f *filterFlags) register(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.agent, "agent", "", "only rows of this `AGENT`")
	flags.StringVar(&f.session, "session", "", "only rows of this `SESSION`")
	flags.StringVar(&f.program, "program", "", "only rows about commands that start this `PROGRAM`")
	flags.StringVar(&f.asi, "asi", "", "only rows with this `RISK` of OWASP's list, ASI01 to ASI10")
	flags.StringSliceVar(&f.tiers, "tier", nil, "only rows of this `TIER`: safe, caution or review; repeatable")
	flags.StringSliceVar(&f.levels, "level", nil, "only rows of this `LEVEL`: A, B or C; repeatable")
	flags.StringSliceVar(&f.decisions, "decision", nil, "only rows of this `DECISION`: allow, ask or deny; repeatable")
	flags.StringSliceVar(&f.kinds, "kind", nil, "only rows of this `KIND`: "+list(audit.Kinds())+"; repeatable")
	flags.StringVar(&f.since, "since", "", "only rows from this `TIME` on: 2h, 7d, 2026-11-24, 2026-11-24T10:00:00Z")
	flags.StringVar(&f.until, "until", "", "only rows before this `TIME`")
	flags.IntVarP(&f.last, "last", "n", 0, "only the last `N` rows")
	offer(c, "tier", []string{"safe", "caution", "review"})
	offer(c, "level", []string{"A", "B", "C"})
	offer(c, "decision", []string{"allow", "ask", "deny"})
	offer(c, "kind", audit.Kinds())
}

// filter reads the flags.
func (f *filterFlags) filter(now time.Time) (audit.Filter, error) {
	out := audit.Filter{Agent: f.agent, Session: f.session, Program: f.program, ASI: f.asi, Tiers: f.tiers, Levels: f.levels, Decisions: f.decisions, Last: f.last}
	if f.last < 0 {
		return out, fmt.Errorf("--last %d: want a number of at least 0; 0 is all", f.last)
	}
	for _, check := range []struct {
		flag  string
		given []string
		want  []string
	}{
		{"tier", f.tiers, []string{"safe", "caution", "review"}},
		{"level", f.levels, []string{"A", "B", "C"}},
		{"decision", f.decisions, []string{"allow", "ask", "deny"}},
	} {
		for _, word := range check.given {
			if !containsFold(check.want, word) {
				return out, fmt.Errorf("--%s %q: want %s", check.flag, shown(word), strings.Join(check.want, ", "))
			}
		}
	}
	for _, word := range f.kinds {
		k := audit.Kind(strings.ToLower(word))
		if !containsFold(kindWords(), word) {
			return out, fmt.Errorf("--kind %q: want %s", shown(word), strings.Join(kindWords(), ", "))
		}
		out.Kinds = append(out.Kinds, k)
	}
	var err error
	if out.Since, err = when(f.since, now); err != nil {
		return out, fmt.Errorf("--since %w", err)
	}
	if out.Until, err = when(f.until, now); err != nil {
		return out, fmt.Errorf("--until %w", err)
	}
	return out, nil
}

// kindWords lists the kinds of rows, with those that the log writes about itself.
func kindWords() []string {
	words := []string{string(audit.Begun), string(audit.Pruned), string(audit.Mended)}
	for _, k := range audit.Kinds() {
		words = append(words, string(k))
	}
	return words
}

func containsFold(words []string, word string) bool {
	for _, w := range words {
		if strings.EqualFold(w, word) {
			return true
		}
	}
	return false
}

// when reads a point in time: so long ago, a day, or a time.
func when(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if d, err := span(text); err == nil {
		return now.Add(-d), nil
	}
	for _, form := range []string{time.RFC3339, time.DateOnly, "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.Parse(form, text); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q: want how long ago (30m, 2h, 7d, 4w) or a time in UTC (2026-11-24, 2026-11-24T10:00:00Z)", shown(text))
}

// maxSpan is the longest time that is counted in days.
const maxSpan = 100_000

// span reads how long something is: 30m, 2h, 7d, 4w.
func span(text string) (time.Duration, error) {
	for unit, hours := range map[string]int{"d": 24, "w": 7 * 24} {
		number, ok := strings.CutSuffix(text, unit)
		if !ok {
			continue
		}
		if n, err := strconv.Atoi(number); err == nil && n >= 0 && n*hours <= maxSpan*24 {
			return time.Duration(n*hours) * time.Hour, nil
		}
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%q: want a number with m, h, d or w", shown(text))
}

func runLog(c *cobra.Command, s Streams, o *logOptions) error {
	f, err := o.filter(time.Now())
	if err != nil {
		return err
	}
	if !c.Flags().Changed("last") && f.Since.IsZero() && f.Until.IsZero() {
		f.Last = lastRows
	}
	l, err := auditLog(s)
	if err != nil {
		return err
	}
	ctx := c.Context()
	rows := l.Rows(ctx, f)
	if o.follow {
		var stop context.CancelFunc
		ctx, stop = signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM)
		defer stop()
		rows = l.Follow(ctx, f, 200*time.Millisecond)
	}
	printRow := rowPrinter(s, o)
	damaged := 0
	for r, err := range rows {
		switch {
		case audit.IsDamage(err):
			damaged++
			fmt.Fprintln(s.Err, "heed: "+explain.Visible(err.Error()))
			continue
		case err != nil:
			return err
		}
		if err := printRow(&r); err != nil {
			return err
		}
	}
	if damaged > 0 {
		return &exitError{ExitProblem, fmt.Sprintf("%d rows are not what was written, and are left out (heed log verify)", damaged)}
	}
	return nil
}

// rowPrinter writes rows as the flags want them.
func rowPrinter(s Streams, o *logOptions) func(*audit.Row) error {
	switch {
	case o.json:
		return func(r *audit.Row) error { return writeRow(s.Out, r) }
	case o.csv:
		return csvPrinter(s.Out)
	}
	return func(r *audit.Row) error { return write(s.Out, rowLine(s, r)+"\n") }
}

// writeRow writes a row as the log has it.
func writeRow(w io.Writer, r *audit.Row) error {
	text, err := audit.Canonical(r)
	if err != nil {
		return err
	}
	return write(w, string(text)+"\n")
}

// rowLine is one line about a row.
func rowLine(s Streams, r *audit.Row) string {
	tier := ""
	if t, ok := tierOf(r.Tier); ok {
		tier = badge(s, t)
	}
	pad := strings.Repeat(" ", max(0, len("[CAUTION]")-len(r.Tier)-len("[]")))
	text := fmt.Sprintf("%6d  %s  %-8s  %s%s  ", r.Seq, r.Time.Time().Format("2006-01-02 15:04:05Z"), r.Kind, tier, pad)
	if r.Command != "" {
		text += explain.Cut(explain.Visible(r.Command), 60)
	}
	if what := explain.Visible(rowDetail(r)); what != "" {
		if r.Command != "" {
			text += "  | "
		}
		text += explain.Cut(what, 160)
	}
	return strings.TrimRight(text, " ")
}

// tierOf is the tier that a row names.
func tierOf(word string) (risk.Tier, bool) {
	for _, t := range []risk.Tier{risk.Safe, risk.Caution, risk.Review} {
		if t.String() == word {
			return t, true
		}
	}
	return 0, false
}

// rowDetail is what a row says beside the command.
func rowDetail(r *audit.Row) string {
	by := func(text string) string {
		if r.By != "" {
			text += " by " + r.By
		}
		if r.WaitedMS > 0 {
			text += fmt.Sprintf(" after %.1f s", float64(r.WaitedMS)/1000)
		}
		if r.Reason != "" {
			text += ": " + r.Reason
		}
		return strings.TrimSpace(text)
	}
	switch r.Kind {
	case audit.Assessed:
		return r.Summary
	case audit.Decided:
		if r.Rule != "" {
			return r.Decision + ", by " + r.Rule
		}
		return r.Decision
	case audit.Finished:
		if r.Outcome != nil {
			return fmt.Sprintf("exit code %d after %.3f s", r.Outcome.Code, float64(r.Outcome.MS)/1000)
		}
	case audit.Pruned:
		if p := r.Pruned; p != nil {
			return fmt.Sprintf("%d rows up to row %d were removed", p.Rows, p.Last)
		}
	case audit.Mended:
		if m := r.Mended; m != nil {
			return fmt.Sprintf("goes on after damage behind row %d: %s", m.Good, m.Problem)
		}
	case audit.Begun:
		return "a new log"
	}
	return by("")
}

// csvPrinter writes rows as RFC 4180 has it.
func csvPrinter(w io.Writer) func(*audit.Row) error {
	out := csv.NewWriter(w)
	names := []string{
		"seq", "time", "kind", "agent", "session", "request", "tier", "level", "score", "decision", "rule", "by", "reason", "waited_ms",
		"command", "dir", "programs", "summary", "asi", "attack", "exit_code", "duration_ms", "digest", "id", "hash",
	}
	put := func(fields []string) error {
		for i := range fields {
			fields[i] = cell(explain.Visible(fields[i]))
		}
		_ = out.Write(fields) // Flush tells
		out.Flush()
		if err := out.Error(); err != nil {
			return fmt.Errorf("writing: %w", err)
		}
		return nil
	}
	first := true
	return func(r *audit.Row) error {
		if first {
			first = false
			if err := put(names); err != nil {
				return err
			}
		}
		code, took := "", ""
		if r.Outcome != nil {
			code, took = strconv.Itoa(r.Outcome.Code), strconv.FormatInt(r.Outcome.MS, 10)
		}
		return put([]string{
			strconv.FormatUint(r.Seq, 10), r.Time.String(), string(r.Kind), r.Agent, r.Session, r.Request, r.Tier, r.Level, strconv.Itoa(r.Score), r.Decision, r.Rule, r.By, r.Reason, strconv.FormatInt(r.WaitedMS, 10),
			r.Command, r.Dir, strings.Join(r.Programs, " "), r.Summary, strings.Join(r.ASI, " "), strings.Join(r.ATTACK, " "), code, took, r.Digest, r.ID, r.Hash,
		})
	}
}

// cell keeps a spreadsheet from taking a command for a formula.
func cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}

func runLogShow(ctx context.Context, s Streams, name string, asJSON bool) error {
	l, err := auditLog(s)
	if err != nil {
		return err
	}
	r, err := l.Find(ctx, name)
	if err != nil {
		return fmt.Errorf("row %s: %w", shown(name), err)
	}
	if asJSON {
		return writeRow(s.Out, &r)
	}
	return write(s.Out, explained(rowText(&r)))
}

// rowText is a row in full, a line for each thing that it says.
func rowText(r *audit.Row) string {
	var b strings.Builder
	line := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "%-12s %s\n", name, strings.ReplaceAll(value, "\n", "\\n"))
		}
	}
	line("row", strconv.FormatUint(r.Seq, 10)+"  "+r.ID)
	line("time", r.Time.String())
	line("kind", string(r.Kind))
	line("command", r.Command)
	if r.Masked {
		line("", "(secrets were taken out)")
	}
	line("dir", r.Dir)
	line("tier", strings.TrimSpace(r.Tier+" "+r.Level))
	line("summary", r.Summary)
	line("decision", r.Decision)
	line("rule", r.Rule)
	line("by", r.By)
	line("reason", r.Reason)
	if r.WaitedMS > 0 {
		line("waited", fmt.Sprintf("%.1f s", float64(r.WaitedMS)/1000))
	}
	if r.Outcome != nil {
		line("outcome", rowDetail(&audit.Row{Kind: audit.Finished, Outcome: r.Outcome}))
	}
	line("agent", r.Agent)
	line("session", r.Session)
	line("request", r.Request)
	line("provenance", r.Provenance)
	line("programs", strings.Join(r.Programs, " "))
	line("decisive", strings.Join(r.Decisive, " "))
	line("catalog", r.Catalog)
	line("asi", strings.Join(r.ASI, " "))
	line("attack", strings.Join(r.ATTACK, " "))
	if r.Pruned != nil || r.Mended != nil {
		line("about", rowDetail(r))
	}
	if r.Torn != nil {
		line("torn", fmt.Sprintf("%d bytes of a writer that was killed stand in front of this row", r.Torn.Bytes))
	}
	line("cut", strings.Join(r.Cut, " "))
	line("digest", r.Digest)
	line("previous", r.Prev)
	line("hash", r.Hash)
	if len(r.Whole) > 0 {
		if text, err := indent(r.Whole); err == nil {
			b.WriteString("assessment\n" + text)
		}
	}
	return b.String()
}

func indent(text json.RawMessage) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(text)
	return b.String(), err
}
