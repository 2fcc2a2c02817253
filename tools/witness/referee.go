//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed"
	"github.com/heedsh/heed/internal/catalog/compile"
	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
	"github.com/heedsh/heed/tools/throwaway"
)

// searched is where programs are looked for.
const searched = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// A referee runs commands in worlds of many kinds and holds every claim of their
// answers against what came of them.
type referee struct {
	out      io.Writer
	layer    *throwaway.Layer
	programs map[string]bool
	ran      map[risk.Tier]int
	lossy    int // commands that took something away for good
	done     int // REVIEW that succeeded
	reviewed int // of these, those of files and repositories only
	idle     int // of these, those that took nothing away
	refused  int // of the idle, those that heed says ask first, and that nobody answered
	faults   int
}

// judge runs, in every kind of world, every nth of its commands, and of the
// specs' own examples those whose program is installed. It answers how many
// faults it found.
func judge(out io.Writer, only, specs string, most, nth int) (int, error) {
	l, err := throwaway.NewLayer() // before anything else: it takes us out of the machine's mounts
	if err != nil {
		return 0, err
	}
	defer l.Close()
	dir, remove, err := witness.Dir()
	if err != nil {
		return 0, err
	}
	defer remove()
	r := &referee{out: out, layer: l, programs: map[string]bool{}, ran: map[risk.Tier]int{}}
	for _, k := range kinds() {
		if only != "" && only != k.name {
			continue
		}
		at := filepath.Join(dir, k.name)
		if err := os.Mkdir(at, 0o700); err != nil {
			return 0, fmt.Errorf("making room: %w", err)
		}
		w, err := witness.New(context.Background(), at)
		if err == nil {
			err = w.Setup(context.Background(), k.setup)
		}
		if err != nil {
			return 0, fmt.Errorf("world %s: %w", k.name, err)
		}
		all, err := commands(k, w.Project, most)
		if err != nil {
			return 0, err
		}
		if specs != "" && k.name == kinds()[0].name {
			more, err := examples(specs)
			if err != nil {
				return 0, err
			}
			all = append(all, more...)
		}
		slices.Sort(all)
		if err := r.world(k, w, at, slices.Compact(all), nth); err != nil {
			return 0, err
		}
	}
	total := r.ran[risk.Safe] + r.ran[risk.Caution] + r.ran[risk.Review]
	fmt.Fprintf(out, "\n%d commands of %d programs ran: %d SAFE, %d CAUTION, %d REVIEW; %d took something away for good; %d faults\n%d REVIEW succeeded; of the %d of them that are of files and repositories only, %d took nothing away, of which %d asked first and got no answer\n",
		total, len(r.programs), r.ran[risk.Safe], r.ran[risk.Caution], r.ran[risk.Review], r.lossy, r.faults, r.done, r.reviewed, r.idle, r.refused)
	return r.faults, nil
}

// examples are the command lines of the specs in a directory.
func examples(dir string) (all []string, err error) {
	specs, err := compile.Dir(dir, "*.yaml")
	if err != nil {
		return nil, err
	}
	for _, s := range specs {
		for _, c := range s.Cases {
			all = append(all, c.Run)
		}
	}
	return all, nil
}

func (r *referee) world(k kind, w *witness.World, at string, all []string, nth int) error {
	before, err := look("", at)
	if err != nil {
		return err
	}
	engine := heed.New(heed.Options{Home: w.Home, User: "user"})
	for i, command := range all {
		if i%nth != 0 {
			continue
		}
		req := risk.Request{Command: command, Shell: "bash", Dir: w.Project, Env: w.Env}
		a, err := engine.Assess(context.Background(), req)
		if err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
		if witness.Missing(&a, searched) != "" {
			continue
		}
		var l losses
		var after *state
		trial, err := r.layer.TryAnd(&req, func(root string, t *throwaway.Trial) (err error) {
			after = before
			if !slices.ContainsFunc(t.Changes, func(c witness.Change) bool { return strings.HasPrefix(c.Path, at+"/") }) {
				return nil
			}
			if after, err = look(root, at); err == nil {
				after.elsewhere(root, at, t.Changes)
				l = lost(before, after, root)
			}
			return err
		})
		if err != nil {
			return errors.Join(fmt.Errorf("world %s: %s", k.name, command), err)
		}
		for _, c := range trial.Changes {
			if !strings.HasPrefix(c.Path, at+"/") && !strings.HasPrefix(c.Path, "/tmp/") && c.Path != "/tmp" && !witness.IsRecord(c, w.Home) {
				l.outside = append(l.outside, c.Path)
			}
		}
		r.note(k, &req, &a, &trial, before, after, l, w.Home)
	}
	return nil
}

func (r *referee) note(k kind, req *risk.Request, a *risk.Assessment, t *throwaway.Trial, before, after *state, l losses, home string) {
	r.ran[a.Tier]++
	for _, i := range a.Invocations {
		if len(i.Argv) > 0 {
			r.programs[filepath.Base(i.Argv[0])] = true
		}
	}
	if len(l.gone)+len(l.written)+l.commits > 0 {
		r.lossy++
	}
	faults := append(hold(a, before, after, l, home), ended(a, t)...)
	if a.Tier == risk.Safe {
		if what, surprises := witness.Compare(a.Effects, t.Changes, home); what == witness.NotTold {
			faults = append(faults, fault{"SAFE, and changes", strings.Join(surprises[:min(3, len(surprises))], ", ")})
		}
	}
	if a.Tier == risk.Review && t.Exit == 0 && !t.Stopped {
		r.done++
	}
	if a.Tier == risk.Review && t.Exit == 0 && !t.Stopped && idle(a, losses{}, 0) {
		r.reviewed++
		if idle(a, l, t.Exit) {
			r.idle++
			if slices.ContainsFunc(a.Invocations, func(i risk.Invocation) bool { return i.Ends != nil && i.Ends.How == risk.EndAsks }) {
				r.refused++
			}
			fmt.Fprintf(r.out, "idle [%s] %s\n    says: %s\n", k.name, explain.Cut(explain.Visible(req.Command), 160), a.Summary)
		}
	}
	for _, f := range faults {
		r.faults++
		fmt.Fprintf(r.out, "%s [%s] %s\n    says: [%s/%s] %s\n    did:  %s\n", f.what, k.name, explain.Cut(explain.Visible(req.Command), 160), a.Tier, a.Level, a.Summary, explain.Visible(f.where))
	}
}
