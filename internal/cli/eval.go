package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/detect/intent"
	"github.com/heedsh/heed/internal/eval"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wholefile"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

type evalOptions struct {
	world, baseline, save, class string
	folds, sentences             string
	without                      []string
	failures, json               bool
	slack                        float64
}

func newEval(s Streams) *cobra.Command {
	o := &evalOptions{}
	c := &cobra.Command{
		Use:   "eval [flags] SUITE.jsonl...",
		Short: "Measure heed against labelled commands: a table per suite and per class",
		Long: `eval assesses every case of the suites in a fixture world and prints the share of
wrong answers per suite and class, and how the answers spread. A case is a JSON
object a line: {"id", "suite", "kind", "cmd", "shell", "cwd", "class"}, or with
{"lo", "hi", "weight"} instead of the class where people rated it from 0 (SAFE) to
3 (REVIEW). The world
is a directory with home/user/project in it, which is where cases run that name
no directory.`,
		Example: `  heed eval --world /tmp/heed-world suites/*.jsonl
  heed eval --failures --class must-stop suites/mine.jsonl
  heed eval --baseline docs/eval-baseline.json suites/*.jsonl
  heed eval --sentences sentences.jsonl suites/*.jsonl`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && o.sentences == "" {
				return fmt.Errorf("no suite: name at least one JSONL file (heed eval --help)")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if o.sentences != "" {
				return runSentences(c.Context(), s, o, args)
			}
			return runEval(c.Context(), s, o, args)
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.world, "world", "", "`DIR` of the fixture world (default: $TMPDIR/heed-world)")
	flags.StringVar(&o.baseline, "baseline", "", "`FILE` of a summary to compare with; exit 5 if a class got worse")
	flags.Float64Var(&o.slack, "slack", 0.2, "percentage `POINTS` by which a class may be worse than the baseline")
	flags.StringVar(&o.save, "save", "", "write the summary as JSON to `FILE`")
	flags.StringVar(&o.folds, "folds", "", "`DIR` of fold models (tools/train -folds): a command is judged by one that has not seen its group")
	flags.StringVar(&o.sentences, "sentences", "", "print what can be counted of the sentences for the commands of `FILE`, whose rows may have \"facts\" and a \"third\", and of the suites")
	flags.StringSliceVar(&o.without, "without", nil, "`LAYERS` that are not asked: pattern, sigma, semantic")
	flags.StringVar(&o.class, "class", "", "only cases of this `CLASS`: "+list(eval.Classes()))
	flags.BoolVar(&o.failures, "failures", false, "print every wrong answer")
	flags.BoolVar(&o.json, "json", false, "print the summary as JSON instead of a table")
	offer(c, "class", eval.Classes())
	return c
}

func runEval(ctx context.Context, s Streams, o *evalOptions, files []string) error {
	if o.class != "" && !slices.Contains(eval.Classes(), o.class) {
		return fmt.Errorf("--class %q: want one of %s", o.class, list(eval.Classes()))
	}
	was, err := readBaseline(o.baseline)
	if err != nil {
		return err
	}
	assessCase, err := inWorld(ctx, o)
	if err != nil {
		return err
	}
	cases, err := readSuites(files, o.class)
	if err != nil {
		return err
	}
	results := eval.Run(cases, assessCase, func(n int) {
		if s.ErrTTY {
			fmt.Fprintf(s.Err, "\r%d of %d", n, len(cases))
		}
	})
	if s.ErrTTY {
		fmt.Fprint(s.Err, "\r\x1b[K")
	}
	for i := range results {
		if a := &results[i].Assessment; a.Error != "" {
			fmt.Fprintf(s.Err, "heed: case %s: %s\n", explain.Visible(a.ID), explain.Visible(a.Error))
		}
	}
	if o.failures {
		if err := printFailures(s, results); err != nil {
			return err
		}
	}
	return conclude(s, o, eval.Summarize(results), was)
}

// readBaseline reads the summary that --baseline names, if it names one.
func readBaseline(name string) (was eval.Summary, err error) {
	if name == "" {
		return was, nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return was, fmt.Errorf("reading the baseline: %w", err)
	}
	if err := json.Unmarshal(b, &was); err != nil {
		return was, fmt.Errorf("reading the baseline %s: %w", name, err)
	}
	return was, nil
}

// inWorld returns what assesses a case in the fixture world. Its environment
// is small and fixed, so that figures from two machines can be compared.
func inWorld(ctx context.Context, o *evalOptions) (func(*eval.Case) risk.Assessment, error) {
	dir := o.world
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "heed-world")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("--world: %w", err)
	}
	home := filepath.Join(dir, "home", "user")
	project := filepath.Join(home, "project")
	if i, err := os.Stat(project); err != nil || !i.IsDir() {
		return nil, fmt.Errorf("there is no fixture world at %s: make one whose home/user/project is the directory to work in, and name it with --world", dir)
	}
	folds, err := readFolds(o.folds)
	if err != nil {
		return nil, err
	}
	plain := service.New(service.Options{Home: home, User: "user", Near: []string{project}})
	return func(c *eval.Case) risk.Assessment {
		req := risk.Request{ID: c.ID, Command: c.Cmd, Shell: c.Shell, Dir: project, Env: map[string]string{
			"HOME": home, "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "USER": "user", "LANG": "C.UTF-8",
		}}
		if c.Dir != nil {
			req.Dir = *c.Dir
		}
		with := plain.With(service.Detectors{Without: o.without, Model: folds.model(c.Cmd)})
		a, _ := with.Assess(ctx, req) // an answer that is a failure says so
		return a.Assessment
	}, nil
}

// foldModels are models of which each has been trained without some commands.
type foldModels struct {
	models map[string]*intent.Model // by the number of the fold
	unseen map[string]string        // the fold that has not seen a command, by its SHA-256
}

// model returns the model for a command: nil is heed's own, which has not seen
// what no fold knows.
func (f *foldModels) model(command string) *intent.Model {
	if f.unseen == nil {
		return nil
	}
	sum := sha256.Sum256([]byte(command))
	return f.models[f.unseen[hex.EncodeToString(sum[:])]]
}

// readFolds reads what tools/train -folds wrote: fold0.bin and so on, and
// folds.tsv, which says which of them has not seen which command.
func readFolds(dir string) (*foldModels, error) {
	f := &foldModels{}
	if dir == "" {
		return f, nil
	}
	table, err := os.ReadFile(filepath.Join(dir, "folds.tsv"))
	if err != nil {
		return nil, fmt.Errorf("--folds: %w", err)
	}
	f.models, f.unseen = map[string]*intent.Model{}, map[string]string{}
	for line := range strings.Lines(string(table)) {
		sum, fold, _ := strings.Cut(strings.TrimSpace(line), "\t")
		f.unseen[sum] = fold
		if f.models[fold] != nil {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, "fold"+fold+".bin"))
		if err != nil {
			return nil, fmt.Errorf("--folds: %w", err)
		}
		if f.models[fold], err = intent.Load(data); err != nil {
			return nil, fmt.Errorf("--folds: fold %s: %w", fold, err)
		}
	}
	return f, nil
}

// readSuites reads the cases of all files; class, if not empty, keeps only its
// own.
func readSuites(files []string, class string) ([]eval.Case, error) {
	var cases []eval.Case
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, fmt.Errorf("opening a suite: %w", err)
		}
		more, err := eval.Read(f, name)
		f.Close()
		if err != nil {
			return nil, err
		}
		for i := range more {
			if class == "" || more[i].Class == class {
				cases = append(cases, more[i])
			}
		}
	}
	return cases, nil
}

func printFailures(s Streams, results []eval.Result) error {
	var b strings.Builder
	for i := range results {
		if r := &results[i]; !r.Right {
			wanted := r.Case.Class
			if rated := r.Case.Rated(); rated != nil {
				wanted = fmt.Sprintf("%d..%d", rated.Low, rated.High)
			}
			fmt.Fprintf(&b, "%s %s [%s/%s] %s\n    %s\n", explain.Visible(r.Case.Suite), wanted, r.Assessment.Tier, r.Assessment.Level,
				explain.Cut(explain.Visible(r.Case.Cmd), 160), r.Assessment.Summary)
		}
	}
	return write(s.Out, b.String())
}

// conclude prints and saves the summary and compares it with the baseline.
func conclude(s Streams, o *evalOptions, summary, was eval.Summary) error {
	text, err := json.MarshalIndent(summary, "", "  ")
	if err != nil {
		return fmt.Errorf("writing the summary: %w", err)
	}
	text = append(text, '\n')
	if o.json {
		err = write(s.Out, string(text))
	} else {
		err = summary.WriteTable(s.Out)
	}
	if err != nil {
		return err
	}
	if o.save != "" {
		ours := func(old []byte) bool {
			var s eval.Summary
			return json.Unmarshal(old, &s) == nil && len(s.Classes)+len(s.Suites) > 0
		}
		if err := wholefile.Replace(o.save, text, 0o644, ours); err != nil {
			return fmt.Errorf("saving the summary: %w", err)
		}
	}
	if worse := summary.Worse(was, o.slack); len(worse) > 0 {
		return &exitError{ExitWorse, "worse than the baseline " + o.baseline + ": " + strings.Join(worse, "; ")}
	}
	return nil
}
