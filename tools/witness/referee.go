//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heedsh/heed"
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
	quiet    int // of these, those of whose warning nothing came
	asked    int // of the quiet, those that did something once their input said yes
	reviewed int // of those that succeeded, those of files and repositories only
	idle     int // of these, those that took nothing away
	faults   int
}

// judge runs, in every kind of world, every nth of its commands, and of the
// specs' own examples those whose program is installed. It answers how many
// faults it found.
func judge(out io.Writer, tried []kind, only, specs string, most, nth int) (int, error) {
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
	err = eachWorld(dir, tried, only, specs, most, func(k kind, w *witness.World, all []string) error {
		return r.world(k, w, filepath.Join(dir, k.name), all, nth)
	})
	if err != nil {
		return 0, err
	}
	total := r.ran[risk.Safe] + r.ran[risk.Caution] + r.ran[risk.Review]
	fmt.Fprintf(out, "\n%d commands of %d programs ran: %d SAFE, %d CAUTION, %d REVIEW; %d took something away for good; %d faults\n%d REVIEW succeeded, of %d of which nothing came that was warned of, and of %d more only once their input said yes; of the %d of them that are of files and repositories only, %d took nothing away\n",
		total, len(r.programs), r.ran[risk.Safe], r.ran[risk.Caution], r.ran[risk.Review], r.lossy, r.faults, r.done, r.quiet-r.asked, r.asked, r.reviewed, r.idle)
	return r.faults, nil
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
		t, err := r.try(&req, at, w.Home, before)
		if err != nil {
			return errors.Join(fmt.Errorf("world %s: %s", k.name, command), err)
		}
		if k.own != nil && !t.succeeded() && a.Tier == risk.Review { // worth a look where each command was chosen
			fmt.Fprintf(r.out, "fails [%s] %s\n    says: %s\n", k.name, command, a.Summary)
		}
		asked := false
		if a.Tier == risk.Review && t.succeeded() && !came(&a, &t, w.Home) {
			again := req
			again.Command = answered(req.Command)
			yes, err := r.try(&again, at, w.Home, before)
			if err != nil {
				return errors.Join(fmt.Errorf("world %s: %s", k.name, again.Command), err)
			}
			asked = came(&a, &yes, w.Home)
		}
		r.note(k, &a, &t, before, w.Home, asked)
	}
	return nil
}

// A trialIn is what came of a command in a world.
type trialIn struct {
	throwaway.Trial
	after *state
	lost  losses
}

func (t *trialIn) succeeded() bool { return t.Exit == 0 && !t.Stopped }

// try runs a command in a world that lies in the directory at.
func (r *referee) try(req *risk.Request, at, home string, before *state) (t trialIn, err error) {
	t.Trial, err = r.layer.TryAnd(req, func(root string, trial *throwaway.Trial) (err error) {
		t.after = before
		if !slices.ContainsFunc(trial.Changes, func(c witness.Change) bool { return strings.HasPrefix(c.Path, at+"/") }) {
			return nil
		}
		if t.after, err = look(root, at); err == nil {
			t.after.elsewhere(root, at, trial.Changes)
			t.lost = lost(before, t.after, root)
		}
		return err
	})
	for _, c := range t.Changes {
		if !strings.HasPrefix(c.Path, at+"/") && !strings.HasPrefix(c.Path, "/tmp/") && c.Path != "/tmp" && !witness.IsRecord(c, home) {
			t.lost.outside = append(t.lost.outside, c.Path)
		}
	}
	return t, err
}

// note counts a trial and tells of what it shows to be wrong. asked is whether the
// command did something only once its input said yes.
func (r *referee) note(k kind, a *risk.Assessment, t *trialIn, before *state, home string, asked bool) {
	r.ran[a.Tier]++
	for _, i := range a.Invocations {
		if len(i.Argv) > 0 {
			r.programs[filepath.Base(i.Argv[0])] = true
		}
	}
	l := &t.lost
	if len(l.gone)+len(l.written)+l.commits > 0 {
		r.lossy++
	}
	faults := append(hold(a, before, t.after, *l, home), ended(a, &t.Trial)...)
	if a.Tier == risk.Safe {
		if what, surprises := witness.Compare(a.Effects, t.Changes, home); what == witness.NotTold {
			faults = append(faults, fault{"SAFE, and changes", strings.Join(surprises[:min(3, len(surprises))], ", ")})
		}
	}
	if a.Tier == risk.Review && t.succeeded() {
		r.review(k, a, t, home, asked)
	}
	for _, f := range faults {
		r.faults++
		fmt.Fprintf(r.out, "%s [%s] %s\n    says: [%s/%s] %s\n    did:  %s\n", f.what, k.name, explain.Cut(explain.Visible(a.Command), 160), a.Tier, a.Level, a.Summary, explain.Visible(f.where))
	}
}

// review counts a command that was REVIEW and succeeded.
func (r *referee) review(k kind, a *risk.Assessment, t *trialIn, home string, asked bool) {
	r.done++
	if ofFiles(a) {
		r.reviewed++
		if idle(t.lost) {
			r.idle++
		}
	}
	if came(a, t, home) {
		return
	}
	what := "nothing came"
	if r.quiet++; asked {
		r.asked++
		what = "asks"
	}
	fmt.Fprintf(r.out, "%s [%s] %s\n    says: %s\n", what, k.name, explain.Cut(explain.Visible(a.Command), 160), a.Summary)
}
