package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/replay"
	"github.com/heedsh/heed/internal/replay/tell"
	"github.com/spf13/cobra"
)

type replayOptions struct{ json, scenario bool }

func newReplay(s Streams) *cobra.Command {
	o := &replayOptions{}
	c := &cobra.Command{
		Use:   "replay [flags] FILE",
		Short: "Answer again from a record that check --record wrote",
		Long: `replay answers from a record: the request and everything that was read of the
machine where it was made. The answer is the recorded one byte for byte, wherever
it is replayed. A record of another version of heed, of its catalog or of imported
rules is answered too; that they differ is said, and if the answer differs the exit
code is 7. Nothing of this machine is read but the file, which - makes standard
input, and the rules of heed rules import.

With --scenario it writes the record as a scenario instead: a world, the command
and the answer in the language of heed's own tests, so that a wrong answer becomes
a test. What that language cannot say is told on standard error, and if the
scenario is answered differently, the exit code is 7.`,
		Example: `  heed check --record wrong.json 'make clean'
  heed replay wrong.json
  heed replay --scenario wrong.json >> internal/scenario/testdata/reported.heed`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("want one record (heed replay --help)")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return runReplay(c.Context(), s, o, args[0]) },
	}
	c.Flags().BoolVar(&o.json, "json", false, "print the whole assessment as JSON, without the time it took")
	c.Flags().BoolVar(&o.scenario, "scenario", false, "write the record as a scenario")
	c.MarkFlagsMutuallyExclusive("json", "scenario")
	return c
}

func runReplay(ctx context.Context, s Streams, o *replayOptions, name string) error {
	r, err := readRecord(s, name)
	if err != nil {
		return fmt.Errorf("reading the record %s: %w", explain.Visible(name), err)
	}
	got, err := newService(s).Replay(ctx, r)
	if err != nil {
		return err
	}
	noteInputs(s, &got)
	if o.scenario {
		return runScenario(ctx, s, r, &got)
	}
	if o.json {
		text, encErr := replay.Encode(got.Assessment)
		if err = encErr; err == nil {
			err = write(s.Out, string(text)+"\n")
		}
	} else {
		err = writeText(s, got.Assessment, true)
	}
	if err != nil {
		return err
	}
	if !got.Same {
		return &exitError{ExitDiffers, "the answer is not the recorded one: " + explain.Visible(strings.Join(got.Differences(), "; "))}
	}
	return nil
}

func readRecord(s Streams, name string) (*replay.Record, error) {
	if name == "-" {
		return replay.Read(s.In)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return replay.Read(f)
}

// noteInputs says with which versions a record was made, if not with these.
func noteInputs(s Streams, r *replay.Result) {
	was, is := r.Recorded.Inputs, r.Inputs
	if was.Engine != is.Engine {
		fmt.Fprintf(s.Err, "heed: note: recorded by heed %s, this is %s\n", explain.Visible(was.Engine), is.Engine)
	}
	if was.Catalog != is.Catalog {
		fmt.Fprintf(s.Err, "heed: note: recorded with the catalog %s, this is %s\n", short(was.Catalog), short(is.Catalog))
	}
	if !slices.Equal(was.Rules, is.Rules) {
		fmt.Fprintf(s.Err, "heed: note: recorded with %s, this heed has %s (heed rules import)\n", ruleNames(was.Rules), ruleNames(is.Rules))
	}
	if n := len(r.Unanswered); n > 0 {
		fmt.Fprintf(s.Err, "heed: note: this heed asks %d things of the machine that the record does not say (%s); they count as not known\n", n, explain.Cut(explain.Visible(r.Unanswered[0]), 80))
	}
}

// ruleNames names rules that are no part of heed, as a record has them.
func ruleNames(digests []string) string {
	if len(digests) == 0 {
		return "no rules but heed's own"
	}
	var names []string
	for _, d := range digests[:min(len(digests), 5)] {
		kind, rest, _ := strings.Cut(d, ":")
		names = append(names, explain.Visible(kind)+" "+short(rest))
	}
	return "the rules " + strings.Join(names, ", ")
}

// short is as much of a digest as tells two apart.
func short(digest string) string {
	return explain.Visible(digest[:min(len(digest), len("sha256:")+12)])
}

func runScenario(ctx context.Context, s Streams, r *replay.Record, got *replay.Result) error {
	text, missing, err := tell.Scenario(ctx, r, got.Assessment)
	if err != nil {
		return err
	}
	var notes bytes.Buffer
	for _, m := range missing.Unsaid {
		fmt.Fprintf(&notes, "heed: note: a scenario cannot say: %s\n", explain.Visible(m))
	}
	fmt.Fprint(s.Err, notes.String())
	if err := write(s.Out, text); err != nil {
		return err
	}
	if len(missing.Differs) > 0 {
		return &exitError{ExitDiffers, "the scenario is not answered as the record is:\n" + explained(strings.Join(missing.Differs, "\n"))}
	}
	return nil
}
