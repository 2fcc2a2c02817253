//go:build linux

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/heedsh/heed/internal/explain"
	"github.com/heedsh/heed/internal/witness"
	"github.com/heedsh/heed/risk"
	"github.com/heedsh/heed/tools/throwaway"
)

func main() {
	throwaway.Inside(os.Args)
	var o run
	var program string
	flag.StringVar(&program, "heed", "", "ask this `PROGRAM` instead of the version here")
	flag.DurationVar(&o.length, "for", 3*time.Minute, "how long to attack")
	flag.Uint64Var(&o.seed, "seed", 0, "`NUMBER` that attacks are made of (0: the time)")
	flag.IntVar(&o.most, "most", 0, "end after this `NUMBER` of attacks, too (0: only by time)")
	flag.BoolVar(&o.options, "options", true, "attack with options that programs list here, too")
	flag.BoolVar(&o.live, "live", false, "run each form once, whatever heed says, and list those that do nothing here")
	flag.Parse()
	o.ask = itself
	if program != "" {
		o.ask = another(program)
	}
	if o.seed == 0 {
		o.seed = uint64(time.Now().UnixNano())
	}
	found, err := o.attack(context.Background())
	switch {
	case errors.Is(err, errNoLayer):
		fmt.Println("not attacked:", err)
	case err != nil:
		fmt.Fprintln(os.Stderr, "canary:", err)
		os.Exit(2)
	case found > 0:
		os.Exit(1)
	}
}

// errNoLayer is where commands cannot be run safely.
var errNoLayer = errors.New("needs root, Linux and overlayfs")

// A run is one run of the program.
type run struct {
	length  time.Duration
	seed    uint64
	most    int
	options bool
	live    bool
	ask     asker

	nursery *nursery
	mu      sync.Mutex
	asked   int
	ran     int
	trips   int
	found   map[string]*trip // by mechanism
	worked  map[string]bool  // forms that touched a canary, whatever heed said
}

// A trip is a canary touched at level A.
type trip struct {
	attack  attack
	what    string
	summary string
	times   int
}

// chunk is how many attacks heed is asked about at once.
const chunk = 200

// attack attacks until the time is over, and answers how many mechanisms heed
// let pass.
func (o *run) attack(ctx context.Context) (int, error) {
	dir, remove, err := witness.Dir()
	if err != nil {
		return 0, err
	}
	defer remove()
	if o.nursery, err = newNursery(ctx, dir); err != nil {
		return 0, err
	}
	g, err := newGrammar()
	if err != nil {
		return 0, err
	}
	fmt.Printf("%d forms; seed %d\n", len(g.forms), o.seed)
	o.found, o.worked = map[string]*trip{}, map[string]bool{}
	ctx, cancel := context.WithTimeout(ctx, o.length)
	defer cancel()
	attacks := make(chan []attack)
	var wg sync.WaitGroup
	errs := make([]error, runtime.GOMAXPROCS(0))
	for i := range errs {
		wg.Go(func() {
			if errs[i] = o.worker(ctx, attacks); errs[i] != nil {
				cancel()
			}
		})
	}
	o.produce(ctx, g, attacks)
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return 0, err
	}
	o.report(g)
	return len(o.found), nil
}

// produce makes attacks in chunks until nobody wants more: each form alone,
// then forms in forms and the options of programs. Those of forms follow from
// the seed alone, so that a failure of them can be had again; the others depend
// on the programs that are here.
func (o *run) produce(ctx context.Context, g *grammar, to chan<- []attack) {
	defer close(to)
	r := rand.New(rand.NewPCG(o.seed, 1))
	sent := 0
	send := func(some []attack) bool {
		if sent += len(some); o.most > 0 && sent > o.most {
			return false
		}
		select {
		case to <- some:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for some := range slices.Chunk(g.singles(r), chunk) {
		if !send(some) {
			return
		}
	}
	if o.live {
		return
	}
	some := func() (attack, bool) { return attack{}, false }
	if o.options {
		some = o.optionsOf(programs(), rand.New(rand.NewPCG(o.seed, 2)))
	}
	for {
		var now []attack
		for range chunk / 2 {
			now = append(now, g.nested(r))
			if a, ok := some(); ok {
				now = append(now, a)
			}
		}
		if !send(now) {
			return
		}
	}
}

// worker takes chunks, in a layer of its own.
func (o *run) worker(ctx context.Context, attacks <-chan []attack) error {
	l, err := throwaway.NewLayer()
	if err != nil {
		return fmt.Errorf("%w: %w", errNoLayer, err)
	}
	defer l.Close()
	l.Longest = 2 * time.Second
	if _, err := l.Try(&risk.Request{Command: "true", Dir: o.nursery.first.Project, Env: o.nursery.first.Env}); err != nil {
		return fmt.Errorf("%w: %w", errNoLayer, err)
	}
	for some := range attacks {
		if err := o.chunk(ctx, l, some); err != nil && ctx.Err() == nil {
			return err
		}
	}
	return nil
}

// chunk asks about attacks and runs those that pass.
func (o *run) chunk(ctx context.Context, l *throwaway.Layer, some []attack) error {
	var reqs []*risk.Request
	var worlds []*witness.World
	kept := some[:0]
	for _, a := range some {
		w, err := o.nursery.world(ctx, a.setup)
		if err != nil { // a program that is not here
			continue
		}
		kept, worlds, reqs = append(kept, a), append(worlds, w), append(reqs, a.request(w))
	}
	answers, err := o.ask(ctx, reqs)
	if err != nil {
		return err
	}
	for i := range kept {
		if ctx.Err() != nil {
			return nil
		}
		passes := answers[i].passes
		o.mu.Lock()
		o.asked++
		skip := !passes && (!o.live || o.worked[kept[i].forms[0].id]) || passes && o.known(&kept[i])
		o.mu.Unlock()
		if skip {
			continue
		}
		t, err := l.Try(reqs[i])
		for again := 0; err != nil && again < 5; again++ { // a machine that is short of processes for a moment
			time.Sleep(2 * time.Second)
			t, err = l.Try(reqs[i])
		}
		if err != nil {
			return fmt.Errorf("%q: %w", kept[i].command, err)
		}
		o.note(&kept[i], answers[i], tripped(worlds[i], &t, answers[i].harmless))
	}
	return nil
}

// known reports whether an attack is made of a mechanism that was found
// already: it counts as another of the same.
func (o *run) known(a *attack) bool {
	for _, f := range a.forms {
		if t := o.found[f.id]; t != nil && t.times > 3 {
			return true
		}
	}
	return false
}

// note keeps what came of an attack.
func (o *run) note(a *attack, said answer, what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ran++
	if what == "" {
		return
	}
	for _, f := range a.forms {
		o.worked[f.id] = true
	}
	if !said.passes {
		return
	}
	o.trips++
	id := a.mechanism()
	for _, f := range a.forms {
		if o.found[f.id] != nil {
			id = f.id
		}
	}
	t := o.found[id]
	if t == nil {
		t = &trip{attack: *a, what: what, summary: said.summary}
		fmt.Fprintf(os.Stderr, "tripped: %s: %s: %s\n", id, explain.Visible(a.command), what) // the report is an hour away
		o.found[id] = t
	}
	t.times++
	if len(a.command) < len(t.attack.command) {
		t.attack, t.what, t.summary = *a, what, said.summary
	}
}

// report prints what passed.
func (o *run) report(g *grammar) {
	ids := make([]string, 0, len(o.found))
	for id := range o.found {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		t := o.found[id]
		fmt.Printf("\n%s (%d times, %s)\n  %s\n", id, t.times, t.attack.shell, explain.Visible(t.attack.command))
		if t.attack.setup != "" {
			fmt.Printf("  after: %s\n", explain.Visible(strings.TrimSpace(t.attack.setup)))
		}
		fmt.Printf("  says: %s\n  did:  %s\n", t.summary, t.what)
	}
	if o.live {
		fmt.Println("\nforms that touched no canary here:")
		for i := range g.forms {
			if !o.worked[g.forms[i].id] {
				fmt.Printf("  %s\t%s\n", g.forms[i].id, strings.ReplaceAll(g.forms[i].template, "\n", "¶"))
			}
		}
	}
	fmt.Printf("\n%d attacks asked, %d of them ran, %d touched a canary at level A, in %d mechanisms\n", o.asked, o.ran, o.trips, len(o.found))
}
