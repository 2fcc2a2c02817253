package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed/internal/detect/intent"
)

// Options say what to read and what to write. An empty name of an output means
// that it is not written.
type options struct {
	pool, own, world, cache string
	out, card, plot, folds  string
	bits                    int
	guards, compare         bool
}

func main() {
	var o options
	flag.StringVar(&o.pool, "pool", "", "`FILE` of labelled commands, which is not part of this repository")
	flag.StringVar(&o.own, "own", "tools/train/data", "`DIR` with our own labelled commands, *.jsonl")
	flag.StringVar(&o.world, "world", filepath.Join(os.TempDir(), "heed-world"), "`DIR` of the fixture world")
	flag.StringVar(&o.cache, "cache", "", "`FILE` that keeps what heed saw of each command")
	flag.StringVar(&o.out, "out", "internal/detect/intent/model.bin", "write the model to `FILE`")
	flag.StringVar(&o.card, "card", "docs/intent-model.md", "write the figures into the model card `FILE`")
	flag.StringVar(&o.plot, "plot", "docs/intent-frontier.svg", "write the plot of the candidates to `FILE`, with -compare")
	flag.StringVar(&o.folds, "folds", "", "write a model a fold, and which fold has not seen which command, to `DIR`")
	flag.IntVar(&o.bits, "bits", 17, "binary logarithm of the number of feature buckets")
	flag.BoolVar(&o.guards, "guards", false, "learn from rows with the hint guard too")
	flag.BoolVar(&o.compare, "compare", false, "train the other candidates too (the card then has them)")
	flag.Parse()
	if err := run(o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

func run(o options, log io.Writer) error {
	rows, left, err := load(o.pool, o.own)
	if err != nil {
		return err
	}
	sights, err := see(rows, o.world, o.cache)
	if err != nil {
		return err
	}
	d := newSet(rows, sights, o.bits, o.guards)
	fmt.Fprintf(log, "%d rows; cross-validating\n", len(rows))
	found, err := validateStack(d)
	if err != nil {
		return err
	}
	shipped := scored{name: "shipped: trees on linear"}
	for k := range found {
		shipped.guesses = append(shipped.guesses, found[k].guesses...)
	}
	limit := alarm(d, shipped.guesses)
	model := trainStack(d, -1).encode(d, limit)
	m, err := intent.Load(model)
	if err != nil {
		return fmt.Errorf("reading back the model: %w", err)
	}
	shipped.bytes = len(model)
	var scratch intent.Scratch
	shipped.micros = microseconds(d, func(i int) { m.Score(&d.sights[i].In, &scratch) })
	if err := writeModel(&o, d, found, limit, model); err != nil {
		return err
	}
	var others []scored
	if o.compare {
		if others, err = compare(d, log); err != nil {
			return err
		}
	}
	figures := report(d, left, shipped, others)
	fmt.Fprint(log, figures)
	return writeFigures(&o, d, figures, append([]scored{shipped}, others...))
}

// compare trains the other candidates.
func compare(d *set, log io.Writer) ([]scored, error) {
	var out []scored
	for _, c := range candidates() {
		fmt.Fprintf(log, "%s\n", c.name)
		guesses, err := validate(d, c)
		if err != nil {
			return nil, err
		}
		predict, _ := c.fit(d, d.in(0, false), nil, c.rounds) // only for its speed
		out = append(out, scored{name: c.name, guesses: guesses, micros: microseconds(d, func(i int) { c.see(d, i); predict(i) }), bytes: c.bytes(d)})
	}
	return out, nil
}

// microseconds is the median time of f over rows of the set, one at a time.
func microseconds(d *set, f func(i int)) float64 {
	var times []time.Duration
	for i := 0; i < len(d.rows); i += max(1, len(d.rows)/2000) {
		start := time.Now()
		f(i)
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	return float64(times[len(times)/2].Nanoseconds()) / 1000
}

func writeFigures(o *options, d *set, figures string, all []scored) error {
	if o.card != "" {
		if err := insert(o.card, figures); err != nil {
			return err
		}
	}
	if o.plot != "" && o.compare {
		if err := os.WriteFile(o.plot, []byte(frontier(d, all)), 0o644); err != nil {
			return fmt.Errorf("writing the plot: %w", err)
		}
	}
	return nil
}

func writeModel(o *options, d *set, found [folds]fold, limit float64, model []byte) error {
	if o.out != "" {
		if err := os.WriteFile(o.out, model, 0o644); err != nil {
			return fmt.Errorf("writing the model: %w", err)
		}
	}
	if o.folds == "" {
		return nil
	}
	if err := os.MkdirAll(o.folds, 0o755); err != nil {
		return fmt.Errorf("writing the folds: %w", err)
	}
	for k := range found {
		name := filepath.Join(o.folds, fmt.Sprintf("fold%d.bin", k))
		if err := os.WriteFile(name, found[k].stack.encode(d, limit), 0o644); err != nil {
			return fmt.Errorf("writing the folds: %w", err)
		}
	}
	if err := os.WriteFile(filepath.Join(o.folds, "folds.tsv"), []byte(foldTable(d)), 0o644); err != nil {
		return fmt.Errorf("writing the folds: %w", err)
	}
	return nil
}

// foldTable lists, for each command, the fold whose model has not seen it or
// its group: the SHA-256 of the text in hexadecimal, a tab, the fold.
func foldTable(d *set) string {
	lines := make([]string, len(d.rows))
	for i := range d.rows {
		lines[i] = fmt.Sprintf("%s\t%d\n", d.rows[i].sum, d.fold[i])
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}
