package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/heedsh/heed/internal/assess"
	"github.com/heedsh/heed/internal/eval"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

type evalOptions struct {
	world, baseline, save, class string
	failures, json               bool
	slack                        float64
}

func newEval(s Streams) *cobra.Command {
	o := &evalOptions{}
	c := &cobra.Command{
		Use:   "eval [flags] SUITE.jsonl...",
		Short: "Measure heed against labelled commands: a table per suite and per class",
		Long: `eval assesses every case of the suites in the fixture world and prints the share
of wrong answers per suite and class. The world is made by the suites' own
world.sh, beside their folder, or given with --world (its home/user/project).`,
		Example: `  heed eval ../shared/eval/dev/*.jsonl
  heed eval --failures --class must-stop suite.jsonl
  heed eval --baseline docs/eval-baseline.json ../shared/eval/dev/*.jsonl`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return runEval(s, o, args) },
	}
	c.Flags().StringVar(&o.world, "world", "", "fixture world made by world.sh (default: $TMPDIR/heed-world)")
	c.Flags().StringVar(&o.baseline, "baseline", "", "summary to compare with; exit 5 if a class got worse")
	c.Flags().Float64Var(&o.slack, "slack", 0.2, "percentage points by which a class may be worse than the baseline")
	c.Flags().StringVar(&o.save, "save", "", "write the summary as JSON")
	c.Flags().StringVar(&o.class, "class", "", "only cases of this class")
	c.Flags().BoolVar(&o.failures, "failures", false, "print every wrong answer")
	c.Flags().BoolVar(&o.json, "json", false, "print the summary as JSON instead of a table")
	return c
}

func runEval(s Streams, o *evalOptions, files []string) error {
	var cases []eval.Case
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return fmt.Errorf("opening a suite: %w", err)
		}
		more, err := eval.Read(f, name)
		f.Close()
		if err != nil {
			return err
		}
		for _, c := range more {
			if o.class == "" || c.Class == o.class {
				cases = append(cases, c)
			}
		}
	}
	dir := o.world
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "heed-world")
	}
	home := filepath.Join(dir, "home", "user")
	project := filepath.Join(home, "project")
	if i, err := os.Stat(project); err != nil || !i.IsDir() {
		return fmt.Errorf("there is no fixture world at %s: make it with `bash ../shared/eval/world.sh %s`, or name it with --world", dir, dir)
	}
	assessor, h := assess.New(), host.New(home, "user", project)
	results := eval.Run(cases, func(c *eval.Case) risk.Assessment {
		req := risk.Request{ID: c.ID, Command: c.Cmd, Shell: c.Shell, Dir: project, Env: map[string]string{
			"HOME": home, "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "USER": "user", "LANG": "C.UTF-8",
		}}
		if c.Dir != nil {
			req.Dir = *c.Dir
		}
		a, _ := assessor.Assess(h.View(&req), req)
		return a
	}, func(n int) { fmt.Fprintf(s.Err, "\r%d of %d", n, len(cases)) })
	fmt.Fprintf(s.Err, "\r%d of %d\n", len(cases), len(cases))
	for i := range results {
		if a := &results[i].Assessment; a.Error != "" {
			fmt.Fprintf(s.Err, "fault: %s\n    %s\n", a.Error, explain.Cut(explain.Visible(a.Command), 200))
		}
	}
	summary := eval.Summarize(results)
	if o.failures {
		printFailures(s, results)
	}
	return report(s, o, summary)
}

func printFailures(s Streams, results []eval.Result) {
	for i := range results {
		if r := &results[i]; !r.Right {
			text := strings.ReplaceAll(explain.Visible(r.Case.Cmd), "\\n", "⏎")
			fmt.Fprintf(s.Out, "%s %s [%s/%s] %s\n    %s\n", r.Case.Suite, r.Case.Class, r.Assessment.Tier, r.Assessment.Level, explain.Cut(text, 160), r.Assessment.Summary)
		}
	}
}

func report(s Streams, o *evalOptions, summary eval.Summary) error {
	if o.json {
		e := json.NewEncoder(s.Out)
		e.SetIndent("", "  ")
		if err := e.Encode(summary); err != nil {
			return fmt.Errorf("writing the summary: %w", err)
		}
	} else if err := summary.WriteTable(s.Out); err != nil {
		return err
	}
	if o.save != "" {
		b, err := json.MarshalIndent(summary, "", "  ")
		if err != nil {
			return fmt.Errorf("writing the summary: %w", err)
		}
		if err := os.WriteFile(o.save, append(b, '\n'), 0o644); err != nil {
			return fmt.Errorf("saving the summary: %w", err)
		}
	}
	if o.baseline == "" {
		return nil
	}
	b, err := os.ReadFile(o.baseline)
	if err != nil {
		return fmt.Errorf("reading the baseline: %w", err)
	}
	var was eval.Summary
	if err := json.Unmarshal(b, &was); err != nil {
		return fmt.Errorf("reading the baseline %s: %w", o.baseline, err)
	}
	if worse := summary.Worse(was, o.slack); len(worse) > 0 {
		return &exitError{ExitWorse, "worse than the baseline: " + strings.Join(worse, "; ")}
	}
	return nil
}
