package main

import (
	"context"
	"fmt"
	"strings"
	"sync"

	attacks "github.com/heedsh/heed/eval"
	"github.com/heedsh/heed/internal/audit"
	"github.com/heedsh/heed/internal/service"
	"github.com/heedsh/heed/internal/world/fakeworld"
	"github.com/heedsh/heed/risk"
)

// A shop is where all days take place: rooms with a world each.
type shop struct {
	rooms   []*room
	attacks []attacks.Attack
	stops   []attacks.Attack // those of them that must be stopped wherever they are run
}

// A room is a world, and what is done in it.
type room struct {
	name     string
	world    string
	commands []string // to draw from; nil: the grammar
	mu       sync.Mutex
	desks    map[string]*desk // by the text of the world
}

// A desk judges commands in one state of a room, each once.
type desk struct {
	options service.Options
	with    *service.Service
	dir     string
	env     map[string]string
	mu      sync.Mutex
	seen    map[string]*judged
}

// A judged command is one with its assessment and the row of it.
type judged struct {
	req  risk.Request
	a    *risk.Assessment
	row  audit.Row
	once sync.Once
	err  error
}

func newShop(suites string) (*shop, error) {
	s := &shop{}
	var err error
	if s.attacks, err = attacks.All(); err != nil {
		return nil, err
	}
	for _, a := range s.attacks {
		if strings.HasPrefix(a.ID, "adv-") {
			s.stops = append(s.stops, a)
		}
	}
	if suites == "" {
		s.rooms = []*room{{name: "grammar", world: project}}
		return s, nil
	}
	names, err := glob(suites)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		x, err := readSuite(name)
		if err != nil {
			return nil, err
		}
		r, err := furnished(x)
		if err != nil {
			return nil, err
		}
		s.rooms = append(s.rooms, r)
	}
	return s, nil
}

// furnished is the room of a suite: the scripts that its commands start are there.
func furnished(x *suite) (*room, error) {
	empty := &room{name: x.name, world: x.world(nil), commands: x.commands}
	d, err := empty.desk("")
	if err != nil {
		return nil, err
	}
	var scripts []string
	for _, c := range x.commands {
		j, err := d.judge(c, risk.ModelSuggestion)
		if err != nil {
			return nil, err
		}
		for i := range j.a.Effects {
			e := &j.a.Effects[i]
			if e.Verb == risk.ExecUnknown && e.Kind == risk.KindMissing && strings.HasPrefix(e.Target, "/") && e.Unresolved == "" {
				scripts = append(scripts, e.Target)
			}
		}
	}
	return &room{name: x.name, world: x.world(distinct(scripts, d.dir)), commands: x.commands}, nil
}

// distinct are the scripts that a world can hold: each once, no directory of another,
// and without signs that its language has.
func distinct(names []string, root string) (out []string) {
	seen := map[string]bool{}
	for _, n := range names {
		if seen[n] || strings.ContainsAny(n, " \"'`#\\") || n == root || strings.HasSuffix(n, "/") {
			continue
		}
		seen[n] = true
		out = append(out, n)
	}
	for n := range seen {
		for _, m := range out {
			if strings.HasPrefix(m, n+"/") {
				seen[n] = false
			}
		}
	}
	kept := out[:0]
	for _, n := range out {
		if seen[n] {
			kept = append(kept, n)
		}
	}
	return kept
}

// desk is the room with something more in its world.
func (r *room) desk(more string) (*desk, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if d := r.desks[more]; d != nil {
		return d, nil
	}
	w, dir, env, err := fakeworld.Parse(r.world + more)
	if err != nil {
		return nil, fmt.Errorf("the world of %s: %w", r.name, err)
	}
	opt := service.Options{World: w, Specs: []string{specDir}}
	d := &desk{options: opt, with: service.New(opt), dir: dir, env: env, seen: map[string]*judged{}}
	if r.desks == nil {
		r.desks = map[string]*desk{}
	}
	r.desks[more] = d
	return d, nil
}

// judge assesses a command, once.
func (d *desk) judge(command string, from risk.Provenance) (*judged, error) {
	d.mu.Lock()
	j := d.seen[command]
	if j == nil {
		j = &judged{}
		d.seen[command] = j
	}
	d.mu.Unlock()
	j.once.Do(func() {
		j.req = risk.Request{Command: command, Dir: d.dir, Env: d.env, Provenance: from, Agent: "claude-code"}
		a, err := d.with.Assess(context.Background(), j.req)
		if err != nil {
			j.err = fmt.Errorf("judging %q: %w", command, err)
			return
		}
		j.a = &a.Assessment
		j.row, j.err = audit.AssessedRow(&j.req, j.a, false)
	})
	return j, j.err
}

// judged counts the commands that were assessed.
func (s *shop) judged() (n int) {
	for _, r := range s.rooms {
		for _, d := range r.desks {
			n += len(d.seen)
		}
	}
	return n
}
