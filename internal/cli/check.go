package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/own"
	"github.com/heedsh/heed/internal/replay"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/wholefile"
	"github.com/heedsh/heed/risk"
	"github.com/spf13/cobra"
)

type checkOptions struct {
	requestFlags
	json, batch    bool
	failOn, record string
	model          string
}

// newCheckOptions returns what holds without a flag.
func newCheckOptions() *checkOptions {
	return &checkOptions{requestFlags: requestFlags{shell: service.DefaultDialect()}}
}

// plainCheck reports whether heed was started as `heed check COMMAND`, without a
// flag, and gives the words of the command.
func plainCheck(args []string) (words []string, ok bool) {
	if len(args) < 2 || args[0] != "check" || args[1] == "" || args[1][0] == '-' {
		return nil, false
	}
	return args[1:], true
}

func newCheck(s Streams) *cobra.Command {
	o := newCheckOptions()
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
		RunE: func(c *cobra.Command, args []string) error { return runCheck(c.Context(), s, o, args, dashed(c)) },
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

func runCheck(ctx context.Context, s Streams, o *checkOptions, args []string, dashed bool) error {
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
		worst, err := runBatch(ctx, s, o)
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
	with := withModel(s, ServiceFor(s, &req), o.model)
	look := with.Look()
	if o.record != "" {
		look = with.Recording(&req)
	}
	a, _ := look.Assess(ctx, req) // an answer that is a failure says so
	noteSpecs(s, a.Detail.Specs)
	if o.json {
		err = a.WriteJSON(s.Out, time.Since(start))
	} else {
		noteDir(s, with, &req)
		err = writeText(s, a.Assessment, len(args) == 0)
	}
	if err == nil && o.record != "" {
		err = keepRecord(ctx, s, o.record, look, req, &a)
	}
	if err != nil {
		return err
	}
	return fail(o.failOn, a.Tier)
}

// keepRecord writes the record of an answer to a file.
func keepRecord(ctx context.Context, s Streams, name string, look *service.Look, req risk.Request, a *service.Answer) error {
	r, kept, err := look.Record(ctx, req, &a.Assessment)
	if err != nil {
		return err
	}
	text, err := r.Marshal()
	if err != nil {
		return err
	}
	ours := func(old []byte) bool { _, err := replay.Read(bytes.NewReader(old)); return err == nil }
	if err := wholefile.Replace(name, text, 0o600, ours); err != nil {
		return fmt.Errorf("keeping a record: %w", err)
	}
	if len(kept) > 0 {
		fmt.Fprintf(s.Err, "heed: note: %s holds what looks like a secret, in %s: the answer depends on it, so mind who gets the file\n", explain.Visible(name), strings.Join(kept, " and "))
	}
	return nil
}

// withModel lets the ONNX classifier in a file be asked instead of heed's own
// model. A file that cannot be used is said once; the rules answer in its place.
func withModel(s Streams, with *service.Service, name string) *service.Service {
	if name == "" {
		return with
	}
	d := with.Detectors()
	var err error
	if d.Classifier, d.ModelDigest, err = own.Model(name, s.Env); err != nil {
		fmt.Fprintf(s.Err, "heed: note: the model %s is not used, rules answer in its place: %s\n", explain.Visible(name), explain.Visible(err.Error()))
	}
	return with.With(d)
}

// batchGC is the garbage collector's target in per cent: what an assessment
// leaves behind is small, and memory for a few hundred is cheaper than looking
// for it.
const batchGC = 400

// batchMemory, in bytes, is where the garbage collector works harder instead.
const batchMemory = 64 << 20

// runBatch answers requests a line and returns the highest tier.
func runBatch(ctx context.Context, s Streams, o *checkOptions) (worst risk.Tier, err error) {
	base, err := o.request(s, "")
	if err != nil {
		return 0, err
	}
	defer debug.SetGCPercent(debug.SetGCPercent(batchGC))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(batchMemory))
	b := service.Batch{
		Service: withModel(s, ServiceFor(s, &base), o.model), Base: base,
		Broken: func(problems []service.Problem) { noteSpecs(s, problems) },
	}
	return b.Run(ctx, s.In, s.Out)
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
