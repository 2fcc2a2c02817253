package cli

import (
	"errors"
	"fmt"
	"time"

	"github.com/heedsh/heed/internal/host"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

type checkOptions struct {
	requestFlags
	json, batch    bool
	failOn, record string
	model          string
}

func newCheck(s Streams) *cobra.Command {
	o := &checkOptions{}
	c := &cobra.Command{
		Use:   "check [flags] [--] [COMMAND...]",
		Short: "Say what a command would do: [SAFE], [CAUTION] or [REVIEW] and one sentence",
		Long: `check assesses one command, given as an argument or on standard input, and
prints the badge and the sentence. Several words are joined by spaces: quote the
command to keep its own quotes. Flags of heed come first.

With --batch it reads requests as JSON, one a line, and answers each line in
order; a line that cannot be read is answered as REVIEW with an error, never
dropped. The fields of a line are id, cmd, shell, cwd, env (the whole
environment), workspaces, provenance, agent, session and time (RFC 3339, or
nanoseconds); only cmd is required, and what is absent is taken from the flags. The
commands of a session are also judged together, by the correlation rules of
docs/rules.md.`,
		Example: `  heed check 'rm -rf node_modules'
  heed check --json -- 'git push --force origin release'
  heed check --fail-on review 'make clean' && make clean
  heed check --batch < commands.jsonl > assessments.jsonl`,
		RunE: func(c *cobra.Command, args []string) error { return runCheck(s, o, args, dashed(c)) },
	}
	o.register(c)
	c.Flags().BoolVar(&o.json, "json", false, "print the whole assessment as JSON (heed schema prints its schema)")
	c.Flags().BoolVar(&o.batch, "batch", false, "read requests from standard input, one JSON object a line")
	c.Flags().StringVar(&o.record, "record", "", "keep request, world and answer in `FILE`, for heed replay")
	c.Flags().StringVar(&o.failOn, "fail-on", "", "exit with 3 (CAUTION) or 4 (REVIEW) from this `TIER` on: caution or review")
	c.Flags().StringVar(&o.model, "model", "", "ask the ONNX classifier in `FILE` for the intent, instead of heed's own model (docs/models.md)")
	offer(c, "fail-on", []string{"caution", "review"})
	return c
}

func runCheck(s Streams, o *checkOptions, args []string, dashed bool) error {
	if o.failOn != "" && o.failOn != "caution" && o.failOn != "review" {
		return fmt.Errorf("--fail-on %q: want caution or review", o.failOn)
	}
	if o.batch {
		if len(args) > 0 {
			return errors.New("--batch reads requests from standard input and takes no command")
		}
		if o.record != "" {
			return errors.New("--record keeps one command: give it without --batch")
		}
		worst, err := runBatch(s, o)
		if err != nil {
			return err
		}
		return fail(o.failOn, worst)
	}
	text, err := command(s, args, dashed)
	if err != nil {
		return err
	}
	req, err := o.request(s, text)
	if err != nil {
		return err
	}
	start := time.Now()
	view := host.New(req.Env["HOME"], req.Env["USER"], req.Dir).View(&req)
	assessor := withModel(s, newAssessor(s), o.model)
	seen, keep := view, (*keeper)(nil)
	if o.record != "" {
		seen, keep = record(view, req, specDirs(s.Env), assessor.Detectors())
	}
	a, d := assessor.Assess(seen, req)
	noteSpecs(s, d.Specs)
	if o.json {
		err = writeJSON(s.Out, a, &d, time.Since(start))
	} else {
		noteDir(s, view, &req)
		err = writeText(s, a, len(args) == 0)
	}
	if err == nil && keep != nil {
		err = keep.write(s, o.record, a)
	}
	if err != nil {
		return err
	}
	return fail(o.failOn, a.Tier)
}

// fail ends with the exit code that --fail-on asks for.
func fail(on string, t risk.Tier) error {
	switch {
	case on == "":
	case t == risk.Review:
		return &exitError{code: ExitReview}
	case t == risk.Caution && on == "caution":
		return &exitError{code: ExitCaution}
	}
	return nil
}
