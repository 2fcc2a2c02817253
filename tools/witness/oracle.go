//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/heedsh/heed"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
)

// An oracle previews commands and holds every effect that is said of them against what
// they did: whether all that was done was said (soundness), and whether what was said for
// certain was done (precision), by verb and by program.
type oracle struct {
	out      io.Writer
	verbs    witness.Tally
	programs map[string]witness.Tally // by the first program of a line
	ran, not int
}

// longest is how long one command of the oracle may run.
const longest = 3 * time.Second

// foresee runs, in every kind of world, every nth of its commands, and of the specs' own
// examples those whose program is installed. It answers how many misses it found.
func foresee(out io.Writer, tried []kind, only, specs string, most, nth int) (int, error) {
	dir, remove, err := witness.Dir()
	if err != nil {
		return 0, err
	}
	defer remove()
	o := &oracle{out: out, verbs: witness.Tally{}, programs: map[string]witness.Tally{}}
	err = eachWorld(dir, tried, only, specs, most, func(k kind, w *witness.World, all []string) error { return o.world(k, w, all, nth) })
	if err != nil {
		return 0, err
	}
	return o.report(), nil
}

func (o *oracle) world(k kind, w *witness.World, all []string, nth int) error {
	engine := heed.New(heed.Options{Home: w.Home, User: w.Env["USER"]})
	v := &witness.Verifier{World: w, Longest: longest, Search: searched, Assess: func(ctx context.Context, req risk.Request) risk.Assessment {
		a, err := engine.Assess(ctx, req)
		if err != nil {
			a.Error = err.Error()
		}
		return a
	}}
	for i, command := range all {
		if i%nth != 0 {
			continue
		}
		x, err := v.Try(context.Background(), command)
		if err != nil {
			return errors.Join(fmt.Errorf("world %s: %s", k.name, command), err)
		}
		if x.NotRun != "" {
			o.not++
			continue
		}
		o.add(k, &x)
	}
	return nil
}

// add counts an example, and tells of what it shows to be wrong.
func (o *oracle) add(k kind, x *witness.Example) {
	o.ran++
	o.verbs.Add(x)
	first := program(x.Run)
	if o.programs[first] == nil {
		o.programs[first] = witness.Tally{}
	}
	o.programs[first].Add(x)
	var misses []string
	for _, d := range x.Unsaid() {
		misses = append(misses, "not said: "+string(d.Verb)+" "+d.What)
	}
	for _, s := range x.Unseen() {
		misses = append(misses, "not seen: "+string(s.Verb)+" "+s.Target)
	}
	if len(misses) > 0 {
		fmt.Fprintf(o.out, "[%s] %s\n    says: [%s] %s\n    %s\n", k.name, explain.Cut(explain.Visible(x.Run), 160), x.Tier, x.Summary, explain.Visible(strings.Join(misses[:min(3, len(misses))], "; ")))
	}
}

// program is the first word of a line that assigns no variable.
func program(line string) string {
	for word := range strings.FieldsSeq(line) {
		if !strings.Contains(word, "=") {
			return word
		}
	}
	return line
}

// report prints the tables and answers how many misses there are.
func (o *oracle) report() int {
	fmt.Fprintf(o.out, "\n%d commands ran, %d did not (no program, or nothing that can be run here)\n%s", o.ran, o.not, o.verbs)
	for _, verb := range slices.Sorted(maps.Keys(o.verbs)) {
		if c := o.verbs[verb]; c.Done > 0 && c.Said > 0 {
			fmt.Fprintf(o.out, "%-12s soundness %6.2f %% of %d, precision %6.2f %% of %d\n", verb, share(c.Done-c.Unsaid, c.Done), c.Done, share(c.Seen, c.Said), c.Said)
		}
	}
	fmt.Fprintln(o.out, "programs with misses, not said and not seen:")
	for _, name := range slices.Sorted(maps.Keys(o.programs)) {
		if c := o.programs[name].Sum(); c.Unsaid+c.Unseen() > 0 {
			fmt.Fprintf(o.out, "  %-20s %d of %d, %d of %d\n", explain.Visible(name), c.Unsaid, c.Done, c.Unseen(), c.Said)
		}
	}
	sum := o.verbs.Sum()
	return sum.Unsaid + sum.Unseen()
}

func share(part, of int) float64 { return 100 * float64(part) / float64(of) }
